/* The search of `noughts bench engine` once more, in C: fixed depth, loose cuts, moves in the order of their cells, and
   the same incremental evaluation. It must make the same nodes. Built for one board of up to 64 cells:
       cc -O3 -march=native -DX=4 -DY=4 -DZ=4 -DSIZE=4 twin.c
   `twin DEPTH TIMES` searches the empty board and prints nodes, value and nanoseconds of each time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = X * Y * Z, STATES = (SIZE + 1) * (SIZE + 1), WIN_SHIFT = 24, HALF_WIN = 1 << 23, MOST_PLIES = 32 };
static const int64_t WIN = 1000000000, INFINITE = (int64_t)1 << 60;

static int line[13 * CELLS][SIZE], through[CELLS][13 * SIZE], through_count[CELLS], state[13 * CELLS], lines;
static int32_t gain[2][STATES], delta[2][STATES][2], gains[MOST_PLIES][2][CELLS];
static const int step[2] = {1, SIZE + 1};
static uint64_t empty = ~(uint64_t)0 >> (64 - CELLS);
static int64_t nodes;

static int64_t worth(int own, int others) {
    if (own && others) return 0;
    return own ? (int64_t)32 << 2 * (own - 1) : others ? -((int64_t)32 << 2 * (others - 1)) : 0;
}

/* Of the 27 directions, with that of standing still in the middle, the later half: the others are their opposites. */
static void find_lines(void) {
    for (int d = 14; d < 27; d++) {
        int dx = d % 3 - 1, dy = d / 3 % 3 - 1, dz = d / 9 - 1;
        for (int c = 0; c < CELLS; c++) {
            int ex = c % X + (SIZE - 1) * dx, ey = c / X % Y + (SIZE - 1) * dy, ez = c / X / Y + (SIZE - 1) * dz;
            if (ex < 0 || ex >= X || ey < 0 || ey >= Y || ez < 0 || ez >= Z) continue;
            for (int i = 0; i < SIZE; i++) {
                int cell = c + i * (dx + X * dy + X * Y * dz);
                line[lines][i] = cell;
                through[cell][through_count[cell]++] = lines;
            }
            lines++;
        }
    }
}

static void judge_lines(void) {
    for (int own = 0; own <= SIZE; own++)
        for (int others = 0; own + others < SIZE; others++) {
            int s = own + (SIZE + 1) * others;
            gain[0][s] = worth(own + 1, others) - worth(own, others) + ((own == SIZE - 1) << WIN_SHIFT);
            gain[1][s] = worth(own, others) - worth(own, others + 1) + ((others == SIZE - 1) << WIN_SHIFT);
        }
    for (int side = 0; side < 2; side++)
        for (int s = 0; s + step[side] < STATES; s++)
            for (int of = 0; of < 2; of++) delta[side][s][of] = gain[of][s + step[side]] - gain[of][s];
    for (int l = 0; l < lines; l++)
        for (int i = 0; i < SIZE; i++)
            for (int side = 0; side < 2; side++) gains[0][side][line[l][i]] += gain[side][0];
}

/* The value of a node `depth` plies above the leaves for its mover; `mine` is the evaluation from the same view. */
static int64_t search(int ply, int depth, int64_t mine, int64_t alpha, int64_t beta) {
    int side = ply & 1;
    int64_t best = -INFINITE;
    for (uint64_t moves = empty; moves; moves &= moves - 1) {
        int move = __builtin_ctzll(moves);
        int64_t own = gains[ply][side][move], value;
        nodes++;
        if (own >= HALF_WIN) value = WIN - (ply + 1);
        else if (ply + 1 == CELLS) value = 0;
        else if (depth == 1) value = mine + own;
        else {
            memcpy(gains[ply + 1], gains[ply], sizeof gains[0]);
            for (int i = 0; i < through_count[move]; i++) {
                int l = through[move][i], s = state[l];
                state[l] += step[side];
                for (int j = 0; j < SIZE; j++)
                    for (int of = 0; of < 2; of++) gains[ply + 1][of][line[l][j]] += delta[side][s][of];
            }
            empty ^= (uint64_t)1 << move;
            value = -search(ply + 1, depth - 1, -mine - own, -beta, -(alpha > best ? alpha : best));
            empty ^= (uint64_t)1 << move;
            for (int i = 0; i < through_count[move]; i++) state[through[move][i]] -= step[side];
        }
        if (value > best && (best = value) >= beta) break;
    }
    return best;
}

int main(int count, char **words) {
    if (count != 3) return 1;
    find_lines();
    judge_lines();
    for (int times = atoi(words[2]); times > 0; times--) {
        struct timespec from, to;
        nodes = 0;
        clock_gettime(CLOCK_MONOTONIC, &from);
        int64_t value = search(0, atoi(words[1]), 0, -INFINITE, INFINITE);
        clock_gettime(CLOCK_MONOTONIC, &to);
        printf("%lld %lld %lld\n", (long long)nodes, (long long)value,
               (to.tv_sec - from.tv_sec) * 1000000000LL + (to.tv_nsec - from.tv_nsec));
    }
}
