/**
 * All proofs of the list in one archive. Each is verified if a configuration is pinned.
 *
 * @module
 */

import { downloadZip } from "client-zip";
import { hexOf } from "../../base/bytes.ts";
import type { Ed25519Verify } from "../../proof/crypto/ed25519_rule.ts";
import { CountersignError } from "../../base/errors.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import { type Trust, type VerifierCrypto, verifyBundle } from "../../proof/verify/mod.ts";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";
import { isOfOtherNetwork } from "../../proof/verify/statement.ts";
import type { Tone } from "../components/badge.tsx";
import { countText } from "../text.ts";
import { verdictText } from "../verdict_text.ts";
import type { BulkProofs } from "./bulk_proofs.ts";
import { BUNDLE_END, bundleName, fittingName } from "./command_line.ts";
import { isLogged, type StampRow } from "./stamp_rows.ts";

/** Proofs in the making: few enough that the page's other requests get their turn. */
const MAX_FETCHES = 4;
/** Refused proofs after which the archive fails, if no proof was saved. */
const MAX_REFUSED = 20;

/** `verified`: each layer verifies. `other_network`: the pinned configuration cannot verify it. */
export type ProofState = "verified" | "invalid" | "other_network";

export interface ArchiveParts {
  readonly proofs: Pick<BulkProofs, "prepare" | "proof">;
  /** `undefined` if no configuration is pinned. */
  readonly verify: ((bundle: ProofBundle, hash: string) => Promise<ProofState>) | undefined;
  readonly onProgress: (done: number, of: number) => void;
  /** Unix seconds. */
  readonly now: number;
  readonly signal: AbortSignal;
}

export interface ProofArchive {
  readonly zip: Blob;
  readonly count: number;
  /** Rows whose proof in the archive shows their place in the log. */
  readonly whole: readonly number[];
  /** Rows whose proof in the archive does not verify. */
  readonly invalid: readonly StampRow[];
  /** The network of each proof in the archive that is of another one than the pinned one. */
  readonly otherNetworks: readonly string[];
  /** Rows whose proof the gateway does not give. They are not in the archive. */
  readonly refused: readonly StampRow[];
}

/** The rows whose proofs the next archive holds: signed, and not saved where there are such. */
export function archivedRows(rows: readonly StampRow[]): readonly StampRow[] {
  const signed = rows.filter((row) => row.phase === "batching" || isLogged(row));
  const unsaved = signed.filter(({ isSaved }) => isSaved !== true);
  return unsaved.length > 0 ? unsaved : signed;
}

/**
 * Leaves out what the gateway refuses. Rejects with the refusal if it refuses every proof, and with
 * the signal's reason.
 */
export async function makeArchive(
  rows: readonly StampRow[],
  { proofs, verify, onProgress, now, signal }: ArchiveParts,
): Promise<ProofArchive> {
  const names = new ArchiveNames();
  const files: { readonly name: string; readonly input: string; readonly lastModified: Date }[] =
    [];
  const lastModified = new Date(now * 1000);
  const invalid: StampRow[] = [];
  const otherNetworks: string[] = [];
  const whole: number[] = [];
  const refused: StampRow[] = [];
  const waiting = (await proofs.prepare(rows)).values();
  let [done, count] = [0, 0];
  const proofOf = async (row: StampRow) => {
    try {
      return await proofs.proof(row);
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      refused.push(row);
      if (count === 0 && refused.length >= Math.min(rows.length, MAX_REFUSED)) throw error;
      return undefined;
    }
  };
  const add = async (row: StampRow) => {
    signal.throwIfAborted();
    const proof = await proofOf(row);
    if (proof === undefined) return onProgress(++done, rows.length);
    count++;
    const { value, text } = proof;
    const state = await verify?.(value, row.hash!);
    if (state === "invalid") invalid.push(row);
    if (state === "other_network") {
      otherNetworks.push(value.signed_attestation.attestation.network_id);
    }
    if (value.batch_inclusion !== null) whole.push(row.id);
    const name = names.take(bundleName({ name: row.name, hash: row.hash! }));
    files.push({ name, input: `${text.trimEnd()}\n`, lastModified });
    onProgress(++done, rows.length);
  };
  try {
    await Promise.all(Array.from({ length: MAX_FETCHES }, async () => {
      for (const row of waiting) await add(row);
    }));
  } catch (error) {
    // The other requests are the last ones.
    for (const _ of waiting);
    throw error;
  }
  const zip = await downloadZip(files).blob();
  return { zip, count, whole, invalid, otherNetworks, refused };
}

