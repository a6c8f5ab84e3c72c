/** No token, API key or issuer's key reaches a log of the issuer, the gateway or the client. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { newApiKey, printAdmission } from "../../src/cli/issuer_run.ts";
import { keyFiles } from "../../src/server/issuer/issuer_folder.ts";
import { serveIssuer } from "../../src/server/issuer/issuer_server.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";
import { Client } from "../cli/client_run.ts";
import { secretsIn } from "./secret_forms.ts";
import { ServedNetwork } from "./served_network.ts";

const NETWORK = "flow.example";
const VERBOSE = { logFormat: "json", logLevel: "debug" } as const;
const ISSUER = {
  name: "issuer.example",
  api_keys: [],
  work: { bits: 1 },
  rotation: { lifetime_seconds: 86_400, overlap_seconds: 3_600 },
};
const JSON_TYPE = { "Content-Type": "application/json" };
/** Of nobody. */
const WRONG_KEY = "canary-wrong-api-key-0123456789abcdef";

/** A new issuer with one API key, which is answered. */
async function makeIssuer(root: string): Promise<string> {
  await Deno.mkdir(join(root, "issuer"));
  await Deno.writeTextFile(join(root, "issuer", "issuer.json"), JSON.stringify(ISSUER));
  const io = new CapturedIo({ folder: root });
  assert.equal(await newApiKey({ data: "issuer", name: "laptop" }, io), 0);
  const apiKey = io.outLines.join("\n").trim();
  assert.match(apiKey, /^[\w-]{20,}$/);
  return apiKey;
}

/** Serves the issuer in `root` while `use` runs. */
async function withIssuer(
  root: string,
  use: (url: string, io: CapturedIo) => Promise<void>,
): Promise<void> {
  const io = new CapturedIo({ folder: root });
  const stop = new AbortController();
  const options = { data: "issuer", host: "127.0.0.1", port: 0, rotate: false, ...VERBOSE };
  const over = serveIssuer(options, io, stop.signal);
  try {
    await Promise.race([io.printed(/ on http:\S+/), over]);
    await use(/ on (http:\S+)/.exec(io.stdout)?.[1] ?? "", io);
  } finally {
    stop.abort();
    await over;
  }
}

async function issuerEntries(root: string) {
  const io = new CapturedIo({ folder: root });
  assert.equal(await printAdmission("issuer", io), 0);
  return JSON.parse(io.stdout);
}

/** The private keys of the issuer in `root`. */
async function privateKeys(root: string): Promise<string[]> {
  const texts = await Promise.all(
    (await keyFiles(join(root, "issuer"))).map((file) => Deno.readTextFile(file)),
  );
  const keys = texts.map((text) => /"private_key":\s*"([^"]{40,})"/.exec(text)?.[1]);
  return keys.filter((key) => key !== undefined);
}

/** Submits the hash of 32 bytes `n` with `token`; answers the status. */
async function submit(url: string, n: number, token: string, headers = {}): Promise<number> {
  const hash = n.toString(16).padStart(64, "0");
  const response = await fetch(`${url}/v1/attestations`, {
    method: "POST",
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ hash, issuer_token: token }),
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("no token and no issuer key appears in a log, accepted or rejected", () =>
  inFolder(async (root) => {
    const apiKey = await makeIssuer(root);
    const network = await ServedNetwork.create(root, NETWORK);
    const client = new Client(root);
    await Deno.writeTextFile(join(root, "api.key"), apiKey, { mode: 0o600 });
    await Deno.writeTextFile(join(root, "wrong.key"), WRONG_KEY, { mode: 0o600 });
    await withIssuer(root, async (issuerUrl, issuerIo) => {
      const issuers = await issuerEntries(root);
      await network.configure({ admission: { mode: "token_required", issuers } });
      await network.serve(async ({ url, io }) => {
        client.gateway = url;
        const fetch = (key: string) =>
          client.run(["token", "--count", "2", "--issuer", issuerUrl, "--api-key-file", key]);
        const runs = [await fetch("api.key"), await fetch("wrong.key")];
        assert.deepEqual(runs.map(({ code }) => code), [0, 1]);
        const [{ token: first }, { token: second }] = await client.supply(NETWORK).take(2) as [
          { token: string },
          { token: string },
        ];
        const damaged = `${first.slice(0, -4)}${first.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
        const shown = { Authorization: `PrivateToken token=${second}`, Cookie: second };
        assert.deepEqual([
          await submit(url, 1, first),
          await submit(url, 2, first),
          await submit(url, 2, damaged),
          await submit(url, 2, apiKey),
          await submit(url, 3, second, shown),
        ], [202, 403, 403, 403, 202]);
        const secrets = [apiKey, WRONG_KEY, first, second, damaged, ...await privateKeys(root)];
        for (const token of [first, second]) {
          secrets.push(Uint8Array.fromBase64(token, { alphabet: "base64url" }).toHex());
        }
        assert.equal(secrets.length, 8);
        const logged = [...issuerIo.errLines, ...io.errLines].join("\n");
        // What must have been logged, or this shows nothing.
        for (const member of ["token_spent", "token_invalid", "token_refused", "/token-request"]) {
          assert.ok(logged.includes(member), member);
        }
        const printed = runs.map(({ stdout, stderr }) => stdout + stderr);
        const all = [logged, issuerIo.stdout, io.stdout, ...printed].join("\n");
        assert.deepEqual(secretsIn(all, secrets), []);
        const ids = issuerIo.errLines.filter((line) => line.includes('"route":"/token-request"'))
          .map((line) => JSON.parse(line).request_id);
        assert.ok(ids.length >= 3);
        for (const id of ids) assert.match(id, /^[0-9a-f]{16}$/);
      }, VERBOSE);
    });
  }));
