// What runs a program: here in plain C++, in vector_lanes.h with AVX2 or AVX-512 VBMI.
//
// A lane is one forest g of the rows' trees; lane 0 is the empty forest. With P for a forest without its
// last tree, t for its last tree and R for a forest without its last root, a column F is
//     S(g, F) = max(S(R(g), F), S(g, R(F)), S(P(g), P(F)) + S(t(g), t(F))),
// and for a single tree F the last term is S(children(t(g)), R(F)) + gain(labels of both last roots). (In
// the recursion of Zhang and Shasha that term stands only where g is a single tree too. It is never too
// large elsewhere, because matching just those two subtrees is allowed, and so it may stand everywhere.)
// The first term is a running maximum along the chain g, R(g), R(R(g)), ...: a loop has it from the lane
// just computed, vectors double their reach with every step.
//
// Invariant: every executor leaves the same numbers in the slots, whatever lanes share a vector; sums
// never exceed the largest Number, which the caller has to see to.

#pragma once

#include <cstring>
#include <memory>
#include <numeric>
#include <new>
#include <string>

#include "chains.h"
#include "processor.h"
#include "program.h"

namespace arbitree {

enum class LaneKind { off, scalar, avx2, avx512 };

inline constexpr const char* kLaneNames[] = {"off", "scalar", "avx2", "avx512"};

inline bool supported(LaneKind kind) {
#if ARBITREE_X86
  static const Processor processor = this_processor();
  if (kind == LaneKind::avx2) return processor.avx2;
  if (kind == LaneKind::avx512) return processor.vbmi;
#endif
  return kind == LaneKind::off || kind == LaneKind::scalar;
}

inline LaneKind best_lanes() {
  for (const LaneKind kind : {LaneKind::avx512, LaneKind::avx2}) {
    if (supported(kind)) return kind;
  }
  return LaneKind::scalar;
}

// The kind with this name, best_lanes() for an empty one; throws std::invalid_argument for the others.
inline LaneKind lanes_named(const std::string& name) {
  if (name.empty()) return best_lanes();
  std::string known;
  for (const LaneKind kind : {LaneKind::avx512, LaneKind::avx2, LaneKind::scalar, LaneKind::off}) {
    if (!supported(kind)) continue;
    const std::string one = kLaneNames[static_cast<int>(kind)];
    if (one == name) return kind;
    known += (known.empty() ? "" : ", ") + one;
  }
  throw std::invalid_argument("no lanes '" + name + "'. On this processor, ARBITREE_LANES can be " + known);
}

// Lanes that run together, and the measured time of their column in that of the narrowest.
struct Width {
  std::size_t lanes;
  double cost;
};

inline std::span<const Width> widths(LaneKind kind) {
  static constexpr Width kAvx512[] = {{64, 1}, {128, 2}, {192, 4}, {256, 7.3}};
  [[maybe_unused]] static constexpr Width kZen5[] = {{64, 1}, {128, 1.3}, {192, 1.8}, {256, 2.4}};
  static constexpr Width kAvx2[] = {{32, 1}, {64, 2.9}, {96, 5}, {128, 9.8}};
  static constexpr Width kScalar[] = {{64, 1}, {128, 2}, {192, 3}, {256, 4}, {384, 6}};
#if ARBITREE_X86
  static const bool zen5 = this_processor().zen5;
  if (kind == LaneKind::avx512 && zen5) return kZen5;
#endif
  if (kind == LaneKind::avx512) return kAvx512;
  if (kind == LaneKind::avx2) return kAvx2;
  return kScalar;
}

// The narrowest width for so many lanes; beyond all widths, one of that many lanes.
inline Width width_for(LaneKind kind, std::size_t lanes) {
  const auto known = widths(kind);
  for (const Width& width : known) {
    if (lanes <= width.lanes) return width;
  }
  return {lanes, known.back().cost * static_cast<double>(lanes) / static_cast<double>(known.back().lanes)};
}

// The forests of one or more rows, with the places of their parts among them.
class Lanes {
 public:
  // forests: numbers in rising order that contain the parts of all members, without the empty forest.
  // width: lanes of a register; if possible, chains lie inside one. 0: one lane each, in this order.
  // place: scratch memory, a number for each forest of the corpus.
  Lanes(const HashConsing& all, std::span<const std::int32_t> forests, std::size_t width,
        std::vector<std::uint16_t>& place)
      : place_(place) {
    place_[0] = 0;
    std::vector<std::uint16_t> rests, home(forests.size() + 1);
    for (std::size_t k = 1; k <= forests.size(); ++k) {
      place_[forests[k - 1]] = static_cast<std::uint16_t>(k);
      rests.push_back(place_[all[forests[k - 1]].rest]);
    }
    const std::size_t registers = width > 0 ? registers_for(forests.size(), width) : 1;
    Chains chains(rests, registers, width);
    near = width > 0 && chains.arrange();
    resize(near ? registers * width : forests.size() + 1);
    std::iota(home.begin(), home.end(), std::uint16_t{0});
    for (std::uint16_t k = 1; near && k < home.size(); ++k) home[k] = chains.home(k);
    for (std::size_t r = 0; r < (near ? registers : 1); ++r) {
      const auto here = [&](std::int32_t forest) -> std::uint16_t {  // in this register
        const std::uint16_t k = place_[forest];
        if (!near) return k;
        return k == 0 ? static_cast<std::uint16_t>(r * width) : chains.lane(r, k);
      };
      for (const std::int32_t f : forests) {
        const std::uint16_t g = here(f);
        if (g == Chains::kNone) continue;
        const Forest& forest = all[f];
        before[g] = here(forest.before);
        rest[g] = here(forest.rest);
        tree[g] = home[place_[forest.tree]];
        below[g] = home[place_[forest.below]];
        labels[g] = forest.label;
        longest = std::max(longest, forest.size);
      }
    }
    for (const std::int32_t f : forests) place_[f] = home[place_[f]];
  }

