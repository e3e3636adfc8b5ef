// The distances of some groups of trees, the rows, to all trees that come after: one program for all.
//
// With S(x, y) = cost to delete x + cost to insert y - distance of x and y, what lanes.h computes is the
// largest gain of any mapping, where matching two nodes gains what it saves against deleting one and
// inserting the other: at unit costs 2 for equal labels, 1 for others.
//
// Invariant: equal trees have one row and one output, whatever groups they are in. Distances are exact
// integers, so neither lanes nor packs show in a result, nor which rows are compared pair by pair because
// that is quicker: long trees, and deep ones, have too many forests for vectors. Memory for similarities
// is at most one Number for every distinct tree of the rows and every distinct tree after.

#pragma once

#include <optional>

#include "corpus.h"
#include "vector_lanes.h"

namespace arbitree {

// What it gains to match labels. At unit costs, all labels that no row has share one row of gains.
class Gains {
 public:
  static constexpr double kLargest = 7;  // an integer cost above this takes the other path

  // For unit costs; row_labels says which labels occur in the rows.
  Gains(std::size_t label_count, const std::vector<std::uint8_t>& row_labels) : rows_(label_count) {
    labels_.push_back(-1);
    for (std::size_t label = 0; label < label_count; ++label) {
      if (!row_labels[label]) continue;
      rows_[label] = static_cast<std::int32_t>(labels_.size());
      labels_.push_back(static_cast<std::int32_t>(label));
    }
  }

  // For costs that fit(); names are the labels that the costs know.
  Gains(std::span<const std::int32_t> names, const Costs& costs)
      : costs_(&costs), names_(names), rows_(names.size()), labels_(names.size()), largest_(0) {
    std::iota(rows_.begin(), rows_.end(), 0);
    std::iota(labels_.begin(), labels_.end(), 0);
    for (const std::int32_t label : labels_) {
      for (std::size_t row = 0; row < row_count(); ++row) largest_ = std::max(largest_, gain(label, row));
    }
  }

  // Whether all costs of these labels are small integers, in a table.
  static bool fit(std::span<const std::int32_t> names, const Costs& costs) {
    if (costs.relabel == nullptr) return false;
    const auto fits = [](double cost) { return cost >= 0 && cost <= kLargest && cost == std::floor(cost); };
    return std::all_of(names.begin(), names.end(), [&](std::int32_t one) {
      const double* const relabel = costs.relabel + one * costs.label_count;
      return fits(costs.remove[one]) && fits(costs.insert[one]) &&
             std::all_of(names.begin(), names.end(),
                         [&](std::int32_t other) { return fits(relabel[other]); });
    });
  }

  std::span<const std::int32_t> rows() const { return rows_; }  // for every label
  std::size_t row_count() const { return labels_.size(); }
  unsigned largest() const { return largest_; }

  // Writes all rows for the labels of lanes, as slots.
  template <class Number>
  void write(const Lanes& lanes, std::size_t stride, Number* slots) const {
    std::fill(slots, slots + row_count() * stride, Number{0});
    for (std::size_t g = 0; g < lanes.size(); ++g) {
      const std::int32_t label = lanes.labels[g];
      if (label < 0) continue;  // no forest
      for (std::size_t row = 0; row < row_count(); ++row) {
        slots[row * stride + g] = static_cast<Number>(costs_ == nullptr ? 1 : gain(label, row));
      }
      if (costs_ == nullptr) slots[static_cast<std::size_t>(rows_[label]) * stride + g] = 2;
    }
  }

 private:
  // Under the costs; label and row are those of a row's tree and a column's.
  unsigned gain(std::int32_t label, std::size_t row) const {
    const std::int32_t from = names_[label], to = names_[labels_[row]];
    const double saved =
        costs_->remove[from] + costs_->insert[to] - costs_->relabel[from * costs_->label_count + to];
    return saved > 0 ? static_cast<unsigned>(saved) : 0;
  }

