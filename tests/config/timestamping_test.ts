import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import { parseFile } from "../../src/config/settings.ts";
import { TIMESTAMPING } from "../../src/config/timestamping.ts";
import { ATTESTED_POLICY } from "../../src/proof/timestamp/attached_proof.ts";
import { encodeObjectIdentifier, objectIdentifierOf } from "../../src/proof/timestamp/asn1.ts";
import { readDer } from "../../src/proof/timestamp/der.ts";

const FILES = { key_file: "tsa.key", certificates_file: "/etc/tsa.pem" };

function parse(members: object) {
  return parseFile(TIMESTAMPING, JSON.stringify(members), "/etc/countersign/network.json");
}

Deno.test("timestamping has paths relative to the file, and a policy if it names one", () => {
  const files = { keyFile: "/etc/countersign/tsa.key", certificatesFile: "/etc/tsa.pem" };
  assert.deepEqual(parse(FILES), files);
  for (
    const policy of ["1.2.3", "2.16.840.1", "0.0.0", "1.3.6.1.4.1.2147483647", ATTESTED_POLICY]
  ) {
    assert.deepEqual(parse({ ...FILES, policy }), { ...files, policy });
    const encoded = readDer(encodeObjectIdentifier(policy), "policy");
    assert.equal(objectIdentifierOf(encoded), policy);
  }
});

Deno.test("a policy that is no object identifier is refused", () => {
  const long = `1.2${".1".repeat(49)}`;
  const wrong = [
    "",
    "1",
    "1.2",
    "1.2.",
    "1.02.3",
    "1.2.03",
    "3.1.1",
    "1.40.1",
    "2.999.1",
    "x",
    long,
  ];
  for (const policy of [...wrong, "1.2.2147483648", "1.2.3 ", "1.2.-3"]) {
    assert.throws(() => parse({ ...FILES, policy }), (error) => {
      assert.ok(error instanceof CountersignError);
      assert.equal(error.code, "invalid_configuration");
      assert.match(error.message, /policy: it must be an object identifier/);
      return true;
    });
  }
});

Deno.test("unknown and missing members of timestamping are refused by name", () => {
  const cases: [object, RegExp][] = [
    [{ key_file: "a" }, /certificates_file is missing/],
    [{ certificates_file: "a" }, /key_file is missing/],
    [{ ...FILES, cert_file: "a" }, /unknown member "cert_file"/],
    [{ ...FILES, policy: 1 }, /policy/],
  ];
  for (const [members, message] of cases) {
    assert.throws(() => parse(members), { code: "malformed_configuration", message });
  }
});
