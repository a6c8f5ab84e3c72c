import assert from "node:assert/strict";
import { unixSeconds } from "../../src/clock.ts";
import { Issuer } from "../../src/issuer/issuer.ts";
import { issuerKeyOf } from "../../src/issuer/issuer_key.ts";
import { type IssuerSecret, type KeyPeriod, tokenKeyOf } from "../../src/issuer/issuer_secret.ts";
import { periodFrom } from "../../src/issuer/key_schedule.ts";
import { orderToken } from "../../src/issuer/token_order.ts";
import { FakeClock } from "../fake_clock.ts";
import { challengeOf, NAME, publishedSecret } from "./fixture.ts";
import { TYPE_1_VECTORS } from "./published_vectors.ts";

const ROTATION = { lifetimeSeconds: 100, overlapSeconds: 20 };

/** Another published key, whose ID ends in another byte. */
async function otherSecret(period: KeyPeriod): Promise<IssuerSecret> {
  const privateKey = Uint8Array.fromHex(TYPE_1_VECTORS[1]!.skS);
  const tokenKey = await tokenKeyOf(1, privateKey);
  return { tokenType: 1, privateKey, tokenKey, ...period };
}

Deno.test("only the key that began last issues; the directory has all that have not ended", async () => {
  const clock = new FakeClock();
  const start = unixSeconds(clock);
  const secrets = [
    await publishedSecret(1, periodFrom(start, ROTATION)),
    await otherSecret(periodFrom(start + 100, ROTATION)),
  ];
  const keys = await Promise.all(secrets.map(issuerKeyOf));
  const issuer = new Issuer({ name: NAME, requestUri: "/token-request", clock });
  issuer.useKeys(keys);
  const orders = await Promise.all(
    secrets.map(({ tokenKey }) =>
      orderToken({ tokenType: 1, tokenKey, challenge: challengeOf(1) })
    ),
  );
  const check = (signs: readonly boolean[], listed: readonly number[]) => {
    for (const [i, order] of orders.entries()) {
      if (signs[i]) assert.ok(order.finish(issuer.issue(order.request)));
      else assert.throws(() => issuer.issue(order.request), { code: "token_request_refused" });
    }
    assert.deepEqual(
      issuer.directory().tokenKeys.map(({ tokenKey }) =>
        secrets.findIndex((secret) => secret.tokenKey === tokenKey)
      ),
      listed,
    );
    assert.equal(issuer.isReady, signs.includes(true));
  };
  check([true, false], [1, 0]);
  clock.jump(99_999);
  check([true, false], [1, 0]);
  clock.jump(1);
  check([false, true], [1, 0]);
  clock.jump(20_000);
  assert.equal(issuer.directory().tokenKeys.length, 1);
  clock.jump(100_000);
  check([false, false], []);
});
