import assert from "node:assert/strict";
import { join } from "node:path";
import { digestOf } from "../proof/verify/fixture.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { problem, StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/log");
const log = logOf("content");
/** The same network with another history, as a forked gateway would show it. */
const fork = logOf("altered");
const HASH = digestOf("content 3");
const SIZES = [4, 8, 12];

function logOf(prefix: string): TestLog {
  const made = new TestLog(network);
  const hashes = Array.from({ length: 12 }, (_, i) => digestOf(`${prefix} ${i}`));
  made.addRound(hashes, { timestamp: 1_766_275_200 });
  return made;
}

async function withPinned(
  gateway: StubGateway,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.trust.savePin(network.configuration);
    await use(client);
  });
}

async function rememberedSize(client: Client): Promise<number | undefined> {
  return (await client.trust.head(network.id))?.tree_head.tree_size;
}

Deno.test('without --verify, log commands print the answer and "Not verified"', async () => {
  await using gateway = new StubGateway(log, SIZES);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    for (
      const args of [["sth"], ["sth", "8"], ["consistency", "4", "12"], ["proof", HASH]]
    ) {
      const { code, stdout } = await client.run(["log", ...args]);
      assert.equal(code, 0);
      assert.match(stdout, /^Not verified/m);
    }
    const { json } = await client.runJson(["log", "sth", "8"]);
    assert.deepEqual(json, gateway.sth(8));
    const consistency = await client.runJson(["log", "consistency", "4", "12"]);
    assert.deepEqual(consistency.json, log.consistencyProof(gateway.sth(4), gateway.sth(12)));
    const proof = await client.runJson(["log", "proof", HASH, "--tree-size", "8"]);
    assert.deepEqual(proof.json, log.inclusionProof(3, gateway.sth(8)));
    assert.equal(await rememberedSize(client), undefined);
  });
});

Deno.test("--verify accepts a signed answer to the request", async () => {
  await using gateway = new StubGateway(log, SIZES);
  await withPinned(gateway, async (client) => {
    for (
      const args of [
        ["sth"],
        ["sth", "8"],
        ["consistency", "4", "12"],
        ["consistency", "12", "12"],
        ["proof", HASH],
        ["proof", HASH.toUpperCase(), "--tree-size", "4"],
      ]
    ) {
      const line = ["log", ...args, "--verify"];
      const { code, json } = await client.runJson(line);
      assert.equal(code, 0, args.join(" "));
      assert.equal(json.valid, true);
      assert.equal(json.verified_signatures, 2);
      const { stdout } = await client.run(line);
      assert.equal(stdout.split("\n")[0], "VALID");
      assert.match(stdout, /^This does not prove:$/m);
    }
  });
});

Deno.test("--verify needs a configuration", async () => {
  await using gateway = new StubGateway(log, SIZES);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    for (const args of [["sth"], ["consistency", "4", "8"], ["proof", HASH]]) {
      const finished = await client.runJson(["log", ...args, "--verify"]);
      assertFailed(finished, "configuration_missing");
    }
    await client.write("network.json", network.configuration);
    const args = ["log", "sth", "--verify", "--network-config", "network.json"];
    assert.equal((await client.run(args)).code, 0);
  });
});

