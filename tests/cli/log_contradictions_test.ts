import assert from "node:assert/strict";
import { contradictionMembers } from "../../src/proof/format/federation.ts";
import { contradictionOf, historyOf } from "../gateway/federation/histories.ts";
import {
  closeLink,
  propose,
  signSuccession,
  threeEpochs,
  twoSuccessions,
} from "../proof/verify/test_succession.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";
import { eachScheme } from "../schemes.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { problem, StubGateway } from "./stub_gateway.ts";

const PATH = "/v1/federation/contradictions";
const gatewayLog = new TestLog(new TestNetwork("home.example/log"));
const accused = new TestNetwork("accused.example/log");
const other = new TestNetwork("other.example/log", { scheme: "bls" });
const evidence = [accused, other].map((network) => {
  const histories = ["one", "two"].map((name) => historyOf(network, name, 3, 9));
  return contradictionMembers(contradictionOf([histories[0]!, 4], [histories[1]!, 9]));
}) as [ReturnType<typeof contradictionMembers>, ReturnType<typeof contradictionMembers>];

/** A gateway that shows `shown`, and a client with the configurations of both networks. */
async function withShown(
  shown: unknown,
  use: (client: Client, gateway: StubGateway) => Promise<void>,
): Promise<void> {
  await using gateway = new StubGateway(gatewayLog, []);
  gateway.lies.set(PATH, () => Response.json(shown));
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.write("accused.json", accused.configuration);
    await client.write("other.json", other.configuration);
    await use(client, gateway);
  });
}

const ARGS = ["log", "contradictions", "--network-config", "accused.json"];

Deno.test("proved evidence is reported and exits 1", async () => {
  await withShown(evidence, async (client, gateway) => {
    const { code, json } = await client.runJson(ARGS);
    assert.equal(code, 1);
    assert.equal(json.proved, 1);
    const [found, unchecked] = json.contradictions;
    assert.equal(found.status, "verified");
    assert.equal(found.origin, accused.id);
    assert.deepEqual(found.signed_both, ["accused.example/log/w1", "accused.example/log/w2"]);
    assert.equal(found.first.tree_head.tree_size, 4);
    assert.equal(found.second.tree_head.tree_size, 9);
    assert.equal(found.configuration.network_id, accused.id);
    assert.equal(unchecked.status, "not_checked");
    const text = await client.run(ARGS);
    assert.equal(text.code, 1);
    assert.match(text.stdout, /^CONTRADICTION \(1 proved\)$/m);
    assert.match(text.stdout, /signed two histories of one log, and its log key too$/m);
    assert.match(text.stdout, /This does not prove:\n {2}which of the two/);
    assert.match(text.stdout, /^other.example\/log: not checked/m);
    assert.deepEqual(new Set(gateway.requests), new Set(["GET /v1/succession", `GET ${PATH}`]));
  });
});

Deno.test("invalid evidence is reported as failed and exits 0", async () => {
  const [good] = evidence;
  const same = { ...good, second: good.first, consistency_path: [] };
  const bare = { ...good, consistency_path: good.consistency_path.slice(1) };
  const unsigned = { ...good, first: { ...good.first, log_signature: "00".repeat(64) } };
  const reasons = ["contradiction_unproven", "contradiction_unproven", "log_signature_invalid"];
  await withShown([same, bare, unsigned], async (client) => {
    const { code, json } = await client.runJson(ARGS);
    assert.equal(code, 0);
    assert.equal(json.proved, 0);
    for (const [i, found] of json.contradictions.entries()) {
      assert.equal(found.status, "failed");
      assert.equal(found.reason, reasons[i]);
      assert.equal(found.signed_both, undefined);
    }
    const { stdout } = await client.run(ARGS);
    assert.match(stdout, /^No contradiction is proved\.$/m);
    assert.doesNotMatch(stdout, /This proves/);
  });
  await withShown([], async (client) => {
    const { code, stdout } = await client.run(ARGS);
    assert.equal(code, 0);
    assert.match(stdout, /^No contradiction is shown\.$/m);
  });
});

Deno.test("log contradictions --file verifies a list or one entry offline", async () => {
  await withShown([], async (client, gateway) => {
    await client.write("list.json", evidence);
    await client.write("one.json", evidence[1]);
    const cases = [["list.json", "accused.json", 1], ["list.json", "other.json", 1], [
      "one.json",
      "other.json",
      1,
    ], ["one.json", "accused.json", 0]] as const;
    for (const [file, configuration, proved] of cases) {
      const args = ["log", "contradictions", "--file", file, "--network-config", configuration];
      const { code, json, isOffline } = await client.runJson(args);
      assert.equal(json.proved, proved, `${file} ${configuration}`);
      assert.equal(code, proved);
      assert.equal(isOffline, true);
    }
    const piped = ["log", "contradictions", "--file", "-", "--network-config", "accused.json"];
    assert.equal((await client.run(piped, JSON.stringify(evidence))).code, 1);
    assert.deepEqual(gateway.requests, []);
  });
});

