// The similarity of two trees by the paths that make least work.
//
// To compare two trees, take one of them apart along a path from its root to a leaf. The trees beside the
// path are compared with the other tree before, each again along the best path. A path along first or last
// children needs only forests of the other tree that Zhang and Shasha's algorithm has from that side; a path
// along the largest children (heavy_path.h) needs all of its forests, but fewer trees lie beside it, and
// vectors compute it. So a comb takes the first, and a tree that turns left and right takes the last.
//
// The cost of a plan is known without trying it: the cost of one path, plus that of all trees beside it under
// one of the four simple plans. Every pair of trees takes the cheapest plan, so none costs more than the best
// simple plan for the whole: O(n^3 log n) for trees of n nodes, where Zhang and Shasha need up to O(n^4).
//
// Reference: Pawlik & Augsten, Information Systems 56, 2016 (which finds the best plan of all, from tables
// of n^2 costs).

#pragma once

#include <limits>

#include "heavy_path.h"

namespace arbitree {

enum Path { kLeftPath, kRightPath, kHeavyPath };
inline constexpr Path kPaths[] = {kLeftPath, kRightPath, kHeavyPath};

// What the tree under a node costs. A unit is one cell of Zhang and Shasha's tables. A path costs its steps
// times the area of the other tree for this kind of path. Leaves cost nothing: they are compared apart.
struct TreeCosts {
  std::int32_t child[3] = {-1, -1, -1};  // the next node on every path
  double steps[3] = {1, 1, 1};
  double area[3] = {};
  double whole[3] = {};        // steps of a path, and of all paths of this kind in the trees beside it
  double beside[3][3] = {};    // whole of the trees beside a path, under each kind of path
  double beside_area[3] = {};  // for heavy paths, of the trees beside a path
  int side = -1;               // of the last trees beside the heavy path
};

class CostTable {
 public:
  CostTable(const BothSides& tree, std::int32_t lanes) : nodes_(tree.size()) {
    const std::int32_t* const leftmost = tree.from(0).leftmost;
    for (std::int32_t v = 0; v < tree.size(); ++v) {
      if (leftmost[v] != v) add(leftmost, v, lanes);
    }
  }

  const TreeCosts& operator[](std::int32_t v) const { return nodes_[v]; }
  const TreeCosts& root() const { return nodes_.back(); }

 private:
  // Measured: a cell of a heavy path, and an exchange of rows and lanes, in steps.
  static constexpr double kHeavyCell = 0.1, kExchange = 3;

  void add(const std::int32_t* leftmost, std::int32_t v, std::int32_t lanes) {
    TreeCosts& node = nodes_[v];
    const double size = v - leftmost[v] + 1;
    node.child[kRightPath] = node.child[kHeavyPath] = v - 1;
    for (std::int32_t c = v - 1; c >= leftmost[v]; c = leftmost[c] - 1) {
      node.child[kLeftPath] = c;
      const std::int32_t heavy = node.child[kHeavyPath];
      if (c - leftmost[c] > heavy - leftmost[heavy]) node.child[kHeavyPath] = c;
    }
    for (const Path path : kPaths) {
      const TreeCosts& next = nodes_[node.child[path]];
      std::copy(&next.beside[path][0], &next.beside[path][0] + 3, &node.beside[path][0]);
      node.beside_area[path] = next.beside_area[path];
    }
    for (std::int32_t c = v - 1; c >= leftmost[v]; c = leftmost[c] - 1) {
      if (leftmost[c] != c) add_beside(node, c);
    }
    node.steps[kLeftPath] = node.steps[kRightPath] = size;
    node.steps[kHeavyPath] = heavy_steps(leftmost, v);
    for (const Path path : kPaths) node.whole[path] = node.steps[path] + node.beside[path][path];
    node.area[kLeftPath] = node.whole[kLeftPath];
    node.area[kRightPath] = node.whole[kRightPath];
    node.area[kHeavyPath] = kHeavyCell * size * (size + lanes) / 2;
  }

  void add_beside(TreeCosts& node, std::int32_t child) {
    const TreeCosts& other = nodes_[child];
    for (const Path path : kPaths) {
      if (node.child[path] == child) continue;
      for (const Path its : kPaths) node.beside[path][its] += other.whole[its];
      node.beside_area[path] += other.area[kHeavyPath];
    }
  }

