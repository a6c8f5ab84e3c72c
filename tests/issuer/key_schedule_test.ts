import assert from "node:assert/strict";
import fc from "fast-check";
import type { TokenType } from "../../src/format/privacy_pass.ts";
import {
  directoryOrder,
  lasting,
  missingPeriod,
  periodFrom,
  type Rotation,
  type ScheduledKey,
  signing,
} from "../../src/issuer/key_schedule.ts";

const ROTATION: Rotation = { lifetimeSeconds: 100, overlapSeconds: 20 };

const keyFrom = (notBefore: number, tokenType: TokenType = 2): ScheduledKey => ({
  tokenType,
  ...periodFrom(notBefore, ROTATION),
});
const missing = (keys: readonly ScheduledKey[], now: number, early = false) =>
  missingPeriod(keys, 2, { rotation: ROTATION, now, early });

Deno.test("the first key begins at once; the next is made an overlap before it begins", () => {
  assert.deepEqual(missing([], 1000), { notBefore: 1000, notAfter: 1120 });
  const first = keyFrom(1000);
  for (const now of [1000, 1050, 1079]) assert.equal(missing([first], now), undefined);
  for (const now of [1080, 1099]) {
    assert.deepEqual(missing([first], now), { notBefore: 1100, notAfter: 1220 });
  }
  for (const now of [1080, 1099, 1100, 1179]) {
    assert.equal(missing([first, keyFrom(1100)], now), undefined);
  }
});

Deno.test("an issuer that was away begins a key at once", () => {
  const first = keyFrom(1000);
  for (const now of [1100, 1119, 1120, 9000]) {
    assert.deepEqual(missing([first], now), { notBefore: now, notAfter: now + 120 });
  }
});

Deno.test("asked early, the next key begins an overlap from now, and is made once", () => {
  const first = keyFrom(1000);
  assert.deepEqual(missing([first], 1010, true), { notBefore: 1030, notAfter: 1150 });
  assert.equal(missing([first, keyFrom(1030)], 1010, true), undefined);
  assert.deepEqual(missing([first], 1090, true), { notBefore: 1100, notAfter: 1220 });
});

Deno.test("keys of another type count for nothing", () => {
  assert.deepEqual(missing([keyFrom(1000, 1)], 1000), { notBefore: 1000, notAfter: 1120 });
});

Deno.test("of each type the key that began last signs, until it ends", () => {
  const keys = [keyFrom(1000), keyFrom(1100), keyFrom(1000, 1)];
  const begins = (now: number) => signing(keys, now).map((key) => [key.tokenType, key.notBefore]);
  assert.deepEqual(begins(999), []);
  assert.deepEqual(begins(1000), [[1, 1000], [2, 1000]]);
  assert.deepEqual(begins(1099), [[1, 1000], [2, 1000]]);
  assert.deepEqual(begins(1100), [[1, 1000], [2, 1100]]);
  assert.deepEqual(begins(1120), [[2, 1100]]);
  assert.deepEqual(begins(1219), [[2, 1100]]);
  assert.deepEqual(begins(1220), []);
  assert.deepEqual(lasting(keys, 1120).length, 1);
  assert.deepEqual(directoryOrder(keys).map((key) => key.notBefore), [1100, 1000, 1000]);
});

Deno.test("whenever the keys are looked at, one signs, and gateways knew it for an overlap", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 50 }), (steps) => {
    let [now, keys]: [number, ScheduledKey[]] = [1000, []];
    const madeAt = new Map<number, number>();
    for (const step of steps) {
      const period = missing(keys, now);
      if (period !== undefined) {
        keys.push({ tokenType: 2, ...period });
        madeAt.set(period.notBefore, now);
      }
      keys = lasting(keys, now);
      const [signer] = signing(keys, now);
      assert.ok(signer !== undefined && keys.length <= 3);
      // Looked at every 15 s or oftener, a key is late by no more than that.
      const isFirst = signer.notBefore === 1000;
      assert.ok(isFirst || madeAt.get(signer.notBefore)! <= signer.notBefore - 20 + 15);
      assert.ok(signer.notAfter - now >= 20);
      now += step;
    }
  }));
});
