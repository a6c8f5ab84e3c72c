import assert from "node:assert/strict";
import type { ProofBundle } from "../../../src/proof/format/bundle.ts";
import type { SuccessionLink } from "../../../src/proof/format/succession.ts";
import {
  type FollowedNetwork,
  followSuccession,
} from "../../../src/proof/verify/followed_network.ts";
import { type Verdict, verifyBundle } from "../../../src/proof/verify/mod.ts";
import { eachScheme, nativeCrypto } from "../../schemes.ts";
import { IS_LONG } from "../../long_runs.ts";
import { ChainWorld, Draw } from "./generated_chains.ts";
import { TestLog } from "./test_log.ts";
import { digestOf, TestNetwork } from "./test_network.ts";
import { threeEpochs } from "./test_succession.ts";

const CASES = IS_LONG ? { ed25519: 1500, bls: 200 } : { ed25519: 160, bls: 40 };
const PEER_CASES = IS_LONG ? 400 : 130;
const LEVELS = ["invalid", "basic", "batched", "federated"];

async function knowing(
  pin: FollowedNetwork,
  links: readonly SuccessionLink[],
): Promise<FollowedNetwork> {
  const { network, failure } = await followSuccession(nativeCrypto, pin, links);
  assert.equal(failure, undefined);
  return network;
}

function judge(network: FollowedNetwork, bundle: ProofBundle): Promise<Verdict> {
  return verifyBundle(nativeCrypto, { network, peers: [] }, bundle);
}

/** What a verdict claims; a later set of claims must be a part of an earlier one. */
function claims({ level, layers }: Verdict): ReadonlySet<string> {
  return new Set([
    ...LEVELS.slice(0, LEVELS.indexOf(level) + 1),
    ...(["attestation", "batch"] as const).filter((name) => layers[name].status === "verified"),
    ...layers.cross_anchors.flatMap(({ counted, network }) => counted ? [network] : []),
    ...layers.federation.counted.map((_, i) => `${i + 1} peers`),
  ]);
}

function epochsKnown(network: FollowedNetwork): ReadonlySet<number> {
  const { epochs = [{ network }] } = network;
  return new Set(epochs.map(({ network: { epoch = 0 } }) => epoch));
}

eachScheme.test("more distrust never verifies more", async (scheme) => {
  const world = new ChainWorld(scheme);
  const draw = new Draw(1);
  let valid = 0;
  for (let i = 0; i < CASES[scheme]; i++) {
    const pin = world.pin(draw);
    const { epoch = 0 } = pin;
    const [none, ...chains] = world.knowledge.slice(0, 3);
    const network = await knowing(
      pin,
      draw.of([none!, ...chains.filter(({ length }) => length >= epoch)]),
    );
    const { bundle } = world.bundle(draw);
    const some = world.distrust(draw);
    const more = [...some, ...world.distrust(draw)];
    const before = await judge({ ...network, distrust: some }, bundle);
    const after = await judge({ ...network, distrust: more }, bundle);
    const added = claims(after).difference(claims(before));
    assert.deepEqual([...added], [], JSON.stringify({ i, some, more, bundle }));
    if (before.valid) valid++;
  }
  assert.ok(valid > CASES[scheme] / 10, `${valid} of the cases are valid`);
});

eachScheme.test("more knowledge never verifies what keys signed that were known before", async (scheme) => {
  const world = new ChainWorld(scheme);
  const draw = new Draw(2);
  const [, one, two] = world.knowledge;
  const pairs = [[[], one], [[], two], [one, two], [[], [world.frozen]]] as const;
  const counts = { valid: 0, refused: 0 };
  for (let i = 0; i < CASES[scheme]; i++) {
    const [less, more] = draw.of(pairs);
    const isFreeze = more![0] === world.frozen;
    const pin = isFreeze ? world.genuine.epochs[0].configuration : world.pin(draw);
    // A pin needs a chain that has its epoch.
    if ((pin.epoch ?? 0) > more!.length) continue;
    const before = await knowing(pin, (pin.epoch ?? 0) > less!.length ? [] : less!);
    const { bundle, signedBy } = world.bundle(draw);
    const first = await judge(before, bundle);
    // L1: a chain that ends before the pin is read only with the kept one that leads on.
    if (first.layers.attestation.field === "succession") continue;
    const known = epochsKnown(first.followed ?? before);
    if (signedBy.some((epoch) => !known.has(epoch))) continue;
    const second = await judge(await knowing(before, more!), bundle);
    const added = claims(second).difference(claims(first));
    assert.deepEqual([...added], [], JSON.stringify({ i, less, more, bundle }));
    if (second.valid) counts.valid++;
    if (first.valid && !second.valid) counts.refused++;
  }
  assert.ok(
    counts.valid > CASES[scheme] / 40 && counts.refused > CASES[scheme] / 40,
    counts.toString(),
  );
});

