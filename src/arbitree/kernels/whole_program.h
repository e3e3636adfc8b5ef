// One program for all trees of a corpus, and the lanes of its rows, as arrays for a GPU (columns.cu).
//
// The program computes the trees from the last one to the first. A row is compared only with the trees after it, so
// it needs only the beginning of the program: the stretches until the trees after it are done.

#pragma once

#include "corpus.h"
#include "program.h"

namespace arbitree {

// Rows that share the lanes of one group of threads.
struct RowPack {
  std::vector<std::int32_t> forests;  // in rising order, without the empty one
  std::vector<std::int64_t> kinds;
  std::size_t stretches = 0;  // at the beginning of the program
};

// Columns that a team computes together: none reads the result of another. Bundles have one length; columns that
// compute nothing, into a slot that nobody reads, fill the shorter ones.
struct Bundles {
  static constexpr std::uint32_t kFlag = std::uint32_t{1} << 31;

  std::vector<Column> columns;
  std::vector<bool> early;         // of every bundle: reads no result of the bundle before
  std::vector<Stretch> stretches;  // whose columns are bundles
  std::uint32_t slot_count = 0;    // gains have no slots: of a single tree, Column::second is the label
};

class WholeProgram {
 public:
  explicit WholeProgram(const Corpus& corpus)
      : corpus_(corpus), numbers_(corpus.kind_count(), -1), forests_(numbered()), program_(compiled()) {
    std::vector<std::int32_t> output(forests_.size(), -1);
    for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
      output[program_.outputs[k]] = static_cast<std::int32_t>(k);
    }
    std::vector<std::size_t> stretch_of(program_.outputs.size());
    for (std::size_t s = 0; s < program_.stretches.size(); ++s) {
      const Stretch& stretch = program_.stretches[s];
      for (std::size_t k = stretch.first_output; k < stretch.last_output; ++k) stretch_of[k] = s;
    }
    outputs_.assign(corpus.tree_count(), -1);
    stretches_after_.assign(corpus.tree_count() + 1, 0);
    for (std::int64_t y = corpus.tree_count() - 1; y >= 0; --y) {
      stretches_after_[y] = stretches_after_[y + 1];
      if (left_out(corpus.kind(y))) continue;
      outputs_[y] = output[top(corpus.kind(y))];
      stretches_after_[y] = std::max(stretches_after_[y], stretch_of[outputs_[y]] + 1);
    }
  }

  const Program& program() const { return program_; }
  const HashConsing& forests() const { return forests_; }

  // The results of each tree as a column; -1 for trees that are left out.
  std::span<const std::int32_t> outputs() const { return outputs_; }

  // What does not count in the size of a tree: the root, if all roots carry one label.
  bool bare() const { return forests_.one_root(); }

  // The lane of a pack that holds the values of a whole tree is that of this forest.
  std::int32_t top(std::int64_t kind) const { return forests_.top(numbers_[kind], bare()); }

  // Puts the trees first to last - 1 that need more than fewest lanes, and at most most of them, into packs. A tree
  // joins one of the last few packs, the one where it needs the fewest lanes of its own.
  std::vector<RowPack> packs(std::int64_t first, std::int64_t last, std::size_t fewest, std::size_t most) const {
    constexpr std::size_t kOpen = 4;
    std::vector<RowPack> all;
    std::vector<bool> seen(corpus_.kind_count());
    std::vector<std::size_t> last_pack[kOpen];  // of each forest, among the packs whose number ends so; from 1 on
    for (auto& each : last_pack) each.resize(forests_.size());
    for (std::int64_t x = first; x < last; ++x) {
      const std::int64_t kind = corpus_.kind(x);
      const auto ours = members(kind);
      if (seen[kind] || left_out(kind) || ours.size() < fewest || ours.size() >= most) continue;
      seen[kind] = true;
      std::size_t best = 0, least = SIZE_MAX;
      for (std::size_t number = all.size(); number > 0 && number + kOpen > all.size(); --number) {
        const auto& packed = last_pack[number % kOpen];
        const auto shared = std::count_if(ours.begin(), ours.end(), [&](auto f) { return packed[f] == number; });
        const std::size_t extra = ours.size() - static_cast<std::size_t>(shared);
        if (extra >= least || all[number - 1].forests.size() + extra >= most) continue;
        best = number;
        least = extra;
      }
      if (best == 0) {
        all.emplace_back().stretches = stretches_after_[x];
        best = all.size();
      }
      RowPack& pack = all[best - 1];
      pack.kinds.push_back(kind);
      for (const std::int32_t f : ours) {
        if (last_pack[best % kOpen][f] == best) continue;
        last_pack[best % kOpen][f] = best;
        pack.forests.push_back(f);
      }
    }
    for (RowPack& pack : all) std::sort(pack.forests.begin(), pack.forests.end());
    return all;
  }

