// The module arbitree.formats._conll_blocks: splits the text of a CoNLL file into sentences and columns.
//
// The result equals that of conll_rows.py, except that sentences with rows of any other form keep their lines.
// Python reads those, and finds all errors. Cells with the same text share one string, so that most tokens need
// no object of their own.

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

namespace nb = nanobind;

namespace arbitree {
namespace {

constexpr std::size_t kColumns = 10;
constexpr std::size_t kHead = 6;  // the column with the head

using Text = std::string_view;

nb::object string_of(Text text) {
  PyObject* const made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "strict");
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object tuple_of(std::size_t count) {
  PyObject* const made = PyTuple_New(static_cast<Py_ssize_t>(count));
  if (made == nullptr) throw nb::python_error();
  PyObject_GC_UnTrack(made);  // strings and numbers have no cycles
  return nb::steal(made);
}

// Both halves of the product a * b, in one number.
std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLow = 0xFFFFFFFF;
  const std::uint64_t first = (a >> 32) * (b & kLow) + ((a & kLow) * (b & kLow) >> 32);
  const std::uint64_t second = (a & kLow) * (b >> 32) + (first & kLow);
  const std::uint64_t high = (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
  return high ^ a * b;
}

std::uint64_t random_number() {
  std::random_device random;
  return static_cast<std::uint64_t>(random()) << 32 | random();
}

// One string for each text. Each step of the hash multiplies by a secret number, so that texts with equal hashes
// cannot be prepared.
class Strings {
 public:
  Strings() : slots_(1 << 12), start_(random_number()), factor_(random_number() | 1) {}

  nb::handle of(Text text) {
    if (2 * known_.size() >= slots_.size()) grow();
    const std::uint64_t hash = hash_of(text);
    std::size_t place = hash & (slots_.size() - 1);
    for (; slots_[place] != 0; place = (place + 1) & (slots_.size() - 1)) {
      const Known& known = known_[slots_[place] - 1];
      if (known.hash == hash && known.text == text) return known.string;
    }
    known_.push_back({hash, text, string_of(text)});
    slots_[place] = static_cast<std::uint32_t>(known_.size());
    return known_.back().string;
  }

 private:
  struct Known {
    std::uint64_t hash;
    Text text;
    nb::object string;
  };

  std::uint64_t hash_of(Text text) const {
    std::uint64_t hash = start_ ^ text.size();
    const char* from = text.data();
    for (std::size_t left = text.size(); left > 0;) {
      const std::size_t count = left < 8 ? left : 8;
      std::uint64_t word = 0;
      std::memcpy(&word, from, count);
      hash = folded_product(hash ^ word, factor_);
      from += count;
      left -= count;
    }
    return hash;
  }

  void grow() {
    std::vector<std::uint32_t> wider(2 * slots_.size());
    for (std::size_t k = 0; k < known_.size(); ++k) {
      std::size_t place = known_[k].hash & (wider.size() - 1);
      while (wider[place] != 0) place = (place + 1) & (wider.size() - 1);
      wider[place] = static_cast<std::uint32_t>(k + 1);
    }
    slots_ = std::move(wider);
  }

  std::vector<Known> known_;
  std::vector<std::uint32_t> slots_;  // places in known_, from 1; 0: free
  const std::uint64_t start_, factor_;
};

// A number as it is usually written: digits without a leading zero. -1 for all other texts.
std::int64_t number_of(Text text) {
  if (text.empty() || text.size() > 9 || (text[0] == '0' && text.size() > 1)) return -1;
  std::int64_t number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return -1;
    number = 10 * number + (digit - '0');
  }
  return number;
}

enum class Line { full, blank, unclear };

// Whether nothing but white space is in a line. Beyond ASCII, Python decides.
Line kind_of(Text line) {
  if (line.empty()) return Line::blank;
  if (line[0] > ' ' && line[0] < '\x7f') return Line::full;
  bool beyond = false;
  for (const char letter : line) {
    const auto byte = static_cast<unsigned char>(letter);
    beyond |= byte >= 0x80;
    const bool space = byte == ' ' || (byte >= '\t' && byte <= '\r') || (byte >= 0x1c && byte <= 0x1f);
    if (!space && byte < 0x80) return Line::full;
  }
  return beyond ? Line::unclear : Line::blank;
}

class Splitter {
 public:
  // The lines between two blank ones: comments, then rows. first is the number of the first line.
  nb::tuple block(const std::vector<Text>& lines, std::size_t first) {
    std::size_t start = 0;
    nb::list comments;
    for (; start < lines.size() && lines[start].starts_with('#'); ++start) {
      comments.append(string_of(lines[start]));
    }
    const nb::object columns = columns_of(lines, start);
    nb::list rows;
    if (columns.is_none()) {
      for (std::size_t row = start; row < lines.size(); ++row) rows.append(string_of(lines[row]));
    }
    return nb::make_tuple(comments, rows, columns, first + start);
  }

