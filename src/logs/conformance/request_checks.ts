/**
 * Requests to add-checkpoint with one fault of their text or their signatures each.
 *
 * @module
 */

import { base64Of, type Bytes, hexOf } from "../../base/bytes.ts";
import type { NoteSignature } from "../../proof/format/note.ts";
import { NOTE_TYPE } from "../../proof/format/note_key.ts";
import { noteSignature } from "../../proof/format/note_writer.ts";
import type { Submissions } from "./submissions.ts";
import type { Change } from "./suite_log.ts";

/** A signature line of a key that no witness knows. */
function stranger(length: number, name = "stranger.example"): NoteSignature {
  const key = { name, type: NOTE_TYPE.ed25519, publicKey: new Uint8Array(32) };
  return noteSignature(key, new Uint8Array(length));
}

/** `line` with another last byte. */
export function broken({ payload, ...line }: NoteSignature): NoteSignature {
  const last = payload.length - 1;
  return { ...line, payload: payload.with(last, payload[last]! ^ 1) };
}

export async function checkLines(submissions: Submissions): Promise<void> {
  const { log } = submissions;
  const n = submissions.size;
  const honest = await log.request(n, n);
  const grown = await log.request(n, n + 6);
  const [hash] = log.path(n, n + 6) as [Bytes];
  const encoded = base64Of(hash);
  const zeros = Array(64).fill(new Uint8Array(32));
  const rows: readonly [string, string, string | Bytes][] = [
    ["body", "an empty body", ""],
    ["body", "no old size line", honest.slice(honest.indexOf("\n") + 1)],
    ["body", "no empty line before the checkpoint", honest.replace("\n\n", "\n")],
    ["body", "no checkpoint", honest.slice(0, honest.indexOf("\n\n") + 2)],
    ["line-ends", "no newline at the end", honest.slice(0, -1)],
    ["line-ends", "carriage returns", honest.replaceAll("\n", "\r\n")],
    ["line-ends", "a carriage return after the old size", honest.replace("\n", "\r\n")],
    ["old-size-line", "another word", honest.replace("old ", "new ")],
    ["old-size-line", "capitals", honest.replace("old ", "OLD ")],
    ["old-size-line", "two spaces", honest.replace("old ", "old  ")],
    ["old-size-line", "a leading zero", honest.replace("old ", "old 0")],
    ["old-size-line", "a sign", honest.replace("old ", "old +")],
    ["old-size-line", "a space at the end", honest.replace("\n", " \n")],
    ["proof-lines", "a hash in hex", grown.replace(encoded, hexOf(hash))],
    ["proof-lines", "a hash without padding", grown.replace(encoded, encoded.slice(0, -1))],
    ["proof-lines", "a hash of 31 bytes", grown.replace(encoded, base64Of(hash.slice(1)))],
    ["proof-length", "64 proof lines", await log.request(n, n + 6, { path: zeros })],
  ];
  for (const [id, check, body] of rows) {
    await submissions.unbound({ clause: `tlog-witness/${id}`, check, body });
  }
}

export async function checkTexts(submissions: Submissions): Promise<void> {
  const { log } = submissions;
  const n = submissions.size;
  const rows: readonly [string, string, Change][] = [
    ["tlog-checkpoint/lines", "a text without a root hash", {
      text: (text) => text.split("\n").slice(0, 2).join("\n") + "\n",
    }],
    ["tlog-checkpoint/size", "a size with a leading zero", {
      text: (text) => text.replace(`\n${n}\n`, `\n0${n}\n`),
    }],
    ["tlog-checkpoint/size", "a size with a sign", {
      text: (text) => text.replace(`\n${n}\n`, `\n+${n}\n`),
    }],
    ["tlog-checkpoint/root", "a root hash of 31 bytes", { root: log.root(n).slice(1) }],
    ["tlog-checkpoint/extension-lines", "an empty extension line", { extensions: ["", "x"] }],
    ["signed-note/characters", "a control character", { extensions: ["a\u0007b"] }],
  ];
  for (const [clause, check, change] of rows) {
    await submissions.unbound({ clause, check, body: log.request(n, n, change) });
  }
  await submissions.unbound({
    clause: "signed-note/characters",
    check: "a text that is not UTF-8",
    body: log.requestWithByte(n, 0xff),
  });
  const extended = { from: n, to: n, change: { extensions: ["first", "second \u00e9"] } };
  if (await submissions.accepted("tlog-witness/success", "extension lines", extended)) return;
  const reason = "no checkpoint with extension lines is cosigned";
  submissions.context.findings.unclear("tlog-cosignature/extensions", "extension lines", reason);
}

export async function checkSignatures(submissions: Submissions): Promise<void> {
  const { log } = submissions;
  const n = submissions.size;
  const { name } = log.key;
  const accepted: readonly [string, string, Change][] = [
    ["tlog-witness/verify-signature", "signatures of unknown keys before and after", {
      signatures: (own) => [stranger(64), own, stranger(72, "other.example")],
    }],
    ["signed-note/unknown-keys", "an unknown key with the log's name", {
      signatures: (own) => [stranger(64, name), own],
    }],
    ["signed-note/unknown-keys", "an unknown key with the log's key ID", {
      signatures: (own) => [{ ...broken(own), name: "other.example" }, own],
    }],
    ["signed-note/sixteen-signatures", "16 signatures of 64 bytes", {
      signatures: (own) => [...Array(15).fill(stranger(64)), own],
    }],
    ["signed-note/sixteen-signatures", "16 signatures, 15 of them of 4,900 bytes", {
      signatures: (own) => [...Array(15).fill(stranger(4_900)), own],
    }],
  ];
  for (const [clause, check, change] of accepted) {
    await submissions.accepted(clause, check, { from: n, to: n, change });
  }
  const forbidden = "tlog-witness/forbidden";
  const verify = "tlog-witness/verify-signature";
  const refused: readonly [string, string, Change][] = [
    [verify, "a signature of an unknown key alone", { signatures: () => [stranger(64)] }],
    [verify, "a signature of an unknown key with the log's name", {
      signatures: () => [stranger(64, name)],
    }],
    ["signed-note/known-keys", "the log's signature over another text", {
      signatures: (own) => [broken(own)],
    }],
    [forbidden, "a valid and an invalid signature of the log's key", {
      signatures: (own) => [own, broken(own)],
    }],
    [forbidden, "an invalid and a valid signature of the log's key", {
      signatures: (own) => [broken(own), own],
    }],
  ];
  for (const [clause, check, change] of refused) {
    await submissions.refused({
      clauses: [clause, forbidden, 403],
      check,
      body: log.request(n, n, change),
    });
  }
  await submissions.refused({
    clauses: ["tlog-witness/unknown-origin", "tlog-witness/unknown-origin", 404],
    check: "an origin that nobody configured, signed by the log's key",
    body: log.request(0, 3, { origin: `${log.origin}/unknown` }),
  });
}
