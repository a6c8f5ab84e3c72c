/**
 * Verifies the gateway's answers to `stamp` against the pinned network, if any, and saves bundles.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";
import { parseBundle, type ProofBundle, type SignedAttestation } from "../../format/bundle.ts";
import type { NetworkConfiguration } from "../../format/network.ts";
import type { JobSnapshotMembers } from "../../format/job_snapshot.ts";
import { verifySignedAttestation } from "../../verify/attestation.ts";
import { verifyBundle } from "../../verify/bundle.ts";
import { type Failure, VERIFY_REASONS } from "../../verify/reasons.ts";
import type { CommandContext } from "../command_context.ts";
import { STDIN } from "../input_file.ts";
import { rememberHead } from "../head_memory.ts";
import { replaceFile } from "../../server/files.ts";
import type { StampInput } from "./stamp_inputs.ts";
import { requireKnownNetwork } from "../trusted_network.ts";

/** A job whose signed attestation, if any, is about its hash. */
export interface CheckedJob {
  readonly job: JobSnapshotMembers;
  /** The pin that its signed attestation verified against. */
  readonly pin?: NetworkConfiguration;
  /** True if there was such a pin. */
  readonly verified: boolean;
}

/** Suffix of a saved bundle. */
export const BUNDLE_SUFFIX = ".countersign.json";

/** Checks the jobs of one run. */
export class JobChecker {
  readonly #context: CommandContext;
  readonly #pins = new Map<string, NetworkConfiguration | undefined>();

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** Id of a network that is not pinned, if any. */
  get unpinned(): string | undefined {
    return [...this.#pins].find(([, pin]) => pin === undefined)?.[0];
  }

  /** `proof_refused` if the attestation does not verify under the pinned network; `pin_differs`. */
  async check(job: JobSnapshotMembers): Promise<CheckedJob> {
    const signed = job.signed_attestation;
    if (signed === undefined) return { job, verified: false };
    if (signed.attestation.hash !== job.hash) {
      throw refused(job.hash, { reason: "hash_mismatch" });
    }
    const pin = await this.#pinOf(signed);
    if (pin === undefined) return { job, verified: false };
    const { valid, reason } = await verifySignedAttestation(this.#context.crypto, pin, signed);
    if (!valid) throw refused(job.hash, { reason: reason ?? "threshold_not_met" });
    return { job, pin, verified: true };
  }

  /** `pin_differs` if the gateway is remembered for another network. */
  async #pinOf({ attestation: { network_id: id } }: SignedAttestation) {
    if (!this.#pins.has(id)) {
      await requireKnownNetwork(this.#context, id);
      this.#pins.set(id, await this.#context.trust.pin(id));
    }
    return this.#pins.get(id);
  }
}

/**
 * Fetches the bundle of a confirmed job, verifies it if the network is pinned, and writes it next to
 * the file, or into the current folder for a digest. Returns its name. Replaces an older bundle of the
 * same hash, and no other file.
 */
export async function saveBundle(
  context: CommandContext,
  input: StampInput,
  { job, pin }: CheckedJob,
): Promise<string> {
  const { text, value: bundle } = await context.gateway.bundle(job.hash);
  requireSameJob(job, bundle);
  await checkBundle(context, { bundle, hash: job.hash, pin });
  const named = input.name === undefined || input.name === STDIN ? job.hash : input.name;
  const name = named + BUNDLE_SUFFIX;
  const path = context.io.resolvePath(name);
  await requireReplaceable(path, name, job.hash);
  await replaceFile(path, `${text.trimEnd()}\n`, 0o644);
  return name;
}

/**
 * What was confirmed never changes (protocol.md "Resources"), and what is batched has its batch.
 */
function requireSameJob(job: JobSnapshotMembers, bundle: ProofBundle): void {
  const confirmed = job.signed_attestation?.attestation;
  const { hash, network_id, sequence, timestamp } = bundle.signed_attestation.attestation;
  if (hash !== job.hash) throw refused(job.hash, { reason: "hash_mismatch" });
  if (
    confirmed?.network_id !== network_id || confirmed.sequence !== sequence ||
    confirmed.timestamp !== timestamp
  ) {
    throw contradicted(job.hash, "its attestation differs from that of the job");
  }
  if (job.progress === "batched" && bundle.batch_inclusion === null) {
    throw contradicted(job.hash, "it has no batch, but the job is batched");
  }
}

async function checkBundle(
  context: CommandContext,
  { bundle, hash, pin }: {
    readonly bundle: ProofBundle;
    readonly hash: string;
    readonly pin: NetworkConfiguration | undefined;
  },
): Promise<void> {
  if (pin === undefined) return;
  const trust = { network: pin, peers: [] };
  const { layers } = await verifyBundle(context.crypto, trust, bundle, { hash });
  for (const { status, reason } of [layers.attestation, layers.batch]) {
    if (status === "failed") throw refused(hash, { reason: reason ?? "threshold_not_met" });
  }
  if (bundle.batch_inclusion === null) return;
  const trusted = { network: pin, source: { kind: "pin" } } as const;
  await rememberHead(context, trusted, bundle.batch_inclusion.sth, { mayAsk: true });
}

async function requireReplaceable(path: string, name: string, hash: string): Promise<void> {
  let text;
  try {
    text = await Deno.readTextFile(path);
  } catch {
    // It does not exist, or writing will report the error.
    return;
  }
  if (bundleHash(text) === hash) return;
  throw new CountersignError(
    "file_failed",
    `Cannot write "${name}": it exists and is not a bundle of ${hash} (move it away; it may be the ` +
      "only proof of an older version)",
  );
}

/** The hash that the bundle of JSON `text` is about; `undefined` for any other text. */
function bundleHash(text: string): string | undefined {
  try {
    return parseBundle(text).signed_attestation.attestation.hash;
  } catch (error) {
    if (error instanceof CountersignError) return undefined;
    throw error;
  }
}

function contradicted(hash: string, problem: string): CountersignError {
  return new CountersignError("proof_refused", `Cannot accept the bundle of ${hash}: ${problem}`);
}

function refused(hash: string, { reason }: Pick<Failure, "reason">): CountersignError {
  return new CountersignError(
    "proof_refused",
    `Cannot accept the attestation of ${hash}: INVALID under the pinned network ` +
      `(${reason}: ${VERIFY_REASONS[reason]})`,
  );
}
