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
  let held = ""; // the keys of the current disagreement
  let pointed = ""; // and of the one under the pointer
  let open = null; // the number of the sentence whose picture was unfolded before the page was exchanged

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

  // The part of a picture that should be visible: all elements if there is room, else the word or label with the
  // lines that end there, else that alone.
  function boxOf(elements, room) {
    const first = (elements[0].querySelector(".word, .label") ?? elements[0]).getBoundingClientRect();
    const boxes = elements.map((each) => each.getBoundingClientRect());
    const ending = boxes.filter((each) => Math.abs(each.bottom - first.top) < first.height);
    const join = (each) => ({
      left: Math.min(...each.map((box) => box.left)), right: Math.max(...each.map((box) => box.right)),
      top: Math.min(...each.map((box) => box.top)), bottom: Math.max(...each.map((box) => box.bottom)),
    });
    const tried = [join(boxes), join([...ending, first]), first];
    const across = tried.find((box) => box.right - box.left <= room.width) ?? first;
    const down = tried.find((box) => box.bottom - box.top <= room.height) ?? first;
    return { left: across.left, right: across.right, top: down.top, bottom: down.bottom };
  }

  // Highlight the elements of a disagreement (one key per line); scroll its picture if they are not visible.
  function scrollTo(keys) {
    held = keys;
    const found = mark(keys, "current");
    for (const each of document.querySelectorAll(".picture .choice")) {
      each.setAttribute("tabindex", each.classList.contains("current") ? "0" : "-1");
    }
    // Elements inside closed details have boxes in some browsers.
    const seen = found.filter((each) => !each.closest("details:not([open])") && each.getClientRects().length > 0);
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
    const keys = row && !row.closest(".picture") ? row.dataset.key : "";
    if (keys !== pointed) mark(pointed = keys, "near");
  });

  // A click on a folded part shows the whole picture at about the same place.
  document.addEventListener("click", (event) => {
    const fold = event.target.closest(".folded .fold");
    if (!fold) return;
    const frame = fold.closest(".pictures");
    const [part, all] = [fold, fold.closest(".picture")].map((each) => each.getBoundingClientRect());
    const details = fold.closest(".folded").previousElementSibling;
    details.open = true;
    const middle = ((part.left + part.right) / 2 - all.left) / all.width;
    frame.scrollLeft = middle * details.scrollWidth - frame.clientWidth / 2;
    details.querySelector("summary").focus({ preventScroll: true });
  });
  document.addEventListener("toggle", (event) => {
    if (event.target.matches(".unfold") && held) scrollTo(held);
  }, true);

  // It stays unfolded while places of the same sentence are decided.
  const sentence = () => document.querySelector("[data-number]")?.dataset.number ?? null;
  document.addEventListener("htmx:beforeSwap", () => { open = document.querySelector(".unfold[open]") && sentence(); });
  document.addEventListener("htmx:afterSwap", () => {
    for (const each of document.querySelectorAll(".unfold")) each.open = open !== null && open === sentence();
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
