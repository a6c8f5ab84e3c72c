/**
 * {@linkcode Kernels} in plain JavaScript over noble's SHA-256: runs anywhere, and is the oracle
 * for any faster implementation.
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import type { Kernels } from "./kernels.ts";
import { kernelsOf } from "./kernels_of.ts";

/** The portable hashing core. */
export const portableKernels: Kernels = kernelsOf(sha256);
