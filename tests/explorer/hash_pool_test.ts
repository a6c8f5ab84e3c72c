import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { findWork } from "../../src/proof/format/work_proof.ts";
import { hasCode } from "../../src/base/errors.ts";
import {
  HashPool,
  type HashReport,
  type HashWorker,
  LONG_HASHES,
} from "../../src/explorer/hashing/hash_pool.ts";
import { PartNotLoaded } from "../../src/explorer/page_part.ts";

const SCRIPT = new URL("../../src/explorer/hashing/hash_worker.ts", import.meta.url);

function startWorker(): HashWorker {
  return new Worker(SCRIPT, { type: "module" });
}

const never = new AbortController().signal;
const silent = { onProgress: () => {}, signal: never };

Deno.test("the workers hash files of any size and report progress", async () => {
  const pool = new HashPool(startWorker, 2);
  const sizes = [0, 1, 63, 64, 65, 70_000, 20 * 1024 * 1024 + 1];
  await Promise.all(sizes.map(async (size) => {
    const content = new Uint8Array(randomBytes(size));
    const reported: number[] = [];
    const hash = await pool.hash(new Blob([content]), {
      ...silent,
      onProgress: (done) => reported.push(done),
    });
    assert.equal(hash, createHash("sha256").update(content).digest("hex"));
    assert.equal(reported.length > 1, size > 8 * 1024 * 1024);
    assert.equal(reported.at(-1), size);
    assert.ok(reported.every((done, i) => done >= (reported[i - 1] ?? 0) && done <= size));
  }));
});

Deno.test("the workers hash by SHA-384 and SHA-512 when a token needs it, and say if they cannot", async () => {
  const modules = {
    [LONG_HASHES]: new URL("../../src/explorer/hashing/long_hashes.ts", import.meta.url).href,
  };
  const pool = new HashPool(startWorker, 1, modules);
  const content = new Uint8Array(randomBytes(9 * 1024 * 1024));
  for (const hash of ["SHA-512", "SHA-256", "SHA-384"] as const) {
    const expected = createHash(hash.replace("-", "").toLowerCase()).update(content).digest("hex");
    assert.equal(await pool.hash(new Blob([content]), { ...silent, hash }), expected);
  }
  const broken = new HashPool(startWorker, 1, { [LONG_HASHES]: "file:///missing/long_hashes.js" });
  await assert.rejects(broken.hash(new Blob(["a"]), { ...silent, hash: "SHA-512" }), PartNotLoaded);
  assert.match(await broken.hash(new Blob(["a"]), silent), /^ca978112/);
});

Deno.test("HashPool gives files out in order, to workers of which one stays when none is left", async () => {
  const workers: FakeWorker[] = [];
  const pool = new HashPool(() => {
    workers.push(fakeWorker(() => {}));
    return workers.at(-1)!;
  }, 2);
  const started: number[] = [];
  const stop = new AbortController();
  const hashes = Array.from({ length: 5 }, (_, i) =>
    pool.hash(new Blob([]), {
      ...silent,
      onStart: () => started.push(i),
      signal: i === 2 ? stop.signal : never,
    }));
  assert.deepEqual(started, [0, 1]);
  stop.abort(new Error("cancelled"));
  await assert.rejects(hashes[2]!, /cancelled/);
  workers[0]!.report({ kind: "hashed", hash: "0", size: 7 });
  workers[0]!.report({ kind: "failed", message: "gone" });
  assert.deepEqual(started, [0, 1, 3, 4]);
  await assert.rejects(hashes[3]!, (error) => hasCode(error, "file_failed"));
  for (const worker of workers) worker.report({ kind: "hashed", hash: "1", size: 7 });
  assert.deepEqual(await Promise.all([hashes[0], hashes[1], hashes[4]]), ["0", "1", "1"]);
  assert.deepEqual(workers.map(({ ended }) => ended), [true, false]);
});

Deno.test("HashPool.hash() fails if the file cannot be read to its end", async () => {
  for (const message of ["3 bytes required, found 2", "gone"]) {
    const worker = fakeWorker((report) => report({ kind: "failed", message }));
    await assert.rejects(
      new HashPool(() => worker, 1).hash(new Blob(["abc"]), silent),
      (error) => hasCode(error, "file_failed") && error.message.includes(message),
    );
  }
});