Deno.test("--verify refuses an answer to another request", async () => {
  await using gateway = new StubGateway(log, SIZES);
  const proofOf = (sequence: number, size: number) =>
    Response.json(log.inclusionProof(sequence, gateway.sth(size)));
  const cases = [
    [["sth", "8"], "/v1/log/sth/8", () => Response.json(gateway.sth(4)), "tree_size_mismatch"],
    [["sth"], "/v1/log/sth", () => Response.json(log.sth(12, 1, [0])), "threshold_not_met"],
    [
      ["consistency", "4", "8"],
      "/v1/log/consistency",
      () => Response.json(log.consistencyProof(gateway.sth(4), gateway.sth(12))),
      "tree_size_mismatch",
    ],
    [
      ["consistency", "4", "8"],
      "/v1/log/consistency",
      () =>
        Response.json({
          ...log.consistencyProof(gateway.sth(4), gateway.sth(8)),
          consistency_path: [],
        }),
      "consistency_invalid",
    ],
    [["proof", HASH], "/v1/log/proof", () => proofOf(4, 12), "hash_mismatch"],
    [
      ["proof", HASH, "--tree-size", "8"],
      "/v1/log/proof",
      () => proofOf(3, 12),
      "tree_size_mismatch",
    ],
    [
      // The proof of another leaf under this hash: only the attestation shows it.
      ["proof", HASH],
      "/v1/log/proof",
      () => Response.json({ ...log.inclusionProof(4, gateway.sth(12)), hash: HASH }),
      "field_mismatch",
    ],
  ] as const;
  await withPinned(gateway, async (client) => {
    for (const [args, path, lie, reason] of cases) {
      gateway.lies.clear();
      gateway.lies.set(path, lie);
      const { code, json } = await client.runJson(["log", ...args, "--verify"]);
      assert.equal(code, 1, args.join(" "));
      assert.equal(json.valid, false);
      assert.equal(json.reason, reason);
      const text = await client.run(["log", ...args, "--verify"]);
      assert.equal(text.code, 1);
      assert.match(text.stdout, /^INVALID/);
    }
  });
});

Deno.test("a verified head is remembered, and the next one must extend it", async () => {
  await using gateway = new StubGateway(log, [4]);
  await withPinned(gateway, async (client) => {
    const relation = async (...args: string[]) => {
      const { code, json } = await client.runJson(["log", ...args, "--verify"]);
      assert.equal(code, 0);
      return json.remembered_head;
    };
    assert.deepEqual(await relation("sth"), { relation: "first" });
    assert.deepEqual(await relation("sth"), { relation: "same", known_size: 4 });
    gateway.sizes.push(8, 12);
    assert.deepEqual(await relation("sth"), { relation: "extends", known_size: 4 });
    assert.equal(await rememberedSize(client), 12);
    assert.deepEqual(await relation("sth", "8"), { relation: "precedes", known_size: 12 });
    assert.equal(await rememberedSize(client), 12);
    assert.ok(gateway.requests.includes("GET /v1/log/consistency?first=4&second=12"));
    assert.ok(gateway.requests.includes("GET /v1/log/consistency?first=8&second=12"));
  });
});

/** Requires an alarm with both heads in either format, evidence on disk, and memory as it was. */
async function assertAlarm(
  client: Client,
  args: readonly string[],
  sizes: { readonly known: number; readonly seen: number },
  shownBy = client.gateway,
): Promise<void> {
  const finished = await client.runJson(args);
  assertFailed(finished, "proof_refused");
  const { known, seen, evidence } = finished.json.error.contradiction;
  assert.equal(known.tree_size, sizes.known);
  assert.equal(seen.tree_size, sizes.seen);
  assert.notEqual(known.root_hash, seen.root_hash);
  assert.ok(finished.json.error.message.includes(shownBy), finished.json.error.message);
  assert.equal((await Deno.stat(evidence)).mode! % 0o1000, 0o600);
  const judged = await client.runJson(["log", "contradictions", "--file", evidence]);
  assert.deepEqual([judged.code, judged.json.proved], [1, 1], judged.stdout);
  assert.equal(await rememberedSize(client), sizes.known);
  const { code, stderr } = await client.run(args);
  assert.equal(code, 1);
  assert.ok(stderr.includes(known.root_hash) && stderr.includes(seen.root_hash));
  assert.ok(stderr.includes(evidence));
}

Deno.test("two roots of one size are a contradiction", async () => {
  await using gateway = new StubGateway(log, [8]);
  await using forked = new StubGateway(fork, [8]);
  await withPinned(gateway, async (client) => {
    assert.equal((await client.run(["log", "sth", "--verify"])).code, 0);
    client.gateway = forked.url;
    await assertAlarm(client, ["log", "sth", "--verify"], { known: 8, seen: 8 });
    const hash = digestOf("altered 3");
    await assertAlarm(client, ["verify-proof", "--hash", hash], { known: 8, seen: 8 });
    // Offline as well: no proof is needed to see it.
    await client.write("bundle.json", forked.bundle(3));
    const sizes = { known: 8, seen: 8 };
    await assertAlarm(client, ["verify-proof", "--bundle", "bundle.json"], sizes, "bundle.json");
    const names = [...Deno.readDirSync(join(client.folder, "home", "heads"))].map((e) => e.name);
    // Equal evidence is one file, whenever it was found.
    assert.equal(names.filter((name) => name.endsWith(".fork.json")).length, 1);
  });
});

