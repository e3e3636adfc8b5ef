// Which vectors the processor has and the operating system saves.
//
// This asks cpuid itself: __builtin_cpu_supports needs a part of the compiler's library that is not always
// linked into shared libraries.

#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define ARBITREE_X86 1
#else
#define ARBITREE_X86 0
#endif

#if ARBITREE_X86
#include <cpuid.h>

namespace arbitree {

struct Processor {
  bool avx2 = false;
  bool vbmi = false;  // with AVX-512F and AVX-512BW
  bool zen5 = false;  // or later: a look into several registers costs hardly more than one into a single register
};

inline bool made_by_amd() {
  unsigned a, b, c, d;
  return __get_cpuid(0, &a, &b, &c, &d) && b == signature_AMD_ebx;
}

inline Processor this_processor() {
  unsigned a, b, c, d;
  constexpr unsigned kAvx = bit_OSXSAVE | bit_AVX;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & kAvx) != kAvx) return {};
  unsigned saved, high;  // registers that the system saves when it switches between threads
  __asm__ volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  constexpr unsigned kYmm = 0x06;
  if ((saved & kYmm) != kYmm || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return {};
#if defined(__APPLE__)
  constexpr bool zmm = true;  // macOS begins to save them, and to report it, at their first use
#else
  constexpr unsigned kZmm = 0xe0;
  const bool zmm = (saved & kZmm) == kZmm;
#endif
  constexpr unsigned kAvx512 = bit_AVX512F | bit_AVX512BW;
  const bool vbmi = zmm && (b & kAvx512) == kAvx512 && (c & bit_AVX512VBMI) != 0;
  constexpr unsigned kIntersect = 1 << 8;  // of two vectors; of the processors of AMD, those since Zen 5 know it
  return {(b & bit_AVX2) != 0, vbmi, made_by_amd() && (d & kIntersect) != 0};
}

}  // namespace arbitree
#endif
