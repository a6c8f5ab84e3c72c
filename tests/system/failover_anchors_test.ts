/**
 * The anchors of a log whose gateway is replaced by a standby, as a front on another machine shows them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { TestCalendar } from "../anchors/opentimestamps/test_calendar.ts";
import { eventually } from "../scenarios/deployment.ts";
import { FailoverSite } from "./failover_site.ts";

Deno.test("a standby that takes over shows the stored anchors, and adds to them", async () => {
  await using calendar = new TestCalendar();
  await using site = await FailoverSite.start("ed25519", {
    fronts: 1,
    members: {
      anchors: [{
        ...{ provider: "opentimestamps", mode: "best_effort", interval_seconds: 0 },
        calendars: [calendar.url],
      }],
    },
  });
  const anchorsOf = async (hash: string): Promise<{ tree_size: number }[]> => {
    const { hostname, port } = site.fronts!.address(0);
    const response = await fetch(`http://${hostname}:${port}/v1/anchors/${hash}`);
    const anchors = await response.json();
    return response.ok ? anchors : [];
  };
  const anchored = (hash: string) =>
    eventually(`${hash} is anchored`, async () => {
      const anchors = await anchorsOf(hash);
      return anchors.length > 0 ? anchors : undefined;
    });

  await site.accept(1);
  const [first] = site.accepted;
  const stored = await anchored(first!);
  const active = await site.active();
  await site.killGateway(active);
  await site.accept(1);
  const last = [...site.accepted].at(-1)!;
  await anchored(last);
  // An anchor is shown for good, and by every gateway alike.
  assert.deepEqual(await anchored(first!), stored);
  await site.startGateway(active);

  assert.deepEqual(await site.check(), []);
});
