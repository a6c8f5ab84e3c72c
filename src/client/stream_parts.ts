/**
 * Reads streams also in Safari and in Chrome before 124, which cannot iterate over them.
 *
 * @module
 */

/** The parts of `stream`. Leaving the loop early cancels the stream. */
export async function* partsOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
