/**
 * Verifies the gateway's answers to `stamp` against the pinned network, if any, and saves bundles.
 *
 * @module
 */

import { CountersignError, tryParse } from "../../base/errors.ts";
import {
  parseBundle,
  type ProofBundle,
  type SignedAttestation,
} from "../../proof/format/bundle.ts";
import { coseReceiptOf } from "../../proof/format/cose_receipt.ts";
import type { JobSnapshotMembers } from "../../proof/format/job_snapshot.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { tlogProofOf } from "../../proof/format/tlog_proof.ts";
import { requireFolderOf } from "../../server/files.ts";
import { replaceFile, textIfExists } from "../../server/replaced_file.ts";
import { verifySignedAttestation } from "../../proof/verify/attestation.ts";
import { verifyBundle } from "../../proof/verify/bundle.ts";
import { type FollowedNetwork, signersOfHead } from "../../proof/verify/followed_network.ts";
import { type Failure, VERIFY_REASONS } from "../../proof/verify/reasons.ts";
import type { CommandContext } from "../command_context.ts";
import { rememberHead } from "../head_memory.ts";
import { OTHER_FORMATS } from "../proofs/file_walk.ts";
import {
  isSameAttestation,
  partsGained,
  proofParts,
  WITNESSED_PART,
} from "../proofs/proof_parts.ts";
import { saveAnchors } from "../saved_anchors.ts";
import { followedFurther, requireKnownNetwork } from "../trusted_network.ts";
import { contentNameOf, proofNameOf, type StampInput } from "./stamp_inputs.ts";

/** A job whose signed attestation, if any, is about its hash. */
export interface CheckedJob {
  readonly job: JobSnapshotMembers;
  /** The pin that its signed attestation verified against. */
  readonly pin?: NetworkConfiguration;
  /** True if there was such a pin. */
  readonly verified: boolean;
}

