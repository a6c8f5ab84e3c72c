/**
 * Reports of what was verified, and of what none of it proves (protocol.md "Levels", "Command
 * line").
 *
 * @module
 */

import type { SignedAttestation } from "../format/bundle.ts";
import { VERIFY_REASONS, type VerifyReason } from "../verify/reasons.ts";
import type { SignatureCount } from "../verify/threshold.ts";
import {
  type CrossAnchorLayer,
  type Layer,
  type Level,
  NOT_PROVEN,
  type SignedLayer,
  type Verdict,
} from "../verify/verdict.ts";
import { type Line, timeText } from "./output.ts";

/** Names of the levels for people (protocol.md "Levels"). */
const LEVEL_NAMES: Readonly<Record<Exclude<Level, "invalid">, string>> = {
  basic: "Basic",
  batched: "Batched",
  federated: "Federated",
};

/** The first line of a report. */
export function headline(level: Level): Line {
  if (level === "invalid") return { text: "INVALID", accent: "red" };
  return { text: `VALID (${LEVEL_NAMES[level]})`, accent: "green" };
}

/** What an attestation says, one line each. */
export function attestationLines({ attestation }: SignedAttestation): string[] {
  return [
    `hash: ${attestation.hash}`,
    `network: ${attestation.network_id}`,
    `sequence: ${attestation.sequence}`,
    `time: ${timeText(attestation.timestamp)}`,
  ];
}

/** The same for a JSON report. */
export function attestationJson({ attestation }: SignedAttestation): Record<string, unknown> {
  const { hash, network_id, sequence, timestamp } = attestation;
  return { hash, network_id, sequence, timestamp };
}

/**
 * One line for each layer of a bundle.
 *
 * @param externalAnchors what is said of these; that they are present where nothing else was found
 */
export function layerLines(
  { layers }: Verdict,
  externalAnchors: readonly Line[] = externalAnchorLines(layers.external_anchors),
): Line[] {
  const { attestation, batch, cross_anchors: anchors, federation } = layers;
  return [
    `attestation: ${describeLayer(attestation)}`,
    `batch: ${describeLayer(batch)}`,
    ...(anchors.length === 0 ? ["cross-anchors: absent"] : anchors.map(describeAnchor)),
    ...(anchors.length === 0 ? [] : [
      `federation: ${federation.counted.length} of ${federation.required} required peers count`,
    ]),
    ...externalAnchors,
  ];
}

/** protocol.md "Resources" fixes the words about what is present. */
function externalAnchorLines(
  { present, unbound }: Verdict["layers"]["external_anchors"],
): string[] {
  return [
    `external anchors: ${present > 0 ? "present, not independently verified" : "absent"}`,
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
  return describeFailure(layer, words, layer.witness);
}

/** "2 of 2 required signatures (example/w1, example/w2)". */
export function describeCount({ verified, required, signers }: SignatureCount): string {
  return `${verified} signatures of ${required} required (${signers.join(", ")})`;
}

/** `words`, the sentence of the reason, and where it shows. */
export function describeFailure(
  { reason, field }: Partial<Pick<Layer, "field">> & { readonly reason?: VerifyReason },
  words: string,
  witness?: string,
): string {
  if (reason === undefined) return words;
  const places = [field, witness].filter((place) => place !== undefined).join(", ");
  return `${words}: ${VERIFY_REASONS[reason]}${places === "" ? "" : ` (${places})`}`;
}

/** Fields that may say anything, and the closing words of every report. */
export function closingLines(unauthenticated: readonly string[] = []): string[] {
  return [
    ...(unauthenticated.length === 0
      ? []
      : ["Not signed by anyone:", ...unauthenticated.map((path) => `  ${path}`)]),
    "This does not prove:",
    ...NOT_PROVEN.map((line) => `  ${line}`),
  ];
}
