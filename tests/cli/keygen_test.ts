import assert from "node:assert/strict";
import { join } from "node:path";
import { type KeygenOptions, runKeygen } from "../../src/cli/keygen.ts";
import { readSigner } from "../../src/config/key_file.ts";
import { CountersignError, type ErrorCode } from "../../src/errors.ts";
import { NOTE_TYPE, parseVkey } from "../../src/format/note_key.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";

const WITNESS: KeygenOptions = {
  id: "log.example/w1",
  kind: "witness",
  out: "w1.key",
  output: "json",
};

function hasErrorCode(code: ErrorCode) {
  return (error: unknown) => error instanceof CountersignError && error.code === code;
}

async function made(folder: string, options: Partial<KeygenOptions> = {}) {
  const io = new CapturedIo({ folder });
  assert.equal(await runKeygen({ ...WITNESS, ...options }, io), 0);
  return JSON.parse(io.stdout);
}

Deno.test("keygen makes a key of its kind, and prints the public half alone", async () => {
  await inFolder(async (folder) => {
    for (const [kind, type] of [["witness", 0x04], ["log", 0x01]] as const) {
      const { id, pubkey, vkey, file } = await made(folder, { kind, out: `${kind}.key` });
      const text = await Deno.readTextFile(file);
      assert.match(text, /^PRIVATE\+KEY\+log\.example\/w1\+[0-9a-f]{8}\+[^\n]+\n$/);
      assert.equal(((await Deno.stat(file)).mode ?? 0) % 0o1000, 0o600);
      const signer = await readSigner(file, { name: id, type });
      assert.equal(signer.publicKey.toHex(), pubkey);
      assert.deepEqual(parseVkey(vkey), { name: id, type, publicKey: signer.publicKey });
    }
    const io = new CapturedIo({ folder });
    await runKeygen({ ...WITNESS, output: "text", out: "text.key" }, io);
    const secret = (await Deno.readTextFile(join(folder, "text.key"))).split("+").at(-1)!.trim();
    assert.ok(![...io.outLines, ...io.errLines].some((line) => line.includes(secret)));
  });
});

Deno.test("keygen overwrites nothing and names nothing badly", async () => {
  await inFolder(async (folder) => {
    const { file } = await made(folder);
    const before = await Deno.readTextFile(file);
    await assert.rejects(made(folder), hasErrorCode("file_failed"));
    assert.equal(await Deno.readTextFile(file), before);
    const refused = hasErrorCode("invalid_configuration");
    await assert.rejects(made(folder, { id: "two words", out: "b" }), refused);
    await assert.rejects(made(folder, { id: "a+b", out: "b" }), refused);
    await assert.rejects(made(folder, { id: "cosignature/a", kind: "log", out: "b" }), refused);
    await assert.rejects(made(folder, { out: "none/b" }), hasErrorCode("file_failed"));
    await assert.rejects(Deno.stat(join(folder, "b")));
  });
});

Deno.test("a key file is refused when it is not the configured key", async () => {
  await inFolder(async (folder) => {
    const { id, file } = await made(folder);
    const other = await made(folder, { out: "other.key" });
    const type = NOTE_TYPE.cosignature;
    const refused = hasErrorCode("invalid_key");
    await assert.rejects(readSigner(file, { name: "another", type }), refused);
    await assert.rejects(readSigner(file, { name: id, type: NOTE_TYPE.ed25519 }), refused);
    const { publicKey } = parseVkey(other.vkey);
    await assert.rejects(readSigner(file, { name: id, type, publicKey }), refused);
    const text = await Deno.readTextFile(file);
    for (const damaged of ["", text.slice(0, -6), `${text}\n`, text.replace("PRIVATE", "PUBLIC")]) {
      await Deno.writeTextFile(file, damaged);
      await assert.rejects(readSigner(file, { name: id, type }), refused, JSON.stringify(damaged));
    }
    await Deno.writeFile(file, Uint8Array.of(0xff, 0xfe));
    await assert.rejects(readSigner(file, { name: id, type }), hasErrorCode("malformed_text"));
    await Deno.remove(file);
    await assert.rejects(
      readSigner(file, { name: id, type }),
      hasErrorCode("configuration_missing"),
    );
    await assert.rejects(readSigner(folder, { name: id, type }), hasErrorCode("file_failed"));
  });
});
