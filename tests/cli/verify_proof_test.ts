import assert from "node:assert/strict";
import { join } from "node:path";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import type { FederationPolicy } from "../../src/proof/format/network.ts";
import { digestOf } from "../proof/verify/fixture.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const CONTENT = "content 7";
const SEQUENCE = 7;
const SIZE = 12;
const PEER_ID = "net.example/peer";

const federation: FederationPolicy = {
  enabled: true,
  peer_networks: [{ id: PEER_ID }],
  cross_anchor_threshold: 1,
};
const network = new TestNetwork("net.example/home", { federation });
const peer = new TestNetwork(PEER_ID);
const log = logOf(network);
const basic = log.bundle(SEQUENCE);
const batched = log.bundle(SEQUENCE, log.batchInclusion(SEQUENCE, log.sth(SIZE, 1_766_275_300)));
const anchor = log.crossAnchor(peer, { from: SIZE, size: 16, timestamp: 1_766_275_400 });
const federated: ProofBundle = { ...batched, cross_anchors: [anchor] };

function logOf(home: TestNetwork): TestLog {
  const made = new TestLog(home);
  const hashes = Array.from({ length: 16 }, (_, i) => digestOf(`content ${i}`));
  made.addRound(hashes, { timestamp: 1_766_275_200 });
  return made;
}

/** `bundle` with its STH signed by one witness only. */
function withWeakHead(bundle: ProofBundle): ProofBundle {
  const sth = log.sth(SIZE, 1_766_275_300, [0]);
  return { ...bundle, batch_inclusion: log.batchInclusion(SEQUENCE, sth) };
}

async function withFiles(use: (client: Client) => Promise<void>): Promise<void> {
  await withClient(async (client) => {
    await client.write("content.txt", CONTENT);
    await client.write("network.json", network.configuration);
    await client.write("peer.json", peer.configuration);
    await use(client);
  });
}

async function verify(client: Client, bundle: unknown, ...args: readonly string[]) {
  await client.write("bundle.json", bundle);
  const line = ["verify-proof", "--bundle", "bundle.json", "--network-config", "network.json"];
  const text = await client.run([...line, ...args]);
  const json = await client.runJson([...line, ...args]);
  assert.equal(text.code, json.code);
  assert.equal(text.isOffline, true);
  assert.equal(json.isOffline, true);
  const lines = text.stdout.split("\n");
  return { code: text.code, lines, headline: lines[0], json: json.json, text: text.stdout };
}

Deno.test("verify-proof reports the levels Basic, Batched and Federated", async () => {
  await withFiles(async (client) => {
    const found = [
      await verify(client, basic, "--file", "content.txt"),
      await verify(client, batched, "--file", "content.txt"),
      await verify(client, federated, "--file", "content.txt", "--peer-config", "peer.json"),
    ];
    assert.deepEqual(found.map(({ code }) => code), [0, 0, 0]);
    assert.deepEqual(found.map(({ headline }) => headline), [
      "VALID (Basic)",
      "VALID (Batched)",
      "VALID (Federated)",
    ]);
    assert.deepEqual(found.map(({ json }) => json.level), ["basic", "batched", "federated"]);
    for (const { json, text } of found) {
      assert.equal(json.valid, true);
      assert.deepEqual(json.content.matches, true);
      assert.match(text, /^This does not prove:$/m);
      assert.equal(text.split("\n").at(-1), "  that any provider will stay available");
    }
  });
});

Deno.test("an invalid optional layer lowers the level and exits 0", async () => {
  await withFiles(async (client) => {
    const { merkle_proof, ...inclusion } = batched.batch_inclusion!;
    const cases: readonly (readonly [ProofBundle, string])[] = [
      [withWeakHead(batched), "basic"],
      [{
        ...batched,
        batch_inclusion: { ...inclusion, merkle_proof: { ...merkle_proof, leaf_index: 8 } },
      }, "basic"],
      [{ ...federated, cross_anchors: [{ ...anchor, consistency_path: [] }] }, "batched"],
      [{
        ...federated,
        cross_anchors: [log.crossAnchor(new TestNetwork("net.example/rogue"), {
          from: SIZE,
          size: 16,
          timestamp: 1,
        })],
      }, "batched"],
      [withWeakHead(federated), "basic"],
    ];
    for (const [bundle, level] of cases) {
      const { code, json, text } = await verify(client, bundle, "--peer-config", "peer.json");
      assert.equal(code, 0);
      assert.equal(json.level, level);
      assert.match(text, /: failed: /);
    }
  });
});

Deno.test("a peer without a configuration does not count; a pinned one does", async () => {
  await withFiles(async (client) => {
    assert.equal((await verify(client, federated)).json.level, "batched");
    await client.trust.savePin(peer.configuration);
    assert.equal((await verify(client, federated)).json.level, "federated");
  });
});