  Bundles bundles(std::size_t length) const {
    Bundles all;
    const auto gains = static_cast<std::uint32_t>(forests_.labels().size());
    all.slot_count = program_.slot_count - gains + 1;
    const auto slot = [=](std::uint32_t given) { return given < Program::kFirstGain ? given : given - gains; };
    const Column nothing{Program::kEmpty, Program::kEmpty, false, Program::kEmpty, all.slot_count - 1};
    std::vector<std::uint32_t> now, before;  // results of the bundle so far, and of the one before
    const auto close = [&] {
      while (all.columns.size() % length != 0) all.columns.push_back(nothing);
      before.swap(now);
      now.clear();
    };
    for (const Stretch& stretch : program_.stretches) {
      const std::size_t first = all.early.size();
      for (std::size_t c = stretch.first; c < stretch.last; ++c) {
        Column column = program_.columns[c];
        column.rest = slot(column.rest);
        column.first = slot(column.first);
        column.second = column.single ? column.second - Program::kFirstGain : slot(column.second);
        column.result = slot(column.result);
        const auto reads = [&](std::uint32_t result) {
          return column.rest == result || column.first == result || (!column.single && column.second == result);
        };
        const bool apart = std::any_of(now.begin(), now.end(), [&](std::uint32_t result) {
          return reads(result) || column.result == result;
        });
        if (now.size() == length || apart) close();
        if (now.empty()) all.early.push_back(true);
        if (std::any_of(before.begin(), before.end(), reads)) all.early.back() = false;
        now.push_back(column.result);
        all.columns.push_back(column);
      }
      if (!now.empty()) close();
      all.stretches.push_back({first, all.early.size(), stretch.first_output, stretch.last_output});
    }
    return all;
  }

 private:
  bool left_out(std::int64_t kind) const { return forests_.members(numbers_[kind]).empty(); }

  std::span<const std::int32_t> members(std::int64_t kind) const {
    return forests_.members(numbers_[kind], bare());
  }

  HashConsing numbered() {
    std::vector<std::int64_t> examples;
    for (std::int64_t x = corpus_.tree_count() - 1; x >= 0; --x) {
      std::int64_t& number = numbers_[corpus_.kind(x)];
      if (number >= 0) continue;
      number = static_cast<std::int64_t>(examples.size());
      examples.push_back(x);
    }
    return corpus_.number_forests(examples);
  }

  Program compiled() const {
    std::vector<std::int32_t> labels(forests_.labels().size());
    std::iota(labels.begin(), labels.end(), 0);
    Compiler compiler(forests_, labels, static_cast<std::uint32_t>(labels.size()));
    for (std::int64_t kind = 0; kind < corpus_.kind_count(); ++kind) {
      if (left_out(kind)) continue;
      compiler.need(members(kind));
      compiler.want(top(kind));
    }
    return std::move(compiler).compile();
  }

  const Corpus& corpus_;
  std::vector<std::int64_t> numbers_;  // of each kind, in the order of its last tree from the end
  HashConsing forests_;
  Program program_;
  std::vector<std::int32_t> outputs_;
  std::vector<std::size_t> stretches_after_;  // stretches that compute all trees from here to the end
};

}  // namespace arbitree
