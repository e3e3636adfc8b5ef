// One number for all equal forests of a corpus, so that work is done once per forest and not per tree.
//
// The forests are those of Zhang and Shasha: the prefixes, in postorder, of the trees under keyroots. A
// forest is known by its parts: a single tree by its label and the forest below its root, any other by
// its last tree and the forest before that.
//
// Invariant: forest 0 is the empty one, and the parts of a forest have smaller numbers than itself. So
// the numbers in rising order are an order in which values can be computed, for any set of forests that
// contains the parts of its members, and the forests of one tree are such a set.

#pragma once

#include <bit>

#include "zhang_shasha.h"

namespace arbitree {

struct Forest {
  std::int32_t before;  // without its last tree
  std::int32_t tree;    // its last tree alone: itself, if it is a single tree
  std::int32_t rest;    // without the root of its last tree
  std::int32_t below;   // the children of the root of its last tree
  std::int32_t label;   // of that root, a place in HashConsing::labels()
  std::int32_t size;    // nodes

  bool single() const { return before == 0; }
};

// Numbers by pairs of numbers, in one array: most pairs are looked up again and again.
class PairNumbers {
 public:
  // Returns the number of a pair, and whether it is fresh: then it is next.
  std::pair<std::int32_t, bool> add(std::int32_t high, std::int32_t low, std::int32_t next) {
    if (2 * ++count_ > entries_.size()) grow();
    const std::uint64_t key =
        std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
    Entry& entry = find(key);
    const bool fresh = entry.number < 0;
    if (fresh) entry = {key, next};
    count_ -= !fresh;
    return {entry.number, fresh};
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t number = -1;  // -1: none
  };

  // The entry of a key, or the one to put it into.
  Entry& find(std::uint64_t key) {
    std::size_t place = (key ^ key >> 32) * 0x9e3779b97f4a7c15 >> shift_;
    while (entries_[place].number >= 0 && entries_[place].key != key) place = (place + 1) & (entries_.size() - 1);
    return entries_[place];
  }

