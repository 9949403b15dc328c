"use strict";
// Filters and shows the sentences. Filters compare small numbers; texts are unpacked a block at a time, and few are
// kept. What is chosen stands in the address after the #, so that it can be linked to, and so that numbers can link.
(() => {
  const byId = (id) => document.getElementById(id);
  const SHOWN = 25, KEPT = 64, WAIT = 250;
  const number = (value) => value.toLocaleString("en");

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    return made;
  }

  // Tables that can be sorted: a button in each heading. A column sorts by its data-value or its text, as numbers where
  // all of them begin with one; empty cells come last.
  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, column) => {
      const button = element("button", undefined, { type: "button", class: "sort" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        const value = ({ dataset, textContent }) => (dataset.value ?? textContent).replace("\u2212", "-").replace(/^\u2013$/, "");
        const values = new Map([...body.rows].map((row) => [row, value(row.cells[column])]));
        const numeric = [...values.values()].every((each) => !each || !isNaN(parseFloat(each)));
        const rows = [...body.rows].sort((one, other) => {
          const [a, b] = [values.get(one), values.get(other)];
          if (!a || !b) return !a - !b;
          return down * (numeric ? parseFloat(a) - parseFloat(b) : a.localeCompare(b, "en"));
        });
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down > 0 ? "ascending" : "descending");
        body.append(...rows);
      });
    });
  }
  document.querySelectorAll("table[data-sortable]").forEach(sortable);

  if (typeof DecompressionStream === "undefined") return;
  const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%[()*+-;]=:?@^_`{|}~";
  const VALUES = new Uint8Array(128);
  [...LETTERS].forEach((letter, value) => { VALUES[letter.charCodeAt(0)] = value; });

  // Five letters are four bytes. What fills up the last of them stands after the end of what was compressed.
  function decoded(text) {
    const bytes = new Uint8Array(text.length / 5 * 4);
    for (let from = 0, to = 0; from < text.length; from += 5, to += 4) {
      let value = 0;
      for (let at = 0; at < 5; at++) value = value * 85 + VALUES[text.charCodeAt(from + at)];
      bytes[to] = value >>> 24; bytes[to + 1] = value >>> 16; bytes[to + 2] = value >>> 8; bytes[to + 3] = value;
    }
    return bytes;
  }

  async function unpacked(text) {
    const [fill, packed] = [Number(text[0]), decoded(text.slice(1))];
    const stream = new Blob([packed.subarray(0, packed.length - fill)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }

  const holder = byId("data");
  if (!holder) return;
  const data = JSON.parse(holder.textContent);
  holder.remove();
  const blocks = new Map();
  const facets = data.facets, known = new Map(facets.map((facet) => [facet.name, facet]));
  let matches = new Uint32Array(0), page = 0, turn = 0, query = "", hits = null, waiting = 0;

  const parsed = async (text) => JSON.parse(new TextDecoder().decode(await unpacked(text)));

  function block(name, text) {
    const found = blocks.get(name) || parsed(text);
    blocks.delete(name);
    blocks.set(name, found);
    if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value);
    return found;
  }

  // A sentence is a number; this is where its result, its source and its translation are.
  function place(sentence) {
    let low = 0, high = data.results.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (data.results[middle].start <= sentence) low = middle; else high = middle - 1;
    }
    const result = data.results[low], at = sentence - result.start;
    return { result: low, task: result.task, column: result.column, at, item: item(result.task, at) };
  }
  const item = (task, at) => (task.list ? task.list[at] : task.places + at);

  async function texts(where) {
    const { task, at } = where, source = Math.floor(where.item / data.items.block), own = Math.floor(at / task.block);
    const [id, text, start, end] = (await block(`i${source}`, data.items.blocks[source]))[where.item % data.items.block];
    const found = { id, source: text, focus: [start, end], text: null, marks: [], cut: 0, heard: null };
    if (task.blocks[own]) {
      const [different, which] = (await block(`${task.number} ${own}`, task.blocks[own]))[at % task.block];
      const [translation, marks, cut, heard] = different[which ? which[where.column] : where.column];
      Object.assign(found, { text: translation, marks, cut: cut || 0, heard: heard === undefined ? null : heard });
    }
    return found;
  }

  const codeOf = (facet, where, sentence) =>
    facet.codes[facet.level === "result" ? where.result : facet.level === "item" ? where.item : sentence];
  function values(name, where, sentence) {
    const facet = known.get(name), code = codeOf(facet, where, sentence), words = facet.words || facet.values;
    return (facet.sets ? facet.sets[code] : [code]).map((each) => words[each]).filter(Boolean);
  }

  // Marks are pairs of offsets; all text goes in as text.
  function marked(into, text, marks) {
    let position = 0;
    for (let at = 0; at < marks.length; at += 2) {
      into.append(text.slice(position, marks[at]), element("mark", text.slice(marks[at], marks[at + 1])));
      position = marks[at + 1];
    }
    into.append(text.slice(position));
    return into;
  }

  function row(sentence, where, found) {
    const made = element("tr", undefined, { role: "row" });
    const [target, way, from, fromWay] = where.task.languages;
    const of = (name) => values(name, where, sentence);
    const left = element("td", undefined, { role: "cell" });
    left.append(marked(element("div", undefined, { lang: from, dir: fromWay }), found.source, found.focus));
    if (found.heard !== null) left.append(element("small", `heard: ${found.heard || "nothing"}`, { class: "heard" }));
    const about = [`${of("set")[0]} ${found.id}`, ...of("group").slice(0, 2), ...of("person")];
    left.append(element("small", about.join(" · ")));
    const right = element("td", undefined, { role: "cell" });
    if (found.text === null) right.append(element("small", "This translation is not in this page; verdicts.jsonl of the run has it."));
    else right.append(marked(element("div", undefined, { lang: target, dir: way, class: "translation" }), found.text, found.marks));
    if (found.cut) right.append(element("small", `… and ${number(found.cut)} characters more`));
    const system = element("small");
    system.append(element("bdi", of("system")[0]));
    right.append(system);
    const verdict = element("td", undefined, { role: "cell", class: "verdict" });
    const outcome = known.get("verdict").values[codeOf(known.get("verdict"), where, sentence)], [sign, words] = data.outcomes[outcome];
    const said = element("span", undefined, { class: outcome.replace(" ", "-") });
    said.append(element("span", sign, { "aria-hidden": "true" }), ` ${words}`);
    verdict.append(said, element("small", `${of("read")[0]}, decided by ${of("step")[0]}`));
    const origin = of("cause")[0];
    if (["recognition", "translation", "both"].includes(origin)) verdict.append(element("small", `error from ${origin}`));
    if (of("decision").length) verdict.append(element("small", `reviewers say: ${of("decision")[0]}`, { class: "people" }));
    made.append(left, right, verdict);
    return made;
  }

  async function show() {
    const mine = ++turn, first = page * SHOWN, wanted = [...matches.slice(first, first + SHOWN)];
    const made = await Promise.all(wanted.map(async (sentence) => {
      const where = place(sentence);
      return row(sentence, where, await texts(where));
    }));
    if (mine !== turn) return;
    byId("rows").replaceChildren(...made);
    const last = first + wanted.length;
    byId("place").textContent = wanted.length ? `${number(first + 1)} to ${number(last)}` : "";
    byId("found").textContent = `${number(matches.length)} of ${number(data.count)} ${data.unit}`;
    byId("before").disabled = page === 0;
    byId("after").disabled = last >= matches.length;
    byId("csv").disabled = !matches.length;
    byId("rows").dataset.turn = mine;
  }

  // One pass. A sentence that all filters let through counts for every filter; one that a single filter stops counts for
  // that filter alone, so that each choice says how many sentences it would show.
  function filter() {
    const counts = facets.map((facet) => new Uint32Array(facet.values.length));
    const wanted = facets.map((facet) => facet.wanted), active = facets.map((_, at) => at).filter((at) => wanted[at] >= 0);
    const level = (name) => active.filter((at) => facets[at].level === name);
    const size = data.items.count, stops = new Uint8Array(size), stopper = new Uint8Array(size);
    for (const at of level("item")) {
      const { codes, sets } = facets[at], lets = sets && sets.map((each) => each.includes(wanted[at]));
      for (let each = 0; each < size; each++)
        if (sets ? !lets[codes[each]] : codes[each] !== wanted[at]) { stops[each]++; stopper[each] = at; }
    }
    const through = new Uint32Array(size), alone = new Uint32Array(size);
    const all = new Uint32Array(data.count), read = level("verdict"), every = facets.map((_, at) => at).filter((at) => facets[at].level === "verdict");
    const outcomes = known.get("verdict"), sizes = new Uint32Array(outcomes.values.length + 1);
    let found = 0;
    data.results.forEach((result, which) => {
      const against = level("result").filter((at) => facets[at].codes[which] !== wanted[at]);
      if (against.length > 1) return;
      const { task, start } = result;
      let own = 0, single = 0;
      for (let at = 0; at < task.n; at++) {
        const sentence = start + at, source = item(task, at);
        if (hits && !hits[sentence]) continue;
        let stopped = against.length + stops[source], by = against.length ? against[0] : stopper[source];
        if (stopped > 1) continue;
        for (const each of read)
          if (facets[each].codes[sentence] !== wanted[each]) { stopped++; by = each; }
        if (stopped > 1) continue;
        if (stopped === 0) {
          all[found++] = sentence;
          sizes[outcomes.codes[sentence] + 1]++;
          through[source]++;
          own++;
          for (const each of every) counts[each][facets[each].codes[sentence]]++;
        } else if (facets[by].level === "result") single++;
        else if (facets[by].level === "item") alone[source]++;
        else counts[by][facets[by].codes[sentence]]++;
      }
      facets.forEach((facet, at) => {
        if (facet.level === "result") counts[at][facet.codes[which]] += own + (against[0] === at ? single : 0);
      });
    });
    facets.forEach((facet, at) => {
      if (facet.level !== "item") return;
      for (let each = 0; each < size; each++) {
        const number = through[each] + (stops[each] === 1 && stopper[each] === at ? alone[each] : 0);
        if (!number) continue;
        if (facet.sets) for (const code of facet.sets[facet.codes[each]]) counts[at][code] += number;
        else counts[at][facet.codes[each]] += number;
      }
    });
    for (let at = 1; at < sizes.length; at++) sizes[at] += sizes[at - 1];
    matches = new Uint32Array(found);
    for (let at = 0; at < found; at++) matches[sizes[outcomes.codes[all[at]]]++] = all[at];
    facets.forEach((facet, at) => offer(facet, counts[at]));
    page = 0;
    return show();
  }

  function offer(facet, counts) {
    if (!facet.select) return;
    const words = facet.words || facet.values;
    for (const option of facet.select.options) {
      if (option.value === "") continue;
      const code = Number(option.value);
      option.textContent = `${words[code] || "(none)"} (${number(counts[code])})`;
      option.disabled = !counts[code] && facet.wanted !== code;
    }
    facet.select.value = facet.wanted < 0 ? "" : facet.wanted;
  }

  function choices(facet) {
    facet.wanted = -1;
    if (facet.values.length < 2) return;
    const label = element("label", facet.title);
    facet.select = element("select", undefined, { "data-facet": facet.name });
    facet.select.append(element("option", "all", { value: "" }));
    const order = facet.values.map((_, code) => code), words = facet.words || facet.values;
    if (facet.level === "item") order.sort((a, b) => words[a].localeCompare(words[b], "en"));
    for (const code of order) facet.select.append(element("option", words[code], { value: code }));
    facet.select.addEventListener("change", () => {
      facet.wanted = facet.select.value === "" ? -1 : Number(facet.select.value);
      written();
      filter();
    });
    label.append(facet.select);
    byId("choices").append(label);
  }

  function written() {
    const parts = facets.filter((facet) => facet.wanted >= 0)
      .map((facet) => `${facet.name}=${encodeURIComponent(facet.values[facet.wanted])}`);
    if (query) parts.push(`q=${encodeURIComponent(query)}`);
    history.replaceState(null, "", parts.length ? `#?${parts.join("&")}` : location.pathname + location.search);
  }

  // What the address asks for; a value that there is none of is passed over.
  async function read() {
    if (!location.hash.startsWith("#?")) return false;
    const asked = new URLSearchParams(location.hash.slice(2));
    for (const facet of facets) facet.wanted = asked.has(facet.name) ? facet.values.indexOf(asked.get(facet.name)) : -1;
    await search(asked.get("q") || "");
    byId("q").value = query;
    await filter();
    return true;
  }

  async function follow() {
    if (!(await read())) return;
    byId("sentences").scrollIntoView({ behavior: "instant" });
    byId("sentences-title").focus({ preventScroll: true });
  }

  // Which sentences hold a text, in the source, the translation or the id; every block is unpacked once.
  async function search(text) {
    query = text.trim();
    if (!query) { hits = null; return true; }
    const mine = ++waiting, wanted = query.toLowerCase(), said = (value) => value.toLowerCase().includes(wanted);
    const sources = new Uint8Array(data.items.count), found = new Uint8Array(data.count);
    for (const [at, packed] of data.items.blocks.entries())
      (await parsed(packed)).forEach(([id, source], each) => { sources[at * data.items.block + each] = said(source) || said(id); });
    for (const task of data.tasks) {
      const own = data.results.filter((result) => result.task === task);
      for (const [at, packed] of task.blocks.entries()) {
        if (mine !== waiting) return false;
        const rows = packed ? await parsed(packed) : [];
        const last = Math.min(task.n, (at + 1) * task.block);
        for (let each = at * task.block; each < last; each++) {
          const [different, which] = rows[each % task.block] || [[]];
          const has = different.map(([translation]) => said(translation));
          for (const { start, column } of own)
            found[start + each] = sources[item(task, each)] || (has.length > 0 && has[which ? which[column] : column]);
        }
      }
    }
    if (mine !== waiting) return false;
    hits = found;
    return true;
  }

  // Cells that a spreadsheet would take for a formula begin with an apostrophe.
  const quoted = (cell) => `"${String(cell).replace(/^[=+\-@\t\r']/, "'$&").replaceAll('"', '""')}"`;

  async function csv() {
    const columns = facets.filter((facet) => facet.values.some(Boolean));
    const lines = [[...columns.map((facet) => facet.name), "id", "source", "translation"].map(quoted).join(",")];
    for (const sentence of matches.slice().sort()) {
      const where = place(sentence), found = await texts(where);
      const cells = columns.map((facet) => values(facet.name, where, sentence).join("; "));
      lines.push([...cells, found.id, found.source, found.text === null ? "" : found.text].map(quoted).join(","));
    }
    const link = element("a", undefined, { download: "sentences.csv", href: URL.createObjectURL(new Blob(["\ufeff", lines.join("\r\n"), "\r\n"], { type: "text/csv" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  function turnTo(step) {
    page += step;
    show().then(() => byId("found").scrollIntoView({ block: "nearest" }));
  }

  async function codes(facet) {
    if (facet.level === "result") return;
    const size = facet.level === "item" ? data.items.count : data.count;
    if (!facet.codes) facet.codes = new Uint8Array(size);
    else facet.codes = new (facet.wide ? Uint16Array : Uint8Array)(await unpacked(facet.codes));
  }

  async function start() {
    let offset = 0;
    data.tasks.forEach((task, at) => { task.number = at; });
    data.results = data.results.map(([task, column]) => {
      const result = { task: data.tasks[task], column, start: offset };
      offset += result.task.n;
      return result;
    });
    await Promise.all(facets.map(codes));
    await Promise.all(data.tasks.map(async (task) => {
      if (typeof task.places === "string") task.list = new Uint32Array(await unpacked(task.places));
    }));
    facets.forEach(choices);
    let pause = 0;
    byId("q").addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(async () => { if (await search(byId("q").value)) { written(); filter(); } }, WAIT);
    });
    byId("filters").addEventListener("reset", () => setTimeout(() => {
      for (const facet of facets) facet.wanted = -1;
      [query, hits] = ["", null];
      waiting++;
      written();
      filter();
    }));
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("before").addEventListener("click", () => turnTo(-1));
    byId("after").addEventListener("click", () => turnTo(1));
    byId("csv").addEventListener("click", csv);
    addEventListener("hashchange", follow);
    const asked = location.hash.startsWith("#?");
    byId("sample").hidden = true;
    byId("browse").hidden = false;
    await (asked ? follow() : filter());
  }

  requestAnimationFrame(() => setTimeout(start));
})();