Deno.test("an operator's network.json brings the pinned configurations of its peers", async () => {
  await withFiles(async (client) => {
    const operated = (members: Record<string, string>) => ({
      ...network.configuration,
      federation: { ...federation, peer_networks: [{ id: PEER_ID, ...members }] },
    });
    const check = async (members: Record<string, string>, ...args: readonly string[]) => {
      await client.write("operator/network.json", operated(members));
      await client.write("bundle.json", federated);
      const named = ["--bundle", "bundle.json", "--network-config", "operator/network.json"];
      return await client.runJson(["verify-proof", ...named, ...args]);
    };
    await Deno.mkdir(join(client.folder, "operator", "peers"), { recursive: true });
    await client.write("operator/peers/peer.json", peer.configuration);
    const pinned = await check({ config_file: "peers/peer.json" });
    assert.equal(pinned.json.level, "federated");
    // Only members that name files pin, and only files that are there.
    for (const members of [{}, { gateway_url: "https://peer.example/" }, { config_file: "none" }]) {
      assert.equal((await check(members as Record<string, string>)).json.level, "batched");
    }
    const other = new TestNetwork("net.example/other");
    await client.write("operator/peers/other.json", other.configuration);
    assertFailed(await check({ config_file: "peers/other.json" }), "invalid_configuration");
    // A configuration that the user names goes first, and so does the file before a saved pin.
    const forged = new TestNetwork(PEER_ID, { seeds: ["a", "b", "c"] });
    await client.write("forged.json", forged.configuration);
    const members = { config_file: "peers/peer.json" };
    assert.equal((await check(members, "--peer-config", "forged.json")).json.level, "batched");
    await client.trust.savePin(forged.configuration);
    assert.equal((await check(members)).json.level, "federated");
  });
});

Deno.test("an invalid home threshold signature is INVALID and exits 1", async () => {
  await withFiles(async (client) => {
    const [first, ...rest] = batched.signed_attestation.attestation.hash;
    const hash = (first === "0" ? "1" : "0") + rest.join("");
    const { attestation } = batched.signed_attestation;
    const altered = {
      ...batched,
      signed_attestation: {
        ...batched.signed_attestation,
        attestation: { ...attestation, hash },
      },
    };
    const { code, headline, json } = await verify(client, altered);
    assert.equal(code, 1);
    assert.equal(headline, "INVALID");
    assert.equal(json.valid, false);
    assert.equal(json.level, "invalid");
    assert.equal(json.layers.attestation.reason, "signature_invalid");
  });
});

Deno.test("another content or hash is INVALID and exits 1", async () => {
  await withFiles(async (client) => {
    await client.write("other.txt", "another content");
    const hash = digestOf(CONTENT);
    const other = digestOf("another content");
    const cases = [
      [["--file", "content.txt"], 0],
      [["--hash", hash], 0],
      [["--hash", hash.toUpperCase()], 0],
      [["--hash", hash, "--file", "content.txt"], 0],
      [["--file", "other.txt"], 1],
      [["--hash", other], 1],
      [["--hash", hash, "--file", "other.txt"], 1],
      [["--hash", other, "--file", "content.txt"], 1],
      [["--hash", other, "--file", "other.txt"], 1],
    ] as const;
    for (const [args, expected] of cases) {
      const { code, headline, json } = await verify(client, batched, ...args);
      assert.equal(code, expected, args.join(" "));
      assert.equal(headline, expected === 0 ? "VALID (Batched)" : "INVALID");
      assert.equal(json.valid, expected === 0);
      if (expected === 1) assert.equal(json.layers.attestation.reason, "hash_mismatch");
    }
  });
});

Deno.test("malformed input and unusable configurations exit 1", async () => {
  await withFiles(async (client) => {
    await client.write("bundle.json", batched);
    await client.write("unusable.json", { ...network.configuration, threshold: 9 });
    await client.write("garbage.json", "garbage");
    await client.write("extra.json", { ...batched, extra: true });
    await client.write("attestation.json", batched.signed_attestation);
    const home = ["--network-config", "network.json"];
    const cases = [
      [["--bundle", "garbage.json", ...home], "malformed_bundle"],
      [["--bundle", "extra.json", ...home], "malformed_bundle"],
      [["--bundle", "attestation.json", ...home], "malformed_bundle"],
      [["--bundle", "none.json", ...home], "file_failed"],
      [["--bundle", "bundle.json"], "configuration_missing"],
      [["--bundle", "bundle.json", "--network-config", "none.json"], "file_failed"],
      [["--bundle", "bundle.json", "--network-config", "unusable.json"], "invalid_configuration"],
      [["--bundle", "bundle.json", "--network-config", "garbage.json"], "malformed_configuration"],
      [
        ["--bundle", "bundle.json", ...home, "--peer-config", "garbage.json"],
        "malformed_configuration",
      ],
      [["--bundle", "bundle.json", ...home, "--file", "none.txt"], "file_failed"],
    ] as const;
    for (const [args, code] of cases) {
      assertFailed(await client.runJson(["verify-proof", ...args]), code);
      assert.equal((await client.run(["verify-proof", ...args])).code, 1);
    }
  });
});

