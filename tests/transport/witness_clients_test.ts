import assert from "node:assert/strict";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import { witnessApp } from "../../src/http/witness_app.ts";
import { EmbeddedWitness } from "../../src/transport/embedded_witness.ts";
import {
  digestsOf,
  forkedTree,
  manyDigests,
  NOW,
  StandingClock,
  TestLog,
  testWitness,
  verifiesHead,
  withCode,
  WITNESS_ID,
} from "../witness/fixture.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";
import { clientOf, patience, round, served, TOKEN } from "./fixture.ts";

const log = new TestLog();
const tree = forkedTree("tree", 4, 40);
const fork = forkedTree("fork", 4, 40);

/** Runs `use` with a client that reaches a witness of `state`, by each of the two ways. */
const ways: Readonly<
  Record<
    string,
    (state: MemoryWitnessState, use: (c: WitnessClient) => Promise<void>) => Promise<void>
  >
> = {
  EmbeddedWitness: (state, use) => use(new EmbeddedWitness(testWitness({ state }))),
  HttpWitnessClient: (state, use) => {
    const clock = new StandingClock();
    const witness = testWitness({ state, clock });
    const app = witnessApp({ witness, token: TOKEN, clock, report: () => {} });
    return served(app, (url) => use(clientOf(url)));
  },
};

for (const [name, reach] of Object.entries(ways)) {
  const test = (
    what: string,
    use: (client: WitnessClient, state: MemoryWitnessState) => Promise<void>,
  ) =>
    Deno.test(`${name} ${what}`, async () => {
      const state = new MemoryWitnessState();
      await reach(state, (client) => use(client, state));
    });

  test("has the witness's id and passes its health check", async (client) => {
    assert.equal(client.id, WITNESS_ID);
    await client.checkHealth(patience());
  });

  test("brings signatures of rounds, whole ones included", async (client) => {
    for (const size of [1, 512]) {
      const request = round({ digests: manyDigests(size), firstSequence: size * 1000 });
      assert.deepEqual(await client.sign(request, patience()), await testWitness().sign(request));
    }
  });

  test("brings cosignatures and conflicts of size", async (client) => {
    for (const [from, to] of [[0, 0], [0, 5], [5, 11], [11, 11]] as const) {
      const request = log.request(tree, from, to);
      const answer = await client.cosign(request, patience());
      assert.ok(answer.kind === "cosigned" && verifiesHead(request.treeHead, answer.signature));
    }
    for (const from of [0, 5, 12]) {
      const answer = await client.cosign(log.request(tree, from, 12), patience());
      assert.deepEqual(answer, { kind: "size_conflict", size: 11 });
    }
  });

  test("brings a witness's refusals as they are", async (client) => {
    const head = log.request(tree, 0, 5);
    const refusals: [Promise<unknown>, string][] = [
      [client.sign(round({ networkId: "other" }), patience()), "network_refused"],
      [client.sign(round({ digests: digestsOf("a", "a") }), patience()), "malformed_request"],
      [client.sign(round({ timestamp: NOW + 6 }), patience()), "time_refused"],
      [
        client.cosign({ ...head, logSignature: new Uint8Array(64) }, patience()),
        "log_signature_refused",
      ],
      [client.cosign(log.request(tree, 0, 5, NOW + 6), patience()), "time_refused"],
    ];
    for (const [asking, code] of refusals) await assert.rejects(asking, withCode(code));
    await client.cosign(head, patience());
    await assert.rejects(
      client.cosign(log.request(fork, 5, 9), patience()),
      withCode("consistency_refused"),
    );
    await assert.rejects(client.sign(round(), patience()), withCode("sequence_conflict"));
  });

  test(
    "does not take a witness's storage fault for one of the gateway's",
    async (client, state) => {
      state.nextFault = "fail_but_stored";
      await assert.rejects(
        client.cosign(log.request(tree, 0, 5), patience()),
        withCode("witness_refused"),
      );
      state.failNextLoad = true;
      await assert.rejects(client.checkHealth(patience()), withCode("witness_refused"));
    },
  );

  test("asks nothing once its time is up", async (client, state) => {
    const over = AbortSignal.abort();
    const asked: (() => Promise<unknown>)[] = [
      () => client.sign(round(), over),
      () => client.cosign(log.request(tree, 0, 5), over),
      () => client.checkHealth(over),
    ];
    for (const ask of asked) await assert.rejects(ask(), withCode("witness_unreachable"));
    assert.deepEqual(state.calls, { load: 0, replace: 0 });
  });
}
