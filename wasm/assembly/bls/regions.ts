// The memory regions for the inputs and outputs of operations.

/** Bytes of a message that are taken at once. */
export const MESSAGE_BYTES: u32 = 4096;
export const MESSAGE: usize = memory.data(4096, 16);

/** A domain separation tag, as it was given. */
export const TAG_BYTES: u32 = 1024;
export const TAG: usize = memory.data(1024, 16);

/** A secret key, big-endian. */
export const SECRET_BYTES: usize = 32;
export const SECRET: usize = memory.data(32, 16);

/** Two compressed signatures. */
export const SIGNATURE_BYTES: usize = 48;
export const SIGNATURE: usize = memory.data(96, 16);

/** A compressed public key, and a decoded one: affine, x then y. */
export const KEY: usize = memory.data(96, 16);
export const KEY_POINT: usize = memory.data(256, 16);

/** Checks stored for combinations. */
export const SLOT_LIMIT: u32 = 512;

/** Which slots a group has, 4 bytes each, and their coefficients, 16 bytes each. */
export const SLOTS: usize = memory.data(2048, 16);
export const COEFFICIENTS: usize = memory.data(8192, 16);
