import assert from "node:assert/strict";
import { learnRounds } from "../../src/gateway/signing/learned_rounds.ts";
import { WitnessPool } from "../../src/gateway/signing/witness_pool.ts";
import { MAX_ROUNDS_LISTED, type RoundText } from "../../src/proof/format/witness_request.ts";
import { FakeClock } from "../fake_clock.ts";
import { nativeCrypto } from "../schemes.ts";
import { TestNetwork } from "./fixture.ts";
import { wrapped } from "./wrapped_witness.ts";

const TIMEOUT_MS = 5_000;

const text = (first: number, size = 1): RoundText => ({
  first,
  size,
  timestamp: 1_800_000_000,
  beacon: null,
  root: new Uint8Array(32),
});

/** The answer of an honest witness that signed `rounds`, ascending. */
const honest = (rounds: readonly RoundText[]) => (from: number) =>
  rounds.filter(({ first, size }) => first + size > from).slice(0, MAX_ROUNDS_LISTED);

/** Learns from three witnesses, of which the first answers with `pages` after `answerMs`. The others signed nothing. */
async function learn(
  pages: (from: number) => readonly RoundText[],
  { ranges, end, answerMs = 0, forMs = 0 }: {
    ranges: { start: number; end: number }[];
    end: number;
    answerMs?: number;
    forMs?: number;
  },
) {
  const clock = new FakeClock();
  const network = new TestNetwork("ed25519", 3, 2, clock);
  const asked: number[] = [];
  const clients = network.witnesses.map((witness, w) =>
    wrapped(witness, {
      roundsFrom: async (from, signal) => {
        if (w > 0) return [];
        asked.push(from);
        await clock.sleep(answerMs, signal);
        return pages(from);
      },
    })
  );
  const pool = new WitnessPool(network.network, clients, {
    verify: nativeCrypto.ed25519,
    bls: nativeCrypto.bls,
    clock,
    timeoutMs: TIMEOUT_MS,
  });
  const known = { ranges, end, asksAll: true };
  const learning = learnRounds(pool, known, new AbortController().signal);
  let isOver = false;
  void learning.then(() => isOver = true);
  await clock.advance(forMs);
  assert.ok(isOver, "the witnesses are still asked");
  const { rounds, beyond } = await learning;
  return { firsts: rounds.map(({ text }) => text.first).sort((a, b) => a - b), beyond, asked };
}

Deno.test("learnRounds() gives each answer its time, however many it needs", async () => {
  const rounds = Array.from({ length: 100 }, (_, i) => text(i));
  const { firsts } = await learn(honest(rounds), {
    ranges: [{ start: 0, end: 100 }],
    end: 100,
    answerMs: TIMEOUT_MS - 1,
    forMs: 5 * TIMEOUT_MS,
  });
  assert.equal(firsts.length, 100);
});

Deno.test("learnRounds() reads no rounds between the sequences that are asked for", async () => {
  const rounds = Array.from({ length: 10_000 }, (_, i) => text(i));
  const { firsts, asked, beyond } = await learn(honest(rounds), {
    ranges: [{ start: 0, end: 1 }, { start: 10, end: 12 }, { start: 5_000, end: 5_040 }],
    end: 8_000,
  });
  // The last one looks beyond our digests.
  assert.deepEqual(asked, [0, 5_000, 5_032, 8_000]);
  for (const first of [0, 10, 11, 5_000, 5_039]) assert.ok(firsts.includes(first), `${first}`);
  assert.ok(beyond.get(0)! > 8_000);
});

Deno.test("learnRounds() asks no further once a witness has named all that it signed", async () => {
  const { firsts, asked } = await learn(honest([text(3, 512), text(600)]), {
    ranges: [{ start: 0, end: 4 }, { start: 600, end: 700 }],
    end: 700,
  });
  assert.deepEqual(firsts, [3, 600]);
  assert.deepEqual(asked, [0]);
});

Deno.test("learnRounds() drops an answer from the first round on that no honest witness names", async () => {
  const wrong = {
    "no size": text(5, 0),
    "too large": text(5, 513),
    "as large as a number can be": text(5, Number.MAX_SAFE_INTEGER - 5),
    "before the first": text(0),
    "shares a sequence": text(4),
    "not asked for": text(1, 1),
  };
  for (const [name, round] of Object.entries(wrong)) {
    const { firsts, beyond } = await learn(
      (from) => from === 3 ? [text(2, 3), round, text(7)] : [],
      { ranges: [{ start: 3, end: 10 }], end: 10 },
    );
    assert.deepEqual(firsts, [2], name);
    assert.equal(beyond.size, 0, name);
  }
});

Deno.test("learnRounds() goes on without a witness that has more to say without end", async () => {
  const { firsts } = await learn(
    (from) => Array.from({ length: 40 }, (_, i) => text(from + i)),
    { ranges: [{ start: 0, end: 1e6 }], end: 1e6, answerMs: TIMEOUT_MS - 1, forMs: 60_000 },
  );
  assert.deepEqual(firsts, []);
});
