/**
 * Deno KV by URL over TLS, with a server of the tests.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { run } from "../scenarios/program.ts";
import { inFolder } from "../server/captured_io.ts";
import { KV_TOKEN, KvConnectServer } from "../storage/kv_connect_server.ts";
import { writeCertificate } from "./certificate.ts";

Deno.test("a store by https URL is checked over TLS, and another certificate is refused", () =>
  inFolder(async (folder) => {
    const tls = await writeCertificate(folder, "tls");
    await writeCertificate(folder, "other");
    await Deno.writeTextFile(join(folder, "token"), KV_TOKEN, { mode: 0o600 });
    await using kv = new KvConnectServer({ tls });
    assert.match(kv.url, /^https:/);
    const check = (trusted: string) =>
      run(["store", "check", "--store", kv.url, "--secret-file", "token"], {
        cwd: folder,
        env: { DENO_CERT: join(folder, `${trusted}.pem`) },
      });
    const fit = await check("tls");
    assert.equal(fit.code, 0, fit.stdout + fit.stderr);
    assert.match(fit.stdout, /^FIT FOR A LOG$/m);
    assert.ok(kv.used.checks > 0 && kv.size === 0);
    const refused = await check("other");
    assert.equal(refused.code, 1);
    assert.match(refused.stdout + refused.stderr, /[Cc]ertificate/);
    assert.ok(!(refused.stdout + refused.stderr).includes(KV_TOKEN));
  }));
