/**
 * Tests the signature lines in the answers of a witness or mirror.
 *
 * @module
 */

import { equalBytes, utf8 } from "../../base/bytes.ts";
import { tryParse } from "../../base/errors.ts";
import { type Note, type NoteSignature, parseSignatureLine } from "../../proof/format/note.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "../../proof/format/note_key.ts";
import { cosignatureMessage } from "../../proof/format/tree_head.ts";
import { verifyNote } from "../../proof/verify/note.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { Exchange, Exchanger } from "./exchange.ts";
import type { Fault, Findings } from "./report.ts";

export interface SuiteContext {
  readonly exchanger: Exchanger;
  readonly findings: Findings;
  readonly crypto: VerifierCrypto;
}

/** Bytes of a cosignature's payload, by key type: a time and a signature. */
export const PAYLOAD_LENGTH: Record<number, number> = { 0x04: 8 + 64, 0x06: 8 + 2_420 };
const ML_DSA_TYPE = NOTE_TYPE.mlDsaCosignature;
const kindOf = ({ type }: NoteKey) => type === ML_DSA_TYPE ? "ml-dsa" : "ed25519";
/** Or `oid/` and an object identifier, which tlog-cosignature allows. */
export const SCHEMALESS_URL =
  /^([\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:[0-9]+)?(\/[^\s+]*)?|oid\/[0-9.]+)$/iu;
export const NO_KEYS = "not verified: name the key with --vkey";

export const OTHER_ID = "a signature that verifies has another key ID";

export const isOf = (key: NoteKey, { name, keyId }: NoteSignature) =>
  name === key.name && equalBytes(keyId, noteKeyId(key));

/** True if a key signed a line with its name and another key ID. */
export async function signsUnderOtherId(
  crypto: VerifierCrypto,
  keys: readonly NoteKey[],
  { text, signatures }: Note,
): Promise<boolean> {
  for (const key of keys) {
    const keyId = noteKeyId(key);
    for (const line of signatures.filter((one) => one.name === key.name && !isOf(key, one))) {
      const { valid } = await verifyNote(crypto, [key], { text, signatures: [{ ...line, keyId }] });
      if (valid) return true;
    }
  }
  return false;
}

/** The lines of `text`; `undefined` unless it is one or more signature lines that end in a newline. */
export function signatureLines(text: string): readonly NoteSignature[] | undefined {
  const encoded = text.split("\n");
  const isWhole = encoded.pop() === "" && encoded.length > 0;
  const lines = encoded.map((line) => tryParse(() => parseSignatureLine(line)));
  return isWhole && lines.every((line) => line !== undefined)
    ? lines as NoteSignature[]
    : undefined;
}

export class CosignatureChecks {
  /** The lines of the last answer. */
  returned: readonly NoteSignature[] = [];
  readonly #document: "tlog-witness" | "tlog-mirror";
  readonly #keys: readonly NoteKey[];
  readonly #context: SuiteContext;
  #hasJudgedNames = false;

  constructor(
    document: "tlog-witness" | "tlog-mirror",
    keys: readonly NoteKey[],
    context: SuiteContext,
  ) {
    this.#document = document;
    this.#keys = keys;
    this.#context = context;
  }

