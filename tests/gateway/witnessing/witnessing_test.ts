/** Our checkpoints with the cosignatures of witnesses outside the network: a real gateway and real HTTP. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { systemClock } from "../../../src/base/clock.ts";
import { openFrontAnchors } from "../../../src/server/anchoring/front_anchors.ts";
import { utf8 } from "../../../src/base/bytes.ts";
import { parseLogPolicy } from "../../../src/proof/format/log_policy.ts";
import { parseNote } from "../../../src/proof/format/note.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine } from "../../../src/proof/format/note_writer.ts";
import { encodeCosignatureMessage } from "../../../src/proof/format/tree_head.ts";
import { anchorKeys } from "../../../src/storage/anchors/anchor_database.ts";
import { openStoreKv } from "../../../src/storage/store_kv.ts";
import { KvWitnessedStore } from "../../../src/storage/anchors/kv_witnessed_store.ts";
import { verifyNote } from "../../../src/proof/verify/note.ts";
import { verifyCheckpoint } from "../../../src/proof/verify/checkpoint.ts";
import { countByPolicy } from "../../../src/proof/verify/policy_quorum.ts";
import { TestNetwork, until } from "../fixture.ts";
import { signerOf } from "../../witness/fixture.ts";
import { eachScheme, nativeCrypto } from "../../schemes.ts";
import { linesBy, planOf, policyOf, strangerTo, WitnessedGateway } from "./witnessed_gateway.ts";

/** The witnesses of `policy` under `checkpoint`. */
async function counted(policy: string, checkpoint: string) {
  const parsed = parseLogPolicy(utf8(policy));
  const keys = [...parsed.logs, ...parsed.witnesses.values()].map(({ key }) => key);
  const { lines } = await verifyNote(nativeCrypto, keys, parseNote(checkpoint));
  const { cosigners, meetsQuorum } = countByPolicy(parsed, lines);
  return { names: cosigners.map(({ name }) => name), meetsQuorum };
}

/** A line with another signature. */
function damaged(line: string): string {
  return line.replace(/.(?=.{6}\n$)/, (letter) => letter === "A" ? "B" : "A");
}

eachScheme.test(
  "foreign cosignatures stand in /checkpoint, and count under a policy alone",
  async (scheme) => {
    const home = new TestNetwork(scheme);
    await using one = strangerTo(home, "one");
    await using two = strangerTo(home, "two");
    await using site = await WitnessedGateway.start(home, planOf(home, [one, two]));
    for (let i = 0; i < 3; i++) {
      const size = await site.publish();
      const checkpoint = await site.cosigned(2);
      const policy = policyOf(home, [one, two]);
      assert.deepEqual(await counted(policy, checkpoint), {
        names: ["s0", "s1"],
        meetsQuorum: true,
      });
      // Of the network's own witnesses, one may be late.
      assert.deepEqual(linesBy((await site.gateway.log.checkpointAt(size))!), linesBy(checkpoint));
      // The threshold of the network counts its own witnesses.
      const result = await verifyCheckpoint(nativeCrypto, home.network, checkpoint);
      assert.ok(result.valid);
      assert.ok(
        result.signers.every((id) => home.network.witnesses.some((known) => known.id === id)),
      );
      const own = checkpoint.split("\n").slice(0, 5).join("\n") + "\n";
      const stolen = own + checkpoint.split("\n").slice(-3).join("\n");
      assert.equal(
        (await verifyCheckpoint(nativeCrypto, home.network, stolen)).reason,
        "threshold_not_met",
      );
    }
    const status = (await site.anchoring.status()).witnessing!;
    assert.deepEqual(status.quorum, { size: 3 });
    assert.deepEqual(status.witnesses.map(({ last }) => last!.treeSize), [3, 3]);
    const { foreign_witnesses: shown, foreign_quorum: quorum } =
      (await site.gateway.status.anchoring())!;
    assert.deepEqual(quorum, { met: true, tree_size: 3 });
    assert.deepEqual(shown!.map(({ behind }) => behind), [0, 0]);
    assert.deepEqual(Object.keys(shown![0]!), ["name", "last_cosigned", "behind"]);
  },
);

