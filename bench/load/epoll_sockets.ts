/**
 * Connections served by one epoll instance on the thread of the caller: a request costs one send and
 * one recv, and no promise.
 *
 * @module
 */

import {
  AF_INET,
  EPOLL_CTL_ADD,
  EPOLL_CTL_MOD,
  EPOLL_EVENT,
  EPOLLIN,
  EPOLLOUT,
  IPPROTO_TCP,
  type Libc,
  MSG_DONTWAIT,
  MSG_NOSIGNAL,
  openLibc,
  SOCK_CLOEXEC,
  SOCK_STREAM,
  TCP_NODELAY,
} from "./libc.ts";
import type { Endpoint, Receiver, Socket, Sockets } from "./sockets.ts";

/** One buffer for all: what came is passed on before the next is read. */
const READ_BYTES = 262_144;
const READ_LENGTH = BigInt(READ_BYTES);
/** Little beside what hundreds of requests in flight wait, and a third of the cost of each. */
const NAP_MICROSECONDS = 100;
/** Sockets that are told to be ready at once. */
const MAX_EVENTS = 1_024;
const SOCKADDR_LENGTH = 16;

/** See the module. */
export class EpollSockets implements Sockets {
  readonly kind = "epoll";
  readonly #libc: Libc;
  readonly #epoll: number;
  readonly #open = new Map<number, EpollSocket>();
  readonly #events = new DataView(new ArrayBuffer(MAX_EVENTS * EPOLL_EVENT.length));
  readonly #eventBytes = new Uint8Array(this.#events.buffer);
  readonly #buffer = new Uint8Array(READ_BYTES);
  /** A `struct timespec`. */
  readonly #timeout = new BigInt64Array(2);
  readonly #timeoutBytes = new Uint8Array(this.#timeout.buffer);

  /** Throws where the system lacks a call. */
  constructor() {
    this.#libc = openLibc();
    this.#epoll = this.#libc.symbols.epoll_create1(0);
    if (this.#epoll < 0 || this.#wait(0) < 0) {
      this.#libc.close();
      throw new Error("Cannot open sockets: a system with epoll_pwait2 required, found none");
    }
  }

  open({ hostname, port }: Endpoint, receiver: Receiver): Promise<Socket> {
    const { socket, connect, setsockopt, epoll_ctl } = this.#libc.symbols;
    const descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, addressOf(hostname, port), SOCKADDR_LENGTH) < 0) {
      return Promise.reject(
        new Error(`Cannot connect: a server at ${hostname}:${port} required, found none`),
      );
    }
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, new Uint8Array([1, 0, 0, 0]), 4);
    epoll_ctl(this.#epoll, EPOLL_CTL_ADD, descriptor, eventOf(descriptor, EPOLLIN));
    const opened = new EpollSocket(descriptor, receiver, {
      libc: this.#libc,
      wantsToSend: (wants) => {
        const event = eventOf(descriptor, wants ? EPOLLIN | EPOLLOUT : EPOLLIN);
        epoll_ctl(this.#epoll, EPOLL_CTL_MOD, descriptor, event);
      },
      close: () => {
        this.#open.delete(descriptor);
        // Closing takes it out of the epoll instance.
        this.#libc.symbols.close(descriptor);
      },
    });
    this.#open.set(descriptor, opened);
    return Promise.resolve(opened);
  }

  turn(untilMs: number, isBusy: boolean): void {
    const { recv, usleep } = this.#libc.symbols;
    if (isBusy) usleep(NAP_MICROSECONDS);
    const ready = this.#wait(Math.max(0, untilMs - performance.now()));
    for (let i = 0; i < ready; i++) {
      const at = i * EPOLL_EVENT.length;
      const events = this.#events.getUint32(at, true);
      const descriptor = this.#events.getInt32(at + EPOLL_EVENT.data, true);
      // A receiver that was told before may have closed this one.
      const socket = this.#open.get(descriptor);
      if (socket === undefined) continue;
      if ((events & EPOLLOUT) !== 0) socket.sendRest();
      if ((events & ~EPOLLOUT) === 0) continue;
      const count = recv(descriptor, this.#buffer, READ_LENGTH, MSG_DONTWAIT);
      if (count > 0) socket.receiver.received(this.#buffer.subarray(0, count));
      else socket.end();
    }
  }

  dispose(): void {
    this.#libc.symbols.close(this.#epoll);
    this.#libc.close();
  }

  /** The number of events after at most `ms`; a signal is none. */
  #wait(ms: number): number {
    const nanoseconds = Math.floor(ms * 1e6);
    this.#timeout[0] = BigInt(Math.floor(nanoseconds / 1e9));
    this.#timeout[1] = BigInt(nanoseconds % 1e9);
    return this.#libc.symbols.epoll_pwait2(
      this.#epoll,
      this.#eventBytes,
      MAX_EVENTS,
      this.#timeoutBytes,
      null,
    );
  }
}

/** What a socket asks of the set that it is in. */
interface EpollSocketOwner {
  readonly libc: Libc;
  wantsToSend(wants: boolean): void;
  close(): void;
}

class EpollSocket implements Socket {
  readonly receiver: Receiver;
  readonly #descriptor: number;
  readonly #owner: EpollSocketOwner;
  /** What the system did not take yet. */
  #rest: Uint8Array | undefined;

  constructor(descriptor: number, receiver: Receiver, owner: EpollSocketOwner) {
    this.#descriptor = descriptor;
    this.receiver = receiver;
    this.#owner = owner;
  }

  send(bytes: Uint8Array): void {
    const flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    // Whether -1 is a full buffer or a broken connection, epoll tells.
    const sent = Math.max(
      0,
      this.#owner.libc.symbols.send(
        this.#descriptor,
        bytes as Uint8Array<ArrayBuffer>,
        BigInt(bytes.length),
        flags,
      ),
    );
    if (sent < bytes.length) {
      if (this.#rest === undefined) this.#owner.wantsToSend(true);
      this.#rest = bytes.subarray(sent);
    } else if (this.#rest !== undefined) {
      this.#rest = undefined;
      this.#owner.wantsToSend(false);
    }
  }

  sendRest(): void {
    if (this.#rest !== undefined) this.send(this.#rest);
  }

  close(): void {
    this.#owner.close();
  }

  end(): void {
    this.close();
    this.receiver.closed();
  }
}

/** A `struct epoll_event` whose data is the descriptor. */
function eventOf(descriptor: number, events: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(EPOLL_EVENT.length));
  view.setUint32(0, events, true);
  view.setInt32(EPOLL_EVENT.data, descriptor, true);
  return new Uint8Array(view.buffer);
}

/** A `struct sockaddr_in`: family in the machine's order, port and address in the network's. */
function addressOf(hostname: string, port: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(SOCKADDR_LENGTH));
  view.setUint16(0, AF_INET, true);
  view.setUint16(2, port);
  hostname.split(".").forEach((part, i) => view.setUint8(4 + i, Number(part)));
  return new Uint8Array(view.buffer);
}
