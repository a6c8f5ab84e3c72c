import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { concat } from "../../src/base/bytes.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { parseAttestation } from "../../src/proof/format/attestation.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { treeRoot } from "../../src/proof/merkle/tree.ts";
import { SIGNED_TREE_HEAD } from "../../src/proof/format/tree_head.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { systemClock } from "../../src/base/clock.ts";
import { testLog } from "../../src/logs/conformance/suite.ts";
import { suiteCrypto } from "../logs/conformance/fixture.ts";
import { until } from "../gateway/fixture.ts";
import { eachScheme } from "../schemes.ts";
import { assertProblem, bodyOf, verifier, withGateway } from "./gateway_server.ts";

const IMMUTABLE = "public, max-age=31536000, immutable";

/** The entries of a bundle: each after its length in two bytes (c2sp.org/tlog-tiles). */
function entriesOf(bundle: Uint8Array): Uint8Array[] {
  const entries = [];
  for (let at = 0; at < bundle.length;) {
    const length = bundle[at]! * 256 + bundle[at + 1]!;
    entries.push(bundle.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return entries;
}

/** `response` as `fetch` gives it: decoded, with its header. */
function decoded(response: Response): Response {
  if (response.headers.get("Content-Encoding") !== "gzip") return response;
  const body = response.body!.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, response);
}

Deno.test("entry bundles are compressed for clients that accept gzip", async () => {
  await withGateway(async (server) => {
    await server.batch(300);
    for (const path of ["/tile/entries/000", "/tile/entries/001.p/44"]) {
      const plain = await server.get(path);
      assert.equal(plain.headers.get("Content-Encoding"), null);
      const entries = await plain.bytes();
      const refused = await server.get(path, { "Accept-Encoding": "br, gzip;q=0" });
      assert.equal(refused.headers.get("Content-Encoding"), null);
      assert.deepEqual(await refused.bytes(), entries);
      const coded = await server.get(path, { "Accept-Encoding": "gzip, identity" });
      assert.equal(coded.headers.get("Content-Encoding"), "gzip");
      const bytes = await coded.bytes();
      assert.ok(bytes.length < entries.length * 0.4, `${bytes.length} of ${entries.length}`);
      assert.deepEqual(new Uint8Array(gunzipSync(bytes)), entries);
      // Caches tell both forms apart, and neither form has an entity tag that the other could match.
      for (const { headers } of [plain, refused, coded]) {
        assert.equal(headers.get("Vary"), "Accept-Encoding");
        assert.equal(headers.get("Cache-Control"), IMMUTABLE);
        assert.equal(headers.get("ETag"), null);
      }
    }
    const tile = await server.get("/tile/0/000", { "Accept-Encoding": "gzip" });
    assert.equal(tile.headers.get("Content-Encoding"), null);
    assert.equal((await tile.bytes()).length, 256 * 32);
  });
});

Deno.test("the conformance suite fails one SHOULD clause of a growing log", async () => {
  await withGateway(async (server) => {
    await server.batch(300);
    let grows = true;
    const report = await testLog({
      url: new URL(`https://${server.network.network.id}/`),
      keys: [parseVkey(server.network.network.log_vkey!)],
    }, {
      crypto: suiteCrypto,
      clock: systemClock,
      // The log grows while it is judged.
      fetch: (async (url: URL, { headers }: { readonly headers: Record<string, string> }) => {
        if (url.pathname.includes("/tile/entries/001") && grows) {
          grows = false;
          await server.batch(300);
        }
        const path = url.href.slice(`https://${server.network.network.id}`.length);
        return decoded(await server.get(path, headers));
      }) as typeof fetch,
    });
    const others = report.clauses.filter(({ verdict, obliged }) =>
      obliged.includes("log") && !/^(pass|not_testable)$/.test(verdict)
    );
    assert.deepEqual(others.map(({ id }) => id), ["tlog-checkpoint/ml-dsa"]);
  });
});

eachScheme.test("a monitor rebuilds the log from checkpoint, tiles and entries alone", async (scheme) => {
  await withGateway(async (server) => {
    await assertProblem(await server.get("/checkpoint"), "no_tree_head");
    const hashes = [...await server.batch(256), ...await server.batch(3)];
    const response = await server.get("/checkpoint");
    assert.equal(response.headers.get("Content-Type"), "text/plain; charset=utf-8");
    assert.equal(response.headers.get("Cache-Control"), "public, no-cache");
    const note = await response.text();
    const result = await verifyCheckpoint(verifier, server.network.network, note);
    assert.equal(result.valid, true);
    assert.ok(result.verified >= 2);
    const [origin, size, root] = note.split("\n");
    assert.equal(origin, server.network.network.id);
    assert.equal(size, "259");

    const leaves = [];
    const seen = [];
    for (const address of ["000", "001.p/3"]) {
      const tile = await server.get(`/tile/0/${address}`);
      assert.equal(tile.headers.get("Content-Type"), "application/octet-stream");
      assert.equal(tile.headers.get("Cache-Control"), IMMUTABLE);
      leaves.push(await tile.bytes());
      const bundle = await server.get(`/tile/entries/${address}`);
      assert.equal(bundle.headers.get("Content-Type"), "application/octet-stream");
      assert.equal(bundle.headers.get("Cache-Control"), IMMUTABLE);
      const entries = entriesOf(await bundle.bytes());
      for (const entry of entries) {
        seen.push(parseAttestation(new TextDecoder().decode(entry)).hash);
      }
      const ends = Uint32Array.from(entries.map((entry) => entry.length));
      for (let i = 1; i < ends.length; i++) ends[i] = ends[i]! + ends[i - 1]!;
      assert.deepEqual(portableKernels.leafHashes(concat(...entries), ends), leaves.at(-1));
    }
    assert.deepEqual(seen, hashes);
    assert.equal(treeRoot(portableKernels, concat(...leaves)).toBase64(), root);
    const sth = await bodyOf(await server.get("/v1/log/sth"), SIGNED_TREE_HEAD);
    assert.equal(Uint8Array.fromHex(sth.tree_head.root_hash).toBase64(), root);

    const upper = await (await server.get("/tile/1/000.p/1")).bytes();
    assert.deepEqual(upper, treeRoot(portableKernels, leaves[0]!));
    // A partial tile that a published tree had stays readable.
    assert.deepEqual(
      await (await server.get("/tile/0/000.p/255")).bytes(),
      leaves[0]!.slice(0, 255 * 32),
    );
    // A head may get further signatures between two requests.
    await until(async () => {
      const latest = await server.get("/checkpoint");
      await latest.text();
      const again = await server.get("/checkpoint", {
        "If-None-Match": latest.headers.get("ETag")!,
      });
      await again.text();
      return again.status === 304;
    });
  }, { scheme });
});

Deno.test("only canonical paths of tiles in the published tree are served", async () => {
  await withGateway(async (server) => {
    await server.batch(3);
    assert.ok((await server.get("/tile/0/000.p/3")).ok);
    assert.ok((await server.get("/tile/0/000.p/3?x=1")).ok);
    const absent = [
      "0/000",
      "0/000.p/4",
      "0/000.p/0",
      "0/000.p/256",
      "0/000.p/03",
      "0/001.p/1",
      "1/000.p/1",
      "entries/000",
      "entries/000.p/4",
      "entries/001.p/1",
      "00/000.p/3",
      "64/000.p/3",
      "-1/000.p/3",
      "0/0",
      "0/x000/000.p/3",
      "0/000.p/3/",
      "0//000.p/3",
      "0/000.p",
      "0/",
      "",
      "data/000.p/3",
      "0/%3000.p/3",
      "0/000%2Ep/3",
      "0%2F000.p/3",
      "%30/000.p/3",
      "entries%2F000.p/3",
      "0/x999/x999/x999/x999/x999/999",
      "0/000.P/3",
      "0/000.p/3%00",
      "0/000.p/+3",
    ];
    for (const path of absent) {
      await assertProblem(await server.get(`/tile/${path}`), "tile_not_found");
    }
    await assertProblem(await server.get("/tile"), "tile_not_found");
    await assertProblem(await server.get("/tiles/0/000.p/3"), "route_not_found");
  });
});

Deno.test("GET /policy is a C2SP trust policy of the network", async () => {
  await withGateway(async (server) => {
    const { network } = server.network;
    const response = await server.get("/policy");
    assert.equal(response.headers.get("Content-Type"), "text/plain; charset=utf-8");
    const text = await response.text();
    const lines = text.split("\n");
    assert.equal(lines.pop(), "");
    assert.match(text, /^[\x20-\x7e\n]+$/);
    assert.equal(lines[0], `log ${network.log_vkey}`);
    const witnesses = lines.filter((line) => line.startsWith("witness "));
    const names = witnesses.map((line) => line.split(" ")[1]!);
    const vkeys = witnesses.map((line) => parseVkey(line.split(" ")[2]!));
    assert.deepEqual(
      vkeys.map(({ name, publicKey }) => ({ id: name, pubkey: publicKey.toHex() })),
      network.witnesses.map(({ id, pubkey }) => ({ id, pubkey })),
    );
    const [, group, threshold, ...members] = lines.at(-2)!.split(" ");
    assert.equal(lines.at(-2)!.split(" ")[0], "group");
    assert.equal(threshold, "2");
    assert.deepEqual(members, names);
    assert.equal(lines.at(-1), `quorum ${group}`);
    // Witnesses and groups share one name space, in which `none` is taken.
    assert.equal(new Set([...names, group, "none"]).size, names.length + 2);
  });
});

Deno.test("a bls network has no trust policy: C2SP has no key for its witnesses", async () => {
  await withGateway(async (server) => {
    await assertProblem(await server.get("/policy"), "route_not_found");
    const document = await server.document();
    assert.ok(document.operations.every(({ id }) => id !== "getPolicy"));
  }, { scheme: "bls" });
});
