/**
 * The gateway's requests to a witness over TLS.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../server/captured_io.ts";
import { writeCertificate } from "./certificate.ts";
import { runTool } from "./tools.ts";

const CLIENT = new URL("../../src/http/outgoing/witness_client.ts", import.meta.url);
const CONFIG = new URL("../deno.json", import.meta.url);

/** What asks `url`, by the way that is named. */
const PROGRAM = `
import { HttpWitnessClient } from ${JSON.stringify(CLIENT)};
const [way, url] = Deno.args;
const witness = new HttpWitnessClient({
  ...{ id: "a.example/w1", publicKey: new Uint8Array(32), scheme: "ed25519", networkId: "a.example" },
  ...{ url, token: "token" },
});
const asked = way === "witness" ? witness.checkHealth(AbortSignal.timeout(60_000)) : fetch(url);
await asked.catch(() => {});
`;

Deno.test("a witness is asked over HTTP/1.1, whatever its server offers", () =>
  inFolder(async (folder) => {
    const files = await writeCertificate(folder, "tls");
    const program = join(folder, "ask.ts");
    await Deno.writeTextFile(program, PROGRAM);
    const tls = Deno.listenTls({
      hostname: "127.0.0.1",
      port: 0,
      ...files,
      alpnProtocols: ["h2", "http/1.1"],
    });
    const protocolOf = async (way: string) => {
      const asking = runTool(
        Deno.execPath(),
        ["run", "-A", "--no-check", "--config", CONFIG.pathname, program, way]
          .concat(`https://localhost:${tls.addr.port}`),
        { cwd: folder, env: { DENO_CERT: join(folder, "tls.pem") } },
      );
      const connection = await tls.accept();
      const { alpnProtocol } = await connection.handshake();
      connection.close();
      const { code, stderr } = await asking;
      assert.equal(code, 0, stderr);
      return alpnProtocol;
    };
    try {
      // Any other request has HTTP/2.
      assert.equal(await protocolOf("fetch"), "h2");
      assert.equal(await protocolOf("witness"), "http/1.1");
    } finally {
      tls.close();
    }
  }));
