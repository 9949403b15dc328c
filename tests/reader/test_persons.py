"""I, you, we and they are read by what agrees with them, and nobody else's words are taken for theirs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.reading import read_row
from epicene.languages.folder import languages_with
from epicene.reader.grammar import grammar_of
from epicene.reader.persons import Speakers
from epicene.reader.words import Decision
from epicene.tables import rows
from epicene.types import Gender, Kind
from tests.reader import decide

TABLE = Path(__file__).with_name("persons.tsv")
ROWS = list(rows(TABLE.read_text(encoding="utf-8"), TABLE.name))
GENDERS = {"F": Gender.FEMININE, "M": Gender.MASCULINE, "N": Gender.NEUTRAL, "U": Gender.UNKNOWN}


def speakers(language: str) -> Speakers:
    """The reader of pronouns of a language."""
    grammar = grammar_of(language)
    assert grammar is not None
    return Speakers(grammar)


def read(language: str, source: str, pronoun: str, translation: str) -> Decision:
    reading = speakers(language).read(source, pronoun, source.index(pronoun), translation)
    assert reading.gender is Gender.UNKNOWN or 0 < reading.confidence <= 1
    return reading


@pytest.mark.parametrize(
    ("language", "translation", "gender"),
    [
        ("es", "Estoy cansada.", "F"),
        ("es", "Estoy cansado.", "M"),
        ("es", "Siento cansancio.", "N"),
        ("fr", "Je suis fatiguée.", "F"),
        ("fr", "J'étais très fatigué.", "M"),
        ("fr", "Je suis malade.", "N"),
        ("it", "Mi sono stancata.", "F"),
        ("it", "Sono stanco.", "M"),
        ("pt", "Fiquei bastante cansada.", "F"),
        ("pt", "Eu fui contratado ontem.", "M"),
        ("ru", "Я устала.", "F"),
        ("ru", "Я устал.", "M"),
        ("ru", "Мне трудно.", "N"),
        ("uk", "Я був втомлений.", "M"),
        ("uk", "Я вела заняття.", "F"),
        ("be", "Я заўсёды была стомленая.", "F"),
        ("pl", "Byłam zmęczona.", "F"),
        ("pl", "Zawsze byłem zmęczony.", "M"),
        ("cs", "Jsem unavená.", "F"),
        ("cs", "Nikdy jsem nebyl unavený.", "M"),
        ("sk", "Som si istá.", "F"),
        ("hr", "Bio sam umoran.", "M"),
        ("sr", "Била сам уморна.", "F"),
        ("sr", "Bio sam umoran.", "M"),
        ("sl", "Utrudila sem se.", "F"),
        ("bs", "Bila sam umorna.", "F"),
        ("bg", "Аз съм уморена.", "F"),
        ("mk", "Бев уморен.", "M"),
        ("ro", "Sunt obosită.", "F"),
        ("ca", "Estava cansat.", "M"),
        ("el", "Είμαι κουρασμένη.", "F"),
        ("he", "אני עייף.", "M"),
        ("ar", "أنا متعبة.", "F"),
        ("hi", "मैं थक गई हूँ।", "F"),
        ("hi", "मैं थक गया हूँ।", "M"),
        ("de", "Ich bin müde.", "N"),
        ("de", "Ich bin Ärztin.", "F"),
        ("de", "Ich bin Arzt.", "M"),
        ("nl", "Ik ben moe.", "N"),
    ],
)
def test_the_predicate_of_i_shows_the_gender(language: str, translation: str, gender: str) -> None:
    assert read(language, "I am tired.", "I", translation).gender is GENDERS[gender]


@pytest.mark.parametrize(
    ("language", "source", "pronoun", "translation", "gender"),
    [
        ("es", "I think the house is pretty.", "I", "Creo que la casa es bonita.", "N"),
        ("es", "I said that she was tired.", "I", "Dije que ella estaba cansada.", "N"),
        ("fr", "I know that my sister is happy.", "I", "Je sais que ma sœur est heureuse.", "N"),
        ("ru", "I know that the doctor came.", "I", "Я знаю, что врач пришла.", "N"),
        ("ru", "I thought you wanted to leave.", "you", "Я думала, что ты хотел уйти.", "M"),
        ("ru", "I thought you wanted to leave.", "I", "Я думала, что ты хотел уйти.", "F"),
        ("ru", "I needed help.", "I", "Мне понадобилась помощь.", "N"),
        ("cs", "I think I'm tired and you're kind.", "you", "Myslím, že jsem unavená a ty jsi laskavý.", "M"),
        ("sk", "I never thought of it.", "I", "Nikdy som si to nemyslel.", "M"),
        ("pl", "She said it was late.", "She", "Powiedziała, że jest późno.", "F"),
        ("pl", "He said it was late.", "He", "Powiedział, że jest późno.", "M"),
        ("cs", '"It is late," she said.', "she", "„Je pozdě,“ řekla.", "F"),
        ("cs", '"It is late," he said.', "he", "„Je pozdě,“ řekl.", "M"),
        ("es", '"I agree," I said. I was tired.', "I", '"De acuerdo", dije. Estaba cansada.', "F"),
        ("pl", "When the lion bit me, I did not wait.", "I", "Kiedy ukąsił mnie lew, nie czekałam.", "F"),
    ],
)
def test_other_people_are_told_apart(language: str, source: str, pronoun: str, translation: str, gender: str) -> None:
    assert read(language, source, pronoun, translation).gender is GENDERS[gender]


@pytest.mark.parametrize(
    ("language", "source", "pronoun", "translation", "gender"),
    [
        ("fr", "They left.", "They", "Elles sont parties.", "F"),
        ("fr", "I called them all.", "them", "Je les ai toutes appelées.", "F"),
        ("it", "It caught me off guard.", "me", "Mi ha presa alla sprovvista.", "F"),
        ("it", "We all know it.", "We", "Lo sappiamo tutti.", "M"),
        ("es", "We left.", "We", "Nosotras nos fuimos.", "F"),
        ("pt", "The owner will help you.", "you", "O dono irá ajudá-la.", "F"),
        ("ru", "Do they find you interesting?", "you", "Они считают тебя интересной?", "F"),
        ("cs", "I said it.", "I", "Řekl/a jsem to.", "N"),
        ("es", "Someone called.", "Someone", "Alguien llamó.", "N"),
        ("ru", "Someone called.", "Someone", "Кто-то позвонил.", "N"),
    ],
)
def test_objects_pronouns_and_both_forms(
    language: str, source: str, pronoun: str, translation: str, gender: str
) -> None:
    assert read(language, source, pronoun, translation).gender is GENDERS[gender]


@pytest.mark.parametrize(
    ("language", "source", "pronoun", "translation", "gender"),
    [
        ("de", "I wanted to be a doctor.", "I", "Ich wollte Ärztin werden.", "F"),
        ("de", "He lost his job.", "his", "Sie verlor ihre Arbeit.", "F"),
        ("it", "A man of few words, he left.", "he", "Un uomo di poche parole, se ne andò.", "M"),
        ("fr", "She is tall.", "She", "Il est grand.", "M"),
        ("fr", "There she is.", "she", "Il y a du monde.", "N"),
        ("ru", "She lost her job.", "her", "Астор потеряла свою работу.", "F"),
        ("it", "She was given the title.", "She", "Le fu conferito il titolo.", "F"),
        ("it", "He was given the title.", "He", "Gli fu conferito il titolo.", "M"),
        ("es", "He was interrogated.", "He", "Lo interrogaron durante semanas.", "M"),
        ("es", "He knew how to do it.", "He", "Sabía cómo hacerlo.", "N"),
        ("es", "In 1996 she worked as an ambassador.", "she", "En 1996 trabajó como embajadora.", "F"),
        ("es", "I work as a teacher.", "I", "Trabajo como profesora.", "F"),
        ("cs", "I worked as a teacher.", "I", "Pracuji jako učitelka.", "F"),
    ],
)
def test_he_and_she_and_roles(language: str, source: str, pronoun: str, translation: str, gender: str) -> None:
    assert read(language, source, pronoun, translation).gender is GENDERS[gender]


@pytest.mark.parametrize(
    ("language", "source", "pronoun", "translation"),
    [
        ("it", "I can agree if it is clear.", "I", "Posso accettare a patto che sia chiaro."),
        ("it", "As we know, in the United States.", "we", "Negli Stati Uniti, per quanto ci è noto."),
        ("es", "I found the diary.", "I", "Encontré el diario."),
        ("es", "I thought Tom was an accountant.", "I", "Pensé que Tom era contador."),
        ("es", "I want the same teacher.", "I", "Quiero el mismo profesor."),
        ("es", "His sister is a singer and is tired.", "His", "Su hermana es cantante y está cansada."),
        ("es", "If you want to, do it.", "you", "Si quieres, puedes hacerlo."),
        ("fr", "You sent me the document.", "me", "Tu m'as envoyé le document."),
        ("fr", "Did you try?", "you", "Avez-vous tenté ?"),
        (
            "pt",
            "I remind you that it was one of the aims.",
            "I",
            "Recordo que nas zonas de produção era um dos objetivos.",
        ),
    ],
)
def test_what_is_said_of_things_and_others_is_not_the_speakers(
    language: str, source: str, pronoun: str, translation: str
) -> None:
    assert read(language, source, pronoun, translation).gender is Gender.NEUTRAL


DIALOGUE = 'The woman smiled. "I think I\'m short and you\'re kind," she said. He laughed. "No, I\'m bold," he replied.'


@pytest.mark.parametrize(
    ("language", "translation", "genders"),
    [
        ("es", 'La mujer sonrió. "Creo que soy baja y tú eres amable", dijo. Él se rió. "No, soy audaz", dijo.', "FMM"),
        ("cs", "Žena se usmála. „Jsem malá a ty jsi laskavý,“ řekla. Zasmál se. „Ne, jsem drzý,“ odpověděl.", "FMM"),
    ],
)
def test_who_speaks_to_whom(language: str, translation: str, genders: str) -> None:
    starts = [(DIALOGUE.index("I'm short"), "I"), (DIALOGUE.index("you're"), "you"), (DIALOGUE.index("I'm bold"), "I")]
    found = [speakers(language).read(DIALOGUE, word, start, translation).gender for start, word in starts]
    assert found == [GENDERS[letter] for letter in genders]


@pytest.mark.parametrize(
    ("language", "source", "pronoun", "translation", "gender", "word"),
    [
        ("es", 'The man smiled. "I\'m clumsy," he said.', "I", 'El hombre sonrió. "Soy torpe", dijo.', "M", "hombre"),
        ("es", 'The teenager smiled. "I\'m clumsy," she said.', "I", 'La joven sonrió. "Soy torpe", dijo.', "F", "La"),
        ("cs", '"I agree," she said.', "I", "„Souhlasím,“ řekla.", "F", "řekla"),
        ("es", '"You are kind," he said to the teacher.', "You", '"Eres amable", le dijo a la maestra.', "F", "la"),
    ],
)
def test_the_narration_tells_what_the_words_of_a_speaker_do_not(
    language: str, source: str, pronoun: str, translation: str, gender: str, word: str
) -> None:
    reading = read(language, source, pronoun, translation)
    assert (reading.gender, reading.step) == (GENDERS[gender], "named")
    assert [each.text for each in reading.evidence] == [word]


def test_evidence_says_where_it_stands_and_what_contradicts_it() -> None:
    text = "Я купила машину, но потом я продал её."
    reading = read("ru", "I bought a car but then I sold it.", "I", text)
    assert reading.gender is Gender.FEMININE
    assert text[reading.evidence[0].start : reading.evidence[0].end] == "купила"
    assert [each.text for each in reading.against] == ["продал"]
    assert reading.confidence < read("ru", "I bought a car.", "I", "Я купила машину.").confidence
    both = read("es", "I am tired and alone.", "I", "Estoy cansada y sola.")
    assert [each.text for each in both.evidence] == ["cansada", "sola"]


@pytest.mark.parametrize("translation", ["", "…", "Casa.", "I apologize, but I cannot translate that for you."])
def test_a_pronoun_that_is_not_rendered_is_unread(translation: str) -> None:
    assert read("es", "I am tired.", "I", translation).gender is Gender.UNKNOWN


def test_a_word_that_is_no_pronoun_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"doctor is no pronoun that can be asked for; .* she .*"):
        speakers("es").read("The doctor left.", "doctor", 4, "La doctora se fue.")


@pytest.mark.parametrize("language", languages_with("persons.toml"))
def test_every_table_loads_and_reads(language: str) -> None:
    assert speakers(language).read("I am here.", "I", 0, "?").gender is Gender.UNKNOWN


@pytest.mark.parametrize(
    ("language", "source", "pronoun", "translation", "gender"),
    [
        (
            "es",
            "She became the first editor of the paper.",
            "She",
            "Se convirtió en la primera editora del diario.",
            "F",
        ),
        ("es", "When the singer left, she wept.", "she", "Cuando la cantante se fue, lloró.", "F"),
        ("es", "Her mother was a singer.", "Her", "Su madre era cantante.", "N"),
        ("es", "Her mother worked and her father cooked.", "Her", "La madre trabajaba y el padre cocinaba.", "N"),
        ("es", "His fatigue showed.", "His", "Estaba visiblemente cansado.", "M"),
        ("it", "After her success, the actress left.", "her", "Dopo il suo successo, l'attrice partì.", "F"),
        ("it", "Born in Rome, she moved to Paris.", "she", "Nata a Roma, si trasferì a Parigi.", "F"),
        ("it", "Known as Lola, she sings in Rome.", "she", "Conosciuta come Lola, canta a Roma.", "F"),
        ("es", "Exhausted, he went home.", "he", "Muy cansado, volvió a casa.", "M"),
        ("es", "He saw her teacher.", "He", "Vio a su profesora.", "N"),
    ],
)
def test_nouns_that_mean_the_same_person(
    language: str, source: str, pronoun: str, translation: str, gender: str
) -> None:
    found = decide(language, source, pronoun, translation, Kind.PRONOUN)
    assert found.gender is GENDERS[gender]


@pytest.mark.parametrize(
    ("language", "source", "pronoun", "translation", "gender"),
    [
        ("hi", "She works here.", "She", "वह यहाँ काम करती हैं।", "F"),
        ("hi", "He works here.", "He", "वह यहाँ काम करता है।", "M"),
        ("hi", "He saw a book.", "He", "उसने किताब देखी थी।", "N"),
        ("hi", "She was chosen.", "She", "उन्हें चुना गया था।", "N"),
        (
            "hi",
            "He heard that the Digital India report was ready.",
            "He",
            "उसने सुना कि डिजिटल इंडिया रिपोर्ट तैयार थी।",
            "N",
        ),
        ("hi", "She read and became a doctor.", "She", "उन्होंने पढ़ाई की और डॉक्टर बनीं।", "F"),
        ("ar", "She worked in her city.", "She", "عملت في مدينتها.", "F"),
        ("ar", "He was born in Cairo.", "He", "وُلد في القاهرة.", "M"),
    ],
)
def test_verbs_of_hindi_and_forms_of_arabic(
    language: str, source: str, pronoun: str, translation: str, gender: str
) -> None:
    assert read(language, source, pronoun, translation).gender is GENDERS[gender]


@pytest.mark.parametrize(
    ("language", "said", "gender"),
    [
        ("cs", "Vy jste horliví.", "M"),
        ("cs", "Vy jste racionální.", "N"),
        ("cs", "Vy jste připraveni.", "M"),
        ("cs", "Ty jsi slaboch.", "M"),
        ("cs", "Ty jsi umělkyně.", "F"),
        ("cs", "Ty jsi popleta.", "N"),
        ("es", "Eres alegre.", "N"),
        ("es", "Eres impaciente.", "N"),
        ("es", "Eres descortés.", "N"),
        ("es", "Eres regordete.", "M"),
        ("es", "Eres muy lista.", "F"),
        ("es", "Eres lindo.", "M"),
        ("es", "Eres blando.", "M"),
        ("es", "Estás regañando.", "N"),
        ("es", "Eres bajo.", "M"),
        ("es", "Estás bajo la mesa.", "N"),
        ("es", "Eres una artista.", "F"),
        ("es", "Eres una persona.", "N"),
    ],
)
def test_what_somebody_is_said_to_be(language: str, said: str, gender: str) -> None:
    assert read(language, "You are so.", "You", said).gender is GENDERS[gender]


@pytest.mark.parametrize(
    "translation",
    [
        "La mujer sonrió. - Creo que eres lindo - dijo. Ella se rió. - No, estoy sucia - respondió ella -.",
        "La mujer sonrió. —Creo que eres lindo —dijo—. Ella se rió. —No, estoy sucia —respondió ella—.",
    ],
)
def test_dashes_part_those_who_speak(translation: str) -> None:
    source = 'The woman smiled. "I think you\'re cute," she said. She laughed. "No, I\'m dirty," she replied.'
    assert read("es", source, "you", translation).gender is Gender.MASCULINE
    assert read("es", source, "I'm", translation).gender is Gender.FEMININE


def test_what_is_told_of_a_speaker_is_not_what_the_speaker_says() -> None:
    reading = read("cs", 'I smiled. "I think I\'m strong," I said.', "I'm", "Smála jsem se:")
    assert not reading.step.startswith("agreement:")


@pytest.mark.parametrize(
    ("language", "source", "pronoun", "translation", "gender"),
    [
        ("cs", "She will go on with it.", "She", "Bude pokračovat ve snaze.", "N"),
        ("cs", "He is about to go.", "He", "Chystá se odejít.", "N"),
        ("cs", "She is tired.", "She", "Je unavená.", "F"),
        ("cs", "She was received well.", "She", "Mile byla přijata.", "F"),
        ("cs", "He said that integrity is broken.", "He", "Ví, že je narušena integrita.", "N"),
        ("cs", "She believes what the team did.", "She", "Věří tomu, co tým dělal.", "N"),
        ("pl", "She ended the talk.", "She", "Szybko zakończyła rozmowę.", "F"),
        ("pl", "He came back into care.", "He", "Wrócił pod opiekę rodziców.", "M"),
        ("pl", "He says it is his opinion.", "He", "Mówi, że jest jego opinią.", "N"),
        ("cs", "She said an attack is expected.", "She", "Ví, že útok je očekáván.", "N"),
        ("cs", "She looks like a man.", "She", "Vypadá jako muž.", "N"),
        ("it", "I helped the student.", "I", "La studentessa che ho aiutato è stata promossa.", "N"),
        ("fr", "The student that I helped passed.", "I", "L'étudiante que j'ai aidée a réussi.", "N"),
        ("it", "She was revealed to be retired.", "She", "È stato rivelato che era in pensione.", "N"),
        ("ru", "One who feels he or she must go.", "she", "Тот, кто чувствует, что он или она должны идти.", "N"),
        ("ro", "She said no attack is expected.", "She", "Spune că un atac este de așteptat.", "N"),
        ("pl", "She has an ideal of beauty.", "She", "Chroni swój ideał urody.", "N"),
        ("uk", "She speaks of the laws.", "She", "Згадує багато законів.", "N"),
        ("cs", "She plans the next quarter.", "She", "Stanoví si cíle pro další kvartil.", "N"),
    ],
)
def test_infinitives_and_things_say_nothing_of_her_or_him(
    language: str, source: str, pronoun: str, translation: str, gender: str
) -> None:
    assert read(language, source, pronoun, translation).gender is GENDERS[gender]


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("He was married with no children.", "Se casó con una mujer sin hijos."),
        ("He met his future wife there.", "Allí conoció a su futura mujer."),
        ("He did not need the old woman.", "No necesitaba a la anciana."),
        ("He fears any woman in sight when he works.", "Teme a cualquier mujer cuando trabaja."),
    ],
)
def test_a_noun_that_means_somebody_else_does_not_tell_his_gender(source: str, translation: str) -> None:
    place = max(source.find("He"), source.find(" he ") + 1)
    found = decide("es", source, source[place : place + 2], translation, Kind.PRONOUN, place)
    assert found.gender is not Gender.FEMININE


def test_the_noun_that_a_phrase_waits_for_tells_her_gender() -> None:
    source = "After her success, the singer left."
    found = decide("es", source, "her", "Tras su éxito, la cantante se fue.", Kind.PRONOUN)
    assert found.gender is Gender.FEMININE


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['language']}: {row['translation']}")
def test_what_people_say_of_themselves_and_what_is_said_of_them_tells(row: dict[str, str]) -> None:
    place = re.search(rf"\b{row['person']}\b", row["source"])
    assert place is not None
    found = read_row(row | {"id": "", "start": str(place.start())}, row["language"])
    assert found.gender == row["gender"]
