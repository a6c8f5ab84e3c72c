/**
 * A signer without a gateway: its pool of witnesses and its index do what a test says.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Bytes } from "../../src/base/bytes.ts";
import { NO_OBSERVER } from "../../src/gateway/observer.ts";
import type { SignedRound } from "../../src/gateway/signing/round_signing.ts";
import { Signer, type SignerContext } from "../../src/gateway/signing/signing.ts";
import { NO_TRACER } from "../../src/gateway/tracer.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import type { RoundRecord } from "../../src/proof/format/records.ts";
import { buildRoundTree, type Round } from "../../src/proof/merkle/round_tree.ts";
import { FakeClock } from "../fake_clock.ts";
import { randomDigests } from "./fixture.ts";

/** In mode `all`, and without digests. Its failure fails the test. */
export function scriptedSigner(
  pool: object,
  digestsOf = (start: number, end: number): Promise<Bytes> =>
    Promise.resolve(randomDigests(end - start)),
) {
  const clock = new FakeClock();
  /** Rounds that met the threshold. */
  const signed: RoundRecord[] = [];
  const ignore = () => {};
  const signer = new Signer({
    networkId: "signing.example",
    clock,
    observer: NO_OBSERVER,
    tracer: NO_TRACER,
    signers: { pool, epoch: 0 },
    evidence: { roundEnded: ignore, roundAccepted: ignore },
    index: { digests: digestsOf },
    buildTree: (round: Round) => buildRoundTree(portableKernels, round),
    beacons: undefined,
    headNeeded: ignore,
    signed: ({ record }: SignedRound) => signed.push(record),
    failingChanged: ignore,
    report: ignore,
    failed: (error: unknown) => assert.fail(String(error)),
  } as unknown as SignerContext, { gaps: [], formed: 0 });
  signer.mode = "all";
  return { clock, signer, signed };
}
