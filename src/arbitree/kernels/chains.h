// Where the forests of some rows lie, if a vector has several registers.
//
// A forest, the forest without its last root, and so on down to the empty one, are a chain. The running
// maximum along a chain is fast if the chain lies inside one register, and so is a look at the forest
// before the last tree, which is part of the chain. Chains that begin alike share lanes where they lie in
// one register; otherwise, what they share has a copy in each.
//
// Invariant: in every register, the first lane is the empty forest, and each forest has its whole chain.

#pragma once

#include <queue>

#include "hash_consing.h"

namespace arbitree {

class Chains {
 public:
  static constexpr std::uint16_t kNone = 0;  // no lane: the first one is the empty forest

  // rests: for forests 1, 2, ... the forest without its last root, 0 for the empty one; each is smaller.
  Chains(std::span<const std::uint16_t> rests, std::size_t registers, std::size_t width)
      : rests_(rests),
        width_(width),
        used_(registers, 1),
        lanes_(registers, std::vector<std::uint16_t>(rests.size() + 1, kNone)) {
    sizes_.assign(rests.size() + 1, 1);
    first_.assign(rests.size() + 1, 0);
    next_.assign(rests.size() + 1, 0);
    for (std::size_t f = rests.size(); f > 0; --f) {
      const std::uint16_t rest = rests[f - 1];
      sizes_[rest] += sizes_[f];
      next_[f] = first_[rest];
      first_[rest] = static_cast<std::uint16_t>(f);
    }
  }

  // Fills the registers, the largest sets of chains first. A set that has no room is divided at the end of
  // what its chains share. Returns whether all forests have a lane.
  bool arrange() {
    std::priority_queue<std::pair<std::uint16_t, std::uint16_t>> sets;  // size and first forest
    const auto divide = [&](std::uint16_t f) {
      for (std::uint16_t more = first_[f]; more != 0; more = next_[more]) sets.emplace(sizes_[more], more);
    };
    divide(0);
    while (!sets.empty()) {
      const std::uint16_t f = sets.top().second;
      sets.pop();
      if (put_where_it_fits(f)) continue;
      if (first_[f] == 0) return false;
      divide(f);
    }
    return true;
  }

  // The lane of a forest in the first register that contains it.
  std::uint16_t home(std::uint16_t forest) const {
    std::size_t place = 0;
    while (lanes_[place][forest] == kNone) ++place;
    return lanes_[place][forest];
  }

  // The lane of a forest in a register, kNone if it is not there.
  std::uint16_t lane(std::size_t place, std::uint16_t forest) const { return lanes_[place][forest]; }

 private:
  // Puts all chains through a forest into the register where the fewest copies are needed.
  bool put_where_it_fits(std::uint16_t forest) {
    std::size_t best = lanes_.size(), fewest = SIZE_MAX;
    for (std::size_t place = 0; place < lanes_.size(); ++place) {
      const std::size_t copies = missing(forest, place).size();
      if (used_[place] + sizes_[forest] + copies <= width_ && copies < fewest) {
        best = place;
        fewest = copies;
      }
    }
    if (best == lanes_.size()) return false;
    for (const std::uint16_t f : missing(forest, best)) put(f, best);
    open_.assign(1, forest);
    while (!open_.empty()) {
      const std::uint16_t f = open_.back();
      open_.pop_back();
      put(f, best);
      for (std::uint16_t more = first_[f]; more != 0; more = next_[more]) open_.push_back(more);
    }
    return true;
  }

  // The rests of a forest that a register does not contain yet.
  std::span<const std::uint16_t> missing(std::uint16_t forest, std::size_t place) {
    missing_.clear();
    for (std::uint16_t f = rests_[forest - 1]; f != 0 && lanes_[place][f] == kNone; f = rests_[f - 1])
      missing_.push_back(f);
    return missing_;
  }

  void put(std::uint16_t forest, std::size_t place) {
    lanes_[place][forest] = static_cast<std::uint16_t>(place * width_ + used_[place]++);
  }

  std::span<const std::uint16_t> rests_;
  const std::size_t width_;
  std::vector<std::size_t> used_;                  // lanes of every register
  std::vector<std::vector<std::uint16_t>> lanes_;  // by register and forest
  std::vector<std::uint16_t> sizes_;               // forests whose chains go through each
  std::vector<std::uint16_t> first_, next_;        // forests that have the same rest
  std::vector<std::uint16_t> open_, missing_;      // scratch memory
};

}  // namespace arbitree