 private:
  // Words, heads, relations and other columns of the rows from start on; None if they have another form.
  nb::object columns_of(const std::vector<Text>& lines, std::size_t start) {
    const std::size_t count = lines.size() - start;
    if (count == 0) return nb::none();
    cells_.resize(kColumns * count);
    heads_.resize(count);
    for (std::size_t row = 0; row < count; ++row) {
      Text* const cells = &cells_[kColumns * row];
      if (!split(lines[start + row], cells)) return nb::none();
      heads_[row] = number_of(cells[kHead]);
      const bool in_range = heads_[row] >= 0 && heads_[row] <= static_cast<std::int64_t>(count);
      if (number_of(cells[0]) != static_cast<std::int64_t>(row + 1) || !in_range) return nb::none();
    }
    const nb::object heads = tuple_of(count);
    for (std::size_t row = 0; row < count; ++row) {
      PyObject* const head = PyLong_FromLongLong(heads_[row]);
      if (head == nullptr) throw nb::python_error();
      PyTuple_SET_ITEM(heads.ptr(), static_cast<Py_ssize_t>(row), head);
    }
    const nb::object others =
        nb::make_tuple(column(2), column(3), column(4), column(5), column(8), column(9));
    return nb::make_tuple(column(1), heads, column(7), others);
  }

  // Cells are short, so that looking at each letter is faster than a search for the next tab.
  static bool split(Text line, Text* cells) {
    std::size_t place = 0, start = 0;
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (line[k] != '\t') continue;
      if (place == kColumns - 1) return false;
      cells[place++] = Text(line.data() + start, k - start);
      start = k + 1;
    }
    cells[place] = line.substr(start);
    return place == kColumns - 1;
  }

  nb::object column(std::size_t place) {
    const std::size_t count = heads_.size();
    std::size_t row = 0;
    while (row < count && cells_[kColumns * row + place] == "_") ++row;
    if (row == count) return empty_column(count);
    const nb::object made = tuple_of(count);
    Text above;
    nb::handle string;
    for (row = 0; row < count; ++row) {
      const Text cell = cells_[kColumns * row + place];
      if (!string.is_valid() || cell != above) string = strings_.of(above = cell);
      PyTuple_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(row), string.inc_ref().ptr());
    }
    return made;
  }

  // The same tuple for all columns of this length that contain nothing.
  nb::object empty_column(std::size_t count) {
    if (count >= empty_.size()) empty_.resize(count + 1);
    if (!empty_[count].is_valid()) {
      empty_[count] = tuple_of(count);
      for (std::size_t row = 0; row < count; ++row) {
        PyTuple_SET_ITEM(empty_[count].ptr(), static_cast<Py_ssize_t>(row), strings_.of("_").inc_ref().ptr());
      }
    }
    return empty_[count];
  }

  Strings strings_;
  std::vector<Text> cells_;  // of a sentence, row by row
  std::vector<std::int64_t> heads_;
  std::vector<nb::object> empty_;  // by length
};

// The blocks of a text, or None if only Python can tell which lines are blank.
nb::object blocks(nb::str text) {
  Py_ssize_t size = 0;
  const char* from = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (from == nullptr) {  // half of a character
    PyErr_Clear();
    return nb::none();
  }
  nb::list found;
  Splitter splitter;
  std::vector<Text> lines;
  std::size_t number = 0, first = 0;
  for (const char* const end = from + size; from <= end;) {
    const auto* feed = static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
    if (feed == nullptr) feed = end;
    const Text line(from, static_cast<std::size_t>(feed - from));
    from = feed + 1;
    ++number;
    const Line kind = kind_of(line);
    if (kind == Line::unclear) return nb::none();
    if (kind == Line::full) {
      if (lines.empty()) first = number;
      lines.push_back(line);
      continue;
    }
    if (!lines.empty()) found.append(splitter.block(lines, first));
    lines.clear();
  }
  if (!lines.empty()) found.append(splitter.block(lines, first));
  return found;
}

}  // namespace
}  // namespace arbitree

NB_MODULE(_conll_blocks, module) {
  module.doc() = "Splits the text of a CoNLL file; see arbitree.formats.conll_rows for the result.";
  module.def("blocks", arbitree::blocks, nanobind::arg("text"));
}
