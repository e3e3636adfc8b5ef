"use strict";
// Keys of the adjudication page. Keys that are pressed during a request are queued until its response is shown,
// so that none is lost and each acts on the current state.
let current = null; // key of the selected place
let busy = true; // until the page is ready
let leaving = false;
let decided = []; // keys of the places that were decided before the request
const waiting = [];
let scrolled = []; // what scrolls by itself, with its position before the request
let shown; // number of the item that was shown before the request
let divided = []; // keys of the places that were split before the request
const SCROLLING = ["#main", "#desk .pictures", "#desk .rows"];

// Of places that are decided together there is one row, or one for each of them if they are split.
const rows = () => [...document.querySelectorAll("#desk .row")].filter(
  (each) => !each.querySelector(":scope > .split[open]") && !each.parentElement.closest(".split:not([open])"));
const number = () => document.getElementById("desk")?.dataset.number;
const row = () => rows().find((each) => each.dataset.key === current) ?? null;
const say = (text) => { document.getElementById("said").textContent = text; };

function hold(chosen, focus = true) {
  for (const each of document.querySelectorAll("#desk [aria-current]")) each.removeAttribute("aria-current");
  current = null;
  if (!chosen) return;
  current = chosen.dataset.key;
  chosen.setAttribute("aria-current", "true");
  pictures.scrollTo(current);
  if (!focus) return;
  chosen.focus({ preventScroll: true });
  chosen.scrollIntoView({ block: "nearest" });
  say(chosen.getAttribute("aria-label"));
}

function move(step) {
  const all = rows();
  const place = all.indexOf(row());
  hold(all[place < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(place + step, 0), all.length - 1)]);
}

function choose(number) {
  const open = document.querySelector("#take[open]");
  const buttons = [...(open ?? row())?.querySelectorAll(":scope > .options button.option") ?? []];
  if (number <= buttons.length) press(buttons[number - 1]);
  else if (!open && number === buttons.length + 1) row()?.querySelector(":scope > .options .other input[name=own]")?.focus();
}

// Show the places that are decided together one by one, or together again.
function split() {
  const found = row()?.parentElement.closest(".split") ?? row()?.querySelector(":scope > .split");
  if (!found) return;
  found.open = !found.open;
  hold(found.open ? found.querySelector(".row") : found.closest(".row"));
}

function press(button) {
  if (button && !button.disabled) button.click();
}

function follow(id) {
  const link = document.getElementById(id);
  if (!link) return;
  busy = leaving = true; // keys pressed from now on are meant for the next page
  location.assign(link.href);
}

function run(key) {
  if (/^[1-9]$/.test(key)) choose(Number(key));
  else if (key === "j" || key === "ArrowDown") move(1);
  else if (key === "k" || key === "ArrowUp") move(-1);
  else if (key === "u") press(document.querySelector("#undo:not(:disabled)") ?? document.getElementById("back"));
  else if (key === "s") press(row()?.querySelector(":scope > .options button.suggested"));
  else if (key === "S") press(document.getElementById("suggestions"));
  else if (key === "n") follow("next");
  else if (key === "p") follow("previous");
  else if (key === "d") follow("undecided");
  else if (key === "o") {
    const note = row()?.querySelector(":scope > details.note") ?? document.getElementById("remark");
    if (note) { note.open = true; note.querySelector("input[name=text]").focus(); }
  } else if (key === "a") {
    const take = document.getElementById("take");
    if (take) { take.open = !take.open; if (take.open) take.querySelector("button")?.focus(); }
  } else if (key === "x") split();
  else if (key === "?") document.getElementById("keys").showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (document.getElementById("keys").open || !/^([1-9jkusSnpdoax?]|Arrow(Up|Down))$/.test(event.key)) return;
  if (event.key.startsWith("Arrow") && event.target.closest("button, a, summary")) return;
  event.preventDefault();
  if (busy) waiting.push(event.key);
  else run(event.key);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("#help")) document.getElementById("keys").showModal();
  if (event.target.closest("a[href='#history']")) document.getElementById("history").open = true;
});

