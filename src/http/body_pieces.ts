/**
 * Reads a stream of bytes piece by piece through one small buffer.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";

/**
 * Bytes of the buffer. The runtime's default reader allocates 64 KiB even for one byte and keeps it
 * until the connection ends.
 */
const BUFFER_BYTES = 8_192;

export interface BodyPieces {
  /** The next piece, valid until the next call; `undefined` at the end and after `cancel`. */
  next(): Promise<Uint8Array | undefined>;
  /** Stops reading and ends a pending `next`. */
  cancel(): void;
}

/** Reads `stream` to its end. */
export function piecesOf(stream: ReadableStream<Uint8Array>): BodyPieces {
  const reader = byteReader(stream);
  // A body that the runtime has read already is not a byte stream and allocates nothing.
  return reader === undefined ? wholePieces(stream) : bufferedPieces(reader);
}

function byteReader(
  stream: ReadableStream<Uint8Array>,
): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function bufferedPieces(reader: ReadableStreamBYOBReader): BodyPieces {
  let buffer: Bytes = new Uint8Array(BUFFER_BYTES);
  return {
    async next() {
      const { done, value } = await reader.read(buffer);
      if (done || value === undefined) return undefined;
      buffer = new Uint8Array(value.buffer);
      return value;
    },
    cancel: () => void reader.cancel().catch(ignore),
  };
}

function wholePieces(stream: ReadableStream<Uint8Array>): BodyPieces {
  const reader = stream.getReader();
  return {
    next: async () => (await reader.read()).value,
    cancel: () => void reader.cancel().catch(ignore),
  };
}

/** A stream that cannot be cancelled has ended or failed. */
function ignore(): void {}
