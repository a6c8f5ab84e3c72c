/** A signer with keys in age files, and one with a key in SoftHSM2, against curl, openssl and age. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SIGNED_ATTRIBUTES } from "../config/timestamp_files.ts";
import { inFolder } from "../server/captured_io.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MODULE = "/usr/lib/softhsm/libsofthsm2.so";
const SPKI_PREFIX = "302a300506032b6570032100";
const TOKEN = "t".repeat(32);
const CONFIG = ["--no-prompt", "--config", join(ROOT, "deno.json")];
const COUNTERSIGN = ["run", "-A", ...CONFIG, join(ROOT, "main.ts")];

/** Between two tries to reach a signer that starts: each starts curl. */
const TRY_MS = 300;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Keys of time-stamp authorities by their labels, as `pkcs11-tool --key-type` has them. */
const TSA_KEYS = { p256: "EC:prime256v1", rsa: "rsa:3072" };

/** A folder in which programs run. */
class Place {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#env = { SOFTHSM2_CONF: join(folder, "softhsm2.conf"), NO_COLOR: "1" };
  }

  async write(name: string, content: string | object): Promise<void> {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Deno.writeTextFile(join(this.#folder, name), text, { mode: 0o600 });
  }

  async run(program: string, ...args: string[]): Promise<string> {
    const { success, stdout, stderr } = await this.#command(program, args).output();
    assert.ok(success, `${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  }

  async countersign(...args: string[]): Promise<string> {
    return await this.run(Deno.execPath(), ...COUNTERSIGN, ...args);
  }

  /**
   * Starts a signer at the socket `s.sock` of the folder, has `use` ask it, and ends it; by default twice,
   * since the second one has to replace the socket that the first, killed one leaves.
   */
  async withSigner(
    args: readonly string[],
    use: () => Promise<void>,
    ends: readonly Deno.Signal[] = ["SIGKILL", "SIGTERM"],
  ): Promise<void> {
    for (const end of ends) {
      const process = this.#command(Deno.execPath(), args).spawn();
      try {
        let isOver = false;
        void process.status.then(() => isOver = true);
        while (!isOver && !await this.keys().then(() => true, () => false)) await pause(TRY_MS);
        assert.ok(!isOver, "the signer ended");
        await use();
      } finally {
        process.kill(end);
        const [{ code }] = await Promise.all([
          process.status,
          process.stdout.cancel(),
          process.stderr.cancel(),
        ]);
        if (end === "SIGTERM") assert.equal(code, 0);
      }
    }
  }

  async keys() {
    return (await this.#ask("")).keys;
  }

  /** Has the key `name` sign a text, and openssl verify it. */
  async checkSignature(name: string): Promise<void> {
    const path = `/${encodeURIComponent(name)}`;
    await this.write("text", "cosignature/v1\ntime 1\nlog.example\n");
    const { signature } = await this.#ask(`${path}/sign`, "--data-binary", "@text");
    await Deno.writeFile(join(this.#folder, "signature"), Uint8Array.fromHex(signature));
    const { public_key } = await this.#ask(path);
    const spki = Uint8Array.fromHex(SPKI_PREFIX + public_key);
    await Deno.writeFile(join(this.#folder, "key.der"), spki);
    const key = ["-pubin", "-inkey", "key.der", "-keyform", "DER"];
    const signed = ["-rawin", "-in", "text", "-sigfile", "signature"];
    await this.run("openssl", "pkeyutl", "-verify", ...key, ...signed);
  }

  /** Has the key `name` sign the attributes of a token, and openssl verify it; other texts are refused. */
  async checkTimestampSignature(name: string): Promise<void> {
    const path = `/${encodeURIComponent(name)}`;
    await Deno.writeFile(join(this.#folder, "attributes"), SIGNED_ATTRIBUTES);
    const { signature } = await this.#ask(`${path}/sign`, "--data-binary", "@attributes");
    await Deno.writeFile(join(this.#folder, "signature"), Uint8Array.fromHex(signature));
    const { public_key } = await this.#ask(path);
    await Deno.writeFile(join(this.#folder, "key.der"), Uint8Array.fromHex(public_key));
    await this.run("openssl", "pkey", "-pubin", "-in", "key.der", "-out", "key.pem");
    const signed = ["-verify", "key.pem", "-signature", "signature", "attributes"];
    await this.run("openssl", "dgst", "-sha256", ...signed);
    await this.write("text", "cosignature/v1\ntime 1\nlog.example\n");
    await assert.rejects(this.#ask(`${path}/sign`, "--data-binary", "@text"), /error: 400/);
  }

  async #ask(path: string, ...more: string[]) {
    const authorization = ["-H", `Authorization: Bearer ${TOKEN}`];
    const url = `http://localhost/v1/keys${path}`;
    return JSON.parse(
      await this.run("curl", "-sSf", "--unix-socket", "s.sock", ...authorization, ...more, url),
    );
  }

  #command(program: string, args: readonly string[]): Deno.Command {
    return new Deno.Command(program, {
      args: [...args],
      cwd: this.#folder,
      env: this.#env,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
  }
}

Deno.test("a signer serves keys of age files", () =>
  inFolder(async (folder) => {
    const place = new Place(folder);
    await place.run("age-keygen", "-o", "id.txt");
    const recipient = (await place.run("age-keygen", "-y", "id.txt")).trim();
    const identities = await Deno.readTextFile(join(folder, "id.txt"));
    await place.write("id", /^AGE-SECRET-KEY-1\S+$/m.exec(identities)![0]);
    await place.write("pass", "a passphrase\n");
    const encrypted = ["--encrypt-to", recipient, "--output", "json"];
    const log = ["keygen", "log.example", "--kind", "log", "--out", "log.age", ...encrypted];
    const { pubkey } = JSON.parse(await place.countersign(...log));
    assert.match(
      await place.run("age", "-d", "-i", "id.txt", "log.age"),
      /^PRIVATE\+KEY\+log\.example\+/,
    );
    await place.countersign("keygen", "example.org/w2", "--encrypt", "pass", "--out", "w2.age");
    await place.write("log.key", { age_file: "log.age", identity_file: "id" });
    await place.write("w2.key", { age_file: "w2.age", passphrase_file: "pass" });
    await place.write("token", TOKEN);
    await place.write("signer.json", {
      socket: "s.sock",
      token_file: "token",
      key_files: ["log.key", "w2.key"],
    });
    await place.withSigner([...COUNTERSIGN, "signer", "signer.json"], async () => {
      const keys = await place.keys();
      assert.equal(keys.length, 2);
      assert.equal(keys[0].public_key, pubkey);
      await place.checkSignature("example.org/w2");
      // To open an age file by a passphrase takes a second.
    }, ["SIGTERM"]);
  }));

Deno.test("the PKCS#11 signer serves a key of SoftHSM2, with the permissions of its documentation", () =>
  inFolder(async (folder) => {
    const place = new Place(folder);
    await Deno.mkdir(join(folder, "tokens"));
    await place.write("softhsm2.conf", `directories.tokendir = ${join(folder, "tokens")}\n`);
    const pins = ["--so-pin", "12345678", "--pin", "1234"];
    await place.run("softhsm2-util", "--init-token", "--free", "--label", "test", ...pins);
    const login = ["--module", MODULE, "--token-label", "test", "--login", "--pin", "1234"];
    const made = ["--keypairgen", "--key-type", "EC:edwards25519", "--label", "one"];
    await place.run("pkcs11-tool", ...login, ...made);
    for (const [label, type] of Object.entries(TSA_KEYS)) {
      await place.run(
        "pkcs11-tool",
        ...login,
        "--keypairgen",
        "--key-type",
        type,
        "--label",
        label,
      );
    }
    await place.write("token", TOKEN);
    await place.write("pin", "1234");
    const configuration = {
      socket: join(folder, "s.sock"),
      token_file: "token",
      module: MODULE,
      token: "test",
      pin_file: "pin",
      keys: [
        { name: "example.org/w1", kind: "witness", label: "one" },
        { name: "example.org/p256", kind: "tsa", label: "p256" },
        { name: "example.org/rsa", kind: "tsa", label: "rsa" },
      ],
    };
    await place.write("pkcs11.json", configuration);
    const permissions = ["--allow-ffi", "--allow-net", "--allow-read", `--allow-write=${folder}`];
    const program = ["run", ...CONFIG, ...permissions, join(ROOT, "deploy", "pkcs11_signer.ts")];
    await place.withSigner([...program, "pkcs11.json"], async () => {
      const [key, ...others] = await place.keys();
      assert.deepEqual(
        [key.name, key.kind, key.algorithm],
        ["example.org/w1", "witness", "ed25519"],
      );
      assert.deepEqual(
        others.map(({ kind, algorithm }: Record<string, string>) => [kind, algorithm]),
        [["tsa", "ecdsa-p256"], ["tsa", "rsa-3072"]],
      );
      await place.checkSignature("example.org/w1");
      for (const { name } of others) await place.checkTimestampSignature(name);
    });
    const refused = async (members: object, problem: RegExp) => {
      await place.write("pkcs11.json", { ...configuration, ...members });
      await assert.rejects(place.run(Deno.execPath(), ...program, "pkcs11.json"), problem);
    };
    const [key] = configuration.keys;
    await refused({ keys: [{ ...key, label: "two" }] }, /it has no key with label two/);
    const weak = ["--keypairgen", "--key-type", "rsa:2048", "--label", "weak"];
    await place.run("pkcs11-tool", ...login, ...weak);
    const small = { name: "example.org/weak", kind: "tsa", label: "weak" };
    await refused({ keys: [small] }, /RSA with 2048 bits/);
    await refused(
      { keys: [{ ...small, label: "one" }] },
      /needs a key of ECDSA P-256|not a Subject/,
    );
    await refused({ token: "other" }, /there is no token with label other/);
    await refused({ module: "/nowhere.so" }, /Cannot load PKCS#11 module "\/nowhere\.so"/);
  }));
