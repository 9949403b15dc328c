"use strict";
// Filters and shows the sentences. Filters compare small numbers; texts are unpacked a block at a time, and few are kept.
(() => {
  const holder = document.getElementById("data");
  if (!holder || typeof DecompressionStream === "undefined") return;
  const data = JSON.parse(holder.textContent);
  holder.remove();
  const SHOWN = 25, KEPT = 64;
  const byId = (id) => document.getElementById(id);
  const blocks = new Map();
  let matches = [], page = 0, turn = 0;

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }

  async function block(number) {
    let found = blocks.get(number);
    if (!found) found = unpacked(data.blocks[number]).then((raw) => JSON.parse(new TextDecoder().decode(raw)));
    blocks.delete(number);
    blocks.set(number, found);
    if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value);
    return found;
  }

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    return made;
  }

  // Marks are pairs of offsets; all text goes in as text.
  function marked(into, text, marks) {
    let position = 0;
    for (let place = 0; place < marks.length; place += 2) {
      into.append(text.slice(position, marks[place]), element("mark", text.slice(marks[place], marks[place + 1])));
      position = marks[place + 1];
    }
    into.append(text.slice(position));
    return into;
  }

  function value(facet, number) {
    const found = data.facets.find((each) => each.name === facet);
    return found.values[found.codes[number]];
  }

  function row(number, [id, source, focus, text, cut, marks, heard]) {
    const made = element("tr", undefined, { role: "row" });
    const [target, way, from, fromWay] = data.languages[value("language", number)];
    const left = element("td", undefined, { role: "cell" });
    left.append(marked(element("div", undefined, { lang: from, dir: fromWay }), source, focus));
    if (heard !== null) left.append(element("small", `heard: ${heard || "nothing"}`, { class: "heard" }));
    const about = [`${value("set", number)} ${id}`, value("group", number), value("occupation", number)];
    left.append(element("small", about.filter(Boolean).join(" · ")));
    const right = element("td", undefined, { role: "cell" });
    right.append(marked(element("div", undefined, { lang: target, dir: way, class: "translation" }), text, marks));
    if (cut) right.append(element("small", `… and ${cut.toLocaleString("en")} characters more`));
    const system = element("small");
    system.append(element("bdi", value("system", number)));
    right.append(system);
    const outcome = value("verdict", number), [sign, words] = data.outcomes[outcome];
    const verdict = element("td", undefined, { role: "cell", class: "verdict" });
    const said = element("span", undefined, { class: outcome.replace(" ", "-") });
    said.append(element("span", sign, { "aria-hidden": "true" }), ` ${words}`);
    verdict.append(said, element("small", `read as ${value("read as", number)}, by ${value("method", number)}`));
    const origin = value("error from", number);
    if (["recognition", "translation", "both"].includes(origin)) verdict.append(element("small", `error from ${origin}`));
    made.append(left, right, verdict);
    return made;
  }

  async function show() {
    const mine = ++turn, first = page * SHOWN, wanted = matches.slice(first, first + SHOWN);
    const made = await Promise.all(wanted.map(async (number) => {
      const texts = await block(Math.floor(number / data.block));
      return row(number, texts[number % data.block]);
    }));
    if (mine !== turn) return;
    byId("rows").replaceChildren(...made);
    const last = first + wanted.length;
    byId("place").textContent = wanted.length ? `${(first + 1).toLocaleString("en")} to ${last.toLocaleString("en")}` : "";
    byId("found").textContent = `${matches.length.toLocaleString("en")} of ${data.count.toLocaleString("en")} sentences`;
    byId("before").disabled = page === 0;
    byId("after").disabled = last >= matches.length;
    byId("rows").dataset.turn = mine;
  }

  function filter() {
    const wanted = data.facets.filter((facet) => facet.select && facet.select.value !== "")
      .map((facet) => [facet.codes, Number(facet.select.value)]);
    matches = [];
    for (let number = 0; number < data.count; number++)
      if (wanted.every(([codes, code]) => codes[number] === code)) matches.push(number);
    page = 0;
    return show();
  }

  function choices(facet) {
    if (facet.values.length < 2) return;
    const label = element("label", facet.name[0].toUpperCase() + facet.name.slice(1));
    facet.select = element("select", undefined, { "data-facet": facet.name });
    facet.select.append(element("option", "all", { value: "" }));
    const counts = new Uint32Array(facet.values.length);
    for (const code of facet.codes) counts[code]++;
    const order = facet.values.map((_, code) => code);
    if (facet.name === "occupation" || facet.name === "group") order.sort((a, b) => facet.values[a].localeCompare(facet.values[b], "en"));
    for (const code of order) {
      const name = facet.name === "verdict" ? data.outcomes[facet.values[code]][1] : facet.values[code] || "(none)";
      facet.select.append(element("option", `${name} (${counts[code].toLocaleString("en")})`, { value: code }));
    }
    facet.select.addEventListener("change", filter);
    label.append(facet.select);
    byId("filters").append(label);
  }

  function turnTo(step) {
    page += step;
    show().then(() => byId("found").scrollIntoView({ block: "nearest" }));
  }

  async function start() {
    for (const facet of data.facets) {
      facet.codes = new Uint16Array(await unpacked(facet.codes));
      choices(facet);
    }
    const clear = element("button", "Clear filters", { type: "reset" });
    byId("filters").append(clear);
    byId("filters").addEventListener("reset", () => setTimeout(filter));
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("before").addEventListener("click", () => turnTo(-1));
    byId("after").addEventListener("click", () => turnTo(1));
    await filter();
    byId("sample").hidden = true;
    byId("browse").hidden = false;
  }

  start();
})();
