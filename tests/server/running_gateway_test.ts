import assert from "node:assert/strict";
import { NO_OBSERVER } from "../../src/gateway/observer.ts";
import { AcceptedMark } from "../../src/storage/store_meta.ts";
import { openRun } from "../../src/server/gateway/gateway_run.ts";
import { openStores } from "../../src/server/gateway/gateway_stores.ts";
import { runGateway } from "../../src/server/gateway/running_gateway.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";

/** More steps than a commit begins after. */
const STEPS = 200;

Deno.test("digests that arrive within one turn of the event loop share a commit", () =>
  inFolder(async (folder) => {
    await using opened = new AsyncDisposableStack();
    const options = { port: 0, host: "127.0.0.1", data: "data", insecure: false };
    const run = await openRun(options, new CapturedIo({ folder }), opened);
    const commits: number[] = [];
    const observer = {
      ...NO_OBSERVER,
      committed: ({ digests }: { readonly digests: number }) => void commits.push(digests),
    };
    const { gateway } = await runGateway(run, {
      observer,
      onFatal: assert.fail,
      stores: await openStores(run, new AcceptedMark(false)),
    });
    commits.length = 0;
    const answers: Promise<unknown>[] = [];
    for (const hash of randomHashes(3)) {
      answers.push(gateway.jobs.submit(hash, undefined));
      for (let step = 0; step < STEPS; step++) await undefined;
    }
    await Promise.all(answers);
    assert.deepEqual(commits.filter((digests) => digests > 0), [3]);
  }));
