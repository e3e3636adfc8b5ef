"use strict";
// Count the ticked boxes in the button, and tick all or none of them.
const form = document.getElementById("bulk");
if (form) {
  const all = document.getElementById("all");
  const boxes = [...form.querySelectorAll("input[name=place]")];
  const count = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    form.querySelector(".apply button").disabled = ticked === 0;
    document.getElementById("ticked").textContent = ticked === 1 ? "1 disagreement" : `${ticked} disagreements`;
    all.firstElementChild.checked = ticked === boxes.length;
  };
  all.hidden = false;
  all.addEventListener("change", (event) => {
    for (const box of boxes) box.checked = event.target.checked;
    count();
  });
  form.addEventListener("change", count);
  addEventListener("pageshow", count);
}
