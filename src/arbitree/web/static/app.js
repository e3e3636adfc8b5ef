"use strict";
// Keys that work on every page, and messages for screen readers.
const typing = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && typing(event.target)) event.target.blur();
  if (event.key !== "/" || typing(event.target)) return;
  event.preventDefault();
  const search = document.querySelector("input[type=search]");
  if (search) search.focus();
  else if (document.querySelector("nav a[href='/sentences']")) location.assign("/sentences#search");
});

// Select the whole link, so that it can be copied.
document.addEventListener("focusin", (event) => { if (event.target.matches("input[readonly]")) event.target.select(); });

if (location.hash === "#search") document.querySelector("input[type=search]")?.focus();

// Remove the message about the previous request.
document.addEventListener("htmx:beforeRequest", () => document.getElementById("message")?.replaceChildren());

document.addEventListener("htmx:sendError", () => {
  const message = document.getElementById("message");
  if (message) message.textContent = "Cannot reach the server. It is not known whether the change was saved. Try again when the server is running; nothing is saved twice.";
});
