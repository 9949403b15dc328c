"use strict";
// One sentence at a time. The next one comes with the answer that the last decision is on disk.
(() => {
  const byId = (id) => document.getElementById(id);
  const asked = new URLSearchParams(location.search);
  const reviewer = asked.get("as") || "", settling = asked.has("adjudicate");
  const WORDS = { feminine: "a woman", masculine: "a man", neutral: "no gender", unknown: "cannot decide", "": "skipped" };
  const GENDERS = { f: "feminine", m: "masculine", n: "neutral", u: "unknown" };
  let state = null, busy = false, onward = false, marked = false;

  async function ask(path, body) {
    const answer = await fetch(path, body === undefined ? {} : {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ as: reviewer, adjudicate: settling, ...body }),
    });
    const found = await answer.json().catch(() => ({}));
    if (!answer.ok && !found.stale) throw new Error(found.error || `${answer.status} ${answer.statusText}`);
    return found;
  }

  // What this tab showed was decided elsewhere: it says so, changes nothing, and shows what is next now.
  function told(found) {
    show(found);
    if (!found.stale) return;
    byId("trouble").textContent = `Not saved: ${found.stale}. This is the next sentence.`;
    byId("trouble").hidden = false;
  }

  // Nothing is done while something is under way, so that no key can decide about a sentence not yet seen.
  async function act(path, body, after) {
    if (busy) return;
    busy = true;
    try {
      const found = await ask(path, body);
      byId("trouble").hidden = true;
      after(found);
    } catch (error) {
      const lost = body === undefined ? "" : "Not saved: ";
      byId("trouble").textContent = lost + (error instanceof TypeError
        ? "the review does not answer. Start epicene review again and open the address that it prints; earlier decisions are saved."
        : error.message);
      byId("trouble").hidden = false;
    } finally {
      busy = false;
    }
  }

  function made(name, text) {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  }

  function show(found) {
    state = found;
    byId("person").firstChild.textContent = found.reviewer;
    byId("bar").value = found.decided + found.skipped;
    const extra = (found.skipped ? `, ${found.skipped} skipped` : "") + (found.beyond ? `, ${found.beyond} more` : "");
    byId("bar").max = found.planned || 1;
    byId("count").textContent = settling
      ? `${found.decided} of ${found.planned} divided sentences adjudicated`
      : `${found.decided} of ${found.planned} decided${extra}`;
    const open = `adjudicate ${sentences(found.divided)} on which reviewers disagree`;
    byId("settle").hidden = settling || !found.divided;
    byId("settle").lastElementChild.textContent = open;
    byId("switch").hidden = !settling && !found.divided;
    byId("switch").textContent = settling ? "back to the review" : found.divided ? open : "";
    byId("switch").href = `?as=${encodeURIComponent(reviewer)}${settling ? "" : "&adjudicate=1"}`;
    byId("history").replaceChildren(...found.history.map(event));
    byId("people").replaceChildren(
      ...found.people.map((each) => made("li", `${each.name}: ${each.decided} decided`)),
      ...found.agreement.map((each) => made("li", `${each.people}: Cohen’s κ ${kappa(each)}, on ${sentences(each.n)}`)),
    );
    const finished = found.item === null || (found.finished && !onward && !found.asked);
    byId("done").hidden = !finished;
    byId("card").hidden = finished;
    byId("more").hidden = found.item === null;
    if (finished && settling) {
      byId("done-title").textContent = "No disagreements are left.";
      byId("done-text").textContent = byId("status").textContent = `${sentences(found.decided)} ${found.decided === 1 ? "was" : "were"} adjudicated. epicene writes the results when you stop the review with Ctrl-C, or now.`;
    } else if (finished) {
      byId("done-text").textContent = `${sentences(found.decided)} ${found.decided === 1 ? "is" : "are"} decided. epicene writes the results when you stop the review with Ctrl-C, or now.`;
      byId("status").textContent = "You have finished the planned sample.";
    } else {
      sentence(found.item);
    }
    document.body.dataset.item = finished ? "" : found.item.number;
  }

  function event(each) {
    const line = made("li", ""), said = made(each.undone ? "del" : "strong", WORDS[each.gender]);
    line.append(said, each.final ? " (adjudicated)" : "", each.undone ? ", taken back: " : ": ", made("bdi", each.source), " ");
    if (!settling && !each.final) {
      const again = made("button", "decide again");
      again.type = "button";
      again.addEventListener("click", () => act(`state?as=${encodeURIComponent(reviewer)}&number=${each.number}`, undefined, show));
      line.append(again);
    }
    return line;
  }

  const sentences = (number) => `${number} ${number === 1 ? "sentence" : "sentences"}`;

  function kappa(each) {
    if (each.kappa === null) return "not defined yet";
    return `${each.kappa.toFixed(2)} (95 % interval ${each.low.toFixed(2)} to ${each.high.toFixed(2)})`;
  }

  const nodes = (pieces, marks) => pieces.map(([text, mark]) => (mark && marks ? made("mark", text) : text));

  function sentence(item) {
    const votes = (state.votes || []).map((each) => `${each.people} ${each.people === 1 ? "says" : "say"} ${WORDS[each.gender]}`);
    byId("votes").hidden = !settling;
    byId("votes").replaceChildren(`Reviewers disagree: ${votes.join(", ")}. `, ...(state.comments || []).map((each) => made("q", each)));
    byId("source").replaceChildren(...nodes(item.source, true));
    [byId("source").lang, byId("source").dir] = item.from;
    translation(item);
    byId("about").textContent = `${item.language} · ${item.about}`;
    byId("question").textContent = `How does the translation show “${item.focus}”?`;
    byId("comment").value = state.comment || "";
    const spoken = made("span", item.text.map(([text]) => text).join(""));
    spoken.lang = item.lang;
    byId("status").replaceChildren(`${item.language}: `, spoken);
  }

  function translation(item) {
    const text = byId("text");
    text.replaceChildren(...nodes(item.text, marked), item.cut ? ` … (${item.cut} characters more)` : "");
    text.lang = item.lang;
    text.dir = item.dir;
    text.tabIndex = text.scrollHeight > text.clientHeight + 1 ? 0 : -1;
    byId("marks").setAttribute("aria-pressed", String(marked));
  }

  function press(key) {
    const shown = !byId("card").hidden;
    const decide = (gender) => act("decide", { number: state.item.number, gender, comment: byId("comment").value, version: state.version }, told);
    if (shown && key in GENDERS) decide(GENDERS[key]);
    else if (shown && key === "s" && !settling) decide(null);
    else if (!shown && key === "d" && !byId("settle").hidden) location.href = byId("switch").href;
    else if (shown && key === "c") byId("comment").focus();
    else if (shown && key === "e") { marked = !marked; translation(state.item); }
    else if (key === "z") act("undo", {}, (found) => { if (found.undone) show(found); else byId("status").textContent = "Nothing to undo."; });
    else if (!shown && key === "g" && state && state.item) { onward = true; show(state); }
    else if (!shown && key === "w") act("finish", {}, () => {
      byId("done-text").textContent = byId("status").textContent = "results.json and report.html are written.";
    });
  }

  // On a keyboard of other letters, such as a Hebrew one, the letter that stands in the same place.
  function letter(event) {
    return /^[\x00-\x7f]*$/.test(event.key) ? event.key.toLowerCase() : event.code.replace("Key", "").toLowerCase();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.tagName === "INPUT") {
      if (event.target.id === "comment" && (event.key === "Enter" || event.key === "Escape")) event.target.blur();
      return;
    }
    const key = event.key === "Backspace" ? "z" : letter(event);
    if (!byId("keys").checked || !/^[fmnusczegwd]$/.test(key)) return;
    event.preventDefault();
    press(key);
  });
  for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => press(button.dataset.key));
  byId("other").addEventListener("submit", (event) => {
    event.preventDefault();
    location.search = `?as=${encodeURIComponent(byId("name").value)}`;
  });
  if (settling) document.querySelector("[data-key=s]").hidden = true;
  act(`state?as=${encodeURIComponent(reviewer)}${settling ? "&adjudicate=1" : ""}`, undefined, show);
})();
