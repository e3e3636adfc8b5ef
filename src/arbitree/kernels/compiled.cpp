// The module arbitree.kernels._compiled: checks what comes from Python, and computes without the lock.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <cstdlib>

#include "gpu_arrays.h"
#include "panel.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace arbitree {
namespace {

void check_tree(const Corpus& corpus, std::int64_t number) {
  if (number < 0 || number >= corpus.tree_count()) {
    throw std::out_of_range("no tree " + std::to_string(number) + " among " +
                            std::to_string(corpus.tree_count()));
  }
}

Costs checked_costs(const Corpus& corpus, const Matrix& relabel, const Input<double>& remove,
                    const Input<double>& insert) {
  const std::size_t count = relabel.shape(0);
  require(relabel.shape(1) == count && remove.shape(0) == count && insert.shape(0) == count,
          "costs differ in their number of labels");
  require(corpus.label_count() <= static_cast<std::int64_t>(count), "a label of the trees has no costs");
  return {static_cast<std::int64_t>(count), remove.data(), insert.data(), relabel.data()};
}

// The pairs of labels that have a cost of their own. Labels among the others may change or be wrong: they
// are only compared.
Costs checked_costs(const Corpus& corpus, const Input<std::int64_t>& starts,
                    const Input<std::int32_t>& others, const Input<double>& prices,
                    const Input<double>& remove, const Input<double>& insert) {
  const std::size_t count = remove.shape(0);
  require(starts.shape(0) == count + 1 && insert.shape(0) == count && others.shape(0) == prices.shape(0),
          "costs differ in their number of labels");
  require(corpus.label_count() <= static_cast<std::int64_t>(count), "a label of the trees has no costs");
  std::vector<std::int64_t> bounds = copied(starts);
  require(bounds.front() == 0 && bounds.back() == static_cast<std::int64_t>(others.shape(0)) &&
              std::is_sorted(bounds.begin(), bounds.end()),
          "the listed costs do not run from 0 to their number");
  return {static_cast<std::int64_t>(count), remove.data(), insert.data(), nullptr,
          std::move(bounds), others.data(), prices.data()};
}

// Pairs of tree numbers, checked.
class Pairs {
 public:
  Pairs(const Corpus& corpus, const Input<std::int32_t>& first, const Input<std::int32_t>& second)
      : corpus_(corpus), first_(copied(first)), second_(copied(second)) {
    require(first_.size() == second_.size(), "first and second differ in length");
    for (const std::int32_t number : first_) check_tree(corpus, number);
    for (const std::int32_t number : second_) check_tree(corpus, number);
  }

  template <class Number, class Function>
  Output<Number, 1> map(const Function& function) const {
    auto result = zeros<Number>({first_.size()});
    Number* const out = result.data();
    double expected = 0;
    for (std::size_t k = 0; k < first_.size(); ++k) {
      expected += corpus_.left(first_[k]).weight(corpus_.left(second_[k]));
    }
    const nb::gil_scoped_release unlocked;
    const Watch watch(expected);
    for (std::size_t k = 0; k < first_.size(); ++k) {
      look_for_stop();  // small trees may never look themselves
      out[k] = static_cast<Number>(function(first_[k], second_[k]));
    }
    return result;
  }

