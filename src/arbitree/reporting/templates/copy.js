// Texts to copy get a button. Where the browser gives no clipboard, the text is selected and the older command is tried.
for (const text of document.querySelectorAll("pre.copied")) {
  const bar = document.createElement("div");
  const button = document.createElement("button");
  const said = document.createElement("span");
  bar.className = "copy";
  button.type = "button";
  button.textContent = "Copy";
  said.setAttribute("role", "status");
  text.replaceWith(bar);
  bar.append(text, button, said);
  button.addEventListener("click", async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      getSelection().selectAllChildren(text);
      done = document.execCommand("copy");
    }
    said.textContent = done ? "Copied." : "The text is selected. Press Ctrl-C or ⌘C to copy it.";
  });
}
