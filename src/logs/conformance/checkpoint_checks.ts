/**
 * Tests the checkpoint that a log serves.
 *
 * @module
 */

import { bytesOfBase64, HASH_LENGTH, integerOf, textOf } from "../../base/bytes.ts";
import { tryParse } from "../../base/errors.ts";
import type { LogCheckpoint } from "../../proof/format/log_checkpoint.ts";
import { type Note, type NoteSignature, parseSignatureLine } from "../../proof/format/note.ts";
import { NOTE_TYPE, type NoteKey } from "../../proof/format/note_key.ts";
import { verifyNote } from "../../proof/verify/note.ts";
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
/** At most the first is "a few seconds", more than the second is not. Between them the clause is unclear. */
const FEW_SECONDS = [10, 60] as const;
/** An address of one machine, which is no log's prefix. */
const LOCAL = /^(localhost|[0-9.]+|\[.*\])$/;
const CHECK = "the checkpoint";
const LINE = /^\u2014 (.*) ([A-Za-z0-9+/=]+)$/;
const NAME = /^[^\p{White_Space}+]+$/u;

export interface ServedCheckpoint extends LogCheckpoint {
  /** True if a key of the target signed it. */
  readonly isSigned: boolean;
}

/** The head in the answer; `undefined` if it cannot be read. */
export async function checkpointOf(
  target: LogTarget,
  answer: Exchange,
  context: SuiteContext,
): Promise<ServedCheckpoint | undefined> {
  const judge: Judge = (clause, fault) => context.findings.judge(clause, CHECK, fault, answer);
  const type = answer.headers.get("Content-Type") ?? "none";
  if (answer.status !== 200) {
    judge("tlog-tiles/checkpoint", `status ${answer.status}`);
    return undefined;
  }
  judge("tlog-tiles/checkpoint", !TEXT_TYPE.test(type) && `the Content-Type is ${type}`);
  judgeCaching(answer, context);
  const text = tryParse(() => textOf(answer.body));
  // deno-lint-ignore no-control-regex
  const isText = text !== undefined && !/[\u0000-\u0009\u000b-\u001f]/.test(text);
  judge("signed-note/characters", !isText && "not UTF-8, or a control character");
  if (!isText) return undefined;
  const note = noteOf(text, judge);
  const head = note && headOf(note.text, judge);
  if (note === undefined || head === undefined) return undefined;
  judgeNames(target, head, note.signatures, context, answer);
  await judgeSignatures(target, note, context, answer);
  const { valid: isSigned } = await verifyNote(context.crypto, target.keys, note);
  return { ...head, isSigned };
}

type Judge = (clause: string, fault: Fault) => void;

function judgeCaching(answer: Exchange, { findings }: SuiteContext): void {
  const clause = "tlog-tiles/checkpoint-caching";
  const { control, seconds } = cachingOf(answer);
  const shown = `Cache-Control: ${control ?? "none"}`;
  const [few, many] = FEW_SECONDS;
  if (/no-store|no-cache/.test(control ?? "") || seconds !== undefined && seconds <= few) {
    findings.judge(clause, CHECK, undefined, answer);
  } else if (answer.headers.has("Expires") || seconds !== undefined && seconds <= many) {
    findings.unclear(clause, CHECK, shown, answer);
  } else findings.judge(clause, CHECK, shown, answer);
}

/** The header that says how long an answer may be cached, and the seconds in it. */
export function cachingOf(
  { headers }: Exchange,
): { readonly control: string | undefined; readonly seconds: number | undefined } {
  const control = headers.get("Cache-Control") ?? undefined;
  const age = /max-age=([0-9]+)/.exec(control ?? "")?.[1];
  return { control, seconds: age === undefined ? undefined : Number(age) };
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

/** Tests the origin and the log's own lines: witnesses choose the names of theirs. */
function judgeNames(
  { url, keys }: LogTarget,
  { origin, extensions }: LogCheckpoint,
  signatures: readonly NoteSignature[],
  { findings }: SuiteContext,
  answer: Exchange,
): void {
  const judge: Judge = (clause, fault) => findings.judge(clause, CHECK, fault, answer);
  const unclear = (clause: string, reason: string) =>
    findings.unclear(clause, CHECK, reason, answer);
  const prefix = `${url.host}${url.pathname.replace(/\/$/, "")}`;
  if (origin !== prefix && LOCAL.test(url.hostname)) {
    unclear("tlog-tiles/origin-url", `${url.host} is an address of one machine`);
  } else {
    const fault = origin !== prefix && `the origin is ${origin}, not ${prefix}`;
    judge("tlog-tiles/origin-url", fault);
  }
  const isNamed = signatures.some(({ name }) => name === origin);
  judge("tlog-checkpoint/key-name", !isNamed && "no signature has the origin as its name");
  const names = [origin, ...keys.map(({ name }) => name)];
  const own = signatures.filter(({ name }) => names.includes(name));
  if (own.length === 0) {
    const reason = "no signature has the name of the origin or of a key of --vkey";
    for (const clause of ["signed-note/url-names", "tlog-checkpoint/ml-dsa"]) {
      unclear(clause, reason);
    }
    return;
  }
  const other = own.find(({ name }) => !SCHEMALESS_URL.test(name))?.name;
  judge("signed-note/url-names", other !== undefined && `${other} is not a schema-less URL`);
  const isMlDsa = own.some(({ payload }) =>
    payload.length === PAYLOAD_LENGTH[NOTE_TYPE.mlDsaCosignature]
  );
  judge(
    "tlog-checkpoint/ml-dsa",
    !isMlDsa && "no line of the log has the length of an ML-DSA-44 cosignature",
  );
  const isUncovered = isMlDsa && extensions.length > 0;
  judge("tlog-checkpoint/ml-dsa-extensions", isUncovered && "it has extension lines");
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
