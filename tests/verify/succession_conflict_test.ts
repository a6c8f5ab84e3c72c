import assert from "node:assert/strict";
import type { SuccessionLink } from "../../src/format/succession.ts";
import { followSuccession } from "../../src/verify/followed_network.ts";
import { verifyConflict } from "../../src/verify/succession_conflict.ts";
import { eachScheme, nativeCrypto } from "../schemes.ts";
import { TestNetwork } from "./test_network.ts";
import { closeLink, propose, signSuccession, threeEpochs } from "./test_succession.ts";

eachScheme.test("two successions of one configuration are evidence", async (scheme) => {
  const { log, epochs: [zero, , two], links: [first, second] } = threeEpochs(scheme);
  const id = zero.id;
  const rival = new TestNetwork(id, { scheme, epoch: 1, witnessIds: ["x", "y", "z"] });
  const terms = propose(zero, rival, { treeSize: 7, nonce: "rival" });
  const other = closeLink(log, signSuccession(terms, zero, rival), zero, { places: [1, 2] });
  const judge = async (
    pinned: TestNetwork,
    pair: readonly [SuccessionLink, SuccessionLink],
    links: readonly SuccessionLink[] = [],
    origin = id,
  ) => {
    const { network } = await followSuccession(nativeCrypto, pinned.configuration, links);
    const evidence = { origin, found_at: 0, first: pair[0], second: pair[1] };
    return await verifyConflict(nativeCrypto, network, evidence);
  };
  assert.deepEqual(await judge(zero, [first, other]), {
    valid: true,
    signedBoth: [`${id}/b`],
  });
  assert.equal((await judge(two, [first, other], [first, second])).valid, true);
  const reason = async (...args: Parameters<typeof judge>) => (await judge(...args)).reason;
  assert.equal(await reason(two, [first, other]), "succession_unrelated");
  assert.equal(await reason(zero, [first, second]), "succession_unrelated");
  assert.equal(await reason(zero, [first, first]), "contradiction_unproven");
  assert.equal(await reason(zero, [first, other], [], "other.example"), "network_mismatch");
  const damaged = { ...other, end: { ...other.end, tree_size: other.end.tree_size - 1 } };
  assert.equal(await reason(zero, [first, damaged]), "inclusion_invalid");
});
