// Tree edit distance on a GPU: one thread compares one pair of trees, another one sums over a pair of groups.
//
// The algorithm is that of zhang_shasha.h: tables of similarities S(x, y) = |x| + |y| - TED(x, y), leaf keyroots
// settled without tables. Number is what a similarity fits into: S is at most twice the smaller tree.
//
// Every thread has two tables in global memory. The tables of 32 threads, a warp, lie interleaved in one region:
// the threads work on neighbouring columns of one row, whose trees are alike in size, so they touch neighbouring
// bytes most of the time, and what they touch is small enough to stay in the caches.

#define WARP 32

struct Trees {
  const int* offsets;              // (trees + 1,) where the nodes of each tree begin
  const unsigned* nodes;           // of all nodes, in postorder: the label, and below 16 bits the leftmost leaf
  const int* leaf_offsets;         // (trees + 1,) where the leaf keyroots of each tree begin
  const unsigned short* leaves;    // keyroots with nothing under them
  const int* keyroot_offsets;      // (trees + 1,)
  const unsigned short* keyroots;  // the other keyroots, in postorder
};

struct Tables {
  Number* trees;    // (n, m) similarity of every pair of trees, every WARP-th entry
  Number* forests;  // (n + 1, m + 1) of every pair of forests under two keyroots
};

__device__ int left_of(unsigned node) { return node & 0xffff; }
__device__ unsigned label_of(unsigned node) { return node >> 16; }

__device__ void compare_leaf(unsigned label, const unsigned* nodes, int size, Number* out, int step) {
  int last = -1;  // the last node so far with this label
  for (int v = 0; v < size; ++v, out += step) {
    const unsigned node = nodes[v];
    if (label_of(node) == label) last = v;
    *out = (Number)(1 + (last >= left_of(node)));
  }
}

__device__ void compare_keyroots(const unsigned* a, int k, const unsigned* b, int l, int m, const Tables& tables) {
  const int first = left_of(a[k]), from = left_of(b[l]), width = l - from + 1, next_row = (width + 1) * WARP;
  Number* row = tables.forests;
  for (int y = 0; y <= width; ++y) row[y * WARP] = 0;
  for (int x = first; x <= k; ++x) {
    const Number* above = row;  // the forests without x
    row += next_row;
    row[0] = 0;
    Number* trees = tables.trees + (x * m + from) * WARP;
    const unsigned label = label_of(a[x]);
    const int before_row = left_of(a[x]) - first;
    const Number* before = tables.forests + before_row * next_row;
    unsigned here = 0, diagonal = 0;  // diagonal: above at the column to the left
    if (before_row == 0) {            // the prefix up to x is a whole tree: before it lies the empty forest
      for (int y = 0; y < width; ++y) {
        const unsigned deleted = above[(y + 1) * WARP], node = b[from + y];
        if (left_of(node) == from) {
          const unsigned matched = diagonal + 1 + (label_of(node) == label);
          here = max(here, max(deleted, matched));
          trees[y * WARP] = (Number)here;
        } else {
          here = max(here, max(deleted, (unsigned)trees[y * WARP]));
        }
        row[(y + 1) * WARP] = (Number)here;
        diagonal = deleted;
      }
    } else {
      for (int y = 0; y < width; ++y) {
        const unsigned deleted = above[(y + 1) * WARP];
        const unsigned matched = before[(left_of(b[from + y]) - from) * WARP] + (unsigned)trees[y * WARP];
        here = max(here, max(deleted, matched));
        row[(y + 1) * WARP] = (Number)here;
      }
    }
  }
}

__device__ int distance(const Trees& all, int s, int t, const Tables& tables) {
  const int n = all.offsets[s + 1] - all.offsets[s], m = all.offsets[t + 1] - all.offsets[t];
  const unsigned *a = all.nodes + all.offsets[s], *b = all.nodes + all.offsets[t];
  for (int p = all.leaf_offsets[s]; p < all.leaf_offsets[s + 1]; ++p) {
    const int x = all.leaves[p];
    compare_leaf(label_of(a[x]), b, m, tables.trees + x * m * WARP, WARP);
  }
  for (int q = all.leaf_offsets[t]; q < all.leaf_offsets[t + 1]; ++q) {
    const int y = all.leaves[q];
    compare_leaf(label_of(b[y]), a, n, tables.trees + y * WARP, m * WARP);
  }
  for (int p = all.keyroot_offsets[s]; p < all.keyroot_offsets[s + 1]; ++p) {
    for (int q = all.keyroot_offsets[t]; q < all.keyroot_offsets[t + 1]; ++q) {
      compare_keyroots(a, all.keyroots[p], b, all.keyroots[q], m, tables);
    }
  }
  return n + m - (int)tables.trees[(n * m - 1) * WARP];
}

// The tables of thread *me*: its lane in the region of its warp, which has room for `entries` of each table.
__device__ Tables tables_of(long long me, Number* trees, Number* forests, long long tree_entries,
                            long long forest_entries) {
  const long long warp = me / WARP, lane = me % WARP;
  const Tables tables = {trees + warp * tree_entries * WARP + lane, forests + warp * forest_entries * WARP + lane};
  return tables;
}

#define TREES                                                                                     \
  const int *offsets, const unsigned *nodes, const int *leaf_offsets, const unsigned short *leaves, \
      const int *keyroot_offsets, const unsigned short *keyroots
#define ALL {offsets, nodes, leaf_offsets, leaves, keyroot_offsets, keyroots}
#define TABLES Number *tree_tables, Number *forest_tables, long long tree_entries, long long forest_entries

// Distances of the trees first_row.. and first_column..: out is (height, width). Pairs below the diagonal are left
// out. The last pairs are the largest, so they are begun first.
extern "C" __global__ void block_distances(TREES, int first_row, int height, int first_column, int width, TABLES,
                                           unsigned short* out) {
  const Trees all = ALL;
  const long long threads = (long long)gridDim.x * blockDim.x;
  const long long me = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const Tables tables = tables_of(me, tree_tables, forest_tables, tree_entries, forest_entries);
  for (long long entry = (long long)height * width - 1 - me; entry >= 0; entry -= threads) {
    const int x = first_row + (int)(entry / width), y = first_column + (int)(entry % width);
    if (x < y) out[entry] = (unsigned short)distance(all, x, y, tables);
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
  const Tables tables = tables_of(me, tree_tables, forest_tables, tree_entries, forest_entries);
  for (long long pair = me; pair < count; pair += threads) out[pair] = distance(all, first[pair], second[pair], tables);
}