  // How many registers so many forests need at least, each with one lane for the empty forest.
  static std::size_t registers_for(std::size_t forests, std::size_t width) {
    return std::max<std::size_t>(1, (forests + width - 2) / (width - 1));
  }

  std::size_t size() const { return labels.size(); }

  std::uint16_t lane(std::int32_t forest) const { return place_[forest]; }

  bool near;  // every chain lies inside a register
  std::vector<std::uint16_t> before, tree, below, rest, itself;  // lanes
  std::vector<std::int32_t> labels;  // of last roots; -1 for the empty forest and where there is none
  std::int32_t longest = 0;          // nodes of the largest forest

 private:
  void resize(std::size_t size) {
    for (auto* const part : {&before, &tree, &below, &rest, &itself}) part->resize(size);
    std::iota(itself.begin(), itself.end(), std::uint16_t{0});
    labels.assign(size, -1);
  }

  std::vector<std::uint16_t>& place_;
};

// Memory for slots that begins where cache lines do.
class Slots {
 public:
  std::uint8_t* bytes(std::size_t count) {
    if (count > size_) {
      memory_.reset(static_cast<std::uint8_t*>(::operator new(count, std::align_val_t{64})));
      size_ = count;
    }
    return memory_.get();
  }

  const std::uint8_t* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const { ::operator delete(memory, std::align_val_t{64}); }
  };
  std::unique_ptr<std::uint8_t, Free> memory_;
  std::size_t size_ = 0;
};

// The loop over lanes. Neighbours in a chain are mostly neighbours among the lanes: a run of them needs
// no look at memory for the maximum so far.
template <class Number>
class ScalarLanes {
 public:
  explicit ScalarLanes(const Lanes& lanes) : lanes_(lanes) {
    for (std::size_t g = 1; g < lanes.size(); ++g) {
      if (g == 1 || lanes.rest[g] != g - 1) runs_.push_back({lanes.rest[g], g, g});
      runs_.back().last = g + 1;
    }
  }

  std::size_t stride() const { return lanes_.size(); }

  // Not inlined: among the variables of a caller, those of the inner loop have no registers left.
  [[gnu::noinline]] void operator()(std::span<const Column> columns, Number* slots) const {
    for (const Column& column : columns) {
      look_for_stop();
      const Number* const __restrict rest = slots + column.rest * stride();
      const Number* const __restrict first = slots + column.first * stride();
      const Number* const __restrict second = slots + column.second * stride();
      Number* const result = slots + column.result * stride();
      const std::uint16_t* const __restrict ours = (column.single ? lanes_.below : lanes_.before).data();
      const std::uint16_t* const __restrict tree = (column.single ? lanes_.itself : lanes_.tree).data();
      result[0] = 0;
      for (const Run& run : runs_) {
        unsigned here = result[run.from];
        for (std::size_t g = run.first; g < run.last; ++g) {
          const unsigned matched = unsigned{first[ours[g]]} + second[tree[g]];
          here = std::max(here, std::max<unsigned>(rest[g], matched));
          result[g] = static_cast<Number>(here);
        }
      }
    }
  }

 private:
  struct Run {
    std::uint16_t from;       // the lane of the first one's rest
    std::size_t first, last;  // half-open range of lanes
  };
  const Lanes& lanes_;
  std::vector<Run> runs_;
};

}  // namespace arbitree