  /** Judges an answer that cosigns the checkpoint `text`. */
  async judge(check: string, answer: Exchange, text: string): Promise<void> {
    const { findings, crypto } = this.#context;
    const judge = (clause: string, fault?: Fault) => findings.judge(clause, check, fault, answer);
    const signatures = signatureLines(answer.text);
    const parsing = !signatures && "the body is not one or more signature lines";
    judge(`${this.#document}/lines`, parsing);
    if (signatures === undefined) return;
    this.returned = signatures;
    if (!this.#hasJudgedNames) this.#judgeNames(check, answer, signatures);
    this.#hasJudgedNames = true;
    const keys = this.#keys;
    const short = `${text.split("\n").slice(0, 3).join("\n")}\n`;
    const hasExtensions = short !== text;
    const dependent = [
      `${this.#document}/cosignatures`,
      "tlog-witness/timestamp",
      ...(hasExtensions ? ["tlog-cosignature/extensions"] : []),
      "signed-note/key-ids",
      "tlog-cosignature/ed25519-key-id",
      "tlog-cosignature/structure",
      ...["timestamp-limit", "message", "header", "time-line"].map((id) =>
        `tlog-cosignature/${id}`
      ),
    ];
    if (keys.length === 0) {
      for (const clause of dependent) findings.unclear(clause, check, NO_KEYS, answer);
      return;
    }
    const named = keys.flatMap((key) =>
      signatures.filter((line) => isOf(key, line)).map((line) => ({ key, line }))
    );
    let hasOtherId = false;
    for (const key of keys) {
      if (!await signsUnderOtherId(crypto, [key], { text, signatures })) continue;
      judge("signed-note/key-ids", OTHER_ID);
      judge(`tlog-cosignature/${kindOf(key)}-key-id`, OTHER_ID);
      hasOtherId = true;
    }
    if (named.length === 0) {
      if (hasOtherId) return;
      return judge(`${this.#document}/cosignatures`, "no line has the name and key ID of a --vkey");
    }
    judge("signed-note/key-ids");
    for (const { key, line } of named) {
      judge(`tlog-cosignature/${kindOf(key)}-key-id`);
      const { length } = line.payload;
      const isWrong = length !== PAYLOAD_LENGTH[key.type];
      judge("tlog-cosignature/structure", isWrong && `${length} bytes`);
      if (isWrong) continue;
      const time = new DataView(line.payload.buffer, line.payload.byteOffset).getBigUint64(0);
      const isBeyond = time >= 1n << 63n;
      judge("tlog-cosignature/timestamp-limit", isBeyond && `time ${time}`);
      if (isBeyond) continue;
      judge("tlog-witness/timestamp", time === 0n && "the timestamp is zero");
      const { valid } = await verifyNote(crypto, [key], { text, signatures: [line] });
      if (valid) judge(`${this.#document}/cosignatures`);
      if (key.type === ML_DSA_TYPE) {
        judge("tlog-cosignature/ml-dsa-message", !valid && "it does not verify");
        for (const clause of ["tlog-cosignature/ml-dsa-start", "tlog-witness/whole-tree"]) {
          if (valid) judge(clause);
          else findings.unclear(clause, check, "the cosignature does not verify", answer);
        }
      } else if (valid) {
        for (const id of ["message", "header", "time-line"]) judge(`tlog-cosignature/${id}`);
        if (hasExtensions) judge("tlog-cosignature/extensions");
      } else {
        const message = () => utf8(cosignatureMessage(Number(time), short));
        const omitsExtensions = hasExtensions && time < 1n << 53n &&
          await crypto.ed25519(key.publicKey, message(), line.payload.subarray(8));
        judge(
          omitsExtensions ? "tlog-cosignature/extensions" : "tlog-cosignature/message",
          omitsExtensions ? "it covers the first three lines only" : "it does not verify",
        );
      }
    }
  }

  #judgeNames(check: string, answer: Exchange, signatures: readonly NoteSignature[]): void {
    const { findings } = this.#context;
    const judge = (clause: string, fault: Fault) => findings.judge(clause, check, fault, answer);
    const badName = signatures.find(({ name }) => !SCHEMALESS_URL.test(name))?.name;
    const urlFault = badName !== undefined && `${badName} is not a schema-less URL`;
    judge("tlog-cosignature/url-name", urlFault);
    judge("signed-note/url-names", urlFault);
    const lengths = signatures.map(({ payload }) => payload.length);
    const isMlDsa = lengths.includes(PAYLOAD_LENGTH[ML_DSA_TYPE]!);
    judge("tlog-witness/ml-dsa", !isMlDsa && "no line has the length of an ML-DSA-44 cosignature");
    if (this.#keys.some(({ type }) => type === ML_DSA_TYPE)) return;
    const mlDsa = ["key-id", "message", "start"].map((id) => `tlog-cosignature/ml-dsa-${id}`);
    for (const clause of ["tlog-witness/whole-tree", ...mlDsa]) {
      findings.unclear(clause, check, "no --vkey has the type 0x06");
    }
  }
}
