/**
 * {@linkcode Kernels} in plain JavaScript with noble's SHA-256; runs anywhere. Tests compare the
 * faster implementations with it.
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import type { Kernels } from "./kernels.ts";
import { kernelsOf } from "./kernels_of.ts";

export const portableKernels: Kernels = kernelsOf(sha256);