eachScheme.test("a log that ended stays ended", async (scheme) => {
  const world = new ChainWorld(scheme);
  const draw = new Draw(3);
  const ended = await knowing(world.genuine.epochs[0].configuration, [world.frozen]);
  let late = 0;
  for (let i = 0; i < CASES[scheme]; i++) {
    const { bundle } = world.bundle(draw);
    const distrust = draw.below(2) === 0 ? [] : world.distrust(draw);
    const { valid, layers, followed } = await judge({ ...ended, distrust }, bundle);
    assert.equal(followed, undefined);
    const { sequence } = bundle.signed_attestation.attestation;
    if (sequence >= world.frozen.end.tree_size) {
      late++;
      assert.equal(valid, false);
    }
    const size = bundle.batch_inclusion?.sth.tree_head.tree_size ?? 0;
    if (size > world.frozen.end.tree_size) assert.notEqual(layers.batch.status, "verified");
  }
  assert.ok(late > CASES[scheme] / 4);
});

eachScheme.test("the order of learning does not matter", async (scheme) => {
  const world = new ChainWorld(scheme);
  const draw = new Draw(4);
  for (let i = 0; i < CASES[scheme] / 10; i++) {
    const pin = world.pin(draw);
    const bundles = Array.from({ length: 6 }, () => world.bundle(draw).bundle)
      // Of two rivals, the first one stands, whichever that is.
      .filter(({ succession = [] }) => isOf(world, succession));
    const learn = async (order: readonly ProofBundle[]) => {
      let network: FollowedNetwork = pin;
      for (const bundle of order) network = (await judge(network, bundle)).followed ?? network;
      const verdicts = await Promise.all(bundles.map((bundle) => judge(network, bundle)));
      return { links: network.links, claims: verdicts.map((verdict) => [...claims(verdict)]) };
    };
    const expected = await learn(bundles);
    const shuffled = bundles.toSorted(() => draw.below(3) - 1);
    assert.deepEqual(await learn(shuffled), expected);
    assert.deepEqual(await learn(bundles.toReversed()), expected);
  }
});

function isOf({ genuine: { links } }: ChainWorld, chain: readonly SuccessionLink[]): boolean {
  return chain.every((link) => links.includes(link)) ||
    !chain.some((link) => link.successor === null) &&
      JSON.stringify(chain[0]) === JSON.stringify(links[0]);
}

Deno.test("more distrust of peers, and more knowledge of them, counts no more of them", async () => {
  const draw = new Draw(5);
  const peer = threeEpochs("ed25519", "peer.example/a");
  const [zero] = peer.epochs;
  const seeds = (...names: string[]) => names.map((name) => `peer.example/a/${name}`);
  // Both share a key with the first peer, and none with one another.
  const second = new TestNetwork("peer.example/b", { seeds: [...seeds("a"), "b2", "b3"] });
  const third = new TestNetwork("peer.example/c", { seeds: [...seeds("b"), "c2", "c3"] });
  const home = new TestNetwork("home.example", {
    federation: {
      enabled: true,
      peer_networks: [zero, second, third].map(({ id }) => ({ id })),
      cross_anchor_threshold: 2,
    },
  });
  const log = new TestLog(home);
  log.addRound([digestOf("one"), digestOf("two")], { timestamp: 1_766_275_000 });
  const others = [second, third].map(({ configuration }) => configuration);
  let counted = 0;
  for (let i = 0; i < PEER_CASES; i++) {
    const time = draw.of([1_766_275_999, 1_766_276_000, 1_766_276_001, 1_766_278_000]);
    const sth = log.sth(2, time);
    const signer = draw.of(peer.epochs);
    const anchors = [signer, second, third].map((one) =>
      log.crossAnchor(one, {
        from: 2,
        size: 2,
        timestamp: time + 5,
        ...(one !== signer && { places: draw.of([[0, 1], [1, 2]]) }),
      })
    );
    const bundle = { ...log.bundle(0, log.batchInclusion(0, sth)), cross_anchors: anchors };
    const judged = async (
      links: readonly SuccessionLink[],
      names: readonly string[],
      known = [...others],
    ) => {
      const distrust = names.map((witness) => ({ witness, size: 0 }));
      const first = await knowing(zero.configuration, links);
      const peers = [first, ...known].map((one) => ({ ...one, distrust }));
      return claims(
        await verifyBundle(nativeCrypto, { network: home.configuration, peers }, bundle),
      );
    };
    const ids = [zero, second, third].flatMap(({ configuration }) =>
      configuration.witnesses.map(({ id }) => id)
    );
    const some = draw.some(ids, 2);
    const before = await judged([], some);
    counted += before.size;
    const distrusting = await judged([], [...some, ...draw.some(ids, 2)]);
    assert.deepEqual([...distrusting.difference(before)], [], `${i}`);
    // Keys that were known before, in the light of their succession.
    if (signer !== zero) continue;
    const knowingMore = await judged(draw.of([peer.links.slice(0, 1), peer.links]), some);
    assert.deepEqual([...knowingMore.difference(before)], [], `${i}`);
  }
  assert.ok(counted > PEER_CASES);
});
