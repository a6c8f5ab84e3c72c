/**
 * Two gateways over one log in PostgreSQL, both with the key of one time-stamp authority: the standby gives
 * no tokens, and the same entries once it has taken over.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { hexOf, utf8 } from "../../src/base/bytes.ts";
import { parseTimestamp } from "../../src/proof/timestamp/attested_token.ts";
import type { TimeStampToken } from "../../src/proof/timestamp/token.ts";
import { freePorts } from "../free_ports.ts";
import { digestBy, imprintOfContent, requestOf } from "../gateway/timestamping/fixture.ts";
import { eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";
import { SuccessionSite } from "../scenarios/succession_site.ts";
import { PostgresServer } from "./postgres_server.ts";
import { QUERY } from "./timestamping.ts";

const READY = /^Countersign (?:gateway|standby) of \S+ on http:\S+$/m;
const CONTENT = utf8("a release");

const sequenceOf = ({ info }: TimeStampToken) => BigInt(`0x${hexOf(info.serial)}`) >> 64n;

Deno.test("a standby gives certificates and no tokens, and the first time after it has taken over", async () => {
  await using postgres = await PostgresServer.start();
  await using site = await SuccessionSite.create("ed25519", 0);
  const { folder } = site;
  const made = await site.countersign("tsa", "init", "--out", "net");
  assert.equal(made.code, 0, made.stderr);
  const password = join(folder, "net", "password");
  await Deno.writeTextFile(password, postgres.password, { mode: 0o600 });
  await site.configure({
    store: postgres.url,
    store_password_file: "password",
    timestamping: { key_file: "tsa.key", certificates_file: "tsa.pem" },
  });
  await Promise.all(["w1", "w2", "w3"].map((id) => site.startWitness(id)));
  const first = freePorts(2);
  const urls = [first, first + 1].map((port) => `http://127.0.0.1:${port}`);
  const start = async (i: number) => {
    const args = ["serve", "--standby", "--config", "net/network.json", "--data", `data-${i}`];
    const ports = ["--port", String(first + i), "--event-sockets-port", "0"];
    const { server } = await Server.start([...args, ...ports, "--fronts", String(i)], READY, {
      cwd: folder,
    });
    return server;
  };
  const ask = async (i: number) => {
    const response = await fetch(`${urls[i]}/tsa`, {
      method: "POST",
      headers: { "Content-Type": QUERY },
      body: requestOf(await imprintOfContent(CONTENT)),
    });
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  // While a gateway takes over, its port is opened anew.
  const token = (i: number) =>
    eventually("a token", async () => {
      const answer = await ask(i).catch(() => undefined);
      return answer?.response.status === 200 ? parseTimestamp(answer.bytes) : undefined;
    });

  const active = await start(0);
  try {
    const before = await token(0);
    await using _standby = await start(1);
    const { response, bytes } = await ask(1);
    assert.equal(response.status, 503);
    assert.ok(Number(response.headers.get("Retry-After")) > 0);
    assert.equal(JSON.parse(new TextDecoder().decode(bytes)).code, "standby");
    const chains = await Promise.all(urls.map(async (url) => {
      const chain = await fetch(`${url}/api/v1/timestamp/certchain`);
      assert.equal(chain.status, 200);
      return await chain.text();
    }));
    assert.equal(chains[0], chains[1]);

    await active.kill();
    const after = await token(1);
    assert.equal(after.info.genTime, before.info.genTime);
    assert.equal(sequenceOf(after), sequenceOf(before));
    assert.equal(hexOf(after.info.imprint.digest), hexOf(await digestBy(CONTENT, "SHA-256")));
  } finally {
    await active.kill();
  }
});