// A click on a part of the picture presses the button with the same wish: that of the row that is shown, that of
// the only arc to which the part belongs, or that of the place alone.
document.addEventListener("click", (event) => {
  const part = event.target.closest("#desk .pictures [data-wish]");
  if (!part) return;
  const wish = part.dataset.wish.split("\n");
  const sent = (button) => button.value.split("\n");
  const shown = rows().flatMap((each) => [...each.querySelectorAll(":scope > .options button[name=wish]")]);
  const same = (button) => sent(button).length === wish.length && wish.every((line) => sent(button).includes(line));
  const within = shown.filter((button) => wish.every((line) => sent(button).includes(line)));
  press(shown.find(same) ?? (within.length === 1 ? within[0]
    : [...document.querySelectorAll("#desk .row button[name=wish]")].find(same)));
});

document.addEventListener("focusin", (event) => {
  const own = event.target.closest("#desk .row");
  if (rows().includes(own) && own.dataset.key !== current) hold(own, false);
});

document.addEventListener("htmx:beforeRequest", () => {
  busy = true;
  shown = number();
  scrolled = SCROLLING.map((each) => document.querySelector(each)).map((each) => each && [each.scrollLeft, each.scrollTop]);
  divided = [...document.querySelectorAll("#desk .split[open]")].map((each) => each.parentElement.dataset.key);
  decided = rows().filter((each) => each.classList.contains("decided")).map((each) => each.dataset.key);
});

document.addEventListener("htmx:afterRequest", () => {
  busy = false;
  if (number() !== shown) return arrive();
  for (const each of document.querySelectorAll("#desk .joined")) {
    if (divided.includes(each.dataset.key)) each.querySelector(":scope > .split").open = true;
  }
  SCROLLING.forEach((each, place) => { if (scrolled[place]) document.querySelector(each)?.scrollTo(...scrolled[place]); });
  const refused = document.querySelector("#desk .warnings[role=alert]");
  const all = rows();
  const place = Math.max(all.indexOf(row()), 0);
  const later = [...all.slice(place), ...all.slice(0, place)].find((each) => each.classList.contains("contested"));
  const again = all.find((each) => each.classList.contains("contested") && decided.includes(each.dataset.key));
  hold(refused ? all[place] : again ?? later);
  const typed = [...document.querySelectorAll("#desk .other input[data-typed]")].find((each) => each.checkVisibility());
  if (refused) (refused.querySelector("button") ?? typed)?.focus();
  else document.getElementById("onward")?.focus();
  rest();
});

// The answer shows another item: the next one after the last decision, or the one before it again.
function arrive() {
  current = null;
  document.title = document.getElementById("desk").dataset.title;
  hold(rows().find((each) => each.classList.contains("contested")) ?? rows()[0]);
  const before = document.querySelector("#desk .before");
  if (before) say(`${before.dataset.said} ${row()?.getAttribute("aria-label") ?? ""}`);
  preselect();
  rest();
}

function preselect() {
  if (document.querySelector("#desk[data-preselect]")) row()?.querySelector(":scope > .options button.suggested")?.focus();
}

function rest() {
  if (document.activeElement === document.body) document.getElementById("main").focus({ preventScroll: true });
  while (waiting.length && !busy) run(waiting.shift());
}

addEventListener("pagehide", () => { if (leaving) sessionStorage.setItem("keys", JSON.stringify(waiting.splice(0))); });

addEventListener("pageshow", (event) => { if (event.persisted) busy = leaving = false; });

// A double click sends one request.
document.addEventListener("htmx:configRequest", (event) => { if (busy) event.preventDefault(); });

hold(rows().find((each) => each.classList.contains("contested")), false);
preselect();

document.addEventListener("DOMContentLoaded", () => {
  busy = false;
  waiting.unshift(...JSON.parse(sessionStorage.getItem("keys") ?? "[]"));
  sessionStorage.removeItem("keys");
  while (waiting.length && !busy) run(waiting.shift());
});
