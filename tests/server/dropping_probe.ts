/**
 * Drops permissions in a worker, and posts which it still has.
 *
 * @module
 */

import {
  grantedOf,
  keepOnly,
  type RolePermissions,
} from "../../src/server/roles/role_permissions.ts";

interface Order {
  readonly kept: RolePermissions;
  readonly granted: RolePermissions;
}

self.onmessage = ({ data: { kept, granted } }: MessageEvent<Order>) => {
  keepOnly(kept, granted);
  const left = grantedOf(granted);
  const states = (name: "net" | "read" | "write" | "env") => {
    const entries = left[name] as readonly string[];
    return Object.fromEntries(granted[name].map((entry) => [entry, entries.includes(entry)]));
  };
  self.postMessage({
    net: states("net"),
    read: states("read"),
    write: states("write"),
    env: states("env"),
  });
};
