/** A network whose log and witnesses have ML-DSA-44 keys, as it serves. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { utf8 } from "../../src/bytes.ts";
import { parseLogPolicy } from "../../src/format/log_policy.ts";
import { parseNetwork } from "../../src/format/network.ts";
import { parseNote } from "../../src/format/note.ts";
import { NOTE_TYPE } from "../../src/format/note_key.ts";
import { encodeNote } from "../../src/format/note_writer.ts";
import { newMlDsaKey } from "../../src/server/gateway/new_keys.ts";
import { verifyCheckpoint } from "../../src/verify/note.ts";
import { until } from "../gateway/fixture.ts";
import { nativeCrypto } from "../schemes.ts";
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
      const { tree_head: { tree_size } } = await jsonOf(url, "/v1/log/sth");
      /** Waits until each witness has signed: the last may do so late. */
      const noteOf = async (path: string, signatures: number) => {
        await until(async () =>
          parseNote(await textOf(url + path)).signatures.length >= signatures
        );
        const text = await textOf(url + path);
        assert.equal(parseNote(text).signatures.length, signatures);
        return text;
      };
      // Stored heads have none.
      await noteOf(`/checkpoint/${tree_size}`, 4);

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
