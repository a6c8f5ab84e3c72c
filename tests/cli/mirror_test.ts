/** Copies of a real gateway's log, and what they prove once the gateway is gone. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { until } from "../gateway/fixture.ts";
import { BucketServer } from "../logs/publishing/bucket_server.ts";
import { servingFiles } from "../logs/publishing/file_server.ts";
import { answerOf, SyntheticLog } from "../logs/publishing/synthetic_log.ts";
import { eachScheme } from "../schemes.ts";
import { batch, jsonOf, ServedNetwork } from "../server/served_network.ts";
import { served } from "../http/outgoing/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const hashOf = (i: number) => i.toString(16).padStart(64, "0");
const CONFIG = ["--network-config", "public.json"];

/** Attests `count` hashes at `url`, from number `from` on. */
async function attest(url: string, from: number, count: number): Promise<void> {
  const hashes = Array.from({ length: count }, (_, i) => hashOf(from + i));
  const answer = await fetch(`${url}/v1/attestations/batch`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": "wait=20" },
    body: JSON.stringify({ hashes }),
  });
  await answer.body?.cancel();
  await batch(url, hashes.at(-1)!);
}

/** Everything that a mirror has to prove without the gateway. `place` is a folder or URL. */
async function checkMirror(client: Client, place: string, size: number): Promise<void> {
  const mirror = ["--mirror", place, ...CONFIG];
  const audited = await client.runJson(["fsck", ...mirror]);
  assert.equal(audited.code, 0, audited.stdout);
  assert.deepEqual([audited.json.clean, audited.json.entries], [true, size]);

  const head = await client.runJson(["log", "sth", "--verify", ...mirror]);
  assert.equal(head.code, 0, head.stdout);
  assert.equal(head.json.sth.tree_head.tree_size, size);
  const other = await client.runJson(["log", "sth", "1", ...mirror]);
  assertFailed(other, "tree_size_not_published");
  const found = await client.runJson(["log", "proof", hashOf(3), "--verify", ...mirror]);
  assert.equal(found.code, 0, found.stdout);
  assert.equal(found.json.inclusion_proof.leaf_index, 3);
  assertFailed(await client.runJson(["log", "proof", hashOf(999_999), ...mirror]), "hash_unknown");

  const unbatched = await client.runJson(["verify-proof", "--bundle", "signed.json", ...mirror]);
  assert.equal(unbatched.code, 0, unbatched.stdout);
  assert.equal(unbatched.json.layers.batch.status, "verified");
  assert.deepEqual(unbatched.json.mirror.relation, "inclusion");
  const batched = await client.runJson(["verify-proof", "--bundle", "bundle.json", ...mirror]);
  assert.equal(batched.code, 0, batched.stdout);
  assert.deepEqual(batched.json.mirror, {
    place: batched.json.mirror.place,
    tree_size: size,
    relation: "extends",
  });
  assert.equal(batched.json.remembered_head.relation, "precedes");
}

/** A mirror proves growth from the remembered head, of size `first`, to its own. */
async function checkConsistency(
  client: Client,
  place: string,
  [first, second]: readonly [number, number],
): Promise<void> {
  const mirror = ["--mirror", place, ...CONFIG];
  const run = (...sizes: readonly number[]) =>
    client.runJson(["log", "consistency", ...sizes.map(String), "--verify", ...mirror]);
  for (const sizes of [[first + 1, second], [first, second + 1], [second, first]]) {
    assertFailed(await run(...sizes), "tree_size_not_published");
  }
  const grown = await run(first, second);
  assert.equal(grown.code, 0, grown.stdout);
  assert.equal(grown.json.remembered_head.relation, "extends");
}

