// The program of whole_program.h on a GPU: a team of threads, a warp, computes the columns of one pack of rows.
//
// lanes.h gives the recursion. The lanes of a pack are divided among the threads of its team; each thread has OWN
// neighbouring ones. A thread finds the values of other lanes in memory: those of earlier columns in the slots, those
// of the running maximum in the shared memory of the block. To hide the time that memory takes, BUNDLE columns are
// computed together, and the next ones are loaded meanwhile unless they read a result of the current ones.
//
// LANES is at most 512, and Number has room for twice as many: a forest has fewer nodes than its pack has lanes.
// A block has BLOCK threads, TEAM of them in a team.

#define TEAMS (BLOCK / TEAM)  // of a block
#define OWN (LANES / TEAM)    // lanes of a thread
#define STEPS 9               // at most, of the running maximum: 2 to this power is at least LANES
#define FLAG 0x80000000u

struct Column {
  unsigned rest;    // slots
  unsigned first;   // FLAG: a single tree
  unsigned second;  // of a single tree, the label
  unsigned result;  // FLAG: the first column of a bundle that can be loaded before the one before it is done
};

struct Stretch {
  int first, last, first_output, last_output;  // half-open ranges of bundles and of results
};

struct Pack {
  int stretches, steps, first_row, last_row;
};

template <class Value>
struct alignas(OWN * sizeof(Value) < 16 ? OWN * sizeof(Value) : 16) Own {
  Value of[OWN];
};

// What a thread knows of its lanes.
struct Lanes {
  int before[OWN], tree[OWN], below[OWN], label[OWN];
  int gain[OWN];         // of a match with another label: 0 for the empty forest, else 1
  int back[STEPS][OWN];  // the lane without the last root, then without 2, 4, ... roots
};

// Of a bundle: the columns, their values before the running maximum, and those of the forests without the last root.
struct Loaded {
  Column columns[BUNDLE];
  int matched[BUNDLE][OWN];
  Own<Number> rest[BUNDLE];
};

__device__ void load(const Lanes& lanes, const Number* slots, int me, Loaded& to) {
#pragma unroll
  for (int c = 0; c < BUNDLE; ++c) {
    const Column& column = to.columns[c];
    const Number* const first = slots + (long long)(column.first & ~FLAG) * LANES;
    if (column.first & FLAG) {
      for (int k = 0; k < OWN; ++k) {
        to.matched[c][k] = first[lanes.below[k]] + lanes.gain[k] + (lanes.label[k] == (int)column.second);
      }
    } else {
      const Number* const second = slots + (long long)column.second * LANES;
      for (int k = 0; k < OWN; ++k) to.matched[c][k] = first[lanes.before[k]] + second[lanes.tree[k]];
    }
    to.rest[c] = *(const Own<Number>*)(slots + (long long)column.rest * LANES + me * OWN);
  }
}

// The parts of the lanes of this thread; each step of the running maximum reaches twice as far back.
__device__ void find_lanes(const unsigned short* parts, const int* labels, int me, unsigned short* shared, Lanes& to) {
  for (int k = 0; k < OWN; ++k) {
    const int lane = me * OWN + k;
    to.before[k] = parts[lane];
    to.tree[k] = parts[LANES + lane];
    to.below[k] = parts[2 * LANES + lane];
    to.back[0][k] = parts[3 * LANES + lane];
    to.label[k] = labels[lane];
    to.gain[k] = to.label[k] >= 0;
  }
  for (int step = 1; step < STEPS; ++step) {
    for (int k = 0; k < OWN; ++k) shared[me * OWN + k] = to.back[step - 1][k];
    __syncwarp();
    for (int k = 0; k < OWN; ++k) to.back[step][k] = shared[to.back[step - 1][k]];
    __syncwarp();
  }
}

