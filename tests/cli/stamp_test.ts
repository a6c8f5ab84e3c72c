import assert from "node:assert/strict";
import { join } from "node:path";
import { digestOf } from "../proof/verify/fixture.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";
import { withReceiptSignature } from "../proof/verify/vectors/head_cases.ts";
import { textOf } from "../../src/base/bytes.ts";
import { proofNameOf } from "../../src/cli/stamp/stamp_inputs.ts";
import { coseReceiptOf } from "../../src/proof/format/cose_receipt.ts";
import { tlogProofOf } from "../../src/proof/format/tlog_proof.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { problem, StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/stamps");

/** A log that attests "content 0" to "content 7", batched up to `closed`. */
function newGateway(closed: readonly number[] = [8]): StubGateway {
  return new StubGateway(newLog(), closed);
}

function newLog(places?: readonly number[]): TestLog {
  const log = new TestLog(network);
  const hashes = Array.from({ length: 8 }, (_, i) => digestOf(`content ${i}`));
  log.addRound(hashes, { timestamp: 1_766_275_200, ...(places && { places }) });
  return log;
}

async function withGateway(
  gateway: StubGateway,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  await using _ = gateway;
  await withClient(async (client) => {
    client.gateway = gateway.url;
    for (let i = 0; i < 8; i++) await client.write(`file${i}`, `content ${i}`);
    await use(client);
  });
}

