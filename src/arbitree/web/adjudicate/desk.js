"use strict";
// Keys of the adjudication page. Keys that are pressed during a request are queued until its response is shown,
// so that none is lost and each acts on the current state.
let current = null; // key of the selected place
let busy = true; // until the page is ready
let leaving = false;
let decided = []; // keys of the places that were decided before the request
const waiting = [];
let scrolled = []; // what scrolls by itself, with its position before the request
const SCROLLING = ["#main", "#desk .pictures", "#desk .rows"];

const rows = () => [...document.querySelectorAll("#desk .row")];
const row = () => rows().find((each) => each.dataset.key === current) ?? null;
const say = (text) => { document.getElementById("said").textContent = text; };

function hold(chosen, focus = true) {
  for (const each of rows()) each.removeAttribute("aria-current");
  current = null;
  if (!chosen) return;
  current = chosen.dataset.key;
  chosen.setAttribute("aria-current", "true");
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
  const buttons = [...(open ?? row() ?? document.createElement("div")).querySelectorAll("button.option")];
  if (number <= buttons.length) press(buttons[number - 1]);
  else if (!open && number === buttons.length + 1) row()?.querySelector(".other input[name=own]")?.focus();
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
  else if (key === "u") press(document.getElementById("undo"));
  else if (key === "s") press(row()?.querySelector("button.suggested"));
  else if (key === "n") follow("next");
  else if (key === "p") follow("previous");
  else if (key === "d") follow("undecided");
  else if (key === "o") {
    const note = row()?.querySelector("details.note") ?? document.getElementById("remark");
    if (note) { note.open = true; note.querySelector("input[name=text]").focus(); }
  } else if (key === "a") {
    const take = document.getElementById("take");
    if (take) { take.open = !take.open; if (take.open) take.querySelector("button")?.focus(); }
  } else if (key === "?") document.getElementById("keys").showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (document.getElementById("keys").open || !/^([1-9jkusnpdoa?]|Arrow(Up|Down))$/.test(event.key)) return;
  if (event.key.startsWith("Arrow") && event.target.closest("button, a, summary")) return;
  event.preventDefault();
  if (busy) waiting.push(event.key);
  else run(event.key);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("#help")) document.getElementById("keys").showModal();
  if (event.target.closest("a[href='#history']")) document.getElementById("history").open = true;
});

document.addEventListener("focusin", (event) => {
  const own = event.target.closest("#desk .row");
  if (own && own.dataset.key !== current) hold(own, false);
});

document.addEventListener("htmx:beforeRequest", () => {
  busy = true;
  scrolled = SCROLLING.map((each) => document.querySelector(each)).map((each) => each && [each.scrollLeft, each.scrollTop]);
  decided = rows().filter((each) => each.classList.contains("decided")).map((each) => each.dataset.key);
});

document.addEventListener("htmx:afterRequest", () => {
  busy = false;
  SCROLLING.forEach((each, place) => { if (scrolled[place]) document.querySelector(each)?.scrollTo(...scrolled[place]); });
  const refused = document.querySelector("#desk .warnings[role=alert]");
  const all = rows();
  const place = Math.max(all.indexOf(row()), 0);
  const later = [...all.slice(place), ...all.slice(0, place)].find((each) => each.classList.contains("contested"));
  const again = all.find((each) => each.classList.contains("contested") && decided.includes(each.dataset.key));
  hold(refused ? all[place] : again ?? later);
  const typed = document.querySelector("#desk .other input[data-typed]");
  if (refused) (refused.querySelector("button") ?? typed)?.focus();
  else document.getElementById("onward")?.focus();
  if (document.activeElement === document.body) document.getElementById("main").focus({ preventScroll: true });
  while (waiting.length && !busy) run(waiting.shift());
});

addEventListener("pagehide", () => { if (leaving) sessionStorage.setItem("keys", JSON.stringify(waiting.splice(0))); });

addEventListener("pageshow", (event) => { if (event.persisted) busy = leaving = false; });

// A double click sends one request.
document.addEventListener("htmx:configRequest", (event) => { if (busy) event.preventDefault(); });

hold(rows().find((each) => each.classList.contains("contested")), false);
if (document.querySelector("#desk[data-preselect]")) row()?.querySelector("button.suggested")?.focus();

document.addEventListener("DOMContentLoaded", () => {
  busy = false;
  waiting.unshift(...JSON.parse(sessionStorage.getItem("keys") ?? "[]"));
  sessionStorage.removeItem("keys");
  while (waiting.length && !busy) run(waiting.shift());
});