  double heavy_steps(const std::int32_t* leftmost, std::int32_t v) {
    TreeCosts& node = nodes_[v];
    const std::int32_t child = node.child[kHeavyPath];
    const TreeCosts& next = nodes_[child];
    const bool to_the_right = child < v - 1, to_the_left = leftmost[child] > leftmost[v];
    node.side = next.side;
    double steps = next.steps[kHeavyPath] + (v - leftmost[v]) - (child - leftmost[child]);
    if (to_the_right && to_the_left) {
      node.side = 1 - std::max(next.side, 0);
      steps += kExchange;
    } else if (to_the_right || to_the_left) {
      node.side = to_the_right ? 0 : 1;
      if (next.side == 1 - node.side) steps += kExchange;
    }
    return steps;
  }

  std::vector<TreeCosts> nodes_;
};

struct Plan {
  double cost = std::numeric_limits<double>::infinity();
  Path path = kLeftPath;
  bool of_second = false;  // tree: the path is one of the second tree
  bool simple = false;     // all trees beside the path take the same kind of path
};

// The cheapest plan for two trees that are not leaves.
inline Plan best_plan(const TreeCosts& a, const TreeCosts& b) {
  Plan best;
  for (const bool of_second : {false, true}) {
    const TreeCosts &f = of_second ? b : a, &g = of_second ? a : b;
    for (const Path path : kPaths) {
      const double now = f.steps[path] * g.area[path];
      for (const Path later : kPaths) {
        const Plan plan{now + f.beside[path][later] * g.area[later], path, of_second,
                        path == later && path != kHeavyPath};
        if (plan.cost < best.cost) best = plan;
      }
      const double exchanged = now + f.beside_area[path] * g.whole[kHeavyPath];
      if (exchanged < best.cost) best = {exchanged, path, of_second, false};
    }
  }
  return best;
}

// For tests: any number but 0 makes plans that look random and depend on it.
inline std::atomic<std::uint32_t> plan_seed{0};

inline Plan random_plan(std::uint32_t seed, std::int32_t v, std::int32_t w) {
  const auto pair = 31 * static_cast<std::uint32_t>(v) + static_cast<std::uint32_t>(w);
  const std::uint32_t mixed = (seed + pair) * 2654435769u;
  const Path path = kPaths[(mixed >> 16) % 3];
  return {0, path, (mixed >> 24) % 2 == 1, path != kHeavyPath && (mixed >> 28) % 4 == 0};
}

// Compares two trees pair by pair of the trees under their nodes.
template <class Number>
class PathComparison {
 public:
  PathComparison(const BothSides& a, const BothSides& b, LaneKind kind, Workspace<Number>& space,
                 PathMemory& memory)
      : sides_{&a, &b},
        costs_{CostTable(a, PathForests<Number>::kLanes), CostTable(b, PathForests<Number>::kLanes)},
        kind_(kind),
        space_(space),
        memory_(memory) {}

  // Whether Zhang and Shasha's algorithm is best for the whole.
  bool simple() const { return plan(sides_[0]->size() - 1, sides_[1]->size() - 1).simple && plan_seed == 0; }

  // Returns S of both trees; afterwards the table of trees holds S of all pairs, counted from the left.
  std::int64_t similarity() {
    const Tree &a = sides_[0]->from(0), &b = sides_[1]->from(0);
    space_.grow(a, b);
    compare_leaves(a, b, space_.trees.data());
    todo_.push_back({{a.size - 1, b.size - 1}, {}, false});
    whole_ = plan(a.size - 1, b.size - 1).cost;
    while (!todo_.empty()) {
      Task task = todo_.back();
      if (task.planned) {
        todo_.pop_back();
        compare(task);
      } else {
        task.plan = plan(task.nodes[0], task.nodes[1]);
        task.planned = true;
        todo_.back() = task;
        if (!task.plan.simple) put_off(task);
      }
    }
    return space_.trees[std::ptrdiff_t{a.size} * b.size - 1];
  }

 private:
  struct Task {
    std::int32_t nodes[2];  // counted from the left
    Plan plan;
    bool planned;
  };

  Plan plan(std::int32_t v, std::int32_t w) const {
    const std::uint32_t seed = plan_seed.load(std::memory_order_relaxed);
    return seed == 0 ? best_plan(costs_[0][v], costs_[1][w]) : random_plan(seed, v, w);
  }

