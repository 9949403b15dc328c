"use strict";
// One sentence at a time. The next one comes with the answer that the last decision is on disk.
(() => {
  const byId = (id) => document.getElementById(id);
  const reviewer = new URLSearchParams(location.search).get("as") || "";
  const GENDERS = { f: "feminine", m: "masculine", n: "neutral", u: "unknown" };
  let state = null, busy = false, onward = false;

  async function ask(path, body) {
    const answer = await fetch(path, body === undefined ? {} : {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ as: reviewer, ...body }),
    });
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error || answer.statusText);
    return found;
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
      byId("trouble").textContent = error instanceof TypeError
        ? "The last key was not saved: the review does not answer. Start it again with epicene review; all before is kept."
        : `Not saved: ${error.message}`;
      byId("trouble").hidden = false;
    } finally {
      busy = false;
    }
  }

  function show(found) {
    state = found;
    byId("person").textContent = found.reviewer;
    byId("bar").value = found.decided + found.skipped;
    const extra = (found.skipped ? `, ${found.skipped} skipped` : "") + (found.beyond ? `, ${found.beyond} more` : "");
    byId("count").textContent = `${found.decided} of ${found.planned} decided${extra}`;
    const agreed = found.agreement.map((each) => {
      const line = document.createElement("li");
      const kappa = each.kappa === null ? "not defined yet" : each.kappa.toFixed(2);
      line.textContent = `${each.people}: Cohen’s κ ${kappa}, on ${each.n} sentences`;
      return line;
    });
    byId("agreement").replaceChildren(...agreed);
    const finished = found.item === null || (found.finished && !onward);
    byId("done").hidden = !finished;
    byId("card").hidden = finished;
    if (finished) {
      byId("done-text").textContent = `${found.decided} sentences are decided. The results are written when the review is stopped with Ctrl-C, or now.`;
      byId("status").textContent = "The plan is done.";
    } else {
      sentence(found.item);
    }
    document.body.dataset.item = finished ? "" : found.item.number;
  }

  function sentence(item) {
    const source = item.source.map(([text, marked]) => {
      if (!marked) return text;
      const made = document.createElement("mark");
      made.textContent = text;
      return made;
    });
    byId("source").replaceChildren(...source);
    const text = byId("text");
    text.textContent = item.text + (item.cut ? ` … (${item.cut} characters more)` : "");
    text.lang = item.lang;
    text.dir = item.dir;
    text.tabIndex = text.scrollHeight > text.clientHeight + 1 ? 0 : -1;
    byId("about").textContent = `${item.language} · ${item.about}`;
    byId("question").textContent = `In the translation, the ${item.focus} is …`;
    byId("comment").value = "";
    byId("status").textContent = `${item.language}: ${item.text}`;
  }

  function press(key) {
    const shown = !byId("card").hidden;
    if (shown && key in GENDERS) act("decide", { number: state.item.number, gender: GENDERS[key], comment: byId("comment").value }, show);
    else if (shown && key === "s") act("decide", { number: state.item.number, gender: null, comment: byId("comment").value }, show);
    else if (shown && key === "c") byId("comment").focus();
    else if (key === "z") act("undo", {}, show);
    else if (!shown && key === "g" && state.item) { onward = true; show(state); }
    else if (!shown && key === "w") act("finish", {}, () => { byId("done-text").textContent = "results.json and report.html are written."; });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.tagName === "INPUT") {
      if (event.target.id === "comment" && (event.key === "Enter" || event.key === "Escape")) event.target.blur();
      return;
    }
    const key = event.key === "Backspace" ? "z" : event.key.toLowerCase();
    if (!/^[fmnusczgw]$/.test(key)) return;
    event.preventDefault();
    press(key);
  });
  for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => press(button.dataset.key));
  byId("other").addEventListener("submit", (event) => {
    event.preventDefault();
    location.search = `?as=${encodeURIComponent(byId("name").value)}`;
  });
  act(`state?as=${encodeURIComponent(reviewer)}`, undefined, show);
})();