  const Costs* costs_ = nullptr;
  std::span<const std::int32_t> names_;
  std::vector<std::int32_t> rows_, labels_;
  unsigned largest_ = 2;
};

// For tests: rows that lanes have room for never go pair by pair.
inline std::atomic<bool> always_programs{false};

class Panel {
 public:
  // first, middle and last are trees: the rows begin at first, what is only compared to them at middle.
  Panel(const Corpus& corpus, std::int64_t first, std::int64_t middle, std::int64_t last, LaneKind kind,
        const Costs* costs)
      : corpus_(corpus),
        forests_(corpus.forests()),
        first_(first),
        last_(last),
        kind_(kind),
        costs_(costs),
        bare_(costs == nullptr && forests_.one_root()) {
    const Gains gains = gains_of(middle);
    const Program program = compile(gains);
    compute(program, gains, middle);
    add_up_totals();
  }

  // Writes the distances of row x to the trees from first_column on.
  void distances(std::int64_t x, std::int64_t first_column, Workspaces& spaces, double* out) const {
    const Row& row = rows_[row_of_kind_[corpus_.kind(x)]];
    switch (row.bytes) {
      case 1:
        return distances(x, first_column, bytes_.data() + row.start, spaces, out);
      case 2:
        return distances(x, first_column, words_.data() + row.start, spaces, out);
      default:
        for (std::int64_t y = first_column; y < last_; ++y) *out++ = one_by_one(x, y, spaces);
    }
  }

 private:
  static constexpr std::size_t kSlotLimit = std::size_t{1} << 28;  // bytes of memory for slots

  struct Row {
    int bytes = 0;          // of a Number; 0: compared pair by pair
    std::size_t start = 0;  // of its similarities
  };

  // Rows that share lanes.
  struct Pack {
    std::vector<std::int32_t> forests;  // in rising order
    std::vector<std::int64_t> kinds;
    std::size_t capacity = 0;  // of forests
  };

  std::span<const std::int32_t> members(std::int64_t kind) const { return forests_.members(kind, bare_); }
  std::int32_t top(std::int64_t kind) const { return forests_.top(kind, bare_); }

  Gains gains_of(std::int64_t middle) const {
    if (costs_ != nullptr) return Gains(forests_.labels(), *costs_);
    std::vector<std::uint8_t> row_labels(forests_.labels().size());
    for (std::int64_t x = first_; x < middle; ++x) {
      for (const std::int32_t f : forests_.members(corpus_.kind(x))) row_labels[forests_[f].label] = true;
    }
    return Gains(row_labels.size(), row_labels);
  }

  Program compile(const Gains& gains) {
    Program program = corpus_.program(bare_).from(first_, gains.rows(), gains.row_count());
    std::vector<std::int32_t> output_of_forest(forests_.size(), -1);
    for (std::size_t k = 0; k < program.outputs.size(); ++k) {
      output_of_forest[program.outputs[k]] = static_cast<std::int32_t>(k);
    }
    outputs_.assign(last_ - first_, -1);
    for (std::int64_t y = first_; y < last_; ++y) {
      const std::int64_t kind = corpus_.kind(y);
      if (!forests_.members(kind).empty()) outputs_[y - first_] = output_of_forest[top(kind)];
    }
    return program;
  }

