import assert from "node:assert/strict";
import { join } from "node:path";
import { serveIssuer } from "../../src/server/issuer/issuer_server.ts";
import type { IssuerOptions } from "../../src/server/roles/role_options.ts";
import { newApiKey, printAdmission } from "../../src/cli/issuer_run.ts";
import { addKey, IssuerKeys, keyFiles, readIssuer } from "../../src/server/issuer/issuer_folder.ts";
import { bytesOfBase64Url } from "../../src/base/bytes.ts";
import { encodeIssuerSecret } from "../../src/config/issuer_key_file.ts";
import { parseIssuerNode } from "../../src/config/issuer_node.ts";
import {
  ISSUER_DIRECTORY_PATH,
  type IssuerDirectory,
  parseIssuerDirectory,
} from "../../src/proof/format/issuer_directory.ts";
import { tokenKeyIdOf } from "../../src/proof/format/privacy_pass.ts";
import { type IssuerSecret, truncatedIdOf } from "../../src/gateway/tokens/issuer_key.ts";
import { signingKey } from "../../src/gateway/tokens/key_schedule.ts";
import { FakeClock } from "../fake_clock.ts";
import { publishedSecret } from "../gateway/tokens/fixture.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";

const NODE = {
  name: "issuer.example",
  rotation: { lifetime_seconds: 1000, overlap_seconds: 100 },
  api_keys: [],
  work: { bits: 1 },
};

async function writeIssuer(folder: string, members = {}): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "issuer.json"), JSON.stringify({ ...NODE, ...members }));
}

/** Serves the issuer of `folder` while `use` runs. */
async function serving(
  folder: string,
  options: Partial<IssuerOptions>,
  use: (url: string, io: CapturedIo) => Promise<void>,
): Promise<void> {
  const io = new CapturedIo({ folder });
  const stop = new AbortController();
  const all = { data: "issuer", host: "127.0.0.1", port: 0, rotate: false, ...options };
  const over = serveIssuer(all, io, stop.signal);
  const printed = await Promise.race([io.printed(/Countersign issuer \S+ on (http:\S+)/), over]);
  try {
    assert.ok(Array.isArray(printed));
    await use(printed[1] ?? "", io);
  } finally {
    stop.abort();
    await over;
  }
}

async function directoryOf(url: string) {
  return parseIssuerDirectory(await (await fetch(url + ISSUER_DIRECTORY_PATH)).text());
}

async function modeOf(path: string): Promise<number> {
  return (await Deno.stat(path)).mode! & 0o777;
}

Deno.test("the first start creates a private issuer, later starts keep it", () =>
  inFolder(async (folder) => {
    const data = join(folder, "issuer");
    let first: IssuerDirectory | undefined;
    await serving(folder, { name: "first.example" }, async (url, io) => {
      first = await directoryOf(url);
      assert.equal(first.tokenKeys.length, 1);
      assert.match(io.stdout, /work of 20 bits/);
      await assert.rejects(serving(folder, {}, async () => {}), { code: "data_in_use" });
    });
    const text = await Deno.readTextFile(join(data, "issuer.json"));
    for (const path of [join(data, "issuer.json"), ...await keyFiles(data)]) {
      assert.equal(await modeOf(path), 0o600, path);
    }
    assert.equal(await modeOf(join(data, "keys")), 0o700);
    await serving(folder, { name: "first.example" }, async (url) => {
      assert.deepEqual(await directoryOf(url), first);
    });
    await assert.rejects(serving(folder, { name: "second.example" }, async () => {}), {
      code: "usage",
    });
    assert.equal(await Deno.readTextFile(join(data, "issuer.json")), text);
  }));

