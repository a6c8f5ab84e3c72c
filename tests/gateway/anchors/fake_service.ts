/**
 * An anchor service in memory, its provider, and a log to anchor. Its proofs contain the digest and
 * prove nothing else.
 *
 * @module
 */

import type {
  AnchorClaim,
  AnchoredLog,
  AnchorMode,
  AnchorProvider,
  AnchorService,
  AnchorVerdict,
  ConfiguredAnchor,
} from "../../../src/gateway/anchors/ports.ts";
import { type Bytes, hexOf } from "../../../src/base/bytes.ts";
import { type Clock, unixSeconds } from "../../../src/base/clock.ts";
import { CountersignError, hasCode } from "../../../src/base/errors.ts";
import { HASH, object, TEXT } from "../../../src/proof/format/schema.ts";
import type { AnchorProof } from "../../../src/proof/format/records.ts";
import type { TreeHead } from "../../../src/proof/format/tree_head.ts";
import { digestOf } from "../../proof/verify/fixture.ts";

const PROOF = object({ digest: HASH, service: TEXT, round: TEXT.optional() });
const MEMBERS = { service: TEXT, promise: TEXT.optional() } as const;

/** Verifies that a proof names the claim's digest; with a root, that this is its service's name. */
export const fakeProvider: AnchorProvider<typeof MEMBERS> = {
  name: "fake",
  members: MEMBERS,
  reach: { urls: [], files: [] },
  rootsHelp: "the service's name, as text",
  defaultMaxDelaySeconds: 3_600,
  configure: () => Promise.reject(new Error("tests make their own services")),
  verify: (claim) => Promise.resolve(verifyFake(claim)),
  files: (_, proof) => [{
    extension: ".fake",
    bytes: new TextEncoder().encode(JSON.stringify(proof)),
    command: "fake verify FILE --of CHECKPOINT",
  }],
};

function verifyFake({ digest, proof, status, timestamp, roots }: AnchorClaim): AnchorVerdict {
  let found;
  try {
    found = PROOF.parse(proof, { where: "proof", code: "anchor_refused" });
  } catch (error) {
    if (!hasCode(error, "anchor_refused")) throw error;
    return { status: "failed", reason: error.message };
  }
  const { service } = found;
  if (found.digest !== hexOf(digest)) {
    return { status: "failed", reason: "it names another digest" };
  }
  if (status === "pending") return { status: "not_checked", reason: "pending" };
  if (roots.length === 0) return { status: "not_checked", reason: "no root was supplied" };
  return roots.some((root) => new TextDecoder().decode(root) === service)
    ? { status: "verified", notAfter: timestamp, source: `fake service ${service}` }
    : { status: "failed", reason: "it is of another service than the supplied ones" };
}

/** What a service answers in place of its word. */
export type Misbehaviour =
  | "unreachable"
  | "refusing"
  | "mute"
  | "lying"
  | "garbled"
  | "oversized"
  | "broken";

/** An {@linkcode AnchorService} that confirms at once. */
export class FakeService implements AnchorService {
  readonly name: string;
  readonly #clock: Clock;
  /** What it does to every request, until changed. */
  misbehaviour: Misbehaviour | undefined;
  /** By how much its clock is ahead of ours. */
  aheadSeconds = 0;
  /** Hex of the digests that it was asked to anchor, answered or not. */
  readonly asked: string[] = [];
  /** Milliseconds at which it was asked. */
  readonly askedAtMs: number[] = [];

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
  }

  async anchor(digest: Bytes, signal: AbortSignal): Promise<AnchorProof> {
    this.asked.push(hexOf(digest));
    this.askedAtMs.push(this.#clock.nowMs());
    return await this.answer(digest, signal, {});
  }

  protected async answer(
    digest: Bytes,
    signal: AbortSignal,
    proof: Readonly<Record<string, string>>,
    status: AnchorProof["status"] = "confirmed",
  ): Promise<AnchorProof> {
    await Promise.resolve();
    const service = this.name;
    const timestamp = unixSeconds(this.#clock) + this.aheadSeconds;
    switch (this.misbehaviour) {
      case undefined:
        return { status, timestamp, proof: { digest: hexOf(digest), service, ...proof } };
      case "unreachable":
        throw new CountersignError("anchor_unreachable", "Cannot ask: an answer required");
      case "refusing":
        throw new CountersignError("anchor_refused", "Cannot use: a good answer required");
      case "mute":
        return await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason), { once: true })
        );
      case "lying":
        return { status, timestamp, proof: { digest: digestOf("another head"), service } };
      case "garbled":
        return { status, timestamp: -1, proof: null };
      case "oversized":
        return { status, timestamp, proof: { digest: hexOf(digest), service: "x".repeat(70_000) } };
      case "broken":
        throw new TypeError("a mistake of the provider");
    }
  }
}

/** A service that takes digests at once and confirms those that are {@linkcode ready} when asked. */
export class SlowService extends FakeService {
  /** Hex of the digests that it confirms. */
  readonly ready = new Set<string>();
  /** Hex of the digests that it was asked again for. */
  readonly askedAgain: string[] = [];
  /** Hex of the digests of which it knows nothing any more. */
  readonly lost = new Set<string>();
  /** Added to pending proofs, so that they differ. */
  round = 0;

  override async anchor(digest: Bytes, signal: AbortSignal): Promise<AnchorProof> {
    await super.anchor(digest, signal);
    return await this.answer(digest, signal, {}, "pending");
  }

  async upgrade(digest: Bytes, _: AnchorProof, signal: AbortSignal): Promise<AnchorProof> {
    this.askedAgain.push(hexOf(digest));
    if (this.lost.has(hexOf(digest))) {
      throw new CountersignError("anchor_refused", "Cannot use: a known digest required");
    }
    if (this.ready.has(hexOf(digest))) return await this.answer(digest, signal, {});
    const proof: Record<string, string> = this.round === 0 ? {} : { round: String(this.round) };
    return await this.answer(digest, signal, proof, "pending");
  }
}

/** `service` as configured. */
export function configured(
  service: FakeService,
  over: Partial<Omit<ConfiguredAnchor, "service">> & { readonly mode?: AnchorMode } = {},
): ConfiguredAnchor {
  const { mode = "best_effort" } = over;
  return {
    name: service.name,
    provider: fakeProvider,
    intervalSeconds: 0,
    maxDelaySeconds: 3_600,
    ...over,
    mode,
    ...(mode !== "off" && { service }),
  };
}

/** A log that publishes what it is told to. */
export class FakeLog implements AnchoredLog {
  readonly heads: TreeHead[] = [];
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  publish(tree_size: number): TreeHead {
    const root_hash = digestOf(`root ${tree_size}`);
    const timestamp = unixSeconds(this.#clock);
    const head = { network_id: "net.example/anchored", tree_size, timestamp, root_hash };
    this.heads.push(head);
    for (const listener of this.#listeners) listener();
    return head;
  }

  latest(): TreeHead | undefined {
    return this.heads.at(-1);
  }

  firstAbove(size: number): Promise<TreeHead | undefined> {
    return Promise.resolve(this.heads.find((head) => head.tree_size > size));
  }

  onPublished(listener: () => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  /** How many listen. */
  get listeners(): number {
    return this.#listeners.size;
  }
}
