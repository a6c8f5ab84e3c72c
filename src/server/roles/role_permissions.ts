/**
 * The permissions of a role's worker: those that the role's reach needs, without those that this process
 * lacks. Deno does not start a worker that requests more permissions than its parent has.
 *
 * @module
 */

import { join, sep } from "node:path";
import { SOCKET_HOST } from "../../config/remote_signer.ts";
import { urlOf } from "../../proof/format/service_url.ts";
import type { ListenerAddress } from "../../config/listeners.ts";
import type { Reach } from "./role_reach.ts";

/** Permissions of a worker. Every kind is named: a worker inherits kinds that are not named. */
export interface RolePermissions {
  /** `host:port`, or a host for all its ports. */
  readonly net: readonly string[];
  /** Absolute paths; a folder includes everything below it. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly env: readonly string[];
  readonly run: false;
  /** Native code: the runtime cannot bound what it does. */
  readonly ffi: false;
  /** Names of `--allow-sys`. */
  readonly sys: readonly string[];
  readonly import: false;
}

/** The permissions that `reach` needs; lists are ascending and distinct. */
export function permissionsOf(reach: Reach): RolePermissions {
  const { listeners, services, database, reads, writes, variables } = reach;
  const addresses = [...listeners, ...(database === undefined ? [] : [database])];
  return {
    net: distinct([...addresses.map(listenerText), ...services.flatMap(serviceText)]),
    read: distinct([...reads, ...writes]),
    write: distinct(writes),
    env: distinct(variables),
    run: false,
    ffi: false,
    sys: reach.systemInfo ?? [],
    import: false,
  };
}

/** Those of `permissions` that this process has. A role fails when it uses a missing one. */
export function grantedOf(permissions: RolePermissions): Deno.PermissionOptionsObject {
  const granted = (name: Listed, entries: readonly string[]) =>
    entries.filter((entry) => isGranted(descriptor(name, entry)));
  return {
    ...permissions,
    net: granted("net", permissions.net),
    read: granted("read", permissions.read),
    write: granted("write", permissions.write),
    env: granted("env", permissions.env),
    sys: granted("sys", permissions.sys),
  };
}

/** The addresses, files and variables of `permissions` that this process may not use. */
export function missingOf(permissions: RolePermissions): readonly string[] {
  return distinct(
    LISTED.flatMap((name) =>
      permissions[name].filter((entry) => !isGranted(descriptor(name, entry)))
    ),
  );
}

export function joinPermissions(
  one: RolePermissions,
  ...others: readonly RolePermissions[]
): RolePermissions {
  const joined = (name: Listed) => distinct([one, ...others].flatMap((each) => each[name]));
  return {
    ...one,
    net: joined("net"),
    read: joined("read"),
    write: joined("write"),
    env: joined("env"),
    sys: joined("sys"),
  };
}

/** Revokes each entry of `granted` that `kept` does not include. This worker was started with all of `granted`. */
export function keepOnly(kept: RolePermissions, granted: RolePermissions): void {
  for (const name of LISTED) {
    for (const entry of granted[name]) {
      // Deno revokes the whole kept entry with a part of it.
      if (kept[name].some((one) => includes(name, one, entry))) continue;
      Deno.permissions.revokeSync(descriptor(name, entry));
    }
  }
}

/** Whether `entry` is `whole` or a part of it: a port of a host, or a path in a folder. */
function includes(name: Listed, whole: string, entry: string): boolean {
  if (whole === entry) return true;
  if (name === "net") return entry.startsWith(`${whole}:`);
  return (name === "read" || name === "write") && entry.startsWith(join(whole, sep));
}

const LISTED = ["net", "read", "write", "env", "sys"] as const;

type Listed = typeof LISTED[number];

function descriptor(name: Listed, entry: string): Deno.PermissionDescriptor {
  switch (name) {
    case "net":
      return { name, host: entry };
    case "env":
      return { name, variable: entry };
    case "sys":
      return { name, kind: entry as "statfs" };
    default:
      return { name, path: entry };
  }
}

/** False for an invalid host, which the role reports when it listens. */
function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  try {
    return Deno.permissions.querySync(descriptor).state === "granted";
  } catch {
    return false;
  }
}

/** Port 0 needs permission for all ports. */
function listenerText({ host, port }: ListenerAddress): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === 0 ? name : `${name}:${port}`;
}

/** The `net` entries for a URL. None for an invalid one, which the role reports when it reads its configuration. */
function serviceText(text: string): string[] {
  // A request over the socket has a URL too: the runtime wants permission for its host.
  if (text.startsWith("unix:")) return [text, SOCKET_HOST];
  const url = urlOf(text);
  if (url === undefined) return [];
  const { hostname, port, protocol } = url;
  const defaultPort = protocol === "http:" ? "80" : "443";
  return [`${hostname}:${port === "" ? defaultPort : port}`];
}

function distinct(entries: readonly string[]): string[] {
  return [...new Set(entries)].toSorted();
}