  // Adds the trees beside the path, which have to be compared first.
  void put_off(const Task& task) {
    const int of = task.plan.of_second;
    const std::int32_t* const leftmost = sides_[of]->from(0).leftmost;
    for (std::int32_t v = task.nodes[of]; leftmost[v] != v;) {
      const std::int32_t next = costs_[of][v].child[task.plan.path];
      for (std::int32_t c = v - 1; c >= leftmost[v]; c = leftmost[c] - 1) {
        if (c == next || leftmost[c] == c) continue;
        Task beside{{task.nodes[0], task.nodes[1]}, {}, false};
        beside.nodes[of] = c;
        todo_.push_back(beside);
      }
      v = next;
    }
  }

  void compare(const Task& task) {
    if (task.plan.path == kHeavyPath) return compare_heavy(task);
    const int side = task.plan.path == kRightPath;
    const bool every[2] = {task.plan.simple || task.plan.of_second, task.plan.simple || !task.plan.of_second};
    const Tree &a = sides_[0]->from(side), &b = sides_[1]->from(side);
    for_keyroots(0, task, side, every[0], [&](std::int32_t k) {
      for_keyroots(1, task, side, every[1], [&](std::int32_t l) {
        if (side == 0) return compare_keyroots(a, b, k, l, space_, Straight{b.size});
        compare_keyroots(a, b, k, l, space_, Turned{b.size, sides_[0]->others(1), sides_[1]->others(1)});
      });
      const double rows = k - a.leftmost[k] + 1;
      tell(rows * (every[1] ? costs_[1][task.nodes[1]].area[side] : costs_[1][task.nodes[1]].steps[side]));
    });
  }

  // Calls function with the keyroots under a node that are no leaves, or with the node alone.
  template <class Function>
  void for_keyroots(int of, const Task& task, int side, bool every, const Function& function) const {
    const std::int32_t root = sides_[of]->place(task.nodes[of], side);
    if (every) {
      const auto all = sides_[of]->from(side).keyroots;
      const std::int32_t start = sides_[of]->start(task.nodes[of], side);
      for (auto k = std::lower_bound(all.begin(), all.end(), start); k != all.end() && *k < root; ++k) {
        function(*k);
      }
    }
    function(root);
  }

  void compare_heavy(const Task& task) {
    const int of = task.plan.of_second;
    const BothSides& f = *sides_[of];
    const std::int32_t width = sides_[1]->size();
    TreeTable<Number> trees{space_.trees.data(), width, 1};
    if (of == 1) std::swap(trees.f_stride, trees.g_stride);
    std::vector<std::int32_t> path{task.nodes[of]};
    while (costs_[of][path.back()].child[kHeavyPath] >= 0) {
      path.push_back(costs_[of][path.back()].child[kHeavyPath]);
    }
    PathForests<Number> chain(f, *sides_[1 - of], task.nodes[1 - of], trees, kind_, memory_);
    for (std::size_t k = path.size() - 1; k-- > 0;) {  // begin on the side that the first node needs
      if (costs_[of][path[k]].side < 0) continue;
      const std::int32_t v = path[k], next = path[k + 1];
      chain.set_side(next == v - 1 ? 1 : 0);
      break;
    }
    chain.add(0, 0, path.back());
    const double area = costs_[1 - of][task.nodes[1 - of]].area[kHeavyPath];
    for (std::size_t k = path.size() - 1; k-- > 0;) {
      add_to(chain, f, path[k], path[k + 1]);
      const TreeCosts &here = costs_[of][path[k]], &below = costs_[of][path[k + 1]];
      tell((here.steps[kHeavyPath] - below.steps[kHeavyPath]) * area);
    }
  }

  // Adds to the cost that was paid so far.
  void tell(double cost) {
    done_ += cost;
    if (whole_ > kLongCells) Watch::within(sides_[0]->from(0).weight(sides_[1]->from(0)), done_ / whole_);
  }

  // Adds node v of a path, with the trees beside the next node of the path.
  static void add_to(PathForests<Number>& chain, const BothSides& f, std::int32_t v, std::int32_t next) {
    const auto beside = [&](int side) { return f.place(v, side) - f.place(next, side) - 1; };
    const auto add = [&](int side, std::int32_t root) {
      chain.set_side(side);
      chain.add(f.place(next, side) + 1, f.place(v, side), root);
    };
    const int now = chain.side();
    if (beside(0) > 0 && beside(1) > 0) {
      add(now, -1);
      add(1 - now, v);
    } else {
      add(beside(1 - now) > 0 ? 1 - now : now, v);
    }
  }

  const BothSides* sides_[2];
  const CostTable costs_[2];
  const LaneKind kind_;
  Workspace<Number>& space_;
  PathMemory& memory_;
  std::vector<Task> todo_;
  double whole_ = 0, done_ = 0;  // costs
};

}  // namespace arbitree
