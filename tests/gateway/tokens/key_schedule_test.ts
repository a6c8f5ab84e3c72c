import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type KeyPeriod,
  lasting,
  missingPeriod,
  periodFrom,
  type Rotation,
  signingKey,
} from "../../../src/gateway/tokens/key_schedule.ts";

const ROTATION: Rotation = { lifetimeSeconds: 100, overlapSeconds: 20 };

const keyFrom = (notBefore: number) => periodFrom(notBefore, ROTATION);
const missing = (keys: readonly KeyPeriod[], now: number, early = false) =>
  missingPeriod(keys, { rotation: ROTATION, now, early });

Deno.test("the first key begins at once; each next key is created an overlap before it begins", () => {
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

Deno.test("an issuer that missed a rotation begins a key at once", () => {
  const first = keyFrom(1000);
  for (const now of [1100, 1119, 1120, 9000]) {
    assert.deepEqual(missing([first], now), { notBefore: now, notAfter: now + 120 });
  }
});

Deno.test("a forced rotation begins the next key an overlap from now, once", () => {
  const first = keyFrom(1000);
  assert.deepEqual(missing([first], 1010, true), { notBefore: 1030, notAfter: 1150 });
  assert.equal(missing([first, keyFrom(1030)], 1010, true), undefined);
  assert.deepEqual(missing([first], 1090, true), { notBefore: 1100, notAfter: 1220 });
});

Deno.test("signingKey() is the newest key until it ends", () => {
  const keys = [keyFrom(1000), keyFrom(1100)];
  const begin = (now: number) => signingKey(keys, now)?.notBefore;
  assert.equal(begin(999), undefined);
  for (const now of [1000, 1099]) assert.equal(begin(now), 1000);
  for (const now of [1100, 1120, 1219]) assert.equal(begin(now), 1100);
  assert.equal(begin(1220), undefined);
  assert.deepEqual(lasting(keys, 1000).map((key) => key.notBefore), [1100, 1000]);
  assert.deepEqual(lasting(keys, 1120).length, 1);
});

Deno.test("some key always signs, and it was published an overlap before", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 50 }), (steps) => {
    let [now, keys]: [number, KeyPeriod[]] = [1000, []];
    const madeAt = new Map<number, number>();
    for (const step of steps) {
      const period = missing(keys, now);
      if (period !== undefined) {
        keys.push(period);
        madeAt.set(period.notBefore, now);
      }
      keys = lasting(keys, now);
      const signer = signingKey(keys, now);
      assert.ok(signer !== undefined && keys.length <= 3);
      // Checked at least every 15 s, a key is at most that late.
      const isFirst = signer.notBefore === 1000;
      assert.ok(isFirst || madeAt.get(signer.notBefore)! <= signer.notBefore - 20 + 15);
      assert.ok(signer.notAfter - now >= 20);
      now += step;
    }
  }));
});
