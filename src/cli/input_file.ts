/**
 * Reads the files that the command line names: documents whole, contents as a stream.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type BigIntStats, constants, openSync, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { Socket } from "node:net";
import process from "node:process";
import { type Bytes, concat, textOf } from "../base/bytes.ts";
import { MAX_LIST_BYTES, textAtUrl } from "../client/text_at_url.ts";
import { namingFile } from "../config/validation.ts";
import { CountersignError, type ErrorCode } from "../base/errors.ts";
import { type LogPolicy, parseLogPolicy } from "../proof/format/log_policy.ts";
import { systemCode, systemProblem } from "../base/system_error.ts";
import type { CommandContext } from "./command_context.ts";

/** Names standard input. */
export const STDIN = "-";

/** Bundles, attestations and configurations are a few kilobytes. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_POLICY_BYTES = 1 << 20;
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
  return parseDocument(name, await documentAt(context, name), code, parse);
}

/** The bytes of file `name`. `file_failed`, also if it is longer than 16 MiB. */
export function documentAt(context: CommandContext, name: string): Promise<Bytes> {
  return contentOf(context, name, MAX_DOCUMENT_BYTES);
}

/** {@linkcode readDocument} of bytes that were read from file `name`. */
export function parseDocument<T>(
  name: string,
  content: Bytes,
  code: ErrorCode,
  parse: (text: string) => T,
): T {
  return namingFile(name, () => parseLines(textOf(content, code), parse));
}

/** What `parse` makes of `text`; its error says so if the lines end as on Windows. JSON may have any. */
function parseLines<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof CountersignError)) throw cause;
    if (!text.includes("\r\n") || /^\s*[{[]/.test(text)) throw cause;
    const message = `${cause.message} (its lines end in CRLF: convert them to LF)`;
    throw new CountersignError(cause.code, message, { cause });
  }
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
    if (length > maxBytes) {
      throw failed(
        name,
        `it is longer than ${maxBytes} bytes, so it is not a proof or a configuration`,
      );
    }
    parts.push(chunk.slice());
  });
  return concat(...parts);
}

/**
 * The text in file `name` or at URL `name`. `malformed_text`, `file_failed`, `gateway_unreachable`, and
 * `invalid_configuration` for a URL that is not safe.
 */
