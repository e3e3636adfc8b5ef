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

// What other scripts may call: pictures.scrollTo.
const pictures = (() => {
  // Elements name the disagreements they belong to in data-key, one key per line.
  function placed(keys) {
    const wanted = keys.split("\n").filter(Boolean);
    return [...document.querySelectorAll(".picture [data-key]")].filter(
      (each) => each.dataset.key.split("\n").some((key) => wanted.includes(key)));
  }

  function mark(keys, name) {
    for (const each of document.querySelectorAll(`.picture .${name}`)) each.classList.remove(name);
    const found = placed(keys);
    for (const each of found) each.classList.add(name);
    return found;
  }

  // The part of a picture that should be visible: all elements if they fit, else the first.
  function boxOf(elements, room) {
    const boxes = elements.map((each) => each.getBoundingClientRect());
    const first = elements[0].querySelector(".word, .label")?.getBoundingClientRect() ?? boxes[0];
    const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((each) => each[side])));
    const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...boxes.map((each) => each[side])));
    const across = right - left > room.width ? first : { left, right };
    const down = bottom - top > room.height ? first : { top, bottom };
    return { left: across.left, right: across.right, top: down.top, bottom: down.bottom };
  }

  // Highlight the elements of a disagreement (one key per line); scroll its picture if they are not visible.
  function scrollTo(keys) {
    const found = mark(keys, "current");
    for (const each of document.querySelectorAll(".picture .choice")) {
      each.setAttribute("tabindex", each.classList.contains("current") ? "0" : "-1");
    }
    const seen = found.filter((each) => each.getClientRects().length > 0);
    const frame = seen[0]?.closest(".pictures");
    if (!frame) return;
    const room = frame.getBoundingClientRect();
    const box = boxOf(seen.filter((each) => frame.contains(each)), room);
    if (box.left < room.left || box.right > room.right) {
      frame.scrollLeft += (box.left + box.right - room.left - room.right) / 2;
    }
    if (box.top < room.top || box.bottom > room.bottom) {
      frame.scrollTop += (box.top + box.bottom - room.top - room.bottom) / 2;
    }
  }

  // Pointing at a row of choices highlights its elements.
  document.addEventListener("pointerover", (event) => {
    const row = event.target.closest("[data-key]");
    mark(row && !row.closest(".picture") ? row.dataset.key : "", "near");
  });

  // A button in a picture responds to the keys of a button.
  document.addEventListener("keydown", (event) => {
    const button = event.target.closest(".picture [role=button]");
    if (!button || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });

  return { scrollTo };
})();
