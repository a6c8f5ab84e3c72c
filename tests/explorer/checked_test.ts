import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { hasCode } from "../../src/base/errors.ts";
import type { PageStorage } from "../../src/explorer/browser_storage.ts";
import { makePin, type PinnedTrust } from "../../src/explorer/trust.ts";
import { GatewayClient } from "../../src/client/gateway_client.ts";
import type { CryptoLoader } from "../../src/explorer/assets.ts";
import {
  checkedBatch,
  checkedBundle,
  checkedHead,
  fetchProof,
  judgedBundle,
  pinnedTrust,
  trustInUse,
  trustKey,
} from "../../src/explorer/checked.ts";
import { TrustStore } from "../../src/explorer/trust_store.ts";
import { fingerprintOf } from "../../src/proof/format/trust_core.ts";
import { historyOf } from "../gateway/federation/histories.ts";
import { bls } from "../schemes.ts";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import {
  batchedBundle,
  digestOf,
  makeLog,
  nativeCrypto,
  TestNetwork,
} from "../proof/verify/fixture.ts";

const NEVER = new AbortController().signal;
const home = new TestNetwork("net.example/home");
const twin = new TestNetwork(home.id, { seeds: ["a", "b", "c"] });
const peer = new TestNetwork("peer.example/log");
const whole = batchedBundle(makeLog(home));
const log = historyOf(home, "one", 3, 9);

const crypto: CryptoLoader = {
  blsFor: () => Promise.resolve(bls),
  crypto: () => Promise.resolve(nativeCrypto),
};

const clock: Clock = { ...systemClock, nowMs: () => 1_766_299_999_500 };

function storageWith(text?: string): PageStorage {
  const texts = new Map(text === undefined ? [] : [["trust", text]]);
  return {
    read: (name) => texts.get(name),
    write: (name, value) => Boolean(texts.set(name, value)),
    remove: (name) => texts.delete(name),
  };
}

/** A page whose gateway names `named`, and shows `log` at 9 whatever is asked. */
function servicesOf(named: TestNetwork, storage = storageWith()) {
  const asked: string[] = [];
  const api = new GatewayClient({
    url: new URL("http://gateway.test/"),
    blsFor: crypto.blsFor,
    fetch: (input) => {
      const { pathname } = new URL(String(input));
      asked.push(pathname);
      const body = pathname === "/v1/network" ? named.configuration : log.sth(9, 1_800_000_100);
      return Promise.resolve(Response.json(body));
    },
  });
  return { api, crypto, trust: new TrustStore(storage, crypto), clock, asked };
}

/** Answers every hash with one bundle. */
class OneBundleGateway extends GatewayClient {
  constructor() {
    super({
      url: new URL("http://gateway.test/"),
      fetch: () => Promise.resolve(Response.json(home.configuration)),
      blsFor: crypto.blsFor,
    });
  }

  override bundle() {
    return Promise.resolve({ text: "", value: whole });
  }
}

function pinOf(network: TestNetwork) {
  const text = JSON.stringify(network.configuration);
  return makePin(text, { source: "file", name: "network.json", pinnedAt: 5 }, bls);
}

Deno.test("trustInUse() without pins is the gateway's own configuration", async () => {
  const services = servicesOf(home);
  const asking = trustInUse(services, NEVER);
  assert.deepEqual(services.asked, [], "nothing is asked before it is known what is pinned");
  await services.trust.load();
  const { network, fingerprint, isPinned, peers } = await asking;
  assert.deepEqual(network, home.configuration);
  assert.equal(fingerprint, fingerprintOf(home.configuration));
  assert.deepEqual([isPinned, peers], [false, []]);
});

Deno.test("trustInUse() prefers the pin to the gateway's configuration", async () => {
  const services = servicesOf(twin);
  await services.trust.load();
  const unpinned = await checkedHead(services, undefined, NEVER);
  assert.equal(unpinned.outcome.valid, false);
  const pinned: PinnedTrust = { home: pinOf(home), peers: [pinOf(peer)] };
  const before = trustKey(services.trust.state);
  services.trust.pin(pinned);
  assert.notEqual(trustKey(services.trust.state), before);
  services.asked.length = 0;
  const { outcome, trust, sth } = await checkedHead(services, 9, NEVER);
  assert.deepEqual([outcome.valid, trust.isPinned, sth.tree_head.tree_size], [true, true, 9]);
  assert.deepEqual(trust.peers, [peer.configuration]);
  assert.deepEqual(services.asked, ["/v1/log/sth/9"]);
});

