/** A network whose log and witnesses have ML-DSA-44 keys, as it serves. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { utf8 } from "../../src/base/bytes.ts";
import { parseLogPolicy } from "../../src/proof/format/log_policy.ts";
import { leafHash } from "../../src/proof/crypto/hashing.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { parseNote } from "../../src/proof/format/note.ts";
import { NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { encodeNote } from "../../src/proof/format/note_writer.ts";
import { parseTlogProof } from "../../src/proof/format/tlog_proof.ts";
import { readAnySigner } from "../../src/config/key_file.ts";
import { signerApp } from "../../src/http/signer/signer_app.ts";
import { newMlDsaKey } from "../../src/server/gateway/new_keys.ts";
import { anchorKeys } from "../../src/storage/anchors/anchor_database.ts";
import { openStoreKv } from "../../src/storage/store_kv.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { verifyTlogProof } from "../../src/proof/verify/tlog_proof.ts";
import { Client } from "../cli/client_run.ts";
import { until } from "../gateway/fixture.ts";
import { KEY_READING, nativeCrypto } from "../schemes.ts";
import { inFolder } from "./captured_io.ts";
import { batch, jsonOf, ServedNetwork } from "./served_network.ts";

const ID = "home.example";
const WITNESSES = ["w1", "w2", "w3"].map((name) => `${ID}/${name}`);

const textOf = async (url: string) => await (await fetch(url)).text();

Deno.test("checkpoints have lines of all ML-DSA-44 keys, also after a restart", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, ID, "ed25519", { mlDsa: true });
    const pinned = parseNetwork(await Deno.readTextFile(home.publicFile));
    const verdict = async (url: string) =>
      await verifyCheckpoint(nativeCrypto, pinned, await textOf(`${url}/checkpoint`));
    /** Waits for lines of the log and of `count` witnesses. */
    const signedBy = async (url: string, count: number) => {
      await until(async () => ((await verdict(url)).mlDsa?.witnesses.length ?? 0) >= count);
      const { valid, verified, required, mlDsa } = await verdict(url);
      assert.deepEqual([valid, required, mlDsa!.log], [true, 2, true]);
      // A witness with both lines is one witness.
      assert(verified >= count && verified <= 3);
      assert.deepEqual(mlDsa!.witnesses.filter((id) => !WITNESSES.includes(id)), []);
    };
    await home.serve(async ({ url }) => {
      await batch(url, "ab".repeat(32));
      await signedBy(url, 3);
      assert.deepEqual(parseNetwork(await textOf(`${url}/v1/network`)), pinned);
      /** Waits until each witness has signed: the last may do so late. */
      const noteOf = async (path: string, signatures: number) => {
        await until(async () =>
          parseNote(await textOf(url + path)).signatures.length >= signatures
        );
        const text = await textOf(url + path);
        assert.equal(parseNote(text).signatures.length, signatures);
        return text;
      };
      const text = await noteOf("/checkpoint", 1 + 3 + 1 + 3);
      const note = parseNote(text);
      // A verifier that knows no such key ignores the lines.
      const { log_ml_dsa_vkey: _, witnesses, ...rest } = pinned;
      const old = { ...rest, witnesses: witnesses.map(({ ml_dsa_vkey: _, ...it }) => it) };
      const { valid, mlDsa } = await verifyCheckpoint(nativeCrypto, old, text);
      assert.deepEqual([valid, mlDsa], [true, undefined]);
      // Without enough lines of Ed25519, those of ML-DSA-44 are no threshold.
      const mlDsaOnly = note.signatures.filter(({ payload }, i) => i < 2 || payload.length > 2000);
      const few = encodeNote({ ...note, signatures: mlDsaOnly });
      const result = await verifyCheckpoint(nativeCrypto, pinned, few);
      assert.deepEqual([result.reason, result.verified], ["threshold_not_met", 1]);
      // One damaged line refuses the note of a verifier that knows the key.
      for (let at = 4; at < 8; at++) {
        const signatures = note.signatures.with(at, {
          ...note.signatures[at]!,
          payload: note.signatures[at]!.payload.with(99, note.signatures[at]!.payload[99]! ^ 1),
        });
        const damaged = encodeNote({ ...note, signatures });
        const { reason, field } = await verifyCheckpoint(nativeCrypto, pinned, damaged);
        assert.deepEqual([reason, field], ["signature_invalid", `signatures[${at}]`]);
        assert((await verifyCheckpoint(nativeCrypto, old, damaged)).valid);
      }
    });
    // The gateway has its head cosigned again when it starts, by the threshold.
    await home.serve(({ url }) => signedBy(url, 2));
  }));

