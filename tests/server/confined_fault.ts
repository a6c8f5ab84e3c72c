/**
 * A process whose worker meets what it did not expect; run by permissions_test.ts.
 *
 * @module
 */

import { runConfined } from "../../src/server/roles/confined_role.ts";
import { permissionsOf } from "../../src/server/roles/role_permissions.ts";
import type { RoleStart } from "../../src/server/roles/role_messages.ts";

// A role that there is not: what becomes of it is no refusal of ours.
const start = { role: "none" } as unknown as RoleStart;
const nothing = { listeners: [], services: [], reads: [], writes: [], variables: [] };
Deno.exitCode = 10 + await runConfined(start, permissionsOf(nothing), () => {});