export async function textAt(
  context: CommandContext,
  name: string,
  failure: string,
): Promise<string> {
  if (!/^https?:\/\//.test(name)) return textOf(await contentOf(context, name, MAX_LIST_BYTES));
  return await textAtUrl(name, { failure, clock: context.process.clock });
}

/** The policy of any log in file `name`. `file_failed`, `invalid_configuration`, `invalid_key`. */
export async function readLogPolicy(context: CommandContext, name: string): Promise<LogPolicy> {
  const bytes = await contentOf(context, name, MAX_POLICY_BYTES);
  return namingFile(name, () => parseLines(textOf(bytes), () => parseLogPolicy(bytes)));
}

export interface HashOptions {
  /** Receives the number of bytes hashed so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal;
  /** As `node:crypto` names it; SHA-256 when absent. */
  readonly algorithm?: string;
}

/**
 * The digest in hex of file `name`, of any length. `file_failed`, also if the file changes meanwhile, or the
 * signal's reason.
 */
export async function hashContent(
  context: CommandContext,
  name: string,
  { onProgress, signal, algorithm = "sha256" }: HashOptions = {},
): Promise<string> {
  const hash = createHash(algorithm);
  let length = 0;
  await readChunks(context, name, (chunk) => {
    signal?.throwIfAborted();
    hash.update(chunk);
    length += chunk.length;
    onProgress?.(length);
  }, { staysUnchanged: true });
  return hash.digest("hex");
}

/** Length in bytes of a regular file; `undefined` for anything else, standard input included. */
export async function lengthOf(context: CommandContext, name: string): Promise<number | undefined> {
  if (name === STDIN) return undefined;
  const found = await statOf(context, name);
  return found?.isFile() ? found.size : undefined;
}

/** The kind of the file `name`, following links: `undefined` without one; `special` can be read once. */
export async function kindOf(
  context: CommandContext,
  name: string,
): Promise<"file" | "folder" | "special" | undefined> {
  if (name === STDIN) return "special";
  const found = await statOf(context, name);
  return found && (found.isFile() ? "file" : found.isDirectory() ? "folder" : "special");
}

/** Reading the file reports the error. */
async function statOf({ io }: CommandContext, name: string): Promise<Stats | undefined> {
  return await stat(io.resolvePath(name)).catch(() => undefined);
}

/** At most `maxBytes` from the beginning of a regular file. `file_failed`. */
export async function beginOf(
  { io }: CommandContext,
  name: string,
  maxBytes: number,
): Promise<Bytes> {
  try {
    const file = await open(io.resolvePath(name));
    try {
      const buffer = new Uint8Array(maxBytes);
      const { bytesRead } = await file.read(buffer, 0, maxBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw cannotRead(name, cause);
  }
}

/** Chunks are valid until the next one is read. A regular file that must stay unchanged is compared. */
async function readChunks(
  context: CommandContext,
  name: string,
  onChunk: (chunk: Uint8Array) => void,
  { staysUnchanged = false }: { readonly staysUnchanged?: boolean } = {},
): Promise<void> {
  if (name === STDIN) {
    for await (const chunk of context.process.stdin()) onChunk(chunk);
    return;
  }
  try {
    const path = context.io.resolvePath(name);
    if (readsPipesAsSockets && (await stat(path)).isFIFO()) {
      for await (const chunk of pipeAt(path)) onChunk(chunk);
      return;
    }
    const file = await open(path);
    try {
      const found = await file.stat();
      if (found.isDirectory()) throw failed(name, "it is a folder");
      const before = staysUnchanged && found.isFile() ? await versionOf(file) : undefined;
      const chunk = new Uint8Array(found.isFile() ? chunkLength(found.size) : CHUNK_BYTES);
      for (;;) {
        const { bytesRead } = await file.read(chunk);
        if (bytesRead === 0) break;
        onChunk(chunk.subarray(0, bytesRead));
      }
      // The name may lead to another file by now.
      for (
        const now of before === undefined ? [] : [await versionOf(file), await versionAt(path)]
      ) {
        if (now !== before) {
          throw failed(name, "it changed while it was read (run the command again)");
        }
      }
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    throw cannotRead(name, cause);
  }
}

/** Differs if the file was written meanwhile, or is another one. */
async function versionOf(file: FileHandle): Promise<string> {
  return versionText(await file.stat({ bigint: true }));
}

async function versionAt(path: string): Promise<string | undefined> {
  return await stat(path, { bigint: true }).then(versionText, () => undefined);
}

function versionText({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

/**
 * Node does not exit before its open file operations end, and opening or reading a pipe may never end.
 * A socket is only closed. Elsewhere than on Linux, a pipe without a writer may read as empty.
 */
const readsPipesAsSockets = process.platform === "linux" && process.versions.deno === undefined &&
  process.versions.bun === undefined;

function pipeAt(path: string): AsyncIterable<Uint8Array> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

/** Small files need no large buffer. */
function chunkLength(size: number): number {
  return Math.min(CHUNK_BYTES, Math.max(size, 4_096));
}

const NOT_UTF8 = "its name is not UTF-8 (rename it)";

/** `file_failed` for the file `shown`, whose name cannot be given to the system. */
export function notUtf8(shown: string): CountersignError {
  return failed(shown, NOT_UTF8);
}

/** `file_failed` for the system's error `cause`. */
export function cannotRead(name: string, cause: unknown): CountersignError {
  const problem = systemProblem(cause);
  // The runtime replaces bytes that are not UTF-8 in arguments.
  const isReplaced = systemCode(cause) === "ENOENT" && name.includes("\ufffd");
  return failed(name, isReplaced ? `${problem}, or ${NOT_UTF8}` : problem, cause);
}

function failed(name: string, problem: string, cause?: unknown): CountersignError {
  return new CountersignError("file_failed", `Cannot read "${name}": ${problem}`, { cause });
}