 private:
  const Corpus& corpus_;
  std::vector<std::int32_t> first_, second_;
};

// Which lanes to use: asked of the environment once, unless a test says otherwise.
std::atomic<int> chosen_lanes{-1};

LaneKind lane_kind() {
  int kind = chosen_lanes.load();
  if (kind < 0) {
    const char* const wanted = std::getenv("ARBITREE_LANES");
    kind = static_cast<int>(lanes_named(wanted == nullptr ? "" : wanted));
    chosen_lanes.store(kind);
  }
  return static_cast<LaneKind>(kind);
}

Output<std::int32_t, 1> distances(const Corpus& corpus, const Input<std::int32_t>& first,
                                  const Input<std::int32_t>& second) {
  const LaneKind kind = lane_kind();
  Workspaces spaces;
  return Pairs(corpus, first, second).map<std::int32_t>([&](auto x, auto y) {
    return corpus.distance(x, y, kind, spaces);
  });
}

// Of functions with costs there are two: the costs to relabel are one table, or three arrays.
template <class... Arrays>
Output<double, 1> weighted_distances(const Corpus& corpus, const Input<std::int32_t>& first,
                                     const Input<std::int32_t>& second, const Arrays&... arrays) {
  const Costs costs = checked_costs(corpus, arrays...);
  Workspaces spaces;
  return Pairs(corpus, first, second).map<double>([&](auto x, auto y) {
    return corpus.distance(x, y, costs, spaces);
  });
}

Output<double, 1> cells(const Corpus& corpus, const Input<std::int32_t>& first,
                        const Input<std::int32_t>& second) {
  return Pairs(corpus, first, second).map<double>([&](auto x, auto y) { return corpus.cells(x, y); });
}

void check_range(Range range, std::int64_t group_count) {
  if (range.first < 0 || range.first > range.second || range.second > group_count) {
    throw std::out_of_range("no groups " + std::to_string(range.first) + " to " +
                            std::to_string(range.second) + " among " + std::to_string(group_count));
  }
}

// Groups of trees and the sums of a block of them, checked.
class GroupSums {
 public:
  GroupSums(std::int64_t tree_count, const Input<std::int64_t>& groups, const Input<double>& counts,
            const Input<double>& sizes, Range rows, Range columns)
      : bounds_(copied(groups)), block_{bounds_, values(counts), values(sizes), rows, columns} {
    require(!bounds_.empty() && bounds_.front() >= 0 && bounds_.back() <= tree_count &&
                std::is_sorted(bounds_.begin(), bounds_.end()),
            "groups are not rising numbers of trees");
    const auto count = static_cast<std::size_t>(tree_count);
    require(counts.shape(0) == count && sizes.shape(0) == count,
            "counts and sizes are not as many as the trees");
    check_range(rows, static_cast<std::int64_t>(bounds_.size()) - 1);
    check_range(columns, static_cast<std::int64_t>(bounds_.size()) - 1);
  }
  GroupSums(const GroupSums&) = delete;
  GroupSums& operator=(const GroupSums&) = delete;

  const Block& block() const { return block_; }

  // Whether the columns reach from the first row to the last group.
  bool to_the_end() const {
    return block_.columns.first == block_.rows.first && block_.columns.second + 1 == std::ssize(bounds_) &&
           block_.rows.first < block_.rows.second;
  }

  template <class Function>
  Output<double, 3> fill(const Function& add) const {
    auto result = zeros<double>(
        {3, static_cast<std::size_t>(block_.height()), static_cast<std::size_t>(block_.width())});
    double* const out = result.data();
    const nb::gil_scoped_release unlocked;
    add(out);
    return result;
  }

