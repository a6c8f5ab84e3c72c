/**
 * Generated bundles and chains of one log, genuine and forged, for properties of all verifiers: what a
 * verifier knows and whom it distrusts, against what a bundle shows.
 *
 * @module
 */

import type { ProofBundle } from "../../../src/proof/format/bundle.ts";
import type { NetworkConfiguration } from "../../../src/proof/format/network.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import type { SuccessionLink } from "../../../src/proof/format/succession.ts";
import type { Distrust } from "../../../src/proof/verify/followed_network.ts";
import { TestLog } from "./test_log.ts";
import { digestOf, TestNetwork } from "./test_network.ts";
import {
  closeLink,
  type EpochLog,
  propose,
  signSuccession,
  threeEpochs,
  twoSuccessions,
} from "./test_succession.ts";

/** A bundle, and the epochs whose keys signed its attestation and its head. */
export interface GeneratedBundle {
  readonly bundle: ProofBundle;
  readonly signedBy: readonly number[];
}

/** Numbers of one seed. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer below `limit`. */
  below(limit: number): number {
    // xorshift32
    let x = this.#state || 1;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state % limit;
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  some<T>(items: readonly T[], most: number): T[] {
    return Array.from({ length: this.below(most + 1) }, () => this.of(items));
  }
}

/** Sizes at both sides of both ends, 8 and 16. */
const SIZES = [4, 7, 8, 9, 12, 15, 16, 17, 20, 24];

/** All that is generated for one scheme. */
export class ChainWorld {
  readonly genuine: EpochLog;
  readonly id: string;
  /** What a verifier may know: nothing, one link, two, or that the log froze at size 8. */
  readonly knowledge: readonly (readonly SuccessionLink[])[];
  readonly frozen: SuccessionLink;
  readonly #forged: readonly TestLog[];
  readonly #shown: readonly (readonly SuccessionLink[] | undefined)[];

  constructor(scheme: SignatureScheme, id = "generated.example") {
    this.id = id;
    this.genuine = threeEpochs(scheme, id);
    const { epochs, links } = this.genuine;
    const [first, second] = links;
    this.frozen = frozenAfter(epochs[0]);
    this.knowledge = [[], [first], links, [this.frozen]];
    this.#forged = epochs.map((signer) => logBy(signer));
    const unsigned = (link: SuccessionLink, i = 0) => ({
      ...link,
      nonce: digestOf(`garbage ${i}`),
    });
    const { second: rival } = twoSuccessions(scheme, id);
    this.#shown = [
      undefined,
      [first],
      links,
      [this.frozen],
      [rival],
      [...links, unsigned(second)],
      [unsigned(first), unsigned(second, 1), unsigned(first, 2)],
      [first, unsigned(second)],
      [{ ...first, end: { ...first.end, signatures: [] } }, second],
      [this.frozen, second],
      [second],
    ];
  }

  /** A bundle that may be genuine, signed by retired keys, or by keys of different epochs. */
  bundle(draw: Draw): GeneratedBundle {
    const { log, epochs } = this.genuine;
    const size = draw.of(SIZES);
    const sequence = draw.of(SIZES.filter((one) => one <= size)) - 1;
    const isGenuine = draw.below(2) === 0;
    const signer = draw.below(3);
    const from = isGenuine ? log : this.#forged[signer]!;
    const epochOf = (at: number) => at <= 8 ? 0 : at <= 16 ? 1 : 2;
    const headBy = isGenuine && draw.below(3) > 0 ? epochOf(size) : signer;
    const sth = epochs[headBy]!.signHead(from.head(size, 1_766_278_000 + size));
    const inclusion = draw.below(4) === 0 ? null : from.batchInclusion(sequence, sth);
    const succession = draw.of(this.#shown);
    return {
      bundle: {
        ...from.bundle(sequence, inclusion),
        ...(succession && { succession: [...succession] }),
      },
      signedBy: [isGenuine ? epochOf(sequence + 1) : signer, ...(inclusion ? [headBy] : [])],
    };
  }

  pin(draw: Draw): NetworkConfiguration {
    return draw.of(this.genuine.epochs).configuration;
  }

  /** Witnesses of any epoch, from any size. */
  distrust(draw: Draw): Distrust[] {
    return draw.some(["a", "b", "c", "d", "e", "g"], 3).map((name) => ({
      witness: `${this.id}/${name}`,
      size: draw.of([0, 0, 7, 8, 15, 16, 30]),
    }));
  }
}

function frozenAfter(zero: TestNetwork): SuccessionLink {
  const log = new TestLog(zero);
  log.addRound(Array.from({ length: 7 }, (_, i) => digestOf(`leaf ${i}`)), {
    timestamp: 1_766_275_900,
  });
  return closeLink(
    log,
    signSuccession(propose(zero, null, { treeSize: 7, nonce: "freeze" }), zero, null),
    zero,
  );
}

/** 24 leaves that `signer` alone signed. */
function logBy(signer: TestNetwork): TestLog {
  const log = new TestLog(signer);
  for (let i = 0; i < 24; i++) {
    log.addRound([digestOf(`forged ${signer.configuration.epoch ?? 0} ${i}`)], {
      timestamp: 1_766_275_000 + 100 * i,
    });
  }
  return log;
}
