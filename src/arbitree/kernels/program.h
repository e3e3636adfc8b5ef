// The straight-line program that computes the similarity of some trees to all forests of others.
//
// A column is the values S(g, F) of one forest F of the columns' trees, for every forest g of the rows'
// trees; lanes.h says how it comes from other columns. All columns that a panel needs, in the order of
// their numbers, are the program. A column lives in a slot until its last reader has run.
//
// Invariant: when a column runs, the slots that it reads hold the columns it was compiled from, and the
// slot that it writes is none of them and holds nothing that is still to be read.

#pragma once

#include <numeric>

#include "hash_consing.h"

namespace arbitree {

// One column of a forest F, as slots.
struct Column {
  std::uint32_t rest;        // F without its last root
  std::uint32_t first : 31;  // F without its last tree; of a single tree, what is below its root
  std::uint32_t single : 1;  // F is a single tree
  std::uint32_t second;      // the last tree of F; of a single tree, the gains of its label
  std::uint32_t result;
};

// A stretch of columns with at most Program::kOutputs results that somebody waits for.
struct Stretch {
  std::size_t first, last;                // half-open range of columns
  std::size_t first_output, last_output;  // the results lie in the slots kFirstOutput and so on
};

struct Program {
  static constexpr std::uint32_t kEmpty = 0;  // slot of the empty forest: all zeros
  static constexpr std::uint32_t kFirstOutput = 1;
  static constexpr std::uint32_t kOutputs = 64;
  static constexpr std::uint32_t kFirstGain = kFirstOutput + kOutputs;

  static constexpr std::size_t kLongest = 2048;  // columns between two looks at the stop flag

  std::vector<Column> columns;
  std::vector<Stretch> stretches;
  std::vector<std::int32_t> forests;  // of every column; not for parts of a program
  std::vector<std::int32_t> outputs;  // forests, in the order of their results
  std::uint32_t slot_count = 0;

  std::uint32_t open_outputs() const {
    return static_cast<std::uint32_t>(outputs.size() - (stretches.empty() ? 0 : stretches.back().last_output));
  }

  void note_output(std::int32_t forest) {
    outputs.push_back(forest);
    if (open_outputs() == kOutputs) close_stretch();
  }

  void close_long_stretch() {
    if (columns.size() - (stretches.empty() ? 0 : stretches.back().last) >= kLongest) close_stretch();
  }

  void close_stretch() {
    const Stretch before = stretches.empty() ? Stretch{} : stretches.back();
    stretches.push_back({before.last, columns.size(), before.last_output, outputs.size()});
  }
};

class Compiler {
 public:
  // gain_rows: for every label, which of gain_count rows of gains is its own.
  Compiler(const HashConsing& forests, std::span<const std::int32_t> gain_rows, std::uint32_t gain_count)
      : forests_(forests), gain_rows_(gain_rows), places_(forests.size()) {
    program_.slot_count = Program::kFirstGain + gain_count;
  }

  void need(std::span<const std::int32_t> members) {
    for (const std::int32_t f : members) places_[f].needed = true;
  }

  // Asks for the values of a forest that is needed or empty.
  void want(std::int32_t forest) { places_[forest].wanted = true; }

  Program compile() && {
    program_.columns.reserve(find_last_readers());
    if (places_[0].wanted) copy(0);
    for (const std::int32_t f : forests_.order()) {
      if (!places_[f].needed) continue;
      emit(f);
      program_.close_long_stretch();
    }
    program_.close_stretch();
    return std::move(program_);
  }

 private:
  // What is known of a forest.
  struct Place {
    bool needed = false, wanted = false;
    std::int32_t last_reader = 0;  // 0: nobody
    std::uint32_t slot = Program::kEmpty;
  };

  // Returns how many columns there will be.
  std::size_t find_last_readers() {
    std::size_t count = 0;
    for (const std::int32_t f : forests_.order()) {
      if (!places_[f].needed) continue;
      const Forest& forest = forests_[f];
      places_[forest.rest].last_reader = f;
      if (!forest.single()) places_[forest.before].last_reader = places_[forest.tree].last_reader = f;
      count += 1 + places_[f].wanted;
    }
    places_[0].last_reader = INT32_MAX;
    return count + 1;
  }

