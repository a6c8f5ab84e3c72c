/**
 * Events over the runtime's own WebSockets. The runtime neither bounds what a client sends nor can end
 * a connection: a gateway that limits its clients sends strangers to `event_socket_listener.ts`.
 *
 * @module
 */

import type { EventSubscription } from "../../gateway/events/event_feed.ts";
import type { EventPage } from "../../gateway/events/event_page.ts";
import type {
  DisconnectReason,
  EventReader,
  EventSink,
} from "../../gateway/events/event_reader.ts";
import { EVENTS_SUBPROTOCOL } from "./events_request.ts";
import { FEED_LIMITS, SOCKET_BOUNDS } from "./event_bounds.ts";
import { CLOSE_CODE } from "./websocket_frames.ts";

/**
 * True if the runtime's WebSockets bound a fragmented message; then everyone may use them. Its library
 * does since June 2026 (fastwebsockets pull request 140), which no Deno up to 2.9.6 contains.
 * `tests/system/event_sockets_test.ts` measures whether the running one does.
 */
export const RUNTIME_BOUNDS_MESSAGES: boolean = false;

/**
 * Answers a checked handshake; `named` when the client named our subprotocol. Closes `subscription`
 * once the socket is closed, or has not opened in time: the runtime does not report a client that
 * resets the connection before its socket opens.
 */
export function upgradeToEvents(
  request: Request,
  subscription: EventSubscription,
  { named }: { readonly named: boolean },
): Response {
  const { socket, response } = Deno.upgradeWebSocket(request, {
    ...(named && { protocol: EVENTS_SUBPROTOCOL }),
    // The runtime pings after half of it, and closes when no answer comes until its end.
    idleTimeout: 2 * FEED_LIMITS.heartbeatSeconds,
  });
  let reader: EventReader | undefined;
  const close = () => {
    clearTimeout(deadline);
    subscription.close();
  };
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    close();
  }, SOCKET_BOUNDS.handshakeMs);
  socket.onopen = () => {
    clearTimeout(deadline);
    if (isLate) return socket.close();
    reader = subscription.read(new SocketSink(socket));
  };
  socket.onclose = close;
  socket.onerror = () => {
    // A socket that never opened gets no close event.
    if (reader === undefined || socket.readyState === WebSocket.CLOSED) close();
  };
  socket.onmessage = () => {
    reader?.leave();
    socket.close(CLOSE_CODE.message, "this stream takes no messages");
  };
  return response;
}

class SocketSink implements EventSink {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  send({ frames }: EventPage): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    for (const { json } of frames) this.#socket.send(json);
  }

  end(reason: DisconnectReason): void {
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.close(CLOSE_CODE[reason], reason);
    }
  }
}
