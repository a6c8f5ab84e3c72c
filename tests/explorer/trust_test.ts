import assert from "node:assert/strict";
import { portableBls } from "../../src/proof/crypto/portable_bls.ts";
import { hasCode } from "../../src/base/errors.ts";
import {
  followPins,
  makePin,
  type Pin,
  type PinnedTrust,
  readPins,
  replacedPin,
  storePins,
  TRUST_ENTRY,
  verifierTrust,
  withFollowed,
  withoutPeer,
  withPeer,
} from "../../src/explorer/trust.ts";
import { TrustStore } from "../../src/explorer/trust_store.ts";
import { nativeCrypto, SCHEMES } from "../schemes.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import type { SuccessionLink } from "../../src/proof/format/succession.ts";
import { followSuccession } from "../../src/proof/verify/followed_network.ts";
import { TestNetwork } from "../proof/verify/fixture.ts";
import { MemoryStorage } from "./memory_storage.ts";

const crypto = {
  blsFor: () => Promise.resolve(portableBls),
  crypto: () => Promise.reject(new Error("not asked for here")),
};

function pinOf(id: string, scheme: "ed25519" | "bls" = "ed25519"): Pin {
  const text = JSON.stringify(new TestNetwork(id, { scheme }).configuration);
  return makePin(
    text,
    { source: "file", name: `${id}.json`, pinnedAt: 1_800_000_000 },
    portableBls,
  );
}

const home = pinOf("home.example/log");
const peer = pinOf("peer.example/log", "bls");

for (const scheme of SCHEMES) {
  Deno.test(`pins of a ${scheme} network are read as they were kept`, async () => {
    const storage = new MemoryStorage();
    const trust: PinnedTrust = { home: pinOf("home.example/log", scheme), peers: [peer] };
    assert.equal(readPins(storage, portableBls), undefined);
    assert.ok(storePins(storage, trust));
    const stored = readPins(storage, portableBls)!;
    assert.deepEqual(stored, {
      home: { ...trust.home, chain: [] },
      peers: [{ ...peer, chain: [] }],
    });
    assert.deepEqual(await followPins(nativeCrypto, stored), trust);
    assert.deepEqual(verifierTrust(trust).peers.map(({ id }) => id), ["peer.example/log"]);
  });
}

Deno.test("readPins() rejects damaged pins and keeps them", () => {
  const storage = new MemoryStorage();
  storePins(storage, { home, peers: [] });
  const kept = storage.read(TRUST_ENTRY)!;
  const damaged = [
    "",
    "{}",
    kept.replace('"source":"file"', '"source":"friend"'),
    kept.replace('"peers":[]', '"peers":[{}]'),
    kept.replace('\\"threshold\\":2', '\\"threshold\\":4'),
    kept.replace('"pinned_at":', '"pinned":'),
    kept.replace('"chain":"[]"', '"chain":"{}"'),
    kept.replace(',"chain":"[]"', ""),
  ];
  for (const text of damaged) {
    assert.notEqual(text, kept);
    storage.texts.set(TRUST_ENTRY, text);
    assert.throws(
      () => readPins(storage, portableBls),
      (error) =>
        hasCode(error, "malformed_configuration") || hasCode(error, "invalid_configuration"),
    );
  }
});

Deno.test("withPeer() refuses the pinned network and replaces an older pin", () => {
  const trust = withPeer({ home, peers: [] }, peer);
  assert.deepEqual(withPeer(trust, peer).peers, [peer]);
  assert.deepEqual(withoutPeer(trust, "peer.example/log").peers, []);
  assert.throws(() => withPeer(trust, home), (error) => hasCode(error, "invalid_configuration"));
});

