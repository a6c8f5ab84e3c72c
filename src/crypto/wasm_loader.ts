/**
 * Loading WebAssembly modules: of several builds of one module, the first that this engine can run.
 *
 * A build is tried by a feature test before it is loaded, so that an engine without the feature
 * never sees the module, and by a self-test after it.
 *
 * @module
 */

/** One build of a module with exports `E`. */
export interface Build<E> {
  /** `<name>.wasm` in `wasm/build/`. */
  readonly name: string;
  /** Whether the engine has the features that it needs. */
  isSupported(): boolean;
  /** Compiles and instantiates it. */
  load(): Promise<E>;
  /** Whether the exports compute what they should on this machine; yes when left out. */
  passes?(exports: E): boolean;
}

/** A module as it was loaded. */
export interface LoadedModule<E> {
  readonly name: string;
  readonly exports: E;
}

/**
 * The first of `builds`, best first, that is supported, loads and passes its self-test; `undefined`
 * where none does, as in an engine without WebAssembly: the caller has a portable path.
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
      // Whatever keeps a build from running, the next one or the portable path takes its place.
    }
  }
  return undefined;
}

/**
 * `builds` as a browser gets them: `open` answers the response for a file such as
 * `hashing.simd.wasm`, which is compiled while it arrives. A failed response counts as a build that
 * does not load.
 */
export function servedBuilds<E>(
  builds: readonly Build<E>[],
  open: (file: string) => Promise<Response>,
): Build<E>[] {
  return builds.map((build) => ({
    ...build,
    load: async () => {
      const response = await open(`${build.name}.wasm`);
      try {
        const { instance } = await WebAssembly.instantiateStreaming(response);
        return instance.exports as E;
      } finally {
        // A response of another type or status is refused unread.
        if (!response.bodyUsed) await response.body?.cancel();
      }
    },
  }));
}

// A module of one function that leaves a v128 and drops it, and one that holds an instruction of
// the relaxed extension: header, type () -> (), function, code.
const SIMD_BODY = [0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x62, 0x1a];
const RELAXED_SIMD_BODY = [0x41, 0x00, 0xfd, 0x0f, 0x41, 0x00, 0xfd, 0x0f]
  .concat([0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x87, 0x02, 0x1a]);

function moduleOf(body: readonly number[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...[0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00],
    ...[0x0a, body.length + 4, 0x01, body.length + 2, 0x00, ...body, 0x0b],
  );
}

function validates(body: readonly number[]): boolean {
  return typeof WebAssembly === "object" && WebAssembly.validate(moduleOf(body));
}

/** Whether the engine runs WebAssembly at all. */
export function supportsWasm(): boolean {
  return validates([]);
}

/** Whether it runs fixed-width SIMD (`i8x16.splat`, `i8x16.popcnt`). */
export function supportsSimd(): boolean {
  return validates(SIMD_BODY);
}

/** Whether it runs relaxed SIMD (`f64x2.relaxed_madd`); says nothing of how that rounds. */
export function supportsRelaxedSimd(): boolean {
  return validates(RELAXED_SIMD_BODY);
}
