/**
 * Every bound of what clients may ask, tried in every mode that answers them: one thread, threads of fronts,
 * and the standby of each. A bound that a mode lacks, or has otherwise, is an open door.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { BODY_LIMIT, BULK_BODY_LIMIT, BULK_LIMIT } from "../../src/http/limits.ts";
import { SOCKET_BOUNDS } from "../../src/http/events/event_bounds.ts";
import { freePorts } from "../free_ports.ts";
import { Deployment, eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";
import { HANDSHAKE } from "./endless_message.ts";
import { SERVER as database } from "./postgres_databases.ts";
import { exchange, RawConnection, requestText, within } from "./raw_connection.ts";

const READY = /^Countersign (?:gateway|standby) of \S+ on http:\S+:([0-9]+)$/m;

const LIMITS = {
  reads: { per_second: 1, burst: 20 },
  new_attestations: { per_second: 1, burst: 5 },
  event_streams: { per_second: 1, burst: 9, open: 3 },
  operator: { per_second: 1, burst: 5 },
};
/** More than any burst, also while a slow machine refills it. */
const ENOUGH = 400;

/** The ports of a gateway in one mode. */
interface Mode {
  readonly clients: number;
  readonly sockets: number;
  readonly operators: number;
}

/** Requests of one client whose address no other probe has. */
interface Client {
  readonly from: string;
}

type Probe = (mode: Mode, client: Client) => Promise<string>;

/** The status of an answer, its problem, and the budget that refused it with its capacity. */
function outcome({ received, status }: RawConnection): string {
  const [, code] = /"code":"([a-z_]+)"/.exec(received) ?? [];
  const [, policy] = /^ratelimit-policy: ("[a-z_]+";q=[0-9]+)/im.exec(received) ?? [];
  return [status ?? "closed", code, policy].filter((part) => part !== undefined).join(" ");
}

function post(path: string, body: string, headers: readonly string[] = []): string {
  const length = headers.some((line) => line.startsWith("Content-Length:"))
    ? []
    : [`Content-Length: ${body.length}`];
  return requestText(
    `POST ${path}`,
    ["Content-Type: application/json", ...length, ...headers],
    body,
  );
}

const randomHash = () => crypto.getRandomValues(new Uint8Array(32)).toHex();

/** The first answer to `request`, sent again and again, that is not one of `usual`. */
async function refusal(
  port: number,
  { from }: Client,
  usual: readonly number[],
  request: () => string,
): Promise<string> {
  for (let i = 0; i < ENOUGH; i++) {
    const answer = await exchange(port, request(), { from });
    if (!usual.includes(answer.status ?? 0)) return outcome(answer);
  }
  return "never refused";
}

async function firstAnswer(port: number, { from }: Client, text: string): Promise<string> {
  return outcome(await exchange(port, text, { from }));
}

/** Opens streams until one is refused. */
async function streamRefusal(port: number, { from }: Client, request: string): Promise<string> {
  const open: RawConnection[] = [];
  try {
    while (open.length < LIMITS.event_streams.burst) {
      const connection = await RawConnection.open(port, from);
      open.push(connection);
      connection.write(request);
      await within(60_000, connection.until((received) => received.includes("\r\n\r\n")));
      if (connection.status !== 200 && connection.status !== 101) {
        await within(60_000, connection.until((received) => received.includes("}")));
        return `${open.length - 1} open, then ${outcome(connection)}`;
      }
    }
    return "never refused";
  } finally {
    await Promise.all(open.map((connection) => connection.close()));
  }
}

/** How a socket is closed that has sent `frames`. */
async function closeCode(port: number, { from }: Client, frames: string): Promise<string> {
  const connection = await RawConnection.open(port, from);
  try {
    connection.write(HANDSHAKE);
    await within(60_000, connection.until((received) => received.includes("\r\n\r\n")));
    if (connection.status !== 101) return outcome(connection);
    connection.write(frames);
    await within(60_000, connection.ended);
    // Its Close frame is the last thing that it sends.
    const close = connection.received.lastIndexOf("\x88");
    if (close < 0) return "closed without a code";
    const [high, low] = [2, 3].map((at) => connection.received.charCodeAt(close + at));
    return `closed with ${high! * 256 + low!}`;
  } finally {
    await connection.close();
  }
}

