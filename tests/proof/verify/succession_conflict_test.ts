import assert from "node:assert/strict";
import type { SuccessionLink } from "../../../src/proof/format/succession.ts";
import { followSuccession } from "../../../src/proof/verify/followed_network.ts";
import { verifyAnyContradiction } from "../../../src/proof/verify/succession_conflict.ts";
import { eachScheme, nativeCrypto } from "../../schemes.ts";
import type { TestNetwork } from "./test_network.ts";
import { threeEpochs, twoSuccessions } from "./test_succession.ts";

eachScheme.test("two successions of one configuration are evidence", async (scheme) => {
  const { epochs: [zero, , two], links: [first, second] } = threeEpochs(scheme);
  const id = zero.id;
  const { second: other } = twoSuccessions(scheme);
  const judge = async (
    pinned: TestNetwork,
    pair: readonly [SuccessionLink, SuccessionLink],
    links: readonly SuccessionLink[] = [],
    origin = id,
  ) => {
    const { network } = await followSuccession(nativeCrypto, pinned.configuration, links);
    const evidence = { origin, found_at: 0, first: pair[0], second: pair[1] };
    return await verifyAnyContradiction(nativeCrypto, network, evidence);
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
  const damaged = { ...other, end: { ...other.end, root_hash: "00".repeat(32) } };
  assert.equal(await reason(zero, [first, damaged]), "inclusion_invalid");
});
