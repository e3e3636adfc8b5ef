// The tree edit distance of Zhang and Shasha (SIAM Journal on Computing 18, 1989).
//
// Nodes are numbered in postorder, so the nodes under v are the interval [leftmost[v], v], and every
// prefix of that interval is a forest. A keyroot is a node that has a sibling to its left, or the root:
// the highest node with its leftmost leaf. For two keyroots k and l, one table over the prefixes of
// their intervals gives the value of every pair of forests. Where both prefixes are whole trees (their
// last nodes x and y have the leftmost leaves of k and l), that value is the one of the trees at x and
// y, and is kept.
//
// Invariant: when the table of k and l is filled, the value of every pair of trees that it looks up is
// there. Such a pair lies inside the two intervals and belongs to another pair of keyroots, of which
// none comes after k or l in the order of the lists below.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "watch.h"

namespace arbitree {

// One tree, seen from the left or from the right.
struct Tree {
  std::int32_t size;
  const std::int32_t* labels;                   // (size,)
  const std::int32_t* leftmost;                 // (size,) leftmost leaf under each node
  std::span<const std::int32_t> leaf_keyroots;  // keyroots with nothing under them
  std::span<const std::int32_t> keyroots;       // the other keyroots, in postorder
  std::int64_t work;                            // sum of the sizes of the trees under all keyroots

  // The unit in which the progress of a call is counted.
  double weight(const Tree& other) const { return static_cast<double>(size) * other.size; }
};

// A comparison of more cells than this tells how much of it is done.
inline constexpr std::int64_t kLongCells = 1 << 20;

// Tells how many of the rows of all tables are filled.
inline void tell_rows(const Tree& a, const Tree& b, std::int64_t rows) {
  Watch::within(a.weight(b), static_cast<double>(rows) / static_cast<double>(a.work));
}

// The work arrays of one thread; they grow and are used again for the next pair.
template <class Number>
struct Workspace {
  std::vector<Number> trees;    // (n, m) value of every pair of trees
  std::vector<Number> forests;  // (rows + 1, columns + 1) value of every pair of forests under two keyroots

  void grow(const Tree& a, const Tree& b) {
    const auto n = static_cast<std::size_t>(a.size), m = static_cast<std::size_t>(b.size);
    if (trees.size() < n * m) trees.resize(n * m);
    if (forests.size() < (n + 1) * (m + 1)) forests.resize((n + 1) * (m + 1));
  }
};

// Unit costs. The tables hold similarities, S(x, y) = |x| + |y| - TED(x, y), because they make the loops
// short: to delete or to insert gains nothing, to match equal labels gains 2, to relabel gains 1, and a
// forest has similarity 0 to the empty one. So
//     S(F, G) = max(S(F - x, G), S(F, G - y), S(F - tree of x, G - tree of y) + S(tree of x, tree of y))
// for the last nodes x and y of F and G, and for two whole trees the last term becomes
//     S(F - x, G - y) + (2 if the labels are equal, else 1).
// S is at most 2 min(|x|, |y|), which must fit a Number.

// A single node and a tree have similarity 2 if its label occurs in the tree, else 1. That settles all
// leaf keyroots, which are most of the keyroots of usual trees, without tables.
template <class Number>
void compare_leaf(std::int32_t label, const Tree& tree, Number* __restrict out, std::ptrdiff_t step) {
  std::int32_t last = -1;  // the last node so far with this label
  for (std::int32_t v = 0; v < tree.size; ++v, out += step) {
    last = tree.labels[v] == label ? v : last;
    *out = static_cast<Number>(1 + (last >= tree.leftmost[v]));
  }
}

// Compares every leaf of either tree with all trees under nodes of the other.
template <class Number>
void compare_leaves(const Tree& a, const Tree& b, Number* trees) {
  for (std::int32_t x = 0; x < a.size; ++x) {
    if (a.leftmost[x] == x) compare_leaf(a.labels[x], b, trees + std::ptrdiff_t{x} * b.size, 1);
  }
  for (std::int32_t y = 0; y < b.size; ++y) {
    if (b.leftmost[y] == y) compare_leaf(b.labels[y], a, trees + y, b.size);
  }
}

// Where the nodes of both trees are in the table of trees; columns are counted from the first.
struct Straight {
  std::ptrdiff_t width;