const PROBES: Readonly<Record<string, Probe>> = {
  "reads": ({ clients }, client) =>
    refusal(clients, client, [200], () => requestText("GET /v1/config")),
  "new attestations": ({ clients }, client) =>
    refusal(
      clients,
      client,
      [200, 202],
      () => post("/v1/attestations", JSON.stringify({ hash: randomHash() })),
    ),
  "malformed submissions": ({ clients }, client) =>
    refusal(clients, client, [400, 422], () => post("/v1/attestations", "{")),
  "requests of operators": ({ operators }, client) =>
    refusal(operators, client, [401], () => requestText("GET /ready")),
  "open event streams": ({ clients }, client) =>
    streamRefusal(clients, client, "GET /v1/events HTTP/1.1\r\nHost: gateway.test\r\n\r\n"),
  "open event sockets": ({ sockets }, client) => streamRefusal(sockets, client, HANDSHAKE),
  "bytes of a submission": ({ clients }, client) =>
    firstAnswer(clients, client, post("/v1/attestations", " ".repeat(BODY_LIMIT + 1))),
  "announced bytes of a bulk submission": ({ clients }, client) =>
    firstAnswer(
      clients,
      client,
      post("/v1/attestations/batch", "", [`Content-Length: ${BULK_BODY_LIMIT + 1}`]),
    ),
  "hashes of a bulk submission": ({ clients }, client) => {
    const hashes = Array.from({ length: BULK_LIMIT + 1 }, randomHash);
    return firstAnswer(clients, client, post("/v1/attestations/batch", JSON.stringify({ hashes })));
  },
  "time of a body": ({ clients }, client) =>
    firstAnswer(clients, client, post("/v1/attestations", "{", ["Content-Length: 100"])),
  "bytes of a header": ({ clients }, client) =>
    firstAnswer(clients, client, requestText("GET /health", [`Long: ${"a".repeat(70_000)}`])),
  "bytes of a handshake": ({ sockets }, client) =>
    firstAnswer(
      sockets,
      client,
      requestText("GET /ws/events", [`Long: ${"a".repeat(SOCKET_BOUNDS.handshakeBytes)}`]),
    ),
  "bytes of a message": ({ sockets }, client) =>
    closeCode(sockets, client, "\x81\xff\0\0\0\0\x10\0\0\0mask"),
  "pieces of a message": ({ sockets }, client) =>
    closeCode(sockets, client, "\x01\x81mask!" + "\0\x81mask!".repeat(20_000)),
};

/** A gateway, and the standby that serves reads beside it. */
async function withModes(
  fronts: number,
  test: (modes: Readonly<Record<"active" | "standby", Mode>>) => Promise<void>,
): Promise<void> {
  await using deployment = await Deployment.create("ed25519", "--witnesses", "1");
  await deployment.startWitness(0);
  const network = JSON.parse(await deployment.readFile(join("net", "network.json")));
  const folder = join(deployment.folder, "net");
  await Deno.writeTextFile(join(folder, "password"), database.password, { mode: 0o600 });
  const store = await database.createDatabase();
  await using servers = new AsyncDisposableStack();
  const start = async (name: string): Promise<Mode> => {
    const operators = freePorts(2);
    const sockets = operators + 1;
    const text = JSON.stringify({
      ...network,
      store,
      store_password_file: "password",
      limits: LIMITS,
      operator: { host: "127.0.0.1", port: operators },
    });
    await Deno.writeTextFile(join(folder, `${name}.json`), text, { mode: 0o600 });
    const { server, match } = await Server.start(
      [
        "serve",
        "--config",
        join("net", `${name}.json`),
        "--data",
        name,
        "--port",
        "0",
        "--event-sockets-port",
        String(sockets),
        "--standby",
        "--fronts",
        String(fronts),
      ],
      READY,
      { cwd: deployment.folder },
    );
    servers.use(server);
    return { clients: Number(match[1]), sockets, operators };
  };
  // What is tried is tried of a gateway that takes hashes, and of one that does not.
  const active = await start("active");
  await eventually("the gateway is active", async () => {
    const answer = await exchange(active.clients, requestText("GET /health"));
    return answer.received.includes('"standby"') ? undefined : true;
  });
  const standby = await start("standby");
  await test({ active, standby });
}

let address = 0;

/** The outcome of each probe. All run at once, each from another client address. */
async function outcomes(mode: Mode): Promise<Record<string, string>> {
  const found = await Promise.all(
    Object.entries(PROBES).map(async ([name, probe]) => {
      const from = `127.7.${++address >> 8}.${address & 255}`;
      return [name, await probe(mode, { from })] as const;
    }),
  );
  return Object.fromEntries(found);
}

const EXPECTED: Readonly<Record<string, string>> = {
  "reads": '429 rate_limited "reads";q=20',
  "new attestations": '429 rate_limited "new_attestations";q=5',
  "malformed submissions": '429 rate_limited "reads";q=20',
  "requests of operators": '429 rate_limited "operator";q=5',
  "open event streams": '3 open, then 429 rate_limited "open_event_streams";q=3',
  "open event sockets": '3 open, then 429 rate_limited "open_event_streams";q=3',
  "bytes of a submission": "413 body_too_large",
  "announced bytes of a bulk submission": "413 body_too_large",
  "hashes of a bulk submission": "400 malformed_request",
  "time of a body": "400 malformed_request",
  "bytes of a header": "400",
  "bytes of a handshake": "400 malformed_request",
  "bytes of a message": "closed with 1008",
  "pieces of a message": "closed with 1008",
};

for (const fronts of [0, 2]) {
  Deno.test(`clients meet the same bounds in every mode (--fronts ${fronts})`, () =>
    withModes(fronts, async ({ active, standby }) => {
      assert.deepEqual(await outcomes(active), EXPECTED, "active");
      // A standby takes no hashes.
      const expected = { ...EXPECTED, "new attestations": "503 standby" };
      assert.deepEqual(await outcomes(standby), expected, "standby");
    }));
}
