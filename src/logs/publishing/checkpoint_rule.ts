/**
 * Which checkpoints are accepted: those of a pinned network, by the log key and the threshold of
 * witnesses; those of any log under a policy; or those of any log by its key alone.
 *
 * @module
 */

import { fromHex } from "../../base/bytes.ts";
import { chainOf, type ChainSource } from "../../client/further_epochs.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import { CountersignError } from "../../base/errors.ts";
import { encodeContradiction } from "../../proof/format/federation.ts";
import { encodeLogHistories, type LogHistories } from "../../proof/format/log_histories.ts";
import { parseLogCheckpoint } from "../../proof/format/log_checkpoint.ts";
import { type LogPolicy, meetsQuorum } from "../../proof/format/log_policy.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { parseNote } from "../../proof/format/note.ts";
import { NOTE_TYPE, type NoteKey, parseVkey } from "../../proof/format/note_key.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type { SuccessionConflict } from "../../proof/format/succession_conflict.ts";
import { type FollowedNetwork, followSuccession } from "../../proof/verify/followed_network.ts";
import { verifyNote } from "../../proof/verify/note.ts";
import { verifyCheckpoint } from "../../proof/verify/checkpoint.ts";
import { verifyPolicyCheckpoint } from "../../proof/verify/policy_checkpoint.ts";
import { type Failure, type Outcome, VERIFY_REASONS } from "../../proof/verify/reasons.ts";
import { conflictIn } from "../../proof/verify/succession_conflict.ts";
import type { AcceptedCheckpoint } from "./ports.ts";
import { contradictionIn } from "./signed_head.ts";

/** Accepts the checkpoints of one log. */
export interface CheckpointRule {
  /** The verified network with its chain, and how to look for further epochs; absent for other logs. */
  readonly network?: FollowedNetwork;
  follow?(signal?: AbortSignal): Promise<boolean>;
  /** Follows `links`, a chain from epoch 0 on, if they extend what was followed; why not, otherwise. */
  take?(links: readonly SuccessionLink[]): Promise<Failure | undefined>;
  /** Evidence that `links` contradict what was followed; `undefined` if that is not proved. */
  conflictWith?(
    links: readonly SuccessionLink[],
    foundAt: number,
  ): Promise<SuccessionConflict | undefined>;
  /** Accepts a signed note, or rejects with {@linkcode CheckpointRefused} or `malformed_text`. */
  accept(note: string): Promise<AcceptedCheckpoint>;
  /** Evidence of two histories, as JSON. */
  evidenceOf(histories: LogHistories): Promise<string>;
}

/** `proof_refused`: a checkpoint that does not verify. */
export class CheckpointRefused extends CountersignError {
  /** The checkpoint, if the log signed it and only cosignatures are missing. */
  readonly signed: AcceptedCheckpoint | undefined;

  constructor({ reason, field }: Outcome, signed?: AcceptedCheckpoint) {
    const where = field === undefined ? "" : ` (${field})`;
    const why = reason === undefined ? "It is not valid." : VERIFY_REASONS[reason];
    super("proof_refused", `Cannot accept checkpoint${where}: ${why}`);
    this.signed = signed;
  }
}

/**
 * Accepts the checkpoints of a network, which it follows through the chains of `sources`. The evidence
 * is a contradiction that `log contradictions --file` verifies, if each note has the threshold's
 * cosignatures of one time.
 */
export class NetworkRule implements CheckpointRule {
  readonly #crypto: CryptoSuite;
  readonly #sources: readonly ChainSource[];
  #network: FollowedNetwork;
  #taking: Promise<unknown> = Promise.resolve();

  constructor(
    crypto: CryptoSuite,
    network: FollowedNetwork,
    sources: readonly ChainSource[],
  ) {
    this.#crypto = crypto;
    this.#sources = sources;
    this.#network = network;
  }

  /** With the epochs that were followed so far. */
  get network(): FollowedNetwork {
    return this.#network;
  }

  async accept(text: string): Promise<AcceptedCheckpoint> {
    try {
      return await this.#accept(text);
    } catch (error) {
      if (!(error instanceof CheckpointRefused) || !await this.follow()) throw error;
      return await this.#accept(text);
    }
  }

  /** Asks the sources for further epochs; true if one has some. */
  async follow(signal?: AbortSignal): Promise<boolean> {
    const before = this.#network;
    for (const source of this.#sources) {
      await this.take(await chainOf(source, signal));
    }
    return this.#network !== before;
  }

