// The executors with vectors: AVX2, and the byte permutation of AVX-512 VBMI.
//
// Only functions with a target attribute use these instructions, so the module loads on any processor.
//
// Invariant: the parts of a forest have smaller numbers, and lanes are in the order of numbers, so no
// place that a permutation looks at is above the lane that looks. Lanes beyond the last forest hold
// anything, and nobody looks at them.

#pragma once

#include "lanes.h"

#if ARBITREE_X86
#include <immintrin.h>

namespace arbitree {

// Steps that double the reach of the running maximum until it spans a forest of this many nodes.
inline int steps_for(std::int32_t longest) {
  int steps = 0;
  while ((std::int32_t{1} << steps) < longest) ++steps;
  return steps;
}

// Where the parts of every lane are: before, tree, below, itself (two for joined forests, two for single
// ones), then how far every step of the running maximum reaches back. If chains lie inside registers, the
// one of two that lies in the same register comes first: before, tree, itself, below.
class Places {
 public:
  static constexpr std::size_t kFixed = 4;

  Places(const Lanes& lanes, int steps) : rows_{lanes.before, lanes.tree, lanes.below, lanes.itself} {
    if (lanes.near) std::swap(rows_[2], rows_[3]);
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
  // Lane g of the result is lane places[g] of wide, which is in the same register.
  ARBITREE_VBMI static Wide near(const Wide& places, const Wide& wide) {
    Wide found;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) found.parts[k] = _mm512_permutexvar_epi8(places.parts[k], wide.parts[k]);
    return found;
  }
  // Lane g of the result is lane places[g] of wide.
  ARBITREE_VBMI static Wide anywhere(const Wide& places, const Wide& wide) {
    if constexpr (Width == 1) return near(places, wide);
    Wide found;
    ARBITREE_UNROLL
    for (int k = 0; k < Width; ++k) {
      const __m512i place = places.parts[k];
      found.parts[k] = _mm512_permutex2var_epi8(wide.parts[0], place, wide.parts[1 % Width]);
      if (Width == 2) continue;
      const __m512i third = wide.parts[2 % Width], last = wide.parts[Width - 1];
      const __m512i high = Width == 3 ? _mm512_permutexvar_epi8(place, third)
                                      : _mm512_permutex2var_epi8(third, place, last);
      found.parts[k] = _mm512_mask_blend_epi8(_mm512_movepi8_mask(place), found.parts[k], high);
    }
    return found;
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
      found.parts[k] = _mm512_permutex2var_epi8(wide.parts[0], place, wide.parts[1 % Width]);
      if (k == 1) continue;
      const __m512i third = wide.parts[2 % Width];
      const __m512i high = k == 2 ? _mm512_permutexvar_epi8(place, third)
                                  : _mm512_permutex2var_epi8(third, place, wide.parts[k]);
      found.parts[k] = _mm512_mask_blend_epi8(_mm512_movepi8_mask(place), found.parts[k], high);
    }
    return found;
  }
};

template <bool Near, int Width, int Steps>
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
    const Lane ours = Lane::load(fixed), theirs = Lane::load(fixed + stride);
    // Near, the two of a single tree are exchanged; a branch would often be predicted wrongly.
    const std::size_t exchange = Near ? (column.first ^ column.second) & -std::size_t{column.single} : 0;
    const Lane before = Lane::load(slots + (column.first ^ exchange) * stride);
    const Lane tree = Lane::load(slots + (column.second ^ exchange) * stride);
    Lane best = Near ? Lane::sum(Lane::near(ours, before), Lane::anywhere(theirs, tree))
                     : Lane::sum(Lane::at(ours, before), Lane::at(theirs, tree));
    ARBITREE_UNROLL
    for (int step = 0; step < Steps; ++step) {
      best = Lane::larger(best, Near ? Lane::near(back[step], best) : Lane::at(back[step], best));
    }
    Lane::store(slots + column.result * stride, Lane::larger(best, Lane::load(slots + column.rest * stride)));
  }
}

using VectorLoop = void (*)(std::span<const Column>, const std::uint8_t* places, std::uint8_t* slots);

// The loops for one width, by steps.
template <bool Near, int Width>
constexpr VectorLoop kVbmiLoops[] = {run_vbmi<Near, Width, 0>, run_vbmi<Near, Width, 1>,
                                     run_vbmi<Near, Width, 2>, run_vbmi<Near, Width, 3>,
                                     run_vbmi<Near, Width, 4>, run_vbmi<Near, Width, 5>,
                                     run_vbmi<Near, Width, 6>, run_vbmi<Near, Width, 7>};

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
  static constexpr std::size_t kRegister = 64;  // lanes of a register with VBMI

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
      constexpr const VectorLoop* kLoops[2][4] = {
          {kVbmiLoops<false, 1>, kVbmiLoops<false, 2>, kVbmiLoops<false, 3>, kVbmiLoops<false, 4>},
          {kVbmiLoops<true, 1>, kVbmiLoops<true, 2>, kVbmiLoops<true, 3>, kVbmiLoops<true, 4>}};
      stride_ = (size + 63) / 64 * 64;
      loop_ = kLoops[lanes.near][stride_ / 64 - 1][steps];
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

}  // namespace arbitree
#endif