Deno.test("a pin keeps the chain that was followed from it, and a new pin of its network too", async () => {
  const { epochs: [zero, , two], links } = threeEpochs("ed25519", "home.example/log");
  const followedPeer = threeEpochs("ed25519", "peer.example/log");
  const origin = { source: "file", name: "network.json", pinnedAt: 5 } as const;
  const pin = ({ configuration }: TestNetwork) =>
    makePin(JSON.stringify(configuration), origin, portableBls);
  const follow = async ({ network }: Pin, chain: readonly SuccessionLink[]) =>
    (await followSuccession(nativeCrypto, network, chain)).network;
  const pins = { home: pin(zero), peers: [pin(followedPeer.epochs[0])] };
  const first = withFollowed(pins, await follow(pins.home, links.slice(0, 1)))!;
  const both = withFollowed(first, await follow(first.home, links))!;
  assert.equal(withFollowed(both, await follow(pins.home, links.slice(0, 1))), undefined);
  assert.equal(withFollowed(both, two.configuration), undefined);
  const all = withFollowed(both, await follow(pins.peers[0]!, followedPeer.links))!;
  assert.deepEqual([all.home, ...all.peers].map(({ network }) => network.links?.length), [2, 2]);

  const storage = new MemoryStorage();
  storePins(storage, all);
  const store = new TrustStore(storage, { ...crypto, crypto: () => Promise.resolve(nativeCrypto) });
  await store.load();
  assert.deepEqual(store.state, { state: "pinned", trust: all, kept: true });
  assert.equal((await replacedPin(nativeCrypto, all.home, pin(two))).network.epochs?.length, 3);
  assert.equal((await replacedPin(nativeCrypto, all.home, peer)).network.epochs, undefined);

  const kept = storage.read(TRUST_ENTRY)!;
  storage.texts.set(TRUST_ENTRY, kept.replace(/tree_size\\":7/, 'tree_size\\":6'));
  assert.notEqual(storage.read(TRUST_ENTRY), kept);
  await store.load();
  assert.equal(store.state.state, "broken");
});

Deno.test("a pin of a published configuration has the chain that the file carries", async () => {
  const { epochs: [, , two], links } = threeEpochs("ed25519", "home.example/log");
  const pin = (succession: readonly SuccessionLink[]) =>
    makePin(
      JSON.stringify({ ...two.configuration, succession }),
      { source: "file", name: "network.public.json", pinnedAt: 5 },
      portableBls,
    );
  const replaced = await replacedPin(nativeCrypto, undefined, pin(links));
  assert.equal(replaced.network.epochs?.length, 3);
  await assert.rejects(
    () => replacedPin(nativeCrypto, undefined, pin(links.slice(1))),
    (error) => hasCode(error, "invalid_configuration"),
  );
  const storage = new MemoryStorage();
  storePins(storage, { home: pin(links), peers: [] });
  const store = new TrustStore(storage, { ...crypto, crypto: () => Promise.resolve(nativeCrypto) });
  await store.load();
  assert.equal(store.state.state === "pinned" && store.state.trust.home.network.epochs?.length, 3);
});

Deno.test("TrustStore notifies of its own changes and of those of other tabs", async () => {
  const storage = new MemoryStorage();
  const store = new TrustStore(storage, crypto);
  const states: string[] = [];
  const end = store.subscribe(() => states.push(store.state.state));
  assert.equal(store.state.state, "loading");
  await store.load();
  store.pin({ home, peers: [] });
  store.forget();
  storePins(storage, { home, peers: [peer] });
  await store.load();
  storage.texts.set(TRUST_ENTRY, "{");
  await store.load();
  end();
  store.forget();
  assert.deepEqual(states, ["none", "pinned", "none", "pinned", "broken"]);
});

Deno.test("TrustStore.pin() lasts for the visit if storage is blocked", () => {
  const storage = new MemoryStorage();
  storage.isFull = true;
  const store = new TrustStore(storage, crypto);
  store.pin({ home, peers: [] });
  assert.deepEqual(store.state, { state: "pinned", trust: { home, peers: [] }, kept: false });
});

Deno.test("TrustStore.load() does not undo a later pin()", async () => {
  const storage = new MemoryStorage();
  storePins(storage, { home: peer, peers: [] });
  const store = new TrustStore(storage, crypto);
  const loading = store.load();
  store.pin({ home, peers: [] });
  await loading;
  assert.equal(store.state.state === "pinned" && store.state.trust.home, home);
});
