import assert from "node:assert/strict";
import type { Beacon } from "../../src/proof/format/round.ts";
import { forged, QUICKNET_BEACONS, QUICKNET_TIME } from "../beacons.ts";
import {
  batchedBundle,
  digestOf,
  makeLog,
  SEQUENCE,
  TestLog,
  TestNetwork,
} from "../proof/verify/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/verify");
const other = new TestNetwork("net.example/other");
const log = makeLog(network);
const signed = log.attestations[SEQUENCE]!;
const altered = {
  ...signed,
  attestation: { ...signed.attestation, hash: "ab".repeat(32) },
};
const NOT_PROVEN_TAIL = [
  "This does not prove:",
  "  that the content is authentic or true",
  "  who owns or made the content",
  "  that the content is confidential",
  "  a globally agreed time",
  "  that any provider will stay available",
];

async function withFiles(use: (client: Client) => Promise<void>): Promise<void> {
  await withClient(async (client) => {
    await client.write("good.json", signed);
    await client.write("altered.json", altered);
    await client.write("network.json", network.configuration);
    await client.write("other.json", other.configuration);
    await use(client);
  });
}

Deno.test("verify says VALID, exits 0, and ends with what it does not prove", async () => {
  await withFiles(async (client) => {
    const args = ["verify", "good.json", "--network-config", "network.json"];
    const brief = (await client.run(args)).stdout.split("\n");
    assert.equal(brief[0], "VALID");
    assert.equal(brief[2], "configuration: from network.json; epoch 0, not followed further");
    assert.match(brief[3]!, /^2 of 2 needed signatures \(net\.example\/verify\/w\d, \S+\)$/);
    assert.match(brief[4]!, /^This does not prove that the content is authentic.*--verbose\)$/);
    assert.equal(brief.length, 5);
    const { code, stdout, isOffline } = await client.run([...args, "--verbose"]);
    assert.equal(code, 0);
    assert.equal(isOffline, true);
    const lines = stdout.split("\n");
    assert.equal(lines[0], "VALID");
    assert.ok(lines.includes(`hash: ${signed.attestation.hash}`));
    assert.deepEqual(lines.slice(-NOT_PROVEN_TAIL.length), NOT_PROVEN_TAIL);
    const { code: jsonCode, json } = await client.runJson(args);
    assert.equal(jsonCode, 0);
    assert.equal(json.valid, true);
    assert.equal(json.verified_signatures, 2);
    assert.equal(json.required_signatures, 2);
    assert.equal(json.configuration.source, "file");
    assert.equal(json.not_proven.length, 5);
  });
});

Deno.test("verify without the threshold: INVALID and exit 1, in JSON valid: false and exit 0", async () => {
  await withFiles(async (client) => {
    for (
      const [file, config, reason] of [
        ["altered.json", "network.json", "signature_invalid"],
        ["good.json", "other.json", "network_mismatch"],
      ] as const
    ) {
      const args = ["verify", file, "--network-config", config];
      const { code, stdout } = await client.run(args);
      assert.equal(code, 1);
      assert.equal(stdout.split("\n")[0], "INVALID");
      assert.match(stdout, /\nThis does not prove .*$/);
      const { code: jsonCode, json } = await client.runJson(args);
      assert.equal(jsonCode, 0);
      assert.equal(json.valid, false);
      assert.equal(json.reason, reason);
    }
  });
});

Deno.test("a signed attestation beside a file has to be about it", async () => {
  await withFiles(async (client) => {
    await client.write("file", "another content");
    await client.write("file.countersign.json", signed);
    const args = ["verify", "file", "--network-config", "network.json"];
    const { code, stdout } = await client.run(args);
    assert.equal(code, 1);
    assert.match(stdout, /^INVALID\nThe proof is genuine but belongs to another file: file has/);
    assert.doesNotMatch(stdout, /20\d\d-/);
    assert.equal((await client.runJson(args)).json.valid, false);
  });
});

