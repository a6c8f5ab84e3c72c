import assert from "node:assert/strict";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { parseLogList } from "../../src/proof/format/log_list.ts";
import { signerOf, TestNetwork } from "../proof/verify/test_network.ts";
import { assertFailed, withClient } from "./client_run.ts";

const { configuration } = new TestNetwork("net.example/home");

Deno.test("witness-network request prints an entry that a witness can import", () =>
  withClient(async (client) => {
    await client.write("network.json", configuration);
    const line = ["witness-network", "request", "--network-config", "network.json"];
    const more = ["--contact", "sysadmin@net.example", "--every", "60"];
    const { code, stdout } = await client.run([...line, ...more]);
    assert.equal(code, 0);
    assert.match(stdout, /^Origin line: net\.example\/home\nPublic key: net\.example\/home\+/);
    const entry = stdout.slice(stdout.indexOf("\nvkey "));
    const { logs, skipped } = parseLogList(`logs/v0\n${entry}\n`);
    assert.deepEqual(skipped, []);
    assert.deepEqual(
      logs.map(({ origin, key, queriesPerDay }) => [origin, encodeVkey(key), queriesPerDay]),
      [[configuration.id, configuration.log_vkey, 1_440]],
    );
    const { json } = await client.runJson([...line, ...more]);
    assert.deepEqual(json, {
      origin: configuration.id,
      vkey: configuration.log_vkey,
      seconds_between_requests: 60,
      queries_per_day: 1_440,
      list: "testing",
      contact: "sysadmin@net.example",
    });
    assertFailed(await client.runJson([...line, "--contact", "a\nqpd 9"]), "usage", 2);
    const { log_vkey: _, ...unsigned } = configuration;
    await client.write("network.json", unsigned);
    assertFailed(await client.runJson([...line, ...more]), "invalid_configuration");
  }));

Deno.test("witness-network witnesses reads lists from files and URLs", () =>
  withClient(async (client) => {
    const publicKey = signerOf("w").publicKey;
    const vkey = encodeVkey({ name: "w.example", type: NOTE_TYPE.cosignature, publicKey });
    const page = `${vkey}\nhttps://w.example/add-checkpoint\n`;
    await client.write("page", page);
    const expected = { witnesses: [{ vkey, url: "https://w.example/" }] };
    const line = ["witness-network", "witnesses"];
    const read = await client.runJson([...line, "page", "page"]);
    assert.deepEqual([read.code, read.json], [0, expected]);
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => new URL(request.url).pathname === "/about" ? new Response(page) : gone(),
    );
    const url = `http://127.0.0.1:${server.addr.port}`;
    assert.deepEqual((await client.runJson([...line, `${url}/about`])).json, expected);
    assertFailed(await client.runJson([...line, `${url}/x`]), "file_failed");
    assertFailed(await client.runJson([...line, "http://w.example/"]), "invalid_configuration");
    const { stdout } = await client.run([...line, "page"]);
    assert.deepEqual(JSON.parse(`{${stdout}}`), expected);
    await client.write("page", vkey);
    const bare = await client.run([...line, "page"]);
    assert.deepEqual(JSON.parse(`{${bare.stdout}}`), { witnesses: [{ vkey }] });
    assert.match(bare.stderr, /without a URL: 1\. Ask their operators/);
    await client.write("page", "nothing");
    assert.equal((await client.run([...line, "page"])).code, 1);
  }));

function gone(): Response {
  return new Response("", { status: 410 });
}
