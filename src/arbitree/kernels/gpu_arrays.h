// The program of all trees, and the packs of some of them, as arrays for a GPU (columns.cu).

#pragma once

#include "numpy_arrays.h"
#include "whole_program.h"

namespace arbitree {

// Bundles of columns: (rest, first, second, result) of every column, (first bundle, end, first output, end) of every
// stretch, and the number of slots. The highest bit of first is set for a single tree; that of the first result of a
// bundle, if the bundle can be loaded before the one before it is done.
inline nb::tuple gpu_bundles(const WholeProgram& whole, std::size_t length) {
  require(length > 0, "a bundle has at least one column");
  const Bundles bundles = whole.bundles(length);
  auto columns = zeros<std::uint32_t>({bundles.columns.size(), 4});
  std::uint32_t* out = columns.data();
  for (std::size_t c = 0; c < bundles.columns.size(); ++c) {
    const Column& column = bundles.columns[c];
    const bool early = c % length == 0 && bundles.early[c / length];
    *out++ = column.rest;
    *out++ = column.first | (column.single ? Bundles::kFlag : 0);
    *out++ = column.second;
    *out++ = column.result | (early ? Bundles::kFlag : 0);
  }
  auto stretches = zeros<std::int32_t>({bundles.stretches.size(), 4});
  std::int32_t* bound = stretches.data();
  for (const Stretch& stretch : bundles.stretches) {
    for (const std::size_t each : {stretch.first, stretch.last, stretch.first_output, stretch.last_output}) {
      *bound++ = static_cast<std::int32_t>(each);
    }
  }
  return nb::make_tuple(columns, stretches, bundles.slot_count);
}

// The packs of some trees: the parts of their lanes (before, tree, below, rest), the labels of their lanes, for each
// pack its stretches, steps of the running maximum and half-open range of rows, the lane of each row, and the row of
// each tree, or -1.
inline nb::tuple gpu_packs(const WholeProgram& whole, const Corpus& corpus, std::int64_t first, std::int64_t last,
                    std::size_t fewest, std::size_t most) {
  require(first >= 0 && first <= last && last <= corpus.tree_count(), "no such trees");
  require(fewest < most && most <= UINT16_MAX, "a pack has too many lanes");
  const std::vector<RowPack> packs = whole.packs(first, last, fewest, most);
  auto parts = zeros<std::uint16_t>({packs.size(), 4, most});
  auto labels = zeros<std::int32_t>({packs.size(), most});
  auto bounds = zeros<std::int32_t>({packs.size(), 4});
  std::fill(labels.data(), labels.data() + labels.size(), -1);
  std::vector<std::int32_t> row_lanes, row_of_kind(corpus.kind_count(), -1);
  std::vector<std::uint16_t> lane(whole.forests().size());  // of the forests of a pack
  for (std::size_t p = 0; p < packs.size(); ++p) {
    for (std::size_t g = 0; g < packs[p].forests.size(); ++g) {
      lane[packs[p].forests[g]] = static_cast<std::uint16_t>(g + 1);
    }
    std::uint16_t* const part = parts.data() + p * 4 * most;
    std::int32_t longest = 0;
    for (const std::int32_t f : packs[p].forests) {
      const Forest& forest = whole.forests()[f];
      part[lane[f]] = lane[forest.before];
      part[most + lane[f]] = lane[forest.tree];
      part[2 * most + lane[f]] = lane[forest.below];
      part[3 * most + lane[f]] = lane[forest.rest];
      labels.data()[p * most + lane[f]] = forest.label;
      longest = std::max(longest, forest.size);
    }
    std::int32_t* const bound = bounds.data() + 4 * p;
    bound[0] = static_cast<std::int32_t>(packs[p].stretches);
    while ((std::int32_t{1} << bound[1]) < longest) ++bound[1];
    bound[2] = static_cast<std::int32_t>(row_lanes.size());
    for (const std::int64_t kind : packs[p].kinds) {
      row_of_kind[kind] = static_cast<std::int32_t>(row_lanes.size());
      row_lanes.push_back(lane[whole.top(kind)]);
    }
    bound[3] = static_cast<std::int32_t>(row_lanes.size());
  }
  std::vector<std::int32_t> rows;
  for (std::int64_t x = first; x < last; ++x) rows.push_back(row_of_kind[corpus.kind(x)]);
  return nb::make_tuple(parts, labels, bounds, copy_out(Values<std::int32_t>(row_lanes)),
                        copy_out(Values<std::int32_t>(rows)));
}

}  // namespace arbitree
