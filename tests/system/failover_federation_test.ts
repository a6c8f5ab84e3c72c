/**
 * Two networks that cosign one another's tree heads while a standby of one of them takes over.
 *
 * @module
 */

import assert from "node:assert/strict";
import { checkAccepted } from "../scenarios/crash_checks.ts";
import { Deployment, eventually } from "../scenarios/deployment.ts";
import { acceptedFrom, Member } from "../scenarios/federation.ts";
import { freePorts } from "../free_ports.ts";
import { FailoverSite } from "./failover_site.ts";

Deno.test("peers cosign one another's heads after a standby of one of them took over", async (t) => {
  await using deployment = await Deployment.create("bls", "--id", "peer.example/log");
  const peer = new Member("peer.example/log", deployment, freePorts(1));
  let member!: Member;
  await using site = await FailoverSite.start("ed25519", {
    thinkMs: 2_000,
    async prepare(own, ports) {
      member = new Member((await own.network()).id, own, ...ports);
      for (const [one, other] of [[member, peer], [peer, member]] as const) {
        await one.federate(other);
      }
      await member.federate(peer, await acceptedFrom(peer, member), 1);
      await peer.federate(member, await acceptedFrom(member, peer), 1);
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

  await t.step("with the first gateway", () => exchange("first"));

  await t.step("after a hand-over", async () => {
    await site.handOver();
    await exchange("handed over");
  });

  await t.step("after the active gateway was killed", async () => {
    const active = await site.active();
    await site.killGateway(active);
    await exchange("taken over");
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