Deno.test("verify FILE --proof PROOF takes a proof from anywhere, and compares the file", async () => {
  await withClient(async (client) => {
    await client.write("network.json", network.configuration);
    await client.write("elsewhere.json", batchedBundle(log));
    await client.write("file", `content ${SEQUENCE}`);
    await client.write("file.countersign.json", "not looked at");
    const line = [
      "verify",
      "file",
      "--proof",
      "elsewhere.json",
      "--network-config",
      "network.json",
    ];
    const { code, stdout } = await client.run(line);
    assert.deepEqual([code, stdout.split("\n")[0]], [0, "VALID (Batched)"]);
    await client.write("file", "changed");
    const changed = await client.run(line);
    assert.equal(changed.code, 1);
    assert.match(changed.stdout, /^INVALID/);
    for (const more of [["another"], ["--manifest", "list"]]) {
      assertFailed(await client.runJson([...line, ...more]), "usage", 2);
    }
  });
});

Deno.test("verify reads standard input", async () => {
  await withFiles(async (client) => {
    const args = ["verify", "-", "--network-config", "network.json"];
    assert.equal((await client.run(args, JSON.stringify(signed))).code, 0);
    assert.equal((await client.run(args, JSON.stringify(altered))).code, 1);
  });
});

Deno.test("verify fails if the input is no proof, also in JSON", async () => {
  await withFiles(async (client) => {
    const malformed = [
      "",
      "{}",
      "null",
      JSON.stringify({ ...log.bundle(SEQUENCE), extra: 1 }),
      JSON.stringify({ ...signed, extra: 1 }),
      JSON.stringify(signed).replace('"sequence":7', '"sequence":7,"sequence":7'),
      JSON.stringify(signed).replace('"sequence":7', '"sequence":7.0'),
      JSON.stringify(signed).replaceAll(signed.attestation.hash, "AB".repeat(32)),
    ];
    for (const text of malformed) {
      const args = ["verify", "-", "--network-config", "network.json"];
      assertFailed(await client.runJson(args, text), "malformed_bundle");
      assert.equal((await client.run(args, text)).code, 1);
    }
  });
});

Deno.test("verify needs a configuration, from a file or pinned before", async () => {
  await withFiles(async (client) => {
    assertFailed(await client.runJson(["verify", "good.json"]), "configuration_missing");
    await client.trust.savePin(network.configuration);
    const { code, json } = await client.runJson(["verify", "good.json"]);
    assert.equal(code, 0);
    assert.equal(json.valid, true);
    assert.equal(json.configuration.source, "pin");
  });
});

Deno.test("the attestation's network selects the pin", async () => {
  await withFiles(async (client) => {
    await client.trust.savePin(other.configuration);
    assertFailed(await client.runJson(["verify", "good.json"]), "configuration_missing");
    await client.trust.savePin(network.configuration);
    assert.equal((await client.run(["verify", "good.json"])).code, 0);
    await client.trust.savePin(new TestNetwork("net.example/third").configuration);
    await client.write("fourth.json", makeLog(new TestNetwork("n4")).attestations[0]);
    assertFailed(await client.runJson(["verify", "fourth.json"]), "configuration_missing");
  });
});

Deno.test("an invalid or unreadable configuration is an error", async () => {
  await withFiles(async (client) => {
    const { configuration } = network;
    const cases = [
      [{ ...configuration, threshold: 4 }, "invalid_configuration"],
      [{ ...configuration, threshold: 0 }, "invalid_configuration"],
      [{ ...configuration, witnesses: [] }, "invalid_configuration"],
      ["{", "malformed_configuration"],
      [{ id: "x" }, "malformed_configuration"],
    ] as const;
    for (const [content, code] of cases) {
      await client.write("bad.json", content);
      const args = ["verify", "good.json", "--network-config", "bad.json"];
      assertFailed(await client.runJson(args), code);
    }
    const missing = ["verify", "good.json", "--network-config", "nowhere.json"];
    assertFailed(await client.runJson(missing), "file_failed");
    assertFailed(await client.runJson(["verify", "nowhere.json"]), "file_failed");
  });
});

Deno.test("the operator's configuration can replace the public one", async () => {
  await withFiles(async (client) => {
    const { configuration } = network;
    const witnesses = configuration.witnesses.map((witness) => ({
      ...witness,
      url: "http://127.0.0.1:9",
      token: "t0ken",
    }));
    await client.write("operator.json", { ...configuration, witnesses, log_key_file: "log.key" });
    const { code, stdout } = await client.run(
      ["verify", "good.json", "--network-config", "operator.json"],
    );
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /t0ken|log\.key/);
  });
});

