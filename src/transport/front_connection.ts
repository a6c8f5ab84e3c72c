/**
 * Connects a front to a sequencer in another process.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { type Clock, withTimeLimit } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { CLOSE_CODE, FrameSocket, type MessageSocket } from "./frame_socket.ts";
import {
  decodeWelcome,
  encodeHello,
  LINK_VERSION,
  malformedFrame,
  MAX_MESSAGE,
  SEQUENCER_KIND,
} from "./socket_frames.ts";

/** The route of the operator listener. */
export const FRONT_LINK_PATH = "/v1/front";
const CONNECT_MS = 3_000;
/** After a Close frame, the other end may take so long to end the connection. */
const CLOSE_MS = 1_000;

/** A connection over which the sequencer has welcomed the front. */
export interface FrontConnection {
  readonly socket: FrameSocket;
  /** JSON. */
  readonly settings: string;
  /** Resolves with the reason. */
  readonly closed: Promise<string>;
  /** Sets what receives all further frames. */
  onFrames(received: (frames: readonly Bytes[]) => void): void;
}

export interface FrontAccess {
  /** URL of the operator listener. */
  readonly url: URL;
  readonly token: string;
  /** Certificates (PEM) to trust besides those of the system. */
  readonly ca?: string;
  /** Name of the front. */
  readonly name: string;
}

/** Variables that `ws` reads when it is loaded, which only a front does. */
export const CLIENT_VARIABLES: readonly string[] = ["WS_NO_BUFFER_UTIL", "WS_NO_UTF_8_VALIDATE"];

/** Rejects with `gateway_unreachable`, which says why. */
export async function connectFront(
  { url, token, ca, name }: FrontAccess,
  clock: Clock,
  signal: AbortSignal,
): Promise<FrontConnection> {
  const at = new URL(`.${FRONT_LINK_PATH}`, url.href.endsWith("/") ? url : `${url}/`);
  at.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  // The runtime's own client leaves Nagle's algorithm on and writes the header of a longer message alone, so that
  // each waits for the other end's acknowledgement: up to 40 ms.
  const { WebSocket: ClientSocket } = await import("ws");
  const clientSocket: MessageSocket = new ClientSocket(at, {
    headers: { Authorization: `Bearer ${token}` },
    ...(ca !== undefined && { ca }),
    maxPayload: MAX_MESSAGE,
    perMessageDeflate: false,
    closeTimeout: CLOSE_MS,
  });
  const welcomed = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<string>();
  let received = (frames: readonly Bytes[]) => {
    const [first, ...rest] = frames;
    if (first?.[0] !== SEQUENCER_KIND.welcome) {
      throw malformedFrame("it does not begin with a welcome");
    }
    const { version, settings } = decodeWelcome(first);
    if (version !== LINK_VERSION) throw malformedFrame(`the gateway chose version ${version}`);
    if (rest.length > 0) throw malformedFrame("frames follow the welcome");
    welcomed.resolve(settings);
  };
  const socket = new FrameSocket(clientSocket, {
    received: (frames) => received(frames),
    closed: (reason) => closed.resolve(reason),
  });
  socket.send(encodeHello({ lowest: LINK_VERSION, highest: LINK_VERSION, name }));
  void closed.promise.then((reason) => welcomed.reject(unreachable(url, reason)));
  try {
    const settings = await withTimeLimit(clock, CONNECT_MS, signal, (limit) => {
      limit.addEventListener(
        "abort",
        () => welcomed.reject(unreachable(url, "it does not answer")),
        { once: true },
      );
      return welcomed.promise;
    });
    return {
      socket,
      settings,
      closed: closed.promise,
      onFrames: (next) => received = next,
    };
  } catch (error) {
    socket.close(CLOSE_CODE.ended, "The front gives up");
    throw error;
  }
}

function unreachable(url: URL, reason: string): CountersignError {
  return new CountersignError(
    "gateway_unreachable",
    `Cannot link to the gateway at ${url.origin}: ${reason.slice(0, 200)}`,
  );
}
