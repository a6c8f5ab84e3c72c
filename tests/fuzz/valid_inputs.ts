/**
 * Valid resources of networks of both schemes, which fuzzing damages.
 *
 * @module
 */

import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { batchedBundle, makeLog, TestNetwork } from "../proof/verify/fixture.ts";

/** 64 lowercase hex. */
export const HASH = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

const TIME = 1_766_275_300;

function makeSide(scheme: SignatureScheme) {
  const network = new TestNetwork(`net.example/${scheme}`, { scheme });
  const peer = new TestNetwork("net.example/peer", {});
  const log = makeLog(network);
  const bundle = batchedBundle(log);
  const anchor = log.externalAnchor({ from: 12, size: 16, timestamp: TIME });
  const federated: ProofBundle = {
    ...bundle,
    cross_anchors: [log.crossAnchor(peer, { from: 12, size: 16, timestamp: TIME })],
    external_anchors: [anchor, { ...anchor, service: "tsa-eu.1" }],
  };
  const sth = bundle.batch_inclusion!.sth;
  return {
    network,
    peer,
    log,
    bundle,
    unbatched: { ...bundle, batch_inclusion: null },
    federated,
    sth,
    earlier: log.sth(5, TIME),
    checkpoint: network.checkpoint(log.head(12, TIME), { 0: TIME, 1: TIME }),
  };
}

export const ed25519Side = makeSide("ed25519");
export const blsSide = makeSide("bls");
export const sides = [ed25519Side, blsSide] as const;
