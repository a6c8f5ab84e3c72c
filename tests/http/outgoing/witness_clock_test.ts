/** Times in witnesses' answers, compared with the gateway's clock. */

import assert from "node:assert/strict";
import { WitnessClocks } from "../../../src/gateway/signing/witness_clocks.ts";
import { witnessApp } from "../../../src/http/witness/witness_app.ts";
import { FakeClock } from "../../fake_clock.ts";
import {
  forkedTree,
  NOW,
  StandingClock,
  TestLog,
  testWitness,
  withCode,
  WITNESS_ID,
} from "../../witness/fixture.ts";
import { clientOf, patience, round, served, TOKEN } from "./fixture.ts";

/** Witnesses with their clocks at `NOW`, and a gateway with its clock `aheadSeconds` ahead. */
async function asking(
  aheadSeconds: number,
  use: (gateway: {
    readonly clocks: WitnessClocks;
    readonly lines: readonly string[];
    readonly set: (aheadSeconds: number) => void;
    /** Asks each witness to sign a round with the gateway's time. */
    readonly sign: () => Promise<unknown>[];
  }) => Promise<void>,
): Promise<void> {
  const clock = new StandingClock();
  const gatewayClock = new StandingClock();
  gatewayClock.seconds = NOW + aheadSeconds;
  const lines: string[] = [];
  const clocks = new WitnessClocks({
    ids: ["w1", "w2", "w3"],
    spares: 1,
    clock: new FakeClock(),
    report: (message) => lines.push(message),
  });
  const app = witnessApp({
    witness: testWitness({ clock }),
    token: TOKEN,
    clock,
    report: () => {},
  });
  await served(async (request) => await app(request), async (url) => {
    const clients = ["w1", "w2", "w3"].map((id) =>
      clientOf(url, { id, clocks, clock: gatewayClock })
    );
    let signed = 0;
    await use({
      clocks,
      lines,
      set: (aheadSeconds) => gatewayClock.seconds = NOW + aheadSeconds,
      // A witness signs one text for a sequence.
      sign: () => {
        const request = round({ timestamp: gatewayClock.seconds, firstSequence: 3 * signed++ });
        return clients.map((client) => client.sign(request, patience()));
      },
    });
  });
}

Deno.test("WitnessClocks reports a gateway clock that is two seconds behind the witnesses", () =>
  asking(-2, async ({ clocks, lines, set, sign }) => {
    for (let times = 0; times < 3; times++) await Promise.all(sign());
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /clock of this machine is 2\.0 s behind those of w1, w2, w3/);
    assert.deepEqual(
      clocks.differences.map(({ witness, aheadMs }) => [witness, aheadMs]),
      [["w1", 2000], ["w2", 2000], ["w3", 2000]],
    );
    set(0);
    for (let times = 0; times < 3; times++) await Promise.all(sign());
    assert.match(lines[1] ?? "", /agree again/);
    assert.equal(clocks.finding, undefined);
  }));

Deno.test("WitnessClocks reports the gateway's clock when witnesses refuse its times", () =>
  asking(30, async ({ clocks, lines, set, sign }) => {
    for (let times = 0; times < 3; times++) {
      for (const signing of sign()) await assert.rejects(signing, withCode("time_refused"));
    }
    assert.equal(clocks.finding?.stopsSigning, true);
    assert.match(lines.at(-1)!, /this machine is 30\.0 s ahead of those of w1, w2, w3: set this/);
    assert.match(lines.at(-1)!, /nothing is signed/);
    set(0);
    for (let times = 0; times < 3; times++) await Promise.all(sign());
    assert.match(lines.at(-1)!, /agree again/);
  }));

Deno.test("HttpWitnessClient accepts an answer without a valid time header", async () => {
  const lines: string[] = [];
  const clocks = new WitnessClocks({
    ids: [WITNESS_ID],
    spares: 1,
    clock: new FakeClock(),
    report: (message) => lines.push(message),
  });
  for (const text of [undefined, "", "x", "-1", "1e9", "9".repeat(40), " 12,13"]) {
    await served(
      () =>
        Response.json(
          { witness_id: "w1", signature: "00".repeat(64) },
          text === undefined ? {} : { headers: { "Countersign-Time": text } },
        ),
      async (url) => {
        const client = clientOf(url, { clocks, clock: new StandingClock() });
        assert.equal((await client.sign(round(), patience())).length, 64);
      },
    );
  }
  assert.deepEqual([clocks.differences.map(({ aheadMs }) => aheadMs), lines], [[], []]);
});

Deno.test("HttpWitnessClient counts a refusal after the time check as an accepted time", async () => {
  for (
    const [code, status] of [
      ["beacon_refused", 422],
      ["consistency_refused", 422],
      ["sequence_conflict", 409],
      ["time_refused", 422],
      ["network_refused", 422],
    ] as const
  ) {
    const answers: boolean[] = [];
    const clocks = {
      read: () => {},
      timeAnswered: (_: string, isRefused: boolean) => void answers.push(isRefused),
    };
    await served(
      () => Response.json({ code, size: 0 }, { status }),
      async (url) => {
        await assert.rejects(clientOf(url, { clocks }).sign(round(), patience()), withCode(code));
      },
    );
    const expected = {
      time_refused: [true],
      network_refused: [] as boolean[],
      // A round is compared with what is signed before its time is checked.
      sequence_conflict: [],
    }[code as string];
    assert.deepEqual(answers, expected ?? [false], code);
  }
});

Deno.test("HttpWitnessClient counts a conflict of sizes as an accepted time", async () => {
  const answers: boolean[] = [];
  const clocks = {
    read: () => {},
    timeAnswered: (_: string, isRefused: boolean) => void answers.push(isRefused),
  };
  await served(
    () => Response.json({ code: "tree_size_conflict", size: 3 }, { status: 409 }),
    async (url) => {
      const head = new TestLog().request(forkedTree("tree", 4, 40), 0, 5);
      await clientOf(url, { clocks }).cosign(head, patience());
    },
  );
  assert.deepEqual(answers, [false]);
});
