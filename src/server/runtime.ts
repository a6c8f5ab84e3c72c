/**
 * The runtime: Deno, or Node or Bun, which have no permissions and no store.
 *
 * @module
 */

/** Deno's interface; `undefined` on another runtime. */
export const deno: typeof Deno | undefined = (globalThis as { readonly Deno?: typeof Deno }).Deno;
