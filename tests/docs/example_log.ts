/**
 * The network and the log of the worked examples in `docs/`, all of it a function of names: the seed
 * of each key is the SHA-256 of its owner's name.
 *
 * @module
 */

import { TestLog, TestNetwork } from "../proof/verify/fixture.ts";
import { digestOf } from "../proof/verify/test_network.ts";

export const NETWORK_ID = "docs.example/log";
export const PEER_ID = "peer.example/log";
export const ROUND_TIME = 1_766_275_200;
export const HEAD_TIME = ROUND_TIME + 10;

export const network = new TestNetwork(NETWORK_ID, {
  federation: {
    enabled: true,
    peer_networks: [{ id: PEER_ID, min_witnesses: 2 }],
    cross_anchor_threshold: 1,
  },
});
export const peer = new TestNetwork(PEER_ID);
export const blsNetwork = new TestNetwork("docs.example/bls", { scheme: "bls" });

/** A log of three attestations: a round of two, then one of one. */
export function exampleLog(of: TestNetwork = network): TestLog {
  const log = new TestLog(of);
  log.addRound([digestOf("hello"), digestOf("world")], { timestamp: ROUND_TIME });
  log.addRound([digestOf("again")], { timestamp: ROUND_TIME + 1 });
  return log;
}