/** Damage in a copy is found by each command that reads it. */
async function checkDamage(client: Client, folder: string): Promise<void> {
  const mirror = ["--mirror", folder, ...CONFIG];
  const path = join(client.folder, folder, "tile", "entries", "000");
  const bytes = await Deno.readFile(path);
  bytes[100]! ^= 1;
  await Deno.writeFile(path, bytes);
  const audited = await client.runJson(["fsck", ...mirror]);
  assert.equal(audited.code, 1);
  assert.ok(audited.json.fault_count > 0);
  assertFailed(await client.runJson(["log", "proof", hashOf(3), ...mirror]), "proof_refused");
  bytes[100]! ^= 1;
  await Deno.writeFile(path, bytes);
  const tile = join(client.folder, folder, "tile", "0", "000");
  await Deno.writeFile(tile, new Uint8Array(8192));
  const proof = await client.runJson(["verify-proof", "--bundle", "signed.json", ...mirror]);
  assertFailed(proof, "proof_refused");
  await Deno.remove(join(client.folder, folder, "checkpoint"));
  assert.equal((await client.runJson(["fsck", ...mirror])).code, 1);
}

eachScheme.test("a gateway publishes, mirrors follow, and both prove without it", async (scheme) => {
  await withClient(async (client) => {
    const served = await ServedNetwork.create(client.folder, "copied.example", scheme);
    await served.configure({ publish: { directory: "../public" } });
    await Deno.copyFile(served.publicFile, join(client.folder, "public.json"));
    let size = 300;
    await served.serve(async ({ url }) => {
      await attest(url, 0, 270);
      const bundle = await jsonOf(url, `/v1/bundle/${hashOf(5)}`);
      await client.write("bundle.json", bundle);
      await client.write("signed.json", { ...bundle, batch_inclusion: null });
      const first = await client.runJson(["mirror", "--from", url, "--to", "mirror", ...CONFIG]);
      assert.equal(first.code, 0, first.stdout + first.stderr);
      assert.deepEqual([first.json.result, first.json.tree_size], ["grown", 270]);
      const remembered = ["log", "sth", "--verify", "--mirror", "mirror", ...CONFIG];
      assert.equal((await client.runJson(remembered)).json.remembered_head.relation, "first");
      await attest(url, 270, size - 270);
      const next = await client.runJson(["mirror", "--from", url, "--to", "mirror", ...CONFIG]);
      assert.deepEqual([next.json.result, next.json.tree_size], ["grown", 300]);
      await until(async () => {
        const { json } = await client.runJson(["log", "sth", "--mirror", "public", ...CONFIG]);
        return json.tree_head?.tree_size === size;
      });
    });
    await checkConsistency(client, "mirror", [270, size]);
    await checkMirror(client, "mirror", size);
    await servingFiles(join(client.folder, "public"), (url) => checkMirror(client, url, size));
    // A restarted gateway goes on with the copy.
    await served.serve(async ({ url }) => {
      await attest(url, size, 20);
      size += 20;
      await until(async () => {
        const { json } = await client.runJson(["log", "sth", "--mirror", "public", ...CONFIG]);
        return json.tree_head?.tree_size === size;
      });
    });
    const audited = await client.runJson(["fsck", "--mirror", "public", ...CONFIG]);
    assert.deepEqual([audited.json.clean, audited.json.entries], [true, size]);
    await checkDamage(client, "mirror");
  });
});

Deno.test("every reader accepts a copy whose partial tiles were replaced by full ones", async () => {
  await withClient(async (client) => {
    const served = await ServedNetwork.create(client.folder, "grown.example");
    await Deno.copyFile(served.publicFile, join(client.folder, "public.json"));
    const checkpoint = join(client.folder, "mirror", "checkpoint");
    const copy = ["mirror", "--to", "mirror", ...CONFIG];
    await served.serve(async ({ url }) => {
      await attest(url, 0, 300);
      const bundle = await jsonOf(url, `/v1/bundle/${hashOf(5)}`);
      await client.write("bundle.json", bundle);
      await client.write("signed.json", { ...bundle, batch_inclusion: null });
      assert.equal((await client.runJson([...copy, "--from", url])).json.tree_size, 300);
      const before = await Deno.readTextFile(checkpoint);
      await attest(url, 300, 250);
      assert.equal((await client.runJson([...copy, "--from", url])).json.tree_size, 550);
      // As it was read before the copy grew.
      await Deno.writeTextFile(checkpoint, before);
    });
    for (const path of ["tile/0/001.p", "tile/entries/001.p"]) {
      await assert.rejects(Deno.stat(join(client.folder, "mirror", path)), Deno.errors.NotFound);
    }
    const head = ["log", "sth", "300", "--verify", "--mirror", "mirror", ...CONFIG];
    assert.equal((await client.runJson(head)).json.remembered_head.relation, "first");
    await servingFiles(join(client.folder, "mirror"), async (url) => {
      for (const place of ["mirror", url]) {
        const audited = await client.runJson(["fsck", "--mirror", place, ...CONFIG]);
        assert.deepEqual([audited.json.faults, audited.json.entries], [[], 300]);
        const mirror = ["--mirror", place, ...CONFIG];
        const proof = await client.runJson(["verify-proof", "--bundle", "signed.json", ...mirror]);
        assert.equal(proof.json.mirror.relation, "inclusion", proof.stdout);
      }
      const onward = ["mirror", "--from", url, "--to", "onward", ...CONFIG];
      assert.equal((await client.runJson(onward)).json.tree_size, 300);
    });
    const entries = join(client.folder, "mirror", "tile", "entries", "001");
    const bytes = await Deno.readFile(entries);
    bytes[100]! ^= 1;
    await Deno.writeFile(entries, bytes);
    const damaged = await client.runJson(["fsck", "--mirror", "mirror", ...CONFIG]);
    assert.equal(damaged.code, 1);
  });
});