Deno.test("a new issuer has a URL only on loopback", async () => {
  // Its port is taken: what is made is made, and nothing is served.
  using taken = Deno.listen({ hostname: "0.0.0.0", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  for (const [host, url] of [["127.0.0.1", `http://127.0.0.1:${port}/`], ["0.0.0.0", undefined]]) {
    await inFolder(async (folder) => {
      await assert.rejects(serving(folder, { host: host!, port }, async () => {}));
      assert.equal((await readIssuer(join(folder, "issuer"))).url, url);
    });
  }
});

Deno.test("--rotate publishes the next key and keeps the current one", () =>
  inFolder(async (folder) => {
    await writeIssuer(join(folder, "issuer"));
    let present: string | undefined;
    await serving(folder, {}, async (url) => {
      present = (await directoryOf(url)).tokenKeys[0]?.tokenKey.toHex();
    });
    for (let run = 0; run < 2; run++) {
      await serving(folder, { rotate: true }, async (url) => {
        const [next, now, ...others] = (await directoryOf(url)).tokenKeys;
        assert.equal(now?.tokenKey.toHex(), present);
        assert.ok(next!.notBefore! > now!.notBefore! && others.length === 0);
      });
    }
  }));

Deno.test("a damaged configuration or key is rejected and not replaced", () =>
  inFolder(async (folder) => {
    const data = join(folder, "issuer");
    await Deno.mkdir(join(data, "keys"), { recursive: true });
    await Deno.writeTextFile(join(data, "issuer.json"), "{");
    const start = () => serving(folder, {}, async () => {});
    await assert.rejects(start(), { code: "malformed_configuration" });
    await writeIssuer(data);
    await serving(folder, {}, async () => {});
    const [file] = await keyFiles(data);
    const key = await Deno.readTextFile(file!);
    await Deno.writeTextFile(file!, key.slice(0, -5));
    await assert.rejects(start(), { code: "invalid_key" });
    const other = publishedSecret({ notBefore: 1, notAfter: 2 });
    await Deno.writeTextFile(file!, encodeIssuerSecret(other));
    await assert.rejects(start(), { code: "invalid_key" });
    assert.equal((await keyFiles(data)).length, 1);
    await assert.rejects(serving(folder, { host: "203.0.113.1" }, async () => {}), {
      code: "invalid_key",
    });
  }));

Deno.test("IssuerKeys.rotate() stores each key before the previous one expires", () =>
  inFolder(async (folder) => {
    await writeIssuer(folder);
    const node = parseIssuerNode(JSON.stringify(NODE), "/i/issuer.json");
    const clock = new FakeClock(10_000);
    const open = () => IssuerKeys.open({ folder, node, clock });
    let keys = await open();
    const signers = new Set<string>();
    for (let step = 0; step < 70; step++) {
      // A process that dies at any of these moments, and another that goes on.
      if (step % 7 === 0) keys = await open();
      await keys.rotate();
      const ready = keys.ready();
      const now = Math.floor(clock.nowMs() / 1000);
      const signer = signingKey(ready, now)!;
      assert.ok(signer.notAfter - now > 100 - 50);
      signers.add(tokenKeyIdOf(signer.tokenKey).toHex());
      const files = (await keyFiles(folder)).length;
      assert.equal(files, ready.length);
      assert.ok(files >= 1 && files <= 3);
      clock.jump(50_000);
    }
    assert.equal(signers.size, 4);
  }));

Deno.test("IssuerKeys.open() removes incomplete key files", () =>
  inFolder(async (folder) => {
    await writeIssuer(folder);
    await Deno.mkdir(join(folder, "keys"));
    const left = join(folder, "keys", ".00112233445566aa.json.2f0c");
    await Deno.writeTextFile(left, `{"priv`);
    await Deno.writeTextFile(join(folder, "keys", "notes.txt"), "an operator's");
    const node = await readIssuer(folder);
    const clock = new FakeClock();
    const keys = await IssuerKeys.open({ folder, node, clock });
    await keys.rotate();
    await assert.rejects(Deno.stat(left), Deno.errors.NotFound);
    assert.equal((await keyFiles(folder)).length, 1);
    assert.ok(await Deno.stat(join(folder, "keys", "notes.txt")));
  }));

Deno.test("addKey() creates keys with distinct truncated IDs", () =>
  inFolder(async (folder) => {
    const period = { notBefore: 1, notAfter: 2 };
    // Keys with three of four last bytes.
    const others = new Map<number, IssuerSecret>();
    const some = publishedSecret(period);
    for (let n = 0; others.size < 192; n++) {
      const tokenKey = Uint8Array.of(n >> 8, n & 0xff);
      const id = truncatedIdOf(tokenKey);
      if (id < 192) others.set(id, { ...some, tokenKey });
    }
    const secret = await addKey(folder, period, [...others.values()]);
    assert.ok(truncatedIdOf(secret.tokenKey) >= 192);
  }));

Deno.test("printAdmission() prints the public keys for gateways", () =>
  inFolder(async (folder) => {
    const data = join(folder, "issuer");
    const entries = async () => {
      const io = new CapturedIo({ folder });
      assert.equal(await printAdmission("issuer", io), 0);
      return JSON.parse(io.stdout);
    };
    const now = Math.floor(Date.now() / 1000);
    const period = { notBefore: now - 10, notAfter: now + 86_400 };
    const secret = publishedSecret(period);
    const id = tokenKeyIdOf(secret.tokenKey).toHex();
    await writeIssuer(data, { url: "https://issuer.example/" });
    await Deno.mkdir(join(data, "keys"));
    await Deno.writeTextFile(
      join(data, "keys", `${id.slice(0, 16)}.json`),
      encodeIssuerSecret(secret),
      { mode: 0o600 },
    );
    const [entry, ...others] = await entries();
    assert.deepEqual(others, []);
    assert.equal(entry.url, "https://issuer.example/");
    assert.deepEqual(
      entry.token_keys.map(({ not_before, not_after }: Record<string, number>) => ({
        notBefore: not_before,
        notAfter: not_after,
      })),
      [period],
    );
    assert.deepEqual(bytesOfBase64Url(entry.token_keys[0].token_key), secret.tokenKey);
    await assert.rejects(printAdmission("nowhere", new CapturedIo({ folder })), {
      code: "configuration_missing",
    });
  }));

Deno.test("an API key is printed once, and stored as a hash", () =>
  inFolder(async (folder) => {
    await writeIssuer(folder);
    const io = new CapturedIo({ folder });
    assert.equal(await newApiKey({ data: ".", name: "client", perDay: 7 }, io), 0);
    const text = await Deno.readTextFile(join(folder, "issuer.json"));
    const [key = ""] = io.outLines;
    assert.match(key, /^[A-Za-z0-9_-]{43}$/);
    assert.ok(!text.includes(key));
    const { apiKeys } = await readIssuer(folder);
    assert.deepEqual(apiKeys.map(({ name, perDay }) => [name, perDay]), [["client", 7]]);
    await assert.rejects(newApiKey({ data: ".", name: "client" }, io), {
      code: "invalid_configuration",
    });
    assert.equal(await Deno.readTextFile(join(folder, "issuer.json")), text);
  }));
