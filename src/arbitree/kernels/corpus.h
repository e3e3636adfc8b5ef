// Trees prepared once for many comparisons, and the sums over groups of them.

#pragma once

#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "path_strategy.h"

namespace arbitree {

template <class Number>
using Values = std::span<const Number>;

struct Workspaces {
  Workspace<std::uint8_t> tiny;
  Workspace<std::uint16_t> small;
  Workspace<std::uint32_t> large;
  Workspace<double> weighted;
  PathMemory paths;
};

// All trees seen from one side.
struct Side {
  std::vector<std::int32_t> labels, leftmost, keyroots;
  std::vector<Tree> trees;

  // Afterwards no array moves, so the trees may point into them: there are as many keyroots as leaves.
  void reserve(std::size_t node_count, std::size_t tree_count) {
    labels.reserve(node_count);
    leftmost.reserve(node_count);
    keyroots.reserve(node_count);
    trees.reserve(tree_count);
  }

  // Makes a tree of the last nodes in labels and leftmost.
  void finish_tree(std::int32_t size) {
    const std::int32_t* const left = leftmost.data() + leftmost.size() - size;
    std::vector<bool> seen(size);  // leftmost leaves
    std::vector<std::int32_t> leaves, others;
    std::int64_t work = 0;
    for (std::int32_t v = size - 1; v >= 0; --v) {
      if (seen[left[v]]) continue;
      seen[left[v]] = true;
      work += v - left[v] + 1;
      (left[v] == v ? leaves : others).push_back(v);
    }
    const std::size_t start = keyroots.size();
    keyroots.insert(keyroots.end(), leaves.rbegin(), leaves.rend());
    keyroots.insert(keyroots.end(), others.rbegin(), others.rend());
    const auto all = std::span<const std::int32_t>(keyroots).subspan(start);
    trees.push_back({size, labels.data() + labels.size() - size, left, all.first(leaves.size()),
                     all.subspan(leaves.size()), work});
  }
};

class Corpus {
 public:
  // Throws std::invalid_argument unless the arrays fit together and every tree is one, in postorder.
  Corpus(Values<std::int64_t> offsets, Values<std::int32_t> labels, Values<std::int32_t> leftmost) {
    const auto total = static_cast<std::int64_t>(labels.size());
    if (leftmost.size() != labels.size()) throw std::invalid_argument("labels and leftmost differ in length");
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != total) {
      throw std::invalid_argument("offsets do not run from 0 to the number of labels");
    }
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
      if (offsets[t + 1] <= offsets[t]) refuse(t, "has no nodes");
      if (offsets[t + 1] - offsets[t] > INT32_MAX) refuse(t, "is too large");
    }
    for (const std::int32_t label : labels) {
      if (label < 0) throw std::invalid_argument("labels must not be negative");
      label_count_ = std::max<std::int64_t>(label_count_, std::int64_t{label} + 1);
    }
    left_.reserve(labels.size(), offsets.size() - 1);
    right_.reserve(labels.size(), offsets.size() - 1);
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
      const std::int64_t size = offsets[t + 1] - offsets[t];
      add(t, labels.subspan(offsets[t], size), leftmost.subspan(offsets[t], size));
    }
    number_kinds();
  }
  Corpus(const Corpus&) = delete;
  Corpus& operator=(const Corpus&) = delete;

  std::int64_t tree_count() const { return static_cast<std::int64_t>(left_.trees.size()); }
  std::int64_t label_count() const { return label_count_; }

  const Tree& left(std::int64_t x) const { return left_.trees[x]; }

  // Equal trees have equal kinds, from 0 to kind_count() - 1.
  std::int64_t kind(std::int64_t x) const { return kinds_[x]; }
  std::int64_t kind_count() const { return kind_count_; }

  // The forests of every kind of tree, numbered at the first call.
  const HashConsing& forests() const {
    std::call_once(numbered_, [this] {
      std::vector<std::int64_t> examples(kind_count_);
      for (std::int64_t x = tree_count() - 1; x >= 0; --x) examples[kinds_[x]] = x;
      forests_.emplace(number_forests(examples));
    });
    return *forests_;
  }

  // The program for all trees; bare as in HashConsing. Compiled at the first call.
  const SharedProgram& program(bool bare) const {
    std::call_once(compiled_[bare], [this, bare] { programs_[bare].emplace(forests(), kinds_, bare); });
    return *programs_[bare];
  }

  // The forests of some trees that all differ, numbered in their order, from the side with less work.
  HashConsing number_forests(Values<std::int64_t> trees) const {
    const auto work = [](const Side& side) {
      return std::accumulate(side.trees.begin(), side.trees.end(), 0.0, [](double sum, const Tree& tree) {
        return sum + static_cast<double>(tree.work);
      });
    };
    const Side& side = work(left_) <= work(right_) ? left_ : right_;
    std::vector<const Tree*> examples;
    for (const std::int64_t x : trees) examples.push_back(&side.trees[x]);
    return HashConsing(examples);
  }

  // What comparing a tree with others costs, found for all trees at the first call: the sum over several
  // pairs is at most the least of three products of sums.
  struct PairCosts {
    double whole[3] = {}, area[3] = {};  // by path

    PairCosts& operator+=(const PairCosts& other) {
      for (const Path path : kPaths) whole[path] += other.whole[path], area[path] += other.area[path];
      return *this;
    }

    // In cells of Zhang and Shasha's tables.
    double with(const PairCosts& others, bool heavy) const {
      const double simple = std::min(whole[kLeftPath] * others.area[kLeftPath],
                                     whole[kRightPath] * others.area[kRightPath]);
      if (!heavy) return simple;
      return std::min({simple, whole[kHeavyPath] * others.area[kHeavyPath],
                       others.whole[kHeavyPath] * area[kHeavyPath]});
    }
  };

  std::span<const PairCosts> pair_costs() const {
    std::call_once(priced_, [this] {
      for (std::int64_t x = 0; x < tree_count(); ++x) {
        const BothSides sides(left_.trees[x], right_.trees[x]);
        const CostTable costs(sides, PathForests<std::uint8_t>::kLanes);
        PairCosts& found = pair_costs_.emplace_back();
        std::copy(std::begin(costs.root().whole), std::end(costs.root().whole), found.whole);
        std::copy(std::begin(costs.root().area), std::end(costs.root().area), found.area);
      }
    });
    return pair_costs_;
  }

  // The arrays that it was made of.
  Values<std::int32_t> labels() const { return left_.labels; }
  Values<std::int32_t> leftmost() const { return left_.leftmost; }
  std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> all{0};
    for (const Tree& tree : left_.trees) all.push_back(all.back() + tree.size);
    return all;
  }

  double cells(std::int64_t x, std::int64_t y) const {
    const auto [a, b] = cheaper_side(x, y);
    return static_cast<double>(a.work) * static_cast<double>(b.work);
  }

  // Where kind is off, by Zhang and Shasha's algorithm alone.
  std::int64_t distance(std::int64_t x, std::int64_t y, LaneKind kind, Workspaces& spaces) const {
    const std::int64_t joint = std::int64_t{left(x).size} + left(y).size;
    const std::int64_t found = kinds_[x] == kinds_[y] ? 0 : joint - similar(x, y, kind, spaces);
    Watch::advance(left(x).weight(left(y)));
    return found;
  }

  double distance(std::int64_t x, std::int64_t y, const Costs& costs, Workspaces& spaces) const {
    const auto [a, b] = cheaper_side(x, y);
    const double found = arbitree::distance(a, b, costs, spaces.weighted);
    Watch::advance(a.weight(b));
    return found;
  }

 private:
  [[noreturn]] static void refuse(std::size_t tree, const char* why) {
    throw std::invalid_argument("tree " + std::to_string(tree) + " " + why);
  }

  void add(std::size_t t, Values<std::int32_t> labels, Values<std::int32_t> leftmost) {
    const auto size = static_cast<std::int32_t>(labels.size());
    const std::vector<std::int32_t> depth = depths(t, leftmost);
    left_.labels.insert(left_.labels.end(), labels.begin(), labels.end());
    left_.leftmost.insert(left_.leftmost.end(), leftmost.begin(), leftmost.end());
    left_.finish_tree(size);

    // Postorder from the right is preorder from the left, backwards; and before a node in preorder come
    // those to its left, leftmost[v] of them, and those above it.
    const std::size_t start = right_.labels.size();
    right_.labels.resize(start + size);
    right_.leftmost.resize(start + size);
    for (std::int32_t v = 0; v < size; ++v) {
      const std::int32_t place = size - 1 - (leftmost[v] + depth[v]);
      right_.labels[start + place] = labels[v];
      right_.leftmost[start + place] = place - (v - leftmost[v]);
    }
    right_.finish_tree(size);
  }

  // Returns how many nodes lie above each node, after checking that the intervals nest as those of a tree.
  static std::vector<std::int32_t> depths(std::size_t t, Values<std::int32_t> leftmost) {
    const auto size = static_cast<std::int32_t>(leftmost.size());
    std::vector<std::int32_t> parent(size), open;  // open: nodes whose parent is still to come
    for (std::int32_t v = 0; v < size; ++v) {
      std::int32_t start = v;
      while (!open.empty() && open.back() >= leftmost[v]) {
        start = leftmost[open.back()];
        parent[open.back()] = v;
        open.pop_back();
      }
      if (start != leftmost[v]) refuse(t, "is not in postorder");
      open.push_back(v);
    }
    if (open.size() > 1) refuse(t, "has more than one root");
    std::vector<std::int32_t> depth(size);
    for (std::int32_t v = size - 2; v >= 0; --v) depth[v] = depth[parent[v]] + 1;
    return depth;
  }

  void number_kinds() {
    const auto before = [this](std::size_t s, std::size_t t) {
      const Tree &a = left_.trees[s], &b = left_.trees[t];
      if (!std::equal(a.labels, a.labels + a.size, b.labels, b.labels + b.size)) {
        return std::lexicographical_compare(a.labels, a.labels + a.size, b.labels, b.labels + b.size);
      }
      return std::lexicographical_compare(a.leftmost, a.leftmost + a.size, b.leftmost, b.leftmost + b.size);
    };
    std::vector<std::size_t> order(left_.trees.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), before);
    // Numbered by their first trees: what is near in the corpus is near in every order of kinds.
    std::vector<std::size_t> leader(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const bool fresh = k == 0 || before(order[k - 1], order[k]);
      leader[order[k]] = fresh ? order[k] : leader[order[k - 1]];
    }
    kinds_.resize(order.size());
    for (std::size_t x = 0; x < order.size(); ++x)
      kinds_[x] = leader[x] == x ? kind_count_++ : kinds_[leader[x]];
  }

  // S of two trees at unit costs.
  std::int64_t similar(std::int64_t x, std::int64_t y, LaneKind kind, Workspaces& spaces) const {
    if (left(x).size > left(y).size) std::swap(x, y);  // a few long rows are quicker than many short ones
    const double joint = static_cast<double>(left(x).size) + left(y).size;
    const bool plan = kind != LaneKind::off && (plan_seed != 0 || cells(x, y) > kPlanCells * joint);
    const std::int32_t smaller = left(x).size;
    if (plan && smaller <= UINT8_MAX / 2) return planned(x, y, kind, spaces.tiny, spaces.paths);
    if (plan && smaller <= UINT16_MAX / 2) return planned(x, y, kind, spaces.small, spaces.paths);
    if (plan) return planned(x, y, kind, spaces.large, spaces.paths);
    const auto [a, b] = cheaper_side(x, y);
    const bool fits = smaller <= UINT16_MAX / 2;
    return fits ? similarity(a, b, spaces.small) : similarity(a, b, spaces.large);
  }

  template <class Number>
  std::int64_t planned(std::int64_t x, std::int64_t y, LaneKind kind, Workspace<Number>& space,
                       PathMemory& memory) const {
    const BothSides a(left_.trees[x], right_.trees[x]), b(left_.trees[y], right_.trees[y]);
    PathComparison<Number> comparison(a, b, kind, space, memory);
    if (!comparison.simple()) return comparison.similarity();
    const auto [first, second] = cheaper_side(x, y);  // the table of trees lies as this side needs it
    return similarity(first, second, space);
  }

  // Both trees seen from the side with fewer cells to fill.
  std::pair<const Tree&, const Tree&> cheaper_side(std::int64_t x, std::int64_t y) const {
    const auto cells = [=](const Side& side) {
      return static_cast<double>(side.trees[x].work) * static_cast<double>(side.trees[y].work);
    };
    const Side& side = cells(left_) <= cells(right_) ? left_ : right_;
    return {side.trees[x], side.trees[y]};
  }

  // A plan takes the time of so many cells for every node.
  static constexpr double kPlanCells = 300;

  Side left_, right_;
  std::vector<std::int64_t> kinds_;  // equal trees have equal kinds
  std::int64_t kind_count_ = 0, label_count_ = 0;
  mutable std::once_flag numbered_;
  mutable std::optional<HashConsing> forests_;
  mutable std::once_flag compiled_[2];
  mutable std::optional<SharedProgram> programs_[2];
  mutable std::once_flag priced_;
  mutable std::vector<PairCosts> pair_costs_;
};