  /** One chain after another, so that none replaces what another one was followed to. */
  take(links: readonly SuccessionLink[]): Promise<Failure | undefined> {
    const taken = this.#taking.then(async () => {
      const { network, failure } = await followSuccession(this.#crypto, this.#network, links);
      if (failure === undefined) this.#network = network;
      return failure;
    });
    this.#taking = taken.catch(() => {});
    return taken;
  }

  conflictWith(
    links: readonly SuccessionLink[],
    foundAt: number,
  ): Promise<SuccessionConflict | undefined> {
    return conflictIn(this.#crypto, this.#network, links, foundAt);
  }

  async evidenceOf(histories: LogHistories): Promise<string> {
    const contradiction = await contradictionIn(this.#crypto, this.#network, histories);
    return contradiction === undefined
      ? encodeLogHistories(histories)
      : encodeContradiction(contradiction);
  }

  async #accept(text: string): Promise<AcceptedCheckpoint> {
    const result = await verifyCheckpoint(this.#crypto, this.#network, text);
    const { head, cosigners, required } = result;
    const times = cosigners.map(({ timestamp }) => timestamp);
    const checkpoint = {
      text,
      origin: head.network_id,
      size: head.tree_size,
      root: fromHex(head.root_hash),
      ...cosignedBy(times),
    };
    if (result.valid) {
      return { ...checkpoint, quorumAt: times.toSorted((a, b) => b - a)[required - 1]! };
    }
    const isSigned = result.reason === "threshold_not_met";
    throw new CheckpointRefused(result, isSigned ? checkpoint : undefined);
  }
}

/**
 * Accepts the checkpoints of the log `origin` under `policy`. Its keys are those of the policy's logs that
 * have this name, or else the only one. `invalid_configuration` if there is none.
 */
export function policyRule(crypto: CryptoSuite, policy: LogPolicy, origin: string): CheckpointRule {
  const keys = logKeysOf(policy, origin);
  return {
    async accept(text) {
      const result = await verifyPolicyCheckpoint(crypto, policy, text, keys);
      const { head: { size, root, ...head }, cosigners } = result;
      const times = cosigners.map(({ timestamp }) => timestamp);
      const checkpoint = { text, origin: head.origin, size, root, ...cosignedBy(times) };
      if (!result.valid) {
        const isSigned = result.reason === "threshold_not_met" && head.origin === origin;
        throw new CheckpointRefused(result, isSigned ? checkpoint : undefined);
      }
      if (head.origin !== origin) {
        throw new CheckpointRefused({ valid: false, reason: "network_mismatch", field: "origin" });
      }
      const quorumAt = times.toSorted((a, b) => b - a).find((time) =>
        meetsQuorum(
          policy,
          new Set(cosigners.filter(({ timestamp }) => timestamp >= time).map(({ name }) => name)),
        )
      );
      const hasQuorum = !meetsQuorum(policy, new Set());
      return { ...checkpoint, ...(hasQuorum && quorumAt !== undefined && { quorumAt }) };
    },
    evidenceOf: (histories) => Promise.resolve(encodeLogHistories(histories)),
  };
}

/** The keys of the log `origin` in `policy`; `invalid_configuration` if there is none. */
export function logKeysOf({ logs }: LogPolicy, origin: string): readonly NoteKey[] {
  const keys = logs.map(({ key }) => key);
  const named = keys.filter(({ name }) => name === origin);
  if (named.length > 0) return named;
  if (keys.length === 1) return keys;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot use log policy: it has ${keys.length} logs, and none with the name ${origin}`,
  );
}

/** The keys of a network as a policy without a quorum. A `bls` network's witnesses have no keys for a policy. */
export function policyOfNetwork(
  { log_vkey: vkey, witnesses, signature_scheme: scheme }: NetworkConfiguration,
): LogPolicy {
  const known = scheme === "bls" ? [] : witnesses;
  return {
    logs: vkey === undefined ? [] : [{ key: parseVkey(vkey) }],
    witnesses: new Map(known.map(({ id, pubkey }) => {
      const key = { name: id, type: NOTE_TYPE.cosignature, publicKey: fromHex(pubkey) };
      return [id, { key }];
    })),
    groups: new Map(),
    quorum: "none",
  };
}

/**
 * Accepts what the key `vkey` signed as the log. Other signatures are ignored. `invalid_key` unless it is
 * an Ed25519 key of type 0x01.
 */
export function logKeyRule(crypto: CryptoSuite, vkey: string): CheckpointRule {
  const key = parseVkey(vkey);
  if (key.type !== NOTE_TYPE.ed25519) {
    throw new CountersignError(
      "invalid_key",
      "Cannot use verifier key: it is a witness's (type 0x04), and a log's is required (0x01)",
    );
  }
  return {
    async accept(text) {
      const note = parseNote(text);
      const { origin, size, root } = parseLogCheckpoint(note.text);
      const result = await verifyNote(crypto, [key], note);
      if (!result.valid) throw new CheckpointRefused(result);
      return { text, origin, size, root };
    },
    evidenceOf: (histories) => Promise.resolve(encodeLogHistories(histories)),
  };
}

function cosignedBy(times: readonly number[]) {
  return times.length === 0 ? {} : { cosignedAt: Math.max(...times), cosigners: times.length };
}
