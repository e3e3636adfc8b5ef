// What runs a program: in plain C++, with AVX2, and with the byte permutation of AVX-512 VBMI.
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
#include <new>
#include <string>

#include "program.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define ARBITREE_X86 1
#include <immintrin.h>
#else
#define ARBITREE_X86 0
#endif

namespace arbitree {

enum class LaneKind { off, scalar, avx2, avx512 };

inline constexpr const char* kLaneNames[] = {"off", "scalar", "avx2", "avx512"};

inline bool supported(LaneKind kind) {
#if ARBITREE_X86
  if (kind == LaneKind::avx2) return __builtin_cpu_supports("avx2");
  if (kind == LaneKind::avx512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi");
  }
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

// The forests of one or more rows, with the places of their parts among them.
class Lanes {
 public:
  // forests: numbers in rising order that contain the parts of all members, without the empty forest.
  Lanes(const HashConsing& all, std::span<const std::int32_t> forests) {
    forests_.reserve(forests.size() + 1);
    forests_.push_back(0);
    forests_.insert(forests_.end(), forests.begin(), forests.end());
    for (auto* const part : {&before, &tree, &below, &rest, &itself}) part->reserve(forests_.size());
    for (const std::int32_t f : forests_) {
      const Forest& forest = all[f];
      before.push_back(lane(forest.before));
      tree.push_back(lane(forest.tree));
      below.push_back(lane(forest.below));
      rest.push_back(lane(forest.rest));
      itself.push_back(lane(f));
      labels.push_back(forest.label);
      longest = std::max(longest, forest.size);
    }
  }

  std::size_t size() const { return forests_.size(); }

  std::uint16_t lane(std::int32_t forest) const {
    return static_cast<std::uint16_t>(std::lower_bound(forests_.begin(), forests_.end(), forest) -
                                      forests_.begin());
  }

  std::vector<std::uint16_t> before, tree, below, rest, itself;  // lanes
  std::vector<std::int32_t> labels;                              // of last roots; -1 in lane 0
  std::int32_t longest = 0;                                      // nodes of the largest forest

 private:
  std::vector<std::int32_t> forests_;
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

  void operator()(std::span<const Column> columns, Number* slots) const {
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

#if ARBITREE_X86

// Steps that double the reach of the running maximum until it spans a forest of this many nodes.
inline int steps_for(std::int32_t longest) {
  int steps = 0;
  while ((std::int32_t{1} << steps) < longest) ++steps;
  return steps;
}

// The places of parts as bytes, one vector after another, for permutations.
class Places {
 public:
  static constexpr std::size_t kFixed = 4;  // before, tree, below, itself: two for joined forests, two for single ones
  static constexpr int kMostSteps = 7;

  Places(const Lanes& lanes, std::size_t stride, int steps) : stride_(stride), bytes_(memory_.bytes(stride * (kFixed + steps))) {
    std::memset(bytes_, 0, stride * (kFixed + steps));
    std::size_t row = 0;
    for (const auto* const part : {&lanes.before, &lanes.tree, &lanes.below, &lanes.itself}) put(row++, *part);
    std::vector<std::uint16_t> back = lanes.rest, farther(back.size());
    for (int step = 0; step < steps; ++step) {
      put(row++, back);
      for (std::size_t g = 0; g < back.size(); ++g) farther[g] = back[back[g]];
      back.swap(farther);
    }
  }

  const std::uint8_t* data() const { return bytes_; }

 private:
  void put(std::size_t row, const std::vector<std::uint16_t>& part) {
    for (std::size_t g = 0; g < part.size(); ++g) bytes_[row * stride_ + g] = static_cast<std::uint8_t>(part[g]);
  }

  Slots memory_;
  std::size_t stride_;
  std::uint8_t* bytes_;
};

#define ARBITREE_VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi"), always_inline)) inline

// Width registers of 64 lanes.
template <int Width>
struct Wide {
  __m512i parts[Width];

  ARBITREE_VBMI static Wide load(const std::uint8_t* from) {
    Wide wide;
    for (int k = 0; k < Width; ++k) wide.parts[k] = _mm512_load_si512(from + 64 * k);
    return wide;
  }
  ARBITREE_VBMI static void store(std::uint8_t* to, const Wide& wide) {
    for (int k = 0; k < Width; ++k) _mm512_store_si512(to + 64 * k, wide.parts[k]);
  }
  ARBITREE_VBMI static Wide larger(const Wide& one, const Wide& other) {
    Wide wide;
    for (int k = 0; k < Width; ++k) wide.parts[k] = _mm512_max_epu8(one.parts[k], other.parts[k]);
    return wide;
  }
  ARBITREE_VBMI static Wide sum(const Wide& one, const Wide& other) {
    Wide wide;
    for (int k = 0; k < Width; ++k) wide.parts[k] = _mm512_add_epi8(one.parts[k], other.parts[k]);
    return wide;
  }
  // Lane g of the result is lane places[g] of wide.
  ARBITREE_VBMI static Wide at(const Wide& places, const Wide& wide) {
    Wide found;
    for (int k = 0; k < Width; ++k) {
      const __m512i place = places.parts[k];
      if constexpr (Width == 1) {
        found.parts[k] = _mm512_permutexvar_epi8(place, wide.parts[0]);
      } else if constexpr (Width == 2) {
        found.parts[k] = _mm512_permutex2var_epi8(wide.parts[0], place, wide.parts[1]);
      } else {
        static_assert(Width == 4);
        const __m512i low = _mm512_permutex2var_epi8(wide.parts[0], place, wide.parts[1]);
        const __m512i high = _mm512_permutex2var_epi8(wide.parts[2], place, wide.parts[3]);
        found.parts[k] = _mm512_mask_blend_epi8(_mm512_movepi8_mask(place), low, high);
      }
    }
    return found;
  }
};

template <int Width, int Steps>
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) void run_vbmi(std::span<const Column> columns,
                                                                     const std::uint8_t* places,
                                                                     std::uint8_t* slots) {
  using Lane = Wide<Width>;
  constexpr std::size_t stride = 64 * Width;
  Lane back[Steps == 0 ? 1 : Steps];
  for (int step = 0; step < Steps; ++step) back[step] = Lane::load(places + (Places::kFixed + step) * stride);
  Lane values = Lane::load(slots);
  for (const Column& column : columns) {
    const std::uint8_t* const fixed = places + 2 * stride * column.single;
    const Lane before = Lane::load(slots + column.first * stride);
    const Lane tree = Lane::load(slots + column.second * stride);
    // From memory, the column just before would arrive late.
    Lane rest = Lane::load(slots + column.rest * stride);
    for (int k = 0; k < Width; ++k) {
      rest.parts[k] = _mm512_mask_mov_epi8(rest.parts[k], -std::uint64_t{column.follows}, values.parts[k]);
    }
    Lane best = Lane::sum(Lane::at(Lane::load(fixed), before), Lane::at(Lane::load(fixed + stride), tree));
    for (int step = 0; step < Steps; ++step) best = Lane::larger(best, Lane::at(back[step], best));
    values = Lane::larger(best, rest);
    Lane::store(slots + column.result * stride, values);
  }
}

// Up to 256 lanes of bytes.
class VbmiLanes {
 public:
  static constexpr std::size_t kMost = 256;

  explicit VbmiLanes(const Lanes& lanes)
      : width_(lanes.size() <= 64 ? 1 : lanes.size() <= 128 ? 2 : 4),
        steps_(steps_for(lanes.longest)),
        places_(lanes, stride(), steps_) {}

  std::size_t stride() const { return 64 * static_cast<std::size_t>(width_); }

  void operator()(std::span<const Column> columns, std::uint8_t* slots) const {
    switch (width_) {
      case 1: return run<1>(columns, slots);
      case 2: return run<2>(columns, slots);
      default: return run<4>(columns, slots);
    }
  }

 private:
  template <int Width>
  void run(std::span<const Column> columns, std::uint8_t* slots) const {
    switch (steps_) {
      case 0: return run_vbmi<Width, 0>(columns, places_.data(), slots);
      case 1: return run_vbmi<Width, 1>(columns, places_.data(), slots);
      case 2: return run_vbmi<Width, 2>(columns, places_.data(), slots);
      case 3: return run_vbmi<Width, 3>(columns, places_.data(), slots);
      case 4: return run_vbmi<Width, 4>(columns, places_.data(), slots);
      case 5: return run_vbmi<Width, 5>(columns, places_.data(), slots);
      case 6: return run_vbmi<Width, 6>(columns, places_.data(), slots);
      default: return run_vbmi<Width, 7>(columns, places_.data(), slots);
    }
  }

  int width_, steps_;
  Places places_;
};

#endif

}  // namespace arbitree