  void emit(std::int32_t f) {
    const Forest& forest = forests_[f];
    Place& place = places_[f];
    const std::uint32_t first = places_[forest.single() ? forest.below : forest.before].slot;
    const std::uint32_t second =
        forest.single() ? Program::kFirstGain + static_cast<std::uint32_t>(gain_rows_[forest.label])
                        : places_[forest.tree].slot;
    const bool read = place.last_reader != 0;
    place.slot = read ? take_slot() : Program::kFirstOutput + program_.open_outputs();
    push(f, {places_[forest.rest].slot, first, forest.single(), second, place.slot});
    if (place.wanted && read) copy(f);
    if (place.wanted && !read) program_.note_output(f);
    release(forest.rest, f);
    if (!forest.single()) {
      release(forest.before, f);
      release(forest.tree, f);
    }
  }

  // A column that is both read and wanted is written twice; its copy adds nothing to nothing.
  void copy(std::int32_t f) {
    const std::uint32_t output = Program::kFirstOutput + program_.open_outputs();
    push(f, {places_[f].slot, Program::kEmpty, false, Program::kEmpty, output});
    program_.note_output(f);
  }

  void push(std::int32_t f, const Column& column) {
    program_.columns.push_back(column);
    program_.forests.push_back(f);
  }

  std::uint32_t take_slot() {
    if (free_.empty()) return program_.slot_count++;
    const std::uint32_t slot = free_.back();  // the last one freed is the likeliest to be in the cache
    free_.pop_back();
    return slot;
  }

  void release(std::int32_t forest, std::int32_t reader) {
    Place& place = places_[forest];
    if (place.last_reader != reader) return;
    place.last_reader = INT32_MAX;  // once, even if this reader has it in two roles
    free_.push_back(place.slot);
  }

  const HashConsing& forests_;
  std::span<const std::int32_t> gain_rows_;
  std::vector<Place> places_;  // of all forests
  std::vector<std::uint32_t> free_;
  Program program_;
};

// One program for all trees of a corpus, from which panels take the columns that they need: a program without
// the columns of forests that only earlier trees have is still one.
class SharedProgram {
 public:
  // kinds: for every tree, its number among the trees of forests.
  SharedProgram(const HashConsing& forests, std::span<const std::int64_t> kinds, bool bare)
      : label_count_(static_cast<std::uint32_t>(forests.labels().size())) {
    std::vector<std::int32_t> labels(label_count_);
    std::iota(labels.begin(), labels.end(), 0);
    Compiler compiler(forests, labels, label_count_);
    std::vector<std::int64_t> last_need(forests.size(), -1), last_want(forests.size(), -1);
    for (std::int64_t y = static_cast<std::int64_t>(kinds.size()) - 1; y >= 0; --y) {
      if (forests.members(kinds[y]).empty()) continue;  // left out
      const std::int32_t top = forests.top(kinds[y], bare);
      if (last_want[top] >= 0) continue;
      last_want[top] = y;
      compiler.want(top);
      const auto members = forests.members(kinds[y], bare);
      compiler.need(members);
      for (const std::int32_t f : members) last_need[f] = std::max(last_need[f], y);
    }
    program_ = std::move(compiler).compile();
    last_trees_.reserve(program_.columns.size());
    for (std::size_t c = 0; c < program_.columns.size(); ++c) {
      last_trees_.push_back((is_output(program_.columns[c]) ? last_want : last_need)[program_.forests[c]]);
    }
  }

  // The program for the trees from first on. gain_rows and gain_count are as for a Compiler.
  Program from(std::int64_t first, std::span<const std::int32_t> gain_rows, std::size_t gain_count) const {
    Program part;
    const std::uint32_t shift = static_cast<std::uint32_t>(gain_count) - label_count_;  // modulo 2^32
    const auto slot = [=](std::uint32_t given) { return given < Program::kFirstGain ? given : given + shift; };
    part.slot_count = slot(program_.slot_count);
    part.columns.reserve(program_.columns.size());
    for (std::size_t c = 0; c < program_.columns.size(); ++c) {
      if (last_trees_[c] < first) continue;
      Column column = program_.columns[c];
      column.rest = slot(column.rest);
      column.first = slot(column.first);
      column.second = column.single ? Program::kFirstGain + gain_rows[column.second - Program::kFirstGain]
                                    : slot(column.second);
      const bool output = is_output(column);
      column.result = output ? Program::kFirstOutput + part.open_outputs() : slot(column.result);
      part.columns.push_back(column);
      if (output) part.note_output(program_.forests[c]);
      part.close_long_stretch();
    }
    part.close_stretch();
    return part;
  }

 private:
  static bool is_output(const Column& column) { return column.result < Program::kFirstGain; }

  std::uint32_t label_count_;
  Program program_;                       // with a row of gains for every label
  std::vector<std::int64_t> last_trees_;  // that need each column
};

}  // namespace arbitree
