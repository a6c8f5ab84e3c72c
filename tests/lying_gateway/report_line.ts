/**
 * The result of a run in one line: the exit code, and the words of its findings.
 *
 * @module
 */

import assert from "node:assert/strict";
import { VERIFY_REASONS, type VerifyReason } from "../../src/proof/verify/reasons.ts";
import { printable } from "../../src/proof/format/printable_text.ts";
import type { Finished } from "../cli/client_run.ts";

/** The members of a JSON report about a failure. */
interface Failing {
  readonly code: string;
  readonly message: string;
  readonly refusal?: { readonly status: number; readonly code?: string };
  readonly contradiction?: unknown;
}

interface Report {
  readonly error?: Failing;
  readonly results?: readonly { readonly error?: Failing; readonly verified?: boolean }[];
  readonly valid?: boolean;
  readonly level?: string;
  readonly batch_overdue_since?: number;
  readonly reason?: VerifyReason;
  readonly field?: string;
  readonly layers?: Layers;
  readonly external_anchors?: readonly { readonly provider: string; readonly status: string }[];
}

type Layers = Readonly<Record<"attestation" | "batch" | "federation", Reasoned>> & {
  readonly cross_anchors: readonly Reasoned[];
  readonly external_anchors: { readonly unbound: number };
};

interface Reasoned {
  readonly valid?: boolean;
  readonly reason?: VerifyReason;
  readonly field?: string;
}

/**
 * `<exit code> <words>`, and the remarks on standard error. The words are an error's code and what
 * it required and found; a reason and its field; a level and the reason of every layer that failed;
 * or `shown`, of what is printed and called nothing.
 */
export function reportLine(finished: Finished): string {
  const report: Report = finished.json;
  const remarks = finished.stderr === "" ? "" : ` | ${normalizedText(finished.stderr)}`;
  return `${finished.code} ${wordsOf(report)}${remarks}`;
}

function wordsOf(report: Report): string {
  if (report.error !== undefined) return errorWords(report.error);
  if (report.results !== undefined) {
    return report.results.map(({ error, verified }) => {
      if (error !== undefined) return errorWords(error);
      return verified ? "verified" : "not verified";
    }).join(", ");
  }
  if (report.layers !== undefined) {
    const words = [
      levelWords(report.level ?? "", report.layers),
      ...(report.external_anchors ?? []).map(({ provider, status }) => `${provider} ${status}`),
    ].join(", ");
    return report.batch_overdue_since === undefined ? words : `${words}, overdue`;
  }
  if (report.valid !== undefined) {
    return outcomeWords(report);
  }
  return "shown";
}

function errorWords({ code, message, refusal, contradiction }: Failing): string {
  if (refusal !== undefined) {
    const { status, code: reason = "without a code" } = refusal;
    const isLeft = message.includes("a redirect, which is not followed");
    return `${code} ${status} ${isLeft ? "not followed" : reason}`;
  }
  const reason = /(?:INVALID|does not verify under the pinned configuration) \((\w+):/.exec(message)
    ?.[1];
  if (reason !== undefined) return `${code} ${reason}`;
  const words = message.slice(message.indexOf(": ") + 2);
  return `${contradiction === undefined ? code : "ALARM"}: ${normalizedText(words)}`;
}

/** "valid", or "invalid" with the reason and where it shows. */
export function outcomeWords({ valid, reason, field }: Reasoned): string {
  return valid ? "valid" : joinWords("invalid", reason, field);
}

function joinWords(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined).join(" ");
}

/** The level, and the reason of everything that failed, in the order of the layers. */
export function levelWords(level: string, layers: Layers): string {
  const { attestation, batch, cross_anchors: anchors, federation, external_anchors } = layers;
  const failed = [attestation, batch, ...anchors, federation]
    .filter(({ reason }) => reason !== undefined && reason !== "lower_layer_unverified")
    .map(({ reason, field }) => joinWords(reason, field));
  const unbound = external_anchors.unbound > 0 ? ["unbound anchor"] : [];
  return [level, ...failed, ...unbound].join(", ");
}

/** `text` without the parts that differ between runs, and without the name of the malformed answer. */
function normalizedText(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{64}\b/g, "HASH")
    .replaceAll(/http:\/\/[0-9.:]+/g, "URL")
    .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
    .replaceAll(/\d{4}-\d\d-\d\dT[0-9:]+Z/g, "TIME")
    .replace(/size \d+ to size \d+/, "size N to size M")
    .replace(/( at character \d+)?, in the gateway's [a-z ]+$/, "");
}

/** Words that mark output as unverified. */
const INTERNAL = /undefined|\[object|\bNaN\b|\binternal\b|TypeError|^\s+at .*:\d+/m;

/** Words that mark output as the gateway's statement. */
const UNTRUSTED =
  /Not verified|Not pinned|WARNING|fingerprint|the gateway (answered 404|knows)|^threshold: \d+ of \d+ witnesses$/m;

/** Characters by which a stranger's words would steer a terminal. */
// deno-lint-ignore no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

/** Requires the text output to name the findings of `json`. */
export function assertSameNames(json: Finished, text: Finished, what: string): void {
  const report: Report = json.json;
  const all = `${text.stdout}\n${text.stderr}`;
  assert.doesNotMatch(all, INTERNAL, what);
  assert.doesNotMatch(json.stdout + all, CONTROL_CHARACTERS, what);
  // In JSON `verify` exits 0, and scripts read the field (protocol.md "Command line").
  const isVerify = report.valid === false && json.code === 0;
  assert.equal(text.code, isVerify ? 1 : json.code, what);
  const errors = [report.error, ...(report.results ?? []).map(({ error }) => error)];
  for (const error of errors) {
    if (error === undefined) continue;
    assert.match(error.message, /^Cannot .+: .+/, what);
    assert.ok(text.stderr.includes(printable(error.message)), `${what}: ${text.stderr}`);
  }
  if (report.valid === false) assert.match(text.stdout, /^INVALID/, what);
  if (wordsOf(report) === "shown" && !text.stdout.startsWith("{")) {
    assert.match(all, UNTRUSTED, what);
  }
  for (const reason of reasonsOf(report)) {
    assert.ok(all.includes(VERIFY_REASONS[reason]), `${what}: ${reason} in ${all}`);
  }
}

/** Reasons that text reports print as sentences. For a federation they print counts. */
function reasonsOf({ reason, layers }: Report): VerifyReason[] {
  const found = layers === undefined
    ? [reason]
    : [layers.attestation, layers.batch, ...layers.cross_anchors].map((layer) => layer.reason);
  return found.filter((one) => one !== undefined);
}
