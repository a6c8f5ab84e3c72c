/**
 * A gateway that a proxy serves below a path, which the gateway is not configured with.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { ApiDocument } from "../http/api_document.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { Client } from "../cli/client_run.ts";
import { inFolder } from "../server/captured_io.ts";
import { ServedNetwork } from "../server/served_network.ts";
import { PrefixProxy } from "./prefix_proxy.ts";

const DOCUMENTS = [[[], "openapi.json"], [["--events"], "asyncapi.json"]] as const;

/** Submits new hashes until they are not signed at once; the hashes, and the URL in `Location`. */
async function submitted(route: string, bodyOf: (hashes: string[]) => unknown) {
  for (;;) {
    const hashes = randomHashes(2);
    const response = await fetch(route, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(bodyOf(hashes)),
    });
    await response.body?.cancel();
    if (response.status === 200) continue;
    assert.equal(response.status, 202);
    return { hashes, location: new URL(response.headers.get("Location")!, response.url).href };
  }
}

/** Strings in `value` that are paths from the root of a host. */
function rootedPaths(value: unknown): string[] {
  if (typeof value === "string") return /^\/[a-z]/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(rootedPaths)
    : [];
}

async function checkLocations(url: string): Promise<void> {
  const documentUrl = `${url}openapi.json`;
  const document = new ApiDocument(await (await fetch(documentUrl)).text());
  const [server] = document.value["servers"] as { url: string }[];
  const base = new URL(server!.url, documentUrl).href;
  assert.equal(base, url);
  for (const { method, path } of document.operations) {
    if (method !== "get" || /events|api\.json|\{/.test(path)) continue;
    const response = await fetch(base.replace(/\/$/, "") + path);
    const text = await response.text();
    assert.ok(response.headers.has("X-Content-Type-Options"), `${path} is of the gateway`);
    assert.ok(!text.includes("route_not_found"), path);
    if (!text.startsWith("{") && !text.startsWith("[")) continue;
    assert.deepEqual(rootedPaths(JSON.parse(text)), [], path);
  }

  const jobs = `${url}v1/attestations`;
  const one = await submitted(jobs, ([hash]) => ({ hash }));
  assert.equal(one.location, `${jobs}/${one.hashes[0]}`);
  const many = await submitted(`${jobs}/batch`, (hashes) => ({ hashes }));
  assert.ok(many.hashes.map((hash) => `${jobs}/${hash}`).includes(many.location));
  for (const location of [one.location, many.location]) {
    const job = await (await fetch(location)).json();
    assert.equal(location, `${jobs}/${job.hash}`);
  }

  const refused = await fetch(`${jobs}/x`);
  assert.deepEqual(rootedPaths([await refused.json(), [...refused.headers.values()]]), []);
}

async function checkLinks(url: string): Promise<void> {
  const page = await (await fetch(url)).text();
  const links = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link!);
  assert.ok(links.length > 2);
  for (const link of links) {
    const target = new URL(link, url);
    if (target.protocol === "data:") continue;
    assert.ok(target.href.startsWith(url), link);
    const response = await fetch(target);
    assert.equal(response.status, 200, link);
    await response.body?.cancel();
  }
}

async function checkCommands(url: string, client: Client, publicFile: string): Promise<void> {
  await client.write("a.txt", "content");
  const succeed = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await client.run(args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await succeed("network", "--pin", publicFile);
  await succeed("stamp", "--save", "--wait-batched", "a.txt");
  assert.match(await succeed("verify", "a.txt"), /^VALID/);
  assert.match(await succeed("log", "sth", "--verify"), /^VALID/);
  await succeed("fsck", "--gateway", url);
  const reader = (await fetch(`${url}v1/events`)).body!.getReader();
  assert.match(new TextDecoder().decode((await reader.read()).value), /"type":"hello"/);
  await reader.cancel();
}

Deno.test("a gateway below a path", async (t) => {
  await inFolder(async (folder) => {
    const network = await ServedNetwork.create(folder, "prefix.test");
    // The documents describe every route, also those of a time-stamp authority.
    assert.equal((await new Client(folder).run(["tsa", "init", "--out", "."])).code, 0);
    await network.configure({
      timestamping: {
        key_file: join(folder, "tsa.key"),
        certificates_file: join(folder, "tsa.pem"),
      },
    });
    await network.serve(async (served) => {
      await using proxy = new PrefixProxy(served.url);
      const client = new Client(folder);
      client.gateway = proxy.url;
      const { url } = proxy;
      await t.step("the server of the OpenAPI document and every Location are right", () => {
        return checkLocations(url);
      });
      await t.step("the page names only what is below the path", () => checkLinks(url));
      await t.step("the command line stamps, verifies and follows events", () => {
        return checkCommands(url, client, network.publicFile);
      });
      await t.step("openapi prints what a gateway serves, without one", async () => {
        for (const [args, path] of DOCUMENTS) {
          const { code, stdout } = await client.run(["openapi", ...args]);
          assert.equal(code, 0);
          assert.equal(stdout.trimEnd(), await (await fetch(url + path)).text());
        }
      });
    });
  });
});
