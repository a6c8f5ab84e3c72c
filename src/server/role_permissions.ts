/**
 * The permissions of a role: exactly those that its reach takes, and of these no more than this
 * process has itself, since a worker is refused as a whole that asks for more than its parent has.
 *
 * @module
 */

import type { Address, Reach } from "./role_reach.ts";

/** Permissions of a worker, every kind named: what is not named would be inherited. */
export interface RolePermissions {
  /** `host:port`, or a host, which stands for all its ports. */
  readonly net: readonly string[];
  /** Absolute paths; a folder stands for all that is below it. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly env: readonly string[];
  readonly run: false;
  readonly ffi: false;
  /** Kinds of figures of the system. */
  readonly sys: readonly string[];
  readonly import: false;
}

/** The permissions that `reach` takes; lists are ascending, and without repetitions. */
export function permissionsOf(reach: Reach): RolePermissions {
  const { listeners, services, reads, writes, variables } = reach;
  return {
    net: distinct([...listeners.map(listenerText), ...services.flatMap(serviceText)]),
    read: distinct([...reads, ...writes]),
    write: distinct(writes),
    env: distinct(variables),
    run: false,
    ffi: false,
    sys: reach.figures ?? [],
    import: false,
  };
}

/** Those of `permissions` that this process has. What a role lacks, it misses where it uses it. */
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

type Listed = "net" | "read" | "write" | "env" | "sys";

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

/** False as well for a host that is none, which the role then refuses to listen on. */
function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  try {
    return Deno.permissions.querySync(descriptor).state === "granted";
  } catch {
    return false;
  }
}

/** Which port will be taken is not known before, so that any port takes them all. */
function listenerText({ host, port }: Address): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === 0 ? name : `${name}:${port}`;
}

/** Nothing for what is no URL: the role says what is wrong with its configuration. */
function serviceText(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { hostname, port, protocol } = new URL(text);
  return [`${hostname}:${port || (protocol === "http:" ? 80 : 443)}`];
}

function distinct(entries: readonly string[]): string[] {
  return [...new Set(entries)].toSorted();
}
