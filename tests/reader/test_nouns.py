"""Nouns and names that no lexicon of occupations lists, read from one translation."""

from __future__ import annotations

import pytest

from epicene.types import Gender, Kind
from tests.reader import decide as read

F, M, N, U = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN

FORMS = [
    ("de", "The astronaut finished the work.", "astronaut", "Die Astronautin beendete ihre Arbeit.", F),
    ("de", "The astronaut finished the work.", "astronaut", "Der Astronaut beendete seine Arbeit.", M),
    ("de", "My neighbours sing.", "neighbours", "Meine Nachbarinnen singen.", F),
    ("de", "The heir sold the castle.", "heir", "Der Erbe verkaufte das Schloss.", M),
    ("es", "The politician was late.", "politician", "El político llegó tarde.", M),
    ("es", "The sculptors sold everything.", "sculptors", "Las escultoras lo vendieron todo.", F),
    ("fr", "My neighbour has a dog.", "neighbour", "Ma voisine a un chien.", F),
    ("fr", "The swimmers are waiting.", "swimmers", "Les nageurs attendent.", M),
    ("it", "The smuggler ran away.", "smuggler", "La contrabbandiera è scappata.", F),
    ("it", "The winners smiled.", "winners", "I vincitori sorrisero.", M),
    ("pt", "The fisherman came home.", "fisherman", "A pescadora voltou para casa.", F),
    ("pt", "The orphans were singing.", "orphans", "Os órfãos cantavam.", M),
    ("ru", "The captain forgot the map.", "captain", "Капитан забыл карту.", M),
    ("ru", "The dancers were tired.", "dancers", "Танцовщицы устали.", F),
    ("ru", "The Ecuadorians disagree.", "Ecuadorians", "Жительницы Эквадора не согласны.", F),
    ("es", "The trainer asked the guests to wait.", "trainer", "La formadora pidió a los invitados que esperaran.", F),
    ("es", "The caregiver washed the old woman.", "woman", "La cuidadora lavó a la anciana.", F),
    ("es", "His workmate laughed.", "workmate", "Su compañera de trabajo se rió.", F),
    ("es", "The queen smiled.", "queen", "La reina sonrió.", F),
    ("es", "The blind man sang.", "man", "El ciego cantó.", M),
    ("ru", "The mayor's daughter smiled.", "mayor", "Дочь мэра улыбнулась.", M),
    ("es", "Generals from ten countries met.", "Generals", "Generales de diez países se reunieron.", M),
    ("it", "We socialists support the teachers.", "socialists", "Noi socialisti sosteniamo gli insegnanti.", M),
]


@pytest.mark.parametrize(("language", "source", "person", "translation", "gender"), FORMS)
def test_form_of_an_unlisted_noun_tells(
    language: str, source: str, person: str, translation: str, gender: Gender
) -> None:
    assert read(language, source, person, translation).gender is gender


AGREEMENT = [
    ("es", "The guitarist smiled.", "guitarist", "La guitarrista sonrió.", F),
    ("es", "He works as a manager there.", "manager", "Trabaja allí como gerente interina.", F),
    ("fr", "The best pianist won.", "pianist", "La meilleure pianiste a gagné.", F),
    ("it", "Their dentist is kind.", "dentist", "La loro dentista è gentile.", F),
    ("it", "The teacher is also a gifted pianist.", "teacher", "L'insegnante è anche un pianista di talento.", M),
    ("pt", "The tourist got lost.", "tourist", "O turista perdeu-se.", M),
    ("ru", "The surgeon smiled.", "surgeon", "Хирург улыбнулась.", F),
    ("ru", "The professor whom I know is ill.", "professor", "Профессор, которую я знаю, больна.", F),
    ("de", "Female refugees arrived.", "refugees", "Weibliche Flüchtlinge kamen an.", F),
    ("hi", "The lawyer was there.", "lawyer", "वकील वहाँ थी।", F),
    ("es", "The doctor smiled.", "doctor", "La médico sonrió.", F),
    ("ru", "She became a surgeon.", "surgeon", "Она стала хирургом.", F),
    ("ru", "She became a doctor and he an engineer.", "doctor", "Она стала врачом, а он инженером.", F),
    ("de", "The neophyte prayed.", "neophyte", "Die Neophytin betete.", F),
    ("pt", "The spokesperson said no.", "spokesperson", "A porta-voz disse que não.", F),
    ("fr", "This is the sponsor of our club.", "sponsor", "C'est la commanditaire de notre club.", F),
    (
        "sv",
        "The doctor met the old teacher when she came.",
        "doctor",
        "Läkaren mötte den gamle läraren när hon kom.",
        F,
    ),
    (
        "pt",
        "He was president when the law was passed.",
        "president",
        "Era presidente da República quando a lei foi aprovada.",
        M,
    ),
]


@pytest.mark.parametrize(("language", "source", "person", "translation", "gender"), AGREEMENT)
def test_what_agrees_tells_where_the_noun_does_not(
    language: str, source: str, person: str, translation: str, gender: Gender
) -> None:
    assert read(language, source, person, translation).gender is gender


COPIED = [
    ("it", "The guard slept.", "guard", "Il guard dormiva.", M),
    ("de", "The Carpenter slept.", "Carpenter", "Der Carpenter schlief.", M),
    ("es", "The C.E.O. resigned.", "C.E.O", "La C.E.O. dimitió.", F),
]


@pytest.mark.parametrize(("language", "source", "person", "translation", "gender"), COPIED)
def test_article_decides_for_a_copied_word(
    language: str, source: str, person: str, translation: str, gender: Gender
) -> None:
    assert read(language, source, person, translation).gender is gender


