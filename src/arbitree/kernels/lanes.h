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

// Lanes that run together, and the measured time of their column in that of the narrowest.
struct Width {
  std::size_t lanes;
  double cost;
};

inline std::span<const Width> widths(LaneKind kind) {
  static constexpr Width kAvx512[] = {{64, 1}, {128, 2}, {192, 4}, {256, 7.3}};
  static constexpr Width kAvx2[] = {{32, 1}, {64, 2.9}, {96, 5}, {128, 9.8}};
  static constexpr Width kScalar[] = {{64, 1}, {128, 2}, {192, 3}, {256, 4}, {384, 6}};
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

// Where the parts of every lane are: before, tree, below, itself (two for joined forests, two for single
// ones), then how far every step of the running maximum reaches back.
class Places {
 public:
  static constexpr std::size_t kFixed = 4;

  Places(const Lanes& lanes, int steps) : rows_{lanes.before, lanes.tree, lanes.below, lanes.itself} {
    std::vector<std::uint16_t> back = lanes.rest, farther(back.size());
    for (int step = 0; step < steps; ++step) {
      rows_.push_back(back);
      for (std::size_t g = 0; g < back.size(); ++g) farther[g] = back[back[g]];
      back.swap(farther);
    }
  }

  // As bytes, one row of stride after another.
  void write(std::size_t stride, Slots& memory) const {
    std::uint8_t* to = zeros(rows_.size() * stride, 0, memory);
    for (const auto& row : rows_) {
      for (std::size_t g = 0; g < row.size(); ++g) to[g] = static_cast<std::uint8_t>(row[g]);
      to += stride;
    }
  }

  // The same for shuffles, which know 16 lanes: every row becomes stride / 16 rows, one for each 16 lanes
  // that a place may be among, with a byte that gives zero where it is not.
  void write_sixteenths(std::size_t stride, Slots& memory) const {
    constexpr std::uint8_t kZero = 0x80;
    std::uint8_t* to = zeros(rows_.size() * (stride / 16) * stride, kZero, memory);
    for (const auto& row : rows_) {
      for (std::size_t sixteenth = 0; sixteenth < stride / 16; ++sixteenth, to += stride) {
        for (std::size_t g = 0; g < row.size(); ++g) {
          if (row[g] / 16 == sixteenth) to[g] = row[g] % 16;
        }
      }
    }
  }

 private:
  static std::uint8_t* zeros(std::size_t size, std::uint8_t filler, Slots& memory) {
    std::uint8_t* const bytes = memory.bytes(size);
    std::memset(bytes, filler, size);
    return bytes;
  }

  std::vector<std::vector<std::uint16_t>> rows_;
};

#define ARBITREE_UNROLL _Pragma("GCC unroll 8")
#define ARBITREE_VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi"), always_inline)) inline

// Width registers of 64 lanes.
template <int Width>
struct Wide {
  __m512i parts[Width];

  ARBITREE_VBMI static Wide load(const std::uint8_t* from) {
    Wide wide;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) wide.parts[k] = _mm512_load_si512(from + 64 * k);
    return wide;
  }
  ARBITREE_VBMI static void store(std::uint8_t* to, const Wide& wide) {
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) _mm512_store_si512(to + 64 * k, wide.parts[k]);
  }
  ARBITREE_VBMI static Wide larger(const Wide& one, const Wide& other) {
    Wide wide;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) wide.parts[k] = _mm512_max_epu8(one.parts[k], other.parts[k]);
    return wide;
  }
  ARBITREE_VBMI static Wide sum(const Wide& one, const Wide& other) {
    Wide wide;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) wide.parts[k] = _mm512_add_epi8(one.parts[k], other.parts[k]);
    return wide;
  }
  // Lane g of the result is lane places[g] of wide, and no place is above g.
  ARBITREE_VBMI static Wide at(const Wide& places, const Wide& wide) {
    Wide found;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) {
      const __m512i place = places.parts[k];
      if (k == 0) {
        found.parts[k] = _mm512_permutexvar_epi8(place, wide.parts[0]);
        continue;
      }
      found.parts[k] = _mm512_permutex2var_epi8(wide.parts[0], place, wide.parts[1]);
      if (k == 1) continue;
      const __m512i high = k == 2 ? _mm512_permutexvar_epi8(place, wide.parts[2])
                                  : _mm512_permutex2var_epi8(wide.parts[2], place, wide.parts[k]);
      found.parts[k] = _mm512_mask_blend_epi8(_mm512_movepi8_mask(place), found.parts[k], high);
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
  ARBITREE_UNROLL
  for (int step = 0; step < Steps; ++step) back[step] = Lane::load(places + (Places::kFixed + step) * stride);
  for (const Column& column : columns) {
    const std::uint8_t* const fixed = places + 2 * stride * column.single;
    const Lane before = Lane::load(slots + column.first * stride);
    const Lane tree = Lane::load(slots + column.second * stride);
    Lane best = Lane::sum(Lane::at(Lane::load(fixed), before), Lane::at(Lane::load(fixed + stride), tree));
    ARBITREE_UNROLL
    for (int step = 0; step < Steps; ++step) best = Lane::larger(best, Lane::at(back[step], best));
    Lane::store(slots + column.result * stride, Lane::larger(best, Lane::load(slots + column.rest * stride)));
  }
}

using VectorLoop = void (*)(std::span<const Column>, const std::uint8_t* places, std::uint8_t* slots);

// The loops for one width, by steps.
template <int Width>
constexpr VectorLoop kVbmiLoops[] = {run_vbmi<Width, 0>, run_vbmi<Width, 1>, run_vbmi<Width, 2>,
                                     run_vbmi<Width, 3>, run_vbmi<Width, 4>, run_vbmi<Width, 5>,
                                     run_vbmi<Width, 6>, run_vbmi<Width, 7>};

