"use strict";
// Headers become buttons here, so that a page without scripts shows no button that does nothing.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const key = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
  const compare = (a, b) => {
    const [x, y] = [a, b].map(Number);
    return Number.isNaN(x - y) ? a.localeCompare(b, undefined, { numeric: true }) : x - y;
  };
  heads.forEach((head, column) => {
    if (head.classList.contains("fixed")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [key(a, column), key(b, column)];
        if (x === "" || y === "") return (x === "") - (y === "");  // no value: last in both directions
        return down ? compare(y, x) : compare(x, y);
      });
      body.append(...rows);
    });
  });
}
addEventListener("beforeprint", () => {
  for (const list of document.querySelectorAll("details:not(.question, .example)")) list.open = true;
});
