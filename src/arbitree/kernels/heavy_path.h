// The similarity of a tree F, taken apart along a path, to all forests of a tree G.
//
// The forests of F are a chain: the empty one, then the lowest node of the path, and so on upwards. For
// every node of the path, first come the nodes to the right of its child on the path, in postorder, and
// those to the left, in postorder from the right (or the other way round), then the node itself. The forests
// of G are all that remain when nodes are taken off its left and right ends: with y and z for places in
// postorder from one side and from the other, forest (y, z) is the nodes up to y from the one side that are
// also up to z from the other. So there are fewer than |F| |G|^2 pairs.
//
// To add a node x to the chain on one side is a step for all forests of G:
//     S(F', (y, z)) = max(S(F' - x, (y, z)), S(F', (y - 1, z)),
//                         S(F' - tree of x, (y, z) - tree of y) + S(tree of x, tree of y))
// with the last term only where y belongs to (y, z). No z looks at another z: they are the lanes of vectors,
// and the loop runs over y. A node of the side from which z counts needs rows and lanes exchanged. A node u
// of the path is matched to nobody, or to some y: that is a step too, with the gain of matching both plus
// S(forest below u, forest below y) in place of the sum.
//
// References: Demaine, Mozes, Rossman & Weimann, ACM Transactions on Algorithms 6(1), 2009; Pawlik & Augsten,
// ACM Transactions on Database Systems 40(1), 2015.
//
// Invariant: S of all pairs of trees under F and G of which one is beside the path is known before.

#pragma once

#include <array>

#include "vector_lanes.h"

namespace arbitree {

// One step for the lanes of a block. Row y + 1 - from of every array holds the forests that end in y; row 0
// is empty, and so are all forests of this block that end before from.
template <class Number>
struct Step {
  static constexpr std::int32_t kLanes = 128 / sizeof(Number);

  const Number* rest;               // without x
  const Number* before;             // without the tree of x
  Number* result;                   // may be rest
  const Number* gains;              // S(tree of x, tree of y), at places[y]
  const std::int64_t* places;
  const std::int32_t* leftmost;     // of every y
  const std::int32_t* first_place;  // from the other side; minus first_lane, this is the first lane with y
  std::int32_t first_lane, from, size;
};

// Zeros, then ones: from place kLanes - k on, the first k lanes are off and the others on.
template <class Number>
alignas(64) inline constexpr auto kWindow = [] {
  std::array<Number, 2 * Step<Number>::kLanes> window{};
  std::fill(window.begin() + Step<Number>::kLanes, window.end(), static_cast<Number>(-1));
  return window;
}();

// The iterations of the next loop may run at the same time.
#if defined(__clang__)
#define ARBITREE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ARBITREE_INDEPENDENT _Pragma("GCC ivdep")
#endif

template <class Number>
[[gnu::always_inline]] inline void take_step(const Step<Number>& step) {
  constexpr std::int32_t kLanes = Step<Number>::kLanes;
  const Number* rest = step.rest + kLanes;
  Number* result = step.result + kLanes;
  for (std::int32_t y = step.from; y < step.size; ++y, rest += kLanes, result += kLanes) {
    const Number gain = step.gains[step.places[y]];
    const std::int32_t first = std::clamp(step.first_place[y] - step.first_lane, 0, kLanes);
    const Number* const on = kWindow<Number>.data() + kLanes - first;
    const Number* const before = step.before + std::max(step.leftmost[y] - step.from, 0) * kLanes;
    const Number* const above = result - kLanes;
    ARBITREE_INDEPENDENT
    for (std::int32_t k = 0; k < kLanes; ++k) {
      const auto matched = static_cast<Number>((before[k] + gain) & on[k]);
      result[k] = std::max(std::max(above[k], rest[k]), matched);
    }
  }
}

template <class Number>
void take_any_step(const Step<Number>& step) {
  take_step(step);
}

#if ARBITREE_X86
template <class Number>
__attribute__((target("avx2"))) void take_avx2_step(const Step<Number>& step) {
  take_step(step);
}

template <class Number>
__attribute__((target("avx512f,avx512bw"))) void take_avx512_step(const Step<Number>& step) {
  take_step(step);
}
#endif

template <class Number>
using StepLoop = void (*)(const Step<Number>&);

template <class Number>
StepLoop<Number> step_loop([[maybe_unused]] LaneKind kind) {
#if ARBITREE_X86
  if (kind == LaneKind::avx512) return take_avx512_step<Number>;
  if (kind == LaneKind::avx2) return take_avx2_step<Number>;
#endif
  return take_any_step<Number>;
}

#define ARBITREE_UNROLL_ALL _Pragma("GCC unroll 16")

// Squares of numbers whose rows become columns.
template <class Number>
struct Tile {
#if ARBITREE_X86
  static constexpr std::int32_t kSize = 16 / sizeof(Number);