// The similarities of the rows of all packs to the trees that their stretches compute: out is (rows, width).
extern "C" __global__ void run_columns(const Column* columns, const Stretch* stretches, const unsigned short* parts,
                                       const int* labels, const Pack* packs, int pack_count, const int* row_lanes,
                                       Number* all_slots, long long slot_count, Number* out, long long width) {
  __shared__ Own<unsigned short> shared[TEAMS][2][BUNDLE][TEAM];  // two, in turn, so that one barrier a step is enough
  const int teams = gridDim.x * TEAMS, me = threadIdx.x % TEAM;
  const int team = blockIdx.x * TEAMS + threadIdx.x / TEAM;
  Own<unsigned short>(*const turns)[BUNDLE][TEAM] = shared[threadIdx.x / TEAM];
  Number* const slots = all_slots + team * slot_count * LANES;
  for (int lane = me; lane < LANES; lane += TEAM) slots[lane] = 0;  // the empty forest
  for (int p = team; p < pack_count; p += teams) {
    const Pack pack = packs[p];
    Lanes lanes;
    find_lanes(parts + (long long)p * 4 * LANES, labels + (long long)p * LANES, me, turns[0][0][0].of, lanes);
    if (pack.stretches == 0) continue;
    const int end = stretches[pack.stretches - 1].last;
    Loaded next;
    Column coming[BUNDLE];  // the bundle after the next one
    for (int c = 0; c < BUNDLE; ++c) {
      next.columns[c] = columns[c];
      coming[c] = columns[min(1, end - 1) * BUNDLE + c];
    }
    load(lanes, slots, me, next);
    for (int s = 0; s < pack.stretches; ++s) {
      const Stretch stretch = stretches[s];
      for (int bundle = stretch.first; bundle < stretch.last; ++bundle) {
        const Loaded current = next;
        const int after = min(bundle + 2, end - 1);  // the last one is loaded again, for nobody
        for (int c = 0; c < BUNDLE; ++c) {
          next.columns[c] = coming[c];
          coming[c] = columns[after * BUNDLE + c];
        }
        const bool early = next.columns[0].result & FLAG;
        if (early) load(lanes, slots, me, next);
        int best[BUNDLE][OWN];
        for (int c = 0; c < BUNDLE; ++c) {
          for (int k = 0; k < OWN; ++k) best[c][k] = current.matched[c][k];
        }
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
          if (step >= pack.steps) break;
          for (int c = 0; c < BUNDLE; ++c) {
            Own<unsigned short> mine;
            for (int k = 0; k < OWN; ++k) mine.of[k] = best[c][k];
            turns[step % 2][c][me] = mine;
          }
          __syncwarp();
          for (int c = 0; c < BUNDLE; ++c) {
            const unsigned short* const all = turns[step % 2][c][0].of;
            for (int k = 0; k < OWN; ++k) best[c][k] = max(best[c][k], (int)all[lanes.back[step][k]]);
          }
        }
        __syncwarp();  // a result may lie where another column of the bundle was read
        for (int c = 0; c < BUNDLE; ++c) {
          Own<Number> result;
          for (int k = 0; k < OWN; ++k) result.of[k] = max(best[c][k], (int)current.rest[c].of[k]);
          *(Own<Number>*)(slots + (long long)(current.columns[c].result & ~FLAG) * LANES + me * OWN) = result;
        }
        __syncwarp();
        if (!early) load(lanes, slots, me, next);
      }
      for (int row = pack.first_row; row < pack.last_row; ++row) {
        const Number* const lane = slots + LANES + row_lanes[row];
        Number* const to = out + row * width + stretch.first_output;
        for (int k = me; k < stretch.last_output - stretch.first_output; k += TEAM) to[k] = lane[k * LANES];
      }
      __syncwarp();
    }
  }
}

// Distances of the trees first_row.. and first_column.. that have a row and an output: out is (height, columns).
extern "C" __global__ void spread(const Number* similar, long long width, const int* rows, const int* outputs,
                                  const int* offsets, int bare, int first_row, int height, int first_column,
                                  int columns, unsigned short* out) {
  const long long threads = (long long)gridDim.x * blockDim.x;
  for (long long entry = (long long)blockIdx.x * blockDim.x + threadIdx.x; entry < (long long)height * columns;
       entry += threads) {
    const int x = first_row + (int)(entry / columns), y = first_column + (int)(entry % columns);
    const int row = rows[x - first_row], output = outputs[y];
    if (x >= y || row < 0 || output < 0) continue;
    const int sizes = offsets[x + 1] - offsets[x] + offsets[y + 1] - offsets[y] - 2 * bare;
    out[entry] = sizes - similar[row * width + output];
  }
}
