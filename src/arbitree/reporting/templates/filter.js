// A page without scripts shows all types and no filters that do nothing.
for (const bar of document.querySelectorAll(".filters")) {
  bar.hidden = false;
  const fields = [...bar.querySelectorAll("[data-filter]")];
  const types = [...document.querySelectorAll("article.type")];
  const shown = bar.querySelector(".shown");
  const texts = new Map(types.map((type) => [type, [...type.querySelectorAll("mark")].map((each) => each.textContent).join("\n").toLowerCase()]));
  const fits = (type, field) => {
    const wanted = field.value;
    if (wanted === "") return true;
    if (field.dataset.filter === "words") return texts.get(type).includes(wanted.toLowerCase());
    return (type.dataset[field.dataset.filter] ?? "").split("\n").includes(wanted);
  };
  const apply = () => {
    let count = 0;
    for (const type of types) {
      type.hidden = !fields.every((field) => fits(type, field));
      if (!type.hidden) count += 1;
    }
    shown.textContent = `${count} of ${types.length} types`;
  };
  for (const field of fields) field.addEventListener("input", () => {
    apply();
    for (const type of types) if (!type.hidden) type.closest("details.long")?.setAttribute("open", "");
  });
  apply();
}
