/**
 * Time-stamp tokens that carry a proof, as their bytes in hex.
 *
 * @module
 */

import { type Bytes, hexOf, utf8 } from "../../../../src/base/bytes.ts";
import type { ProofBundle } from "../../../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import * as der from "../../timestamp/der.ts";
import {
  attribute,
  imprintOf,
  referenceV2,
  replyOf,
  signerExtensions,
  signingCertificateV1,
  signingCertificateV2,
  TestAuthority,
} from "../../timestamp/test_authority.ts";
import { EXTENSIONS, GENERAL_NAME, issue, nameOf } from "../../timestamp/test_certificates.ts";
import { digest, ecKey, rsaKey } from "./authority_keys.ts";
import { epochLogs } from "./succession_cases.ts";
import { refusedTokenCases } from "./timestamp_authority_cases.ts";
import { malformedTokenCases } from "./timestamp_reading_cases.ts";
import {
  authorityOf,
  batchedBundle,
  CONTENT,
  ENTRY,
  generalizedTime,
  pem,
  proofAttribute,
  serialOf,
  STAMP_TIME,
  stampBy,
  type StampChange,
  stampLog,
} from "./timestamp_tokens.ts";
import type { Vector } from "./vector.ts";
import { PEER_TIME, peers } from "./world.ts";

/** Makes a case from the bytes of a token. */
export type MakeCase = (name: string, token: Bytes, rest?: Partial<Vector>) => Vector;

function makerOf(scheme: SignatureScheme, root: string): MakeCase {
  return (name, token, rest = {}) => ({
    name: `${scheme}: time-stamp token: ${name}`,
    kind: "timestamp",
    network: scheme,
    content: CONTENT,
    roots: [root],
    ...rest,
    input: hexOf(token),
  });
}

/** Every case, of both schemes. */
export async function timestampCases(): Promise<Vector[]> {
  return [...await schemeCases("ed25519"), ...await ed25519Cases(), ...await schemeCases("bls")];
}

/** What depends on the scheme of the witnesses. */
async function schemeCases(scheme: SignatureScheme): Promise<Vector[]> {
  const authority = await authorityOf();
  const make = makerOf(scheme, pem(authority.root));
  const log = stampLog(scheme);
  const stamp = (change?: StampChange) => stampBy(authority, log, change);
  const genuine = log.bundle(ENTRY["SHA-256"]);
  const few = stampLog(scheme);
  few.addRound([log.attestations[ENTRY["SHA-256"]]!.attestation.hash], {
    timestamp: STAMP_TIME,
    places: [0],
  });
  const { log: epochLog, links } = epochLogs[scheme];
  const grown = epochLog.bundle(9);
  const anchored = {
    ...batchedBundle(log, ENTRY["SHA-256"]),
    cross_anchors: [
      log.crossAnchor(peers.alpha, { from: log.size, size: log.size, timestamp: PEER_TIME }),
    ],
  };
  const earlier = { info: { genTime: generalizedTime(STAMP_TIME - 86_400) } };
  const later = structuredClone(genuine);
  Object.assign(later.signed_attestation.attestation, { timestamp: STAMP_TIME - 86_400 });
  return [
    make("of SHA-256", await stamp()),
    make("with a batch", await stamp({ bundle: batchedBundle(log, ENTRY["SHA-256"]) })),
    make("with a batch and a peer's anchor", await stamp({ bundle: anchored }), {
      peers: ["alpha"],
    }),
    make(
      "after a succession",
      await stamp({ bundle: { ...grown, succession: links }, content: "leaf 8" }),
      { network: `${scheme} epoch 0`, content: "leaf 8" },
    ),
    make(
      "after a succession that it lacks",
      await stamp({ bundle: grown, content: "leaf 8" }),
      { network: `${scheme} epoch 0`, content: "leaf 8", rules: ["R7"] },
    ),
    make("of another network", await stamp(), { network: "alpha", rules: ["R7"] }),
    make(
      "whose proof has too few signatures",
      await stamp({ bundle: few.bundle(few.size - 1) }),
      { rules: ["R7"] },
    ),
    make("without a distrusted witness", await stamp(), {
      distrust: [`home.example/${scheme}/w1`],
      rules: ["R7"],
    }),
    make("with an earlier time and the proof of the genuine one", await stamp(earlier), {
      rules: ["R8"],
    }),
    make(
      "with an earlier time in the attestation too",
      await stamp({ ...earlier, bundle: later }),
      { rules: ["R7"] },
    ),
  ];
}

