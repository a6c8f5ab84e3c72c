/**
 * A time-stamp authority in front of a test network: its identity, requests, and tokens with their proofs.
 *
 * @module
 */

import type { Bytes } from "../../../src/base/bytes.ts";
import {
  type AttestedHash,
  TimestampAuthority,
} from "../../../src/gateway/timestamping/timestamp_authority.ts";
import type { TimestampIdentity } from "../../../src/gateway/timestamping/timestamp_signer.ts";
import { loadCompiledKernels } from "../../../src/proof/crypto/compiled_kernels.ts";
import { ATTESTED_POLICY } from "../../../src/proof/timestamp/attached_proof.ts";
import { readCertificate } from "../../../src/proof/timestamp/certificate.ts";
import type { Certificate } from "../../../src/proof/timestamp/certificate.ts";
import { tokenIn } from "../../../src/proof/timestamp/attested_token.ts";
import { FakeClock } from "../../fake_clock.ts";
import { imprintOf, TestAuthority } from "../../proof/timestamp/test_authority.ts";
import * as der from "../../proof/timestamp/der.ts";
import { hashAlgorithm, type TestHash, type TestKeyKind } from "../../proof/timestamp/test_keys.ts";
import { TestLog } from "../../proof/verify/test_log.ts";
import { TestNetwork } from "../../proof/verify/test_network.ts";

/** Those of a gateway. */
const kernels = await loadCompiledKernels();

/** Unix seconds of all attestations: 2026-11-21 12:00:00. */
export const TIME = 1_795_262_400;

/** The identity of `authority`, whose chain has no root. */
export function identityOf(
  authority: TestAuthority,
  kind: TestKeyKind = "P-256",
): TimestampIdentity {
  const { signer, intermediate } = authority;
  return {
    signer: {
      scheme: kind === "RSA" ? "rsa-3072" : "ecdsa-p256",
      publicKey: signer.key.spki,
      sign: (message) => signer.key.sign(message),
    },
    certificates: [
      readCertificate(signer.der, "signer"),
      readCertificate(intermediate.der, "intermediate"),
    ],
    policy: ATTESTED_POLICY,
  };
}

export function authorityOf(identity: TimestampIdentity, now = TIME): TimestampAuthority {
  return new TimestampAuthority({ identity, kernels, clock: new FakeClock(now) });
}

/** A request as RFC 3161 section 2.4.1 has it. */
export function requestOf(
  imprint: Bytes,
  { nonce, certReq = true, policy, version = 1, extensions }: {
    readonly nonce?: bigint;
    readonly certReq?: boolean;
    readonly policy?: string;
    readonly version?: number;
    readonly extensions?: Bytes;
  } = {},
): Bytes {
  return der.sequence(
    der.integer(version),
    imprint,
    ...policy === undefined ? [] : [der.objectId(policy)],
    ...nonce === undefined ? [] : [der.integer(nonce)],
    ...certReq ? [der.boolean(true)] : [],
    ...extensions === undefined ? [] : [der.explicit(0, extensions)],
  );
}

/** The MessageImprint of `content`. */
export async function imprintOfContent(content: Bytes, hash: TestHash = "SHA-256"): Promise<Bytes> {
  return imprintOf(await digestBy(content, hash), hashAlgorithm(hash));
}

export async function digestBy(content: Bytes, hash: TestHash): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(hash, content));
}

export function rootOf({ root }: TestAuthority): Certificate {
  return readCertificate(root.der, "root");
}

/** A network whose log gets a round of the hash and three others. */
export class AttestedNetwork {
  readonly network: TestNetwork;
  readonly log: TestLog;

  constructor(id = "home.example/ed25519") {
    this.network = new TestNetwork(id);
    this.log = new TestLog(this.network);
  }

  attest(hash: string, timestamp = TIME, places?: readonly number[]): AttestedHash {
    const others = [1, 2, 3].map((i) => (i + this.log.size).toString(16).padStart(64, "0"));
    this.log.addRound([...others, hash], { timestamp, ...(places && { places }) });
    const sequence = this.log.size - 1;
    return { timestamp, sequence, bundle: JSON.stringify(this.log.bundle(sequence)) };
  }
}

/** The granted token for `request`, attested by `attested`. */
export async function tokenFor(
  authority: TimestampAuthority,
  request: Bytes,
  attest: (hash: string) => AttestedHash,
): Promise<Bytes> {
  const accepted = authority.accept(request);
  if (!("hash" in accepted)) throw new Error("the request was rejected");
  const { bytes } = await authority.grant(accepted, attest(accepted.hash));
  return tokenIn(bytes);
}
