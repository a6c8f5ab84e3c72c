/** A configuration that carries its chain, as a user of `countersign/verify` has it. */

import assert from "node:assert/strict";
import { publicNetworkJson } from "../../../src/proof/format/public_network.ts";
import {
  followSuccession,
  parseNetwork,
  parseSignedTreeHead,
  portableCrypto,
  verifySignedTreeHead,
} from "../../../src/proof/verify/mod.ts";
import { bls } from "../../schemes.ts";
import { threeEpochs } from "./test_succession.ts";

const TIME = 1_766_280_000;

Deno.test("followSuccession() lets heads of every epoch be verified with the published file", async () => {
  const crypto = await portableCrypto();
  const { epochs, links, log } = threeEpochs();
  const carried = parseNetwork(publicNetworkJson({ ...epochs[2].configuration, links }), bls);
  const { network, failure } = await followSuccession(crypto, carried, []);
  assert.equal(failure, undefined);
  for (const [size, epoch] of [[5, 0], [10, 1], [18, 2]] as const) {
    log.network = epochs[epoch];
    const head = parseSignedTreeHead(JSON.stringify(log.sth(size, TIME)));
    assert.equal((await verifySignedTreeHead(crypto, network, head)).valid, true, `size ${size}`);
    // Retired keys sign nothing after their epoch.
    if (epoch === 0) continue;
    log.network = epochs[epoch - 1]!;
    const late = parseSignedTreeHead(JSON.stringify(log.sth(size, TIME)));
    assert.equal((await verifySignedTreeHead(crypto, network, late)).valid, false, `size ${size}`);
  }
  const [first, second] = links;
  const damaged = { ...carried, succession: [second!, first!] };
  assert.equal(
    (await followSuccession(crypto, damaged, [])).failure?.reason,
    "succession_unrelated",
  );
});
