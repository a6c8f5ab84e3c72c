/**
 * Whether something is there already.
 *
 * @module
 */

/** True for anything at `path`; rejects with what else keeps it from being looked at. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    const { NotADirectory, NotFound } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return false;
    throw error;
  }
}
