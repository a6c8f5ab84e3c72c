import fc from "fast-check";
import assert from "node:assert/strict";
import {
  type AddCheckpoint,
  encodeAddCheckpoint,
  parseAddCheckpoint,
} from "../../../src/proof/format/add_checkpoint.ts";

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((b) => new Uint8Array(b));
const requests: fc.Arbitrary<AddCheckpoint> = fc.record({
  oldSize: fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 53 - 1)),
  consistencyPath: fc.array(bytes(32), { maxLength: 63 }),
  checkpoint: fc.record({
    text: fc.constantFrom("a\n1\nroot\n", "a\n\nb\n"),
    signatures: fc.array(
      fc.record(
        { name: fc.constantFrom("log", "w/1"), keyId: bytes(4), payload: bytes(64) },
        { noNullPrototype: true },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }, { noNullPrototype: true }),
}, { noNullPrototype: true });

Deno.test("parseAddCheckpoint() reads what encodeAddCheckpoint() wrote", () => {
  fc.assert(fc.property(requests, (request) => {
    assert.deepEqual(parseAddCheckpoint(encodeAddCheckpoint(request)), request);
  }));
});

Deno.test("parseAddCheckpoint() accepts no second spelling", () => {
  const cuts = fc.tuple(fc.nat(), fc.constantFrom("", " ", "\n", "0", "A", "=", "\r"), fc.nat(2));
  fc.assert(
    fc.property(requests, cuts, (request, [at, inserted, removed]) => {
      const text = encodeAddCheckpoint(request);
      const place = at % text.length;
      const changed = text.slice(0, place) + inserted + text.slice(place + removed);
      let parsed;
      try {
        parsed = parseAddCheckpoint(changed);
      } catch (error) {
        assert.equal((error as { code?: string }).code, "malformed_text");
        return;
      }
      assert.equal(encodeAddCheckpoint(parsed), changed);
    }),
    { numRuns: 500 },
  );
});