Deno.test("mirror --page writes a page that loads its files and verifies under a configuration", async () => {
  await withClient(async (client) => {
    const served = await ServedNetwork.create(client.folder, "page.example");
    await Deno.copyFile(served.publicFile, join(client.folder, "public.json"));
    await served.serve(async ({ url }) => {
      await attest(url, 0, 3);
      const from = ["mirror", "--from", url, "--to", "copy", "--page"];
      for (let runs = 0; runs < 2; runs++) {
        const { code, stdout, stderr } = await client.runJson([...from, ...CONFIG]);
        assert.equal(code, 0, stdout + stderr);
      }
      const document = await Deno.readTextFile(join(client.folder, "copy", "index.html"));
      assert.match(document, /http-equiv="Content-Security-Policy" content="default-src 'none'; /);
      const named = [...document.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)];
      assert.ok(named.length >= 3);
      for (const [, path] of named) await Deno.stat(join(client.folder, "copy", path!));
      assert.equal(
        await Deno.readTextFile(join(client.folder, "copy", "network.public.json")),
        await Deno.readTextFile(served.publicFile),
      );
      const { log_vkey: vkey } = served.network;
      const refused = await client.runJson([...from, "--vkey", vkey!]);
      assert.equal(refused.code, 2);
      assert.match(refused.stdout + refused.stderr, /--network-config instead of --vkey/);
    });
  });
});

