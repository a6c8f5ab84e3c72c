/**
 * Serves a witness through a bastion (c2sp.org/https-bastion): connects to it with a client certificate,
 * and answers over HTTP/2 the requests that it forwards. It answers only the public routes.
 *
 * @module
 */

import { createServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { Backoff } from "../../base/backoff.ts";
import { type Bytes, concat } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import { Condition, type Report } from "../../base/report.ts";
import { CHECKPOINT_BODY_LIMIT } from "../limits.ts";
import type { RequestHandler } from "../request_context.ts";

export interface BastionOptions {
  /** URL of the bastion. */
  readonly url: URL;
  /** PEM: the witness's client certificate with an Ed25519 key, and that key. */
  readonly cert: string;
  readonly key: string;
  /** PEM: the authority of the bastion, if it is not a public one. */
  readonly ca?: string;
  readonly handler: RequestHandler;
  readonly clock: Clock;
  readonly report: Report;
}

const PROTOCOL = "bastion/0";
const PUBLIC_PATH = /^\/(add-checkpoint|sign-subtree|[0-9a-f]{64}\/checkpoint)$/;
const MAX_STREAMS = 64;
const BODY_TIMEOUT_MS = 10_000;
const CONNECT_MS = 15_000;
const KEEP_ALIVE_MS = 30_000;
const RECONNECTING = { firstMs: 1_000, longestMs: 60_000 };
/** A connection that lasts this long counts as accepted. */
const ACCEPTED_MS = 60_000;

/** Serves until `signal` aborts; connects again when the connection is lost. */
export async function serveBastion(options: BastionOptions, signal: AbortSignal): Promise<void> {
  const { clock, report, url } = options;
  const lost = new Condition({ clock, report });
  const backoff = new Backoff(RECONNECTING, Math.random);
  while (!signal.aborted) {
    const beganMs = clock.nowMs();
    const reason = await serveConnection(options, signal, () => {
      lost.ended(`Connected to the bastion ${url.host}`);
    });
    if (signal.aborted) return;
    lost.holds(`Not connected to the bastion ${url.host}: ${reason}; retrying`, {}, reason);
    if (clock.nowMs() - beganMs >= ACCEPTED_MS) backoff.reset();
    await clock.sleep(backoff.afterFailure(), signal);
  }
}

/** Serves one connection; answers why it ended. */
async function serveConnection(
  options: BastionOptions,
  signal: AbortSignal,
  connected: () => void,
): Promise<string> {
  const { url, cert, key, ca, clock } = options;
  const server = createServer(
    { settings: { maxConcurrentStreams: MAX_STREAMS } },
    (request, response) => void answer(options, socket, request, response),
  );
  const ended = Promise.withResolvers<string>();
  // A broken session closes the socket.
  server.on("sessionError", (error: Error) => ended.resolve(error.message));
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = connect({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    cert,
    key,
    ...(ca !== undefined && { ca }),
    ALPNProtocols: [PROTOCOL],
    minVersion: "TLSv1.3",
  });
  socket.on("error", (error: Error) => ended.resolve(error.message));
  socket.on("close", () => ended.resolve("the connection was closed"));
  const secured = new AbortController();
  void clock.sleep(CONNECT_MS, secured.signal).then(() => {
    if (!secured.signal.aborted) ended.resolve(`no TLS within ${CONNECT_MS / 1_000} s`);
  });
  socket.on("secureConnect", () => {
    secured.abort();
    if (socket.alpnProtocol !== PROTOCOL) {
      return ended.resolve("it does not speak the bastion protocol");
    }
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    connected();
    server.emit("connection", socket);
  });
  const stop = () => ended.resolve("stopped");
  signal.addEventListener("abort", stop);
  try {
    return await ended.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    secured.abort();
    socket.destroy();
    server.close();
  }
}

/** Never rejects. */
async function answer(
  { handler, clock }: BastionOptions,
  socket: TLSSocket,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  try {
    const { method = "GET", url: path = "/" } = request;
    const isPublic = PUBLIC_PATH.test(path);
    const body = isPublic ? await bodyOf(request, clock) : undefined;
    if (!isPublic || body === undefined) {
      response.writeHead(isPublic ? 413 : 404);
      return void response.end();
    }
    const forwarded = request.headers["x-forwarded-for"];
    const hasBody = method !== "GET" && method !== "HEAD";
    const answered = await handler(
      new Request(`http://witness${path}`, {
        method,
        ...(hasBody && { body }),
        headers: typeof forwarded === "string" ? { "X-Forwarded-For": forwarded } : {},
      }),
      {
        remoteAddr: { transport: "tcp", hostname: socket.remoteAddress!, port: socket.remotePort! },
        completed: Promise.resolve(),
      },
    );
    const content = new Uint8Array(await answered.arrayBuffer());
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(content);
  } catch {
    // The stream or the connection ended.
    response.stream?.close();
  }
}

/** `undefined` if it is too long; rejects if it does not arrive in time. */
async function bodyOf(request: Http2ServerRequest, clock: Clock): Promise<Bytes | undefined> {
  const done = new AbortController();
  void clock.sleep(BODY_TIMEOUT_MS, done.signal).then(() => {
    if (!done.signal.aborted) request.destroy();
  });
  try {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of request) {
      parts.push(part);
      length += part.length;
      if (length > CHECKPOINT_BODY_LIMIT) return undefined;
    }
    return concat(...parts);
  } finally {
    done.abort();
  }
}
