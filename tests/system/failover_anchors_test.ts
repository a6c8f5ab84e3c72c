/**
 * The anchors of a log whose gateway is replaced by a standby, as the fronts of the gateway show them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeCrossAnchorRequest } from "../../src/proof/format/federation.ts";
import { TestCalendar } from "../gateway/anchors/opentimestamps/test_calendar.ts";
import { eventually } from "../scenarios/deployment.ts";
import { FakeClock } from "../fake_clock.ts";
import { Site } from "../gateway/federation/site.ts";
import { inFolder } from "../server/captured_io.ts";
import { ServedNetwork } from "../server/served_network.ts";
import { FailoverSite } from "./failover_site.ts";

Deno.test("a standby that takes over shows the stored anchors, and adds to them", async () => {
  await using calendar = new TestCalendar();
  await using site = await FailoverSite.start("ed25519", {
    fronts: 1,
    members: () => ({
      anchors: [{
        provider: "opentimestamps",
        mode: "best_effort",
        interval_seconds: 0,
        calendars: [calendar.url],
      }],
    }),
  });
  const anchorsOf = async (hash: string): Promise<{ tree_size: number }[]> => {
    const { status, json } = await site.ask(await site.active(), `/v1/anchors/${hash}`);
    return status === 200 ? json : [];
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

Deno.test("a standby sends a peer to the active gateway", () =>
  inFolder(async (root) => {
    const peer = await ServedNetwork.create(root, "peer.example");
    const token = "token-of-peer-0123456789abcdef";
    await peer.write("token", token);
    await using site = await FailoverSite.start("ed25519", {
      fronts: 1,
      members: () => ({
        federation: {
          enabled: true,
          cross_anchor_threshold: 1,
          peer_networks: [{
            id: peer.network.id,
            config_file: peer.publicFile,
            accept_token_file: join(peer.folder, "token"),
          }],
        },
      }),
    });
    // With other keys than the pinned ones: the active gateway refuses it.
    const head = await new Site(peer.network.id, new FakeClock()).publish(5);
    const body = encodeCrossAnchorRequest({ ...head, minWitnesses: 2, growth: [] });
    /** Waits for this answer: on a busy machine the lease may end, or a gateway still start. */
    const answers = (index: number, status: number, code: string) =>
      eventually(`a gateway answers a peer with ${code}`, async () => {
        try {
          const url = `http://127.0.0.1:${site.operatorPort(index)}/v1/federation/tree-heads`;
          const headers = {
            "Authorization": `Bearer ${token}`,
            "Content-Type": "application/json",
          };
          const response = await fetch(url, { method: "POST", headers, body });
          const found = await response.json();
          return response.status === status && found.code === code || undefined;
        } catch {
          return undefined;
        }
      });
    await site.accept(1);
    const active = await site.active();
    await answers(active, 422, "tree_head_refused");
    await answers(1 - active, 503, "standby");
    await site.killGateway(active);
    await site.accept(1);
    await answers(1 - active, 422, "tree_head_refused");
  }));
