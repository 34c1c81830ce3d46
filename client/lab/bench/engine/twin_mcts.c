/* The control of the engine's bench for Ultimate: the tree search of engine/kernels/mcts.py with the evaluation of
   engine/kernels/weighted.py in C, without random moves and without copies. It must find the same tree.
       cc -O3 -march=native -ffp-contract=off twin_mcts.c -lm
   `twin_mcts TABLES NODES TIMES` searches the position that the tables begin with and prints nodes, playouts, the
   root's total and nanoseconds of processor time of each time. client/lab/bench/engine/tree_control.py writes the tables. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CODES = 19683, STATES = 1 << 18, CONTEXTS = 16, ALL = 511, PLIES = 83, REACH = 4096 };
enum { LINE = 1, FULL = 2, WON = CODES };
enum { UNKNOWN = 0, DRAW = 1000, NO_WIN = 1001 };
static const double NEVER = -1e30;

/* As the fields of the kernel's board, in the order of the file. */
static int64_t codes[9], first_states, first_closed, first_forced, first_static;
static int64_t steps[2][9], rows[9], contexts[STATES];
static int8_t events[2 * CODES];
static int16_t empty[2 * CODES], winning[2][2 * CODES], small[3 * CONTEXTS * CODES], big[STATES];
static int16_t sent[2][CONTEXTS * CODES], leave[2][10];
static int8_t has_line[512], blocked[512];
static float chance_of[2 * REACH + 1], weight_of[2 * REACH + 1];

static int64_t former[PLIES], states[PLIES], closed[PLIES], forced[PLIES], worth[PLIES];

typedef struct {
    double total;
    int32_t visits;
    float prior;
    int32_t first;
    int16_t proof;
    uint8_t children, move;
} Node;

static Node *nodes;
static int64_t used, made, playouts;
static int path[PLIES];

static int64_t open_boards(int ply) { return forced[ply] >= 0 ? 1 << forced[ply] : ALL & ~closed[ply]; }

static int64_t owned(int64_t of, int side) { return side ? (of >> 9) & ~of & ALL : of & ~(of >> 9) & ALL; }

static int64_t judged(int board, int64_t context, int64_t code) {
    return small[rows[board] + (context >> 4 * board & 15) * CODES + code];
}

static void settle(int ply, int board, int64_t code, int64_t *new_states, int64_t *new_closed) {
    if (events[code] & LINE) *new_states |= (int64_t)1 << board << 9 * (ply & 1);
    else if (code < WON) *new_states |= (int64_t)513 << board;
    *new_closed |= 1 << board;
}

static int64_t moved(int ply, int board, int64_t code, int64_t new_states) {
    int64_t context = contexts[states[ply]], value = worth[ply] - judged(board, context, codes[board]);
    if (new_states == states[ply]) return value + judged(board, context, code);
    value += big[new_states] - big[states[ply]];
    int64_t after = contexts[new_states], changed = context ^ after;
    for (int other = 0; other < 9; other++)
        if (changed >> 4 * other & 15 && other != board && codes[other] < WON)
            value += judged(other, after, codes[other]) - judged(other, context, codes[other]);
    return value;
}

/* 0: the game goes on, 1: the move wins, 2: it draws, 4: the other side wins at once. */
static int foresee(int ply, int board, int square, int64_t *value) {
    int side = ply & 1, other = 1 - side;
    int64_t code = codes[board] + steps[side][square], new_states = states[ply], new_closed = closed[ply];
    if (events[code]) {
        settle(ply, board, code, &new_states, &new_closed);
        *value = worth[ply];
        if (has_line[owned(new_states, side)]) return 1;
        if (new_closed == ALL) return 2;
    }
    *value = moved(ply, board, code, new_states);
    if (new_closed >> square & 1) {
        *value += leave[other][__builtin_popcountll(new_closed)];
        return 0;
    }
    int64_t target = square == board ? code : codes[square], context = contexts[new_states] >> 4 * square & 15;
    if ((other ? context & 3 : context >> 2) == 3 && winning[other][target]) return 4;
    *value += sent[other][context * CODES + target];
    return 0;
}

static void make(int ply, int move) {
    int board = move / 9, square = move % 9;
    int64_t code = codes[board] + steps[ply & 1][square], new_states = states[ply], new_closed = closed[ply];
    if (events[code]) settle(ply, board, code, &new_states, &new_closed);
    worth[ply + 1] = moved(ply, board, code, new_states);
    former[ply] = codes[board];
    codes[board] = code + (events[code] & LINE ? WON : 0);
    states[ply + 1] = new_states;
    closed[ply + 1] = new_closed;
    forced[ply + 1] = new_closed >> square & 1 ? -1 : square;
}

static int chosen(const Node *parent, double explore) {
    double factor = explore * sqrt(parent->visits), best_score = -1e300;
    int best = parent->first;
    for (int child = parent->first, end = child + parent->children; child < end; child++) {
        double score = (nodes[child].total + factor * nodes[child].prior) / (nodes[child].visits + 1);
        if (score > best_score) best = child, best_score = score;
    }
    return best;
}

static int is_proven(int proof) { return proof != UNKNOWN && proof != NO_WIN; }

