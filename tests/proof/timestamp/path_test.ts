/**
 * Which issuers lead from a signer to a root, among all that a token carries.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readDer } from "../../../src/proof/timestamp/der.ts";
import * as der from "./der.ts";
import { assertFailed } from "./fixture.ts";
import { signerExtensions, TestAuthority } from "./test_authority.ts";
import {
  extension,
  EXTENSIONS,
  GENERAL_NAME,
  issue,
  nameOf,
  type TestCertificate,
} from "./test_certificates.ts";
import { type TestKey, testKey } from "./test_keys.ts";
import { AUTHORITY, chainOf, intermediateKey, NAME, signerKey, verdictOf } from "./test_chain.ts";

Deno.test("findPath() ends at a given root, not at a root in the token", async () => {
  const chain = await chainOf();
  const { root, intermediate, signer } = chain;
  const stranger = await issue(await testKey("P-256", "stranger"), undefined, {
    subject: nameOf("Stranger"),
    extensions: AUTHORITY,
  });
  const impostor = await issue(stranger.key, undefined, {
    subject: NAME.root,
    extensions: AUTHORITY,
  });
  const verified = async (roots: readonly TestCertificate[], extra = [intermediate]) =>
    (await verdictOf(chain, { roots, certificates: [signer, ...extra] })).status === "verified";
  assert.ok(await verified([stranger, root]));
  assert.ok(await verified([impostor, root]));
  // An authority below a root may be trusted by itself.
  assert.ok(await verified([intermediate], []));
  assert.ok(!await verified([root], []));
  assert.ok(!await verified([stranger]));
  assert.ok(!await verified([stranger], [intermediate, root]));
  // Not an authority: the signer does not vouch for itself.
  assert.ok(!await verified([signer]));
  assertFailed(
    await verdictOf(chain, { roots: [impostor] }),
    /CN=Intermediate: its issuer did not sign it/,
  );
});

Deno.test("findPath() refuses a self-signed certificate and an issuer that only shares the name", async () => {
  const chain = await chainOf();
  const selfSigned = await issue(intermediateKey, undefined, {
    subject: NAME.intermediate,
    extensions: AUTHORITY,
  });
  const certificates = [chain.signer, selfSigned];
  assertFailed(
    await verdictOf(chain, { certificates }),
    /CN=Stamps: no issuer leads to a root/,
  );
  // Beside the true one it does no harm.
  const beside = [...certificates, chain.intermediate];
  assert.equal((await verdictOf(chain, { certificates: beside })).status, "verified");
});

Deno.test("certificates that anyone may add to a token do not make it fail", async () => {
  const chain = await chainOf();
  const key = await testKey("P-256", "stranger");
  for (
    const extensions of [
      AUTHORITY,
      [...AUTHORITY, EXTENSIONS.nameConstraints([der.explicit(4)])],
      [...AUTHORITY, EXTENSIONS.nameConstraints([GENERAL_NAME.domain("tsa.example")])],
      [...AUTHORITY, extension("2.5.29.14", der.none())],
      [extension("2.5.29.19", der.none())],
      [extension("2.5.29.19", Uint8Array.of(0x30))],
    ]
  ) {
    const added = await issue(key, { subject: NAME.root, key }, {
      subject: NAME.intermediate,
      serial: 99,
      extensions,
    });
    const certificates = [chain.signer, added, chain.intermediate];
    assert.equal((await verdictOf(chain, { certificates })).status, "verified");
    assert.equal(
      (await verdictOf(chain, { certificates: certificates.slice(0, 2) })).status,
      "failed",
    );
  }
});

Deno.test("findPath() bounds the search among issuers of one name", async () => {
  const chain = await chainOf();
  const others = await Promise.all(
    Array.from(
      { length: 14 },
      (_, i) =>
        issue(intermediateKey, { subject: NAME.intermediate, key: intermediateKey }, {
          subject: NAME.intermediate,
          serial: 100 + i,
          extensions: AUTHORITY,
        }),
    ),
  );
  // Each is its own issuer by name, and by the key of all.
  const verdict = await verdictOf(chain, { certificates: [chain.signer, ...others] });
  assertFailed(verdict, /no issuer leads to a root/);

  const crossed = await Promise.all(
    Array.from(
      { length: 14 },
      (_, i) =>
        issue(intermediateKey, { subject: nameOf(`${i % 2}`), key: intermediateKey }, {
          subject: nameOf(`${(i + 1) % 2}`),
          serial: 100 + i,
          extensions: AUTHORITY,
        }),
    ),
  );
  const signer = await issue(signerKey, { subject: nameOf("1"), key: intermediateKey }, {
    subject: NAME.signer,
    extensions: signerExtensions(),
  });
  const cyclic = new TestAuthority(chain.root, chain.intermediate, signer);
  assertFailed(
    await verdictOf(cyclic, { certificates: [signer, ...crossed] }),
    /more than 64 candidate issuers/,
  );
});

Deno.test("a SHA-1 signature is refused on every certificate but a root", async () => {
  const sha1 = await testKey("RSA", "sha1", "SHA-1");
  const sha256 = await testKey("RSA", "sha256");
  const verdictBelow = async (key: TestKey) => {
    // By its name and its SHA-1 signature the root is signed by itself, and nobody looks.
    const root = await issue(key, { subject: NAME.root, key: sha1 }, {
      subject: NAME.root,
      extensions: AUTHORITY,
    });
    const signer = await issue(signerKey, root, {
      subject: NAME.signer,
      serial: 3,
      extensions: signerExtensions(),
    });
    return await verdictOf(new TestAuthority(root, root, signer), { certificates: [signer] });
  };
  assert.equal((await verdictBelow(sha256)).status, "verified");
  assertFailed(await verdictBelow(sha1), /is not RSA or ECDSA with SHA-256/);
});

Deno.test("the signed algorithm of a certificate must be that of its signature", async () => {
  const signedAlgorithm = der.sequence(der.objectId("1.2.840.10045.4.3.3"));
  assertFailed(
    await verdictOf(await chainOf({ signer: { signedAlgorithm } })),
    /the signed signature algorithm differs/,
  );
});

Deno.test("a certificate's signature has whole bytes", async () => {
  const chain = await chainOf();
  const { signer } = chain;
  const [signed, algorithm] = readDer(signer.der, "certificate").children;
  const certificate = der.sequence(
    signed!.bytes,
    algorithm!.bytes,
    der.bits(Uint8Array.of(0x80), 7),
  );
  const broken = new TestAuthority(chain.root, chain.intermediate, { ...signer, der: certificate });
  assertFailed(await verdictOf(broken), /the signature is not of whole bytes/);
});