/** Checks the jobs of one run. */
export class JobChecker {
  readonly #context: CommandContext;
  readonly #pins = new Map<string, FollowedNetwork | undefined>();

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
    const { crypto } = this.#context;
    const { valid, reason } = await verifySignedAttestation(crypto, pin, signed);
    if (valid) return { job, pin, verified: true };
    const trusted = { network: pin, source: { kind: "pin" } } as const;
    const further = await followedFurther(this.#context, trusted, this.#context.gateway);
    if (further === undefined) throw refused(job.hash, { reason: reason ?? "threshold_not_met" });
    const later = await verifySignedAttestation(crypto, further.network, signed);
    if (!later.valid) throw refused(job.hash, { reason: later.reason ?? "threshold_not_met" });
    this.#pins.set(pin.id, further.network);
    return { job, pin: further.network, verified: true };
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

/** A saved bundle. */
export interface SavedProof {
  readonly name: string;
  /** True if an older file was kept, because the gateway's bundle has less. */
  readonly kept: boolean;
  /** Names of files in the formats of others. */
  readonly others?: readonly string[];
}

/** `file_failed` if it is known, before its hash is sent, that the proof of an input cannot be saved. */
export async function requireProofPlace(
  { io }: CommandContext,
  input: StampInput & { readonly hash: string },
): Promise<void> {
  const name = proofNameOf(input);
  const path = io.resolvePath(name);
  await replaceableBundle(path, name, input.hash);
  await requireFolderOf(path);
}

/**
 * Fetches the bundle of a confirmed job, verifies it if the network is pinned, and writes it next to
 * the file, or into the current folder for a digest. Replaces an older bundle of the same attestation
 * that has no more, and no other file.
 */
export async function saveBundle(
  context: CommandContext,
  input: StampInput,
  { job, pin }: CheckedJob,
  inAllFormats: boolean,
): Promise<SavedProof> {
  if (inAllFormats && pin === undefined) throw unpinned(context, job.hash);
  const name = proofNameOf(input);
  const path = context.io.resolvePath(name);
  const older = await replaceableBundle(path, name, job.hash);
  const { gateway } = context;
  const { text, value: bundle } = await gateway.withRetries(() =>
    gateway.bundle(job.hash, undefined, inAllFormats)
  );
  requireSameJob(job, bundle);
  const parts = await verifiedParts(context, { bundle, hash: job.hash, pin });
  let kept = false;
  if (older !== undefined) {
    const known = await knownParts(context, { bundle: older, hash: job.hash, pin });
    if (!isReplaceable(older, bundle, known)) throw proofOfAnother(name, older);
    kept = partsGained(parts, known ?? new Set()).length > 0;
  }
  if (!kept) await replaceFile(path, `${text.trimEnd()}\n`, 0o644);
  if (!inAllFormats || pin === undefined || bundle.batch_inclusion === null) return { name, kept };
  const { witnessed: _, ...plain } = bundle;
  const others = await saveOtherFormats(context, contentNameOf(input), {
    bundle: parts.has(WITNESSED_PART) ? bundle : plain,
    network: pin,
  });
  return { name, kept, others };
}

/**
 * What was confirmed never changes (protocol.md "Resources"), and what is batched has its batch.
 */
function requireSameJob(job: JobSnapshotMembers, bundle: ProofBundle): void {
  const { attestation } = bundle.signed_attestation;
  if (attestation.hash !== job.hash) throw refused(job.hash, { reason: "hash_mismatch" });
  if (!isSameAttestation(job.signed_attestation?.attestation, attestation)) {
    throw contradicted(job.hash, "the gateway stated two attestations of it. Tell its operator");
  }
  if (job.progress === "batched" && bundle.batch_inclusion === null) {
    throw contradicted(
      job.hash,
      "the gateway said that it is in the log, and its proof does not show it. Run the command again",
    );
  }
}

interface PinnedBundle {
  readonly bundle: ProofBundle;
  readonly hash: string;
  readonly pin: NetworkConfiguration | undefined;
}

/** The parts of `bundle`, which has to verify if there is a pin; `proof_refused`. */
async function verifiedParts(
  context: CommandContext,
  { bundle, hash, pin }: PinnedBundle,
): Promise<ReadonlySet<string>> {
  if (pin === undefined) return proofParts(bundle);
  const verdict = await verifyBundle(context.crypto, { network: pin, peers: [] }, bundle, { hash });
  const { layers } = verdict;
  for (const { status, reason } of [layers.attestation, layers.batch]) {
    if (status === "failed") throw refused(hash, { reason: reason ?? "threshold_not_met" });
  }
  if (bundle.batch_inclusion !== null) {
    const trusted = { network: pin, source: { kind: "pin" } } as const;
    await rememberHead(context, trusted, bundle.batch_inclusion.sth, { mayAsk: true });
  }
  return proofParts(bundle, { verdict });
}

/** The parts of an older file; `undefined` if it is not valid under the pin. */
async function knownParts(
  { crypto }: CommandContext,
  { bundle, hash, pin }: PinnedBundle,
): Promise<ReadonlySet<string> | undefined> {
  if (pin === undefined) return proofParts(bundle);
  const verdict = await verifyBundle(crypto, { network: pin, peers: [] }, bundle, { hash });
  return verdict.valid ? proofParts(bundle, { verdict }) : undefined;
}

/**
 * True if `older` attests the same, or proves nothing: it names the same network, whose pin refuses it.
 * A proof by another network may be the only one of an earlier time.
 */
function isReplaceable(
  { signed_attestation: { attestation: older } }: ProofBundle,
  { signed_attestation: { attestation } }: ProofBundle,
  knownParts: ReadonlySet<string> | undefined,
): boolean {
  if (isSameAttestation(older, attestation)) return true;
  return knownParts === undefined && older.network_id === attestation.network_id;
}

/** The bundle of `hash` in the file at `path`, if there is a file; `file_failed` for any other file. */
async function replaceableBundle(
  path: string,
  name: string,
  hash: string,
): Promise<ProofBundle | undefined> {
  const text = await textIfExists(path);
  if (text === undefined) return undefined;
  const bundle = tryParse(() => parseBundle(text));
  if (bundle?.signed_attestation.attestation.hash === hash) return bundle;
  throw new CountersignError(
    "file_failed",
    `Cannot write "${name}": it exists and is not a proof of ${hash}. Move it away; it may be the ` +
      "only proof of an older version of the file",
  );
}

function proofOfAnother(
  name: string,
  { signed_attestation: signed }: ProofBundle,
): CountersignError {
  const { network_id, sequence } = signed.attestation;
  return new CountersignError(
    "file_failed",
    `Cannot write "${name}": it is a proof of the same content by ${network_id}, sequence ` +
      `${sequence} (move it away to keep both)`,
  );
}

function unpinned(context: CommandContext, hash: string): CountersignError {
  return new CountersignError(
    "configuration_missing",
    `Cannot save ${hash} in all formats: its network is not pinned ` +
      `(pin it with: ${context.commandLine("network --pin")})`,
  );
}

function contradicted(hash: string, problem: string): CountersignError {
  return new CountersignError("proof_refused", `Cannot accept the proof of ${hash}: ${problem}`);
}

function refused(hash: string, { reason }: Pick<Failure, "reason">): CountersignError {
  return new CountersignError(
    "proof_refused",
    `Cannot accept the attestation of ${hash}: it does not verify under the pinned configuration ` +
      `(${reason}: ${VERIFY_REASONS[reason]})`,
  );
}

/**
 * Writes a tlog-proof, a COSE receipt, and the external anchors into a folder. Returns the names. `bundle`
 * is batched and verified under `network`.
 */
async function saveOtherFormats(
  context: CommandContext,
  name: string,
  { bundle, network }: { readonly bundle: ProofBundle; readonly network: FollowedNetwork },
): Promise<string[]> {
  const { sth } = bundle.batch_inclusion!;
  const signers = signersOfHead(network, sth.tree_head.tree_size)!;
  const proofs = [
    { file: `${name}${OTHER_FORMATS.tlogProof}`, content: tlogProofOf(signers, bundle) },
    { file: `${name}${OTHER_FORMATS.receipt}`, content: coseReceiptOf(signers, bundle) },
  ];
  for (const { file, content } of proofs) {
    await replaceFile(context.io.resolvePath(file), content, 0o644);
  }
  const anchors = bundle.external_anchors.length === 0 ? [] : await saveAnchors(context, {
    hash: bundle.signed_attestation.attestation.hash,
    text: JSON.stringify(bundle.external_anchors),
    folder: `${name}${OTHER_FORMATS.anchors}`,
    replacesPending: true,
  }).then(({ files }) => files.map(({ path }) => path));
  return [...proofs.map(({ file }) => file), ...anchors];
}
