/**
 * The attacking client, a process started by `attacker_process.ts`:
 *
 *     attacker.ts NAME SECONDS PLAN
 *
 * It prints a line when the attack begins, and its tally as JSON when it has ended.
 *
 * @module
 */

import { setPriority } from "node:os";
import { systemIo } from "../../src/server/io.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { Attack, AttackPlan, Tally } from "./attack.ts";
import type { AttackName } from "./attack_names.ts";
import { bulkRepeats } from "./attacks/bulk_repeats.ts";
import { checkpointRefreshes } from "./attacks/checkpoint_refreshes.ts";
import { eventReplay } from "./attacks/event_replay.ts";
import { liveFollowers } from "./attacks/live_followers.ts";
import { slowBodies } from "./attacks/slow_bodies.ts";
import { socketFlood } from "./attacks/socket_flood.ts";
import { upgradeResets } from "./attacks/upgrade_resets.ts";
import { verifySignatures } from "./attacks/verify_signatures.ts";
import { verifyValues } from "./attacks/verify_values.ts";

const ATTACKS: Readonly<Record<AttackName, Attack>> = {
  nothing: () => Promise.resolve(),
  verifyValues,
  verifySignatures,
  bulkRepeats,
  eventReplay,
  liveFollowers,
  socketFlood,
  upgradeResets,
  slowBodies,
  checkpointRefreshes,
};

/** Milliseconds that an attack has to close its connections; then the end of the process closes them. */
const CLOSE_MS = 5_000;
/** Lower priority than the gateway and the honest client: a real attacker uses another machine. */
const LOWEST_PRIORITY = 19;

const [name, seconds, plan] = Deno.args;
setPriority(LOWEST_PRIORITY);
const tally: Tally = { sent: 0, accepted: 0, refused: 0 };
const ended = new AbortController();
const attack = ATTACKS[name as AttackName];
systemIo.out("attacking");
const run = attack(JSON.parse(plan!) as AttackPlan, tally, ended.signal);
await systemClock.sleep(1_000 * Number(seconds));
const found = JSON.stringify(tally);
ended.abort();
await Promise.race([
  run.catch((error) => systemIo.err(`Cannot attack: ${error}`)),
  systemClock.sleep(CLOSE_MS),
]);
systemIo.out(found);
Deno.exit();
