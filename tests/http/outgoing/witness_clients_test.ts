import assert from "node:assert/strict";
import type { WitnessClient } from "../../../src/gateway/ports.ts";
import { witnessApp } from "../../../src/http/witness/witness_app.ts";
import { EmbeddedWitness } from "../../../src/server/gateway/embedded_witness.ts";
import {
  digestsOf,
  forkedTree,
  manyDigests,
  NOW,
  StandingClock,
  TestLog,
  testWitness,
  withCode,
  WITNESS_ID,
} from "../../witness/fixture.ts";
import { utf8 } from "../../../src/base/bytes.ts";
import { SequenceConflict } from "../../../src/proof/format/witness_request.ts";
import { encodeCosignatureMessage } from "../../../src/proof/format/tree_head.ts";
import { forged, QUICKNET_BEACONS } from "../../beacons.ts";
import { eachScheme, schemeSigner, type TestSigner } from "../../schemes.ts";
import { MemoryWitnessState } from "../../witness/memory_state.ts";
import { clientOf, patience, round, served, TOKEN } from "./fixture.ts";

const log = new TestLog();
const tree = forkedTree("tree", 4, 40);
const fork = forkedTree("fork", 4, 40);

type Reach = (
  state: MemoryWitnessState,
  signer: TestSigner,
  use: (client: WitnessClient) => Promise<void>,
) => Promise<void>;

/** Runs `use` with both kinds of client of a witness with `state`. */
const ways: Readonly<Record<string, Reach>> = {
  EmbeddedWitness: (state, signer, use) => use(new EmbeddedWitness(testWitness({ state, signer }))),
  HttpWitnessClient: (state, signer, use) => {
    const clock = new StandingClock();
    const witness = testWitness({ state, clock, signer });
    const app = witnessApp({ witness, token: TOKEN, clock, report: () => {} });
    const { publicKey, scheme } = signer;
    return served((request) => app(request), (url) => use(clientOf(url, { publicKey, scheme })));
  },
};

for (const [name, reach] of Object.entries(ways)) {
  const test = (
    what: string,
    use: (
      client: WitnessClient,
      state: MemoryWitnessState,
      signer: TestSigner,
    ) => Promise<void>,
  ) =>
    eachScheme.test(`${name} ${what}`, async (scheme) => {
      const state = new MemoryWitnessState();
      const signer = schemeSigner(scheme, WITNESS_ID);
      await reach(state, signer, (client) => use(client, state, signer));
    });

  test("has the witness's id and passes the health check", async (client) => {
    assert.equal(client.id, WITNESS_ID);
    await client.checkHealth(patience());
  });

  test("returns signatures of rounds, also of full ones", async (client, _state, signer) => {
    for (const size of [1, 512]) {
      const request = round({ digests: manyDigests(size), firstSequence: size * 1000 });
      const direct = await testWitness({ signer }).sign(request);
      assert.deepEqual(await client.sign(request, patience()), direct);
    }
  });

  test("sends a round's beacon, and returns refusals of it", async (client, _state, signer) => {
    const [beacon] = QUICKNET_BEACONS;
    const request = round({ beacon });
    const direct = await testWitness({ signer }).sign(request);
    assert.deepEqual(await client.sign(request, patience()), direct);
    assert.notDeepEqual(await testWitness({ signer }).sign(round()), direct);
    const refused = client.sign(
      round({ beacon: forged(beacon), firstSequence: 9 }),
      patience(),
    );
    await assert.rejects(refused, withCode("beacon_refused"));
  });

  test("returns cosignatures and conflicts of size", async (client, _state, signer) => {
    for (const [from, to] of [[0, 0], [0, 5], [5, 11], [11, 11]] as const) {
      const request = log.request(tree, from, to);
      const answer = await client.cosign(request, patience());
      const message = utf8(encodeCosignatureMessage(request.treeHead));
      assert.deepEqual(answer, { kind: "cosigned", signature: signer.sign(message) });
    }
    for (const from of [0, 5, 12]) {
      const answer = await client.cosign(log.request(tree, from, 12), patience());
      assert.deepEqual(answer, { kind: "size_conflict", size: 11 });
    }
  });

  test("returns a witness's refusals unchanged", async (client) => {
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
    await assert.rejects(client.sign(round(), patience()), (error) => {
      assert.ok(error instanceof SequenceConflict);
      assert.equal(error.size, 5);
      return true;
    });
  });

  test(
    "does not take a witness's storage fault for one of the gateway's",
    async (client, state) => {
      state.nextFault = "fail_but_stored";
      await assert.rejects(
        client.cosign(log.request(tree, 0, 5), patience()),
        withCode("witness_storage_failed"),
      );
      state.failNextLoad = true;
      await assert.rejects(client.checkHealth(patience()), withCode("witness_storage_failed"));
      await client.checkHealth(patience());
      assert.equal(state.calls.probe, 1);
    },
  );

  test("sends nothing when its signal has aborted", async (client, state) => {
    const over = AbortSignal.abort();
    const asked: (() => Promise<unknown>)[] = [
      () => client.sign(round(), over),
      () => client.cosign(log.request(tree, 0, 5), over),
      () => client.checkHealth(over),
    ];
    for (const ask of asked) await assert.rejects(ask(), withCode("witness_unreachable"));
    assert.deepEqual(Object.values(state.calls), [0, 0, 0, 0, 0]);
  });
}

eachScheme.test("HttpWitnessClient rejects a signature of the other scheme's length", async (scheme) => {
  const { publicKey } = schemeSigner(scheme, WITNESS_ID);
  for (const [length, isRight] of [[48, scheme === "bls"], [64, scheme === "ed25519"]] as const) {
    const handler = () => Response.json({ signature: "00".repeat(length) });
    await served(handler, async (url) => {
      const answer = clientOf(url, { publicKey, scheme }).sign(round(), patience());
      if (isRight) assert.equal((await answer).length, length);
      else await assert.rejects(answer, withCode("witness_refused"));
    });
  }
});