  std::ptrdiff_t row(std::int32_t x, std::int32_t first) const { return x * width + first; }
  std::ptrdiff_t column(std::ptrdiff_t y, std::int32_t) const { return y; }
};
struct Turned {
  std::ptrdiff_t width;
  const std::int32_t *rows, *columns;

  std::ptrdiff_t row(std::int32_t x, std::int32_t) const { return rows[x] * width; }
  std::ptrdiff_t column(std::ptrdiff_t y, std::int32_t first) const { return columns[first + y]; }
};

template <class Number, class Places>
void compare_keyroots(const Tree& a, const Tree& b, std::int32_t k, std::int32_t l,
                      Workspace<Number>& space, const Places& places) {
  const std::int32_t first = a.leftmost[k], columns_from = b.leftmost[l];
  const std::ptrdiff_t width = l - columns_from + 1;
  const std::int32_t* __restrict leftmost = b.leftmost + columns_from;
  const std::int32_t* __restrict labels = b.labels + columns_from;
  Number* const forests = space.forests.data();
  std::fill(forests, forests + width + 1, Number{0});

  for (std::int32_t x = first; x <= k; ++x) {
    look_for_stop();
    Number* __restrict trees = space.trees.data() + places.row(x, columns_from);
    Number* __restrict row = forests + (x - first + 1) * (width + 1);
    const Number* __restrict above = forests + (x - first) * (width + 1);  // the forests without x
    unsigned here = row[0] = 0;
    // In both loops only the outer max waits for the cell to the left.
    if (a.leftmost[x] == first) {  // the prefix up to x is a whole tree: before it lies the empty forest
      const std::int32_t label = a.labels[x];
      for (std::ptrdiff_t y = 0; y < width; ++y) {
        const unsigned deleted = above[y + 1];
        if (leftmost[y] == columns_from) {
          const unsigned matched = above[y] + 1u + (labels[y] == label);
          here = std::max(here, std::max(deleted, matched));
          trees[places.column(y, columns_from)] = static_cast<Number>(here);
        } else {
          here = std::max(here, std::max<unsigned>(deleted, trees[places.column(y, columns_from)]));
        }
        row[y + 1] = static_cast<Number>(here);
      }
    } else {
      const Number* __restrict before = forests + (a.leftmost[x] - first) * (width + 1) - columns_from;
      for (std::ptrdiff_t y = 0; y < width; ++y) {
        const unsigned deleted = above[y + 1];
        const unsigned matched = before[leftmost[y]] + unsigned{trees[places.column(y, columns_from)]};
        here = std::max(here, std::max(deleted, matched));
        row[y + 1] = static_cast<Number>(here);
      }
    }
  }
}

// Returns S(a, b); afterwards space.trees holds S of all pairs of trees under nodes of a and b.
template <class Number>
std::int64_t similarity(const Tree& a, const Tree& b, Workspace<Number>& space) {
  space.grow(a, b);
  Number* const trees = space.trees.data();
  for (const std::int32_t x : a.leaf_keyroots) {
    compare_leaf(a.labels[x], b, trees + std::ptrdiff_t{x} * b.size, 1);
  }
  for (const std::int32_t y : b.leaf_keyroots) compare_leaf(b.labels[y], a, trees + y, b.size);
  const std::int64_t cells = a.work * b.work;
  std::int64_t done = 0;
  for (const std::int32_t k : a.keyroots) {
    for (const std::int32_t l : b.keyroots) compare_keyroots(a, b, k, l, space, Straight{b.size});
    done += k - a.leftmost[k] + 1;
    if (cells > kLongCells) tell_rows(a, b, done);
  }
  return trees[std::ptrdiff_t{a.size} * b.size - 1];
}

// Costs in tables, indexed by label. The tables hold distances, as in the paper.
struct Costs {
  std::int64_t label_count;
  const double* remove;             // (label_count,)
  const double* insert;             // (label_count,)
  const double* relabel = nullptr;  // (label_count, label_count) from a label of the first tree to one of
                                    // the second; where it is null, the pairs that are listed:
  std::vector<std::int64_t> starts = {};   // (label_count + 1,) where the pairs of each label begin
  const std::int32_t* others = nullptr;    // the second labels, rising for each first label
  const double* prices = nullptr;          // of each pair; others cost 1, and equal labels nothing