/** The lines of ML-DSA-44 keys, by name. */
const furtherLines = (note: string) =>
  parseNote(note).signatures.filter(({ payload }) => payload.length > 2_000)
    .map(({ name }) => name).sort();

const ALL = [ID, ...WITNESSES];

/** What holds for the bundle of `hash`, once its checkpoint has all ML-DSA-44 lines. */
async function checkBundle(url: string, pinned: NetworkConfiguration, hash: string, size: number) {
  const path = `${url}/v1/bundle/${hash}`;
  const read = async () => {
    const text = await textOf(path);
    const trust = { network: pinned, peers: [] };
    return { text, verdict: await verifyBundle(nativeCrypto, trust, parseBundle(text)) };
  };
  await until(async () => (await read()).verdict.layers.witnessed?.ml_dsa?.length === 4);
  const { text, verdict } = await read();
  assert.deepEqual([verdict.level, verdict.layers.witnessed], ["batched", {
    status: "verified",
    tree_size: size,
    ml_dsa: ALL,
    signatures: verdict.layers.witnessed!.signatures,
  }]);
  // Who requires the keys has them in a policy.
  const policy = parseLogPolicy(utf8(
    (await textOf(`${url}/policy`))
      .replace(/^quorum .*$/m, "group further all w1-ml-dsa w2-ml-dsa w3-ml-dsa\nquorum further")
      .replace(`log ${pinned.log_vkey}\n`, ""),
  ));
  const proof = await (await fetch(path, { headers: { Accept: "text/plain" } })).text();
  const verified = async (text: string) => {
    const parsed = parseTlogProof(text);
    const leaf = leafHash(nativeCrypto.kernels, parsed.extra!);
    return (await verifyTlogProof(nativeCrypto, policy, parsed, leaf)).valid;
  };
  assert.ok(await verified(proof));
  // A damaged line fails the layer alone.
  const bundle = parseBundle(text);
  const { checkpoint } = bundle.witnessed!;
  const at = checkpoint.lastIndexOf(`\u2014 ${WITNESSES[2]} `) + 1_000;
  const letter = checkpoint[at] === "A" ? "B" : "A";
  const damaged = checkpoint.slice(0, at) + letter + checkpoint.slice(at + 1);
  const { level, layers } = await verifyBundle(nativeCrypto, { network: pinned, peers: [] }, {
    ...bundle,
    witnessed: { ...bundle.witnessed!, checkpoint: damaged },
  });
  assert.deepEqual([level, layers.witnessed!.status, layers.witnessed!.reason], [
    "batched",
    "failed",
    "signature_invalid",
  ]);
  assert.equal(await verified(proof.replace(checkpoint, damaged)), false);
}

Deno.test("ML-DSA-44 lines are stored with heads, also of a store from before, and fsck verifies them", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, ID, "ed25519", { mlDsa: true });
    await home.configure({ witnessing: { interval_seconds: 0 } });
    const pinned = parseNetwork(await Deno.readTextFile(home.publicFile));
    const anchors = join(home.folder, "data", "anchors.kv");
    const linesAt = async (url: string, size: number) =>
      furtherLines(await textOf(`${url}/checkpoint/${size}`));
    const sizeAt = async (url: string) => (await jsonOf(url, "/v1/log/sth")).tree_head.tree_size;
    const hash = "cd".repeat(32);
    await home.serve(({ url }) => batch(url, hash));
    // Versions before stored no such lines, and had no anchors without peers and services.
    await Deno.remove(anchors);
    await home.serve(async ({ url }) => {
      assert.equal(await sizeAt(url), 1);
      await until(async () => (await linesAt(url, 1)).length >= 3);
      await batch(url, "ef".repeat(32));
      const size = await sizeAt(url);
      await until(async () => (await linesAt(url, size)).length === 4);
      await checkBundle(url, pinned, "ef".repeat(32), size);
    });
    // Heads of before have their lines at once, the copy of the latest too.
    await home.serve(async ({ url }) => {
      assert.ok((await linesAt(url, 1)).length >= 3);
      assert.deepEqual(await linesAt(url, 2), ALL);
      assert.deepEqual(furtherLines(await textOf(`${url}/checkpoint`)), ALL);
    });
    const config = join(home.folder, "network.json");
    const check = async () => {
      const { code, json } = await new Client(root).runJson(["fsck", "--config", config]);
      return [code, json.fault_counts];
    };
    assert.deepEqual(await check(), [0, {}]);
    const kv = await openStoreKv(anchors);
    const key = anchorKeys.witnessedAt(true, 2);
    const stored = (await kv.get<Uint8Array>(key)).value!;
    const at = stored.length - 99;
    await kv.atomic().set(key, stored.with(at, stored[at] === 65 ? 66 : 65)).commit();
    kv.close();
    assert.deepEqual(await check(), [1, { witnessed_checkpoint: 1 }]);
  }));

