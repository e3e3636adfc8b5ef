"use strict";
// The style sheet keeps the arcs that end at the word; this keeps those that begin there too.
for (const picture of document.querySelectorAll(".arcs")) {
  const tokens = [...picture.querySelectorAll(".token")];
  const heads = (token) => token.dataset.heads.split(" ");
  const light = (event) => {
    const chosen = event.type === "pointerout" || event.type === "focusout" ? null : event.target.closest(".token");
    for (const token of tokens) {
      token.classList.toggle("lit", chosen !== null && heads(token).includes(chosen.dataset.token));
    }
  };
  for (const name of ["pointerover", "pointerout", "focusin", "focusout"]) picture.addEventListener(name, light);
}
