/**
 * Loads the first of several builds of a WebAssembly module that this engine can run.
 *
 * A feature test runs before a build is loaded, so an engine without the feature never compiles the
 * module. A self-test runs afterwards.
 *
 * @module
 */

import { fromHex } from "../../base/bytes.ts";

/** One build of a module with exports `E`. */
export interface Build<E> {
  /** `<name>.wasm` in `wasm/build/`. */
  readonly name: string;
  /** True if the engine has the features that the build needs. */
  isSupported(): boolean;
  /** Compiles and instantiates it. */
  load(): Promise<E>;
  /** The self-test: true if the exports compute correctly on this machine. Passes when absent. */
  passes?(exports: E): boolean;
}

export interface LoadedModule<E> {
  readonly name: string;
  readonly exports: E;
}

/**
 * The first of `builds`, best first, that is supported, loads and passes its self-test; `undefined`
 * if all fail. The caller then uses portable code.
 */
export async function loadModule<E>(
  builds: readonly Build<E>[],
): Promise<LoadedModule<E> | undefined> {
  for (const build of builds) {
    if (!build.isSupported()) continue;
    try {
      const exports = await build.load();
      if (build.passes?.(exports) ?? true) return { name: build.name, exports };
    } catch {
      // After any error, the next build or the portable code is used.
    }
  }
  return undefined;
}

// Two modules of one function: one pushes and drops a v128, the other uses an instruction of
// relaxed SIMD. Each has a header, type () -> (), function and code.
const SIMD_BODY = [0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x62, 0x1a];
const RELAXED_SIMD_BODY = [0x41, 0x00, 0xfd, 0x0f, 0x41, 0x00, 0xfd, 0x0f]
  .concat([0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x87, 0x02, 0x1a]);

function moduleOf(body: readonly number[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(
    ...fromHex("0061736d01000000" + "010401600000" + "03020100" + "0a"),
    body.length + 4,
    0x01,
    body.length + 2,
    0x00,
    ...body,
    0x0b,
  );
}

function validates(body: readonly number[]): boolean {
  return typeof WebAssembly === "object" && WebAssembly.validate(moduleOf(body));
}

/** True if the engine runs WebAssembly. */
export function supportsWasm(): boolean {
  return validates([]);
}

/** True if it runs fixed-width SIMD (`i8x16.splat`, `i8x16.popcnt`). */
export function supportsSimd(): boolean {
  return validates(SIMD_BODY);
}

/** True if it runs relaxed SIMD (`f64x2.relaxed_madd`), with any rounding. */
export function supportsRelaxedSimd(): boolean {
  return validates(RELAXED_SIMD_BODY);
}