  double between(std::int32_t from, std::int32_t to) const {
    if (relabel != nullptr) return relabel[from * label_count + to];
    if (from == to) return 0;
    const std::int32_t *const first = others + starts[from], *const last = others + starts[from + 1];
    const std::int32_t* const place = std::lower_bound(first, last, to);
    return place != last && *place == to ? prices[place - others] : 1;
  }
};

inline void compare_keyroots(const Tree& a, const Tree& b, const Costs& costs, std::int32_t k, std::int32_t l,
                             Workspace<double>& space) {
  const std::int32_t first = a.leftmost[k], columns_from = b.leftmost[l];
  const std::ptrdiff_t width = l - columns_from + 1;
  const std::int32_t* __restrict leftmost = b.leftmost + columns_from;
  const std::int32_t* __restrict labels = b.labels + columns_from;
  double* const forests = space.forests.data();
  forests[0] = 0;
  for (std::ptrdiff_t y = 0; y < width; ++y) forests[y + 1] = forests[y] + costs.insert[labels[y]];

  for (std::int32_t x = first; x <= k; ++x) {
    look_for_stop();
    double* __restrict trees = space.trees.data() + std::ptrdiff_t{x} * b.size + columns_from;
    double* __restrict row = forests + (x - first + 1) * (width + 1);
    const double* __restrict above = forests + (x - first) * (width + 1);  // the forests without x
    const double* __restrict before = forests + (a.leftmost[x] - first) * (width + 1) - columns_from;
    const double removal = costs.remove[a.labels[x]];
    const bool whole = a.leftmost[x] == first;
    double here = row[0] = above[0] + removal;
    for (std::ptrdiff_t y = 0; y < width; ++y) {
      const bool both_whole = whole && leftmost[y] == columns_from;
      const double matched = (both_whole ? above[y] : before[leftmost[y]]) + trees[y];
      here = std::min(here + costs.insert[labels[y]], std::min(above[y + 1] + removal, matched));
      if (both_whole) trees[y] = here;
      row[y + 1] = here;
    }
  }
}

// Returns the cost of turning a into b; afterwards space.trees holds that of all pairs of trees. Until the
// table of its keyroots is filled, the entry of a pair holds the cost to relabel.
inline double distance(const Tree& a, const Tree& b, const Costs& costs, Workspace<double>& space) {
  space.grow(a, b);
  double* trees = space.trees.data();
  for (std::int32_t x = 0; x < a.size; ++x) {
    for (std::int32_t y = 0; y < b.size; ++y) *trees++ = costs.between(a.labels[x], b.labels[y]);
  }
  const std::int64_t cells = a.work * b.work;
  std::int64_t done = 0;
  for (const auto rows : {a.leaf_keyroots, a.keyroots}) {
    for (const std::int32_t k : rows) {
      for (const auto columns : {b.leaf_keyroots, b.keyroots}) {
        for (const std::int32_t l : columns) compare_keyroots(a, b, costs, k, l, space);
      }
      done += k - a.leftmost[k] + 1;
      if (cells > kLongCells) tell_rows(a, b, done);
    }
  }
  return space.trees[static_cast<std::size_t>(a.size) * static_cast<std::size_t>(b.size) - 1];
}

}  // namespace arbitree
