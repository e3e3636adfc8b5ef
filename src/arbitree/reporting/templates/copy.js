// Texts and fields to copy get a button. Browsers give pages without HTTPS no clipboard, except on this computer: there,
// the text is selected and the older command is tried.
for (const text of document.querySelectorAll(".copied")) {
  const button = document.createElement("button");
  const said = document.createElement("span");
  button.type = "button";
  button.textContent = "Copy";
  said.setAttribute("role", "status");
  if (!text.closest(".copying")) {
    const bar = document.createElement("div");
    bar.className = "copy";
    text.replaceWith(bar);
    bar.append(text);
  }
  text.after(button, said);
  button.addEventListener("click", async () => {
    let done = true;
    text.select?.();
    try {
      await navigator.clipboard.writeText(text.value ?? text.textContent);
    } catch {
      if (!text.select) getSelection().selectAllChildren(text);
      text.focus();
      done = document.execCommand("copy");
    }
    said.textContent = done ? "Copied." : "The text is selected. Press Ctrl-C or ⌘C to copy it.";
  });
}
