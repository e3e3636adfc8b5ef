// Arrays from numpy and for numpy.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "corpus.h"

namespace nb = nanobind;

namespace arbitree {

template <class Number>
using Input = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class Number, std::size_t Dimensions>
using Output = nb::ndarray<nb::numpy, Number, nb::ndim<Dimensions>>;
using Range = std::pair<std::int64_t, std::int64_t>;

template <class Number>
Values<Number> values(const Input<Number>& array) {
  return {array.data(), array.shape(0)};
}

// A copy, for numbers that are checked and then used to find memory: the caller's array might change
// while the lock is free.
template <class Number>
std::vector<Number> copied(const Input<Number>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

// The last digit of matrix products can depend on the alignment of their factors; pairs.py wants this one.
constexpr std::align_val_t kAlignment{64};

template <class Number, std::size_t Dimensions>
Output<Number, Dimensions> zeros(const std::size_t (&shape)[Dimensions]) {
  std::size_t size = 1;
  for (const std::size_t length : shape) size *= length;
  auto* const data = static_cast<Number*>(::operator new(size * sizeof(Number), kAlignment));
  std::fill_n(data, size, Number{0});
  const nb::capsule owner(data, [](void* p) noexcept { ::operator delete(p, kAlignment); });
  return Output<Number, Dimensions>(data, Dimensions, shape, owner);
}

template <class Number>
Output<Number, 1> copy_out(Values<Number> given) {
  auto result = zeros<Number>({given.size()});
  std::copy(given.begin(), given.end(), result.data());
  return result;
}

inline void require(bool fine, const char* otherwise) {
  if (!fine) throw std::invalid_argument(otherwise);
}

}  // namespace arbitree
