import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { parseBundle, parseSignedAttestation } from "../../src/proof/format/bundle.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { NO_OBSERVER } from "../../src/gateway/observer.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { hashAt, memoryStore, randomDigests, TestNetwork, until } from "./fixture.ts";
import { eachScheme, nativeCrypto } from "../schemes.ts";

eachScheme.test("a digest becomes a confirmed and batched attestation that verifies offline", async (scheme) => {
  const network = new TestNetwork(scheme);
  const { gateway, faults } = await network.start(await memoryStore());
  try {
    const digest = randomDigests(1);
    const [sequence] = await gateway.jobs.accept(digest);
    assert.equal(sequence, 0);
    await gateway.jobs.settled([0], 5);
    const snapshot = await gateway.jobs.snapshot(0);
    assert.equal(snapshot.terminal, true);
    const members = JSON.parse(snapshot.json) as JobSnapshotMembers;
    assert.equal(snapshot.json, JSON.stringify(members));
    assert.equal(members.status, "confirmed");
    parseSignedAttestation(JSON.stringify(members.signed_attestation));
    await until(() => gateway.log.latest() !== undefined);
    const bundle = parseBundle(await gateway.proofs.bundle(await hashAt(gateway, 0)));
    const verdict = await verifyBundle(
      nativeCrypto,
      { network: network.network, peers: [] },
      bundle,
    );
    assert.equal(verdict.level, "batched");
    assert.deepEqual(faults, []);
  } finally {
    await gateway.stop();
  }
});

eachScheme.test("many concurrent submissions with repeats give each digest one sequence", async (scheme) => {
  const network = new TestNetwork(scheme);
  const { gateway, faults } = await network.start(await memoryStore());
  try {
    const digests = randomDigests(3000);
    const requests = Array.from({ length: 600 }, (_, i) => {
      const from = (i * 37) % 2990;
      return digests.slice(from * 32, (from + 10) * 32);
    });
    const answers = await Promise.all(requests.map((request) => gateway.jobs.accept(request)));
    const byHash = new Map<string, number>();
    answers.forEach((sequences, i) =>
      sequences.forEach((sequence, k) => {
        const hash = requests[i]!.slice(k * 32, k * 32 + 32).toHex();
        assert.equal(byHash.get(hash) ?? sequence, sequence);
        byHash.set(hash, sequence);
      })
    );
    const sequences = [...byHash.values()].sort((a, b) => a - b);
    assert.deepEqual(sequences, Array.from({ length: byHash.size }, (_, i) => i));
    await gateway.jobs.settled(sequences, 10);
    await until(() => gateway.log.latest()?.sth.tree_head.tree_size === byHash.size);
    for (const [hash, sequence] of [...byHash].slice(0, 50)) {
      const bundle = parseBundle(await gateway.proofs.bundle(await hashAt(gateway, sequence)));
      assert.equal(bundle.signed_attestation.attestation.hash, hash);
      const home = { network: network.network, peers: [] };
      const verdict = await verifyBundle(nativeCrypto, home, bundle);
      assert.equal(verdict.level, "batched");
    }
    assert.deepEqual(faults, []);
  } finally {
    await gateway.stop();
  }
});

eachScheme.test("requests of one turn of the event loop share a commit and a round", async (scheme) => {
  const network = new TestNetwork(scheme);
  const sizes = { commits: [] as number[], rounds: [] as number[] };
  const observer = {
    ...NO_OBSERVER,
    committed: ({ digests }: { digests: number }) => void sizes.commits.push(digests),
    roundSigned: ({ size }: { size: number }) => void sizes.rounds.push(size),
  };
  const ended = Promise.withResolvers<void>();
  const options = { observer, turn: () => ended.promise };
  const { gateway, faults } = await network.start(await memoryStore(), options);
  try {
    const answers = [];
    for (let i = 0; i < 5; i++) {
      // Each request has its own microtasks.
      await setImmediate();
      answers.push(gateway.jobs.submit(randomDigests(1).toHex(), 10));
    }
    assert.deepEqual(sizes.commits, []);
    ended.resolve();
    assert.ok((await Promise.all(answers)).every(({ terminal }) => terminal));
    assert.deepEqual([sizes.commits[0], sizes.rounds], [5, [5]]);
    assert.deepEqual(faults, []);
  } finally {
    await gateway.stop();
  }
});

eachScheme.test("sequential submissions are committed, even after the committer was idle", async (scheme) => {
  const folder = await Deno.makeTempDir();
  const network = new TestNetwork(scheme);
  const store = await openKvLogStore(`${folder}/store.kv`, "test");
  const { gateway } = await network.start(store);
  try {
    for (let i = 0; i < 20; i++) assert.deepEqual(await gateway.jobs.accept(randomDigests(1)), [i]);
  } finally {
    await gateway.stop();
    await Deno.remove(folder, { recursive: true });
  }
});
