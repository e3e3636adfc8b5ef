// Tree edit distance on a GPU: one thread compares one pair of trees, another one sums over a pair of groups.
//
// columns.cu compares most pairs faster. This is for pairs of single trees, for trees that are too large for it, and for
// systems without the C++ kernel, which prepares its program.
//
// The algorithm is that of zhang_shasha.h: tables of similarities S(x, y) = |x| + |y| - TED(x, y), leaf keyroots
// settled without tables. Number is what a similarity fits into: S is at most twice the smaller tree.
//
// Every thread has two tables in global memory, made of words of 32 bits that hold the values of neighbouring columns:
// one load serves several cells. The tables of 32 threads, a warp, lie interleaved in one region. The threads work on
// trees alike in size, so they touch neighbouring words most of the time.

#define WARP 32
#define BITS (8 * (int)sizeof(Number))
#define PER_WORD (32 / BITS)  // columns in a word
#define MASK ((1u << BITS) - 1)

typedef unsigned Word;

struct Trees {
  const int* offsets;              // (trees + 1,) where the nodes of each tree begin
  const unsigned* nodes;           // of all nodes, in postorder: the label, and below 16 bits the leftmost leaf
  const int* leaf_offsets;         // (trees + 1,) where the leaf keyroots of each tree begin
  const unsigned short* leaves;    // keyroots with nothing under them
  const int* keyroot_offsets;      // (trees + 1,)
  const unsigned short* keyroots;  // the other keyroots, in postorder
};

// Both tables have a column for every node of b; `words` of them make a row.
struct Tables {
  Word* trees;    // (n rows) similarity of every pair of trees
  Word* forests;  // (n + 1 rows) of the prefix forests under two keyroots, by the last node of each
  int words;
};

__device__ int left_of(unsigned node) { return node & 0xffff; }
__device__ unsigned label_of(unsigned node) { return node >> 16; }

__device__ unsigned value_at(const Word* row, int column) {
  return (row[column / PER_WORD * WARP] >> (column % PER_WORD * BITS)) & MASK;
}

__device__ void set_value(Word* row, int column, unsigned value) {
  Word* const word = row + column / PER_WORD * WARP;
  const int shift = column % PER_WORD * BITS;
  *word = (*word & ~(MASK << shift)) | (value << shift);
}

// A single node and the trees under all nodes of a tree: 2 if its label occurs there, else 1.
__device__ void compare_leaf_with_columns(unsigned label, const unsigned* b, int m, Word* row) {
  int last = -1;  // the last node so far with this label
  for (int start = 0; start < m; start += PER_WORD, row += WARP) {
    Word word = 0;
    for (int c = 0; c < PER_WORD && start + c < m; ++c) {
      const unsigned node = b[start + c];
      if (label_of(node) == label) last = start + c;
      word |= (1u + (last >= left_of(node))) << (c * BITS);
    }
    *row = word;
  }
}

__device__ void compare_leaf_with_rows(unsigned label, const unsigned* a, int n, Word* trees, int column, int words) {
  int last = -1;
  for (int x = 0; x < n; ++x, trees += words * WARP) {
    const unsigned node = a[x];
    if (label_of(node) == label) last = x;
    set_value(trees, column, 1u + (last >= left_of(node)));
  }
}

__device__ void compare_keyroots(const unsigned* a, int k, const unsigned* b, int l, const Tables& tables) {
  const int first = left_of(a[k]), from = left_of(b[l]), row_step = tables.words * WARP;
  const int first_word = from / PER_WORD, last_word = l / PER_WORD;
  Word* row = tables.forests;
  for (int w = first_word; w <= last_word; ++w) row[w * WARP] = 0;
  for (int x = first; x <= k; ++x) {
    const Word* const above = row;  // the forests without x
    row += row_step;
    Word* const trees = tables.trees + x * row_step;
    const unsigned label = label_of(a[x]);
    const int before_row = left_of(a[x]) - first;
    const Word* const before = tables.forests + before_row * row_step;
    unsigned here = 0, diagonal = 0;  // diagonal: above at the column to the left; the empty forest has 0
    for (int w = first_word; w <= last_word; ++w) {
      const Word above_word = above[w * WARP];
      Word tree_word = trees[w * WARP], row_word = 0;
      bool changed = false;
      for (int c = 0; c < PER_WORD; ++c) {
        const int y = w * PER_WORD + c, shift = c * BITS;
        if (y < from || y > l) continue;
        const unsigned deleted = (above_word >> shift) & MASK, node = b[y];
        const int left = left_of(node);
        unsigned matched = (tree_word >> shift) & MASK;
        const bool whole = before_row == 0 && left == from;  // both prefixes are whole trees
        if (whole) matched = diagonal + 1 + (label_of(node) == label);
        else if (before_row != 0 && left > from) matched += value_at(before, left - 1);
        here = max(here, max(deleted, matched));
        if (whole) {
          tree_word = (tree_word & ~(MASK << shift)) | (here << shift);
          changed = true;
        }
        row_word |= here << shift;
        diagonal = deleted;
      }
      row[w * WARP] = row_word;
      if (changed) trees[w * WARP] = tree_word;
    }
  }
}

