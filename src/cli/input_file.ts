/**
 * Reads the files that the command line names: documents whole, contents as a stream.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type Bytes, concat, textOf } from "../bytes.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { CommandContext } from "./command_context.ts";
import { namingFile } from "./trust_folder.ts";

/** Names standard input. */
export const STDIN = "-";

/** Bundles, attestations and configurations are a few kilobytes. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 1 << 20;

/**
 * Parses the text of file `name`. `file_failed` if it cannot be read or is longer than 16 MiB; `code`
 * if it is not UTF-8.
 */
export async function readDocument<T>(
  context: CommandContext,
  name: string,
  code: ErrorCode,
  parse: (text: string) => T,
): Promise<T> {
  const content = await contentOf(context, name, MAX_DOCUMENT_BYTES);
  return namingFile(name, () => parse(textOf(content, code)));
}

/** The bytes of file `name`. `file_failed`, also if it is longer than `maxBytes`. */
export async function contentOf(
  context: CommandContext,
  name: string,
  maxBytes: number,
): Promise<Bytes> {
  const parts: Uint8Array[] = [];
  let length = 0;
  await readChunks(context, name, (chunk) => {
    length += chunk.length;
    if (length > maxBytes) throw failed(name, `it is longer than ${maxBytes} bytes`);
    parts.push(chunk.slice());
  });
  return concat(...parts);
}

/**
 * SHA-256 in hex of file `name`, of any length. `file_failed`.
 *
 * @param onProgress receives the number of bytes hashed so far
 */
export async function hashContent(
  context: CommandContext,
  name: string,
  onProgress?: (bytes: number) => void,
): Promise<string> {
  const hash = createHash("sha256");
  let length = 0;
  await readChunks(context, name, (chunk) => {
    hash.update(chunk);
    length += chunk.length;
    onProgress?.(length);
  });
  return hash.digest("hex");
}

/** Length in bytes of a regular file; `undefined` for anything else, standard input included. */
export async function lengthOf(context: CommandContext, name: string): Promise<number | undefined> {
  if (name === STDIN) return undefined;
  try {
    const { isFile, size } = await Deno.stat(context.io.resolvePath(name));
    return isFile ? size : undefined;
  } catch {
    // Reading it will report the error.
    return undefined;
  }
}

/** Chunks are valid until the next one is read. */
async function readChunks(
  context: CommandContext,
  name: string,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  if (name === STDIN) {
    for await (const chunk of context.process.stdin()) onChunk(chunk);
    return;
  }
  try {
    using file = await Deno.open(context.io.resolvePath(name));
    if ((await file.stat()).isDirectory) throw failed(name, "it is a directory");
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let n = await file.read(chunk); n !== null; n = await file.read(chunk)) {
      onChunk(chunk.subarray(0, n));
    }
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    throw failed(name, problemOf(cause), cause);
  }
}

function problemOf(cause: unknown): string {
  if (cause instanceof Deno.errors.NotFound) return "there is no such file";
  if (cause instanceof Deno.errors.IsADirectory) return "it is a directory";
  if (cause instanceof Deno.errors.PermissionDenied || cause instanceof Deno.errors.NotCapable) {
    return "permission denied";
  }
  return cause instanceof Error ? cause.name : "unknown error";
}

function failed(name: string, problem: string, cause?: unknown): CountersignError {
  return new CountersignError("file_failed", `Cannot read "${name}": ${problem}`, { cause });
}
