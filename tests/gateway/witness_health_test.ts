import assert from "node:assert/strict";
import { WitnessHealthBook } from "../../src/gateway/signing/witness_health.ts";
import { FakeClock } from "../fake_clock.ts";

/** The health book of witness "w". */
function makeBook() {
  const clock = new FakeClock();
  return { clock, book: new WitnessHealthBook(["w"], clock) };
}

Deno.test("WitnessHealthBook: a witness without any answer is not healthy", () => {
  const { book } = makeBook();
  assert.deepEqual(book.at(0), { isHealthy: false, failing: new Map() });
});

Deno.test("WitnessHealthBook: a success of one kind of work does not clear the failure of another", async () => {
  const { book, clock } = makeBook();
  book.failed(0, "cosign", "witness_storage_failed");
  // Like a witness with a full disk: heads fail every few seconds, other work succeeds.
  for (let second = 0; second < 75; second++) {
    book.succeeded(0, "sign");
    if (second % 10 === 0) book.succeeded(0, "probe");
    if (second % 8 === 0) book.failed(0, "cosign", "witness_storage_failed");
    assert.equal(book.at(0).isHealthy, false, `at ${second} s`);
    assert.deepEqual([...book.at(0).failing], [["cosign", "witness_storage_failed"]]);
    await clock.advance(1_000);
  }
  book.succeeded(0, "cosign");
  await clock.advance(10_000);
  assert.equal(book.at(0).isHealthy, true);
});

Deno.test("WitnessHealthBook: work that fails every second time counts as failing, without repeated changes", async () => {
  const { book, clock } = makeBook();
  for (let i = 0; i < 40; i++) {
    if (i % 2 === 0) book.failed(0, "sign", "witness_unreachable");
    else book.succeeded(0, "sign");
    assert.equal(book.at(0).isHealthy, false);
    await clock.advance(500);
  }
  for (let i = 0; i < 20; i++) {
    book.succeeded(0, "sign");
    await clock.advance(500);
  }
  assert.equal(book.at(0).isHealthy, true);
});

Deno.test("WitnessHealthBook: one failure among many successes counts until the next success", async () => {
  const { book, clock } = makeBook();
  for (let i = 0; i < 5; i++) {
    book.succeeded(0, "sign");
    await clock.advance(100);
  }
  book.failed(0, "sign", "witness_unreachable");
  assert.equal(book.at(0).isHealthy, false);
  book.succeeded(0, "sign");
  assert.equal(book.at(0).isHealthy, true);
});

Deno.test("WitnessHealthBook: a failure without later answers expires after 15 minutes", async () => {
  const { book, clock } = makeBook();
  book.succeeded(0, "probe");
  book.failed(0, "sign", "time_refused");
  await clock.advance(15 * 60_000 - 1);
  assert.equal(book.at(0).isHealthy, false);
  await clock.advance(1);
  assert.equal(book.at(0).isHealthy, true);
});

Deno.test("WitnessHealthBook: an expired failure is not a success", async () => {
  const { book, clock } = makeBook();
  book.failed(0, "sign", "time_refused");
  assert.equal(book.isForgotten(0, "sign"), false);
  await clock.advance(15 * 60_000);
  assert.equal(book.isForgotten(0, "sign"), true);
  book.succeeded(0, "sign");
  assert.equal(book.isForgotten(0, "sign"), false);
});

Deno.test("WitnessHealthBook: a witness is missing for the work that fails, not for other work", () => {
  const { book } = makeBook();
  assert.deepEqual(book.missing("sign"), [{ witness: "w" }]);
  book.succeeded(0, "probe");
  book.failed(0, "cosign", "witness_storage_failed");
  assert.deepEqual(book.missing("sign"), []);
  assert.deepEqual(book.missing("cosign"), [{ witness: "w", error: "witness_storage_failed" }]);
});

Deno.test("WitnessHealthBook: a failing probe makes a witness missing until it signs or cosigns", async () => {
  const { book, clock } = makeBook();
  const missing = [{ witness: "w", error: "token_refused" }];
  book.succeeded(0, "probe");
  book.succeeded(0, "sign");
  await clock.advance(10_000);
  book.failed(0, "probe", "token_refused");
  assert.deepEqual([book.missing("sign"), book.missing("cosign")], [[], []]);
  book.failed(0, "probe", "token_refused");
  assert.deepEqual([book.missing("sign"), book.missing("cosign")], [missing, missing]);
  book.succeeded(0, "sign");
  book.failed(0, "probe", "token_refused");
  assert.deepEqual([book.missing("sign"), book.missing("cosign")], [[], []]);
  book.succeeded(0, "probe");
  await clock.advance(20_000);
  book.failed(0, "probe", "token_refused");
  assert.deepEqual(book.missing("sign"), missing);
});

Deno.test("WitnessHealthBook: a clock that is set back hides no failure", async () => {
  const { book, clock } = makeBook();
  book.succeeded(0, "probe");
  await clock.advance(20_000);
  book.failed(0, "probe", "token_refused");
  clock.jump(-60_000);
  assert.equal(book.at(0).isHealthy, false);
  book.succeeded(0, "probe");
  await clock.advance(10_000);
  assert.equal(book.at(0).isHealthy, true);
});