Deno.test("HashPool.hash() fails if the worker does not start, and ends it when aborted", async () => {
  const broken = fakeWorker(() => {});
  const failing = new HashPool(() => broken, 1).hash(new Blob([]), silent);
  broken.fail();
  await assert.rejects(failing, PartNotLoaded);
  const stop = new AbortController();
  const idle = fakeWorker(() => {});
  const pool = new HashPool(() => idle, 1);
  const cancelled = pool.hash(new Blob([]), { ...silent, signal: stop.signal });
  stop.abort(new Error("cancelled"));
  await assert.rejects(cancelled, /cancelled/);
  assert.equal(idle.ended, true);
  const unopened = new HashPool(() => idle, 1);
  await assert.rejects(
    unopened.hash(new Blob([]), { ...silent, signal: stop.signal }),
    /cancelled/,
  );
});

Deno.test("HashPool.prepare() loads a worker, which does the work of those that cannot be loaded", async () => {
  const workers: FakeWorker[] = [];
  const pool = new HashPool(() => {
    workers.push(fakeWorker(() => {}));
    return workers.at(-1)!;
  }, 3);
  pool.prepare();
  pool.prepare();
  assert.equal(workers.length, 1);
  const started: number[] = [];
  const hashes = [1, 2, 3].map((id) =>
    pool.hash(new Blob([]), { ...silent, onStart: () => started.push(id) })
  );
  assert.equal(workers.length, 3);
  workers[1]!.fail();
  workers[2]!.fail();
  assert.equal(workers.length, 3);
  for (const hash of ["1", "2", "3"]) workers[0]!.report({ kind: "hashed", hash, size: 0 });
  assert.deepEqual((await Promise.all(hashes)).toSorted(), ["1", "2", "3"]);
  assert.equal(workers[0]!.ended, false);

  const stopped = pool.hash(new Blob([]), silent);
  workers[0]!.fail();
  await assert.rejects(stopped, (error) => hasCode(error, "file_failed"));
});

Deno.test("HashPool.findWork() searches in a worker, with the fetched module or without", async () => {
  const subject = { issuerName: "issuer.example", requestDigest: new Uint8Array(32) };
  const demand = { time: 1_766_275_200, bits: 12 };
  const build = Deno.readFileSync(new URL("../../wasm/build/hashing.simd.wasm", import.meta.url));
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    asked.push(new URL(request.url).pathname);
    return new Response(build, { headers: { "Content-Type": "application/wasm" } });
  });
  const expected = findWork(subject, demand, portableKernels);
  const file = "hashing.simd.wasm";
  const modules = { [file]: `http://127.0.0.1:${server.addr.port}/${file}` };
  assert.deepEqual(await new HashPool(startWorker, 1, modules).findWork(subject, demand), expected);
  assert.deepEqual(asked, [`/${file}`]);
  assert.deepEqual(await new HashPool(startWorker, 1).findWork(subject, demand), expected);
  await server.shutdown();
  const broken = fakeWorker(() => {});
  const failing = new HashPool(() => broken, 1).findWork(subject, demand);
  broken.fail();
  await assert.rejects(
    failing,
    /Cannot compute the proof of work: a part of this page was not loaded/,
  );
});

Deno.test("HashPool.findWork() goes before the files that wait", async () => {
  const worker = fakeWorker(() => {});
  const pool = new HashPool(() => worker, 1);
  const started: number[] = [];
  const hash = (id: number) =>
    pool.hash(new Blob([]), { ...silent, onStart: () => started.push(id) });
  const files = [hash(1), hash(2)];
  const proof = { time: 1, counter: 2 };
  const found = pool.findWork(
    { issuerName: "", requestDigest: new Uint8Array(32) },
    { time: 1, bits: 1 },
  );
  worker.report({ kind: "hashed", hash: "1", size: 0 });
  assert.deepEqual(started, [1]);
  worker.report({ kind: "found", proof });
  assert.deepEqual(await found, proof);
  assert.deepEqual(started, [1, 2]);
  worker.report({ kind: "hashed", hash: "2", size: 0 });
  assert.deepEqual(await Promise.all(files), ["1", "2"]);
});

type FakeWorker = ReturnType<typeof fakeWorker>;

/** A worker that answers a request with `answer`. */
function fakeWorker(answer: (report: (message: HashReport) => void) => void) {
  const listeners: Record<string, (event: never) => void> = {};
  return {
    ended: false,
    addEventListener(type: string, listener: (event: never) => void) {
      listeners[type] = listener;
    },
    postMessage() {
      queueMicrotask(() => answer((data) => listeners["message"]!({ data } as never)));
    },
    report(data: HashReport) {
      listeners["message"]!({ data } as never);
    },
    terminate() {
      this.ended = true;
    },
    fail() {
      listeners["error"]!({} as never);
    },
  };
}
