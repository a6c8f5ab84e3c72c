/**
 * `anchors --save`: writes external anchors as files that the providers' own tools verify.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { anchoredDigest } from "../gateway/anchors/answers.ts";
import type { AnchorFile, AnchorProvider } from "../gateway/anchors/ports.ts";
import { providerNamed } from "../gateway/anchors/providers.ts";
import { type Bytes, equalBytes, hexOf, utf8 } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { systemCode, systemProblem } from "../base/system_error.ts";
import { type ExternalAnchor, parseExternalAnchors } from "../proof/format/external_anchor.ts";
import { encodeCheckpointBody } from "../proof/format/tree_head.ts";
import type { CommandContext } from "./command_context.ts";
import { shellWord } from "./shell_word.ts";
import { makeFolder } from "../server/files.ts";
import { replaceFile } from "../server/replaced_file.ts";

/** Hex digits of the hash in file names. */
const NAMED_HEX = 16;

/** A file that was written, or existed with the same bytes. */
export interface SavedFile {
  readonly path: string;
  /** Command line of the tool that verifies it. */
  readonly command?: string;
}

export interface SavedAnchors {
  readonly files: readonly SavedFile[];
  /** Unknown providers, whose anchors are not saved. */
  readonly unknown: readonly string[];
}

interface PlannedFile {
  readonly name: string;
  readonly bytes: Bytes;
  readonly isConfirmed: boolean;
  /** Makes the command line; `nameOf` maps a file to its path as typed. */
  readonly command?: (nameOf: (name: string) => string) => string;
}

/**
 * Writes the anchors of `hash` in `text`, the gateway's JSON, into `folder`. Nothing is written unless
 * every digest is that of its checkpoint body, every proof is one of its digest (`proof_refused`), and
 * no file exists with other bytes (`file_failed`). Only the bundle shows that the attestation is in the
 * checkpoint's tree.
 */
export async function saveAnchors(
  context: CommandContext,
  { hash, text, folder, replacesPending = false }: {
    readonly hash: string;
    readonly text: string;
    readonly folder: string;
    /** Whether a confirmed proof replaces another file of its name, which was pending. */
    readonly replacesPending?: boolean;
  },
): Promise<SavedAnchors> {
  const { planned, unknown } = await planFiles(context, hash, text);
  const path = context.io.resolvePath(folder);
  await makeFolder(path);
  const missing: PlannedFile[] = [];
  for (const file of planned) {
    const replaces = replacesPending && file.isConfirmed;
    if (await isMissing(join(path, file.name), file.bytes, replaces)) missing.push(file);
  }
  for (const { name, bytes } of missing) await replaceFile(join(path, name), bytes, 0o644);
  const typed = (name: string) => shellWord(join(folder, name));
  const files = planned.map(({ name, command }) => ({
    path: join(folder, name),
    ...(command !== undefined && { command: command(typed) }),
  }));
  return { files, unknown };
}

async function planFiles(
  { crypto }: CommandContext,
  hash: string,
  text: string,
): Promise<{ readonly planned: readonly PlannedFile[]; readonly unknown: readonly string[] }> {
  const planned = new Map<string, PlannedFile>();
  const unknown: string[] = [];
  const begin = hash.slice(0, NAMED_HEX);
  for (const anchor of parseExternalAnchors(text, "gateway_refused")) {
    const provider = providerNamed(anchor.provider);
    if (provider === undefined) {
      unknown.push(anchor.provider);
      continue;
    }
    const size = anchor.tree_head.tree_size;
    const digest = anchoredDigest(crypto.kernels, anchor.tree_head);
    if (hexOf(digest) !== anchor.digest) {
      throw refused(provider, "its digest is not the SHA-256 of its checkpoint body");
    }
    const checkpoint = `${begin}-${size}.checkpoint`;
    planned.set(checkpoint, {
      name: checkpoint,
      bytes: utf8(encodeCheckpointBody(anchor.tree_head)),
      isConfirmed: false,
    });
    const files = await provenFiles(anchor, digest, provider);
    const named = anchor.service === undefined
      ? provider.name
      : `${provider.name}-${anchor.service}`;
    const stem = freeStem(planned, `${begin}-${named}-${size}`, files);
    for (const { extension, bytes, command } of files) {
      const name = `${stem}${extension}`;
      planned.set(name, {
        name,
        bytes,
        isConfirmed: anchor.status === "confirmed",
        ...(command !== undefined && {
          command: (nameOf) =>
            command.replaceAll(
              /CHECKPOINT|FILE/g,
              (word) => nameOf(word === "FILE" ? name : checkpoint),
            ),
        }),
      });
    }
  }
  return { planned: [...planned.values()], unknown };
}

/** The files of a proof, once it is verified to be one of `digest`. */
async function provenFiles(
  anchor: ExternalAnchor,
  digest: Bytes,
  provider: AnchorProvider,
): Promise<readonly AnchorFile[]> {
  const { status, timestamp, proof } = anchor;
  if (status !== "pending" && status !== "confirmed") {
    throw refused(provider, "its status is neither pending nor confirmed");
  }
  const verdict = await provider.verify({ status, timestamp, proof, digest, roots: [] });
  if (verdict.status === "failed") {
    throw refused(provider, `its proof is invalid (${verdict.reason})`);
  }
  return provider.files(digest, proof);
}

/** Two services of one provider may have anchored one head. */
function freeStem(
  planned: ReadonlyMap<string, PlannedFile>,
  stem: string,
  files: readonly AnchorFile[],
): string {
  for (let count = 1;; count++) {
    const tried = count === 1 ? stem : `${stem}-${count}`;
    if (files.every(({ extension }) => !planned.has(`${tried}${extension}`))) return tried;
  }
}

/** True if no file exists at `path`; `file_failed` if one exists with other bytes, unless it `replaces` it. */
async function isMissing(path: string, bytes: Bytes, replaces: boolean): Promise<boolean> {
  let found;
  try {
    found = await readFile(path);
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return true;
    throw failed(path, systemProblem(cause), cause);
  }
  if (equalBytes(found, bytes)) return false;
  if (replaces) return true;
  throw failed(path, "a file with other bytes exists");
}

function failed(path: string, problem: string, cause?: unknown): CountersignError {
  return new CountersignError("file_failed", `Cannot write "${path}": ${problem}`, { cause });
}

function refused(provider: AnchorProvider, problem: string): CountersignError {
  return new CountersignError(
    "proof_refused",
    `Cannot save anchor of ${provider.name}: ${problem}`,
  );
}
