import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { utf8 } from "../../../src/base/bytes.ts";
import { hasCode } from "../../../src/base/errors.ts";
import { BucketCopy } from "../../../src/http/outgoing/bucket_copy.ts";
import { BucketServer } from "./bucket_server.ts";
import { Killed, KilledCopy, publisherOf, requireComplete } from "./copies.ts";
import { SyntheticLog } from "./synthetic_log.ts";

Deno.test("a log is published to a bucket, with headers for caches", async () => {
  const server = new BucketServer();
  await server.serve(async (url) => {
    const copy = await BucketCopy.open(server.optionsOf(url));
    assert.equal(server.keys.length, 0);
    const log = new SyntheticLog();
    for (const count of [3, 250, 400]) {
      log.grow(count);
      assert.deepEqual(await publisherOf(log, copy, 4).step(), { kind: "grown", size: log.size });
      assert.equal(await requireComplete(log, copy), log.size);
    }
    assert.ok(server.keys.every((key) => key.startsWith("a/log/")));
    assert.deepEqual(server.keys.filter((key) => key.includes("/000.p/")), [
      "a/log/tile/1/000.p/2",
    ]);
    const headers = (path: string) => server.objects.get(`a/log/${path}`)?.headers["cache-control"];
    assert.equal(headers("tile/0/000"), "public, max-age=31536000, immutable");
    assert.equal(headers("checkpoint"), "no-cache");
    const { body, headers: entriesHeaders } = server.objects.get("a/log/tile/entries/000")!;
    assert.equal(entriesHeaders["content-encoding"], "gzip");
    const entries = await copy.read("tile/entries/000");
    assert.deepEqual(new Uint8Array(gunzipSync(body)), entries);
    assert.equal(server.objects.get("a/log/tile/0/000")!.headers["content-encoding"], undefined);
  });
});

Deno.test("a bucket that ignores conditions is refused, or used where it is allowed", async () => {
  const server = new BucketServer();
  server.ignoresConditions = true;
  await server.serve(async (url) => {
    await assert.rejects(BucketCopy.open(server.optionsOf(url)), (error) => {
      assert.ok(hasCode(error, "invalid_configuration"));
      assert.match(error.message, /s3:\/\/tiles\/a\/log\/: the service ignores conditional writes/);
      return true;
    });
    assert.equal(server.keys.length, 0);
    const copy = await BucketCopy.open(server.optionsOf(url, { allowUnconditional: true }));
    assert.equal(copy.isConditional, false);
    const log = new SyntheticLog();
    log.grow(5);
    await publisherOf(log, copy).step();
    log.grow(5);
    await publisherOf(log, copy).step();
    assert.equal(await requireComplete(log, copy), 10);
    // What is there is read, since the service does not check it.
    assert.equal(await copy.putNew("tile/0/000.p/5", utf8("other")), false);
    assert.equal(await copy.replaceCheckpoint({ text: "other", version: "" }, "x"), false);
  });
});

Deno.test("a wrong secret or a tampered request is refused by the service", async () => {
  const server = new BucketServer();
  await server.serve(async (url) => {
    const wrong = server.optionsOf(url, { secretAccessKey: "another+secret+of+the+access+key" });
    await assert.rejects(BucketCopy.open(wrong), (error) => {
      assert.ok(hasCode(error, "file_failed"));
      assert.match(error.message, /403 SignatureDoesNotMatch/);
      assert.ok(!error.message.includes("another+secret"));
      return true;
    });
    assert.ok(server.refused > 0);
  });
});

Deno.test("requests that fail or lose their answer are repeated", async () => {
  const server = new BucketServer();
  await server.serve(async (url) => {
    const copy = await BucketCopy.open(server.optionsOf(url));
    const log = new SyntheticLog();
    log.grow(300);
    server.failures.push(503, 500, 429, 409);
    await publisherOf(log, copy, 2).step();
    assert.equal(await requireComplete(log, copy), 300);
    log.grow(1);
    server.loseAnswers = 4;
    // A write whose answer was lost finds itself, and is no conflict.
    assert.deepEqual(await publisherOf(log, copy).step(), { kind: "grown", size: 301 });
    server.loseAnswers = 1;
    const stored = await copy.checkpoint();
    server.loseAnswers = 1;
    assert.equal(await copy.replaceCheckpoint(stored, "new"), true);
    assert.equal(await copy.replaceCheckpoint(stored, "newer"), false);
    server.failures.push(403);
    await assert.rejects(copy.checkpoint(), (error) => hasCode(error, "file_failed"));
  });
});

Deno.test("two publishers of one bucket, one of which is killed, leave a complete copy", async () => {
  const server = new BucketServer();
  await server.serve(async (url) => {
    const copy = await BucketCopy.open(server.optionsOf(url));
    const log = new SyntheticLog();
    let last = 0;
    for (let at = 1; at < 25; at++) {
      log.grow(60);
      const killed = new KilledCopy(copy, at, at % 2 === 0);
      await Promise.all([
        publisherOf(log, killed, 2).step().catch((error) => assert.ok(error instanceof Killed)),
        publisherOf(log, copy, 2).step(),
      ]);
      const size = await requireComplete(log, copy);
      assert.ok(size >= last);
      last = size;
    }
    assert.equal(last, log.size);
  });
});