  void compute(const Program& program, const Gains& gains, std::int64_t middle) {
    std::vector<std::int64_t> small, large;
    const std::vector<double> pair_times = times_pair_by_pair(middle);
    row_of_kind_.assign(corpus_.kind_count(), -1);
    for (std::int64_t x = first_; x < middle; ++x) {
      const std::int64_t kind = corpus_.kind(x);
      if (row_of_kind_[kind] >= 0) continue;
      row_of_kind_[kind] = static_cast<std::int32_t>(rows_.size());
      rows_.emplace_back();
      const std::size_t lanes = members(kind).size() + 1;
      if (forests_.members(kind).empty()) continue;
      const double time = time_per_column(kind) * static_cast<double>(program.columns.size());
      if (pair_times[kind] < time && !always_programs) continue;
      const std::int64_t bound = std::int64_t{forests_[top(kind)].size} * gains.largest();
      const std::size_t slots = program.slot_count;
      if (bound <= UINT8_MAX && lanes * slots <= kSlotLimit) {
        rows_.back() = {1, small.size() * program.outputs.size()};
        small.push_back(kind);
      } else if (bound <= UINT16_MAX && lanes * slots * 2 <= kSlotLimit) {
        rows_.back() = {2, large.size() * program.outputs.size()};
        large.push_back(kind);
      }
    }
    bytes_.resize(small.size() * program.outputs.size());
    words_.resize(large.size() * program.outputs.size());
    Slots slots;
    std::vector<std::uint16_t> place(forests_.size());
    for (const Pack& pack : packs(small)) {
#if ARBITREE_X86
      if (kind_ == LaneKind::avx512) {
        const Lanes lanes(forests_, pack.forests, VectorLanes::kRegister, place);
        if (lanes.near && VectorLanes::fit(kind_, lanes)) {
          run(program, gains, lanes, pack, VectorLanes(kind_, lanes), slots, bytes_);
          continue;
        }
      }
#endif
      const Lanes lanes(forests_, pack.forests, 0, place);
#if ARBITREE_X86
      if (VectorLanes::fit(kind_, lanes)) {
        run(program, gains, lanes, pack, VectorLanes(kind_, lanes), slots, bytes_);
        continue;
      }
#endif
      run(program, gains, lanes, pack, ScalarLanes<std::uint8_t>(lanes), slots, bytes_);
    }
    for (const std::int64_t kind : large) {
      const auto forests = members(kind);
      const Pack pack{{forests.begin(), forests.end()}, {kind}, forests.size()};
      const Lanes lanes(forests_, pack.forests, 0, place);
      run(program, gains, lanes, pack, ScalarLanes<std::uint16_t>(lanes), slots, words_);
    }
  }

  // The time to compare the rows of every kind with all trees after them one by one, in nanoseconds as
  // measured: a program has no way to leave out the trees before.
  std::vector<double> times_pair_by_pair(std::int64_t middle) {
    constexpr double kPair = 300, kLeafCell = 0.5, kWeightedCell = 1.5;
    std::vector<double> times(corpus_.kind_count());
    nodes_after_.resize(last_ - first_);
    Corpus::PairCosts after;
    double nodes = 0, count = 0;
    for (std::int64_t x = last_ - 1; x >= first_; --x) {
      const double size = corpus_.left(x).size;
      const Corpus::PairCosts& ours = corpus_.pair_costs()[x];
      if (x < middle) {
        const double cells = ours.with(after, costs_ == nullptr);
        times[corpus_.kind(x)] += kPair * count + kLeafCell * size * nodes +
                                  (costs_ == nullptr ? cells : kWeightedCell * cells);
      }
      nodes_after_[x - first_] = nodes;
      if (outputs_[x - first_] < 0) continue;
      after += ours;
      nodes += size;
      count += 1;
    }
    return times;
  }

  // The share of a row in the time of a column, in nanoseconds as measured.
  double time_per_column(std::int64_t kind) const {
    const double lanes = static_cast<double>(members(kind).size() + 1);
#if ARBITREE_X86
    const Width width = width_for(kind_, members(kind).size() + 1);
    if (kind_ != LaneKind::scalar && width.lanes <= widths(kind_).back().lanes) {
      return (kind_ == LaneKind::avx512 ? 4.3 : 6.0) * width.cost * lanes / static_cast<double>(width.lanes);
    }
#endif
    return 0.9 * lanes;
  }

  // Puts trees together, in vectors that are at least so wide that the whole costs least.
  std::vector<Pack> packs(std::vector<std::int64_t> kinds) const {
    std::stable_sort(kinds.begin(), kinds.end(), [this](std::int64_t one, std::int64_t other) {
      return members(one).size() > members(other).size();
    });
    std::vector<Pack> best;
    double least = 0;
    for (const Width& width : widths(kind_)) {
      std::vector<Pack> found = packs(kinds, width.lanes);
      double cost = 0;
      for (const Pack& pack : found) cost += width_for(kind_, pack.forests.size() + 1).cost;
      if (!best.empty() && cost >= least) continue;
      least = cost;
      best = std::move(found);
    }
    return best;
  }

