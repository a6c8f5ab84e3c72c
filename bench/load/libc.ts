/**
 * System calls of Linux, by socket(2), connect(2), recv(2), send(2),
 * usleep(3) and epoll(7).
 *
 * @module
 */

const SYMBOLS = {
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  connect: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  setsockopt: { parameters: ["i32", "i32", "i32", "buffer", "u32"], result: "i32" },
  // Of the 64 bits of a count the lower 32 hold every one that we ask for, and -1.
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "i32" },
  send: { parameters: ["i32", "buffer", "usize", "i32"], result: "i32" },
  usleep: { parameters: ["u32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  epoll_create1: { parameters: ["i32"], result: "i32" },
  epoll_ctl: { parameters: ["i32", "i32", "i32", "buffer"], result: "i32" },
  epoll_pwait2: { parameters: ["i32", "buffer", "i32", "buffer", "pointer"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** The calls, of an open library. */
export type Libc = Deno.DynamicLibrary<typeof SYMBOLS>;

/** Opens glibc 2.35 or later; throws where there is none. */
export function openLibc(): Libc {
  return Deno.dlopen("libc.so.6", SYMBOLS);
}

export const AF_INET = 2;
export const SOCK_STREAM = 1;
export const SOCK_CLOEXEC = 0o2000000;
export const IPPROTO_TCP = 6;
export const TCP_NODELAY = 1;
export const MSG_DONTWAIT = 0x40;
export const MSG_NOSIGNAL = 0x4000;
export const EPOLL_CTL_ADD = 1;
export const EPOLL_CTL_MOD = 3;
export const EPOLLIN = 1;
export const EPOLLOUT = 4;

/** Bytes of a `struct epoll_event`, packed on x86-64 only, and where its 32 bits of data begin. */
export const EPOLL_EVENT = Deno.build.arch === "x86_64"
  ? { length: 12, data: 4 }
  : { length: 16, data: 8 };