Deno.test("growth from another root is a contradiction", async () => {
  await using gateway = new StubGateway(log, [8]);
  await using forked = new StubGateway(fork, [8, 12]);
  await withPinned(gateway, async (client) => {
    assert.equal((await client.run(["log", "sth", "--verify"])).code, 0);
    client.gateway = forked.url;
    await assertAlarm(client, ["log", "sth", "--verify"], { known: 8, seen: 12 });
  });
});

async function assertNoAccusation(
  client: Client,
  args: readonly string[],
  { code, says }: { readonly code: "gateway_refused" | "proof_refused"; readonly says: RegExp },
): Promise<void> {
  const before = await rememberedSize(client);
  const finished = await client.runJson(args);
  assertFailed(finished, code);
  const { message, contradiction } = finished.json.error;
  assert.match(message, says);
  assert.doesNotMatch(message, /trust/);
  assert.ok(message.includes(client.gateway), message);
  assert.equal(contradiction, undefined);
  const names = [...Deno.readDirSync(join(client.folder, "home", "heads"))].map((e) => e.name);
  assert.deepEqual(names.filter((name) => name.endsWith(".fork.json")), []);
  assert.equal(await rememberedSize(client), before);
}

Deno.test("a missing or damaged proof of growth accuses nobody, and names who was asked", async () => {
  await using gateway = new StubGateway(log, [8]);
  await withPinned(gateway, async (client) => {
    const args = ["log", "sth", "--verify"];
    assert.equal((await client.run(args)).code, 0);
    gateway.sizes.push(12);
    const asked = "http://[^ ]+/v1/log/consistency.first=8&second=12 answered 404";
    for (
      const answer of [
        () => problem(404, "tree_size_not_published"),
        () => problem(404, "route_not_found"),
        () => new Response("<html>not here</html>", { status: 404 }),
      ]
    ) {
      gateway.lies.set("/v1/log/consistency", answer);
      await assertNoAccusation(client, args, { code: "gateway_refused", says: new RegExp(asked) });
    }
    gateway.lies.set("/v1/log/consistency", () => {
      const proof = log.consistencyProof(gateway.sth(8), gateway.sth(12));
      return Response.json({ ...proof, consistency_path: [] });
    });
    const says = /the proof of http\S+ does not lead from size 8 to size 12/;
    await assertNoAccusation(client, args, { code: "proof_refused", says });
  });
});

Deno.test("the gateway of another network is named as that", async () => {
  const elsewhere = new TestLog(new TestNetwork("net.example/elsewhere"));
  const hashes = Array.from({ length: 12 }, (_, i) => digestOf(`elsewhere ${i}`));
  elsewhere.addRound(hashes, { timestamp: 1_766_275_200 });
  await using gateway = new StubGateway(log, [8]);
  await withPinned(gateway, async (client) => {
    assert.equal((await client.run(["log", "sth", "--verify"])).code, 0);
    gateway.sizes.push(12);
    await client.write("bundle.json", gateway.bundle(10));
    for (const sizes of [[8, 12], [4]]) {
      await using other = new StubGateway(elsewhere, sizes);
      client.gateway = other.url;
      const args = ["upgrade", "bundle.json"];
      const { code, json } = await client.runJson(args);
      assert.equal(code, 1);
      const [{ error }] = json.results;
      assert.equal(error.code, "gateway_refused");
      assert.match(error.message, /is a gateway of net\.example\/elsewhere/);
      assert.match(error.message, /about net\.example\/log/);
      assert.ok(error.message.includes(other.url), error.message);
      const names = [...Deno.readDirSync(join(client.folder, "home", "heads"))];
      assert.equal(names.length, 1);
    }
  });
});