  // The packs that contain each forest.
  class PacksOfForests {
   public:
    explicit PacksOfForests(std::size_t forests) : last_(forests, -1) {}

    template <class Function>
    void each(std::int32_t forest, const Function& function) const {
      for (std::int32_t k = last_[forest]; k >= 0; k = entries_[k].before) function(entries_[k].pack);
    }

    // Adds a pack to those of a forest, and returns whether it was not yet among them.
    bool add(std::int32_t forest, std::uint32_t pack) {
      bool known = false;
      each(forest, [&](std::uint32_t other) { known |= other == pack; });
      if (known) return false;
      entries_.push_back({pack, last_[forest]});
      last_[forest] = static_cast<std::int32_t>(entries_.size()) - 1;
      return true;
    }

   private:
    struct Entry {
      std::uint32_t pack;
      std::int32_t before;  // an entry of the same forest; -1: none
    };
    std::vector<Entry> entries_;
    std::vector<std::int32_t> last_;
  };

  // Puts each tree where it needs the fewest lanes of its own: trees of one sentence have most of their
  // forests in common.
  std::vector<Pack> packs(const std::vector<std::int64_t>& kinds, std::size_t least_width) const {
    std::vector<Pack> all;
    std::vector<std::size_t> common;  // by pack
    PacksOfForests known(forests_.size());
    for (const std::int64_t kind : kinds) {
      look_for_stop();
      const auto ours = members(kind);
      common.assign(all.size(), 0);
      for (const std::int32_t f : ours) known.each(f, [&](std::uint32_t pack) { ++common[pack]; });
      std::size_t best = all.size(), least = SIZE_MAX;
      for (std::size_t k = 0; k < all.size(); ++k) {
        const std::size_t extra = ours.size() - common[k];
        if (extra < least && all[k].forests.size() + extra <= all[k].capacity) {
          best = k;
          least = extra;
        }
      }
      if (best == all.size()) all.push_back({{}, {}, capacity(ours.size(), least_width)});
      for (const std::int32_t f : ours) {
        if (known.add(f, static_cast<std::uint32_t>(best))) all[best].forests.push_back(f);
      }
      all[best].kinds.push_back(kind);
    }
    for (Pack& pack : all) std::sort(pack.forests.begin(), pack.forests.end());
    return all;
  }

  // How many forests may join so many of a tree in a pack.
  std::size_t capacity(std::size_t forests, std::size_t least_width) const {
    const std::size_t lanes = std::max(least_width, width_for(kind_, forests + 1).lanes);
    if (kind_ != LaneKind::avx512) return lanes - 1;
    return std::max(lanes - 2 * (lanes / 64), forests);  // in each register, the empty forest and a copy
  }

  template <class Number, class Executor>
  void run(const Program& program, const Gains& gains, const Lanes& lanes, const Pack& pack,
           const Executor& execute, Slots& memory, std::vector<Number>& results) const {
    const std::size_t stride = execute.stride();
    auto* const slots = reinterpret_cast<Number*>(memory.bytes(program.slot_count * stride * sizeof(Number)));
    std::fill(slots, slots + stride, Number{0});
    gains.write(lanes, stride, slots + Program::kFirstGain * stride);
    for (const Stretch& stretch : program.stretches) {
      look_for_stop();
      execute(std::span(program.columns).subspan(stretch.first, stretch.last - stretch.first), slots);
      for (const std::int64_t kind : pack.kinds) {
        const Number* from = slots + Program::kFirstOutput * stride + lanes.lane(top(kind));
        Number* const to = results.data() + rows_[row_of_kind_[kind]].start;
        for (std::size_t k = stretch.first_output; k < stretch.last_output; ++k, from += stride)
          to[k] = *from;
      }
    }
  }

