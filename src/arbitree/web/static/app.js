"use strict";
// Keys that hold on every page, and what a page tells those who listen to it.
const typing = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && typing(event.target)) event.target.blur();
  if (event.key !== "/" || typing(event.target)) return;
  event.preventDefault();
  const search = document.querySelector("input[type=search]");
  if (search) search.focus();
  else location.assign("/sentences#search");
});

// A link that is there to be copied is copied whole.
document.addEventListener("focusin", (event) => { if (event.target.matches("input[readonly]")) event.target.select(); });

if (location.hash === "#search") document.querySelector("input[type=search]")?.focus();

// What was said of the request before does not hold for the next.
document.addEventListener("htmx:beforeRequest", () => document.getElementById("message")?.replaceChildren());

document.addEventListener("htmx:sendError", () => {
  const message = document.getElementById("message");
  if (message) message.textContent = "The server cannot be reached. Nothing was saved; try again when it is back.";
});
