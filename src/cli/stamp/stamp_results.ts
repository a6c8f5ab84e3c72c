/**
 * Verifies the gateway's answers to `stamp` against the pinned network, if any, and saves bundles.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import { CountersignError, tryParse } from "../../base/errors.ts";
import { parseBundle, type ProofBundle } from "../../proof/format/bundle.ts";
import { coseReceiptOf } from "../../proof/format/cose_receipt.ts";
import type { JobSnapshotMembers } from "../../proof/format/job_snapshot.ts";
import { tlogProofOf } from "../../proof/format/tlog_proof.ts";
import { requireFolderOf } from "../../server/files.ts";
import { replaceFile, textIfExists } from "../../server/replaced_file.ts";
import { verifySignedAttestation } from "../../proof/verify/attestation.ts";
import { type FollowedNetwork, signersOfHead } from "../../proof/verify/followed_network.ts";
import { type Failure, VERIFY_REASONS } from "../../proof/verify/reasons.ts";
import type { CommandContext } from "../command_context.ts";
import type { BundleChecker, BundleFindings } from "../proofs/bundle_check.ts";
import { OTHER_FORMATS } from "../proofs/file_walk.ts";
import {
  exchangedParts,
  isSameAttestation,
  partsGained,
  proofParts,
  WITNESSED_PART,
} from "../proofs/proof_parts.ts";
import { remembered } from "../proofs/saved_proofs.ts";
import { saveAnchors } from "../saved_anchors.ts";
import { requireKnownNetwork } from "../trusted_network.ts";
import { contentNameOf, proofNameOf, type StampInput } from "./stamp_inputs.ts";

/** A job whose signed attestation, if any, is about its hash. */
export interface CheckedJob {
  readonly job: JobSnapshotMembers;
  /** Its signed attestation verified against a pinned network. */
  readonly verified: boolean;
}

/** Checks the jobs of one run, and follows pinned networks as far as their bundles are followed. */
export class JobChecker {
  readonly #context: CommandContext;
  readonly #bundles: BundleChecker;
  readonly #pins = new Map<string, Promise<boolean>>();
  #unpinned: string | undefined;

  constructor(context: CommandContext, bundles: BundleChecker) {
    this.#context = context;
    this.#bundles = bundles;
  }

  /** Id of a network that is not pinned, if any. */
  get unpinned(): string | undefined {
    return this.#unpinned;
  }

