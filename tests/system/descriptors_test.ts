/**
 * A server that runs out of file descriptors and accepts connections again once it has some.
 *
 * @module
 */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";

const LISTEN = fileURLToPath(new URL("../../src/http/listen.ts", import.meta.url));
const EVENT_SOCKETS = fileURLToPath(
  new URL("../../src/http/events/event_socket_listener.ts", import.meta.url),
);
const CONFIG = fileURLToPath(new URL("../deno.json", import.meta.url));

/** More than the server may have open, and fewer than this process may. */
const CONNECTIONS = 120;
const SERVER_DESCRIPTORS = 64;

/** How long it is kept without descriptors: it tries to accept many times. */
const FLOOD_MS = 4_000;

/** As every server does at its start: the runtime panics if it first handles signals without descriptors. */
const SIGNALS = 'Deno.addSignalListener("SIGTERM", () => Deno.exit(0));';

const programOf = (sharesPort: boolean) => `
${SIGNALS}
import { listen } from ${JSON.stringify(LISTEN)};
listen({
  hostname: "127.0.0.1",
  port: 0,
  sharesPort: ${sharesPort},
  handler: () => new Response("here"),
  onListen: ({ port }) => console.log("port " + port),
  report: (message) => console.log("report " + message),
});
`;

/** It needs no feed, because no request here opens a socket. */
const SOCKETS_PROGRAM = `
${SIGNALS}
import { EventSocketListener } from ${JSON.stringify(EVENT_SOCKETS)};
const { address } = new EventSocketListener({
  hostname: "127.0.0.1",
  port: 0,
  fault: (error) => console.log("fault " + error),
  report: (message) => console.log("report " + message),
});
console.log("port " + address.port);
`;

for (const sharesPort of [false, true]) {
  const kind = sharesPort ? " on a shared port" : "";
  Deno.test(`a listener${kind} lost for want of descriptors is opened again`, async () => {
    const answer = await answerAfterFlood(
      programOf(sharesPort),
      /^report Cannot accept connections on 127.0.0.1:[0-9]+: this process has no free file descriptor.*LimitNOFILE/m,
    );
    assert.equal(answer, "here");
  });
}

// A server of node:net or node:http accepts none after this: docs/decisions/14_event_sockets.md.
Deno.test("the listener for event sockets accepts connections after a want of descriptors", async () => {
  const answer = await answerAfterFlood(
    SOCKETS_PROGRAM,
    /^report Cannot accept event sockets on .*: this process has no free file descriptor.*LimitNOFILE/m,
  );
  assert.match(answer, /"code":"route_not_found"/);
});

/**
 * Opens more connections than `program` may have descriptors until it prints `report`, closes them, and
 * returns its next answer.
 */
async function answerAfterFlood(program: string, report: RegExp): Promise<string> {
  const command = new Deno.Command("bash", {
    args: [
      "-c",
      `ulimit -n ${SERVER_DESCRIPTORS} && exec "$0" "$@"`,
      Deno.execPath(),
      "eval",
      "--config",
      CONFIG,
      program,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    env: { NO_COLOR: "1" },
  });
  const { server, match } = await Server.spawn(command, /^port ([0-9]+)$/m);
  await using running = server;
  const port = Number(match[1]);
  const held: Deno.Conn[] = [];
  try {
    for (const endMs = performance.now() + FLOOD_MS; performance.now() < endMs;) {
      // Once the listener is gone, a connection is refused, or reset, perhaps before it is seen.
      const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
      if (connection !== undefined) held.push(connection);
      if (connection === undefined || held.length > CONNECTIONS) await sleep(50);
    }
    await eventually(
      "it reports that it cannot accept",
      () => Promise.resolve(report.test(running.stdout) ? true : undefined),
    );
  } finally {
    for (const connection of held) connection.close();
  }
  const text = await eventually("it answers again", async () => {
    try {
      return await (await fetch(`http://127.0.0.1:${port}/`)).text();
    } catch {
      return undefined;
    }
  }).catch((cause) => {
    throw new Error(`It does not answer again: ${running.stdout}${running.stderr}`, { cause });
  });
  assert.match(running.stdout, report);
  // The beginning and perhaps the end.
  const lines = running.stdout.split("\n").filter((line) => line.startsWith("report "));
  assert.ok(lines.length <= 2, running.stdout);
  return text;
}