/** Moves the keys in `files` to a signer, which answers while `isHere`. */
async function serveKeys(files: readonly string[], folder: string, isHere: () => boolean) {
  const token = "t".repeat(32);
  const tokenFile = join(folder, "signer.token");
  await Deno.writeTextFile(tokenFile, token, { mode: 0o600 });
  const keys = await Promise.all(files.map((file) => readAnySigner(file, KEY_READING)));
  const app = signerApp({ keys, token, report: () => {} });
  const away = () => new Response(null, { status: 503 });
  const stop = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: stop.signal, onListen: () => {} },
    (request) => isHere() ? app(request) : away(),
  );
  for (const [i, { name, signer: { publicKey } }] of keys.entries()) {
    await Deno.writeTextFile(
      files[i]!,
      JSON.stringify({
        signer: `http://127.0.0.1:${server.addr.port}/`,
        kind: i === 0 ? "log" : "witness",
        name,
        scheme: "ml-dsa-44",
        public_key: publicKey.toHex(),
        token_file: tokenFile,
      }),
    );
  }
  return async () => {
    stop.abort();
    await server.finished;
  };
}

Deno.test("a signer holds ML-DSA-44 keys, and heads are published without it", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, ID, "ed25519", { mlDsa: true });
    const files = ["log-ml-dsa.key", "witnesses/w1/ml-dsa.key"]
      .map((file) => join(home.folder, file));
    let isHere = true;
    const end = await serveKeys(files, root, () => isHere);
    try {
      await home.serve(async ({ url, io }) => {
        const linesOf = async () => furtherLines(await textOf(`${url}/checkpoint`));
        await batch(url, "ab".repeat(32));
        await until(async () => (await linesOf()).length === 4);
        isHere = false;
        await batch(url, "cd".repeat(32));
        await until(async () => (await linesOf()).length === 2);
        assert.deepEqual(await linesOf(), WITNESSES.slice(1));
        for (const name of [ID, WITNESSES[0]]) {
          const line = `Cannot sign with key ${name}+ml-dsa-44: its signer answered 503`;
          assert.ok(io.errLines.some((given) => given.includes(line)), io.errLines.join("\n"));
        }
        isHere = true;
        await batch(url, "ef".repeat(32));
        await until(async () => (await linesOf()).length === 4);
      });
    } finally {
      await end();
    }
  }));

Deno.test("/policy names ML-DSA-44 keys outside the quorum, and the public URLs of witnesses", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, ID, "ed25519", { mlDsa: true });
    const file = join(home.folder, "network.json");
    const { witnesses } = JSON.parse(await Deno.readTextFile(file));
    witnesses[1].public_url = "https://w2.example/witness/";
    await home.configure({ witnesses });
    await home.serve(async ({ url }) => {
      const text = await textOf(`${url}/policy`);
      const { logs, witnesses, groups, quorum } = parseLogPolicy(utf8(text));
      assert.deepEqual(logs.map(({ key }) => [key.name, key.type]), [
        [ID, NOTE_TYPE.ed25519],
        [ID, NOTE_TYPE.mlDsaCosignature],
      ]);
      assert.deepEqual(
        [...witnesses].map(([name, { key, url }]) => [name, key.name, key.type, url]),
        WITNESSES.flatMap((id, i) => {
          const url = i === 1 ? "https://w2.example/witness/" : undefined;
          return [
            [`w${i + 1}`, id, NOTE_TYPE.cosignature, url],
            [`w${i + 1}-ml-dsa`, id, NOTE_TYPE.mlDsaCosignature, url],
          ];
        }),
      );
      assert.deepEqual(groups.get(quorum), { needed: 2, members: ["w1", "w2", "w3"] });

      const plain = await textOf(`${url}/policy?ed25519_only=true`);
      const few = parseLogPolicy(utf8(plain));
      assert.deepEqual([few.logs.length, few.witnesses.size], [1, 3]);
      assert.equal(
        (await fetch(`${url}/policy?ed25519_only=false`).then(async (answer) => {
          await answer.body?.cancel();
          return answer;
        })).status,
        400,
      );
    });
  }));

Deno.test("a gateway does not start with another ML-DSA-44 key than the configured one", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, ID, "ed25519", { mlDsa: true });
    const file = join(home.folder, "witnesses", "w2", "ml-dsa.key");
    await Deno.writeTextFile(file, newMlDsaKey(`${ID}/w2`).secretLine);
    await assert.rejects(home.serve(async () => {}), { code: "invalid_key" });
    await Deno.remove(file);
    await home.configure({ log_ml_dsa_key_file: undefined });
    await assert.rejects(home.serve(async () => {}), { code: "invalid_configuration" });
  }));
