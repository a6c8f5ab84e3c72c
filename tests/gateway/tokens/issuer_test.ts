import assert from "node:assert/strict";
import { unixSeconds } from "../../../src/base/clock.ts";
import { Issuer } from "../../../src/gateway/tokens/issuer.ts";
import {
  generateIssuerSecret,
  issuerKeyOf,
  truncatedIdOf,
} from "../../../src/gateway/tokens/issuer_key.ts";
import { periodFrom } from "../../../src/gateway/tokens/key_schedule.ts";
import { orderToken } from "../../../src/client/token_fetch.ts";
import { FakeClock } from "../../fake_clock.ts";
import { challengeOf, NAME, publishedSecret } from "./fixture.ts";

const ROTATION = { lifetimeSeconds: 100, overlapSeconds: 20 };

Deno.test("the newest key issues; the directory lists all keys that have not ended", async () => {
  const clock = new FakeClock();
  const start = unixSeconds(clock);
  const first = publishedSecret(periodFrom(start, ROTATION));
  let second;
  do second = await generateIssuerSecret(periodFrom(start + 100, ROTATION)); while (
    truncatedIdOf(second.tokenKey) === truncatedIdOf(first.tokenKey)
  );
  const secrets = [first, second];
  const issuer = new Issuer({ name: NAME, requestUri: "/token-request", clock });
  issuer.useKeys(secrets.map(issuerKeyOf));
  const orders = secrets.map(({ tokenKey }) => orderToken({ tokenKey, challenge: challengeOf() }));
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
