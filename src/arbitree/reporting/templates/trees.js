// Trees over words as SVG: phrases as branches, dependencies as arcs; or nodes as indented lines. All text is set as
// text, never as markup.
const Trees = (() => {
  const GAP = 14, ROW = 34, PAD = 8, SIZE = 13, ARC = 22;
  const space = "http://www.w3.org/2000/svg";
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${SIZE}px ${getComputedStyle(document.documentElement).getPropertyValue("--digits") || "monospace"}`;
  const widths = new Map();
  const width = (text) => {
    if (!widths.has(text)) widths.set(text, pen.measureText(text).width);
    return widths.get(text);
  };
  const make = (name, attributes, text) => {
    const found = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, typeof value === "number" ? Math.round(value * 10) / 10 : value);
    if (text !== undefined) found.textContent = text;
    return found;
  };

  // Four numbers per node become an object with its children and the tokens under it.
  const read = (flat, labels) => {
    const nodes = [];
    for (let at = 0; at < flat.length; at += 4) {
      const [label, parent, token, edge] = flat.slice(at, at + 4);
      nodes.push({ label: labels[label], parent, token, edge: edge < 0 ? "" : labels[edge], below: [], tokens: [], number: nodes.length });
    }
    for (const node of nodes) {
      if (node.parent >= 0) nodes[node.parent].below.push(node);
      if (node.token < 0) continue;
      const seen = new Set();  // dependencies can have cycles
      for (let each = node; each && !seen.has(each); each = nodes[each.parent]) {
        seen.add(each);
        each.tokens.push(node.token);
      }
    }
    return nodes;
  };
  const isArcs = (nodes) => nodes.some((node) => node.edge !== "");

  // What is on one side only is drawn in its colour: a label over these words, a relation to this head.
  const places = (nodes) => new Set(nodes.filter((node) => node.token < 0).map((node) => node.tokens.join(" ")));
  const keys = (node, nodes) => {
    if (!isArcs(nodes)) return [`${node.label}|${node.tokens.join(" ")}|${node.token < 0}`];
    return [`tag|${node.token}|${node.label}`, `arc|${node.token}|${node.parent < 0 ? -1 : nodes[node.parent].token}|${node.edge}`];
  };
  const mark = (nodes, others) => {
    const known = others.map((other) => new Set(other.flatMap((node) => keys(node, other))));
    const brackets = others.map(places);
    const arcs = isArcs(nodes) || others.some(isArcs);
    for (const node of nodes) {
      const own = (arcs && !isArcs(nodes) ? [`tag|${node.token}|${node.label}`, `arc|${node.token}|-1|`] : keys(node, nodes)).map((key) => known.some((each) => !each.has(key)));
      node.own = own[0];
      node.ownArc = own[1] ?? false;
      node.framed = !arcs && node.token < 0 && brackets.some((each) => !each.has(node.tokens.join(" ")));
    }
  };

  const frame = (wide, high, label, parts, kind) => {
    const svg = make("svg", { class: `picture ${kind}`, width: wide, height: high, viewBox: `0 0 ${Math.ceil(wide)} ${Math.ceil(high)}`, role: "img", "aria-label": label });
    svg.append(...parts);
    return svg;
  };
  const word = (text, x, y, marked) => make("text", { class: `word${marked ? " differs" : ""}`, x, y }, text);

  const branches = (nodes, words, { marked, folded, leftwards, label }) => {
    // Folded phrases are leaves. Leaves are in the order of the words; a trace follows the leaf before it.
    const shown = [], closed = new Set();
    const visit = (node) => {
      shown.push(node);
      if (node.below.length && folded(node)) closed.add(node);
      else node.below.forEach(visit);
    };
    const tops = nodes.filter((node) => node.parent < 0);
    tops.forEach(visit);
    let last = -1;
    const leaves = shown.filter((node) => closed.has(node) || !node.below.length).map((node) => {
      if (node.tokens.length) last = Math.min(...node.tokens);
      return [node, node.tokens.length ? last : last + 0.5];
    }).sort((a, b) => a[1] - b[1]).map(([node]) => node);
    const texts = new Map(leaves.map((leaf) => {
      const own = leaf.tokens.length ? leaf.tokens.map((token) => words[token]) : leaf.token < 0 && nodes.every((node) => node.token < 0) ? words : [];
      return [leaf, leaf.token >= 0 || own.length < 4 ? own.join(" ") : `${own[0]} … ${own[own.length - 1]}`];
    }));
    const room = new Map(leaves.map((leaf) => [leaf, Math.max(width(texts.get(leaf)), width(leaf.label)) + GAP]));
    const depth = new Map();
    const under = new Map();  // leaves under a node
    const rise = (node) => {
      depth.set(node, node.parent < 0 ? 0 : depth.get(nodes[node.parent]) + 1);
      if (room.has(node)) {
        under.set(node, [node]);
      } else {
        node.below.forEach(rise);
        under.set(node, node.below.flatMap((each) => under.get(each)));
        const missing = width(node.label) + GAP - under.get(node).reduce((sum, leaf) => sum + room.get(leaf), 0);
        if (missing > 0) for (const leaf of under.get(node)) room.set(leaf, room.get(leaf) + missing / under.get(node).length);
      }
    };
    tops.forEach(rise);
    const x = new Map();
    let wide = PAD;
    for (const leaf of leaves) {
      x.set(leaf, wide + room.get(leaf) / 2);
      wide += room.get(leaf);
    }
    wide += PAD;
    const put = (node) => {
      if (x.has(node)) return x.get(node);
      const found = node.below.map(put);
      x.set(node, (Math.min(...found) + Math.max(...found)) / 2);
      return x.get(node);
    };
    tops.forEach(put);
    const at = (node) => (leftwards ? wide - x.get(node) : x.get(node));
    const y = (node) => PAD + SIZE + depth.get(node) * ROW;
    const floor = Math.max(...shown.map(y)) + (closed.size || nodes.every((node) => node.token < 0) ? ROW : 22);
    const lines = [], labels = [];
    for (const node of shown) {
      const own = node.own || node.framed ? " own" : "";
      if (node.parent >= 0) lines.push(make("line", { class: `branch${own}`, x1: at(nodes[node.parent]), y1: y(nodes[node.parent]) + 5, x2: at(node), y2: y(node) - SIZE }));
      if (node.framed) labels.push(make("rect", { class: "frame", x: at(node) - width(node.label) / 2 - 4, y: y(node) - SIZE, width: width(node.label) + 8, height: SIZE + 6, rx: 3 }));
      labels.push(make("text", { class: `label${own}`, x: at(node), y: y(node) }, node.label));
      if (!texts.get(node)) continue;
      if (node.token < 0) {
        const half = width(texts.get(node)) / 2;
        lines.push(make("path", { class: "triangle", d: `M${at(node)} ${y(node) + 5} L${at(node) - half} ${floor - SIZE} L${at(node) + half} ${floor - SIZE} Z` }));
      }
      else if (floor - y(node) > ROW) lines.push(make("line", { class: "stem", x1: at(node), y1: y(node) + 5, x2: at(node), y2: floor - SIZE }));
      labels.push(word(texts.get(node), at(node), floor, node.tokens.some((token) => marked.has(token))));
    }
    return frame(wide, floor + PAD, label, [...lines, ...labels], "tree");
  };

  const arcs = (nodes, words, { marked, leftwards, label }) => {
    const tokens = nodes.filter((node) => node.token >= 0).sort((a, b) => a.token - b.token);
    const order = new Map(tokens.map((node, place) => [node.number, place]));
    const links = tokens.filter((node) => order.has(node.parent)).map((node) => {
      const [low, high] = [order.get(node.number), order.get(node.parent)].sort((a, b) => a - b);
      return { node, low, high, level: 0 };
    }).sort((a, b) => a.high - a.low - (b.high - b.low) || a.low - b.low);
    for (const link of links) {
      const inside = links.filter((each) => each !== link && each.level && each.low >= link.low && each.high <= link.high);
      link.level = 1 + Math.max(0, ...inside.map((each) => each.level));
    }
    const room = tokens.map((node) => Math.max(width(words[node.token] ?? ""), width(node.label)) + GAP);
    for (const { node, low, high } of links) {  // the relation fits between its words
      const missing = width(node.edge) * 0.85 + GAP - (room.slice(low, high + 1).reduce((sum, each) => sum + each, 0) - room[low] / 2 - room[high] / 2);
      if (missing > 0) { room[low] += missing; room[high] += missing; }
    }
    let wide = PAD;
    const middle = room.map((each) => (wide += each) - each / 2);
    wide += PAD;
    const at = (place) => (leftwards ? wide - middle[place] : middle[place]);
    const roots = tokens.some((node) => node.edge && !order.has(node.parent));
    const floor = PAD + SIZE + ARC * (Math.max(0, ...links.map((link) => link.level)) + (roots ? 1 : 0)) + SIZE;
    const parts = [], above = [];
    for (const { node, low, high, level } of links) {
      const own = node.ownArc ? " own" : "";
      const end = at(order.get(node.number));
      const side = end < at(order.get(node.parent)) ? 4 : -4;
      const start = at(order.get(node.parent)) - side, top = floor - SIZE - level * ARC;
      parts.push(make("path", { class: `arc${own}`, d: `M${start} ${floor - SIZE} C${start} ${top - ARC / 3} ${end} ${top - ARC / 3} ${end} ${floor - SIZE}` }));
      parts.push(make("path", { class: `point${own}`, d: `M${end - 4} ${floor - SIZE - 6} h8 l-4 6 Z` }));
      above.push(make("text", { class: `edge${own}`, x: (start + end) / 2, y: floor - SIZE - 0.75 * (level * ARC + ARC / 3) + 4 }, node.edge));
    }
    tokens.forEach((node, place) => {
      const own = node.ownArc ? " own" : "";
      if (node.edge && !order.has(node.parent)) {
        parts.push(make("path", { class: `arc${own}`, d: `M${at(place)} ${PAD + SIZE} V${floor - SIZE}` }));
        parts.push(make("path", { class: `point${own}`, d: `M${at(place) - 4} ${floor - SIZE - 6} h8 l-4 6 Z` }));
        above.push(make("text", { class: `edge${own}`, x: at(place), y: PAD + SIZE }, node.edge));
      }
      above.push(word(words[node.token] ?? "", at(place), floor + 4, marked.has(node.token)));
      above.push(make("text", { class: `label${node.own ? " own" : ""}`, x: at(place), y: floor + SIZE + 8 }, node.label));
    });
    return frame(wide, floor + SIZE + 8 + PAD, label, [...parts, ...above], "arcs");
  };

  // One line per node: its relation to the node above, and its label.
  const line = (node, nodes) => `${node.edge}|${node.label}|${node.parent < 0 ? "" : nodes[node.parent].label}`;
  const markLines = (nodes, others) => {
    const known = others.map((other) => new Set(other.map((node) => line(node, other))));
    for (const node of nodes) node.own = known.some((each) => !each.has(line(node, nodes)));
  };
  const outline = (nodes, label) => {
    const depth = [];
    let wide = 0;
    const parts = nodes.map((node, row) => {
      depth.push(node.parent < 0 ? 0 : depth[node.parent] + 1);
      const text = node.edge ? `:${node.edge} ${node.label}` : node.label;
      const start = PAD + depth[row] * 3 * SIZE;
      wide = Math.max(wide, start + width(text) * 1.1);
      return make("text", { class: node.own ? "after label own" : "after word", x: start, y: PAD + SIZE + row * 1.5 * SIZE }, text);
    });
    return frame(wide + PAD, 2 * PAD + nodes.length * 1.5 * SIZE, label, parts, "outline");
  };

  const draw = (nodes, words, options) => (isArcs(nodes) ? arcs : branches)(nodes, words, { marked: new Set(), folded: () => false, leftwards: false, label: "", ...options });
  return { read, mark, markLines, draw, outline, isArcs };
})();