Deno.test("a client's evidence is verified without the log key's signatures", async () => {
  const [{ first: { sth: first }, second, ...good }] = evidence;
  await withShown([], async (client) => {
    const args = [...ARGS, "--file", "fork.json"];
    await client.write("fork.json", { ...good, first: { sth: first }, second });
    const { code, json } = await client.runJson(args);
    assert.deepEqual([code, json.proved], [1, 1]);
    const [{ first: shown, second: logged }] = json.contradictions;
    assert.deepEqual([shown.log_signature, logged.log_signature], [false, undefined]);
    const { stdout } = await client.run(args);
    assert.match(stdout, /^ {2}first: size 4, .*, without the log key's signature$/m);
    assert.match(stdout, /signed two histories of one log$/m);

    assert.ok("signatures" in first);
    const few = { ...first, signatures: first.signatures.slice(1) };
    await client.write("fork.json", { ...good, first: { sth: few }, second });
    const unproved = await client.runJson(args);
    assert.deepEqual([unproved.code, unproved.json.proved], [0, 0]);
    assert.equal(unproved.json.contradictions[0].reason, "threshold_not_met");
    // A gateway's list has the signatures.
    await client.write("fork.json", [{ ...good, first: { sth: first }, second }]);
    assertFailed(await client.runJson(args), "malformed_bundle");
  });
});

Deno.test("two successions of a peer are verified from the gateway's list, a file and a pipe", async () => {
  const { epochs: [zero] } = threeEpochs();
  const conflict = twoSuccessions();
  const { first, second, origin } = conflict;
  const damaged = { ...conflict, second: { ...second, end: { ...second.end, signatures: [] } } };
  const same = { ...conflict, second: first };
  await withShown([evidence[0], conflict, damaged, same], async (client) => {
    const unchecked = await client.runJson(["log", "contradictions"]);
    assert.equal(unchecked.code, 0);
    const statuses = ({ json }: typeof unchecked) =>
      json.successions.map(({ status, reason }: Record<string, string>) => reason ?? status);
    assert.deepEqual(statuses(unchecked), ["not_checked", "not_checked", "not_checked"]);
    await client.write("peer.json", zero.configuration);
    const args = ["log", "contradictions", "--network-config", "peer.json"];
    const shown = await client.runJson(args);
    assert.deepEqual([shown.code, shown.json.proved], [1, 1]);
    const reasons = ["verified", "threshold_not_met", "contradiction_unproven"];
    assert.deepEqual(statuses(shown), reasons);
    assert.deepEqual(shown.json.successions[0].signed_both, [`${origin}/b`]);
    assert.deepEqual([shown.json.successions[0].epoch, shown.json.contradictions.length], [0, 1]);
    const { stdout } = await client.run(args);
    assert.match(stdout, /^epochs\.example: two ends of epoch 0: verified$/m);
    await client.write("list.json", [evidence[0], conflict, damaged, same]);
    const listed = await client.runJson([...args, "--file", "list.json"]);
    assert.deepEqual([listed.code, listed.isOffline, statuses(listed)], [1, true, reasons]);
    const piped = await client.run([...args, "--file", "-"], JSON.stringify(conflict));
    assert.equal(piped.code, 1);
    await client.trust.savePin(zero.configuration);
    assert.equal((await client.runJson(["log", "contradictions"])).json.proved, 1);
  });
  await withShown([{ ...conflict, second: { ...second, nonce: "" } }], async (client) => {
    assertFailed(await client.runJson(ARGS), "malformed_bundle");
  });
});

eachScheme.test("two checkpoints are checked with the keys of their epochs", async (scheme) => {
  const { epochs: [zero, one, two], links, log } = threeEpochs(scheme);
  const rootOf = (size: number) => log.head(size, 1).root_hash;
  const note = (signer: TestNetwork, tree_size: number, root_hash: string) =>
    signer.checkpoint({ network_id: zero.id, tree_size, root_hash }, { 0: 5, 1: 5, 2: 5 });
  const fork = (first: string, second: string, path: readonly string[] = []) => ({
    origin: zero.id,
    found_at: 1_766_280_000,
    first_checkpoint: first,
    second_checkpoint: second,
    consistency_path: path,
  });
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(zero.configuration));
    await client.write("chain.json", links);
    const args = ["log", "contradictions", "--file", "fork.json"];
    const run = async (evidence: unknown) => {
      await client.write("fork.json", evidence);
      const { code, json } = await client.runJson(args);
      const [{ reason, signed_both: both }] = json.histories;
      const { stdout } = await client.run(args);
      assert.equal(/that the log's key signed$/m.test(stdout), code === 1, stdout);
      return [code, reason ?? both.length];
    };
    const other = digestOf("another root");
    const last = fork(note(two, 24, rootOf(24)), note(two, 24, other));
    const retired = fork(note(zero, 24, rootOf(24)), note(zero, 24, other));
    const across = fork(
      note(one, 12, other),
      note(two, 24, rootOf(24)),
      log.consistencyPath(12, 24),
    );
    const followed = ["network", "--pin", "pin.json", "--chain", "chain.json"];
    assert.equal((await client.runJson(followed)).code, 0);
    // No witness of a `bls` network has a note key. Witness c has its key of epoch 0 in epoch 2, too.
    const [all, common, reason] = scheme === "bls"
      ? [0, 0, "no_known_signature"]
      : [3, 2, "log_signature_missing"];
    assert.deepEqual(await run(last), [1, all]);
    assert.deepEqual(await run(across), [1, common]);
    assert.deepEqual(await run(retired), [0, reason]);

    const end = signSuccession(propose(two, null, { treeSize: 24 }), two, null);
    await client.write("chain.json", [...links, closeLink(log, end, two)]);
    const frozen = await client.runJson([...followed, "--force"]);
    assert.equal(frozen.code, 0, frozen.stdout);
    assert.deepEqual(await run(last), [1, all]);
    const beyond = fork(note(two, 30, other), note(two, 30, digestOf("a third root")));
    assert.deepEqual(await run(beyond), [0, "log_ended"]);
  });
});