 private:
  std::vector<std::int64_t> bounds_;
  Block block_;
};

template <class Distance>
Output<double, 3> squares(const Corpus& corpus, const GroupSums& sums, const Costs* costs,
                          const Distance& distance) {
  const LaneKind kind = lane_kind();
  return sums.fill([&](double* out) {
    const Watch watch(expected_work(corpus, sums.block()));
    if (sums.to_the_end() && panels_fit(corpus, kind, costs)) {
      return add_panels(corpus, sums.block(), kind, costs, out);
    }
    add_squares(
        sums.block(), sums.block().rows,
        [&](std::int64_t x, std::int64_t first, std::int64_t last, double* to) {
          for (std::int64_t y = first; y < last; ++y) {
            look_for_stop();
            *to++ = distance(x, y);
          }
        },
        out);
  });
}

Output<double, 3> sums(const Corpus& corpus, const Input<std::int64_t>& groups, const Input<double>& counts,
                       const Input<double>& sizes, Range rows, Range columns) {
  const LaneKind kind = lane_kind();
  Workspaces spaces;
  return squares(corpus, GroupSums(corpus.tree_count(), groups, counts, sizes, rows, columns), nullptr,
                 [&](auto x, auto y) { return static_cast<double>(corpus.distance(x, y, kind, spaces)); });
}

template <class... Arrays>
Output<double, 3> weighted_sums(const Corpus& corpus, const Input<std::int64_t>& groups,
                                const Input<double>& counts, const Input<double>& sizes, Range rows,
                                Range columns, const Arrays&... arrays) {
  const Costs costs = checked_costs(corpus, arrays...);
  Workspaces spaces;
  return squares(corpus, GroupSums(corpus.tree_count(), groups, counts, sizes, rows, columns), &costs,
                 [&](auto x, auto y) { return corpus.distance(x, y, costs, spaces); });
}

// The distances of the trees of rows to all trees after each of them, one row after the other.
template <class Number, class Distance>
Output<Number, 1> following(const Corpus& corpus, Range rows, const Costs* costs, const Distance& distance) {
  const LaneKind kind = lane_kind();
  const std::int64_t count = corpus.tree_count();
  if (rows.first < 0 || rows.first > rows.second || rows.second > count) {
    throw std::out_of_range("no trees " + std::to_string(rows.first) + " to " +
                            std::to_string(rows.second) + " among " + std::to_string(count));
  }
  std::size_t size = 0;
  for (std::int64_t x = rows.first; x < rows.second; ++x) size += static_cast<std::size_t>(count - x - 1);
  auto result = zeros<Number>({size});
  Number* out = result.data();
  const nb::gil_scoped_release unlocked;
  double expected = 0, after = 0;
  for (std::int64_t x = count - 1; x >= rows.first; --x) {
    if (x < rows.second) expected += after * corpus.left(x).size;
    after += corpus.left(x).size;
  }
  const Watch watch(expected);
  if (panels_fit(corpus, kind, costs)) {
    for_panel_rows(corpus, rows.first, rows.second, kind, costs, [&](std::int64_t x, const double* row) {
      for (std::int64_t y = x + 1; y < count; ++y) *out++ = static_cast<Number>(*row++);
    });
    return result;
  }
  for (std::int64_t x = rows.first; x < rows.second; ++x) {
    for (std::int64_t y = x + 1; y < count; ++y) {
      look_for_stop();
      *out++ = static_cast<Number>(distance(x, y));
    }
  }
  return result;
}

Output<std::uint16_t, 1> triangle(const Corpus& corpus, Range rows) {
  for (std::int64_t x = 0; x < corpus.tree_count(); ++x) {
    require(corpus.left(x).size <= INT16_MAX, "a tree is too large for distances of 16 bits");
  }
  const LaneKind kind = lane_kind();
  Workspaces spaces;
  return following<std::uint16_t>(corpus, rows, nullptr,
                                  [&](auto x, auto y) { return corpus.distance(x, y, kind, spaces); });
}

template <class... Arrays>
Output<double, 1> weighted_triangle(const Corpus& corpus, Range rows, const Arrays&... arrays) {
  const Costs costs = checked_costs(corpus, arrays...);
  Workspaces spaces;
  return following<double>(corpus, rows, &costs,
                           [&](auto x, auto y) { return corpus.distance(x, y, costs, spaces); });
}

template <class Number>
Output<double, 3> stored_sums(const Input<Number>& distances, const Input<std::int64_t>& trees,
                              const Input<std::int64_t>& groups, const Input<double>& counts,
                              const Input<double>& sizes, Range rows, Range columns) {
  const Triangle<Number> known(values(distances));
  const std::vector<std::int64_t> numbers = copied(trees);
  for (const std::int64_t number : numbers) {
    if (number < 0 || number >= known.tree_count()) {
      throw std::out_of_range("no tree " + std::to_string(number) + " among " +
                              std::to_string(known.tree_count()));
    }
  }
  const GroupSums sums(std::ssize(numbers), groups, counts, sizes, rows, columns);
  const Values<std::int64_t> all(numbers);
  return sums.fill([&](double* out) {
    add_squares(
        sums.block(), sums.block().rows,
        [&](std::int64_t x, std::int64_t first, std::int64_t last, double* to) {
          known.write(numbers[x], all.subspan(first, last - first), to);
        },
        out);
  });
}

Output<double, 2> table(const Corpus& corpus, std::int64_t first, std::int64_t second) {
  check_tree(corpus, first);
  check_tree(corpus, second);
  const Tree &a = corpus.left(first), &b = corpus.left(second);
  auto result = zeros<double>({static_cast<std::size_t>(a.size), static_cast<std::size_t>(b.size)});
  double* out = result.data();
  const nb::gil_scoped_release unlocked;
  look_for_stop();
  const Watch watch(a.weight(b));
  Workspace<std::uint32_t> space;
  similarity(a, b, space);
  const std::uint32_t* similar = space.trees.data();
  for (std::int32_t x = 0; x < a.size; ++x) {
    for (std::int32_t y = 0; y < b.size; ++y) {
      const std::int64_t joint = std::int64_t{x - a.leftmost[x] + 1} + (y - b.leftmost[y] + 1);
      *out++ = static_cast<double>(joint - *similar++);
    }
  }
  return result;
}

template <class... Arrays>
Output<double, 2> weighted_table(const Corpus& corpus, std::int64_t first, std::int64_t second,
                                 const Arrays&... arrays) {
  check_tree(corpus, first);
  check_tree(corpus, second);
  const Costs costs = checked_costs(corpus, arrays...);
  const Tree &a = corpus.left(first), &b = corpus.left(second);
  auto result = zeros<double>({static_cast<std::size_t>(a.size), static_cast<std::size_t>(b.size)});
  double* const out = result.data();
  const nb::gil_scoped_release unlocked;
  look_for_stop();
  const Watch watch(a.weight(b));
  Workspace<double> space;
  distance(a, b, costs, space);
  std::copy(space.trees.begin(), space.trees.end(), out);
  return result;
}

}  // namespace
}  // namespace arbitree

