/**
 * Checks all heads of a stored log against its tree: the published ones, the stored one, and those that
 * witnesses remember.
 *
 * @module
 */

import { type Bytes, bytesOfHex, HASH_LENGTH, hexOf, isCount, utf8 } from "../../base/bytes.ts";
import { type FollowedNetwork, signersOfHead } from "../../proof/verify/followed_network.ts";
import { parseVkey } from "../../proof/format/note_key.ts";
import { headReceiptMessage } from "../../proof/format/receipt_message.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import { encodeCheckpointBody, encodeCosignatureMessage } from "../../proof/format/tree_head.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import type { FaultLog } from "./faults.ts";
import { type ClaimedRoot, compareRoots, HeadWalk } from "./head_walk.ts";
import type { SignatureCheck, SignedText } from "./signature_check.ts";
import type { Stored, WitnessMemory } from "./ports.ts";

/** Heads per batch of signature verification. */
const GROUP_HEADS = 64;

export interface HeadContext {
  readonly network: FollowedNetwork & { readonly log_vkey: string };
  readonly crypto: CryptoSuite;
  readonly signatures: SignatureCheck;
  readonly faults: FaultLog;
}

export class HeadCheck {
  readonly walk: HeadWalk<Stored<SthRecord>>;
  readonly #context: HeadContext;
  #pending: SignedText[] = [];
  #published = 0;

  /** `claims` are the heads other than `sths`, the published ones. */
  constructor(
    sths: AsyncIterable<Stored<SthRecord>>,
    claims: readonly ClaimedRoot[],
    context: HeadContext,
  ) {
    this.#context = context;
    this.walk = new HeadWalk({
      heads: sths,
      sizeOf: ({ key }) => key,
      check: (sth, root) => this.#check(sth, root),
      claims,
      faults: context.faults,
    });
  }

  /** Size of the last published head that was read. */
  get published(): number {
    return this.#published;
  }

  /** Checks the remaining heads and signatures for a tree of `size` leaves. */
  async finish(size: number): Promise<void> {
    await this.walk.finish(size);
    await this.#flush();
  }

  async #check(sth: Stored<SthRecord>, root: Bytes | undefined): Promise<void> {
    const { network, faults, crypto } = this.#context;
    const { key: size } = sth;
    this.#published = size;
    if ("damage" in sth) return faults.add("sth", size, `the record is damaged: ${sth.damage}`);
    const { value } = sth;
    if (root !== undefined) {
      compareRoots(faults, { part: "sth", place: size, size, root: value.root }, root);
    }
    if (!isCount(value.timestamp)) {
      return faults.add("sth", size, `the time ${value.timestamp} is not below 2^53`);
    }
    const head = {
      network_id: network.id,
      tree_size: size,
      timestamp: value.timestamp,
      root_hash: hexOf(value.root),
    };
    const { log_vkey = network.log_vkey } = signersOfHead(network, size) ?? network;
    const { publicKey } = parseVkey(log_vkey);
    const body = utf8(encodeCheckpointBody(head));
    if (!await crypto.ed25519(publicKey, body, value.logSignature)) {
      faults.add("log_signature", size, "the signature is not by the log's key");
    } else if (
      !await crypto.ed25519(publicKey, headReceiptMessage(publicKey, head), value.receiptSignature)
    ) {
      faults.add("log_signature", size, "the receipt signature is not by the log's key");
    }
    const message = encodeCosignatureMessage(head);
    const { signatures } = value;
    this.#pending.push({ part: "sth_signatures", place: size, message, signatures });
    if (this.#pending.length >= GROUP_HEADS) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#context.signatures.verify(this.#pending);
    this.#pending = [];
  }
}

/** The heads with which epochs ended. */
export function endsOf({ links = [] }: FollowedNetwork): ClaimedRoot[] {
  return links.map(({ end: { tree_size: size, root_hash } }) => ({
    part: "head",
    place: size,
    size,
    root: bytesOfHex(root_hash, HASH_LENGTH)!,
  }));
}

/** The heads that witnesses remember; a state that cannot be read is a fault. */
export function claimsOf(witnesses: readonly WitnessMemory[], faults: FaultLog): ClaimedRoot[] {
  return witnesses.flatMap((witness) => {
    if ("damage" in witness) {
      faults.add("witness", witness.id, `its last head cannot be read: ${witness.damage}`);
      return [];
    }
    if (witness.head === undefined) return [];
    return [{ part: "witness", place: witness.id, ...witness.head } as const];
  });
}