Deno.test("a slow witness gets the latest checkpoint, not each, and delays nothing", async () => {
  const home = new TestNetwork();
  await using fast = strangerTo(home, "fast");
  await using slow = strangerTo(home, "slow");
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  slow.manner = async (_, honest) => {
    asked.resolve();
    await answer.promise;
    return await honest();
  };
  await using site = await WitnessedGateway.start(home, planOf(home, [fast, slow]));
  await site.publish();
  await asked.promise;
  for (let i = 0; i < 10; i++) {
    await site.publish();
    await site.cosigned(1);
  }
  assert.equal(slow.bodies.length, 1);
  const quorum = async () => (await site.anchoring.status()).witnessing!.quorum!;
  assert.ok((await quorum()).behindSince! > 1_700_000_000);
  answer.resolve();
  await site.cosigned(2);
  assert.deepEqual(slow.sizes, [0, 1]);
  assert.deepEqual(await quorum(), { size: 11 });
  assert.deepEqual(fast.sizes, Array.from({ length: 11 }, (_, i) => i));
  // The first checkpoint met the quorum late; between it and the last one, none did.
  const store = new KvWitnessedStore(site.database);
  assert.equal(await store.covering(1), 1);
  assert.equal(await store.covering(2), 11);
  assert.equal(await store.at(5), undefined);
});

Deno.test("witnesses that are down or refuse delay nothing, and the log has the reason", async () => {
  const home = new TestNetwork();
  await using good = strangerTo(home, "good");
  await using unknown = strangerTo(home, "unknown");
  unknown.manner = () => new Response("unknown log", { status: 404 });
  const witnesses = [good.asked(), unknown.asked({ publicUrl: "https://unknown.example/" })];
  const plan = planOf(home, [good, unknown], { needed: 1, witnesses });
  await using site = await WitnessedGateway.start(home, plan);
  await site.publish();
  const checkpoint = await site.cosigned(1);
  assert.deepEqual(await counted(policyOf(home, [good, unknown], 1), checkpoint), {
    names: ["s0"],
    meetsQuorum: true,
  });
  await until(async () =>
    (await site.anchoring.status()).witnessing!.witnesses[1]!.lastError === "witness_refused"
  );
  const { foreign_witnesses: shown, foreign_quorum: quorum } =
    (await site.gateway.status.anchoring())!;
  assert.deepEqual(quorum, { met: true, tree_size: 1 });
  const { name, url, last_error: error, next_attempt_at: next, last_cosigned: last } = shown![1]!;
  assert.deepEqual([name, url, error, last], [
    "log.example/test/w1",
    "https://unknown.example/",
    "witness_refused",
    undefined,
  ]);
  assert.ok(next! > 1_700_000_000);
  const [refused] = site.log.begun("witness_refused");
  assert.match(refused!.message, /witness-network request/);
});

Deno.test("cosignatures outlive a restart of the gateway, while their witness is down", async () => {
  const home = new TestNetwork();
  const folder = await Deno.makeTempDir();
  const witness = strangerTo(home);
  const plan = planOf(home, [witness]);
  let checkpoint: string;
  {
    await using site = await WitnessedGateway.start(home, plan, folder);
    await site.publish();
    checkpoint = await site.cosigned(1);
  }
  await witness[Symbol.asyncDispose]();
  await using site = await WitnessedGateway.start(home, plan, folder);
  assert.equal(linesBy(await site.cosigned(1))[0], linesBy(checkpoint)[0]);
  await until(async () =>
    (await site.anchoring.status()).witnessing!.witnesses[0]!.lastError === "witness_unreachable"
  );
  await site.publish();
  assert.deepEqual(linesBy(site.gateway.log.checkpoint()!), []);
  assert.equal(linesBy((await site.gateway.log.checkpointAt(1))!).length, 1);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a stored cosignature that does not verify is not shown, and its witness is asked again", async () => {
  const home = new TestNetwork();
  const folder = await Deno.makeTempDir();
  await using witness = strangerTo(home);
  const plan = planOf(home, [witness]);
  {
    await using site = await WitnessedGateway.start(home, plan, folder);
    await site.publish();
    await site.cosigned(1);
    const store = new KvWitnessedStore(site.database);
    const { lines: [line], ...record } = (await store.at(1))!;
    await store.save({ ...record, lines: [{ ...line!, line: damaged(line!.line) }] });
  }
  const answer = Promise.withResolvers<void>();
  witness.manner = async (_, honest) => {
    await answer.promise;
    return await honest();
  };
  const asked = witness.bodies.length;
  await using site = await WitnessedGateway.start(home, plan, folder);
  await until(() => witness.bodies.length > asked);
  const shown = linesBy(site.gateway.log.checkpoint()!);
  answer.resolve();
  assert.deepEqual(shown, []);
  const checkpoint = await site.cosigned(1);
  assert.ok((await counted(policyOf(home, [witness]), checkpoint)).meetsQuorum);
  await Deno.remove(folder, { recursive: true });
});

