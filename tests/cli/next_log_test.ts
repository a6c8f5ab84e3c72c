import assert from "node:assert/strict";
import { encodePreviousLog, previousLogDigest } from "../../src/proof/format/previous_log.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { fingerprintOf } from "../../src/proof/format/trust_core.ts";
import { eachScheme } from "../schemes.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { digestOf, TestNetwork } from "../proof/verify/test_network.ts";
import { closeLink, propose, signSuccession } from "../proof/verify/test_succession.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const TIME = 1_766_300_000;

/** A log of `network` with `hashes`, all of one round. */
function logOf(network: TestNetwork, hashes: readonly string[]): TestLog {
  const log = new TestLog(network);
  log.addRound(hashes, { timestamp: TIME });
  return log;
}

/** The frozen log of 2026, whose last head is named by the first entry of the log of 2027. */
function twoYears(scheme: "ed25519" | "bls") {
  const old = new TestNetwork(`years.example/${scheme}/2026`, { scheme });
  const next = new TestNetwork(`years.example/${scheme}/2027`, { scheme });
  const nextLog = {
    origin: next.id,
    log_vkey: next.configuration.log_vkey!,
    core: fingerprintOf(next.configuration),
  };
  const log = logOf(old, ["a", "b", "c"].map(digestOf));
  const link = closeLink(
    log,
    signSuccession(propose(old, null, { treeSize: 3, nextLog }), old, null),
    old,
  );
  const { tree_size, root_hash } = link.end;
  const entry = previousLogDigest({ network_id: old.id, tree_size, root_hash });
  const first = logOf(next, [entry, digestOf("d")]);
  return { old, next, link, entry, first };
}

const NEXT = ["succession", "next", "chain.json"];
const VERIFY = [...NEXT, "--next-config", "next.json", "--first", "first.json"];

async function findingOf(client: Client, first: unknown, next: TestNetwork) {
  await client.write("first.json", first);
  await client.write("next.json", publicNetwork(next.configuration));
  const { code, json } = await client.runJson(VERIFY);
  assert.equal(code, json.valid ? 0 : 1);
  return json.reason ?? json.valid;
}

Deno.test("the text that names the previous log", () => {
  const head = { network_id: "years.example", tree_size: 4, root_hash: "ab".repeat(32) };
  assert.equal(
    encodePreviousLog(head),
    `countersign/previous-log/v1\nyears.example\n4\n${"ab".repeat(32)}\n`,
  );
  for (const change of [{ network_id: "a b" }, { tree_size: -1 }, { root_hash: "AB" }]) {
    assert.throws(() => encodePreviousLog({ ...head, ...change }), /previous log/);
  }
});

eachScheme.test("who pinned a frozen log follows it to the next one, and back", async (scheme) => {
  const { old, next, link, entry, first } = twoYears(scheme);
  await withClient(async (client) => {
    await client.write("old.json", publicNetwork(old.configuration));
    assert.equal((await client.runJson(["network", "--pin", "old.json"])).code, 0);
    await client.write("chain.json", [link]);
    const shown = await client.runJson(NEXT);
    assert.deepEqual([shown.code, shown.json.first_entry, shown.json.tree_size], [0, entry, 4]);
    assert.equal(shown.json.next_log.origin, next.id);

    assert.equal(await findingOf(client, first.bundle(0), next), true);
    // The same hash, but not the first entry.
    const late = logOf(next, [digestOf("d"), entry]);
    assert.equal(await findingOf(client, late.bundle(1), next), "field_mismatch");
    // The first entry, but of another head.
    const elsewhere = logOf(next, [digestOf("d")]);
    assert.equal(await findingOf(client, elsewhere.bundle(0), next), "hash_mismatch");
    // Another log of the same name, which the freeze does not name.
    const impostor = new TestNetwork(next.id, { scheme, seeds: ["x", "y", "z"] });
    const claimed = logOf(impostor, [entry]);
    assert.equal(await findingOf(client, claimed.bundle(0), impostor), "succession_unrelated");
    // Signed by others than the configuration names.
    assert.equal(await findingOf(client, claimed.bundle(0), next), "signature_invalid");
  });
});

Deno.test("the pin of an ended log vouches for the next log, and refuses another one of that name", async () => {
  const { old, next, link, first } = twoYears("ed25519");
  const impostor = new TestNetwork(next.id, { seeds: ["x", "y", "z"] });
  await using gateway = new StubGateway(first, [2]);
  const serve = ({ configuration }: TestNetwork) =>
    gateway.lies.set("/v1/network", () => Response.json(publicNetwork(configuration)));
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.write("old.json", publicNetwork(old.configuration));
    await client.write("chain.json", [link]);
    const pinOld = ["network", "--pin", "old.json", "--chain", "chain.json"];
    await client.write("first.json", first.bundle(0));
    serve(next);
    // Before the end is known, the gateway alone vouches for it.
    assert.match((await client.run(["network", "--pin", "--yes"])).stdout, /trust on first use/);
    assert.equal((await client.runJson(["network", "--unpin", next.id])).code, 0);
    assert.equal((await client.runJson(pinOld)).code, 0);
    const proof = ["verify-proof", "--bundle", "first.json"];
    const unpinned = await client.runJson(proof);
    assertFailed(unpinned, "configuration_missing");
    assert.match(unpinned.json.error.message, / \S+2027, which continues \S+2026, is not pinned /);

    serve(impostor);
    assertFailed(await client.runJson(["network", "--pin"]), "pin_differs");
    assertFailed(await client.runJson(["network", "--pin", "--yes"]), "pin_differs");
    await client.write("impostor.json", publicNetwork(impostor.configuration));
    assertFailed(await client.runJson(["network", "--pin", "impostor.json"]), "pin_differs");
    serve(next);
    const { stdout } = await client.run(["network", "--pin"]);
    assert.match(stdout, /^It continues \S+2026, whose witnesses named it$/m);
    assert.doesNotMatch(stdout, /trust on first use/);
    assert.equal((await client.runJson(proof)).json.valid, true);
  });
});

Deno.test("a log that goes on, or that the reader did not pin, leads nowhere", async () => {
  const { old, next, link } = twoYears("ed25519");
  await withClient(async (client) => {
    await client.write("chain.json", []);
    assertFailed(await client.runJson(NEXT), "invalid_configuration");
    await client.write("chain.json", [link]);
    await client.write("other.json", publicNetwork(next.configuration));
    const other = await client.runJson([...NEXT, "--network-config", "other.json"]);
    assertFailed(other, "invalid_configuration");
    await client.write("old.json", publicNetwork(old.configuration));
    const alone = [...NEXT, "--network-config", "old.json", "--next-config", "other.json"];
    assertFailed(await client.runJson(alone), "invalid_configuration");
  });
});
