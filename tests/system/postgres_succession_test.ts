/**
 * A log in PostgreSQL changes a witness while its gateway is killed in the middle, so that a standby goes on.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { parseSuccessionChain } from "../../src/proof/format/succession.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { followSuccession } from "../../src/proof/verify/followed_network.ts";
import { freePorts } from "../free_ports.ts";
import { eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";
import { SuccessionSite } from "../scenarios/succession_site.ts";
import { bls, nativeCrypto } from "../schemes.ts";
import { PostgresServer } from "./postgres_server.ts";

const READY = /^Countersign (?:gateway|standby) of \S+ on (http:\/\/\S+)$/m;

Deno.test("a standby and its front follow a succession while the active gateway is killed", async () => {
  await using postgres = await PostgresServer.start();
  await using site = await SuccessionSite.create("ed25519", 0);
  const net = join(site.folder, "net");
  const pinned = parseNetwork(await Deno.readTextFile(join(net, "network.public.json")), bls);
  await Deno.writeTextFile(join(net, "password"), postgres.password, { mode: 0o600 });
  const clients = freePorts(2);
  await site.configure({ store: postgres.url, store_password_file: "password" });
  await Promise.all(["w1", "w2", "w3"].map((id) => site.startWitness(id)));
  await site.prepare({ witnesses: ["w2", "w3", "w4"], threshold: 2 });
  await site.startWitness("w4");
  const servers: Server[] = [];
  const start = async (i: number) => {
    const ports = ["--port", String(clients + i), "--event-sockets-port", "0"];
    const { server } = await Server.start(
      [
        "serve",
        "--standby",
        "--config",
        join("net", "network.json"),
        ...ports,
        "--fronts",
        String(i),
        "--data",
        `data-${i}`,
        "--batch-max-age-ms",
        "100",
      ],
      READY,
      { cwd: site.folder },
    );
    servers[i] = server;
  };
  const ask = (i: number) => site.url = `http://127.0.0.1:${clients + i}`;
  try {
    await start(0);
    await start(1);
    ask(0);
    const accepted: string[] = [];
    const submit = async () => {
      const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
      const response = await fetch(new URL("/v1/attestations", site.url), {
        method: "POST",
        headers: { "Content-Type": "application/json", "Prefer": "respond-async" },
        body: JSON.stringify({ hash }),
      }).catch(() => undefined);
      // A standby that takes over opens its port anew: what waits there is reset, and clients ask again.
      if (response === undefined) return undefined;
      await response.body?.cancel();
      if (response.ok) accepted.push(hash);
      return response.ok || undefined;
    };
    for (let i = 0; i < 10; i++) await eventually("a hash is taken", submit);
    await site.install(await site.document(await site.size()));
    await eventually("the succession", async () => {
      const { succession } = JSON.parse(await site.get("/v1/status") ?? "{}");
      return succession !== undefined || undefined;
    });
    await servers[0]!.kill();
    ask(1);
    await eventually("epoch 1", async () => await site.epoch() === 1 ? true : undefined);
    for (let i = 0; i < 10; i++) await eventually("a hash is taken", submit);
    // The other one stands by, the operator renames the configuration, and the active one ends.
    await start(0);
    await Deno.rename(join(net, "successor.json"), join(net, "network.json"));
    await servers[1]!.kill();
    ask(0);
    for (let i = 0; i < 10; i++) await eventually("a hash is taken", submit);
    const chain = parseSuccessionChain((await site.get("/v1/succession"))!);
    const { network, failure } = await followSuccession(nativeCrypto, pinned, chain);
    assert.equal(failure, undefined);
    for (const hash of accepted) {
      const text = await eventually("its bundle", () => site.get(`/v1/bundle/${hash}`));
      const { layers } = await verifyBundle(
        nativeCrypto,
        { network, peers: [] },
        parseBundle(text),
        { hash },
      );
      assert.equal(layers.attestation.status, "verified", JSON.stringify(layers));
    }
  } finally {
    for (const server of servers) await server.kill();
  }
});
