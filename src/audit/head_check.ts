/**
 * Checks all heads of a stored log against its tree: the published ones, the stored one, and those that
 * witnesses remember. Heads with the roots of one tree are consistent with each other.
 *
 * @module
 */

import { type Bytes, equalBytes, hexOf, isCount, utf8 } from "../bytes.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { parseVkey } from "../format/note_key.ts";
import type { SthRecord } from "../format/records.ts";
import { encodeCheckpointBody, encodeCosignatureMessage } from "../format/tree_head.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import { Cursor } from "./cursor.ts";
import type { FaultLog, FaultPart } from "./faults.ts";
import type { SignatureCheck, SignedText } from "./signature_check.ts";
import type { Stored, WitnessMemory } from "./ports.ts";

/** Heads per batch of signature verification. */
const GROUP_HEADS = 64;

/** A root that the tree must have at a size. */
interface ClaimedRoot {
  readonly part: FaultPart;
  readonly place: string | number;
  readonly size: number;
  readonly root: Bytes;
}

export interface HeadContext {
  readonly network: NetworkConfiguration & { readonly log_vkey: string };
  readonly crypto: CryptoSuite;
  readonly signatures: SignatureCheck;
  readonly faults: FaultLog;
}

/** Checks heads as the tree grows past their sizes. */
export class HeadCheck {
  readonly #sths: Cursor<Stored<SthRecord>>;
  readonly #context: HeadContext;
  /** Other heads than published ones, ascending by size. */
  readonly #claims: ClaimedRoot[];
  #pending: SignedText[] = [];
  #count = 0;
  #published = 0;

  constructor(
    sths: AsyncIterable<Stored<SthRecord>>,
    claims: readonly ClaimedRoot[],
    context: HeadContext,
  ) {
    this.#sths = new Cursor(sths);
    this.#claims = claims.toSorted((a, b) => a.size - b.size);
    this.#context = context;
  }

  /** Published heads that were read. */
  get count(): number {
    return this.#count;
  }

  /** Size of the last of them. */
  get published(): number {
    return this.#published;
  }

  /** The next size above `size` with a head; Infinity when there is none. */
  async nextSize(size: number): Promise<number> {
    const claim = this.#claims.find((claim) => claim.size > size)?.size ?? Infinity;
    let sth = await this.#sths.peek();
    while (sth !== undefined && sth.key <= size) {
      await this.#take(undefined);
      sth = await this.#sths.peek();
    }
    return Math.min(claim, sth?.key ?? Infinity);
  }

  /** Compares the heads of `size` with the tree's root. */
  async reached(size: number, root: Bytes): Promise<void> {
    for (const claim of this.#claims) if (claim.size === size) this.#compare(claim, root);
    if ((await this.#sths.peek())?.key === size) await this.#take(root);
  }

  /** Reports heads beyond a tree of `size` leaves, and verifies the remaining signatures. */
  async finish(size: number): Promise<void> {
    for (const claim of this.#claims) {
      if (claim.size > size && claim.part !== "head") this.#beyond(claim, size);
    }
    for (let sth = await this.#sths.peek(); sth !== undefined; sth = await this.#sths.peek()) {
      if (sth.key > size) this.#beyond({ part: "sth", place: sth.key, size: sth.key }, size);
      await this.#take(undefined);
    }
    await this.#flush();
  }

  #beyond({ part, place, size }: Omit<ClaimedRoot, "root">, treeSize: number): void {
    const required = `a size up to ${treeSize}, that of the tree`;
    this.#context.faults.add(part, place, required, String(size));
  }

  #compare({ part, place, size, root }: ClaimedRoot, required: Bytes): void {
    if (equalBytes(root, required)) return;
    this.#context.faults.add(part, place, `root ${hexOf(required)} at size ${size}`, hexOf(root));
  }

  /** Checks the next published head, against `root` if known. */
  async #take(root: Bytes | undefined): Promise<void> {
    const { network, faults, crypto } = this.#context;
    const sth = (await this.#sths.next())!;
    const { key: size } = sth;
    this.#count++;
    this.#published = size;
    if ("damage" in sth) return faults.add("sth", size, "a whole record", sth.damage);
    const { value } = sth;
    if (root !== undefined) {
      this.#compare({ part: "sth", place: size, size, root: value.root }, root);
    }
    if (!isCount(value.timestamp)) {
      return faults.add("sth", size, "Unix seconds below 2^53", String(value.timestamp));
    }
    const head = {
      network_id: network.id,
      tree_size: size,
      timestamp: value.timestamp,
      root_hash: hexOf(value.root),
    };
    const { publicKey } = parseVkey(network.log_vkey);
    const body = utf8(encodeCheckpointBody(head));
    if (!await crypto.ed25519(publicKey, body, value.logSignature)) {
      faults.add("log_signature", size, "a valid signature of the log's key", "one that is not");
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

/** The heads that witnesses remember; a state that cannot be read is a fault. */
export function claimsOf(witnesses: readonly WitnessMemory[], faults: FaultLog): ClaimedRoot[] {
  return witnesses.flatMap((witness) => {
    if ("damage" in witness) {
      faults.add("witness", witness.id, "the last head that it cosigned", witness.damage);
      return [];
    }
    if (witness.head === undefined) return [];
    return [{ part: "witness", place: witness.id, ...witness.head } as const];
  });
}
