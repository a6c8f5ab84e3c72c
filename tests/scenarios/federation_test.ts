/**
 * Three networks in a full mesh, as real processes: one is down and comes
 * back, one lies, and one is put back to an old copy of everything that it had.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { IS_LONG } from "../long_runs.ts";
import { eventually } from "./deployment.ts";
import { type Member, Mesh } from "./federation.ts";

/** Short runs have one witness in two of them: a process each. */
const NETWORKS = IS_LONG
  ? [["ed25519", 3], ["bls", 3], ["ed25519", 3]] as const
  : [["ed25519", 1], ["bls", 3], ["ed25519", 1]] as const;

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}

/** Answers every tree head with `answerTo` of it, in place of a gateway's operator listener. */
function lyingPeer(
  port: number,
  answerTo: (request: Record<string, unknown>) => unknown,
): Deno.HttpServer & { readonly asked: () => number } {
  let asked = 0;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen: () => {} },
    async (request) => {
      asked++;
      return Response.json(answerTo(await request.json()));
    },
  );
  return Object.assign(server, { asked: () => asked });
}

async function peerStatus(member: Member, peer: Member) {
  const { peers } = await member.json("/v1/status");
  return peers.find(({ id }: { id: string }) => id === peer.id);
}

Deno.test("three networks cosign each other while one of them fails", async (t) => {
  await using mesh = await Mesh.start(NETWORKS);
  const [a, b, c] = mesh.members as [Member, Member, Member];

  await t.step("every attestation of each becomes Federated, offline", async () => {
    for (const member of mesh.members) {
      const others = mesh.othersOf(member);
      const hash = await member.attest(`of ${member.id}`);
      await member.untilAnchoredBy(hash, others);
      assert.equal(await member.level(hash, others), "federated");
      // Without one of the configurations its anchor is not checked, and lowers the level only.
      assert.equal(await member.level(hash, others.slice(1)), "batched");
    }
  });

  await t.step("a peer that is down holds up nobody, and catches up when it is back", async () => {
    await c.killAll();
    const hash = await a.attest("while c is away");
    await a.untilAnchoredBy(hash, [b]);
    assert.equal(await a.level(hash, [b, c]), "batched");
    await a.attest("and another");
    await eventually(
      "c is seen to fail",
      async () => (await peerStatus(a, c)).failing || undefined,
    );
    await c.startAll();
    await a.untilAnchoredBy(hash, [b, c]);
    assert.equal(await a.level(hash, [b, c]), "federated");
    assert.equal((await peerStatus(a, c)).failing, false);
  });

  await t.step("a peer that lies is not believed", async () => {
    const good = await a.attest("the last that c cosigned");
    await a.untilAnchoredBy(good, [b, c]);
    const [, replayed] = parseBundle((await a.deployment.get(`/v1/bundle/${good}`)).text)
      .cross_anchors.toSorted((x, y) => x.witnessing_network < y.witnessing_network ? -1 : 1);
    assert.equal(replayed?.witnessing_network, c.id);
    await c.deployment.killGateway();
    const { consistency_path: _, ...answer } = replayed!;
    const lies = [
      // An old answer, and the same signatures under the head that was sent.
      () => answer,
      ({ sth }: Record<string, unknown>) => ({
        ...answer,
        tree_head: (sth as Record<string, unknown>).tree_head,
      }),
    ];
    let told = 0;
    const liar = lyingPeer(c.operatorPort, (request) => lies[told++ % lies.length]!(request));
    const hash = await a.attest("while c lies");
    await a.untilAnchoredBy(hash, [b]);
    await eventually("each lie was told", () => {
      return Promise.resolve(liar.asked() > lies.length ? true : undefined);
    });
    assert.deepEqual(await a.anchoredBy(hash), [b.id]);
    assert.equal(await a.level(hash, [b, c]), "batched");
    await liar.shutdown();
    await c.deployment.startGateway();
    await a.untilAnchoredBy(hash, [b, c]);
  });

  await t.step(
    "a network put back to an old copy is refused, with evidence for everyone",
    async () => {
      const net = join(a.deployment.folder, "net");
      const old = join(a.deployment.folder, "old");
      await a.killAll();
      await copyFolder(net, old);
      await a.startAll();
      const lost = await a.attest("lost with the copy");
      await a.untilAnchoredBy(lost, [b, c]);
      await a.killAll();
      // The gateway's store and its witnesses' memories alike: at home nobody is left to notice.
      await Deno.remove(net, { recursive: true });
      await Deno.rename(old, net);
      await a.startAll("--moved");
      const first = await a.attest("another history");
      await a.attest("which goes on");
      for (const peer of [b, c]) {
        const [evidence] = await eventually(`${peer.id} shows evidence`, async () => {
          const found = await peer.json("/v1/federation/contradictions");
          return found.length > 0 ? found : undefined;
        });
        assert.equal(evidence.origin, a.id);
        const { code, stdout } = await peer.deployment.countersign(
          "log",
          "contradictions",
          "--network-config",
          a.deployment.publicFile,
          "--output",
          "json",
        );
        assert.equal(code, 1, stdout);
      }
      assert.deepEqual(await a.anchoredBy(first), []);
      assert.equal(await a.level(first, [b, c]), "batched");
      assert.equal((await peerStatus(a, b)).failing, true);
    },
  );
});
