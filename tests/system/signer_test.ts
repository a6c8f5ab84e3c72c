/** A signer with keys in SoftHSM2 and in age files, against curl, openssl and age. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "../server/captured_io.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MODULE = "/usr/lib/softhsm/libsofthsm2.so";
const SPKI_PREFIX = "302a300506032b6570032100";
const DENO = [
  "run",
  "--no-prompt",
  "-A",
  "--config",
  join(ROOT, "deno.json"),
  join(ROOT, "main.ts"),
];

Deno.test("a signer serves keys of SoftHSM2 and of age files", () =>
  inFolder(async (folder) => {
    const env = { SOFTHSM2_CONF: join(folder, "softhsm2.conf"), NO_COLOR: "1" };
    const run = async (program: string, ...args: string[]) => {
      const command = new Deno.Command(program, { args, cwd: folder, env, stdin: "null" });
      const { success, stdout, stderr } = await command.output();
      assert.ok(success, `${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
      return new TextDecoder().decode(stdout);
    };
    const countersign = (...args: string[]) => run(Deno.execPath(), ...DENO, ...args);
    const write = (name: string, text: string) =>
      Deno.writeTextFile(join(folder, name), text, { mode: 0o600 });
    await Deno.mkdir(join(folder, "tokens"));
    await write("softhsm2.conf", `directories.tokendir = ${join(folder, "tokens")}\n`);
    const pin = ["--so-pin", "12345678", "--pin", "1234"];
    await run("softhsm2-util", "--init-token", "--free", "--label", "test", ...pin);
    const login = ["--module", MODULE, "--token-label", "test", "--login", "--pin", "1234"];
    const made = ["--keypairgen", "--key-type", "EC:edwards25519", "--label", "one"];
    await run("pkcs11-tool", ...login, ...made);
    await run("age-keygen", "-o", "id.txt");
    const recipient = (await run("age-keygen", "-y", "id.txt")).trim();
    const identity = /^AGE-SECRET-KEY-1\S+$/m.exec(
      await Deno.readTextFile(join(folder, "id.txt")),
    )![0];
    await write("id", identity);
    await write("pass", "a passphrase\n");
    const { pubkey } = JSON.parse(
      await countersign(
        "keygen",
        "log.example",
        "--kind",
        "log",
        "--out",
        "log.age",
        "--encrypt-to",
        recipient,
        "--output",
        "json",
      ),
    );
    assert.match(
      await run("age", "-d", "-i", "id.txt", "log.age"),
      /^PRIVATE\+KEY\+log\.example\+/,
    );
    await countersign("keygen", "example.org/w2", "--encrypt", "pass", "--out", "w2.age");
    await write("log.key", JSON.stringify({ age_file: "log.age", identity_file: "id" }));
    await write("w2.key", JSON.stringify({ age_file: "w2.age", passphrase_file: "pass" }));
    const token = "t".repeat(32);
    await write("token", token);
    await write("pin", "1234");
    await write(
      "signer.json",
      JSON.stringify({
        socket: "s.sock",
        token_file: "token",
        keys: [
          { key_file: "log.key" },
          { key_file: "w2.key" },
          { name: "example.org/w1", kind: "witness", label: "one" },
        ],
        pkcs11: { module: MODULE, token: "test", pin_file: "pin" },
      }),
    );
    const args = [...DENO, "signer", "signer.json"];
    const serving = { args, cwd: folder, env, stdin: "null", stdout: "piped" } as const;
    // A signer that is killed leaves its socket, which the next one replaces.
    for (const end of ["SIGKILL", "SIGTERM"] as const) {
      const process = new Deno.Command(Deno.execPath(), { ...serving, stderr: "null" }).spawn();
      try {
        const reader = process.stdout.getReader();
        const { value } = await reader.read();
        await reader.cancel();
        assert.match(new TextDecoder().decode(value), /^Signer on unix:\S+ with log\.example, /);
        const ask = (path: string, ...more: string[]) =>
          run(
            "curl",
            "-sSf",
            "--unix-socket",
            "s.sock",
            "-H",
            `Authorization: Bearer ${token}`,
            ...more,
            `http://localhost/v1/keys${path}`,
          ).then(JSON.parse);
        const { keys } = await ask("");
        assert.equal(keys.length, 3);
        assert.equal(keys[0].public_key, pubkey);
        await write("text", "cosignature/v1\ntime 1\nlog.example\n");
        const posted = ["--data-binary", "@text"];
        const { signature } = await ask("/example.org%2Fw1/sign", ...posted);
        await Deno.writeFile(join(folder, "signature"), Uint8Array.fromHex(signature));
        const { public_key } = await ask("/example.org%2Fw1");
        const spki = Uint8Array.fromHex(SPKI_PREFIX + public_key);
        await Deno.writeFile(join(folder, "key.der"), spki);
        const key = ["-pubin", "-inkey", "key.der", "-keyform", "DER"];
        const signed = ["-rawin", "-in", "text", "-sigfile", "signature"];
        await run("openssl", "pkeyutl", "-verify", ...key, ...signed);
      } finally {
        process.kill(end);
        await process.status;
      }
    }
  }));