  /** `proof_refused` if the attestation does not verify under the pinned network; `pin_differs`. */
  async check(job: JobSnapshotMembers): Promise<CheckedJob> {
    const signed = job.signed_attestation;
    if (signed === undefined) return { job, verified: false };
    if (signed.attestation.hash !== job.hash) {
      throw refused(job.hash, { reason: "hash_mismatch" });
    }
    const { network_id: id } = signed.attestation;
    if (!await remembered(this.#pins, id, () => this.#isPinned(id))) {
      this.#unpinned ??= id;
      return { job, verified: false };
    }
    const { crypto } = this.#context;
    const trusted = await this.#bundles.trustedFor(id, true);
    const { valid, reason } = await verifySignedAttestation(crypto, trusted.network, signed);
    if (valid) return { job, verified: true };
    const further = await this.#bundles.followFurther(trusted);
    if (further === undefined) throw refused(job.hash, { reason: reason ?? "threshold_not_met" });
    const later = await verifySignedAttestation(crypto, further.network, signed);
    if (!later.valid) throw refused(job.hash, { reason: later.reason ?? "threshold_not_met" });
    return { job, verified: true };
  }

  /** `pin_differs` if the gateway is remembered for another network. */
  async #isPinned(id: string): Promise<boolean> {
    await requireKnownNetwork(this.#context, id);
    return await this.#context.trust.pin(id) !== undefined;
  }
}

/** A saved bundle. */
export interface SavedProof {
  readonly name: string;
  /** True if an older file was kept, and the gateway's bundle has other parts. */
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

/** How the bundles of one run are saved. */
export interface Saving {
  /** Checks the bundles of pinned networks. */
  readonly bundles: BundleChecker;
  readonly inAllFormats: boolean;
}

/**
 * Fetches the bundle of a confirmed job, verifies it if the network is pinned, and writes it next to
 * the file, or into the current folder for a digest. An older proof of the same attestation is replaced
 * only by one that is verified, has more and lacks nothing; any other file is not replaced.
 */
export async function saveBundle(
  context: CommandContext,
  input: StampInput,
  { job, verified }: CheckedJob,
  { bundles, inAllFormats }: Saving,
): Promise<SavedProof> {
  if (inAllFormats && !verified) throw unpinned(context, job.hash);
  const name = proofNameOf(input);
  const path = context.io.resolvePath(name);
  const older = await replaceableBundle(path, name, job.hash);
  const { gateway } = context;
  const { text, value: bundle } = await gateway.withRetries(() =>
    gateway.bundle(job.hash, undefined, inAllFormats)
  );
  requireSameJob(job, bundle);
  const fresh = verified ? await verifiedFindings(bundles, bundle, job.hash) : undefined;
  const answer = { text: text.trimEnd(), bundle };
  const { content, kept } = older === undefined
    ? { content: answer.text, kept: false }
    : fresh === undefined
    ? unverifiedContent(name, older, answer)
    : await verifiedContent(bundles, { name, older }, { ...fresh, text: answer.text });
  if (content !== undefined) await replaceFile(path, `${content}\n`, 0o644);
  if (!inAllFormats || fresh === undefined || bundle.batch_inclusion === null) {
    return { name, kept };
  }
  const { witnessed: _, ...plain } = bundle;
  const others = await saveOtherFormats(context, contentNameOf(input), {
    bundle: proofParts(bundle, fresh).has(WITNESSED_PART) ? bundle : plain,
    network: fresh.trusted.network,
  });
  return { name, kept, others };
}

/** What to write in place of an older proof, if anything. */
interface Replacement {
  readonly content?: string;
  /** The older proof is kept, and the gateway's has other parts. */
  readonly kept: boolean;
}

/** `file_failed` if the older proof is of another attestation and is valid. */
async function verifiedContent(
  bundles: BundleChecker,
  { name, older }: { readonly name: string; readonly older: ProofBundle },
  fresh: BundleFindings & { readonly text: string },
): Promise<Replacement> {
  const { attestation: before } = older.signed_attestation;
  const { attestation } = fresh.bundle.signed_attestation;
  // A proof by another network may be the only one of an earlier time.
  if (before.network_id !== attestation.network_id) throw proofOfAnother(name, older);
  const saved = await bundles.check({ bundle: older, hashes: [attestation.hash], file: name });
  if (saved.verdict.valid && !isSameAttestation(before, attestation)) {
    throw proofOfAnother(name, older);
  }
  const { lost, gained } = exchangedParts(saved, fresh);
  if (lost.length > 0) return { kept: true };
  return { ...(gained.length > 0 && { content: fresh.text }), kept: false };
}

/**
 * Without a pin, the gateway's proof may be worthless. It completes a proof that is not in the log, whose
 * signatures stay. `file_failed` if the older proof is of another attestation.
 */
function unverifiedContent(
  name: string,
  older: ProofBundle,
  { text, bundle }: { readonly text: string; readonly bundle: ProofBundle },
): Replacement {
  const { signed_attestation: signed } = older;
  const { attestation } = bundle.signed_attestation;
  if (!isSameAttestation(signed.attestation, attestation)) throw proofOfAnother(name, older);
  const [known, parts] = [proofParts(older), proofParts(bundle)];
  const isLacking = partsGained(parts, known).length > 0;
  const isCompleted = older.batch_inclusion === null && bundle.batch_inclusion !== null;
  if (isLacking || !isCompleted) {
    return { kept: isLacking || partsGained(known, parts).length > 0 };
  }
  return isDeepStrictEqual(signed, bundle.signed_attestation)
    ? { content: text, kept: false }
    : { content: JSON.stringify({ ...bundle, signed_attestation: signed }), kept: false };
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

/** The findings about the gateway's bundle, which has to verify under the pin; `proof_refused`. */
async function verifiedFindings(
  bundles: BundleChecker,
  bundle: ProofBundle,
  hash: string,
): Promise<BundleFindings> {
  const findings = await bundles.check({ bundle, hashes: [hash], isAnswer: true });
  const { layers } = findings.verdict;
  for (const { status, reason } of [layers.attestation, layers.batch]) {
    if (status === "failed") throw refused(hash, { reason: reason ?? "threshold_not_met" });
  }
  return findings;
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
