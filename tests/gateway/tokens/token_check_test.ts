import assert from "node:assert/strict";
import { TokenCheck } from "../../../src/gateway/tokens/token_check.ts";
import { TokenIssuers } from "../../../src/gateway/tokens/token_issuers.ts";
import { concat } from "../../../src/base/bytes.ts";
import { parseTokenText, spendOf } from "../../../src/proof/format/privacy_pass.ts";
import { FakeClock } from "../../fake_clock.ts";
import { TokenSource } from "./token_source.ts";

const NETWORK = "log.example";
const START = 1_800_000_000;

const source = await TokenSource.create({
  notBefore: START,
  notAfter: START + 10,
});

function checkWith(clock: ConstructorParameters<typeof TokenCheck>[1]): TokenCheck {
  return new TokenCheck(new TokenIssuers(NETWORK, [source.issuer], clock), clock);
}

Deno.test("a token is accepted from the first to the last second of its key", async () => {
  const clock = new FakeClock(START);
  const check = checkWith(clock);
  const token = source.text(NETWORK);
  const present = () => check.present(token, "issuer_token");
  clock.jump(-1);
  assert.throws(present, { code: "token_invalid" });
  assert.equal(check.issuers.challenges(), "PrivateToken");
  assert.equal(check.issuers.offers().length, 1);
  await clock.advance(1);
  assert.deepEqual(check.spend(present()), spendOf(parseTokenText(token)));
  assert.match(check.issuers.challenges(), /^PrivateToken challenge=/);
  await clock.advance(9_999);
  assert.deepEqual(check.spend(present()), spendOf(parseTokenText(token)));
  await clock.advance(1);
  assert.throws(present, { code: "token_expired" });
  assert.equal(check.issuers.challenges(), "PrivateToken");
  assert.deepEqual(check.issuers.offers(), []);
});

Deno.test("many tokens are verified in order, and verification yields to other work", async () => {
  let pauses = 0;
  let ms = 1000 * START;
  const check = checkWith({
    // Each read of the clock advances it by a millisecond.
    nowMs: () => ms++,
    elapsedMs: () => ms,
    sleep: (pause) => Promise.resolve(void (pauses += pause === 0 ? 1 : NaN)),
  });
  const texts = Array.from({ length: 20 }, () => source.text(NETWORK));
  const presented = texts.map((text) => check.present(text, "issuer_tokens[0]"));
  const spends = texts.map((text) => spendOf(parseTokenText(text)));
  assert.deepEqual(await check.spendAll(presented), concat(...spends));
  assert.equal(pauses, 5);

  const { authenticator } = source.token(NETWORK);
  const forged = { ...presented[19]!, token: { ...presented[19]!.token, authenticator } };
  const mixed = [...presented.slice(0, 19), { ...forged, member: "issuer_tokens[19]" }];
  await assert.rejects(check.spendAll(mixed), {
    code: "token_invalid",
    message: /issuer_tokens\[19\]/,
  });
});