Deno.test("stamp submits only the hash of a file, and names an unpinned network", async () => {
  const gateway = newGateway();
  const bodies: unknown[] = [];
  gateway.lies.set("/v1/attestations", async (request) => {
    const body = await request.json();
    bodies.push([request.headers.get("Prefer"), body]);
    return Response.json(gateway.job(body.hash));
  });
  await withGateway(gateway, async (client) => {
    const { code, stdout, stderr } = await client.run(["stamp", "file0"]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^batched {2}${digestOf("content 0")} {2}file0$`, "m"));
    assert.match(stderr, /Stamped\. To verify .* net\.example\/stamps, pin .*network --pin/);
    assert.doesNotMatch(stdout, /verified/);
    assert.deepEqual(bodies, [["wait=30", { hash: digestOf("content 0") }]]);
  });
});

Deno.test("stamp says last that it saved no proof, and which command does", async () => {
  await withGateway(newGateway(), async (client) => {
    await client.write("two words", "content 1");
    const lastLine = ({ stderr }: { stderr: string }) => stderr.trimEnd().split("\n").at(-1);
    const stamped = await client.run(["stamp", "two words", "-", "file0"], "content 3");
    assert.equal(
      lastLine(stamped),
      "countersign: No proof was saved on this machine. Save it with: countersign stamp --save 'two words' " +
        `--hash ${digestOf("content 3")} file0`,
    );
    const named = await client.run(["stamp", "file0", "--gateway", client.gateway]);
    assert.ok(lastLine(named)?.endsWith(`stamp --save file0 --gateway ${client.gateway}`));
    const saved = await client.run(["stamp", "--save", "file0"]);
    assert.doesNotMatch(saved.stderr, /No proof was saved/);
  });
});

Deno.test("stamp takes hashes in either case, standard input, and several at once in order", async () => {
  const gateway = newGateway();
  await withGateway(gateway, async (client) => {
    const hash = digestOf("content 1");
    const { code, json } = await client.runJson(
      ["stamp", "--hash", hash.toUpperCase(), "file2", "-", "file0", "file2", "--hash", hash],
      "content 3",
    );
    assert.equal(code, 0);
    const results = json.results.map((r: Record<string, string>) => [r.name, r.hash]);
    assert.deepEqual(results, [
      ["file2", digestOf("content 2")],
      ["-", digestOf("content 3")],
      ["file0", digestOf("content 0")],
      ["file2", digestOf("content 2")],
      [undefined, hash],
      [undefined, hash],
    ]);
    // A hash twice on the line is submitted once.
    assert.deepEqual(gateway.requests, ["POST /v1/attestations/batch"]);
  });
});

Deno.test("an unreadable file exits 1 and does not stop the others", async () => {
  await withGateway(newGateway(), async (client) => {
    const args = ["stamp", "none", "file1", "file2/x"];
    const { code, stdout, stderr } = await client.run(args);
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(digestOf("content 1")));
    assert.match(stderr, /"none"/);
    assert.match(stderr, /"file2\/x": a part of this path is a file, not a folder/);
    const { json } = await client.runJson(args);
    const outcomes = json.results.map((r: { error?: { code: string } }) => r.error?.code);
    assert.deepEqual(outcomes, ["file_failed", undefined, "file_failed"]);
  });
});

Deno.test("large contents are hashed by streaming", async () => {
  const gateway = newGateway();
  gateway.lies.set("/v1/attestations", async (request) => {
    const { hash } = await request.json();
    return Response.json(gateway.job(hash));
  });
  await withGateway(gateway, async (client) => {
    // Neither a multiple of the chunk nor shorter than two.
    const content = "x".repeat(2 * 1024 * 1024 + 17);
    await client.write("large", content);
    const { json } = await client.runJson(["stamp", "large", "--no-wait"]);
    assert.equal(json.results[0].hash, digestOf(content));
    await client.write("empty", "");
    const empty = await client.runJson(["stamp", "empty", "--no-wait"]);
    assert.equal(empty.json.results[0].hash, digestOf(""));
  });
});

Deno.test("stamp verifies the attestation if the network is pinned", async () => {
  await withGateway(newGateway(), async (client) => {
    await client.trust.savePin(network.configuration);
    const { code, stdout, stderr } = await client.run(["stamp", "file0"]);
    assert.equal(code, 0);
    assert.match(stdout, /verified against the pinned network/);
    assert.match(stderr, /^countersign: No proof was saved .*\n?$/);
    const { json } = await client.runJson(["stamp", "file0"]);
    assert.equal(json.results[0].verified, true);
  });
});

Deno.test("an attestation that the pinned network does not verify is an error", async () => {
  await withGateway(new StubGateway(newLog([0]), [8]), async (client) => {
    assert.equal((await client.run(["stamp", "file0"])).code, 0);
    await client.trust.savePin(network.configuration);
    const { code, stdout, stderr } = await client.run(["stamp", "file0"]);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, /does not verify under the pinned configuration/);
    const { json } = await client.runJson(["stamp", "file0"]);
    assert.equal(json.results[0].error.code, "proof_refused");
  });
});

Deno.test("an attestation of another hash is an error, pinned or not", async () => {
  const gateway = newGateway();
  gateway.lies.set("/v1/attestations", () =>
    Response.json({
      ...gateway.job(digestOf("content 1")),
      hash: digestOf("content 0"),
    }));
  await withGateway(gateway, async (client) => {
    const { code, json } = await client.runJson(["stamp", "file0"]);
    assert.equal(code, 1);
    assert.equal(json.results[0].error.code, "proof_refused");
  });
});

Deno.test("stamp waits until the job is confirmed", async () => {
  const gateway = newGateway();
  let asked = 0;
  gateway.lies.set("/v1/attestations", async (request) => {
    const { hash } = await request.json();
    const waiting = { ...gateway.job(digestOf("unknown")), hash };
    if (++asked === 2) return problem(503, "overloaded", { "Retry-After": "0" });
    return Response.json(asked < 4 ? waiting : gateway.job(hash), {
      status: asked < 4 ? 202 : 200,
    });
  });
  await withGateway(gateway, async (client) => {
    client.clock = {
      nowMs: () => Date.now(),
      elapsedMs: () => performance.now(),
      sleep: () => Promise.resolve(),
    };
    const { code, json } = await client.runJson(["stamp", "file0"]);
    assert.equal(code, 0);
    assert.equal(json.results[0].status, "confirmed");
    assert.equal(asked, 4);
  });
});

Deno.test("a job that is accepted survives an outage of the gateway", async () => {
  const first = newGateway();
  const hash = digestOf("content 0");
  first.lies.set(
    "/v1/attestations",
    () => Response.json({ ...first.job(digestOf("unknown")), hash }, { status: 202 }),
  );
  await using stack = new AsyncDisposableStack();
  // Time passes in the outage: the gateway goes down, and comes back where it was.
  const events = [
    () => first[Symbol.asyncDispose](),
    () => void stack.use(new StubGateway(newLog(), [8], Number(new URL(first.url).port))),
  ];
  await withGateway(first, async (client) => {
    client.clock = {
      nowMs: () => Date.now(),
      elapsedMs: () => performance.now(),
      sleep: async () => await events.shift()?.(),
    };
    const { code, json } = await client.runJson(["stamp", "file0"]);
    assert.equal(code, 0);
    assert.equal(json.results[0].status, "confirmed");
    assert.equal(events.length, 0);
  });
});

Deno.test("a timeout is an error that names the status of the job", async () => {
  const gateway = newGateway([4]);
  await withGateway(gateway, async (client) => {
    await client.write("unknown", "unknown");
    let now = 0;
    client.clock = {
      nowMs: () => now,
      elapsedMs: () => now,
      sleep: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    };
    const pending = await client.runJson(["stamp", "unknown", "--timeout", "2"]);
    assert.equal(pending.code, 1);
    assert.equal(pending.json.results[0].status, "pending");
    assert.equal(pending.json.results[0].error.code, "not_confirmed");
    assert.ok(gateway.requests.length > 2);
    const unbatched = await client.runJson(["stamp", "file6", "--wait-batched", "--timeout", "2"]);
    assert.equal(unbatched.json.results[0].error.code, "not_batched");
    assert.equal(unbatched.code, 1);
  });
});

Deno.test("--no-wait sends one request", async () => {
  const gateway = newGateway();
  const waits: (string | null)[] = [];
  gateway.lies.set("/v1/attestations", async (request) => {
    waits.push(request.headers.get("Prefer"));
    const { hash } = await request.json();
    return Response.json(gateway.job(hash), { status: 202 });
  });
  await withGateway(gateway, async (client) => {
    await client.write("unknown", "unknown");
    const { code, stdout } = await client.run(["stamp", "unknown", "--no-wait"]);
    assert.equal(code, 0);
    assert.match(stdout, /^pending/);
    assert.deepEqual(waits, [null]);
  });
});

Deno.test("a failed job is an error at once", async () => {
  const gateway = newGateway();
  gateway.lies.set("/v1/attestations", async (request) => {
    const { hash } = await request.json();
    return Response.json({ ...gateway.job(digestOf("unknown")), hash, status: "failed" });
  });
  await withGateway(gateway, async (client) => {
    for (const args of [["stamp", "file0"], ["stamp", "file0", "--no-wait"]]) {
      const { code, json } = await client.runJson(args);
      assert.equal(code, 1);
      assert.equal(json.results[0].error.code, "gateway_refused");
    }
  });
});

Deno.test("--save writes a bundle that verifies, before and after its batch", async () => {
  const gateway = newGateway([]);
  await withGateway(gateway, async (client) => {
    await client.trust.savePin(network.configuration);
    const args = ["stamp", "file0", "--save", "--no-wait-batched"];
    const { code, stdout } = await client.run(args);
    assert.equal(code, 0);
    assert.match(stdout, /saved file0\.countersign\.json/);
    const line = ["verify-proof", "--bundle", "file0.countersign.json", "--file", "file0"];
    assert.equal((await client.runJson(line)).json.level, "basic");
    gateway.sizes.push(8);
    assert.equal((await client.run(["stamp", "file0", "--save"])).code, 0);
    assert.equal((await client.runJson(line)).json.level, "batched");
    assert.equal((await client.trust.head(network.id))?.tree_head.tree_size, 8);
  });
});

Deno.test("stamp --proofs all writes a bundle, a tlog-proof and a COSE receipt next to the file", async () => {
  const gateway = newGateway();
  const path = `/v1/bundle/${digestOf("content 0")}`;
  const plain = gateway.bundle(0);
  const sth = withReceiptSignature(plain.batch_inclusion!.sth, network.log);
  const signed = { ...plain, batch_inclusion: { ...plain.batch_inclusion!, sth } };
  gateway.lies.set(path, (_, { search }) => Response.json(search === "" ? plain : signed));
  await withGateway(gateway, async (client) => {
    const line = ["stamp", "file0", "--proofs", "all"];
    const unpinned = await client.runJson(line);
    assert.equal(unpinned.json.results[0].error.code, "configuration_missing");
    await client.trust.savePin(network.configuration);
    for (let run = 0; run < 2; run++) {
      const { code, json } = await client.runJson(line);
      assert.equal(code, 0);
      const { saved, others } = json.results[0];
      const names = ["tlog-proof", "cose"].map((format) => `file0.countersign.${format}`);
      assert.deepEqual([saved, others], ["file0.countersign.json", names]);
    }
    const read = (format: string) =>
      Deno.readFile(join(client.folder, `file0.countersign.${format}`));
    assert.deepEqual(JSON.parse(await client.read("file0.countersign.json")), signed);
    assert.equal(textOf(await read("tlog-proof")), tlogProofOf(network.configuration, signed));
    assert.deepEqual(await read("cose"), coseReceiptOf(network.configuration, signed));
    // The next stamp of the folder does not take them for files.
    const { json } = await client.runJson(["stamp", ".", "--no-wait"]);
    const names = json.results.map(({ name }: { name: string }) => name);
    assert.equal(names.filter((name: string) => name.includes(".countersign.")).length, 0);
    for (const more of ["--no-wait", "--no-wait-batched"]) {
      assertFailed(await client.runJson([...line, more]), "usage", 2);
    }
  });
});

Deno.test("--save names the bundle of a digest or of standard input by the hash", async () => {
  await withGateway(newGateway(), async (client) => {
    const [first, second] = [digestOf("content 1"), digestOf("content 2")];
    const { code } = await client.run(["stamp", "--save", "--hash", first, "-"], "content 2");
    assert.equal(code, 0);
    for (const hash of [first, second]) {
      const bundle = JSON.parse(await client.read(`${hash}.countersign.json`));
      assert.equal(bundle.signed_attestation.attestation.hash, hash);
    }
  });
});

Deno.test("--save overwrites only a bundle of the same hash", async () => {
  await withGateway(newGateway(), async (client) => {
    assert.equal((await client.run(["stamp", "file0", "--save"])).code, 0);
    const kept = await client.read("file0.countersign.json");
    await client.write("file0", "content 1");
    const changed = await client.runJson(["stamp", "file0", "--save"]);
    assert.equal(changed.code, 1);
    assert.equal(changed.json.results[0].error.code, "file_failed");
    assert.equal(await client.read("file0.countersign.json"), kept);
    await client.write("file2.countersign.json", "notes of mine");
    assert.equal((await client.run(["stamp", "file2", "--save"])).code, 1);
    assert.equal(await client.read("file2.countersign.json"), "notes of mine");
  });
});

Deno.test("--save refuses a bundle whose batch the pinned network does not verify", async () => {
  const gateway = newGateway();
  const hash = digestOf("content 0");
  gateway.lies.set(`/v1/bundle/${hash}`, () => {
    const bundle = gateway.bundle(0);
    const inclusion = { ...bundle.batch_inclusion!, sth: newLog().sth(8, 1, [0]) };
    return Response.json({ ...bundle, batch_inclusion: inclusion });
  });
  await withGateway(gateway, async (client) => {
    await client.trust.savePin(network.configuration);
    const { code, json } = await client.runJson(["stamp", "file0", "--save"]);
    assert.equal(code, 1);
    assert.equal(json.results[0].error.code, "proof_refused");
    await assert.rejects(client.read("file0.countersign.json"), Deno.errors.NotFound);
  });
});

Deno.test("more than a thousand hashes go in several requests", async () => {
  const gateway = newGateway();
  const counts: number[] = [];
  gateway.lies.set("/v1/attestations/batch", async (request) => {
    const { hashes } = await request.json();
    counts.push(hashes.length);
    return Response.json(hashes.map((hash: string) => gateway.job(hash)), { status: 202 });
  });
  await withGateway(gateway, async (client) => {
    const args = Array.from({ length: 1_002 }, (_, i) => ["--hash", digestOf(`many ${i}`)]).flat();
    const { code, json } = await client.runJson(["stamp", "--no-wait", ...args]);
    assert.equal(code, 0);
    assert.equal(json.results.length, 1_002);
    assert.deepEqual(counts, [1_000, 2]);
  });
});

Deno.test("an unreachable gateway is one error", async () => {
  await withClient(async (client) => {
    await client.write("file", "content");
    assertFailed(await client.runJson(["stamp", "file"]), "gateway_unreachable");
  });
});

Deno.test("a proof that cannot be written is named, and its hash is said to be stamped", async () => {
  const gateway = newGateway();
  await withGateway(gateway, async (client) => {
    const place = join(client.folder, "file0.countersign.json");
    const hash = digestOf("content 0");
    // It is lost after the hash was sent.
    gateway.lies.set("/v1/attestations", async () => {
      await Deno.mkdir(place);
      return Response.json(gateway.job(hash));
    });
    const line = ["stamp", "--save", "file0", "--gateway", client.gateway];
    const { code, stdout, stderr } = await client.run(line);
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`^batched {2}${hash} {2}file0$`, "m"));
    const bundle = `countersign bundle ${hash} --gateway ${client.gateway}`;
    assert.match(stderr, /^countersign: Cannot \S+ ".*\/file0\.countersign\.json": /);
    assert.ok(stderr.includes(`The hash is stamped; its proof: ${bundle} > proof.json`), stderr);
    await Deno.remove(place);
    const { json } = await client.runJson(line);
    assert.deepEqual([json.results[0].progress, json.results[0].error.code], [
      "batched",
      "file_failed",
    ]);
  });
});

Deno.test("no hash is sent whose proof cannot be saved, and the others are", async () => {
  const gateway = newGateway();
  const sent: unknown[] = [];
  gateway.lies.set("/v1/attestations", async (request) => {
    const { hash } = await request.json();
    sent.push(hash);
    return Response.json(gateway.job(hash));
  });
  await withGateway(gateway, async (client) => {
    const long = "n".repeat(250);
    await client.write(long, "content 1");
    await client.write("list", `${digestOf("content 2")}  missing/x\n`);
    await client.write("file3.countersign.json", "no proof");
    const { code, stderr } = await client.run(
      ["stamp", "--save", long, "file3", "file4", "--checksums", "list"],
    );
    assert.equal(code, 1);
    assert.deepEqual(sent, [digestOf("content 4")]);
    assert.match(stderr, /n\.countersign\.json": its name is too long$/m);
    assert.match(stderr, /missing\/x\.countersign\.json": there is no such folder$/m);
    assert.match(stderr, /file3\.countersign\.json": it exists and is not a proof of /);
    await client.read("file4.countersign.json");
  });
});

Deno.test("failures of many inputs for one reason are one error and a count", async () => {
  await withGateway(newGateway(), async (client) => {
    const hashes = Array.from({ length: 12 }, (_, i) => ["--hash", digestOf(`many ${i}`)]).flat();
    const args = ["stamp", "--timeout", "1", "none", "missing", ...hashes];
    const { code, stderr } = await client.run(args);
    assert.equal(code, 1);
    assert.deepEqual(
      stderr.replaceAll(/[0-9a-f]{64}/g, "HASH").split("\n").map((line) => line.slice(0, 50)),
      [
        'countersign: Cannot read "none": there is no such ',
        'countersign: Cannot read "missing": there is no su',
        "countersign: Cannot confirm HASH in time: the witnesses have not signed it yet",
        "… and 11 more for the same reason",
        "14 of 14 inputs failed",
        "countersign: No proof was saved on this machine. Save it with: countersign",
      ].map((line) => line.slice(0, 50)),
    );
    assert.equal((await client.runJson(args)).json.results.length, 14);
  });
});

Deno.test("a hash that is not signed in time fails with what the gateway said of its witnesses", async () => {
  const gateway = newGateway();
  const message =
    "Cannot reach the threshold of 2: 2 of 3 witnesses failed (a: witness_unreachable)";
  const last_error = { code: "threshold_not_met", message };
  gateway.lies.set("/v1/attestations", () => {
    const job = { ...gateway.job(digestOf("late")), status: "retryable", last_error };
    return Response.json(job, { status: 202 });
  });
  await withGateway(gateway, async (client) => {
    const hash = digestOf("late");
    const { code, stderr } = await client.run(["stamp", "--timeout", "1", "--hash", hash]);
    assert.equal(code, 1);
    const text = `Cannot confirm ${hash} in time: ${message} (accepted; see: countersign status`;
    assert.ok(stderr.includes(text), stderr);
  });
});

Deno.test("a run that ends while it saves says so once, however few its files", async () => {
  const gateway = newGateway();
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const i of [0, 1, 2]) {
    gateway.lies.set(
      `/v1/bundle/${digestOf(`content ${i}`)}`,
      () => promise.then(() => problem(403, "forbidden")),
    );
  }
  await withGateway(gateway, async (client) => {
    const args = ["stamp", "--save", "--timeout", "1", "file0", "file1", "file2", "none"];
    const { stderr } = await client.run(args);
    resolve();
    assert.equal(stderr.match(/1 s have passed/g)?.length, 1, stderr);
    assert.match(stderr, /^… and 2 more for the same reason$/m);
    assert.match(stderr, /^countersign: Cannot read "none"/m);
  });
});

Deno.test("stamp --save of many files counts the proofs that it saved", async () => {
  await withGateway(newGateway(), async (client) => {
    const names = Array.from({ length: 11 }, (_, i) => `copy${i}`);
    for (const name of names) await client.write(name, "content 1");
    const { code, stderr } = await client.run(["stamp", "--save", ...names]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^11 inputs stamped, 11 proofs saved$/m);
  });
});

Deno.test("the proof of what is no file has the name of its hash", () => {
  const hash = digestOf("content 1");
  for (const name of ["/dev/stdin", "/dev/../dev/fd/3", "/proc/self/fd/0", "-"]) {
    assert.equal(proofNameOf({ name, hash }), `${hash}.countersign.json`);
  }
  assert.equal(proofNameOf({ name: "dev/stdin", hash }), "dev/stdin.countersign.json");
});

Deno.test("the proof of a file with a long name is saved", async () => {
  await withGateway(newGateway(), async (client) => {
    const name = "n".repeat(230);
    await client.write(name, "content 1");
    const { code, stderr } = await client.run(["stamp", "--save", name]);
    assert.equal(code, 0, stderr);
    await client.read(`${name}.countersign.json`);
  });
});