  static void turn(const Number* from, Number* to, std::ptrdiff_t stride) {
    __m128i rows[kSize];
    ARBITREE_UNROLL_ALL
    for (int k = 0; k < kSize; ++k) {
      rows[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + k * stride));
    }
    // Interleaving the two halves doubles what lies together of a column, until all of it does.
    ARBITREE_UNROLL_ALL
    for (int done = 1; done < kSize; done *= 2) {
      __m128i mixed[kSize];
      ARBITREE_UNROLL_ALL
      for (int k = 0; k < kSize / 2; ++k) {
        mixed[2 * k] = low(rows[k], rows[k + kSize / 2]);
        mixed[2 * k + 1] = high(rows[k], rows[k + kSize / 2]);
      }
      ARBITREE_UNROLL_ALL
      for (int k = 0; k < kSize; ++k) rows[k] = mixed[k];
    }
    ARBITREE_UNROLL_ALL
    for (int k = 0; k < kSize; ++k) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + k * stride), rows[k]);
    }
  }

 private:
  static __m128i low(__m128i a, __m128i b) {
    if constexpr (sizeof(Number) == 1) return _mm_unpacklo_epi8(a, b);
    if constexpr (sizeof(Number) == 2) return _mm_unpacklo_epi16(a, b);
    return _mm_unpacklo_epi32(a, b);
  }
  static __m128i high(__m128i a, __m128i b) {
    if constexpr (sizeof(Number) == 1) return _mm_unpackhi_epi8(a, b);
    if constexpr (sizeof(Number) == 2) return _mm_unpackhi_epi16(a, b);
    return _mm_unpackhi_epi32(a, b);
  }
#else
  static constexpr std::int32_t kSize = 8;

  static void turn(const Number* from, Number* to, std::ptrdiff_t stride) {
    for (int j = 0; j < kSize; ++j) {
      for (int k = 0; k < kSize; ++k) to[j * stride + k] = from[k * stride + j];
    }
  }
#endif
};

// A tree seen from both sides: 0 is from the left, 1 from the right.
class BothSides {
 public:
  BothSides(const Tree& left, const Tree& right) : trees_{&left, &right} {
    std::vector<std::int32_t> begun(left.size);  // trees that begin at a leaf
    for (std::int32_t v = 0; v < left.size; ++v) ++begun[left.leftmost[v]];
    for (auto& places : others_) places.resize(left.size);
    std::int32_t above = 0;  // nodes above the current one: those that began up to here less those that ended
    for (std::int32_t v = 0; v < left.size; ++v) {
      above += begun[v] - 1;
      const std::int32_t place = left.size - 1 - (left.leftmost[v] + above);
      others_[0][v] = place;
      others_[1][place] = v;
    }
  }

  std::int32_t size() const { return trees_[0]->size; }
  const Tree& from(int side) const { return *trees_[side]; }

  // Where the nodes in postorder from one side are in postorder from the other.
  const std::int32_t* others(int side) const { return others_[side].data(); }

  // Where node v, counted from the left, is from a side; and the first node under it there.
  std::int32_t place(std::int32_t v, int side) const { return side == 0 ? v : others_[0][v]; }
  std::int32_t start(std::int32_t v, int side) const { return trees_[side]->leftmost[place(v, side)]; }

 private:
  const Tree* trees_[2];
  std::vector<std::int32_t> others_[2];
};

// The entries of a table of all pairs of trees, (first, second), with either of them as F.
template <class Number>
struct TreeTable {
  Number* entries;
  std::int64_t f_stride, g_stride;  // one is 1, the other the width of the table

  Number* of(std::int32_t f) const { return entries + f * f_stride; }
};

// The memory of a chain, which the next one uses again.
struct PathMemory {
  Slots forests[2];  // that are kept, by side
  Slots planes;
  std::vector<std::int64_t> places[2];  // of the nodes of G in the table of trees
  std::vector<std::int32_t> zeros;
};

// The chain of the forests of F, from the lowest node of a path upwards, with their similarities to all
// forests of the tree under a node of G.
template <class Number>
class PathForests {
 public:
  static constexpr std::int32_t kLanes = Step<Number>::kLanes;

  PathForests(const BothSides& f, const BothSides& g, std::int32_t w, TreeTable<Number> trees, LaneKind kind,
        PathMemory& memory)
      : f_(f), g_(g), trees_(trees), take_step_(step_loop<Number>(kind)), memory_(memory) {
    for (const int side : {0, 1}) lay_out(side, w);
    memory_.zeros.resize(size_);
  }

