/**
 * An issuer of tokens that serves in this process.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { printAdmission } from "../../src/cli/issuer_run.ts";
import { serveIssuer } from "../../src/server/issuer/issuer_server.ts";
import { CapturedIo } from "../server/captured_io.ts";

/** Calls `use` with the URL of an issuer in a new folder below `root`, and its entry of `admission`. */
export async function withIssuer(
  root: string,
  use: (url: string, issuers: unknown) => Promise<void>,
): Promise<void> {
  const folder = join(root, "issuer");
  await Deno.mkdir(join(folder, "keys"), { recursive: true });
  const node = {
    name: "issuer.example",
    api_keys: [],
    work: { bits: 1 },
    rotation: { lifetime_seconds: 86_400, overlap_seconds: 3_600 },
  };
  await Deno.writeTextFile(join(folder, "issuer.json"), JSON.stringify(node));
  const io = new CapturedIo({ folder: root });
  const stop = new AbortController();
  const options = { data: "issuer", host: "127.0.0.1", port: 0, rotate: false };
  const over = serveIssuer(options, io, stop.signal);
  try {
    await Promise.race([io.printed(/ on http:\S+/), over]);
    const printed = new CapturedIo({ folder: root });
    assert.equal(await printAdmission("issuer", printed), 0);
    await use(/ on (http:\S+)/.exec(io.stdout)?.[1] ?? "", JSON.parse(printed.stdout));
  } finally {
    stop.abort();
    await over;
  }
}