Deno.test("a smaller head must be a prefix of the remembered one", async () => {
  await using gateway = new StubGateway(log, [8]);
  await using forked = new StubGateway(fork, [4, 8]);
  await withPinned(gateway, async (client) => {
    assert.equal((await client.run(["log", "sth", "--verify"])).code, 0);
    client.gateway = forked.url;
    await assertAlarm(client, ["log", "sth", "4", "--verify"], { known: 8, seen: 4 });
  });
});

Deno.test("offline, a head of another size is neither compared nor remembered", async () => {
  await using gateway = new StubGateway(log, [4]);
  await withPinned(gateway, async (client) => {
    assert.equal((await client.run(["log", "sth", "--verify"])).code, 0);
    gateway.sizes.splice(0, 1, 12);
    await client.write("bundle.json", gateway.bundle(3));
    const { code, json } = await client.runJson(["verify-proof", "--bundle", "bundle.json"]);
    assert.equal(code, 0);
    assert.deepEqual(json.remembered_head, { relation: "unlinked", known_size: 4 });
    assert.equal(await rememberedSize(client), 4);
  });
});

Deno.test("a head that other keys signed is neither compared nor replaced", async () => {
  await using gateway = new StubGateway(log, [8]);
  await withPinned(gateway, async (client) => {
    const twin = new TestNetwork(network.id, { seeds: ["a", "b", "c"] });
    await client.trust.saveHead(twin.signHead(log.head(4, 1)));
    const { code, json } = await client.runJson(["log", "sth", "--verify"]);
    assert.equal(code, 0);
    assert.equal(json.remembered_head.relation, "untrusted");
    assert.equal(await rememberedSize(client), 4);
  });
});

Deno.test("verification succeeds if the head cannot be stored", async () => {
  await using gateway = new StubGateway(log, [8]);
  await withPinned(gateway, async (client) => {
    await client.write("home/heads", "a file where a folder should be");
    const { code, json, stderr } = await client.runJson(["log", "sth", "--verify"]);
    assert.equal(code, 0);
    assert.equal(json.valid, true);
    assert.equal("remembered_head" in json, false);
    assert.match(stderr, /not remembered/);
  });
});

Deno.test("a head that does not verify is not remembered", async () => {
  await using gateway = new StubGateway(log, [8]);
  await withPinned(gateway, async (client) => {
    gateway.lies.set("/v1/log/sth", () => Response.json(log.sth(8, 1, [0])));
    assert.equal((await client.run(["log", "sth", "--verify"])).code, 1);
    assert.equal(await rememberedSize(client), undefined);
  });
});

Deno.test("a contradiction is reported even if its evidence cannot be stored", async () => {
  await using gateway = new StubGateway(log, [8]);
  await using forked = new StubGateway(fork, [8]);
  await withPinned(gateway, async (client) => {
    assert.equal((await client.run(["log", "sth", "--verify"])).code, 0);
    client.gateway = forked.url;
    const args = ["log", "sth", "--verify"];
    const { evidence } = (await client.runJson(args)).json.error.contradiction;
    await Deno.remove(evidence);
    await Deno.mkdir(join(evidence, "taken"), { recursive: true });
    const finished = await client.runJson(args);
    assertFailed(finished, "proof_refused");
    assert.match(finished.json.error.contradiction.evidence, /^not saved/);
  });
});

Deno.test("log proof --verify needs a confirmed attestation", async () => {
  await using gateway = new StubGateway(log, [12]);
  await withPinned(gateway, async (client) => {
    gateway.lies.set(`/v1/attestations/${HASH}`, () => {
      const { signed_attestation: _, batch_id: __, ...job } = gateway.job(HASH);
      const waiting = { status: "pending", progress: "unconfirmed", next_attempt_at: 1 };
      return Response.json({ ...job, ...waiting });
    });
    assertFailed(await client.runJson(["log", "proof", HASH, "--verify"]), "not_confirmed");
  });
});