  void grow() {
    std::vector<Entry> before(entries_.size() * 2);
    before.swap(entries_);
    shift_ = 64 - std::bit_width(entries_.size() - 1);
    for (const Entry& entry : before) {
      if (entry.number >= 0) find(entry.key) = entry;
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(1024);  // a power of two, at most half of them taken
  int shift_ = 54;
  std::size_t count_ = 0;
};

class HashConsing {
 public:
  // Trees of more forests than this, and all trees after so many forests, are left out: they would need
  // more memory than they save time.
  static constexpr std::int64_t kTreeLimit = 1 << 14;
  static constexpr std::size_t kLimit = 1 << 23;

  // Numbers the forests of the trees, which all differ.
  explicit HashConsing(std::span<const Tree* const> trees) {
    for (const Tree* const tree : trees)
      labels_.insert(labels_.end(), tree->labels, tree->labels + tree->size);
    std::sort(labels_.begin(), labels_.end());
    labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
    starts_.push_back(0);
    std::vector<std::int32_t> found;
    for (const Tree* const tree : trees) {
      look_for_stop();
      one_root_ &= tree->labels[tree->size - 1] == trees[0]->labels[trees[0]->size - 1];
      if (tree->work <= kTreeLimit && forests_.size() < kLimit) {
        found.clear();
        add(*tree, found);
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        members_.insert(members_.end(), found.begin(), found.end());
      }
      starts_.push_back(members_.size());
    }
    singles_ = {};
    others_ = {};
    schedule();
  }

  std::size_t size() const { return forests_.size(); }
  const Forest& operator[](std::int32_t number) const { return forests_[number]; }

  // All forests but the empty one, in an order in which parts come before, with some distance where
  // possible: a processor computes several columns at once if they do not wait for each other.
  std::span<const std::int32_t> order() const { return order_; }

  // The forests of one tree, without the empty one, in rising order: the last is the tree itself. None if
  // the tree was left out.
  std::span<const std::int32_t> members(std::int64_t tree) const {
    return std::span(members_).subspan(starts_[tree], starts_[tree + 1] - starts_[tree]);
  }

  // The forests of one tree whose values are needed. Bare, the roots of all trees carry one label: they are
  // matched in some best mapping, and what counts is the forest below.
  std::span<const std::int32_t> members(std::int64_t tree, bool bare) const {
    const auto all = members(tree);
    return bare && !all.empty() ? all.first(all.size() - 1) : all;
  }

  // The forest whose values are those of a tree that was not left out.
  std::int32_t top(std::int64_t tree, bool bare) const {
    const std::int32_t whole = members(tree).back();
    return bare ? forests_[whole].below : whole;
  }

  // All labels of the trees, in rising order.
  std::span<const std::int32_t> labels() const { return labels_; }

  // Whether the roots of all trees carry the same label.
  bool one_root() const { return one_root_; }

 private:
  void add(const Tree& tree, std::vector<std::int32_t>& found) {
    alone_.resize(tree.size);
    prefixes_.resize(tree.size + 1);
    for (const auto& keyroots : {tree.leaf_keyroots, tree.keyroots}) {
      for (const std::int32_t k : keyroots) {
        const std::int32_t first = tree.leftmost[k];
        for (std::int32_t v = first; v <= k; ++v) {  // prefixes_[v - first]: the nodes from first to v - 1
          const std::int32_t rest = prefixes_[v - first], before = prefixes_[tree.leftmost[v] - first];
          if (tree.leftmost[v] == first) alone_[v] = single(place(tree.labels[v]), rest);
          prefixes_[v - first + 1] = before == 0 ? alone_[v] : joined(before, alone_[v], rest);
          found.push_back(prefixes_[v - first + 1]);
        }
      }
    }
  }

  std::int32_t place(std::int32_t label) const {
    return static_cast<std::int32_t>(std::lower_bound(labels_.begin(), labels_.end(), label) -
                                     labels_.begin());
  }

  std::int32_t single(std::int32_t label, std::int32_t below) {
    const auto next = static_cast<std::int32_t>(forests_.size());
    const auto [number, fresh] = singles_.add(label, below, next);
    if (fresh) forests_.push_back({0, next, below, below, label, forests_[below].size + 1});
    return number;
  }

  std::int32_t joined(std::int32_t before, std::int32_t tree, std::int32_t rest) {
    const auto next = static_cast<std::int32_t>(forests_.size());
    const auto [number, fresh] = others_.add(before, tree, next);
    if (fresh) {
      const Forest last = forests_[tree];
      forests_.push_back({before, tree, rest, last.below, last.label, forests_[before].size + last.size});
    }
    return number;
  }

  // Takes from the next few forests, again and again, the one whose parts have been ready for longest.
  void schedule() {
    constexpr std::size_t kWindow = 48;
    constexpr std::int32_t kDelay = 8;  // columns until the values of a column are there
    std::vector<std::int32_t> ready(forests_.size(), INT32_MAX);
    ready[0] = 0;
    std::vector<std::int32_t> window;
    order_.reserve(forests_.size());
    std::size_t next = 1;
    for (std::int32_t time = 0; order_.size() + 1 < forests_.size(); ++time) {
      while (window.size() < kWindow && next < forests_.size())
        window.push_back(static_cast<std::int32_t>(next++));
      std::size_t best = 0;
      std::int32_t earliest = INT32_MAX;
      for (std::size_t k = 0; k < window.size() && earliest > time; ++k) {
        const Forest& forest = forests_[window[k]];
        std::int32_t start = std::max(ready[forest.rest], ready[forest.before]);
        if (!forest.single()) start = std::max(start, ready[forest.tree]);
        if (start < earliest) {
          earliest = start;
          best = k;
        }
      }
      const std::int32_t chosen = window[best];
      window.erase(window.begin() + static_cast<std::ptrdiff_t>(best));
      order_.push_back(chosen);
      ready[chosen] = time + kDelay;
    }
  }

  std::vector<Forest> forests_{{0, 0, 0, 0, -1, 0}};
  std::vector<std::int32_t> labels_;
  std::vector<std::size_t> starts_;  // of the members of each tree
  std::vector<std::int32_t> members_, order_;
  bool one_root_ = true;

  PairNumbers singles_, others_;  // while numbering
  std::vector<std::int32_t> alone_, prefixes_;
};

}  // namespace arbitree