__device__ int distance(const Trees& all, int s, int t, Tables tables) {
  const int n = all.offsets[s + 1] - all.offsets[s], m = all.offsets[t + 1] - all.offsets[t];
  const unsigned *a = all.nodes + all.offsets[s], *b = all.nodes + all.offsets[t];
  tables.words = (m + PER_WORD - 1) / PER_WORD;
  for (int p = all.leaf_offsets[s]; p < all.leaf_offsets[s + 1]; ++p) {
    const int x = all.leaves[p];
    compare_leaf_with_columns(label_of(a[x]), b, m, tables.trees + x * tables.words * WARP);
  }
  for (int q = all.leaf_offsets[t]; q < all.leaf_offsets[t + 1]; ++q) {
    const int y = all.leaves[q];
    compare_leaf_with_rows(label_of(b[y]), a, n, tables.trees, y, tables.words);
  }
  for (int p = all.keyroot_offsets[s]; p < all.keyroot_offsets[s + 1]; ++p) {
    for (int q = all.keyroot_offsets[t]; q < all.keyroot_offsets[t + 1]; ++q) {
      compare_keyroots(a, all.keyroots[p], b, all.keyroots[q], tables);
    }
  }
  return n + m - (int)value_at(tables.trees + (n - 1) * tables.words * WARP, m - 1);
}

// The tables of thread *me*: its lane in the region of its warp, which has room for so many words of each table.
__device__ Tables tables_of(long long me, Word* trees, Word* forests, long long tree_words, long long forest_words) {
  const long long warp = me / WARP, lane = me % WARP;
  const Tables tables = {trees + warp * tree_words * WARP + lane, forests + warp * forest_words * WARP + lane, 0};
  return tables;
}

#define TREES                                                                                     \
  const int *offsets, const unsigned *nodes, const int *leaf_offsets, const unsigned short *leaves, \
      const int *keyroot_offsets, const unsigned short *keyroots
#define ALL {offsets, nodes, leaf_offsets, leaves, keyroot_offsets, keyroots}
#define TABLES Word *tree_tables, Word *forest_tables, long long tree_words, long long forest_words

// Distances of the trees first_row.. and first_column..: out is (height, width). Pairs below the diagonal are left
// out, and those that columns.cu compares: pairs of a row and a tree with an output. The last pairs are the largest, so
// they are begun first.
extern "C" __global__ void block_distances(TREES, const int* rows, const int* outputs, int first_row, int height,
                                           int first_column, int width, TABLES, unsigned short* out) {
  const Trees all = ALL;
  const long long threads = (long long)gridDim.x * blockDim.x;
  const long long me = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const Tables tables = tables_of(me, tree_tables, forest_tables, tree_words, forest_words);
  for (long long entry = (long long)height * width - 1 - me; entry >= 0; entry -= threads) {
    const int x = first_row + (int)(entry / width), y = first_column + (int)(entry % width);
    const bool compared = rows[x - first_row] >= 0 && outputs[y] >= 0;
    if (x < y && !compared) out[entry] = (unsigned short)distance(all, x, y, tables);
  }
}

// Sums between the row groups first_row.. and the column groups first_column.. over the distances that
// block_distances gave for their trees: out is (3, height, width). Entries below the diagonal stay as they are;
// each is summed by one thread in the order of the CPU's kernel, so that the digits are the same.
extern "C" __global__ void group_sums(const unsigned short* distances, const long long* groups, const double* counts,
                                      const double* sizes, int first_row, int height, int first_column, int width,
                                      double* out) {
  const long long plane = (long long)height * width;
  const long long entry = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const long long i = first_row + entry / width, j = first_column + entry % width;
  if (entry >= plane || i > j) return;
  const long long top = groups[first_row], left = groups[first_column], row = groups[first_column + width] - left;
  double plain = 0, diff = 0, norm = 0;
  for (long long x = groups[i]; x < groups[i + 1]; ++x) {
    for (long long y = i == j ? x + 1 : groups[j]; y < groups[j + 1]; ++y) {
      const double ted = distances[(x - top) * row + (y - left)], weight = counts[x] * counts[y];
      const double joint = sizes[x] + sizes[y], gap = sizes[x] - sizes[y];
      const double d = ted - (gap < 0 ? -gap : gap), q = joint == 0 ? 0 : ted / joint;
      plain += weight * (ted * ted);
      diff += weight * (d * d);
      norm += weight * (q * q);
    }
  }
  const double both = i == j ? 2 : 1;  // the pairs inside a group count in both directions
  out[entry] = both * plain;
  out[plane + entry] = both * diff;
  out[2 * plane + entry] = both * norm;
}

extern "C" __global__ void pair_distances(TREES, const int* first, const int* second, long long count, TABLES,
                                          int* out) {
  const Trees all = ALL;
  const long long threads = (long long)gridDim.x * blockDim.x;
  const long long me = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const Tables tables = tables_of(me, tree_tables, forest_tables, tree_words, forest_words);
  for (long long pair = me; pair < count; pair += threads) out[pair] = distance(all, first[pair], second[pair], tables);
}