Deno.test("checkedHead() refuses a head of another size", async () => {
  const services = servicesOf(home);
  await services.trust.load();
  const refused = (error: unknown) => hasCode(error, "malformed_bundle");
  await assert.rejects(checkedHead(services, 8, NEVER), refused);
});

Deno.test("checkedBatch() is undefined for a missing batch, whichever answer is first", async () => {
  const problem = (code: string) =>
    Response.json({ status: 404, code, title: code }, {
      status: 404,
      headers: { "Content-Type": "application/problem+json" },
    });
  const found = async (batch: string, head: string, slow: string) => {
    const api = new GatewayClient({
      url: new URL("http://gateway.test/"),
      blsFor: crypto.blsFor,
      fetch: async (input) => {
        const { pathname } = new URL(String(input));
        if (pathname === "/v1/network") return Response.json(home.configuration);
        if (pathname.includes(slow)) await new Promise((resolve) => setTimeout(resolve, 5));
        return problem(pathname.includes("sth") ? head : batch);
      },
    });
    const services = { ...servicesOf(home), api };
    await services.trust.load();
    return await checkedBatch(services, 7, NEVER);
  };
  for (const slow of ["sth", "batch"]) {
    assert.equal(await found("batch_not_found", "tree_size_not_published", slow), undefined);
    await assert.rejects(found("internal", "tree_size_not_published", slow));
  }
});

Deno.test("fetchProof() and checkedBundle() refuse the genuine proof of another hash", async () => {
  const own = whole.signed_attestation.attestation.hash;
  const services = { ...servicesOf(home), api: new OneBundleGateway() };
  await services.trust.load();
  const refused = (error: unknown) => hasCode(error, "malformed_bundle");
  assert.equal((await fetchProof(services.api, own)).value, whole);
  const { verdict, verifiedAt } = await checkedBundle(services, own, NEVER);
  assert.deepEqual([verdict.valid, verifiedAt], [true, 1_766_299_999]);
  for (const hash of ["0".repeat(64), own.toUpperCase()]) {
    await assert.rejects(fetchProof(services.api, hash), refused);
    await assert.rejects(checkedBundle(services, hash, NEVER), refused);
  }
});

Deno.test("what a genuine proof has shown refuses a later forgery by retired keys", async () => {
  const { log: epochLog, epochs: [zero, , two], links } = threeEpochs("ed25519", home.id);
  const storage = storageWith();
  const services = servicesOf(zero, storage);
  services.trust.pin({ home: pinOf(zero), peers: [] });
  const judge = async (bundle: ProofBundle, { trust } = services) => {
    assert.ok(trust.state.state === "pinned");
    return await judgedBundle({ crypto, trust }, pinnedTrust(trust.state.trust), bundle);
  };
  const forged = new TestLog(zero);
  for (let i = 0; i < 24; i++) forged.addRound([digestOf(`${i}`)], { timestamp: 1_766_290_000 });
  const forgery = forged.bundle(20, forged.batchInclusion(20, forged.sth(24, 1_766_299_000)));
  assert.equal((await judge(forgery)).valid, true, "nothing is known yet");
  const key = trustKey(services.trust.state);
  const sth = two.signHead(epochLog.head(24, 1_766_279_000));
  const genuine = epochLog.bundle(20, epochLog.batchInclusion(20, sth));
  assert.equal((await judge({ ...genuine, succession: [...links] })).level, "batched");
  assert.notEqual(trustKey(services.trust.state), key, "pages verify again");
  assert.equal((await judge(forgery)).valid, false);
  const later = servicesOf(zero, storage);
  await later.trust.load();
  assert.equal((await judge(forgery, later)).valid, false);
  assert.equal((await judge(genuine, later)).level, "batched");
});

Deno.test("trustInUse() rejects when the pins cannot be read", async () => {
  const services = servicesOf(home, storageWith('{"home": 3}'));
  await services.trust.load();
  const refused = (error: unknown) => hasCode(error, "malformed_configuration");
  await assert.rejects(trustInUse(services, NEVER), refused);
  assert.deepEqual(services.asked, []);
});

Deno.test("trustInUse() rejects when it is aborted before the pins are loaded", async () => {
  const services = servicesOf(home);
  const stop = new AbortController();
  const asking = trustInUse(services, stop.signal);
  stop.abort(new Error("left"));
  await assert.rejects(asking, /left/);
});
