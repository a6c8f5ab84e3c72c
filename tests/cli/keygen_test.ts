import assert from "node:assert/strict";
import { join } from "node:path";
import { type KeygenOptions, runKeygen } from "../../src/cli/keygen_command.ts";
import {
  type ExpectedKey,
  readLogSigner,
  readMlDsaSigner,
  readWitnessSigner,
} from "../../src/config/key_file.ts";
import { textOf } from "../../src/base/bytes.ts";
import { popVerify } from "../../src/proof/crypto/bls_verifier.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { NOTE_TYPE, parseVkey } from "../../src/proof/format/note_key.ts";
import { bls, configuredWitness, eachScheme, KEY_READING } from "../schemes.ts";
import { contextOf } from "./client_run.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";

const WITNESS: KeygenOptions = {
  id: "log.example/w1",
  kind: "witness",
  scheme: "ed25519",
  out: "w1.key",
  recipients: [],
};

function hasErrorCode(code: ErrorCode) {
  return (error: unknown) => error instanceof CountersignError && error.code === code;
}

async function made(folder: string, options: Partial<KeygenOptions> = {}) {
  const io = new CapturedIo({ folder });
  assert.equal(await runKeygen({ ...WITNESS, ...options }, contextOf(io)), 0);
  return JSON.parse(io.stdout);
}

Deno.test("keygen creates a key of the requested kind, and prints only the public key", async () => {
  await inFolder(async (folder) => {
    for (const [kind, type] of [["witness", 0x04], ["log", 0x01]] as const) {
      const { id, pubkey, vkey, file } = await made(folder, { kind, out: `${kind}.key` });
      const text = await Deno.readTextFile(file);
      assert.match(text, /^PRIVATE\+KEY\+log\.example\/w1\+[0-9a-f]{8}\+[^\n]+\n$/);
      assert.equal(((await Deno.stat(file)).mode ?? 0) % 0o1000, 0o600);
      const signer = kind === "log"
        ? await readLogSigner(file, parseVkey(vkey), KEY_READING)
        : await readWitnessSigner(file, { name: id }, KEY_READING);
      assert.equal(signer.publicKey.toHex(), pubkey);
      assert.deepEqual(parseVkey(vkey), { name: id, type, publicKey: signer.publicKey });
    }
    const io = new CapturedIo({ folder });
    await runKeygen({ ...WITNESS, out: "text.key" }, contextOf(io, { output: "text" }));
    const secret = (await Deno.readTextFile(join(folder, "text.key"))).trim().split("+").slice(4)
      .join("+");
    assert.ok(![...io.outLines, ...io.errLines].some((line) => line.includes(secret)));
  });
});

Deno.test("keygen creates a bls key, and prints its proof of possession", async () => {
  await inFolder(async (folder) => {
    const { id, pubkey, proof_of_possession, file, ...rest } = await made(folder, {
      scheme: "bls",
    });
    assert.deepEqual(rest, { kind: "witness" });
    const text = await Deno.readTextFile(file);
    assert.match(text, /^PRIVATE\+KEY\+log\.example\/w1\+[0-9a-f]{8}\+[^\n]+\n$/);
    const secret = Uint8Array.fromBase64(text.trim().split("+").slice(4).join("+"));
    assert.equal(secret[0], 0xff);
    assert.equal(textOf(secret.slice(1, -32)), "countersign/bls-witness/v1");
    const signer = await readWitnessSigner(file, { name: id }, KEY_READING);
    assert.deepEqual(configuredWitness(id, signer), { id, pubkey, proof_of_possession });
    assert.ok(popVerify(bls, signer.publicKey, Uint8Array.fromHex(proof_of_possession)));
    assert.deepEqual(bls.skToPk(secret.slice(-32)), signer.publicKey);

    const other = await made(folder, { scheme: "bls", out: "other.key" });
    assert.notEqual(other.pubkey, pubkey);
    const io = new CapturedIo({ folder });
    await runKeygen(
      { ...WITNESS, scheme: "bls", out: "text.key" },
      contextOf(io, { output: "text" }),
    );
    assert.match(io.stdout, /^proof_of_possession {2}[0-9a-f]{96}$/m);
    await assert.rejects(
      made(folder, { kind: "log", scheme: "bls", out: "log.key" }),
      hasErrorCode("usage"),
    );
    await assert.rejects(Deno.stat(join(folder, "log.key")));
  });
});