for (const meetsQuorum of [true, false]) {
  const kind = meetsQuorum ? "with" : "without";
  Deno.test(`new cosignatures replace a damaged record ${kind} a quorum, and bundles pass over it`, async () => {
    const home = new TestNetwork();
    const folder = await Deno.makeTempDir();
    await using one = strangerTo(home, "one");
    await using two = strangerTo(home, "two");
    const plan = planOf(home, [one, two]);
    const damage = async (size: number) => {
      const kv = await openStoreKv(join(folder, "anchors.kv"));
      await kv.atomic().set(anchorKeys.witnessedAt(meetsQuorum, size), Uint8Array.of(7)).commit();
      kv.close();
    };
    if (!meetsQuorum) two.manner = () => new Response("no", { status: 500 });
    {
      await using site = await WitnessedGateway.start(home, plan, folder);
      for (let i = 0; i < 2; i++) {
        await site.publish();
        await site.cosigned(meetsQuorum ? 2 : 1);
      }
    }
    await damage(1);
    await damage(2);
    two.manner = () => new Response("no", { status: 500 });
    await using site = await WitnessedGateway.start(home, plan, folder);
    // One line of two, so no quorum.
    await site.cosigned(1);
    const store = new KvWitnessedStore(site.database);
    await until(async () => (await store.at(2))?.lines.length === 1);
    assert.equal((await store.at(2))!.meetsQuorum, false);
    assert.ok(site.log.begun("store_corrupt").length > 0);
    // The record of size 1 is damaged still, unless it was removed.
    const { witnessed } = await site.anchoring.source.covering(1);
    assert.deepEqual([witnessed?.size, witnessed?.lines.length], [2, 1]);
    two.manner = () => undefined;
    await site.publish();
    await site.cosigned(2);
    assert.equal((await site.anchoring.source.covering(1)).witnessed?.size, 3);
    await Deno.remove(folder, { recursive: true });
  });
}

Deno.test("a front shows the cosignatures that the sequencer has stored", async () => {
  const home = new TestNetwork();
  const folder = await Deno.makeTempDir();
  await using one = strangerTo(home, "one");
  {
    await using site = await WitnessedGateway.start(home, planOf(home, [one]), folder);
    const { source, feed } = site.anchoring;
    const front = openFrontAnchors(
      { file: join(folder, "anchors.kv"), networkId: home.network.id, peers: [], services: [] },
      { crypto: nativeCrypto, clock: systemClock, damaged: (error) => assert.fail(error) },
    )!;
    // What the sequencer sends is JSON.
    const follow = () => front.changed(JSON.parse(JSON.stringify(feed.value)));
    for (let size = 1; size <= 3; size++) {
      await site.publish();
      await site.cosigned(1);
      follow();
      const shown = await front.source.status(size + 1);
      assert.equal(shown.foreign_witnesses![0]!.name, one.key.name);
      assert.equal(shown.foreign_quorum!.met, false);
      assert.deepEqual(front.source.latestWitnessed, source.latestWitnessed);
      assert.equal(front.source.latestWitnessed!.lines.length, 1);
      assert.equal(front.source.version, source.version);
      const stored = await source.witnessedAt(size);
      assert.equal(stored?.lines.length, 1);
      assert.deepEqual(await front.source.witnessedAt(size), stored);
      assert.deepEqual((await front.source.covering(size)).witnessed, stored);
      assert.equal((await front.source.covering(size)).isFinal, true);
    }
    front.close();
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("cosignatures of another tree, as of an old copy of the store, are not shown", async () => {
  const home = new TestNetwork();
  await using one = strangerTo(home, "one");
  // Nobody is asked: the records are those of the test.
  await using site = await WitnessedGateway.start(home, { ...planOf(home, [one]), witnesses: [] });
  const size = await site.publish();
  const head = site.gateway.log.latest()!.sth.tree_head;
  const store = new KvWitnessedStore(site.database);
  const name = "log.example/test/w1";
  const key = { name, type: NOTE_TYPE.cosignature, publicKey: signerOf(name).publicKey };
  for (const rootHash of ["ab".repeat(32), head.root_hash]) {
    const signed = { ...head, root_hash: rootHash };
    const signature = signerOf(name).sign(utf8(encodeCosignatureMessage(signed)));
    const line = encodeSignatureLine(cosignatureLine(key, head.timestamp, signature));
    const lines = [{ vkey: encodeVkey(key), line }];
    await store.save({ size, rootHash, lines, meetsQuorum: true });
    assert.equal((await site.anchoring.source.witnessedAt(size))?.lines.length, 1);
    const shown = linesBy((await site.gateway.log.checkpointAt(size))!).length;
    assert.equal(shown, rootHash === head.root_hash ? 1 : 0);
  }
  const [damaged] = (await store.at(size))!.lines;
  const lines = [{ ...damaged!, line: damaged!.line.replace(/.{6}\n$/, "AAAAA=\n") }];
  await store.save({ size, rootHash: head.root_hash, lines, meetsQuorum: true });
  assert.equal(await site.anchoring.source.witnessedAt(size), undefined);
  assert.equal(site.log.begun("store_corrupt").length, 1);
});
