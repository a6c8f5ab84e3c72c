/** `countersign conformance`, with implementations that are served on loopback. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Markup, markup, prose } from "../../src/cli/conformance/report_page.ts";
import { encodeVkey, parseVkey } from "../../src/proof/format/note_key.ts";
import { FakeLog } from "../logs/conformance/fake_log.ts";
import { FakeMirror } from "../logs/conformance/fake_mirror.ts";
import { FakeWitness } from "../logs/conformance/fake_witness.ts";
import { type Vector } from "../../src/logs/conformance/vectors.ts";
import { C2SP_VECTORS } from "../logs/conformance/vectors/corpus.ts";
import { type Client, withClient } from "./client_run.ts";

const NAME = "suite.example/2026";

async function suiteKey(client: Client): Promise<string> {
  const { json } = await client.run([
    "keygen",
    NAME,
    "--kind",
    "log",
    "--out",
    "suite.key",
    "--output",
    "json",
  ]);
  return json.vkey;
}

Deno.test("conformance witness reports as text, JSON and HTML, and exits 1 for a failed MUST", () =>
  withClient(async (client) => {
    const log = parseVkey(await suiteKey(client));
    for (const [defect, code] of [["", 0], ["a proof from 0", 1]] as const) {
      const witness = new FakeWitness(log, defect);
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => {} },
        (request) => witness.fetch(request),
      );
      const url = `http://127.0.0.1:${server.addr.port}`;
      const run = (...args: string[]) =>
        client.run([
          "conformance",
          "witness",
          url,
          "--log-key",
          "suite.key",
          "--vkey",
          encodeVkey(witness.key),
          ...args,
        ]);
      const { code: exit, json, stderr } = await run("--output", "json", "--html", "report.html");
      assert.equal(exit, code);
      assert.ok(stderr.includes(encodeVkey(log)), stderr);
      const broken = json.clauses.filter((one: { level: string; verdict: string }) =>
        one.level !== "SHOULD" && one.verdict === "fail"
      );
      assert.deepEqual(
        broken.map(({ id }: { id: string }) => id),
        code === 0 ? [] : [
          "tlog-witness/proof-status",
          "tlog-witness/no-cosignature",
        ],
      );
      const page = await Deno.readTextFile(join(client.folder, "report.html"));
      assert.match(page, /^<!doctype html>/);
      // One file: nothing is loaded, and no text of the witness is markup.
      assert.ok(!/<(script|link|img|iframe)|src=|url\(/.test(page));
      assert.ok(page.includes("tlog-witness/empty-proof") && page.includes(url));
      const text = await run();
      assert.equal(text.code, 0, "the second run cannot test a first checkpoint");
      assert.match(text.stdout, /unclear/);
      if (code === 0) continue;
      const [{ checks }] = broken;
      assert.match(checks[0].command, /^curl -sS -i --data-binary \$'old 0\\n/);
    }
  }));

Deno.test("conformance witness takes a log's key, and needs an answer", () =>
  withClient(async (client) => {
    await client.run(["keygen", "witness.example/w", "--out", "witness.key"]);
    const url = "http://127.0.0.1:1";
    const wrong = await client.run(["conformance", "witness", url, "--log-key", "witness.key"]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /it is not a log key/);
    await suiteKey(client);
    const silent = await client.run(["conformance", "witness", url, "--log-key", "suite.key"]);
    assert.equal(silent.code, 1);
    assert.match(silent.stderr, /Cannot test witness: no answer from 127\.0\.0\.1:1/);
    const log = await client.run(["conformance", "log", url]);
    assert.deepEqual([log.code, log.stdout], [1, ""]);
    assert.match(log.stderr, /Cannot test log: no answer from 127\.0\.0\.1:1/);
  }));

Deno.test("conformance log tests a served log", () =>
  withClient(async (client) => {
    for (const [defect, code] of [["", 0], ["another entry", 1]] as const) {
      const log = new FakeLog(defect);
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => {} },
        async ({ url }) => {
          const answer = await log.fetch(`${log.url.href}${new URL(url).pathname.slice(1)}`);
          // It says that entries are compressed, and sends them as they are.
          answer.headers.delete("Content-Encoding");
          return answer;
        },
      );
      const url = `http://127.0.0.1:${server.addr.port}`;
      const args = ["conformance", "log", url, "--vkey", encodeVkey(log.key)];
      const { code: exit, json } = await client.run([...args, "--output", "json"]);
      assert.equal(exit, code);
      const { verdict } = json.clauses.find(({ id }: { id: string }) =>
        id === "tlog-tiles/entry-hashes"
      );
      assert.equal(verdict, code === 0 ? "pass" : "fail");
      const signed = json.clauses.find(({ id }: { id: string }) => id === "tlog-tiles/ed25519");
      assert.equal(signed.verdict, "pass");
    }
  }));

Deno.test("conformance mirror tests a served mirror", () =>
  withClient(async (client) => {
    const mirror = new FakeMirror(parseVkey(await suiteKey(client)), "no proof of entries checked");
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => mirror.fetch(request),
    );
    const url = `http://127.0.0.1:${server.addr.port}`;
    const { code, json } = await client.run([
      "conformance",
      "mirror",
      url,
      "--log-key",
      "suite.key",
      "--output",
      "json",
    ]);
    assert.equal(code, 1);
    const { checks } = json.clauses.find(({ verdict }: { verdict: string }) => verdict === "fail");
    const { clause, command } = checks.find(({ verdict }: { verdict: string }) =>
      verdict === "fail"
    );
    assert.equal(clause, "tlog-mirror/authenticate");
    assert.match(command, /^base64 -d <<< '[^']+' \| curl -sS -i -H .* --data-binary @- /);
  }));

Deno.test("conformance accept exits 0 for what is accepted, and 1 otherwise", () =>
  withClient(async (client) => {
    const text = await Deno.readTextFile(new URL("notes.json", C2SP_VECTORS));
    const notes: Vector[] = JSON.parse(text);
    for (const expect of ["accept", "reject"]) {
      const { keys, note } = notes.find((one) => one.expect === expect)!;
      await Deno.writeTextFile(join(client.folder, "keys"), `${(keys as string[]).join("\n")}\n`);
      await Deno.writeTextFile(join(client.folder, "note"), note as string);
      const { code } = await client.run(["conformance", "accept", "note", "keys", "note"]);
      assert.equal(code, expect === "accept" ? 0 : 1);
    }
    const { code } = await client.run(["conformance", "accept", "note", "keys"]);
    assert.equal(code, 2);
  }));

Deno.test("markup`` escapes every value except Markup", () => {
  const hostile = `<b>&"'`;
  assert.equal(markup`<i>${hostile}</i>`.html, "<i>&lt;b&gt;&amp;&quot;&#39;</i>");
  assert.equal(
    markup`${[new Markup("<b>"), hostile, undefined, 1]}`.html,
    "<b>&lt;b&gt;&amp;&quot;&#39;1",
  );
  assert.equal(prose("`<`").html, "<code>&lt;</code>");
});