Deno.test("keygen creates an ML-DSA-44 key of a witness or a log, encrypted if asked", async () => {
  await inFolder(async (folder) => {
    for (const kind of ["witness", "log"] as const) {
      const options = { kind, scheme: "ml-dsa-44", out: `${kind}.key` } as const;
      const { id, ml_dsa_vkey: vkey, file, ...rest } = await made(folder, options);
      assert.deepEqual(rest, { kind });
      const { name, publicKey } = parseVkey(vkey, [NOTE_TYPE.mlDsaCosignature]);
      const signer = await readMlDsaSigner(file, { name: id, publicKey }, KEY_READING);
      assert.deepEqual([name, signer.publicKey], [id, publicKey]);
      const refused = hasErrorCode("invalid_key");
      await assert.rejects(readMlDsaSigner(file, { name: "other" }, KEY_READING), refused);
      const other = { name: id, publicKey: publicKey.with(0, publicKey[0]! ^ 1) };
      await assert.rejects(readMlDsaSigner(file, other, KEY_READING), refused);
      // Neither kind of key is taken for the other.
      await assert.rejects(readWitnessSigner(file, { name: id }, KEY_READING), refused);
      const { file: ed25519 } = await made(folder, { kind, out: `${kind}-ed25519.key` });
      await assert.rejects(readMlDsaSigner(ed25519, { name: id }, KEY_READING), refused);
    }
    const passphraseFile = join(folder, "passphrase");
    await Deno.writeTextFile(passphraseFile, "correct horse battery staple\n", { mode: 0o600 });
    const { id, file } = await made(folder, {
      scheme: "ml-dsa-44",
      out: "sealed.age",
      passphraseFile,
    });
    const reference = join(folder, "sealed.key");
    const members = { age_file: file, passphrase_file: passphraseFile };
    await Deno.writeTextFile(reference, JSON.stringify(members), { mode: 0o600 });
    await readMlDsaSigner(reference, { name: id }, KEY_READING);
    const tokenFile = join(folder, "token");
    await Deno.writeTextFile(tokenFile, "t".repeat(32), { mode: 0o600 });
    const remote = async (scheme: string, bytes: number) => {
      const key = { kind: "witness", name: id, scheme, public_key: "11".repeat(bytes) };
      const place = { signer: "https://signer.example/", token_file: tokenFile };
      await Deno.writeTextFile(reference, JSON.stringify({ ...place, ...key }), { mode: 0o600 });
      return reference;
    };
    const refused = hasErrorCode("invalid_key");
    const expected = { name: id };
    const ed25519 = readMlDsaSigner(await remote("ed25519", 32), expected, KEY_READING);
    await assert.rejects(ed25519, refused);
    const mlDsa = await remote("ml-dsa-44", 1_312);
    const { publicKey } = await readMlDsaSigner(mlDsa, expected, KEY_READING);
    assert.equal(publicKey.length, 1_312);
    await assert.rejects(readWitnessSigner(mlDsa, expected, KEY_READING), refused);
    await assert.rejects(readMlDsaSigner(mlDsa, { name: "other" }, KEY_READING), refused);
  });
});

Deno.test("keygen overwrites nothing and refuses invalid ids", async () => {
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

eachScheme.test("a key file is refused when it is not the configured key", async (scheme) => {
  await inFolder(async (folder) => {
    const { id, file } = await made(folder, { scheme });
    const other = await made(folder, { scheme, out: "other.key" });
    const refused = hasErrorCode("invalid_key");
    const read = (expected: ExpectedKey = { name: id }) =>
      readWitnessSigner(file, expected, KEY_READING);
    await read();
    await assert.rejects(read({ name: "another" }), refused);
    const publicKey = Uint8Array.fromHex(other.pubkey);
    await assert.rejects(read({ name: id, publicKey }), refused);
    const log = await made(folder, { kind: "log", out: "log.key" });
    await assert.rejects(readWitnessSigner(log.file, { name: id }, KEY_READING), refused);
    await assert.rejects(readLogSigner(file, parseVkey(log.vkey), KEY_READING), refused);
    const text = await Deno.readTextFile(file);
    for (const damaged of ["", text.slice(0, -6), `${text}\n`, text.replace("PRIVATE", "PUBLIC")]) {
      await Deno.writeTextFile(file, damaged);
      await assert.rejects(read(), refused, JSON.stringify(damaged));
    }
    await Deno.writeFile(file, Uint8Array.of(0xff, 0xfe));
    await assert.rejects(read(), hasErrorCode("malformed_text"));
    await Deno.remove(file);
    await assert.rejects(read(), hasErrorCode("configuration_missing"));
    await assert.rejects(
      readWitnessSigner(folder, { name: id }, KEY_READING),
      hasErrorCode("file_failed"),
    );
  });
});
