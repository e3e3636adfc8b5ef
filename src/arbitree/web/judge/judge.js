// Keys of the judging page: each presses the button or link that names it, unless the focus is in a field.
(() => {
  "use strict";
  let sent = false;

  document.addEventListener("keydown", (event) => {
    // Holding a key down must not answer several sentences.
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const button = document.querySelector(`[data-keys~="${CSS.escape(key)}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  document.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });

  // A page restored from the browser's cache would send outdated values.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });
})();