  // The forests that are kept lie with rows from this side.
  int side() const { return side_; }
  void set_side(int side) {
    if (side == side_) return;
    if (begun_) exchange();
    side_ = side;
  }

  // Adds the nodes first to last - 1, which are places from the current side; then the node root, which is
  // above all so far, unless it is -1.
  void add(std::int32_t first, std::int32_t last, std::int32_t root) {
    if (!begun_) std::fill(kept_[side_], kept_[side_] + layouts_[side_].total, Number{0});
    begun_ = true;
    assign_planes(first, last);
    for (const Block& block : layouts_[side_].blocks) add_to(block, first, last, root);
  }

 private:
  // Lanes first_lane and on; their forests that end before from are empty.
  struct Block {
    std::int32_t first_lane, from;
    std::int64_t start;  // of its rows among the forests that are kept
  };
  struct Layout {
    std::int32_t start;             // of the tree under w
    std::vector<std::int32_t> leftmost, others;  // counted from start
    std::vector<Block> blocks;
    std::int64_t total = 0;
  };

  void lay_out(int side, std::int32_t w) {
    Layout& layout = layouts_[side];
    const std::int32_t last = g_.place(w, side), other_start = g_.start(w, 1 - side);
    layout.start = g_.start(w, side);
    size_ = last - layout.start + 1;
    layout.leftmost.resize(size_);
    layout.others.resize(size_);
    auto& places = memory_.places[side];
    places.resize(size_);
    for (std::int32_t y = 0; y < size_; ++y) {
      layout.leftmost[y] = g_.from(side).leftmost[layout.start + y] - layout.start;
      layout.others[y] = g_.others(side)[layout.start + y] - other_start;
      const std::int32_t left = side == 0 ? layout.start + y : g_.others(1)[layout.start + y];
      places[y] = left * trees_.g_stride;
    }
    std::int32_t from = size_;
    const std::int32_t* const from_other_side = g_.others(1 - side) + other_start;
    for (std::int32_t z = 0; z < size_; ++z) {
      from = std::min(from, from_other_side[z] - layout.start);
      if (z % kLanes != kLanes - 1 && z != size_ - 1) continue;
      layout.blocks.push_back({z / kLanes * kLanes, from, layout.total});
      layout.total += std::int64_t{size_ - from + 1} * kLanes;
    }
    kept_[side] = numbers(memory_.forests[side], layout.total);
  }

  static Number* numbers(Slots& memory, std::int64_t count) {
    return reinterpret_cast<Number*>(memory.bytes(static_cast<std::size_t>(count) * sizeof(Number)));
  }

  // Forest k of an addition is the one with k of its nodes. It lies in plane planes_[k] until its last
  // reader has run; forest 0 is the one that was kept.
  void assign_planes(std::int32_t first, std::int32_t last) {
    const std::int32_t* const leftmost = f_.from(side_).leftmost + first;
    const std::int32_t count = last - first;
    std::vector<std::int32_t> last_reader(count + 1), free;
    for (std::int32_t k = 0; k < count; ++k) {
      last_reader[k] = k + 1;
      last_reader[leftmost[k] - first] = k + 1;  // rising k: the last one stays
    }
    planes_.assign(count + 1, -1);
    std::int32_t plane_count = 0;
    for (std::int32_t k = 1; k <= count; ++k) {
      if (free.empty()) free.push_back(plane_count++);
      planes_[k] = free.back();
      free.pop_back();
      const std::int32_t before = leftmost[k - 1] - first;
      for (const std::int32_t read : {k - 1, before}) {
        if (read == 0 || last_reader[read] != k) continue;
        last_reader[read] = 0;
        free.push_back(planes_[read]);
      }
    }
    scratch_ = numbers(memory_.planes, plane_count * plane_size());
  }

  std::int64_t plane_size() const { return (std::int64_t{size_} + 1) * kLanes; }

  Number* plane(const Block& block, std::int32_t k) {
    return k == 0 ? kept_[side_] + block.start : scratch_ + planes_[k] * plane_size();
  }

  void add_to(const Block& block, std::int32_t first, std::int32_t last, std::int32_t root) {
    const Layout& layout = layouts_[side_];
    const std::int32_t count = last - first;
    Step<Number> step{};
    step.places = memory_.places[side_].data();
    step.leftmost = layout.leftmost.data();
    step.first_place = layout.others.data();
    step.first_lane = block.first_lane;
    step.from = block.from;
    step.size = size_;
    for (std::int32_t k = 1; k <= count; ++k) {
      look_for_stop();
      const std::int32_t x = first + k - 1;
      step.rest = plane(block, k - 1);
      step.before = plane(block, f_.from(side_).leftmost[x] - first);
      step.result = plane(block, k);
      step.gains = trees_.of(side_ == 0 ? x : f_.others(1)[x]);
      std::fill(step.result, step.result + kLanes, Number{0});
      take_step_(step);
    }
    const Number* const rest = plane(block, count);
    Number* const result = plane(block, 0);
    if (root >= 0) {
      add_root(block, root, step, rest, result);
    } else if (count > 0) {
      std::copy(rest, rest + std::int64_t{size_ - block.from + 1} * kLanes, result);
    }
  }

