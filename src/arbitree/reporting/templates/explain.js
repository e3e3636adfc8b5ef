// Questions open to types, types to examples, examples to sentences with whole trees: each is drawn when it is opened.
(async () => {
  const TYPES = 10, EXAMPLES = 5, DOCUMENTS = 6, CONTEXT = 6, LONG = 14, WIDE = 60, DRAWN = 80;
  const list = document.getElementById("list");
  if (!list) return;
  const bar = document.querySelector(".filters");
  const message = document.querySelector(".unscripted");
  const unpack = async (id) => {
    const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (each) => each.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  };
  let data;
  try {
    data = await unpack("data");
  } catch {
    message.textContent = "This browser cannot unpack the types of this report. Use a current browser, or the JSON or TSV output.";
    return;
  }
  message.remove();
  const blocks = new Map();
  const sentence = async (item) => {
    const number = Math.floor(item / data.block);
    if (!blocks.has(number)) blocks.set(number, unpack(`sentences-${number}`));
    return (await blocks.get(number))[item % data.block];
  };

  // Elements

  const make = (name, classes = "", ...content) => {
    const found = document.createElement(name);
    if (classes) found.className = classes;
    found.append(...content);
    return found;
  };
  const named = (text) => make("bdi", "", text);
  const button = (text, act) => {
    const found = make("button", "more", text);
    found.type = "button";
    found.addEventListener("click", act);
    return found;
  };
  const count = (number, thing) => `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;
  const letter = (number) => (number < 26 ? String.fromCharCode(65 + number) : String(number + 1));

  // Data

  const typeOf = ([code, label, kind, chips, facets, categories, coders, counts, fragments, nuclei], number) => ({
    number, code, label, class: kind, chips, facets, categories, coders, counts, fragments,
    nuclei: nuclei.map(([bits, tokens, differing, sizes, places]) => ({
      bits, tokens: Array.isArray(tokens) ? tokens : tokens.split(" "), differing: new Set(differing), sizes,
      places: places.map(([item, coder, fragment, ...runs]) => ({ item, coder, fragment, positions: spread(runs) })),
    })),
  });
  const spread = (runs) => {
    const found = [];
    for (let at = 0; at < runs.length; at += 2) for (let place = runs[at]; place <= runs[at + 1]; place += 1) found.push(place);
    return found;
  };
  const types = data.types.map(typeOf);
  const documentsOf = (nucleus) => [...new Set(nucleus.places.map((place) => data.document[place.item]))];

  // Filters see all types, drawn or not.

  const fields = [...bar.querySelectorAll("[data-filter]")];
  const wanted = () => Object.fromEntries(fields.map((field) => [field.dataset.filter, field.dataset.filter === "words" ? field.value.toLowerCase() : field.value]));
  let asked = wanted();
  const fitsType = (type) => (!asked.class || type.class === asked.class)
    && (!asked.category || type.categories.includes(asked.category))
    && (!asked.facet || type.facets.includes(asked.facet))
    && (!asked.coder || type.coders.some((coder) => data.coders[coder] === asked.coder));
  const fitsNucleus = (nucleus) => (!asked.words || nucleus.tokens.join(" ").toLowerCase().includes(asked.words))
    && (!asked.document || documentsOf(nucleus).some((each) => data.documents[each] === asked.document));
  const fitting = (type) => (fitsType(type) ? type.nuclei.filter(fitsNucleus) : []);

  // Sentences

  const context = (words, positions, differing) => {
    const line = make("p", "context");
    line.dir = "auto";
    const start = positions[0], end = positions[positions.length - 1];
    const before = words.slice(Math.max(0, start - CONTEXT), start).join(" ");
    const after = words.slice(end + 1, end + 1 + CONTEXT).join(" ");
    const marked = make("mark");
    positions.forEach((at, offset) => {
      if (offset) marked.append(at === positions[offset - 1] + 1 ? " " : " [...] ");
      marked.append(differing.has(offset) ? make("u", "", words[at]) : words[at]);
    });
    line.append(make("span", "around", `${start > CONTEXT ? "… " : ""}${before} `), marked, make("span", "around", ` ${after}${end + CONTEXT + 1 < words.length ? " …" : ""}`));
    return line;
  };
  const plain = (nucleus) => {
    const line = make("p", "context", make("mark", "", nucleus.tokens.join(" ")));
    line.dir = "auto";
    return line;
  };
  const whole = (words, positions, differing) => {
    const line = make("p", "sentence");
    line.dir = "auto";
    const offsets = new Map(positions.map((at, offset) => [at, offset]));
    words.forEach((text, at) => {
      const shown = offsets.has(at) ? make("mark", "", differing.has(offsets.get(at)) ? make("u", "", text) : text) : text;
      line.append(shown, at + 1 < words.length ? " " : "");
    });
    return line;
  };

  // In long sentences, phrases that all have and that do not hold the nucleus are folded.
  const folder = (words, marked) => {
    const settled = (node) => !node.own && !node.framed && !node.tokens.some((token) => marked.has(token)) && node.below.every(settled);
    return (node) => words.length > LONG && node.tokens.length > 1 && settled(node);
  };
  const trees = (found, places) => {
    const box = make("div", "sides wide");
    const shown = found.filter(([, , , , nodes]) => nodes.length);
    const read = shown.map(([, , , , nodes]) => Trees.read(nodes, data.labels));
    shown.forEach(([coders, sources, words, leftwards], number) => {
      const nodes = read[number];
      const rest = read.filter((each, other) => other !== number && shown[other][2].length === words.length);
      if (data.outlined) Trees.markLines(nodes, rest);
      else Trees.mark(nodes, rest);
      const place = places.find((each) => coders.includes(each.coder));
      const marked = new Set(place ? place.positions : []);
      const fold = folder(words, marked);
      const foldable = !data.outlined && !Trees.isArcs(nodes) && nodes.some((node) => node.below.length && fold(node));
      const names = coders.map((coder) => data.coders[coder]).join(", ");
      const figure = make("figure", `side side-${place ? place.fragment % 6 : 5}`);
      const caption = make("figcaption", "", ...(place ? [make("b", "badge", letter(place.fragment)), " "] : []), named(names));
      const scroll = make("div", "scroll");
      scroll.tabIndex = 0;
      scroll.setAttribute("role", "group");
      scroll.setAttribute("aria-label", `tree of ${names}`);
      const draw = (folded) => scroll.replaceChildren(data.outlined ? Trees.outline(nodes, `${names}: ${words.join(" ")}`) : Trees.draw(nodes, words, { marked, folded, leftwards, label: `${names}: ${words.join(" ")}` }));
      draw(fold);
      figure.append(caption, scroll);
      if (foldable) {
        const open = button("Show all phrases", () => { draw(() => false); open.remove(); });
        figure.append(open);
      }
      const from = sources.filter((source) => source);
      if (from.length) figure.append(make("small", "", named(from.join(", "))));
      box.append(figure);
    });
    return box;
  };

  // One line per nucleus; in a corpus, one place per annotation.
  const example = async (nucleus, drawn) => {
    const first = nucleus.places.filter((place, number) => (data.corpus ? nucleus.places.findIndex((each) => each.fragment === place.fragment) === number : !number));
    const found = [];
    for (const place of first) {
      const versions = await sentence(place.item);
      const own = versions.find(([coders]) => coders.includes(place.coder));
      const sides = [...new Set(nucleus.places.map((each) => each.fragment))].sort((a, b) => a - b);
      const who = data.corpus
        ? `${letter(place.fragment)} ${nucleus.sizes[place.fragment].toLocaleString("en")} ×`
        : sides.map((side) => `${letter(side)} ${nucleus.places.filter((each) => each.fragment === side).map((each) => data.coders[each.coder]).join(", ")}`).join("; ");
      const line = own && place.positions.length ? context(own[2], place.positions, nucleus.differing) : plain(nucleus);
      const about = make("small", "", named(who), " · ", named(data.items[place.item]));
      if (nucleus === drawn) about.append(" · ", make("span", "chip", "drawn above"));
      if (data.documents.length > 1) about.append(" · ", named(data.documents[data.document[place.item]]));
      if (!own) {
        found.push(make("li", "", line, about));
        continue;
      }
      const details = make("details", "example", make("summary", "", line, about));
      details.addEventListener("toggle", () => {
        if (!details.open || details.dataset.drawn) return;
        details.dataset.drawn = "yes";
        const here = data.corpus ? [place] : nucleus.places;
        const side = ([coders]) => here.find((each) => coders.includes(each.coder))?.fragment ?? nucleus.sizes.length;
        const shown = data.corpus ? [own] : [...versions].sort((a, b) => side(a) - side(b));
        details.append(whole(own[2], place.positions, nucleus.differing), trees(shown, here));
      });
      found.push(make("li", "", details));
    }
    return found;
  };

  // Types

  const pictures = (type, nucleus) => {
    const box = make("div", `sides${nucleus.tokens.join(" ").length > WIDE ? " wide" : ""}`);
    const read = type.fragments.map(([, , nodes]) => Trees.read(nodes, data.labels));
    type.fragments.forEach(([who, brackets], number) => {
      (data.outlined ? Trees.markLines : Trees.mark)(read[number], read.filter((_, other) => other !== number));
      const figure = make("figure", `side side-${number % 6}`, make("figcaption", "", make("b", "badge", letter(number)), " ", named(who)));
      const scroll = make("div", "scroll");
      scroll.tabIndex = 0;
      scroll.setAttribute("role", "group");
      scroll.setAttribute("aria-label", `annotation ${letter(number)}`);
      if (data.outlined) scroll.append(Trees.outline(read[number], brackets));
      else if (nucleus.tokens.length > DRAWN) scroll.append(make("p", "note", "Too long to draw."));
      else scroll.append(Trees.draw(read[number], nucleus.tokens, { marked: nucleus.differing, folded: folder(nucleus.tokens, nucleus.differing), label: `${brackets}: ${nucleus.tokens.join(" ")}` }));
      figure.append(scroll, make("details", "", make("summary", "", "Text"), make("code", "", brackets)));
      box.append(figure);
    });
    return box;
  };

  const article = async (type, nuclei) => {
    const found = make("article", "type");
    found.id = `type-${type.code}`;
    const link = make("a", "anchor", named(type.label));
    link.href = `#type-${type.code}`;
    const about = make("p", "what", `${type.counts}. `);
    for (const chip of [data.classes[type.class] ?? type.class, ...type.chips]) about.append(make("span", "chip", chip), " ");
    const examples = make("ol", "examples");
    const drawn = nuclei.reduce((best, each) => (each.tokens.join(" ").length < best.tokens.join(" ").length ? each : best));
    const marked = nuclei.length > 1 && drawn.tokens.length <= DRAWN ? drawn : null;
    const ordered = [drawn, ...nuclei.filter((each) => each !== drawn)];
    found.append(make("h3", "", link), about, pictures(type, drawn), examples);
    await extend(examples, ordered, EXAMPLES, "example", (nucleus) => example(nucleus, marked));
    return found;
  };

  // Add entries to a list a few at a time.
  const extend = async (box, entries, step, thing, draw) => {
    let done = 0;
    let drawing = false;
    const next = async () => {
      if (drawing) return;
      drawing = true;
      const drawn = await Promise.all(entries.slice(done, done + step).map(draw));
      done += drawn.length;
      more.before(...drawn.flat());
      const left = entries.length - done;
      more.hidden = left <= 0;
      more.querySelector("button").textContent = `Show ${Math.min(step, left)} of ${count(left, `more ${thing}`)}`;
      drawing = false;
    };
    const more = make(box.tagName === "OL" ? "li" : "p", "next", button("", next));
    box.append(more);
    await next();
  };

  const byDocument = (nuclei) => {
    const counts = new Map();
    for (const nucleus of nuclei) for (const each of documentsOf(nucleus)) counts.set(each, (counts.get(each) ?? 0) + 1);
    const ranked = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const listed = (some) => some.flatMap(([each, number], place) => [place ? ", " : "", named(data.documents[each]), ` ${number.toLocaleString("en")}`]);
    const line = ["By document: ", ...listed(ranked.slice(0, DOCUMENTS))];
    if (ranked.length <= DOCUMENTS) return make("p", "note", ...line);
    const rest = make("p", "note", ...listed(ranked.slice(DOCUMENTS)));
    return make("details", "note", make("summary", "", ...line, `, and ${ranked.length - DOCUMENTS} more`), rest);
  };

  const fill = async (box, members) => {
    const shown = members.map((type) => [type, fitting(type)]).filter(([, nuclei]) => nuclei.length);
    const parts = [];
    if (data.documents.length > 1 && data.questions.length) parts.push(byDocument(shown.flatMap(([, nuclei]) => nuclei)));
    box.replaceChildren(...parts);
    await extend(box, shown, TYPES, "type", ([type, nuclei]) => article(type, nuclei));
  };

  // Questions, or all types where there are none.

  const questions = data.questions.map(([code, numbers]) => ({
    element: document.getElementById(`question-${code}`), types: numbers.map((number) => types[number]), stale: true,
  }));
  const open = async (question) => {
    if (!question.stale) return;
    question.stale = false;
    await fill(question.element.querySelector(".inside"), question.types);
  };
  for (const question of questions) {
    question.element.addEventListener("toggle", () => { if (question.element.open) open(question); });
  }
  const apply = async () => {
    asked = wanted();
    const left = types.filter((type) => fitting(type).length);
    const kept = new Set(left);
    let number = 0;
    for (const question of questions) {
      question.element.hidden = !question.types.some((type) => kept.has(type));
      number += question.element.hidden ? 0 : 1;
      question.stale = true;
    }
    const shown = `${left.length.toLocaleString("en")} of ${count(types.length, "type")}`;
    bar.querySelector(".shown").textContent = questions.length ? `${number.toLocaleString("en")} of ${count(questions.length, "question")}, ${shown}` : shown;
    if (!questions.length) await fill(list, types);
    await Promise.all(questions.filter((question) => question.element.open && !question.element.hidden).map(open));
  };
  for (const field of fields) field.addEventListener("input", apply);
  bar.hidden = false;
  await apply();

  // A link to a type opens its question and draws as many types as needed.
  const reveal = async () => {
    const target = decodeURIComponent(location.hash.slice(1));
    const question = questions.find((each) => each.element.id === target || each.types.some((type) => `type-${type.code}` === target));
    if (!question && !target.startsWith("type-")) return;
    if (question) {
      question.element.open = true;
      await open(question);
    }
    const box = question ? question.element.querySelector(".inside") : list;
    while (target.startsWith("type-") && !document.getElementById(target)) {
      const more = box.querySelector(":scope > .next:not([hidden]) > button");
      if (!more) return;
      more.click();
      await new Promise((done) => setTimeout(done, 0));
    }
    document.getElementById(target)?.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) await reveal();
  list.dataset.ready = "yes";
})();
