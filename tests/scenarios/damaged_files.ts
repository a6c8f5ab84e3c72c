/**
 * Damage to a database file, as disks and people do it.
 *
 * @module
 */

/** Of SQLite, as Deno KV makes it. */
const PAGE_BYTES = 4096;

/** Damage to the file at a path. */
export type Damage = (path: string) => Promise<void>;

/** Half of the file is gone. */
export async function cutInHalf(path: string): Promise<void> {
  await Deno.truncate(path, Math.floor((await Deno.stat(path)).size / 2));
}

/** The first page is zeros: no database is recognised any longer. */
export const withoutHeader: Damage = (path) =>
  overwrite(path, () => ({ at: 0, bytes: new Uint8Array(PAGE_BYTES) }));

/** The beginning is of something else. */
export const withGarbageHeader: Damage = (path) =>
  overwrite(path, () => ({ at: 0, bytes: new TextEncoder().encode("garbage, garbage") }));

/** A page of a table that Deno KV reads by itself is garbage. */
export const withGarbageRoot: Damage = (path) =>
  overwrite(path, () => ({ at: 4 * PAGE_BYTES, bytes: new Uint8Array(PAGE_BYTES).fill(0xff) }));

/** A text instead. */
export async function replacedByText(path: string): Promise<void> {
  await Deno.writeTextFile(path, "this was no database at any time\n".repeat(1_000));
}

/** A folder instead. */
export async function replacedByFolder(path: string): Promise<void> {
  await Deno.remove(path);
  await Deno.mkdir(path);
}

/** The page that holds `bytes` is zeros. */
export function withoutPageOf(bytes: Uint8Array): Damage {
  return (path) =>
    overwrite(path, (file) => {
      const place = placeOf(file, bytes);
      return {
        at: place - place % PAGE_BYTES,
        bytes: new Uint8Array(PAGE_BYTES),
      };
    });
}

/** Damage inside of a sound database: `change` has it open. */
export function changed(change: (kv: Deno.Kv) => Promise<unknown>): Damage {
  return async (path) => {
    using kv = await Deno.openKv(path);
    await change(kv);
  };
}

async function overwrite(
  path: string,
  choose: (file: Uint8Array) => { readonly at: number; readonly bytes: Uint8Array },
): Promise<void> {
  const file = await Deno.readFile(path);
  const { at, bytes } = choose(file);
  file.set(bytes, at);
  await Deno.writeFile(path, file);
}

/** The last place: earlier ones may be of pages that are free again. */
function placeOf(file: Uint8Array, bytes: Uint8Array): number {
  const text = new TextDecoder("latin1");
  const place = text.decode(file).lastIndexOf(text.decode(bytes));
  if (place < 0) throw new Error("Cannot damage file: it does not contain the bytes");
  return place;
}