// noconvert: an array of another type is an error, not a copy that may have lost digits.
NB_MODULE(_compiled, module) {
  using namespace arbitree;
  module.doc() = "The compiled kernel; arbitree.kernels.plain says what everything means.";
  nb::exception<Interrupted>(module, "Interrupted", PyExc_RuntimeError);
  Watch::signals = [] {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
  module.def("share", Watch::share);
  module.def("interrupt", [] { stop_flag = true; });
  module.def("resume", [] { stop_flag = false; });
  module.def("lanes", [] { return kLaneNames[static_cast<int>(lane_kind())]; });
  module.def(
      "_set_lanes", [](const std::string& name) { chosen_lanes.store(static_cast<int>(lanes_named(name))); },
      "name"_a);
  module.def("_set_programs", [](bool always) { always_programs = always; }, "always"_a);
  module.def("_set_plans", [](std::uint32_t seed) { plan_seed = seed; }, "seed"_a);

  nb::class_<WholeProgram>(module, "WholeProgram")
      .def(nb::init<const Corpus&>(), "corpus"_a, nb::keep_alive<1, 2>())
      .def("bundles", gpu_bundles, "length"_a)
      .def("outputs", [](const WholeProgram& self) { return copy_out(self.outputs()); })
      .def_prop_ro("bare", &WholeProgram::bare)
      .def("packs", gpu_packs, "corpus"_a, "first"_a, "last"_a, "fewest"_a, "most"_a);

  module.def("stored_sums", stored_sums<std::uint16_t>, "distances"_a.noconvert(), "trees"_a.noconvert(),
             "groups"_a.noconvert(), "counts"_a.noconvert(), "sizes"_a.noconvert(), "rows"_a, "columns"_a);
  module.def("stored_sums", stored_sums<double>, "distances"_a.noconvert(), "trees"_a.noconvert(),
             "groups"_a.noconvert(), "counts"_a.noconvert(), "sizes"_a.noconvert(), "rows"_a, "columns"_a);

  nb::class_<Corpus>(module, "Corpus")
      .def(
          "__init__",
          [](Corpus* self, const Input<std::int64_t>& offsets, const Input<std::int32_t>& labels,
             const Input<std::int32_t>& leftmost) {
            new (self) Corpus(values(offsets), values(labels), values(leftmost));
          },
          "offsets"_a.noconvert(), "labels"_a.noconvert(), "leftmost"_a.noconvert())
      .def("__reduce__",
           [](nb::handle self) {
             const auto& corpus = nb::cast<const Corpus&>(self);
             const std::vector<std::int64_t> offsets = corpus.offsets();
             return nb::make_tuple(self.type(),
                                   nb::make_tuple(copy_out(Values<std::int64_t>(offsets)),
                                                  copy_out(corpus.labels()), copy_out(corpus.leftmost())));
           })
      .def_prop_ro("tree_count", &Corpus::tree_count)
      .def("distances", distances, "first"_a.noconvert(), "second"_a.noconvert())
      .def("weighted_distances", weighted_distances<Matrix, Input<double>, Input<double>>,
           "first"_a.noconvert(), "second"_a.noconvert(), "relabel"_a.noconvert(), "delete"_a.noconvert(),
           "insert"_a.noconvert())
      .def("weighted_distances",
           weighted_distances<Input<std::int64_t>, Input<std::int32_t>, Input<double>, Input<double>,
                              Input<double>>,
           "first"_a.noconvert(), "second"_a.noconvert(), "starts"_a.noconvert(), "others"_a.noconvert(),
           "prices"_a.noconvert(), "delete"_a.noconvert(), "insert"_a.noconvert())
      .def("cells", cells, "first"_a.noconvert(), "second"_a.noconvert())
      .def("sums", sums, "groups"_a.noconvert(), "counts"_a.noconvert(), "sizes"_a.noconvert(), "rows"_a,
           "columns"_a)
      .def("weighted_sums", weighted_sums<Matrix, Input<double>, Input<double>>, "groups"_a.noconvert(),
           "counts"_a.noconvert(), "sizes"_a.noconvert(), "rows"_a, "columns"_a, "relabel"_a.noconvert(),
           "delete"_a.noconvert(), "insert"_a.noconvert())
      .def("weighted_sums",
           weighted_sums<Input<std::int64_t>, Input<std::int32_t>, Input<double>, Input<double>,
                         Input<double>>,
           "groups"_a.noconvert(), "counts"_a.noconvert(), "sizes"_a.noconvert(), "rows"_a, "columns"_a,
           "starts"_a.noconvert(), "others"_a.noconvert(), "prices"_a.noconvert(), "delete"_a.noconvert(),
           "insert"_a.noconvert())
      .def("triangle", triangle, "rows"_a)
      .def("weighted_triangle", weighted_triangle<Matrix, Input<double>, Input<double>>, "rows"_a,
           "relabel"_a.noconvert(), "delete"_a.noconvert(), "insert"_a.noconvert())
      .def("weighted_triangle",
           weighted_triangle<Input<std::int64_t>, Input<std::int32_t>, Input<double>, Input<double>,
                             Input<double>>,
           "rows"_a, "starts"_a.noconvert(), "others"_a.noconvert(), "prices"_a.noconvert(),
           "delete"_a.noconvert(), "insert"_a.noconvert())
      .def("table", table, "first"_a, "second"_a)
      .def("weighted_table", weighted_table<Matrix, Input<double>, Input<double>>, "first"_a, "second"_a,
           "relabel"_a.noconvert(), "delete"_a.noconvert(), "insert"_a.noconvert())
      .def("weighted_table",
           weighted_table<Input<std::int64_t>, Input<std::int32_t>, Input<double>, Input<double>,
                          Input<double>>,
           "first"_a, "second"_a, "starts"_a.noconvert(), "others"_a.noconvert(), "prices"_a.noconvert(),
           "delete"_a.noconvert(), "insert"_a.noconvert());
}
