"use strict";
// The style sheet keeps the arcs that end at the word; this keeps those that begin there too.
function light(event) {
  const picture = event.target.closest(".arcs");
  if (!picture) return;
  const left = event.type === "pointerout" || event.type === "focusout";
  const chosen = left ? null : event.target.closest(".token");
  for (const token of picture.querySelectorAll(".token")) {
    token.classList.toggle("lit", chosen !== null && token.dataset.heads.split(" ").includes(chosen.dataset.token));
  }
}
// Pictures come and go while a page is open.
for (const name of ["pointerover", "pointerout", "focusin", "focusout"]) document.addEventListener(name, light);