static int proof_of_children(const Node *parent) {
    int shortest = DRAW, longest = 0, may_win = 0, may_draw = 0, draws = 0;
    for (int child = parent->first, end = child + parent->children; child < end; child++) {
        int proof = nodes[child].proof;
        if (proof == UNKNOWN) may_win = 1;
        else if (proof == NO_WIN) may_draw = 1;
        else if (proof == DRAW) draws = 1;
        else if (proof > 0) shortest = proof < shortest ? proof : shortest;
        else longest = proof < longest ? proof : longest;
    }
    if (shortest < DRAW) return -(shortest + 1);
    if (draws) return may_win ? NO_WIN : DRAW;
    return may_win || may_draw ? UNKNOWN : 1 - longest;
}

static double expand(int ply, Node *node) {
    int first = used, child = first;
    double best = 0, weights = 0;
    for (int64_t boards = open_boards(ply); boards; boards &= boards - 1) {
        int board = __builtin_ctzll(boards);
        for (int64_t squares = empty[codes[board]]; squares; squares &= squares - 1) {
            int square = __builtin_ctzll(squares), proof = UNKNOWN;
            int64_t value;
            int status = foresee(ply, board, square, &value);
            made++;
            if (status == 1) child = first;
            value = ply & 1 ? -value : value;
            value = value < -REACH ? -REACH : value > REACH ? REACH : value;
            double chance = chance_of[REACH + value], weight = weight_of[REACH + value];
            if (!status) best = chance > best ? chance : best;
            else {
                proof = status == 1 ? 1 : status == 2 ? DRAW : -2;
                chance = NEVER, weight = 0;
            }
            nodes[child] = (Node){chance, 0, weight, 0, proof, 0, 9 * board + square};
            weights += weight;
            child++;
            if (status == 1) goto won;
        }
    }
won:
    node->first = first;
    node->children = child - first;
    used = child;
    if (weights > 0)
        for (int each = first; each < child; each++) nodes[each].prior = nodes[each].prior / weights;
    if (blocked[states[ply] & ALL] && blocked[states[ply] >> 9]) node->proof = DRAW;
    else node->proof = proof_of_children(node);
    return best;
}

static void go_up(int ply, double value) {
    int changed = 1;
    for (int at = ply; at >= 0; at--) {
        Node *node = &nodes[path[at]];
        if (at < ply && changed) {
            int before = node->proof;
            node->proof = proof_of_children(node);
            changed = node->proof != before;
        }
        if (node->proof == DRAW || (node->proof == NO_WIN && value < 0.5)) value = 0.5;
        value = 1 - value;
        node->visits++;
        if (!is_proven(node->proof)) node->total += value;
        else {
            node->total = NEVER;
            if (node->proof != DRAW) value = node->proof > 0;
        }
        if (at > 0) codes[node->move / 9] = former[at - 1];
    }
}

static int play_out(double explore, int64_t limit) {
    int node = 0, ply = 0, needed = 0;
    path[0] = 0;
    while (nodes[node].children) {
        node = chosen(&nodes[node], explore);
        make(ply++, nodes[node].move);
        path[ply] = node;
    }
    for (int64_t boards = open_boards(ply); boards; boards &= boards - 1)
        needed += __builtin_popcountll(empty[codes[__builtin_ctzll(boards)]]);
    if (made + needed > limit) {
        for (int at = ply; at > 0; at--) codes[nodes[path[at]].move / 9] = former[at - 1];
        return 0;
    }
    playouts++;
    go_up(ply, expand(ply, &nodes[node]));
    return 1;
}

static void take(FILE *file, void *to, size_t bytes) {
    if (fread(to, 1, bytes, file) != bytes) exit(2);
}
#define TAKE(what) take(file, &what, sizeof what)

int main(int count, char **words) {
    if (count != 4) return 1;
    FILE *file = fopen(words[1], "rb");
    double explore;
    if (!file) return 2;
    TAKE(explore), TAKE(codes), TAKE(first_states), TAKE(first_closed), TAKE(first_forced), TAKE(first_static);
    TAKE(steps), TAKE(rows), TAKE(contexts), TAKE(events), TAKE(empty), TAKE(winning), TAKE(small), TAKE(big);
    TAKE(sent), TAKE(leave), TAKE(has_line), TAKE(blocked), TAKE(chance_of), TAKE(weight_of);
    int64_t limit = atoll(words[2]);
    nodes = malloc((limit + 82) * sizeof *nodes);
    states[0] = first_states, closed[0] = first_closed, forced[0] = first_forced, worth[0] = first_static;
    /* Once without a clock, so that the pages of memory are there. */
    for (int times = -1; times < atoi(words[3]); times++) {
        struct timespec from, to;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        nodes[0] = (Node){0.5, 0, 1, 0, UNKNOWN, 0, 0};
        used = 1, made = playouts = 0;
        while (!is_proven(nodes[0].proof) && play_out(explore, limit)) {}
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        if (times < 0) continue;
        printf("%lld %lld %.17g %lld\n", (long long)made, (long long)playouts, nodes[0].total,
               (to.tv_sec - from.tv_sec) * 1000000000LL + (to.tv_nsec - from.tv_nsec));
    }
}