Deno.test("the gateway's chain is compared with the chain in a named configuration", async () => {
  const { epochs: [zero], links } = threeEpochs();
  const { second: rival } = twoSuccessions();
  await withShown([], async (client, gateway) => {
    const args = ["log", "contradictions", "--network-config", "network.public.json"];
    const proved = async (shown: unknown, succession?: object) => {
      gateway.lies.set("/v1/succession", () => Response.json(shown));
      const file = publicNetwork(zero.configuration);
      await client.write("network.public.json", { ...file, ...(succession && { succession }) });
      const { code, json } = await client.runJson(args);
      assert.equal(code, json.proved);
      assert.equal(json.successions?.[0].configuration.source, json.proved ? "file" : undefined);
      return json.proved;
    };
    assert.equal(await proved([rival], links), 1);
    assert.equal(await proved(links, [rival]), 1);
    assert.equal(await proved(links, links), 0);
    assert.equal(await proved(links, links.slice(0, 1)), 0);
    assert.equal(await proved([rival]), 0, "the file has no chain");
    const other = threeEpochs("ed25519", "other.example");
    assert.equal(await proved(other.links, links), 0);

    // The file is read once.
    gateway.lies.set("/v1/succession", () => Response.json([rival]));
    gateway.lies.set(PATH, () => Response.json([twoSuccessions()]));
    const file = JSON.stringify({ ...publicNetwork(zero.configuration), succession: links });
    const piped = await client.runJson(["log", "contradictions", "--network-config", "-"], file);
    assert.equal(piped.json.proved, 2, piped.stdout);
  });
});

Deno.test("log contradictions uses pins without --network-config", async () => {
  await withShown(evidence, async (client) => {
    const none = await client.runJson(["log", "contradictions"]);
    assert.equal(none.code, 0);
    assert.deepEqual(none.json.contradictions.map(({ status }: { status: string }) => status), [
      "not_checked",
      "not_checked",
    ]);
    await client.trust.savePin(other.configuration);
    const { json } = await client.runJson(["log", "contradictions"]);
    assert.deepEqual(json.contradictions.map(({ status }: { status: string }) => status), [
      "not_checked",
      "verified",
    ]);
    await client.trust.savePin(accused.configuration);
    assert.equal((await client.runJson(["log", "contradictions"])).json.proved, 2);
  });
});

Deno.test("a missing or malformed list of evidence is refused", async () => {
  for (const shown of [{}, [1], [{ ...evidence[0], more: 1 }], [{ origin: "x" }]]) {
    await withShown(shown, async (client) => {
      assertFailed(await client.runJson(ARGS), "malformed_bundle");
    });
  }
  await withShown([], async (client, gateway) => {
    gateway.lies.set(PATH, () => problem(404, "route_not_found"));
    assertFailed(await client.runJson(ARGS), "gateway_refused");
    const args = ["log", "contradictions", "--file", "missing.json"];
    assertFailed(await client.runJson(args), "file_failed");
  });
});