/** An authority whose certificate its root issued. */
async function directAuthority(): Promise<TestAuthority> {
  const { root, signer: { key } } = await authorityOf();
  const signer = await issue(key, root, {
    subject: nameOf("Stamps"),
    serial: 4,
    extensions: signerExtensions(),
  });
  return new TestAuthority(root, root, signer);
}

/** 2.25 with an arc above 31 bits. */
function longType(last: number): Bytes {
  return der.value(0x06, Uint8Array.of(0x69, 0x90, 0x80, 0x80, 0x80, 0x80, last));
}

/** The text of `bundle` with an external anchor whose proof is a number. */
function withLongNumber(bundle: ProofBundle): string {
  const { tree_head } = bundle.batch_inclusion!.sth;
  const anchor = {
    provider: "example",
    status: "confirmed",
    timestamp: STAMP_TIME,
    tree_head,
    consistency_path: [],
    digest: "00".repeat(32),
    proof: "number",
  };
  return JSON.stringify({ ...bundle, external_anchors: [anchor] })
    .replace('"number"', "1".repeat(5_000));
}

/** What does not. */
async function ed25519Cases(): Promise<Vector[]> {
  const authority = await authorityOf();
  const make = makerOf("ed25519", pem(authority.root));
  const log = stampLog("ed25519");
  const stamp = (change?: StampChange) => stampBy(authority, log, change);
  const good = await stamp();
  const signed = async (key: Parameters<typeof authorityOf>[0]) =>
    await stampBy(await authorityOf(key), log);
  const sha512 = { imprintHash: "SHA-512" } as const;
  const noParameters = imprintOf(
    digest("SHA-512", utf8(CONTENT)),
    der.sequence(der.objectId("2.16.840.1.101.3.4.2.3")),
  );
  const { intermediate, signer } = authority;
  const bySha1 = await signingCertificateV1(signer);
  const bySha512 = signingCertificateV2(await referenceV2(signer, { hash: "SHA-512" }));
  const ofBoth = signingCertificateV2(await referenceV2(signer), await referenceV2(intermediate));
  const referring = (...references: readonly Bytes[]): StampChange => ({
    attributes: ({ contentType, messageDigest }) => [contentType, messageDigest, ...references],
  });
  const keyId = utf8("key of the signer");
  const otherRoot = await authorityOf({ root: { key: ecKey("P-256", "other root") } });
  const valid = [
    make("of SHA-384", await stamp({ imprintHash: "SHA-384" })),
    make("of SHA-512", await stamp(sha512)),
    make(
      "of SHA-512 without parameters",
      await stamp({ ...sha512, info: { imprint: noParameters } }),
    ),
    make("in a reply", replyOf(0, [], good)),
    make("granted with modifications", replyOf(1, [der.sequence(der.text("changed"))], good)),
    make("without roots", good, { roots: [] }),
    make("under two files of roots", good, {
      roots: [pem(otherRoot.root), pem(authority.root)],
    }),
    make("of any content", good, { content: undefined }),
    make("with a nonce", await stamp({ info: { nonce: der.integer(2n ** 80n) } })),
    make("with the default of ordering", await stamp({ info: { ordering: der.boolean(false) } })),
    make("ordered", await stamp({ info: { ordering: der.boolean(true) } })),
    make(
      "with its authority's name",
      await stamp({
        info: { authority: der.explicit(0, GENERAL_NAME.directory(nameOf("Stamps"))) },
      }),
    ),
    make(
      "with an extension that is not critical",
      await stamp({
        info: {
          extensions: der.explicit(1, der.sequence(der.objectId("1.2.3.4"), der.octets(utf8("x")))),
        },
      }),
    ),
    make("of version 1, as some authorities write", await stamp({ version: 1 })),
    make(
      "with two signed attributes whose types have long arcs",
      await stamp({
        attributes: (good) => [
          ...Object.values(good),
          ...[1, 2].map((last) => der.sequence(longType(last), der.set(der.integer(1)))),
        ],
      }),
    ),
    make(
      "whose proof has a number of 5,000 digits where any JSON is allowed",
      await stamp({ bundle: withLongNumber(batchedBundle(log, ENTRY["SHA-256"])) }),
    ),
    make(
      "with another unsigned attribute",
      await stamp({
        unsigned: [
          attribute("1.2.3.4", der.integer(5)),
          proofAttribute(JSON.stringify(log.bundle(ENTRY["SHA-256"]))),
          attribute("1.2.3.4", der.integer(5)),
        ],
      }),
    ),
    make("with an ESSCertID of SHA-1", await stamp(referring(bySha1))),
    make(
      "with both kinds of ESSCertID",
      await stamp({ attributes: (good) => [...Object.values(good), bySha1] }),
    ),
    make("with an ESSCertIDv2 of SHA-512", await stamp(referring(bySha512))),
    make("with an ESSCertIDv2 of its issuer too", await stamp(referring(ofBoth))),
    make(
      "whose signer is named by its key",
      await stampBy(
        await authorityOf({
          signer: { extensions: [...signerExtensions(), EXTENSIONS.subjectKey(keyId)] },
        }),
        log,
        { signerVersion: 3, signerId: der.implicit(0, keyId) },
      ),
    ),
    make(
      "of an authority with ECDSA on P-384",
      await signed({ signer: { key: ecKey("P-384", "p384", "SHA-384") } }),
    ),
    make(
      "of an authority with ECDSA on P-521",
      await signed({ signer: { key: ecKey("P-521", "p521", "SHA-512") } }),
    ),
    make("of an authority with RSA", await signed({ signer: { key: rsaKey("RSA") } })),
    make(
      "of an authority with RSA, whose signature names only the key",
      await stampBy(await authorityOf({ signer: { key: rsaKey("RSA", "SHA-512") } }), log, {
        signatureAlgorithm: der.sequence(der.objectId("1.2.840.113549.1.1.1"), der.none()),
      }),
    ),
    make("of an authority with RSASSA-PSS", await signed({ signer: { key: rsaKey("RSA-PSS") } })),
    make(
      "of an authority whose issuer has RSA",
      await signed({ intermediate: { key: rsaKey("RSA", "SHA-384") } }),
    ),
    make("that its root issued", await stampBy(await directAuthority(), log)),
  ];
  return [
    ...valid,
    make("without a proof", await stamp({ unsigned: [] }), { rules: ["R5"] }),
    make(
      "with another unsigned attribute and no proof",
      await stamp({ unsigned: [attribute("1.2.3.4", der.integer(5))] }),
      { rules: ["R5"] },
    ),
    make("of other content", good, { content: "other content", rules: ["R2"] }),
    make("of other content, without a proof", await stamp({ unsigned: [] }), {
      content: "other content",
      rules: ["R2"],
    }),
    make(
      "with a proof of another entry",
      await stamp({
        bundle: log.bundle(ENTRY.other),
        info: { serial: serialOf(ENTRY["SHA-256"]) },
      }),
      { rules: ["R7"] },
    ),
    make(
      "of SHA-512, attested as the SHA-256 of its digest",
      await stamp({ ...sha512, bundle: log.bundle(ENTRY.rawSha512) }),
      { rules: ["R7"] },
    ),
    make(
      "of SHA-512, with the attestation of SHA-256",
      await stamp({ ...sha512, bundle: log.bundle(ENTRY["SHA-256"]) }),
      { rules: ["R7"] },
    ),
    ...await Promise.all(([
      ["a later time", { genTime: generalizedTime(STAMP_TIME + 1) }],
      ["a fraction of a second", { genTime: generalizedTime(STAMP_TIME, ".5") }],
      ["an accuracy of 59 s", { accuracy: der.sequence(der.integer(59)) }],
      ["an accuracy of 61 s", { accuracy: der.sequence(der.integer(61)) }],
      ["no accuracy", { accuracy: new Uint8Array() }],
      ["an empty accuracy", { accuracy: der.sequence() }],
      [
        "an accuracy of 60.001 s",
        { accuracy: der.sequence(der.integer(60), der.implicit(0, Uint8Array.of(1))) },
      ],
      ["the serial number of another sequence", { serial: serialOf(ENTRY["SHA-256"] + 1) }],
      ["a serial number without a sequence", { serial: der.integer(77) }],
      ["a serial number that is too long", { serial: serialOf(ENTRY["SHA-256"] + 2 ** 40) }],
      ["a negative serial number", { serial: der.value(0x02, Uint8Array.of(0x80)) }],
    ] as const).map(async ([name, info]) =>
      make(`with ${name}`, await stamp({ info }), { rules: ["R8"] })
    )),
    make("whose proof is no JSON", await stamp({ bundle: "{" }), { rules: ["R6"] }),
    make("whose proof is no bundle", await stamp({ bundle: '{"signed_attestation":{}}' }), {
      rules: ["R6"],
    }),
    make(
      "whose proof is not UTF-8",
      await stamp({ unsigned: [proofAttribute(Uint8Array.of(0x7b, 0xff, 0x7d))] }),
      { rules: ["R6"] },
    ),
    make(
      "whose proof is not UTF-8, of an authority that is refused",
      await stamp({ unsigned: [proofAttribute(Uint8Array.of(0x7b, 0xff, 0x7d))] }),
      { roots: [pem(otherRoot.root)], rules: ["R6"] },
    ),
    ...await malformedTokenCases(make, authority, log),
    ...await refusedTokenCases(make, log),
  ];
}
