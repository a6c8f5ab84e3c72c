import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { decodeLink, decodeSuccession } from "../../src/storage/log/kv_successions.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";

Deno.test("a damaged succession of the store is named by its record", () => {
  const { links: [link] } = threeEpochs();
  const text = JSON.stringify(link);
  assert.deepEqual(decodeLink(1, utf8(text)), link);
  for (const damaged of [text.slice(0, -1), text.replace('"nonce"', '"nonse"'), ""]) {
    for (const [decode, key] of [[decodeLink, "epl"], [decodeSuccession, "ep"]] as const) {
      assert.throws(() => decode(1, utf8(damaged)), (error: Error & { code?: string }) => {
        assert.equal(error.code, "store_corrupt");
        assert.ok(error.message.startsWith(`Cannot read the record ["${key}",1] of the store: `));
        return true;
      });
    }
  }
});
