/**
 * A disk that takes no more, made of a limit on the size of files: bash sets it, and the program
 * inherits the ignored signal and meets a failing write.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inFolder } from "../server/captured_io.ts";
import { checkAccepted } from "../scenarios/crash_checks.ts";
import { Deployment, eventually } from "../scenarios/deployment.ts";
import { run } from "../scenarios/program.ts";
import { serveArgs, startTrial, submitBulk } from "../scenarios/trial_gateway.ts";

/** Above the shared memory of SQLite, 32 KiB, and below what the tests write. */
const GATEWAY_KIB = 1_000;
const WITNESS_KIB = 60;
const MAX_REQUESTS = 400;

/** Runs what is appended to it with files of at most `kib`. */
function filesUpTo(kib: number): string[] {
  return ["bash", "-c", `trap '' XFSZ; ulimit -S -f ${kib} && exec "$0" "$@"`];
}

/** The lines of a log that have to do with the store. */
function storeLines(stderr: string): string[] {
  return stderr.split("\n").filter((line) => /read-only until|accepts writes again/.test(line));
}

Deno.test("a gateway with fronts whose disk is full serves reads, goes on with room, and loses nothing that it accepted", async () => {
  await inFolder(async (folder) => {
    const accepted: string[] = [];
    const wrapper = filesUpTo(GATEWAY_KIB);
    const where = { cwd: folder, wrapper };
    const { server, address } = await startTrial("data", where, "--fronts", "2");
    await using gateway = server;
    let refusal: string | undefined;
    for (let i = 0; refusal === undefined; i++) {
      assert.ok(i < MAX_REQUESTS, "the disk is full by now");
      const { hashes, status, code } = await submitBulk(address, `before ${i}`);
      if (status === 200 || status === 202) accepted.push(...hashes);
      else refusal = code ?? String(status);
    }
    assert.equal(refusal, "storage_failed");
    assert.ok(accepted.length > 0);
    for (let i = 0; i < 5; i++) {
      const { status, code } = await submitBulk(address, `full ${i}`);
      assert.deepEqual([status, code], [503, "storage_failed"]);
    }
    const job = await fetch(
      `http://${address.hostname}:${address.port}/v1/attestations/${accepted[0]}`,
    );
    await job.body?.cancel();
    assert.equal(job.status, 200);
    assert.equal(storeLines(gateway.stderr).length, 1, gateway.stderr);

    const limit = ["--fsize=unlimited:unlimited", "--pid", String(gateway.pid)];
    const raised = await new Deno.Command("prlimit", { args: limit }).output();
    assert.ok(raised.success, new TextDecoder().decode(raised.stderr));
    const after = await eventually("the gateway accepts again", async () => {
      const answer = await submitBulk(address, "after");
      return answer.status < 300 ? answer : undefined;
    });
    assert.equal(storeLines(gateway.stderr).length, 2, gateway.stderr);
    assert.doesNotMatch(gateway.stderr, /Uncaught|panicked|^ +at /m);
    const { violations } = await checkAccepted(address, [...accepted, ...after.hashes]);
    assert.deepEqual(violations, []);
    assert.equal(await gateway.stop(), 0);
    const fsck = await run(["fsck", "--data", "data"], { cwd: folder });
    assert.equal(fsck.code, 0, fsck.stdout + fsck.stderr);
  });
});

Deno.test("a gateway that finds no room at its start says so, and leaves its store as it is", async () => {
  await inFolder(async (folder) => {
    {
      const { server, address } = await startTrial("data", { cwd: folder });
      await using gateway = server;
      const { hashes } = await submitBulk(address, "before");
      assert.deepEqual((await checkAccepted(address, hashes)).violations, []);
      assert.equal(await gateway.stop(), 0);
    }
    const store = `${folder}/data/store.kv`;
    const before = await Deno.readFile(store);
    const said = { data: /^countersign: Cannot open .+: disk full/m, new: /^countersign: Cannot / };
    for (const [data, words] of Object.entries(said)) {
      const where = { cwd: folder, wrapper: filesUpTo(8) };
      const { code, stderr } = await run(serveArgs(data), where);
      assert.equal(code, 1);
      assert.match(stderr, words);
      assert.doesNotMatch(stderr, /Uncaught|panicked|^ +at /m);
    }
    assert.deepEqual(await Deno.readFile(store), before);
    assert.deepEqual([...Deno.readDirSync(`${folder}/new`)].map(({ name }) => name), ["lock"]);
  });
});

Deno.test("a witness whose disk is full signs no head that it cannot remember, and goes on with room", async () => {
  await using deployment = await Deployment.create("ed25519");
  const recorder = await deployment.recordWitnesses();
  await deployment.startWitness(0);
  await deployment.startWitness(1);
  await deployment.startWitness(2, filesUpTo(WITNESS_KIB));
  await deployment.startGateway("--batch-max-age-ms", "20");
  const [first, , full] = recorder.records;
  const { address } = deployment;
  const accepted: string[] = [];
  const submit = async (name: string) => {
    const { hashes, status } = await submitBulk(address, name);
    assert.ok(status < 300, String(status));
    accepted.push(...hashes);
  };

  let batches = 0;
  await eventually("the witness refuses", async () => {
    await submit(`before ${batches++}`);
    const { witnesses } = JSON.parse((await deployment.get("/v1/status")).text);
    return witnesses[2].failing?.includes("cosign") ? true : undefined;
  });
  const { stderr } = deployment.witness(2);
  assert.match(
    stderr,
    /^countersign: The witness cannot use its state: .+ no restart is needed$/m,
  );
  const named = /^countersign: Witness \S+w3 .+: witness_storage_failed; /m;
  await eventually(
    "the gateway names the witness",
    () => Promise.resolve(named.test(deployment.gateway.stderr) ? true : undefined),
  );
  assert.doesNotMatch(stderr, /Uncaught|panicked|^ +at /m);

  for (let i = 0; i < 3; i++) await submit(`without ${i}`);
  assert.deepEqual((await checkAccepted(address, accepted)).violations, []);
  const standing = Math.max(...full!.cosigned.keys());
  await eventually("the others sign more", () => {
    return Promise.resolve(Math.max(...first!.cosigned.keys()) > standing ? true : undefined);
  });

  await deployment.killWitness(2);
  await deployment.startWitness(2);
  let more = 0;
  await eventually("the witness signs again", async () => {
    await submit(`after ${more++}`);
    return Math.max(...full!.cosigned.keys()) > standing ? true : undefined;
  });
  assert.deepEqual((await checkAccepted(address, accepted)).violations, []);
  assert.deepEqual(recorder.records.flatMap(({ contradictions }) => contradictions), []);
});
