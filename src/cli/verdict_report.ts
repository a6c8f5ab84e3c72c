/**
 * Lines and JSON members that the verifying commands share (protocol.md "Levels", "Command line").
 *
 * @module
 */

import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Attestation } from "../proof/format/attestation.ts";
import type { SignedAttestation } from "../proof/format/bundle.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import { VERIFY_REASONS } from "../proof/verify/reasons.ts";
import type { SignatureCount } from "../proof/verify/threshold.ts";
import type { TimeBracket } from "../proof/verify/time_bracket.ts";
import type { WitnessedLayer } from "../proof/verify/verdict.ts";
import {
  type CrossAnchorLayer,
  type Level,
  NOT_PROVEN,
  type SignedLayer,
  type Verdict,
} from "../proof/verify/verdict.ts";
import {
  boundText,
  contradictionText,
  externalText,
  federationText,
  intervalText,
  LEVEL_NAMES,
  reasonText,
  signatureCountText,
} from "../proof/verify/verdict_words.ts";
import { type Line, timeText } from "./output.ts";

/** The first line of a report. */
export function headline(level: Level): Exclude<Line, string> {
  if (level === "invalid") return { text: "INVALID", accent: "red" };
  return { text: `VALID (${LEVEL_NAMES[level]})`, accent: "green" };
}

export function attestationLines({ hash, network_id, sequence, timestamp }: Attestation): string[] {
  return [
    `hash: ${hash}`,
    `network: ${network_id}`,
    `sequence: ${sequence}`,
    `time: ${timeText(timestamp)}`,
  ];
}

export function attestationJson({ attestation }: SignedAttestation): Attestation {
  const { hash, network_id, sequence, timestamp } = attestation;
  return { hash, network_id, sequence, timestamp };
}

/**
 * One line for each layer of a bundle.
 *
 * @param externalAnchors lines about external anchors; by default only whether they are present
 */
export function layerLines(
  { layers }: Pick<Verdict, "layers">,
  externalAnchors: readonly Line[] = externalAnchorLines(layers.external_anchors),
): Line[] {
  const { attestation, batch, cross_anchors: anchors, federation } = layers;
  return [
    `attestation: ${describeLayer(attestation)}`,
    `batch: ${describeLayer(batch)}`,
    ...(anchors.length === 0 ? ["cross-anchors: absent"] : anchors.map(describeAnchor)),
    ...(anchors.length === 0 ? [] : [`federation: ${federationText(federation)}`]),
    ...externalAnchors,
    ...(layers.witnessed === undefined ? [] : [witnessedLine(layers.witnessed)]),
  ];
}

function witnessedLine(layer: WitnessedLayer): Line {
  const { status, tree_size: size, ml_dsa: mlDsa } = layer;
  const state = status === "verified" ? `size ${size}, verified` : describeLayer(layer);
  const further = mlDsa === undefined ? "" : `; also with ML-DSA-44 by ${mlDsa.join(", ")}`;
  return `checkpoint for foreign witnesses: ${state}${further}`;
}

function externalAnchorLines(
  { present, unbound }: Verdict["layers"]["external_anchors"],
): string[] {
  return [
    `external anchors: ${externalText(present)}`,
    ...(unbound > 0 ? [`external anchors not bound to this attestation, ignored: ${unbound}`] : []),
  ];
}

function describeAnchor(anchor: CrossAnchorLayer): string {
  const counts = anchor.status === "verified"
    ? `, ${anchor.counted ? "counted" : describeFailure(anchor, "not counted")}`
    : "";
  return `cross-anchor of ${anchor.network}: ${describeLayer(anchor)}${counts}`;
}

function describeLayer(layer: SignedLayer): string {
  const words = layer.status.replace("_", " ");
  if (layer.status === "verified" && layer.signatures !== undefined) {
    return `${words}, ${describeCount(layer.signatures)}`;
  }
  return describeFailure(layer, words);
}

/** "2 of 2 needed signatures (example/w1, example/w2)". */
export function describeCount(count: Omit<SignatureCount, "unknown">): string {
  const { signers, epoch, distrusted } = count;
  const where = epoch === undefined ? "" : `, epoch ${epoch}`;
  const without = distrusted === undefined ? "" : `; not counted: ${distrusted.join(", ")}`;
  return `${signatureCountText(count)} (${signers.join(", ")})${where}${without}`;
}

/** `words`, and why verification failed. */
export function describeFailure(
  failure: Parameters<typeof reasonText>[0],
  words: string,
): string {
  const why = reasonText(failure);
  return why === "" ? words : `${words}: ${why}`;
}

/** The lines of {@linkcode layerLines} and {@linkcode timeLines} about parts of a valid bundle that fail. */
export function faultLines(verdict: Pick<Verdict, "layers" | "time">): Line[] {
  const { batch, cross_anchors: anchors, external_anchors: external, witnessed } = verdict.layers;
  const { failed, contradictions } = verdict.time;
  return [
    ...(batch.status === "failed" ? [`batch: ${describeLayer(batch)}`] : []),
    ...anchors.filter(({ status }) => status === "failed").map(describeAnchor),
    ...(external.unbound > 0 ? externalAnchorLines(external).slice(1) : []),
    ...(witnessed?.status === "failed" ? [witnessedLine(witnessed)] : []),
    ...(failed.length + contradictions.length > 0 ? timeLines(verdict.time) : []),
  ];
}

/** {@linkcode closingLines} in one line. */
export const briefClosing = "This does not prove that the content is authentic, true or " +
  "confidential, who owns or made it, a globally agreed time, or future availability " +
  "(details: --verbose)";

/** The unauthenticated fields, and what no report proves. */
export function closingLines(unauthenticated: readonly string[] = []): string[] {
  return [
    ...(unauthenticated.length === 0
      ? []
      : ["Not signed by anyone:", ...unauthenticated.map((path) => `  ${path}`)]),
    "This does not prove:",
    ...NOT_PROVEN.map((line) => `  ${line}`),
  ];
}

/** The interval in which an attestation was signed, with its sources. Empty if it is invalid. */
export function timeLines(time: TimeBracket): string[] {
  const { not_before, not_after, failed, contradictions } = time;
  const interval = intervalText(time);
  if (interval === undefined) return [];
  return [
    `time bracket: ${interval}`,
    ...not_before.map((bound) => `  not before ${boundText(bound)}`),
    ...not_after.map((bound) => `  not after ${boundText(bound)}`),
    ...failed.map(({ source, reason }) => `  failed: ${source}: ${VERIFY_REASONS[reason]}`),
    ...contradictions.map((one) => `  contradiction: ${contradictionText(one)}`),
  ];
}

/**
 * Unix seconds by which the network promised to publish `attestation`; `undefined` until then. An
 * attestation that is absent from the log later is evidence (protocol.md "Signed messages").
 */
export function overdueSince(
  { merge_delay_seconds: delay }: NetworkConfiguration,
  { timestamp }: Attestation,
  clock: Clock,
): number | undefined {
  if (delay === undefined) return undefined;
  const due = timestamp + delay;
  return unixSeconds(clock) > due ? due : undefined;
}

export function overdueText(due: number): string {
  return `batch overdue: the network promised one by ${timeText(due)} (keep the attestation: a ` +
    "log without it is evidence)";
}