Deno.test("the protocol's sentence about external anchors is printed only if one is bound", async () => {
  await withFiles(async (client) => {
    const bound = log.externalAnchor({ from: SIZE, size: 16, timestamp: 1_766_275_400 });
    const stray = { ...bound, digest: digestOf("stray") };
    const line = "external anchors: present, not independently verified";
    const present = await verify(client, { ...batched, external_anchors: [bound, stray] });
    assert.ok(present.lines.includes(line));
    assert.equal(present.json.layers.external_anchors.present, 1);
    assert.equal(present.json.level, "batched");
    const absent = await verify(client, { ...batched, external_anchors: [stray] });
    assert.ok(!absent.lines.includes(line));
    const without = await verify(client, batched);
    assert.ok(without.lines.includes("external anchors: absent"));
  });
});

Deno.test("unsigned fields are listed", async () => {
  await withFiles(async (client) => {
    const { lines, json } = await verify(client, batched);
    assert.deepEqual(json.unauthenticated, [
      "batch_inclusion.batch.first_index",
      "batch_inclusion.batch.attestation_count",
      "batch_inclusion.batch.period_start",
    ]);
    for (const path of json.unauthenticated) assert.ok(lines.includes(`  ${path}`));
  });
});

Deno.test("verify-proof reads the bundle from standard input", async () => {
  await withFiles(async (client) => {
    const args = ["verify-proof", "--bundle", "-", "--network-config", "network.json"];
    assert.equal((await client.run(args, JSON.stringify(batched))).code, 0);
  });
});

Deno.test("--hash alone fetches the bundle as data, and still needs a configuration", async () => {
  await using gateway = new StubGateway(log, [SIZE]);
  await withFiles(async (client) => {
    client.gateway = gateway.url;
    const hash = digestOf(CONTENT);
    assertFailed(await client.runJson(["verify-proof", "--hash", hash]), "configuration_missing");
    assert.deepEqual(gateway.requests, [`GET /v1/bundle/${hash}`]);
    const args = ["verify-proof", "--hash", hash, "--network-config", "network.json"];
    const { code, json, isOffline } = await client.runJson(args);
    assert.equal(code, 0);
    assert.equal(isOffline, false);
    assert.equal(json.level, "batched");
    const unknown = await client.runJson(["verify-proof", "--hash", digestOf("unknown")]);
    assertFailed(unknown, "gateway_refused");
    assert.equal(unknown.json.error.refusal.status, 404);
  });
});

Deno.test("a gateway that answers with another hash's bundle is INVALID", async () => {
  await using gateway = new StubGateway(log, [SIZE]);
  await withFiles(async (client) => {
    client.gateway = gateway.url;
    const hash = digestOf(CONTENT);
    gateway.lies.set(`/v1/bundle/${hash}`, () => Response.json(gateway.bundle(8)));
    const args = ["verify-proof", "--hash", hash, "--network-config", "network.json"];
    assert.equal((await client.run(args)).code, 1);
  });
});

Deno.test("--online says that the gateway was trusted for the configuration", async () => {
  await using gateway = new StubGateway(log, [SIZE]);
  await withFiles(async (client) => {
    client.gateway = gateway.url;
    await client.write("bundle.json", batched);
    const args = ["verify-proof", "--bundle", "bundle.json", "--online"];
    const { code, stdout } = await client.run(args);
    assert.equal(code, 0);
    assert.match(stdout, /the gateway was trusted for it/);
    // A configuration of the gateway's own choice says nothing about the next one.
    assert.equal(await client.trust.head(network.id), undefined);
  });
});

Deno.test("--online with --network-config does not fetch the configuration", async () => {
  await using gateway = new StubGateway(log, [4, SIZE]);
  await withFiles(async (client) => {
    client.gateway = gateway.url;
    await client.write("bundle.json", batched);
    await client.trust.saveHead(gateway.sth(4));
    const home = ["--network-config", "network.json"];
    const line = ["verify-proof", "--bundle", "bundle.json", "--online", ...home];
    const { json } = await client.runJson(line);
    assert.equal(json.configuration.source, "file");
    // What the network adds is the link to the remembered head.
    assert.deepEqual(json.remembered_head, { relation: "extends", known_size: 4 });
    assert.deepEqual(gateway.requests, [`GET /v1/log/consistency?first=4&second=${SIZE}`]);
  });
});
