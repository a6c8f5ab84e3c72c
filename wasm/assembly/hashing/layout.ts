// The memory layout. All addresses are constants, for which engines with explicit bounds checks
// omit the check. `memory.data` lays regions out one after another and keeps zeros out of the file.

/** The round constants of FIPS 180-4 section 4.2.2. */
export const K: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
], 64);

/** The initial hash value of section 5.3.3. */
export const INITIAL: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
], 16);

/**
 * One message: its state, the bytes of an unfinished block, and how many bytes came so far (u64).
 * A host that keeps several messages under way copies these 104 bytes out and in.
 */
export const STREAM: usize = memory.data(104, 64);
export const STATE: usize = STREAM;
export const BLOCK: usize = STREAM + 32;
export const TOTAL: usize = STREAM + 96;
export const STREAM_BYTES: u32 = 104;

/** The schedule of one message: a ring of 16 words. */
export const WORDS: usize = memory.data(64, 64);

/** Four messages side by side: word t of lane j at 16t + 4j. SUMS is a schedule with K added. */
export const STATE_FOUR: usize = memory.data(128, 64);
export const WORDS_FOUR: usize = memory.data(256, 64);
export const SUMS_FOUR: usize = memory.data(1024, 64);

/** For each last byte of a node's input, the 64 sums of its second block; see `nodes.ts`. */
export const NODE_SUMS: usize = memory.data(256 * 256, 64);

/** Blocks that are put together here, for four messages and the next four: six of each. */
export const LANE_BYTES: u32 = 384;
export const SET_BYTES: u32 = 4 * 384;
export const LANES: usize = memory.data(2 * 4 * 384, 64);

/** The constant pieces of numbered texts; three of this length and the rest fit a lane. */
export const PIECE_LIMIT: u32 = 96;
export const BEFORE: usize = memory.data(96, 16);
export const BETWEEN: usize = memory.data(96, 16);
export const AFTER: usize = memory.data(96, 16);

/** The state after a first block that is the same in all messages. */
export const MIDSTATE_FOUR: usize = memory.data(128, 64);

/** Input of the host. A load may reach 64 bytes before and after its message. */
export const INPUT_BYTES: u32 = 262144;
export const INPUT: usize = memory.data(64 + 262144 + 64, 64) + 64;

/** Where each leaf ends in the input (u32), and packed nodes: one level, or all above one. */
export const LEAF_LIMIT: u32 = 8192;
export const ENDS: usize = memory.data(8192 * 4, 64);
export const NODES: usize = memory.data(64 + 2 * 8192 * 32 + 1024, 64) + 64;

/** Inclusion paths of a round: at most nine nodes for each of 512 leaves. */
export const ROUND_LIMIT: u32 = 512;
export const PATHS: usize = memory.data(512 * 9 * 32, 64);
