// Keys for the judge: they press the buttons that name them, and leave what is typed into fields alone.
(() => {
  "use strict";
  let sent = false;

  document.addEventListener("keydown", (event) => {
    // A key that is held down must not answer one sentence after the other.
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const button = document.querySelector(`button[data-key="${CSS.escape(key)}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  document.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });

  // A page that the browser kept would send what is out of date.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });
})();