  // What it gains to match the root and a node y, with the forests below both, waits in the table of trees
  // until the similarity of the two trees takes its place. The forest below y ends in the lane before that
  // of y, so it is known when y has its turn.
  void add_root(const Block& block, std::int32_t root, Step<Number> step, const Number* rest,
                Number* result) {
    const Layout &layout = layouts_[side_], &other = layouts_[1 - side_];
    const auto& places = memory_.places[side_];
    const std::int32_t label = f_.from(0).labels[root];
    const std::int32_t* const labels = g_.from(side_).labels + layout.start;
    const std::int32_t end = std::min(block.first_lane + kLanes, size_);
    Number* const gains = trees_.of(root);
    const auto match = [&](std::int32_t y, unsigned below) {
      gains[places[y]] = static_cast<Number>(below + 1 + (labels[y] == label));
    };
    if (block.first_lane == 0) match(other.others[0], 0);
    for (std::int32_t z = block.first_lane; z < end && z + 1 < size_; ++z) {
      const std::int32_t y = other.others[z + 1], row = y - block.from;  // of the forest that ends in y - 1
      match(y, row <= 0 ? 0 : rest[row * std::int64_t{kLanes} + z - block.first_lane]);
    }
    step.rest = rest;
    step.result = result;
    step.before = kEmpty.data();
    step.leftmost = memory_.zeros.data();
    step.gains = gains;
    take_step_(step);
    for (std::int32_t z = block.first_lane; z < end; ++z) {
      const std::int32_t y = other.others[z];
      gains[places[y]] = result[(y - block.from + 1) * std::int64_t{kLanes} + z - block.first_lane];
    }
  }

  // Writes the forests that are kept with rows from the other side, tile by tile.
  void exchange() {
    constexpr std::int32_t kTile = Tile<Number>::kSize;
    const Layout &now = layouts_[side_], &then = layouts_[1 - side_];
    for (const Block& to : then.blocks) {
      look_for_stop();
      Number* const target = kept_[1 - side_] + to.start;
      std::fill(target, target + kLanes, Number{0});
      for (const Block& from : now.blocks) {
        const Number* const source = kept_[side_] + from.start;
        const std::int32_t last_z = std::min(from.first_lane + kLanes, size_);
        const std::int32_t last_y = std::min(to.first_lane + kLanes, size_);
        for (std::int32_t z = from.first_lane; z < last_z; z += kTile) {
          if (z + kTile <= to.from) continue;
          for (std::int32_t y = to.first_lane; y < last_y; y += kTile) {
            turn_tile(y, z, source + (y + 1 - from.from) * std::ptrdiff_t{kLanes} + z - from.first_lane,
                      target + (z + 1 - to.from) * std::ptrdiff_t{kLanes} + y - to.first_lane, from, to);
          }
        }
      }
    }
  }

  // y and z are the first of a tile; rows before from are empty and not kept, but for one.
  void turn_tile(std::int32_t y, std::int32_t z, const Number* tile, Number* result, const Block& from,
                 const Block& to) const {
    constexpr std::int32_t kTile = Tile<Number>::kSize;
    if (y >= from.from && y + kTile <= size_ && z >= to.from && z + kTile <= size_) {
      Tile<Number>::turn(tile, result, kLanes);
      return;
    }
    for (std::int32_t j = std::max(0, to.from - z); j < kTile && z + j < size_; ++j) {
      for (std::int32_t k = 0; k < kTile && y + k < size_; ++k) {
        result[j * kLanes + k] = y + k < from.from ? Number{0} : tile[k * kLanes + j];
      }
    }
  }

  alignas(64) static constexpr std::array<Number, kLanes> kEmpty{};

  const BothSides &f_, &g_;
  const TreeTable<Number> trees_;
  const StepLoop<Number> take_step_;
  PathMemory& memory_;
  std::int32_t size_ = 0;  // of the tree under w
  Layout layouts_[2];
  Number *kept_[2], *scratch_ = nullptr;
  int side_ = 0;
  bool begun_ = false;
  std::vector<std::int32_t> planes_;
};

}  // namespace arbitree
