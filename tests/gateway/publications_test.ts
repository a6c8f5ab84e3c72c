import assert from "node:assert/strict";
import { memoryStore, randomDigests, TestNetwork, until } from "./fixture.ts";

Deno.test("onPublished() calls each listener until it aborts, and a failing listener is reported", async () => {
  const reports: string[] = [];
  const { gateway, faults } = await new TestNetwork().start(await memoryStore(), {
    report: (message) => reports.push(message),
  });
  const sizes: (number | undefined)[] = [];
  const leave = new AbortController();
  const stay = new AbortController();
  gateway.log.onPublished(() => {
    throw new Error("a listener's own");
  }, stay.signal);
  gateway.log.onPublished(
    () => sizes.push(gateway.log.latest()?.sth.tree_head.tree_size),
    leave.signal,
  );
  gateway.log.onPublished(() => sizes.push(-1), AbortSignal.abort());
  const publish = async (size: number) => {
    await gateway.jobs.accept(randomDigests(1));
    await until(() => gateway.log.latest()?.sth.tree_head.tree_size === size);
  };
  await publish(1);
  await publish(2);
  leave.abort();
  await publish(3);
  assert.deepEqual(sizes, [1, 2]);
  assert.equal(reports.filter((message) => message.includes("a listener's own")).length, 3);
  assert.deepEqual(faults, []);
  await gateway.stop();
});

Deno.test("PublishedLog reads the latest head with its log signature, growth and the next head", async () => {
  const network = new TestNetwork();
  const { gateway } = await network.start(await memoryStore());
  assert.equal(gateway.log.latest(), undefined);
  assert.equal(await gateway.log.firstAbove(0), undefined);
  for (const size of [2, 5]) {
    await gateway.jobs.accept(randomDigests(size === 2 ? 2 : 3));
    await until(() => gateway.log.latest()?.sth.tree_head.tree_size === size);
  }
  assert.equal((await gateway.log.firstAbove(0))?.tree_size, 2);
  assert.equal((await gateway.log.firstAbove(2))?.tree_size, 5);
  assert.equal(await gateway.log.firstAbove(5), undefined);
  const { sth, logSignature } = gateway.log.latest()!;
  assert.deepEqual(sth, gateway.log.latest()?.sth);
  assert.equal(logSignature.length, 64);
  assert.equal((await gateway.log.root(5)).toHex(), sth.tree_head.root_hash);
  const proof = await gateway.log.consistency(2, 5);
  const path = await gateway.log.consistencyPath(2, 5);
  assert.deepEqual(path.map((node) => node.toHex()), proof.consistency_path);
  await assert.rejects(gateway.log.root(6), { code: "tree_size_not_published" });
  await assert.rejects(gateway.log.consistencyPath(2, 6), { code: "tree_size_not_published" });
  assert.equal(await gateway.status.unpublishedSince(), undefined);
  for (const witness of network.witnesses) witness.down = true;
  const before = Math.floor(Date.now() / 1000);
  await gateway.jobs.accept(randomDigests(1));
  const since = await gateway.status.unpublishedSince();
  const after = Math.floor(Date.now() / 1000);
  assert.ok(since !== undefined && since >= before && since <= after);
  await gateway.stop();
});
