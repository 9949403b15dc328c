for (const button of document.querySelectorAll("thead button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
    const place = head.cellIndex, up = head.getAttribute("aria-sort") !== "ascending";
    const key = (row) => { const cell = row.cells[place]; return place ? cell.dataset.value : cell.textContent; };
    const rows = [...body.rows].sort((a, b) => {
      const one = key(a), other = key(b);
      if (!place || (one && isNaN(one)) || (other && isNaN(other))) return (up ? 1 : -1) * one.localeCompare(other);
      if (!one || !other) return one ? -1 : other ? 1 : 0;
      return (up ? 1 : -1) * (Number(one) - Number(other));
    });
    for (const each of head.parentNode.cells) each.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...rows);
  });
}
