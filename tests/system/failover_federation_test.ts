/**
 * What others add to a log whose gateway is replaced by a standby, as the fronts of the gateway show it: the
 * cosignatures of a peer, and the anchors of a service.
 *
 * @module
 */

import assert from "node:assert/strict";
import { encodeCrossAnchorRequest } from "../../src/proof/format/federation.ts";
import { FakeClock } from "../fake_clock.ts";
import { TestCalendar } from "../gateway/anchors/opentimestamps/test_calendar.ts";
import { Site } from "../gateway/federation/site.ts";
import { checkAccepted } from "../scenarios/crash_checks.ts";
import { Deployment, eventually } from "../scenarios/deployment.ts";
import { acceptedFrom, Member } from "../scenarios/federation.ts";
import { freePorts } from "../free_ports.ts";
import { FailoverSite } from "./failover_site.ts";

Deno.test("a standby that takes over goes on with peers and anchors", async (t) => {
  await using calendar = new TestCalendar();
  await using deployment = await Deployment.create("bls", "--id", "peer.example/log");
  const peer = new Member("peer.example/log", deployment, freePorts(1));
  let member!: Member;
  let tokenFile!: string;
  await using site = await FailoverSite.start("ed25519", {
    fronts: 2,
    thinkMs: 6_000,
    members: () => ({
      anchors: [{
        provider: "opentimestamps",
        mode: "best_effort",
        interval_seconds: 0,
        calendars: [calendar.url],
      }],
    }),
    async prepare(own, ports) {
      member = new Member((await own.network()).id, own, ...ports);
      for (const [one, other] of [[member, peer], [peer, member]] as const) {
        await one.federate(other);
      }
      await member.federate(peer, await acceptedFrom(peer, member), 1);
      tokenFile = await acceptedFrom(member, peer);
      await peer.federate(member, tokenFile, 1);
      await peer.listenForOperators();
    },
  });
  await peer.startAll();
  // deno-lint-ignore no-explicit-any
  const ofActive = async (path: string): Promise<any> =>
    (await site.ask(await site.active(), path)).json;

  /** New entries of both logs are in heads that the other network has cosigned. */
  const exchange = async (name: string) => {
    await site.accept(1);
    const hash = [...site.accepted].at(-1)!;
    await peer.untilAnchoredBy(await peer.attest(name), [member]);
    await eventually(`${hash} is cosigned by the peer`, async () => {
      const { cross_anchors: anchors = [] } = await ofActive(`/v1/bundle/${hash}`);
      return anchors.length > 0 || undefined;
    });
  };

  /** The anchors of an entry, once it has some. */
  const anchored = (hash: string) =>
    eventually(`${hash} is anchored`, async () => {
      const { status, json } = await site.ask(await site.active(), `/v1/anchors/${hash}`);
      return status === 200 && json.length > 0 ? json : undefined;
    });

  const token = await Deno.readTextFile(tokenFile);
  // With other keys than the pinned ones: the active gateway refuses it.
  const head = await new Site(peer.id, new FakeClock()).publish(5);
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

  let first!: string;
  let stored: unknown;
  await t.step("with the first gateway", async () => {
    await exchange("first");
    first = [...site.accepted][0]!;
    stored = await anchored(first);
  });

  await t.step("a standby sends a peer to the active gateway", async () => {
    const active = await site.active();
    await answers(active, 422, "tree_head_refused");
    await answers(1 - active, 503, "standby");
  });

  await t.step("after a hand-over", async () => {
    await site.handOver();
    await exchange("handed over");
  });

  await t.step("after the active gateway was killed", async () => {
    const active = await site.active();
    await site.killGateway(active);
    await exchange("taken over");
    await answers(1 - active, 422, "tree_head_refused");
    await anchored([...site.accepted].at(-1)!);
    // An anchor is shown for good, and by every gateway alike.
    assert.deepEqual(await anchored(first), stored);
    await site.startGateway(active);
  });

  await t.step("neither has a finding about the other", async () => {
    const contradictions = "/v1/federation/contradictions";
    assert.deepEqual(await ofActive(contradictions), []);
    assert.deepEqual(await peer.json(contradictions), []);
    await eventually("neither fails to reach the other", async () => {
      const statuses = [await ofActive("/v1/status"), await peer.json("/v1/status")];
      return statuses.every(({ peers }) => peers.length === 1 && !peers[0].failing) || undefined;
    });
    assert.doesNotMatch(peer.deployment.gateway.stderr, /contradict|rolled back|forked/);
  });

  const address = site.address(await site.active());
  assert.deepEqual((await checkAccepted(address, [...site.accepted])).violations, []);
  assert.deepEqual(await site.audit(), []);
});