#define ARBITREE_AVX2 __attribute__((target("avx2"), always_inline)) inline

// Width registers of 32 lanes.
template <int Width>
struct Narrow {
  static constexpr std::size_t kStride = 32 * Width;
  __m256i parts[Width];

  ARBITREE_AVX2 static __m256i part(const std::uint8_t* from) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
  }
  ARBITREE_AVX2 static Narrow load(const std::uint8_t* from) {
    Narrow narrow;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) narrow.parts[k] = part(from + 32 * k);
    return narrow;
  }
  ARBITREE_AVX2 static void store(std::uint8_t* to, const Narrow& narrow) {
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k)
      _mm256_store_si256(reinterpret_cast<__m256i*>(to + 32 * k), narrow.parts[k]);
  }
  ARBITREE_AVX2 static Narrow larger(const Narrow& one, const Narrow& other) {
    Narrow narrow;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) narrow.parts[k] = _mm256_max_epu8(one.parts[k], other.parts[k]);
    return narrow;
  }
  ARBITREE_AVX2 static Narrow sum(const Narrow& one, const Narrow& other) {
    Narrow narrow;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) narrow.parts[k] = _mm256_add_epi8(one.parts[k], other.parts[k]);
    return narrow;
  }
  // Adds what the places find in one sixteenth, given twice, to what they found in those before.
  ARBITREE_AVX2 static void look(const std::uint8_t* places, __m256i twice, int sixteenth, Narrow& found) {
    ARBITREE_UNROLL
    for (int k = sixteenth / 2; k < Width; ++k) {  // no place is above its own lane
      const __m256i here = _mm256_shuffle_epi8(twice, part(places + sixteenth * kStride + 32 * k));
      found.parts[k] = sixteenth == 0 ? here : _mm256_or_si256(found.parts[k], here);
    }
  }
  // Lane g of the result is the lane of narrow that the places give for g.
  ARBITREE_AVX2 static Narrow at(const std::uint8_t* places, const Narrow& narrow) {
    Narrow found;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) {
      const __m256i whole = narrow.parts[k];
      look(places, _mm256_permute2x128_si256(whole, whole, 0x00), 2 * k, found);
      look(places, _mm256_permute2x128_si256(whole, whole, 0x11), 2 * k + 1, found);
    }
    return found;
  }
  ARBITREE_AVX2 static Narrow at(const std::uint8_t* places, const std::uint8_t* memory) {
    Narrow found;
    ARBITREE_UNROLL
    for (int k = 0; k < 2 * Width; ++k) {
      const auto* const sixteenth = reinterpret_cast<const __m128i*>(memory + 16 * k);
      look(places, _mm256_broadcastsi128_si256(_mm_load_si128(sixteenth)), k, found);
    }
    return found;
  }
};

template <int Width, int Steps>
__attribute__((target("avx2"))) void run_avx2(std::span<const Column> columns, const std::uint8_t* places,
                                              std::uint8_t* slots) {
  using Lane = Narrow<Width>;
  constexpr std::size_t stride = Lane::kStride, table = 2 * Width * stride;
  for (const Column& column : columns) {
    const std::uint8_t* const fixed = places + 2 * table * column.single;
    Lane best = Lane::sum(Lane::at(fixed, slots + column.first * stride),
                          Lane::at(fixed + table, slots + column.second * stride));
    ARBITREE_UNROLL
    for (int step = 0; step < Steps; ++step) {
      best = Lane::larger(best, Lane::at(places + (Places::kFixed + step) * table, best));
    }
    Lane::store(slots + column.result * stride, Lane::larger(best, Lane::load(slots + column.rest * stride)));
  }
}

template <int Width>
constexpr VectorLoop kAvx2Loops[] = {run_avx2<Width, 0>, run_avx2<Width, 1>, run_avx2<Width, 2>,
                                     run_avx2<Width, 3>, run_avx2<Width, 4>, run_avx2<Width, 5>,
                                     run_avx2<Width, 6>, run_avx2<Width, 7>};

// Up to 256 lanes of bytes with VBMI, 128 with AVX2; forests of up to 128 nodes.
class VectorLanes {
 public:
  static bool fit(LaneKind kind, const Lanes& lanes) {
    return lanes.longest <= 128 && ((kind == LaneKind::avx512 && lanes.size() <= 256) ||
                                    (kind == LaneKind::avx2 && lanes.size() <= 128));
  }

  // For lanes that fit().
  VectorLanes(LaneKind kind, const Lanes& lanes) {
    const std::size_t size = lanes.size();
    const int steps = steps_for(lanes.longest);
    const Places places(lanes, steps);
    if (kind == LaneKind::avx512) {
      constexpr const VectorLoop* kLoops[] = {kVbmiLoops<1>, kVbmiLoops<2>, kVbmiLoops<3>, kVbmiLoops<4>};
      stride_ = (size + 63) / 64 * 64;
      loop_ = kLoops[stride_ / 64 - 1][steps];
      places.write(stride_, places_);
    } else {
      constexpr const VectorLoop* kLoops[] = {kAvx2Loops<1>, kAvx2Loops<2>, kAvx2Loops<3>, kAvx2Loops<4>};
      stride_ = (size + 31) / 32 * 32;
      loop_ = kLoops[stride_ / 32 - 1][steps];
      places.write_sixteenths(stride_, places_);
    }
  }

  std::size_t stride() const { return stride_; }

  void operator()(std::span<const Column> columns, std::uint8_t* slots) const {
    loop_(columns, places_.data(), slots);
  }

 private:
  std::size_t stride_;
  VectorLoop loop_;
  Slots places_;
};

#endif

}  // namespace arbitree
