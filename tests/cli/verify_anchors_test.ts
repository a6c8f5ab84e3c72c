import assert from "node:assert/strict";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import type { ExternalAnchor } from "../../src/proof/format/external_anchor.ts";
import { TestRekorLog } from "../gateway/anchors/rekor/test_log.ts";
import { digestOf, makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { ANCHORED_AT, REKOR_ROOT, rekorAnchor } from "./anchor_fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const SEQUENCE = 7;
const SIZE = 12;
const network = new TestNetwork("net.example/anchors");
const log = makeLog(network);
const batched = log.bundle(
  SEQUENCE,
  log.batchInclusion(SEQUENCE, log.sth(SIZE, ANCHORED_AT + 60)),
);
const anchor = rekorAnchor(log, { from: SIZE, size: 16 });
const ROOT = ["--anchor-root", "rekor=root.pem"];

function withAnchors(...external_anchors: readonly ExternalAnchor[]): ProofBundle {
  return { ...batched, external_anchors };
}

async function withFiles(use: (client: Client) => Promise<void>): Promise<void> {
  await withClient(async (client) => {
    await client.write("network.json", network.configuration);
    await client.write("root.pem", new TextDecoder().decode(REKOR_ROOT));
    await use(client);
  });
}

/** Both formats, which agree; offline. */
async function verify(client: Client, bundle: ProofBundle, ...args: readonly string[]) {
  await client.write("bundle.json", bundle);
  const line = [
    "verify-proof",
    "--bundle",
    "bundle.json",
    "--network-config",
    "network.json",
    ...args,
  ];
  const text = await client.run(line);
  const json = await client.runJson(line);
  assert.equal(text.code, json.code);
  assert.ok(text.isOffline && json.isOffline);
  return { code: text.code, lines: text.stdout.split("\n"), json: json.json };
}

Deno.test("verify-proof without --anchors prints the sentence of the protocol about anchors", async () => {
  await withFiles(async (client) => {
    const { code, lines, json } = await verify(client, withAnchors(anchor));
    assert.equal(code, 0);
    assert.ok(lines.includes("external anchors: present, not independently verified"));
    assert.equal(json.external_anchors, undefined);
    assert.ok(!JSON.stringify(json.time).includes("Rekor"));
  });
});

Deno.test("--anchors verifies against the user's roots, and adds the time to the bracket", async () => {
  await withFiles(async (client) => {
    const { code, lines, json } = await verify(client, withAnchors(anchor), "--anchors", ...ROOT);
    assert.equal(code, 0);
    assert.equal(json.level, "batched");
    assert.ok(lines.includes("external anchors: 1 present, 1 verified"));
    const line = lines.find((text) => text.startsWith("external anchor of rekor, tree size 16:"));
    assert.match(line!, /: verified, not after 2025-12-21T00:01:40Z \(Rekor log rekor.test.*\)$/);
    const [finding] = json.external_anchors;
    assert.equal(finding.status, "verified");
    assert.deepEqual([finding.provider, finding.tree_size, finding.bound], ["rekor", 16, true]);
    assert.equal(finding.not_after, ANCHORED_AT);
    assert.deepEqual(json.missing_anchors, []);
    const open = json.unauthenticated.filter((path: string) => path.startsWith("external"));
    assert.deepEqual(open, [
      "external_anchors[0].timestamp",
      "external_anchors[0].tree_head.timestamp",
    ]);
    const bound = json.time.not_after.find(({ time }: { time: number }) => time === ANCHORED_AT);
    assert.equal(bound.source, finding.source);
    assert.equal(bound.word, "the roots supplied for rekor");
  });
});

Deno.test("reports name the service that a bundle names, and say that nothing covers it", async () => {
  await withFiles(async (client) => {
    const named = withAnchors({ ...anchor, service: "log-eu" }, { ...anchor, service: "log-us" });
    const { code, lines, json } = await verify(client, named, "--anchors", ...ROOT);
    assert.equal(code, 0);
    for (const service of ["log-eu", "log-us"]) {
      const begin = `external anchor of rekor (service ${service}), tree size 16: verified`;
      assert.ok(lines.some((line) => line.startsWith(begin)), service);
    }
    const services = (found: { service: string }[]) => found.map(({ service }) => service);
    assert.deepEqual(services(json.external_anchors), ["log-eu", "log-us"]);
    assert.deepEqual(services(json.layers.external_anchors.anchors), ["log-eu", "log-us"]);
    assert.ok(json.unauthenticated.includes("external_anchors[0].service"));
    for (const service of ["", "a b", "../x", "\u001b[2J", "a".repeat(41), 1]) {
      await client.write("bundle.json", withAnchors({ ...anchor, service } as ExternalAnchor));
      const line = ["verify-proof", "--bundle", "bundle.json", "--network-config", "network.json"];
      assertFailed(await client.runJson(line), "malformed_bundle");
    }
  });
});

Deno.test("roots and requirements imply --anchors", async () => {
  await withFiles(async (client) => {
    const bundle = withAnchors(anchor);
    assert.equal((await verify(client, bundle, ...ROOT)).json.external_anchors.length, 1);
    const required = await verify(client, bundle, ...ROOT, "--require-anchor", "rekor");
    assert.equal(required.code, 0);
    const unmet = await verify(client, bundle, "--require-anchor", "rekor");
    assert.equal(unmet.code, 1, "no root, so nothing is verified");
    assert.equal(unmet.json.valid, true);
    assert.deepEqual(unmet.json.missing_anchors, ["rekor"]);
    assert.ok(unmet.lines.includes("required external anchor of rekor: none is verified"));
    assert.equal(unmet.lines[0], "VALID (Batched)", "the level is another question");
  });
});

Deno.test("without a root an anchor is not checked, and the report says what is missing", async () => {
  await withFiles(async (client) => {
    const { code, lines, json } = await verify(client, withAnchors(anchor), "--anchors");
    assert.equal(code, 0);
    assert.equal(json.external_anchors[0].status, "not_checked");
    assert.match(lines.join("\n"), /not checked: .* \(--anchor-root rekor=FILE: a Sigstore/);
  });
});

const OTHER_LOG = new TestRekorLog({ version: "0.0.1", algorithm: "p256", seed: 12 });
const CASES: readonly {
  readonly name: string;
  readonly anchor: ExternalAnchor;
  readonly status: "failed" | "not_checked";
  readonly reason: RegExp;
}[] = [
  {
    name: "a proof about something else",
    anchor: { ...anchor, proof: rekorAnchor(log, { from: SIZE, size: 15 }).proof },
    status: "failed",
    reason: /./,
  },
  {
    name: "a proof of a log with another key",
    anchor: rekorAnchor(log, { from: SIZE, size: 16 }, OTHER_LOG),
    status: "failed",
    reason: /./,
  },
  {
    name: "a proof that is none",
    anchor: { ...anchor, proof: { more: [] } },
    status: "failed",
    reason: /./,
  },
  {
    name: "another time than the log's",
    anchor: { ...anchor, timestamp: ANCHORED_AT - 1 },
    status: "failed",
    reason: /time/,
  },
  {
    name: "a status that is none",
    anchor: { ...anchor, status: "anchored" },
    status: "failed",
    reason: /neither pending nor confirmed/,
  },
  {
    name: "a provider that nobody knows",
    anchor: { ...anchor, provider: "\u001b[31mnotary" },
    status: "not_checked",
    reason: /unknown provider/,
  },
  {
    name: "an anchor of another head",
    anchor: { ...anchor, digest: digestOf("another") },
    status: "not_checked",
    reason: /not bound to this attestation/,
  },
];

for (const { name, anchor: told, status, reason } of CASES) {
  Deno.test(`${name} is reported, keeps the level, and satisfies no --require-anchor`, async () => {
    await withFiles(async (client) => {
      const { code, lines, json } = await verify(client, withAnchors(told), ...ROOT);
      assert.equal(code, 0);
      assert.equal(json.level, "batched");
      const [finding] = json.external_anchors;
      assert.equal(finding.status, status);
      assert.match(finding.reason, reason);
      assert.ok(
        json.unauthenticated.some((path: string) => path.startsWith("external_anchors[0]")),
      );
      assert.ok(lines.some((line) => line.includes(`: ${status.replace("_", " ")}: `)));
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(lines.join(""), /\u001b/);
      assert.ok(!JSON.stringify(json.time).includes("Rekor"));
      const required = await verify(
        client,
        withAnchors(told),
        ...ROOT,
        "--require-anchor",
        "rekor",
      );
      assert.equal(required.code, 1);
      // One that is good is enough, whatever stands beside it.
      const both = withAnchors(told, anchor);
      assert.equal((await verify(client, both, ...ROOT, "--require-anchor", "rekor")).code, 0);
    });
  });
}

Deno.test("anchors of an unverified batch are not verified", async () => {
  await withFiles(async (client) => {
    const weak = log.sth(SIZE, ANCHORED_AT, [0]);
    const bundle = {
      ...withAnchors(anchor),
      batch_inclusion: log.batchInclusion(SEQUENCE, weak),
    };
    const { json } = await verify(client, bundle, ...ROOT);
    assert.equal(json.level, "basic");
    assert.equal(json.external_anchors[0].status, "not_checked");
  });
});

Deno.test("unknown providers and missing files are errors", async () => {
  await withFiles(async (client) => {
    await client.write("bundle.json", withAnchors(anchor));
    const line = ["verify-proof", "--bundle", "bundle.json", "--network-config", "network.json"];
    for (const args of [["--anchor-root", "tsa=root.pem"], ["--require-anchor", "tsa"]]) {
      const failed = await client.runJson([...line, ...args]);
      assertFailed(failed, "usage", 2);
      for (const known of ["opentimestamps (Bitcoin", "rekor (a Sigstore", '"tsa"']) {
        assert.ok(failed.json.error.message.includes(known), known);
      }
    }
    for (const args of ["rekor", "=root.pem", "rekor="]) {
      assertFailed(await client.runJson([...line, "--anchor-root", args]), "usage", 2);
    }
    const missing = await client.runJson([...line, "--anchor-root", "rekor=none.pem"]);
    assertFailed(missing, "file_failed");
  });
});
