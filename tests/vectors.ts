/**
 * Published test vectors, read from the folder beside the checkout. A test whose vectors are
 * missing is ignored, with the reason in its name.
 *
 * @module
 */

const folder = Deno.env.get("COUNTERSIGN_VECTORS") ??
  decodeURIComponent(new URL("../../shared/vectors", import.meta.url).pathname);

/** Registers a test over the vectors at `file`, a path inside the vectors folder. */
export function vectorTest(
  name: string,
  file: string,
  run: (bytes: Uint8Array<ArrayBuffer>) => void | Promise<void>,
): void {
  const path = `${folder}/${file}`;
  let present = true;
  try {
    Deno.statSync(path);
  } catch {
    present = false;
  }
  Deno.test({
    name: present ? name : `${name} (ignored: no vectors at ../shared/vectors/${file})`,
    ignore: !present,
    fn: async () => await run(await Deno.readFile(path)),
  });
}

/** JSON of a vectors file. The caller states the shape that the file's publisher documents. */
export function jsonVectors<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}