// A block of pairs of groups: rows and columns are half-open ranges of group numbers.
struct Block {
  Values<std::int64_t> groups;   // group g is the trees groups[g] to groups[g + 1] - 1
  Values<double> counts, sizes;  // of every tree
  std::pair<std::int64_t, std::int64_t> rows, columns;

  std::int64_t height() const { return rows.second - rows.first; }
  std::int64_t width() const { return columns.second - columns.first; }
};

// The work of the trees of some groups with all trees after them, up to the last column.
inline double expected_work(const Corpus& corpus, const Block& block) {
  const std::int64_t last = block.groups[block.columns.second];
  const std::int64_t first = block.groups[block.rows.first], middle = block.groups[block.rows.second];
  double work = 0, after = 0;
  for (std::int64_t x = last - 1; x >= first; --x) {
    if (x < middle) work += after * corpus.left(x).size;
    after += corpus.left(x).size;
  }
  return work;
}

// Adds to out, (3, height, width), the weighted sums of squares of the three distances, for some rows.
//
// Every entry is summed in one order, trees of the row group outside, so that neither the blocks nor
// the threads show in the last digit. distances(x, first, last, to) writes the distances of x to the
// trees first to last - 1. They must be symmetric: a pair of trees inside a group is computed once and
// counted in both directions.
template <class Distances>
void add_squares(const Block& block, std::pair<std::int64_t, std::int64_t> rows, const Distances& distances,
                 double* out) {
  const std::int64_t plane = block.height() * block.width();
  std::vector<double> ted;
  for (std::int64_t i = rows.first; i < rows.second; ++i) {
    const std::int64_t start = std::max(i, block.columns.first);
    if (start >= block.columns.second) continue;
    for (std::int64_t x = block.groups[i]; x < block.groups[i + 1]; ++x) {
      look_for_stop();
      const std::int64_t first = i == start ? x + 1 : block.groups[start];
      const std::int64_t last = block.groups[block.columns.second];
      ted.resize(last - first);
      distances(x, first, last, ted.data());
      const double* next = ted.data();
      for (std::int64_t j = start; j < block.columns.second; ++j) {
        double* const entry = out + (i - block.rows.first) * block.width() + (j - block.columns.first);
        const double count = (i == j ? 2 : 1) * block.counts[x];
        double plain_sum = entry[0], diff_sum = entry[plane], norm_sum = entry[2 * plane];
        for (std::int64_t y = i == j ? x + 1 : block.groups[j]; y < block.groups[j + 1]; ++y, ++next) {
          const double joint = block.sizes[x] + block.sizes[y];
          const double diff = *next - std::abs(block.sizes[x] - block.sizes[y]);
          const double norm = joint == 0 ? 0 : *next / joint;
          const double weight = count * block.counts[y];
          plain_sum += weight * (*next * *next);
          diff_sum += weight * (diff * diff);
          norm_sum += weight * (norm * norm);
        }
        entry[0] = plain_sum;
        entry[plane] = diff_sum;
        entry[2 * plane] = norm_sum;
      }
    }
  }
}

// Distances of all pairs of trees: those of each tree to the trees after it, one tree after the other.
template <class Number>
class Triangle {
 public:
  // Throws std::invalid_argument unless there are as many distances as some number of trees has pairs.
  explicit Triangle(Values<Number> distances) : distances_(distances.data()) {
    const auto size = static_cast<std::int64_t>(distances.size());
    count_ = static_cast<std::int64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(size))) / 2);
    if (start(count_) != size) throw std::invalid_argument("the distances are not those of all pairs");
  }

  std::int64_t tree_count() const { return count_; }

  // Writes the distances of x to some trees.
  void write(std::int64_t x, Values<std::int64_t> others, double* out) const {
    const std::int64_t after = start(x) - x - 1;
    for (const std::int64_t y : others) {
      *out++ = y > x ? distances_[after + y] : y < x ? distances_[start(y) + x - y - 1] : 0;
    }
  }

 private:
  // The number of pairs of the trees before x with trees after them.
  std::int64_t start(std::int64_t x) const { return x * (2 * count_ - x - 1) / 2; }

  const Number* distances_;
  std::int64_t count_;
};

}  // namespace arbitree