Deno.test("--online trusts the gateway for the configuration, and says so", async () => {
  await using gateway = new StubGateway(log, [12]);
  await withFiles(async (client) => {
    client.gateway = gateway.url;
    const { code, stdout, isOffline } = await client.run(["verify", "good.json", "--online"]);
    assert.equal(code, 0);
    assert.equal(isOffline, false);
    assert.match(stdout, /the gateway was trusted for it/);
    const { json } = await client.runJson(["verify", "good.json", "--online"]);
    assert.equal(json.configuration.source, "gateway");
    assert.equal(json.configuration.gateway_trusted, true);
    assert.deepEqual(gateway.requests, ["GET /v1/network", "GET /v1/network"]);
  });
});

Deno.test("--online does not overrule a pin", async () => {
  await using gateway = new StubGateway(log, [12]);
  await withFiles(async (client) => {
    client.gateway = gateway.url;
    await client.trust.savePin(network.configuration);
    const same = await client.runJson(["verify", "good.json", "--online"]);
    assert.equal(same.json.configuration.source, "pin");
    await client.trust.savePin({ ...network.configuration, threshold: 3 });
    assertFailed(await client.runJson(["verify", "good.json", "--online"]), "pin_differs");
  });
});

Deno.test("verify shows the time bracket and its sources", async () => {
  await withFiles(async (client) => {
    const verify = async (beacon?: Beacon) => {
      const made = new TestLog(network);
      const hash = digestOf("timed");
      made.addRound([hash], { timestamp: QUICKNET_TIME + 2, ...(beacon && { beacon }) });
      await client.write("timed.json", made.attestations[0]);
      const args = ["verify", "timed.json", "--network-config", "network.json"];
      const { code, stdout } = await client.run([...args, "--verbose"]);
      assert.equal(code, 0);
      const lines = stdout.split("\n");
      const from = lines.findIndex((line) => line.startsWith("time bracket: "));
      const to = lines.indexOf("This does not prove:");
      return { lines: lines.slice(from, to), time: (await client.runJson(args)).json.time };
    };
    const word = "2 witnesses of net.example/verify";
    const above = `  not after 2026-09-17 15:23:41 UTC: attestation, according to ${word}`;
    const [beacon] = QUICKNET_BEACONS;
    const source = `drand quicknet round ${beacon.round}`;

    const timed = await verify(beacon);
    assert.deepEqual(timed.lines, [
      "time bracket: from 2026-09-17 15:23:39 UTC to 2026-09-17 15:23:41 UTC",
      `  not before 2026-09-17 15:23:39 UTC: ${source}, according to the nodes of drand quicknet`,
      above,
    ]);
    assert.deepEqual(timed.time, {
      not_before: [{ time: QUICKNET_TIME, source, word: "the nodes of drand quicknet" }],
      not_after: [{ time: QUICKNET_TIME + 2, source: "attestation", word }],
      failed: [],
      contradictions: [],
    });

    const open = "time bracket: until 2026-09-17 15:23:41 UTC; without a beacon, " +
      "only clocks vouch for the beginning";
    const untimed = await verify();
    assert.deepEqual(untimed.lines, [open, above]);
    assert.deepEqual(untimed.time.not_before, []);

    const deceived = await verify(forged(beacon));
    assert.deepEqual(deceived.lines, [
      open,
      above,
      `  failed: ${source}: The chain did not sign this beacon for its round.`,
    ]);
    assert.deepEqual(deceived.time.failed, [{ source, reason: "beacon_invalid" }]);

    const early = await verify(QUICKNET_BEACONS[1]);
    assert.equal(
      early.lines.at(-1),
      "  contradiction: attestation of 2026-09-17 15:23:41 UTC precedes " +
        `drand quicknet round ${beacon.round + 1} of 2026-09-17 15:23:42 UTC`,
    );
    assert.equal(early.time.contradictions.length, 1);
  });
});
