"use strict";
// Keys of the list of sentences and of the page of one sentence.
function step(by) {
  const rows = [...document.querySelectorAll("#list a.open")];
  if (!rows.length) return;
  const place = rows.indexOf(document.activeElement);
  const next = place < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(place + by, 0), rows.length - 1);
  rows[next].focus();
  rows[next].scrollIntoView({ block: "nearest" });
}

const follow = (id) => document.getElementById(id)?.click();
const keys = {
  j: () => step(1),
  k: () => step(-1),
  n: () => follow("next"),
  p: () => follow("previous"),
  b: () => follow("back"),
  a: () => follow("adjudicate"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
