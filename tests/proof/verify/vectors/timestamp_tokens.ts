/**
 * Time-stamp tokens with proofs for the vectors, genuine but for what a case changes. A token is made by
 * `TestAuthority`, which shares no code with the program.
 *
 * @module
 */

import { type Bytes, concat, fromHex, hexOf, textOf, utf8 } from "../../../../src/base/bytes.ts";
import type { ProofBundle } from "../../../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import { type DerValue, readDer } from "../../../../src/proof/timestamp/der.ts";
import * as der from "../../timestamp/der.ts";
import {
  attribute,
  imprintOf,
  signerExtensions,
  TestAuthority,
  type TokenChange,
} from "../../timestamp/test_authority.ts";
import {
  type CertificateParts,
  EXTENSIONS,
  issue,
  KEY_CERT_SIGN,
  nameOf,
  pemOf,
  type TestCertificate,
} from "../../timestamp/test_certificates.ts";
import { hashAlgorithm, type TestHash, type TestKey } from "../../timestamp/test_keys.ts";
import { TestLog } from "../test_log.ts";
import { digestOf } from "../test_network.ts";
import { digest, ecKey } from "./authority_keys.ts";
import { HEAD_TIME, homes, ROUND_TIME } from "./world.ts";

/** Of the attribute that carries a proof. */
export const ATTACHED_PROOF =
  "1.2.840.113556.1.8000.2554.12017.45038.55770.16972.33603.11366662.7117759.1";

/** What was stamped in most cases. */
export const CONTENT = "stamped content";

/** A certificate of the chain with changes; any other key may sign it. */
export type PartsChange = Partial<CertificateParts> & { readonly key?: TestKey };

const KEYS = {
  root: ecKey("P-256", "time-stamp root"),
  intermediate: ecKey("P-256", "time-stamp intermediate"),
  signer: ecKey("P-256", "time-stamp signer"),
};

/** Root, intermediate and signer, good but for the changes. */
export async function authorityOf(
  { root = {}, intermediate = {}, signer = {} }: {
    readonly root?: PartsChange;
    readonly intermediate?: PartsChange;
    readonly signer?: PartsChange;
  } = {},
): Promise<TestAuthority> {
  const extensions = [EXTENSIONS.authority(), EXTENSIONS.keyUsage(KEY_CERT_SIGN)];
  const top = await issue(root.key ?? KEYS.root, undefined, {
    subject: nameOf("Root"),
    extensions,
    ...root,
  });
  const middle = await issue(intermediate.key ?? KEYS.intermediate, top, {
    subject: nameOf("Intermediate"),
    serial: 2,
    extensions: [EXTENSIONS.authority(0), EXTENSIONS.keyUsage(KEY_CERT_SIGN)],
    ...intermediate,
  });
  const leaf = await issue(signer.key ?? KEYS.signer, middle, {
    subject: nameOf("Stamps"),
    serial: 3,
    extensions: signerExtensions(),
    ...signer,
  });
  return new TestAuthority(top, middle, leaf);
}

/** PEM of certificates, as a file of roots. */
export function pem(...certificates: readonly TestCertificate[]): string {
  return textOf(pemOf(...certificates), "malformed_text");
}

/** The MessageImprint of `content`, with NULL parameters. */
export function imprintBy(hash: TestHash, content = CONTENT): Bytes {
  return imprintOf(digest(hash, utf8(content)), hashAlgorithm(hash));
}

/** The attested hash of an imprint other than SHA-256. */
export function attestedHash(hash: TestHash, content = CONTENT): string {
  return hexOf(digest("SHA-256", imprintBy(hash, content)));
}

/** The time of every attestation here, and one second more or less. */
export const STAMP_TIME = ROUND_TIME + 40;

export function generalizedTime(seconds: number, fraction = ""): Bytes {
  const text = new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "");
  return der.generalizedTime(`${text}${fraction}Z`);
}

/** The log of `scheme` with one round: the content by each hash function, and others. */
export function stampLog(scheme: SignatureScheme): TestLog {
  const log = new TestLog(homes[scheme].network);
  log.addRound(Array.from({ length: 6 }, (_, i) => digestOf(`before ${i}`)), {
    timestamp: ROUND_TIME,
  });
  log.addRound([
    digestOf(CONTENT),
    attestedHash("SHA-384"),
    attestedHash("SHA-512"),
    digestOf("other content"),
    hexOf(digest("SHA-256", digest("SHA-512", utf8(CONTENT)))),
  ], { timestamp: STAMP_TIME });
  return log;
}

