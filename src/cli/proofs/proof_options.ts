/**
 * Which options go with which kind of proof: wherever a command reads a proof, it takes the same ones.
 *
 * @module
 */

import { errorBuilder } from "../../base/errors.ts";
import { fileWord } from "../shell_word.ts";

const usage = errorBuilder("usage", "Cannot verify");

/** What a file with a proof is called. */
export const KIND_NAMES = {
  "bundle": "a JSON proof",
  "attestation": "a signed attestation",
  "tlog-proof": "a tlog-proof",
  "receipt": "a COSE receipt",
  "timestamp": "a time-stamp token",
} as const;

export type ProofKind = keyof typeof KIND_NAMES;

/** Of peers, mirrors and anchors, which only a bundle has or is compared with. */
const OF_BUNDLES = [
  "--peer-config",
  "--distrust",
  "--mirror",
  "--witness-policy",
  "--anchors",
  "--anchor-root",
  "--require-anchor",
] as const;
/** A policy takes the place of the configuration that these choose. */
const OF_CONFIGURATIONS = ["--network-config", "--chain", "--online"] as const;
const OF_LOG_PROOFS = ["--policy", "--entry", "--since"] as const;
const OF_TIMESTAMPS = ["--tsa-root"] as const;

type OptionName =
  | typeof OF_BUNDLES[number]
  | typeof OF_CONFIGURATIONS[number]
  | typeof OF_LOG_PROOFS[number]
  | typeof OF_TIMESTAMPS[number];

/** The values of options; an empty list and `false` are not given. */
export type GivenOptions = Partial<Record<OptionName, string | boolean | object | undefined>>;

/** `usage` if an option is given that does not go with proof `name`; without a name, no proof is read. */
export function requireOptionsFor(
  kind: ProofKind,
  given: GivenOptions,
  name: string | undefined,
): void {
  const first = (options: readonly OptionName[]) => options.find((one) => isGiven(given[one]));
  const isLogProof = kind === "tlog-proof" || kind === "receipt";
  const other = first(isLogProof ? OF_BUNDLES : OF_LOG_PROOFS);
  if (other !== undefined) throw usage(misplaced(other, kind, name));
  const ofTimestamps = kind === "timestamp" ? undefined : first(OF_TIMESTAMPS);
  if (ofTimestamps !== undefined) {
    const found = name === undefined ? "" : `, and "${name}" is ${KIND_NAMES[kind]}`;
    throw usage(`${ofTimestamps} needs a time-stamp token${found}`);
  }
  const replaced = first(OF_CONFIGURATIONS);
  if (isGiven(given["--policy"]) && replaced !== undefined) {
    throw usage(`give either --policy or ${replaced}`);
  }
}

function misplaced(option: OptionName, kind: ProofKind, name: string | undefined): string {
  if (name === undefined) return `${option} needs a tlog-proof or a COSE receipt: name it`;
  if (kind === "tlog-proof" || kind === "receipt") {
    return `${option} needs a JSON proof, and "${name}" is ${KIND_NAMES[kind]} (name its ` +
      "FILE.countersign.json instead)";
  }
  const converting = kind === "bundle"
    ? `convert it: countersign bundle --as tlog-proof ${fileWord(name)}`
    : "leave the option out";
  return `${option} needs a tlog-proof or a COSE receipt, and "${name}" is ${KIND_NAMES[kind]} (` +
    `${converting})`;
}

function isGiven(value: GivenOptions[OptionName]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
