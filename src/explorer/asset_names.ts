/**
 * Where the page's own files stand. The server names each after its content, so that a browser may
 * keep it for good, and writes the names into the document:
 *
 *     <meta name="countersign-assets" content="hash_worker.js=assets/hash_worker.0f1e.js ...">
 *
 * @module
 */

/** Resolves the name of a file, such as `bls.fma.wasm`, to its address. */
export type AssetNames = (file: string) => URL;

/** The names in `content`; a file without one is asked for under its own. */
export function parseAssetNames(content: string, base: string): AssetNames {
  const paths = new Map(
    content.split(" ").filter((entry) => entry.includes("=")).map((entry) => {
      const [file, path] = entry.split("=");
      return [file!, path!] as const;
    }),
  );
  return (file) => new URL(paths.get(file) ?? `assets/${file}`, base);
}