  // What it costs to delete a row, and to insert a column.
  void add_up_totals() {
    removed_.resize(last_ - first_);
    inserted_.resize(last_ - first_);
    for (std::int64_t x = first_; x < last_; ++x) {
      const Tree& tree = corpus_.left(x);
      double &removed = removed_[x - first_], &inserted = inserted_[x - first_];
      if (costs_ == nullptr) {
        removed = inserted = tree.size - bare_;
        continue;
      }
      for (std::int32_t v = 0; v < tree.size; ++v) {
        removed += costs_->remove[tree.labels[v]];
        inserted += costs_->insert[tree.labels[v]];
      }
    }
  }

  template <class Number>
  void distances(std::int64_t x, std::int64_t first_column, const Number* similar, Workspaces& spaces,
                 double* out) const {
    const double removed = removed_[x - first_];
    for (std::int64_t y = first_column; y < last_; ++y) {
      const std::int32_t output = outputs_[y - first_];
      *out++ = output < 0 ? one_by_one(x, y, spaces) : removed + inserted_[y - first_] - similar[output];
    }
    Watch::advance(static_cast<double>(corpus_.left(x).size) * nodes_after_[x - first_]);
  }

  double one_by_one(std::int64_t x, std::int64_t y, Workspaces& spaces) const {
    look_for_stop();
    return costs_ == nullptr ? static_cast<double>(corpus_.distance(x, y, kind_, spaces))
                             : corpus_.distance(x, y, *costs_, spaces);
  }

  const Corpus& corpus_;
  const HashConsing& forests_;
  const std::int64_t first_, last_;
  const LaneKind kind_;
  const Costs* const costs_;
  const bool bare_;

  std::vector<std::int32_t> outputs_;      // of every tree; -1 for those left out
  std::vector<std::int32_t> row_of_kind_;  // -1 where no row is of this kind
  std::vector<Row> rows_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint16_t> words_;
  std::vector<double> removed_, inserted_;
  std::vector<double> nodes_after_;  // of the trees after each that have outputs
};

constexpr std::int64_t kPanelRows = 256;  // trees: more would need more memory, fewer more programs

// Whether panels can compute the distances under these costs.
inline bool panels_fit(const Corpus& corpus, LaneKind kind, const Costs* costs) {
  return kind != LaneKind::off && (costs == nullptr || Gains::fit(corpus.forests().labels(), *costs));
}

// Adds the sums of a block whose columns reach from its first row to the last group.
inline void add_panels(const Corpus& corpus, const Block& block, LaneKind kind, const Costs* costs,
                       double* out) {
  Workspaces spaces;
  const std::int64_t last = block.groups[block.columns.second];
  for (std::int64_t i = block.rows.first; i < block.rows.second;) {
    std::int64_t end = i + 1;
    while (end < block.rows.second && block.groups[end + 1] - block.groups[i] <= kPanelRows) ++end;
    const Panel panel(corpus, block.groups[i], block.groups[end], last, kind, costs);
    add_squares(
        block, {i, end},
        [&](std::int64_t x, std::int64_t first, std::int64_t, double* to) {
          panel.distances(x, first, spaces, to);
        },
        out);
    i = end;
  }
}

// Calls use(x, row) for the trees x of first to last - 1, with the distances of x to all trees after it.
template <class Use>
void for_panel_rows(const Corpus& corpus, std::int64_t first, std::int64_t last, LaneKind kind,
                    const Costs* costs, const Use& use) {
  Workspaces spaces;
  std::vector<double> row(corpus.tree_count() - first);
  for (std::int64_t start = first; start < last; start += kPanelRows) {
    const std::int64_t end = std::min(last, start + kPanelRows);
    const Panel panel(corpus, start, end, corpus.tree_count(), kind, costs);
    for (std::int64_t x = start; x < end; ++x) {
      look_for_stop();
      panel.distances(x, x + 1, spaces, row.data());
      use(x, row.data());
    }
  }
}

}  // namespace arbitree
