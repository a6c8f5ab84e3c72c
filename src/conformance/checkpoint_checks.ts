/**
 * Tests the checkpoint that a log serves.
 *
 * @module
 */

import { bytesOfBase64, HASH_LENGTH, integerOf, textOf } from "../bytes.ts";
import { tryParse } from "../errors.ts";
import type { LogCheckpoint } from "../format/log_checkpoint.ts";
import { type Note, type NoteSignature, parseSignatureLine } from "../format/note.ts";
import { NOTE_TYPE, type NoteKey } from "../format/note_key.ts";
import { verifyNote } from "../verify/note.ts";
import {
  isOf,
  NO_KEYS,
  OTHER_ID,
  PAYLOAD_LENGTH,
  SCHEMALESS_URL,
  signsUnderOtherId,
  type SuiteContext,
} from "./cosignature_checks.ts";
import type { Exchange } from "./exchange.ts";
import type { Fault } from "./report.ts";

export interface LogTarget {
  /** The prefix, ending in a slash. */
  readonly url: URL;
  /** Keys of the log; without them no signature is verified. */
  readonly keys: readonly NoteKey[];
}

const TEXT_TYPE = /^text\/plain; ?charset=("utf-8"|utf-8)$/i;
const FEW_SECONDS = 10;
const CHECK = "the checkpoint";
const LINE = /^\u2014 (.*) ([A-Za-z0-9+/=]+)$/;
const NAME = /^[^\p{White_Space}+]+$/u;

/** The head in the answer; `undefined` if it cannot be read. */
export async function checkpointOf(
  target: LogTarget,
  answer: Exchange,
  context: SuiteContext,
): Promise<LogCheckpoint | undefined> {
  const judge: Judge = (clause, fault) => context.findings.judge(clause, CHECK, fault, answer);
  const type = answer.headers.get("Content-Type") ?? "none";
  if (answer.status !== 200) {
    judge("tlog-tiles/checkpoint", `status ${answer.status}`);
    return undefined;
  }
  judge("tlog-tiles/checkpoint", !TEXT_TYPE.test(type) && `the Content-Type is ${type}`);
  judgeCaching(answer, judge);
  const text = tryParse(() => textOf(answer.body));
  // deno-lint-ignore no-control-regex
  const isText = text !== undefined && !/[\u0000-\u0009\u000b-\u001f]/.test(text);
  judge("signed-note/characters", !isText && "not UTF-8, or a control character");
  if (!isText) return undefined;
  const note = noteOf(text, judge);
  const head = note && headOf(note.text, judge);
  if (note === undefined || head === undefined) return undefined;
  judgeNames(target, head, note.signatures, judge);
  judgeUrls(target, note.signatures, context, answer);
  await judgeSignatures(target, note, context, answer);
  return head;
}

type Judge = (clause: string, fault: Fault) => void;

function judgeCaching({ headers }: Exchange, judge: Judge): void {
  const control = headers.get("Cache-Control") ?? "";
  const seconds = Number(/max-age=([0-9]+)/.exec(control)?.[1] ?? Infinity);
  const isShort = /no-store|no-cache/.test(control) || seconds <= FEW_SECONDS;
  judge(
    "tlog-tiles/checkpoint-caching",
    !isShort && `Cache-Control: ${control || "none"}`,
  );
}

function noteOf(whole: string, judge: Judge): Note | undefined {
  const split = whole.lastIndexOf("\n\n");
  const lines = whole.slice(split + 2).split("\n");
  const isWhole = split >= 0 && lines.pop() === "" && lines.length > 0;
  const parts = lines.map((line) => LINE.exec(line));
  const isForm = isWhole &&
    parts.every((part) => part !== null && (bytesOfBase64(part[2]!)?.length ?? 0) > 4);
  judge(
    "signed-note/text-form",
    !isForm && "no empty line, or a malformed signature line",
  );
  if (!isForm) return undefined;
  const name = parts.find((part) => !NAME.test(part![1]!))?.[1];
  judge(
    "signed-note/key-names",
    name !== undefined && `the name ${JSON.stringify(name)}`,
  );
  return {
    text: whole.slice(0, split + 1),
    signatures: lines.flatMap((line) => tryParse(() => parseSignatureLine(line)) ?? []),
  };
}

