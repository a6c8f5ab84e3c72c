import assert from "node:assert/strict";
import { CommandContext } from "../../src/cli/command_context.ts";
import { watchEvents, type WatchOptions } from "../../src/cli/watch_command.ts";
import { systemClock } from "../../src/clock.ts";
import { portableBls } from "../../src/crypto/portable_bls.ts";
import { until } from "../gateway/fixture.ts";
import { type EventServer, withEvents } from "../http/event_clients.ts";
import { CapturedIo } from "../server/captured_io.ts";
import { withClient } from "./client_run.ts";

/** One run of the command, until it is stopped. */
class Watching {
  readonly io = new CapturedIo({ folder: "." });
  readonly code: Promise<number>;
  readonly #stop = new AbortController();

  constructor(
    { listener: { url } }: EventServer,
    options: Partial<WatchOptions> = {},
    output: "text" | "json" = "text",
  ) {
    const context = new CommandContext(
      {
        ...{ io: this.io, clock: systemClock, columns: undefined, showsProgress: false },
        stdin: () => ReadableStream.from([]),
        dropPermissions: () => {},
      },
      { output, gateway: url },
      portableBls,
    );
    this.code = watchEvents({ types: [], ...options }, context, this.#stop.signal);
  }

  async printed(count: number): Promise<string[]> {
    await until(() => this.io.outLines.length >= count);
    return this.io.outLines;
  }

  /** Stops it; the cursor that it ends with. */
  async stop(): Promise<string> {
    this.#stop.abort();
    assert.equal(await this.code, 0);
    return /^countersign: Resume with --after (\S+)$/.exec(this.io.errLines.at(-1) ?? "")?.[1] ??
      "";
  }
}

Deno.test("watch prints one event per line, as text or JSON, and the cursor to resume from", async () => {
  await withEvents(async (server) => {
    const people = new Watching(server, { after: "v1.0.0.0.0.0" });
    const program = new Watching(server, { after: "v1.0.0.0.0.0" }, "json");
    const [hash] = await server.publish(1);
    server.anchors.add("cross_anchor.added");
    const lines = await people.printed(5);
    assert.match(lines[0]!, new RegExp(`^\\S+Z  attestation.accepted   ${hash}  #0$`));
    assert.match(lines[1]!, new RegExp(`^\\S+Z  attestation.confirmed  ${hash}  #0$`));
    assert.match(
      lines[2]!,
      /^\S+Z {2}batch\.closed {11}size 1 {2}root [0-9a-f]{64} {2}1 attestation$/,
    );
    assert.match(lines[3]!, /^\S+Z {2}sth\.published {10}size 1 {2}root [0-9a-f]{64}$/);
    const events = (await program.printed(5)).map((line) => JSON.parse(line));
    assert.deepEqual(events.map(({ type }) => type).slice(0, 4), [
      ...["attestation.accepted", "attestation.confirmed", "batch.closed", "sth.published"],
    ]);
    const cursor = await people.stop();
    assert.equal(cursor, events.at(-1).id);
    assert.equal(await program.stop(), cursor);
    // The next run goes on there.
    const next = new Watching(server, { after: cursor, types: ["sth.published"] });
    await server.publish(1);
    assert.match((await next.printed(1))[0]!, /sth\.published {10}size 2/);
    assert.equal((await next.stop()).split(".")[4], "2");
  });
});

Deno.test("watch fails if the gateway is unreachable or the cursor is invalid", async () => {
  await withClient(async (client) => {
    const unreachable = await client.runJson(["watch"]);
    assert.equal(unreachable.code, 1);
    assert.equal(unreachable.json.error.code, "gateway_unreachable");
    const { stderr } = await client.run(["watch", "--after", "v1.0.0.0.0.0"]);
    assert.doesNotMatch(stderr, /Resume/);
    assert.equal((await client.run(["watch", "--type", "nothing"])).code, 2);
    await withEvents(async (server) => {
      client.gateway = server.listener.url;
      const wrong = await client.runJson(["watch", "--after", "yesterday"]);
      assert.equal(wrong.code, 1);
      assert.equal(wrong.json.error.refusal.code, "malformed_parameter");
    });
  });
});
