// Long tables get a field that hides rows; a link to a row that is hidden or folded away shows it.
const LONG = 8;
for (const table of document.querySelectorAll("table.sortable")) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < LONG) continue;
  const bar = document.createElement("p");
  const field = document.createElement("input");
  const shown = document.createElement("output");
  bar.className = "find";
  field.type = "search";
  field.placeholder = "Filter rows";
  field.setAttribute("aria-label", "Filter rows");
  shown.className = "shown";
  bar.append(field, shown);
  (table.closest(".scroll") ?? table).before(bar);
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    let count = 0;
    for (const row of rows) {
      row.hidden = !texts.get(row).includes(wanted);
      if (!row.hidden) count += 1;
    }
    shown.textContent = wanted === "" ? "" : `${count} of ${rows.length} rows`;
  });
  table.addEventListener("reveal", () => {
    field.value = "";
    field.dispatchEvent(new Event("input"));
  });
}
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.hidden) target.closest("table")?.dispatchEvent(new Event("reveal"));
  for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  for (const inner of target.querySelectorAll("details.drawn")) inner.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
if (location.hash) reveal();
