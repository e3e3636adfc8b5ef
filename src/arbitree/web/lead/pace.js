"use strict";
// Report how long the person works on a sentence: the time in which the page is visible and something was done within
// the last minute. The time is sent once a minute and when the person leaves the sentence; a lost report loses little.
{
  const IDLE = 60_000;
  const OFTEN = 60_000;
  const desk = () => document.getElementById("desk");
  let number = desk()?.dataset.number;
  let spent = 0;
  let last = performance.now();
  let active = last;
  let visible = document.visibilityState === "visible";

  function count() {
    const now = performance.now();
    if (visible && now - active < IDLE) spent += Math.min(now - last, 5000); // a computer may have slept
    last = now;
    visible = document.visibilityState === "visible";
  }

  function report() {
    count();
    const whole = Math.round(spent);
    if (whole < 1 || !number) return;
    const sent = new FormData();
    sent.set("csrf", JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRF-Token"] ?? "");
    sent.set("milliseconds", String(whole));
    if (navigator.sendBeacon(`/pace/${number}`, sent)) spent -= whole;
  }

  const act = () => { count(); active = last; };
  for (const type of ["keydown", "pointerdown", "pointermove", "wheel"]) addEventListener(type, act, { passive: true, capture: true });
  setInterval(() => { count(); if (spent >= OFTEN) report(); }, 1000);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") report(); else act(); });
  addEventListener("pagehide", report);
  addEventListener("pageshow", (event) => { if (event.persisted) { count(); spent = 0; act(); } });
  document.addEventListener("htmx:afterSwap", () => {
    if (desk()?.dataset.number === number) return;
    report();
    number = desk()?.dataset.number;
    spent = 0;
  });
}
