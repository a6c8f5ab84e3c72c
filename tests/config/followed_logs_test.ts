import assert from "node:assert/strict";
import { encodeLogsFile, logsReader, parseLogsFile } from "../../src/config/followed_logs.ts";
import { Ed25519Signer } from "../../src/proof/crypto/ed25519_native.ts";
import { NOTE_TYPE } from "../../src/proof/format/note_key.ts";

const { publicKey } = new Ed25519Signer(new Uint8Array(32).fill(1));

function fileOf(name: string): string {
  return encodeLogsFile([{ origin: name, keys: [{ name, type: NOTE_TYPE.ed25519, publicKey }] }]);
}

Deno.test("logsReader() checks a file that has changed, once, and keeps the last usable list", async () => {
  const file = await Deno.makeTempFile();
  const reports: string[] = [];
  let checks = 0;
  const parse = (text: string, name: string) => {
    checks++;
    return parseLogsFile(text, name);
  };
  const read = logsReader(file, (error) => reports.push(String(error)), { parse });
  const origins = async () => (await read()).map(({ origin }) => origin);
  try {
    await Deno.writeTextFile(file, fileOf("log.example/1"));
    const first = await read();
    assert.equal(await read(), first);
    assert.deepEqual([await origins(), checks], [["log.example/1"], 1]);
    await Deno.writeTextFile(file, "{");
    for (let i = 0; i < 3; i++) assert.equal(await read(), first);
    assert.deepEqual([checks, reports.length], [2, 1]);
    await Deno.writeTextFile(file, fileOf("log.example/2"));
    assert.deepEqual([await origins(), checks], [["log.example/2"], 3]);
    await Deno.remove(file);
    assert.deepEqual([await origins(), await origins(), reports.length], [[], [], 1]);
  } finally {
    await Deno.remove(file).catch(() => {});
  }
});

Deno.test("logsReader() does not read a file again that has long been the same", async () => {
  const file = await Deno.makeTempFile();
  let reads = 0;
  const read = logsReader(file, (error) => assert.fail(String(error)), {
    read: (name) => {
      reads++;
      return Deno.readTextFile(name);
    },
  });
  try {
    await Deno.writeTextFile(file, fileOf("log.example/1"));
    // Until its times tell each change.
    for (let before = -1, tries = 0; before !== reads; tries++) {
      assert.ok(tries < 300);
      before = reads;
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal((await read())[0]!.origin, "log.example/1");
    }
    const other = `${file}.other`;
    await Deno.writeTextFile(other, fileOf("log.example/2"));
    await Deno.rename(other, file);
    assert.equal((await read())[0]!.origin, "log.example/2");
  } finally {
    await Deno.remove(file);
  }
});
