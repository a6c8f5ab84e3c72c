import assert from "node:assert/strict";
import { EndedRounds } from "../../src/gateway/signing/ended_rounds.ts";
import { type OpenRound, openRound } from "../../src/gateway/signing/open_round.ts";

function ended(start: number, end: number, attempts: number, isSigned = false): OpenRound {
  const round = openRound({ start, end }, undefined, undefined);
  round.attempts = attempts;
  round.isSigned = isSigned;
  return round;
}

Deno.test("a new round goes on from the ended round with the most attempts that shares a sequence", () => {
  const rounds = new EndedRounds();
  const [few, many, elsewhere] = [ended(0, 4, 2), ended(4, 8, 5), ended(8, 12, 9)];
  for (const round of [few, many, elsewhere]) rounds.add(round);
  assert.equal(rounds.before({ start: 2, end: 6 }), many);
  assert.equal(rounds.before({ start: 0, end: 4 }), few);
  assert.equal(rounds.before({ start: 12, end: 14 }), undefined);
});

Deno.test("a signed round is kept until it is stored, one that was given up until all its sequences are signed", () => {
  const rounds = new EndedRounds();
  const [signed, givenUp] = [ended(0, 4, 1, true), ended(4, 8, 1)];
  for (const round of [signed, givenUp]) rounds.add(round);
  rounds.stored(2, 6);
  assert.deepEqual(rounds.all, [signed, givenUp]);
  rounds.stored(0, 6);
  assert.deepEqual(rounds.all, [givenUp]);
  rounds.stored(6, 8);
  assert.deepEqual(rounds.all, []);
});
