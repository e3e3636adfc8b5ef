() => {
  // What is wrong with a page for those who hear it or use no mouse.
  const found = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shown = (each) => each.outerHTML.slice(0, 120).replace(/\s+/g, " ");
  const text = (each) => (each?.textContent ?? "").trim();
  const ids = (each, name) => (each.getAttribute(name) ?? "").split(/\s+/).filter(Boolean);
  const named = (each) => each.getAttribute("aria-label")?.trim() || each.getAttribute("title")?.trim()
    || ids(each, "aria-labelledby").some((id) => text(document.getElementById(id)))
    || [...(each.labels ?? [])].some(text) || text(each.querySelector(":scope > title"))
    || (each.matches("button, a, summary") && text(each));

  for (const each of all("input:not([type=hidden]), select, textarea, button, a[href], summary, nav, dialog"))
    if (!named(each)) found.push(`without a name: ${shown(each)}`);
  for (const each of all("[tabindex]")) {
    if (each.tabIndex > 0) found.push(`in an order of its own: ${shown(each)}`);
    if (each.tabIndex === 0 && !named(each) && !each.matches("pre")) found.push(`reached, not named: ${shown(each)}`);
  }
  for (const each of all("img:not([alt])")) found.push(`without a text: ${shown(each)}`);
  for (const each of all("svg")) {
    const apart = each.parentElement.closest("svg") || each.closest("[aria-hidden=true]");
    if (!apart && !named(each)) found.push(`without a text: ${shown(each)}`);
  }

  const levels = all("h1, h2, h3, h4, h5, h6").filter((each) => !each.closest("dialog"))
    .map((each) => Number(each.tagName[1]));
  if (levels[0] !== 1 || levels.lastIndexOf(1) !== 0) found.push(`not one first heading: ${levels}`);
  if (levels.some((level, place) => place && level > levels[place - 1] + 1)) found.push(`a level is left out: ${levels}`);
  for (const name of ["main", "header"])
    if (all(`body > ${name}`).length !== 1) found.push(`not one ${name}`);
  if (!document.documentElement.lang || !document.title.trim()) found.push("no language or no title");

  const known = all("[id]").map((each) => each.id);
  for (const id of new Set(known)) if (known.indexOf(id) !== known.lastIndexOf(id)) found.push(`id twice: ${id}`);
  for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "list"])
    for (const each of all(`[${name}]`))
      for (const id of ids(each, name)) if (!known.includes(id)) found.push(`${name} leads nowhere: ${id}`);
  for (const each of all("a[href^='#']"))
    if (!known.includes(each.hash.slice(1))) found.push(`a link leads nowhere: ${each.hash}`);
  for (const each of all("[style], [onclick], [onload], main style, main script"))
    found.push(`a style or a script of its own: ${shown(each)}`);
  return found;
}