Deno.test("publish --once fills a bucket from a gateway's URL", async () => {
  await withClient(async (client) => {
    const served = await ServedNetwork.create(client.folder, "bucket.example");
    await Deno.copyFile(served.publicFile, join(client.folder, "public.json"));
    const server = new BucketServer();
    await server.serve(async (bucketUrl) => {
      const { secretAccessKey, accessKeyId, region } = server.optionsOf(bucketUrl);
      await Deno.writeTextFile(join(client.folder, "secret"), secretAccessKey, { mode: 0o600 });
      const bucket = [
        "--to",
        "s3://tiles/a/log",
        "--endpoint",
        bucketUrl,
        "--region",
        region,
        "--access-key-id",
        accessKeyId,
        "--secret-file",
        "secret",
        "--once",
        ...CONFIG,
      ];
      await served.serve(async ({ url }) => {
        await attest(url, 0, 30);
        const done = await client.runJson(["publish", "--from", url, ...bucket]);
        assert.equal(done.code, 0, done.stdout + done.stderr);
        assert.deepEqual([done.json.result, done.json.tree_size], ["grown", 30]);
        assert.ok(server.keys.includes("a/log/tile/entries/000.p/30"));

        // With the page, whose files have the headers of a web server; again after an upgrade.
        for (let runs = 0; runs < 2; runs++) {
          const paged = await client.runJson(["publish", "--from", url, ...bucket, "--page"]);
          assert.equal(paged.code, 0, paged.stdout + paged.stderr);
        }
        const stored = (path: string) => server.objects.get(`a/log/${path}`)!;
        const document = new TextDecoder().decode(stored("index.html").body);
        const named = [...document.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)];
        assert.ok(named.length >= 3);
        const TYPES: Readonly<Record<string, RegExp>> = {
          js: /^text\/javascript/,
          css: /^text\/css/,
          svg: /^image\/svg/,
        };
        for (const [, path] of named) {
          const { headers } = stored(path!);
          assert.match(headers["content-type"]!, TYPES[path!.split(".").at(-1)!]!);
          assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
        }
        for (const path of ["index.html", "network.public.json"]) {
          assert.equal(stored(path).headers["cache-control"], "no-cache");
        }
        assert.equal(stored("index.html").headers["content-type"], "text/html; charset=utf-8");
        assert.equal(
          new TextDecoder().decode(stored("network.public.json").body),
          await Deno.readTextFile(served.publicFile),
        );
        server.ignoresConditions = true;
        assertFailed(
          await client.runJson(["publish", "--from", url, ...bucket]),
          "invalid_configuration",
        );
        const allowed = [...bucket, "--allow-unconditional"];
        const again = await client.runJson(["publish", "--from", url, ...allowed]);
        assert.equal(again.code, 0);
        assert.match(again.stderr, /s3:\/\/tiles\/a\/log\/ ignores conditional writes/);
      });
    });
    assertFailed(
      await client.runJson(["publish", "--from", "http://127.0.0.1:1", "--to", "s3://tiles"]),
      "usage",
      2,
    );
  });
});

Deno.test("mirror copies a log of another implementation, and keeps evidence of a fork", async () => {
  await withClient(async (client) => {
    const seed = new Uint8Array(32).fill(3);
    let log = new SyntheticLog("Other log of example.org", seed);
    log.grow(600);
    await served((request) => answerOf(log, request), async (url) => {
      const mirror = ["mirror", "--from", url, "--to", "other", "--vkey", log.vkey];
      const first = await client.runJson(mirror);
      assert.equal(first.code, 0, first.stdout + first.stderr);
      assert.deepEqual([first.json.result, first.json.tree_size], ["grown", 600]);
      assert.equal(await client.read("other/checkpoint"), await log.checkpoint());
      log.grow(100);
      assert.equal((await client.runJson(mirror)).json.tree_size, 700);
      assert.equal((await client.runJson(mirror)).json.result, "same");
      const kept = await log.checkpoint();
      log = new SyntheticLog("Other log of example.org", seed);
      log.grow(800, "rewritten ");
      const forked = await client.runJson(mirror);
      assertFailed(forked, "tree_heads_contradict");
      const [, file = ""] = /(evidence\/\S+\.json)/.exec(forked.json.error.message) ?? [];
      const evidence = JSON.parse(await client.read(`other/${file}`));
      assert.deepEqual(
        [evidence.first_checkpoint, evidence.second_checkpoint],
        [kept, await log.checkpoint()],
      );
      assert.equal(await client.read("other/checkpoint"), kept);
      await Deno.writeTextFile(
        join(client.folder, "policy.txt"),
        `log ${log.vkey}\nquorum none\n`,
      );
      const judge = ["log", "contradictions", "--policy", "policy.txt", "--file"];
      const proved = await client.runJson([...judge, `other/${file}`]);
      assert.deepEqual([proved.code, proved.json.proved], [1, 1], proved.stdout);
      assert.match((await client.run([...judge, `other/${file}`])).stdout, /CONTRADICTION/);
      await client.write("same.json", {
        ...evidence,
        second_checkpoint: evidence.first_checkpoint,
        consistency_path: [],
      });
      const unproved = await client.runJson([...judge, "same.json"]);
      assert.deepEqual([unproved.code, unproved.json.proved], [0, 0]);
      assert.equal(unproved.json.histories[0].reason, "contradiction_unproven");
      assertFailed(await client.runJson(judge.slice(0, -1)), "usage", 2);
      const wrong = new SyntheticLog();
      assertFailed(
        await client.runJson(["mirror", "--from", url, "--to", "x", "--vkey", wrong.vkey]),
        "proof_refused",
      );
    });
  });
});