NEUTRAL = [
    ("de", "Doctors and patients met.", "Doctors", "Ärztinnen und Ärzte trafen sich."),
    ("de", "The teachers sang.", "teachers", "Die Lehrer:innen sangen."),
    ("es", "The victim was found.", "victim", "La víctima fue encontrada."),
    ("es", "Ask the doctor.", "doctor", "Pregunte al médico/a."),
    ("fr", "The astronaut slept.", "astronaut", "L'astronaute dormait."),
    ("pt", "The child laughed.", "child", "A criança riu."),
    ("ru", "The member voted.", "member", "Член проголосовал."),
    ("fr", "The baby is crying.", "baby", "Le bébé pleure."),
    ("fr", "The artist met the queen when she came.", "artist", "L'artiste a rencontré la reine quand elle est venue."),
    ("es", "The users complained.", "users", "Las personas usuarias se quejaron."),
    ("es", "Her relatives live abroad.", "relatives", "Sus familiares viven en el extranjero."),
]


@pytest.mark.parametrize(("language", "source", "person", "translation"), NEUTRAL)
def test_words_for_all_genders_are_neutral(language: str, source: str, person: str, translation: str) -> None:
    found = read(language, source, person, translation)
    assert found.gender is N
    assert not found.against


NAMES = [
    ("fr", "Stevens escaped.", "Stevens", "Stevens s'est échappée.", F),
    ("es", "Tom Hanks is an actor.", "Tom Hanks", "Tom Hanks es actor.", M),
    ("fr", "The pianist Barbara Higbie played.", "Barbara Higbie", "La pianiste Barbara Higbie a joué.", F),
    ("it", "The poets Lee and Philip Whalen met.", "Philip Whalen", "I poeti Lee e Philip Whalen si incontrarono.", M),
    ("es", "The singer Rosa Ruiz thanked Ana Gil.", "Ana Gil", "La cantante Rosa Ruiz dio las gracias a Ana Gil.", N),
]


@pytest.mark.parametrize(("language", "source", "person", "translation", "gender"), NAMES)
def test_names_are_read_by_what_is_said_of_them(
    language: str, source: str, person: str, translation: str, gender: Gender
) -> None:
    assert read(language, source, person, translation, Kind.NAME).gender is gender


NO_NOUN = [
    ("it", "Everyone understands.", "Everyone", "Tutte capiscono.", F),
    ("es", "Someone called.", "Someone", "Alguien llamó.", N),
    ("es", "Anybody knows it.", "Anybody", "Todos saben eso.", M),
    (
        "es",
        "Some of the guests left and some of the guests stayed.",
        "some",
        "Algunos de los invitados se fueron y otras se quedaron.",
        F,
    ),
    ("es", "Each of them is tired.", "Each", "Cada cual está cansada.", F),
    ("es", "Each of them helped the others.", "Each", "Cada una ayudó a las demás.", F),
    ("fr", "Some of them left.", "Some", "Quelques-unes sont parties.", F),
    ("fr", "We all have fun.", "all", "Nous nous amusons toutes.", F),
    ("fr", "Does anyone want some more?", "anyone", "Quelqu'un en veut encore un peu ?", N),
]


@pytest.mark.parametrize(("language", "source", "person", "translation", "gender"), NO_NOUN)
def test_people_without_a_noun_are_read_by_the_pronoun(
    language: str, source: str, person: str, translation: str, gender: Gender
) -> None:
    assert read(language, source, person, translation).gender is gender


def test_two_people_are_told_apart() -> None:
    source, translation = "The weaver thanked the plumber.", "La tejedora agradeció al fontanero."
    assert read("es", source, "weaver", translation).gender is F
    assert read("es", source, "plumber", translation).gender is M


NOT_RENDERED = [
    ("de", "The gardener came.", "gardener", ""),
    ("de", "The gardener came.", "gardener", "Und so war es."),
    ("es", "She speaks like a native speaker.", "native speaker", "Habla como si fuera su lengua materna."),
    (
        "es",
        "Everyone cheered, and then it was quiet.",
        "Everyone",
        "Una ovación llenó la sala, y después hubo silencio.",
    ),
    ("es", "Everyone cheered in each of the streets.", "Everyone", "Hubo aclamaciones en cada una de las calles."),
    ("ru", "The student movement is growing.", "student", "Студенческое движение растёт."),
]


@pytest.mark.parametrize(("language", "source", "person", "translation"), NOT_RENDERED)
def test_a_person_who_is_not_rendered_is_unread(language: str, source: str, person: str, translation: str) -> None:
    assert read(language, source, person, translation).gender is U


def test_a_reading_says_where_its_evidence_stands() -> None:
    translation = "Ayer la guitarrista sonrió."
    found = read("es", "Yesterday the guitarist smiled.", "guitarist", translation)
    assert [translation[each.start : each.end] for each in found.evidence] == ["la", "guitarrista"]
    assert 0 < found.confidence <= 1
    assert "agreement" in found.step


def test_a_contradicting_article_speaks_against_the_noun() -> None:
    found = read("fr", "The swimmer won.", "swimmer", "Le nageuse a gagné.")
    assert found.gender is F
    assert [each.text for each in found.against] == ["Le"]
    assert found.confidence < read("fr", "The swimmer won.", "swimmer", "La nageuse a gagné.").confidence


def test_a_word_before_the_rendering_is_less_sure_than_the_rendering_itself() -> None:
    source, person = "The Chileans disagree.", "Chileans"
    around, itself = (read("uk", source, person, f"{words} не згодні.") for words in ("Мешканки Чилі", "Чилійки"))
    assert around.gender is itself.gender is F
    assert [each.text for each in around.evidence] == ["Мешканки"]
    assert around.confidence < itself.confidence
