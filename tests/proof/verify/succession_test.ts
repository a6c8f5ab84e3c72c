import assert from "node:assert/strict";
import { fromHex } from "../../../src/base/bytes.ts";
import { hasCode } from "../../../src/base/errors.ts";
import {
  encodeEpochEnd,
  encodeSuccession,
  parseSuccession,
  parseSuccessionChain,
  type SuccessionLink,
} from "../../../src/proof/format/succession.ts";
import {
  coreDigest,
  coreOf,
  encodeTrustCore,
  fingerprintOf,
} from "../../../src/proof/format/trust_core.ts";
import type { LoggedTreeHead } from "../../../src/proof/format/federation.ts";
import type { WitnessSignature } from "../../../src/proof/format/signature_set.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
} from "../../../src/proof/format/tree_head.ts";
import { verifyContradiction } from "../../../src/proof/verify/contradiction.ts";
import { verifyCheckpoint } from "../../../src/proof/verify/checkpoint.ts";
import { verifySignedTreeHead } from "../../../src/proof/verify/tree_head.ts";
import {
  followSuccession,
  latestOf,
  signersOfHead,
  signersOfLeaf,
} from "../../../src/proof/verify/followed_network.ts";
import type { VerifyReason } from "../../../src/proof/verify/reasons.ts";
import { verifySuccession } from "../../../src/proof/verify/succession_link.ts";
import { eachScheme, nativeCrypto } from "../../schemes.ts";
import { type Json, mutations } from "./mutations.ts";
import { TestNetwork } from "./test_network.ts";
import {
  closeLink,
  eachSignature,
  propose,
  signSuccession,
  threeEpochs,
} from "./test_succession.ts";

async function reasonOf(
  network: Parameters<typeof followSuccession>[1],
  links: readonly SuccessionLink[],
): Promise<VerifyReason | undefined> {
  const result = await followSuccession(nativeCrypto, network, links);
  if (result.failure !== undefined) assert.equal(result.network, network);
  return result.failure?.reason;
}

Deno.test("the text of a trust core names each ML-DSA-44 key", () => {
  const { configuration } = new TestNetwork("core.example", { mlDsa: true });
  const { log_ml_dsa_vkey, log_vkey, witnesses } = configuration;
  const core = coreOf(configuration);
  const [first, ...others] = witnesses;
  assert.equal(
    encodeTrustCore(core),
    [
      "countersign/trust-core/v1",
      "core.example",
      "0",
      "ed25519",
      "2",
      log_vkey,
      log_ml_dsa_vkey,
      `${first!.id} ${first!.pubkey} ${first!.ml_dsa_vkey}`,
      ...others.map(({ id, pubkey }) => `${id} ${pubkey} none`),
      "",
    ].join("\n"),
  );
  const { ml_dsa_vkey: _, ...bare } = first!;
  const { log_ml_dsa_vkey: __, ...unlogged } = configuration;
  const variants = [
    configuration,
    unlogged,
    { ...configuration, witnesses: [bare, ...others] },
    { ...unlogged, witnesses: [bare, ...others] },
  ].map(fingerprintOf);
  assert.equal(new Set(variants).size, 4);
  assert.equal(variants[3], fingerprintOf(new TestNetwork("core.example").configuration));
});

Deno.test("a trust core has one text, and policy is outside the fingerprint", () => {
  const { configuration } = new TestNetwork("core.example");
  const text = encodeTrustCore(coreOf(configuration));
  assert.match(text, /^countersign\/trust-core\/v1\ncore\.example\n0\ned25519\n2\ncore\.example\+/);
  assert.equal(text.split("\n").length, 7 + 3 + 1);
  const changed = {
    ...configuration,
    merge_delay_seconds: 5,
    witnesses: configuration.witnesses.toReversed(),
    federation: { enabled: true, peer_networks: [], cross_anchor_threshold: 0 },
  };
  assert.equal(fingerprintOf(changed), fingerprintOf(configuration));
  assert.equal(fingerprintOf(configuration), coreDigest(coreOf(configuration)));
  assert.notEqual(fingerprintOf({ ...configuration, epoch: 1 }), fingerprintOf(configuration));
  assert.notEqual(fingerprintOf({ ...configuration, threshold: 3 }), fingerprintOf(configuration));
});