/**
 * Verifies many bundles of one network. Their rounds and heads have few different signatures. Calls
 * `keep` with what a bundle's chain leads to.
 */
export function bundleVerifier(
  crypto: VerifierCrypto,
  trust: Trust,
  keep?: (followed: FollowedNetwork) => void,
): NonNullable<ArchiveParts["verify"]> {
  const remembering = { ...crypto, ed25519: remembered(crypto.ed25519) };
  let { network } = trust;
  return async (bundle, hash) => {
    const { attestation } = bundle.signed_attestation;
    if (isOfOtherNetwork({ attestation, network })) return "other_network";
    const verdict = await verifyBundle(remembering, { ...trust, network }, bundle, { hash });
    const { followed } = verdict;
    if (followed !== undefined) {
      network = followed;
      keep?.(followed);
    }
    return verdictText(verdict).tone === "good" ? "verified" : "invalid";
  };
}

/** Says which proofs of an archive without invalid ones were verified. `pinned` is the pin's network. */
export function savedText(
  { count, otherNetworks }: Pick<ProofArchive, "count" | "otherNetworks">,
  pinned: string | undefined,
): { readonly tone: Tone; readonly text: string } {
  const all = count === 1 ? "It was" : "They were";
  if (pinned === undefined) {
    const text = `${all} not verified here, because you have pinned no configuration.`;
    return { tone: "info", text };
  }
  const others = otherNetworks.length;
  if (others === 0) return { tone: "good", text: "Each was verified here." };
  const some = `${countText(others)} of them ${others === 1 ? "was" : "were"}`;
  const networks = [...new Set(otherNetworks)].join(", ");
  return {
    tone: "warn",
    text: `${others === count ? all : some} not verified here, because your pin is of network ` +
      `${pinned}. Choose the configuration of ${networks} to verify ${
        others === 1 ? "it" : "them"
      }.`,
  };
}

function remembered(verify: Ed25519Verify): Ed25519Verify {
  const results = new Map<string, boolean | Promise<boolean>>();
  return (key, message, signature) => {
    const call = [key, message, signature].map(hexOf).join();
    let result = results.get(call);
    if (result === undefined) results.set(call, result = verify(key, message, signature));
    return result;
  };
}

/** Names that are apart on every system, and do not leave the archive's folder. */
export class ArchiveNames {
  /** Some systems do not distinguish upper and lower case. */
  readonly #taken = new Set<string>();

  /** `path`, with a number if it is taken. */
  take(path: string): string {
    const safe = safePath(path);
    const [stem, end] = numberedPlace(safe);
    let name = safe;
    for (let number = 2; this.#taken.has(folded(name)); number++) {
      name = fittingName(stem, ` (${number})${end}`);
    }
    this.#taken.add(folded(name));
    return name;
  }
}

/** A longer end leaves too little of the stem. */
const MAX_END_LENGTH = 60;

/** What is before and after the number of a path: it stands before all endings, if these are short. */
function numberedPlace(path: string): readonly [stem: string, end: string] {
  const dot = path.indexOf(".", path.lastIndexOf("/") + 2);
  if (dot < 0) return [path, ""];
  const isLong = path.length - dot > MAX_END_LENGTH && path.endsWith(BUNDLE_END);
  const place = isLong ? path.length - BUNDLE_END.length : dot;
  return [path.slice(0, place), path.slice(place)];
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function safePath(path: string): string {
  return path.split(/[/\\]+/).filter((segment) => segment !== "")
    .map((segment) => /^\.+$/.test(segment) ? "_" : segment).join("/");
}
