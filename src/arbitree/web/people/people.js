"use strict";
// Copy the link. Browsers give pages without HTTPS no clipboard, except on this computer: the older command works there.
const copy = document.getElementById("copy");

async function copied(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    return document.execCommand("copy");
  }
}

if (copy) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const done = await copied(document.getElementById("link"));
    document.getElementById("copied").textContent = done ? "Copied." : "The link is selected. Press Ctrl-C or ⌘C to copy it.";
  });
}