/** Sequences in {@linkcode stampLog}. */
export const ENTRY = { "SHA-256": 6, "SHA-384": 7, "SHA-512": 8, other: 9, rawSha512: 10 } as const;

export function batchedBundle(log: TestLog, sequence: number): ProofBundle {
  return log.bundle(sequence, log.batchInclusion(sequence, log.sth(log.size, HEAD_TIME)));
}

/** A serial number of an entry. */
export function serialOf(sequence: number, random = 0x1234_5678_9abc_def0n): Bytes {
  return der.integer(BigInt(sequence) << 64n | random);
}

/** The unsigned attribute. */
export function proofAttribute(
  text: string | Bytes,
  { version = 1, more = [] }: {
    readonly version?: number;
    readonly more?: readonly Bytes[];
  } = {},
): Bytes {
  const bundle = typeof text === "string" ? utf8(text) : text;
  return attribute(
    ATTACHED_PROOF,
    der.sequence(der.integer(version), der.octets(bundle), ...more),
  );
}

export interface StampChange extends TokenChange {
  /** By default the entry of the hash function in {@linkcode stampLog}. */
  readonly bundle?: ProofBundle | string;
  readonly imprintHash?: Exclude<TestHash, "SHA-1">;
  readonly content?: string;
}

/** A token of `authority` with a proof, good but for the changes. */
export async function stampBy(
  authority: TestAuthority,
  log: TestLog,
  { bundle, imprintHash = "SHA-256", content = CONTENT, ...change }: StampChange = {},
): Promise<Bytes> {
  const proof = bundle ?? log.bundle(ENTRY[imprintHash]);
  const attested = typeof proof === "string" ? undefined : proof.signed_attestation.attestation;
  return await authority.token(digest(imprintHash, utf8(content)), {
    unsigned: [proofAttribute(typeof proof === "string" ? proof : JSON.stringify(proof))],
    ...change,
    info: {
      imprint: imprintBy(imprintHash, content),
      serial: serialOf(attested?.sequence ?? ENTRY[imprintHash]),
      genTime: generalizedTime(attested?.timestamp ?? STAMP_TIME),
      accuracy: der.sequence(der.integer(60)),
      ...change.info,
    },
  });
}

/** Places in a token, each a path of indexes. */
export const AT = {
  signedData: [1, 0],
  content: [1, 0, 2],
  certificates: [1, 0, 3],
  signer: [1, 0, 4, 0],
  signedAttributes: [1, 0, 4, 0, 3],
  signature: [1, 0, 4, 0, 5],
} as const;

/** `token` with other bytes at a place. */
export function replaced(
  token: Bytes,
  place: readonly number[],
  change: (found: DerValue) => Bytes,
): Bytes {
  const rebuild = (found: DerValue, [index, ...rest]: readonly number[]): Bytes =>
    index === undefined ? change(found) : der.value(
      found.tag,
      ...found.children.map((child, i) => i === index ? rebuild(child, rest) : child.bytes),
    );
  return rebuild(readDer(token, "token"), place);
}

/** The members of a place with another list of them. */
export function withMembers(
  token: Bytes,
  place: readonly number[],
  change: (members: readonly Bytes[]) => readonly Bytes[],
): Bytes {
  return replaced(
    token,
    place,
    ({ tag, children }) => der.value(tag, ...change(children.map(({ bytes }) => bytes))),
  );
}

/** `bytes` with one bit changed in its last byte. */
export function flipped(bytes: Bytes): Bytes {
  const changed = bytes.slice();
  changed[changed.length - 1]! ^= 1;
  return changed;
}

/** A ContentInfo whose outer length is not in its shortest form. */
export function withLongLength(token: Bytes): Bytes {
  return concat(fromHex("308300"), token.subarray(2));
}

/** A ContentInfo of indefinite length. */
export function withoutLength(token: Bytes): Bytes {
  return concat(fromHex("3080"), token.subarray(4), fromHex("0000"));
}