/** Tests each line against its own clause. */
function headOf(text: string, judge: Judge): LogCheckpoint | undefined {
  const [origin = "", sizeText = "", rootText = "", ...rest] = text.split("\n");
  const extensions = rest.slice(0, -1);
  const [size, root] = [integerOf(sizeText), bytesOfBase64(rootText)];
  const isWhole = text.split("\n").length > 3;
  judge("tlog-checkpoint/lines", !isWhole && "fewer than three lines");
  if (!isWhole) return undefined;
  judge("tlog-checkpoint/origin", origin === "" && "it is empty");
  judge("tlog-checkpoint/size", size === undefined && JSON.stringify(sizeText));
  const hasRoot = root?.length === HASH_LENGTH;
  judge("tlog-checkpoint/root", !hasRoot && JSON.stringify(rootText));
  judge("tlog-checkpoint/extension-lines", extensions.includes("") && "one is empty");
  judge(
    "tlog-checkpoint/no-extensions",
    extensions.length > 0 && "it has extension lines",
  );
  return size === undefined || !hasRoot ? undefined : { origin, size, root, extensions };
}

function judgeNames(
  { url }: LogTarget,
  { origin, extensions }: LogCheckpoint,
  signatures: readonly NoteSignature[],
  judge: Judge,
): void {
  const own = `${url.host}${url.pathname.replace(/\/$/, "")}`;
  judge(
    "tlog-tiles/origin-url",
    origin !== own && `the origin is ${origin}, not ${own}`,
  );
  const isNamed = signatures.some(({ name }) => name === origin);
  judge(
    "tlog-checkpoint/key-name",
    !isNamed && "no signature has the origin as its name",
  );
  const isMlDsa = signatures.some(({ payload }) =>
    payload.length === PAYLOAD_LENGTH[NOTE_TYPE.mlDsaCosignature]
  );
  judge(
    "tlog-checkpoint/ml-dsa",
    !isMlDsa && "no line has the length of an ML-DSA-44 cosignature",
  );
  const isUncovered = isMlDsa && extensions.length > 0;
  judge("tlog-checkpoint/ml-dsa-extensions", isUncovered && "it has extension lines");
}

/** Witnesses choose the names of their own lines. */
function judgeUrls(
  { keys }: LogTarget,
  signatures: readonly NoteSignature[],
  { findings }: SuiteContext,
  answer: Exchange,
): void {
  const clause = "signed-note/url-names";
  const own = signatures.filter(({ name }) => keys.some((key) => key.name === name));
  if (own.length === 0) {
    return findings.unclear(clause, CHECK, "no signature has the name of a key of --vkey", answer);
  }
  const other = own.find(({ name }) => !SCHEMALESS_URL.test(name))?.name;
  const fault = other !== undefined && `${other} is not a schema-less URL`;
  findings.judge(clause, CHECK, fault, answer);
}

async function judgeSignatures(
  { keys }: LogTarget,
  note: Note,
  { crypto, findings }: SuiteContext,
  answer: Exchange,
): Promise<void> {
  const ids = ["signed-note/key-ids", "signed-note/ed25519-key-id"];
  const ed25519 = "tlog-tiles/ed25519";
  if (keys.length === 0) {
    for (const clause of ["signed-note/vkey-matches", ...ids, ed25519]) {
      findings.unclear(clause, CHECK, NO_KEYS, answer);
    }
    return;
  }
  const judge: Judge = (clause, fault) => findings.judge(clause, CHECK, fault, answer);
  const plain = keys.filter(({ type }) => type === NOTE_TYPE.ed25519);
  const named = note.signatures.filter((line) => keys.some((key) => isOf(key, line)));
  if (named.length > 0) {
    judge("signed-note/vkey-matches", false);
    judge("signed-note/key-ids", false);
  } else {
    judge("signed-note/vkey-matches", "no signature has the name and key ID of a key of --vkey");
    if (await signsUnderOtherId(crypto, keys, note)) judge("signed-note/key-ids", OTHER_ID);
  }
  const lines = named.filter((line) => plain.some((key) => isOf(key, line)));
  if (lines.length > 0) judge("signed-note/ed25519-key-id", false);
  else if (await signsUnderOtherId(crypto, plain, note)) {
    judge("signed-note/ed25519-key-id", OTHER_ID);
  }
  if (lines.length === 0) {
    const reason = "no line of an Ed25519 key of --vkey; a log that is not public needs none";
    return findings.unclear(ed25519, CHECK, reason, answer);
  }
  const { valid } = await verifyNote(crypto, plain, { ...note, signatures: lines });
  judge(ed25519, !valid && "the Ed25519 signature of the log does not verify");
}