eachScheme.test("each epoch is reached from a pin of every other", async (scheme) => {
  const { epochs, links } = threeEpochs(scheme);
  const chain = parseSuccessionChain(JSON.stringify(links));
  assert.deepEqual(chain, links);
  for (const { configuration } of epochs) {
    const { network, failure } = await followSuccession(nativeCrypto, configuration, chain);
    assert.equal(failure, undefined);
    assert.equal(fingerprintOf(network), fingerprintOf(configuration));
    const epochAt = (size: number) => signersOfHead(network, size)?.epoch ?? 0;
    assert.deepEqual([0, 7, 8, 9, 15, 16, 17, 24, 1e9].map(epochAt), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    const epochOf = (sequence: number) => signersOfLeaf(network, sequence)?.epoch ?? 0;
    assert.deepEqual([0, 7, 8, 15, 16, 23].map(epochOf), [0, 0, 1, 1, 2, 2]);
    assert.equal(fingerprintOf(latestOf(network)), fingerprintOf(epochs[2].configuration));
  }
});

Deno.test("a chain that does not fit the pin is refused", async () => {
  const { epochs: [zero, one, two], links: [first, second] } = threeEpochs();
  const other = threeEpochs("ed25519", "other.example");
  assert.equal(await reasonOf(zero.configuration, []), undefined);
  assert.equal(await reasonOf(zero.configuration, [second]), "succession_unrelated");
  assert.equal(await reasonOf(one.configuration, [second]), "succession_unrelated");
  assert.equal(await reasonOf(zero.configuration, [second, first]), "succession_unrelated");
  assert.equal(await reasonOf(zero.configuration, [first, first]), "succession_unrelated");
  assert.equal(await reasonOf(two.configuration, [first]), "succession_unrelated");
  assert.equal(await reasonOf(zero.configuration, other.links), "succession_unrelated");
  assert.equal(await reasonOf(other.epochs[0].configuration, [first]), "succession_unrelated");
  const impostor = { ...one.configuration, threshold: 3 };
  assert.equal(await reasonOf(impostor, [first, second]), "succession_unrelated");
});

Deno.test("a head with which an epoch ended has the root of the link", async () => {
  const { log, epochs: [zero], links } = threeEpochs();
  const { network } = await followSuccession(nativeCrypto, zero.configuration, links);
  const right = log.head(8, 1_766_278_000);
  const forked = { ...right, root_hash: "00".repeat(32) };
  const sthOf = (head: typeof right) => zero.signHead(head);
  const reasonUnder = async (trusted: typeof network, head: typeof right) =>
    (await verifySignedTreeHead(nativeCrypto, trusted, sthOf(head))).reason;
  assert.equal(await reasonUnder(network, right), undefined);
  assert.equal(await reasonUnder(network, forked), "head_forked");
  assert.equal(await reasonUnder(zero.configuration, forked), undefined);

  const logged = (head: typeof right) => ({
    sth: sthOf(head),
    logSignature: fromHex(zero.logSignature(encodeCheckpointBody(head))),
  });
  const pair = [right, forked].map(logged) as [LoggedTreeHead, LoggedTreeHead];
  const contradiction = { origin: zero.id, foundAt: 1, first: pair[0], second: pair[1], path: [] };
  // As evidence, both heads are read.
  assert.ok((await verifyContradiction(nativeCrypto, network, contradiction)).valid);

  for (const [head, reason] of [[right, undefined], [forked, "head_forked"]] as const) {
    const note = zero.checkpoint(head, { 0: 100, 1: 101 });
    const found = await verifyCheckpoint(nativeCrypto, network, note);
    assert.equal(found.reason, reason);
  }
});

Deno.test("an old key of a removed witness counts for nothing beyond its epoch", async () => {
  const { log, epochs: [zero, one, two], links: [first, second] } = threeEpochs();
  const { network } = await followSuccession(nativeCrypto, zero.configuration, [first, second]);
  /** One signature that counts, and another one: of d, of the removed a, of b with its old key. */
  const signed = (message: string) => {
    const [c] = eachSignature(one, message, [1]);
    const [d] = eachSignature(one, message, [2]);
    const [a, oldB] = eachSignature(zero, message, [0, 1]);
    return { right: [c!, d!], others: [[a!, c!], [oldB!, c!], [a!, oldB!]] };
  };
  for (const size of [9, 14, 16]) {
    const head = log.head(size, 1_766_278_000);
    const { right, others } = signed(encodeCosignatureMessage(head));
    const isValid = async (signatures: WitnessSignature[]) =>
      (await verifySignedTreeHead(nativeCrypto, network, { tree_head: head, signatures })).valid;
    assert.ok(await isValid(right));
    for (const signatures of others) assert.equal(await isValid(signatures), false);
  }
  // Neither does it help to end the next epoch.
  const { right, others } = signed(encodeEpochEnd(second, second.end));
  const reason = (signatures: WitnessSignature[]) =>
    reasonOf(zero.configuration, [first, { ...second, end: { ...second.end, signatures } }]);
  assert.equal(await reason(right), undefined);
  for (const signatures of others) assert.notEqual(await reason(signatures), undefined);
  const ended = signSuccession(propose(one, two, { treeSize: 15 }), one, two, [1, 2]);
  const proposed = signed(encodeSuccession(ended));
  const failure = async (predecessor: WitnessSignature[]) =>
    await verifySuccession(nativeCrypto, {
      ...ended,
      signatures: { ...ended.signatures, predecessor },
    });
  assert.equal(await failure(proposed.right), undefined);
  for (const signatures of proposed.others) assert.notEqual(await failure(signatures), undefined);
});

Deno.test("distrust of a witness covers its key under another name", async () => {
  const { log, epochs: [zero], links: [known] } = threeEpochs();
  const names = (...of: string[]) => of.map((name) => `${zero.id}/${name}`);
  const one = new TestNetwork(zero.id, {
    epoch: 1,
    witnessIds: names("b", "c", "x"),
    seeds: names("b", "c", "a"),
  });
  assert.equal(
    one.configuration.witnesses[2]!.pubkey,
    zero.configuration.witnesses.find(({ id }) => id === `${zero.id}/a`)!.pubkey,
  );
  const terms = propose(zero, one, { treeSize: 7, nonce: "renamed" });
  const others = [1, 2];
  const signed = signSuccession(terms, zero, one, others);
  const link = closeLink(log, signed, zero, { places: others });
  const counted = async (witness: string, size: number, places: number[]) => {
    const pinned = {
      ...zero.configuration,
      distrust: [{ witness: `${zero.id}/${witness}`, size }],
    };
    const { network, failure } = await followSuccession(nativeCrypto, pinned, [link]);
    assert.equal(failure, undefined);
    const head = log.head(26, 1_766_278_000);
    const tree_head = { ...head, tree_size: link.end.tree_size + 1 };
    const signatures = eachSignature(one, encodeCosignatureMessage(tree_head), places);
    return await verifySignedTreeHead(nativeCrypto, network, { tree_head, signatures });
  };
  assert.ok(known.end.tree_size < link.end.tree_size);
  assert.equal((await counted("a", 0, [1, 2])).reason, "threshold_not_met");
  assert.deepEqual((await counted("a", 0, [0, 1, 2])).signers, names("b", "c"));
  assert.equal((await counted("d", 0, [1, 2])).valid, true);
  assert.equal((await counted("a", 1e9, [1, 2])).valid, true);
});

Deno.test("links that were followed are not exchanged for others", async () => {
  const { epochs: [zero, one, two], links: [first, second] } = threeEpochs();
  const followed = await followSuccession(nativeCrypto, zero.configuration, [first]);
  const further = await followSuccession(nativeCrypto, followed.network, [first, second]);
  assert.equal(further.network.epochs?.length, 3);
  assert.equal(await reasonOf(further.network, [first]), undefined);

  const { log } = threeEpochs();
  const terms = propose(zero, one, { treeSize: 7, nonce: "another" });
  const forked = closeLink(log, signSuccession(terms, zero, one), zero);
  assert.equal(await reasonOf(zero.configuration, [forked]), undefined);
  assert.equal(await reasonOf(followed.network, [forked]), "succession_conflict");
  assert.equal(await reasonOf(followed.network, [forked, second]), "succession_conflict");
  assert.equal(two.configuration.epoch, 2);
});

eachScheme.test("below a threshold, or without a key, nothing follows", async (scheme) => {
  const { log, epochs: [zero, one, two] } = threeEpochs(scheme);
  const terms = propose(zero, one, { treeSize: 7 });
  const whole = signSuccession(terms, zero, one);
  const failure = async (signatures: Partial<typeof whole.signatures>) => {
    const changed = { ...whole, signatures: { ...whole.signatures, ...signatures } };
    return (await verifySuccession(nativeCrypto, changed))?.reason;
  };
  assert.equal(await failure({}), undefined);
  const { predecessor, successor } = whole.signatures;
  assert.equal(await failure({ predecessor: predecessor.slice(1) }), "threshold_not_met");
  assert.equal(await failure({ successor: successor.slice(1) }), "successor_unsigned");
  assert.equal(await failure({ predecessor: successor }), "signature_invalid");
  assert.equal(await failure({ predecessor: predecessor.toReversed() }), "signers_unordered");
  assert.equal(
    await failure({ predecessor: [predecessor[0]!, predecessor[0]!] }),
    "signers_unordered",
  );
  assert.equal(await failure({ successor_log: whole.signatures.log! }), "log_key_missing");
  const { log: _, ...unlogged } = whole.signatures;
  const missing = { ...whole, signatures: unlogged };
  assert.equal((await verifySuccession(nativeCrypto, missing))?.reason, "log_signature_missing");

  const rotated = signSuccession(propose(one, two, { treeSize: 15 }), one, two);
  const { successor_log: __, ...kept } = rotated.signatures;
  assert.deepEqual(await verifySuccession(nativeCrypto, { ...rotated, signatures: kept }), {
    reason: "log_signature_missing",
    field: "signatures.successor_log",
  });

  const early = closeLink(log, whole, zero, { places: [0] });
  assert.equal(await reasonOf(zero.configuration, [early]), "threshold_not_met");
});

eachScheme.test("a succession that is no entry of the log is refused, whoever ends the epoch", async (scheme) => {
  const { log, epochs: [zero, one] } = threeEpochs(scheme);
  const secret = signSuccession(propose(zero, one, { treeSize: 7, nonce: "secret" }), zero, one);
  for (const size of [8, 9, 24]) {
    const { root_hash } = log.head(size, 1_766_275_450);
    const inclusion_path = log.inclusionPath(size - 1, size);
    const signatures = eachSignature(zero, encodeEpochEnd(secret, { tree_size: size, root_hash }));
    const end = {
      tree_size: size,
      root_hash,
      timestamp: 1_766_275_450,
      inclusion_path,
      signatures,
    };
    assert.equal(await reasonOf(zero.configuration, [{ ...secret, end }]), "inclusion_invalid");
  }
  const logged = closeLink(log, secret, zero);
  assert.equal(await reasonOf(zero.configuration, [logged]), undefined);
});

Deno.test("an epoch ends after the head that its succession names", async () => {
  const { log, epochs: [zero, one] } = threeEpochs();
  for (const [treeSize, reason] of [[23, undefined], [24, undefined], [25, "boundary_wrong"]]) {
    const terms = propose(zero, one, { treeSize: Number(treeSize), nonce: `${treeSize}` });
    const { log: fresh } = threeEpochs();
    const link = closeLink(fresh, signSuccession(terms, zero, one), zero);
    assert.equal(link.end.tree_size, 25);
    assert.equal(await reasonOf(zero.configuration, [link]), reason);
  }
  assert.equal(log.size, 24);
});

Deno.test("a configuration in which two quorums may be disjoint has no successor", async () => {
  const half = new TestNetwork("half.example", { witnesses: 4, threshold: 2 });
  const next = new TestNetwork("half.example", { epoch: 1, witnesses: 4, threshold: 3 });
  const document = signSuccession(propose(half, next, { treeSize: 0 }), half, next);
  assert.deepEqual(await verifySuccession(nativeCrypto, document), {
    reason: "threshold_too_low",
    field: "predecessor",
  });
});

Deno.test("a frozen log has an end, and nothing follows it", async () => {
  const { log, epochs: [zero, one], links } = threeEpochs();
  const next = new TestNetwork("next.example");
  const nextLog = {
    origin: next.id,
    log_vkey: next.configuration.log_vkey!,
    core: fingerprintOf(next.configuration),
  };
  const frozen = signSuccession(propose(zero, null, { treeSize: 7, nextLog }), zero, null);
  const link = closeLink(log, frozen, zero);
  const { network, failure } = await followSuccession(nativeCrypto, zero.configuration, [link]);
  assert.equal(failure, undefined);
  assert.equal(signersOfHead(network, 25)?.id, zero.id);
  assert.equal(signersOfHead(network, 26), undefined);
  assert.equal(signersOfLeaf(network, 25), undefined);
  assert.equal(await reasonOf(zero.configuration, [link, links[1]]), "succession_unrelated");
  assert.equal(await reasonOf(one.configuration, [link]), "succession_unrelated");
  assert.throws(
    () => parseSuccession(JSON.stringify({ ...links[0], next_log: nextLog, end: undefined })),
    (error) => hasCode(error, "malformed_configuration"),
  );
});

eachScheme.test("every change of a chain is refused", async (scheme) => {
  const { epochs, links } = threeEpochs(scheme);
  const pinned = epochs[1].configuration;
  const before = JSON.stringify(links);
  let count = 0;
  for (const { path, change, value } of mutations(JSON.parse(before) as Json)) {
    const text = JSON.stringify(value);
    // The chain may end earlier, at the pinned epoch; nothing is claimed about later ones.
    if (text === JSON.stringify(links.slice(0, 1)) || text === "[]" || text === before) continue;
    count++;
    let chain;
    try {
      chain = parseSuccessionChain(text);
    } catch (error) {
      assert.ok(hasCode(error, "malformed_configuration"), `${path} ${change}: ${error}`);
      continue;
    }
    const { failure } = await followSuccession(nativeCrypto, pinned, chain);
    assert.ok(failure !== undefined, `${path} ${change} was accepted`);
  }
  assert.ok(count > 500, `${count}`);
});
