/**
 * Time-stamp tokens as proofs: what a token states, who signed it, and the bundle that it carries.
 *
 * @module
 */

import { type Bytes, fromHex, hexOf } from "../../base/bytes.ts";
import { CountersignError, expectedError } from "../../base/errors.ts";
import { namingFile } from "../../config/validation.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import {
  type AuthorityFinding,
  judgeTimestamp,
  parseTimestamp,
  type TimestampReason,
} from "../../proof/timestamp/attested_token.ts";
import {
  type Certificate,
  MAX_ROOTS_FILE_BYTES,
  readRoots,
} from "../../proof/timestamp/certificate.ts";
import { attestedHash } from "../../proof/timestamp/message_imprint.ts";
import type { TimeStampToken } from "../../proof/timestamp/token.ts";
import { bundleIn } from "../../proof/timestamp/verify_timestamp.ts";
import { NOT_PROVEN, type Verdict } from "../../proof/verify/verdict.ts";
import type { CommandContext } from "../command_context.ts";
import { contentOf, hashContent } from "../input_file.ts";
import { type Line, timeText } from "../output.ts";
import { closingLines } from "../verdict_report.ts";

/** What a token states and whether its authority and the witnesses vouch for it, as JSON. */
export interface ShownToken {
  readonly valid: boolean;
  readonly reason?: TimestampReason;
  readonly field?: string;
  readonly authority: AuthorityFinding;
  /** Unix seconds, as the authority signed it. */
  readonly time: number;
  readonly accuracy_microseconds: number;
  readonly hash_algorithm: string;
  readonly digest: string;
  /** Of the attestation that the token needs. */
  readonly attested_hash: string;
  /** Hex. */
  readonly serial_number: string;
  readonly policy: string;
}

/** The token in `bytes`, from file `name`, and its bundle. `timestamp_refused`, `malformed_bundle`. */
export function readTokenFile(
  bytes: Bytes,
  name: string,
): { readonly token: TimeStampToken; readonly bundle: ProofBundle | undefined } {
  try {
    const token = parseTimestamp(bytes);
    return { token, bundle: bundleIn(token) };
  } catch (error) {
    const cause = expectedError(error);
    throw new CountersignError(
      cause.code,
      `${cause.message}, in "${name}": it has no token, or it is damaged (get it again, or request ` +
        "another time stamp)",
      { cause },
    );
  }
}

/** A token, and the roots by which it is verified. */
export class TimestampProof {
  /** Absent if the token carries none. */
  readonly bundle: ProofBundle | undefined;
  readonly #context: CommandContext;
  readonly #token: TimeStampToken;
  readonly #roots: readonly Certificate[];

  /**
   * Reads the token in `bytes`, from file `name`, and the certificates in `rootFiles`. `timestamp_refused`,
   * `malformed_bundle`, `invalid_configuration`, `file_failed`.
   */
  static async read(
    context: CommandContext,
    bytes: Bytes,
    name: string,
    rootFiles: readonly string[],
  ): Promise<TimestampProof> {
    const { token, bundle } = readTokenFile(bytes, name);
    const roots = await Promise.all(rootFiles.map(async (file) => {
      const content = await contentOf(context, file, MAX_ROOTS_FILE_BYTES);
      return namingFile(file, () => readRoots(content));
    }));
    return new TimestampProof(context, token, bundle, roots.flat());
  }

  private constructor(
    context: CommandContext,
    token: TimeStampToken,
    bundle: ProofBundle | undefined,
    roots: readonly Certificate[],
  ) {
    this.bundle = bundle;
    this.#context = context;
    this.#token = token;
    this.#roots = roots;
  }

  /** The hash that the witnesses attest for the token's imprint. */
  get hash(): string {
    return attestedHash(this.#context.crypto.kernels, this.#token.info.imprint);
  }

  /** The hash that the witnesses attest for a token of `file` by the same hash function. */
  async hashOf(file: string): Promise<string> {
    const { hash } = this.#token.info.imprint;
    const algorithm = hash.toLowerCase().replace("-", "");
    const digest = await hashContent(this.#context, file, { algorithm });
    return attestedHash(this.#context.crypto.kernels, { hash, digest: fromHex(digest) });
  }

  /** `verdict` is that on the bundle, which must be about {@linkcode hash}. */
  async shown(verdict: Verdict | undefined): Promise<ShownToken> {
    const { bundle } = this;
    const proof = bundle && verdict && { bundle, verdict };
    const judged = await judgeTimestamp(this.#token, proof, { roots: this.#roots });
    const { info, valid, reason, field, authority } = judged;
    return {
      valid,
      ...(reason !== undefined && { reason }),
      ...(field !== undefined && { field }),
      authority,
      time: info.genTime,
      accuracy_microseconds: info.accuracy,
      hash_algorithm: info.imprint.hash,
      digest: hexOf(info.imprint.digest),
      attested_hash: this.hash,
      serial_number: hexOf(info.serial),
      policy: info.policy,
    };
  }
}

/** Why a token with a genuine bundle, or without one, is not valid: a sentence about `subject`. */
export function tokenStatement({ reason, field, authority }: ShownToken, subject: string): string {
  if (authority.status === "refused") {
    return `${subject} is not proved: the authority of its time stamp is refused`;
  }
  const detail = reason === "field_mismatch"
    ? `: its ${FIELD_NAMES[field!] ?? field} is not what they attested`
    : reason === "hash_mismatch"
    ? ": the proof in it is about another hash"
    : "";
  return `${subject} is not proved: the time stamp is signed by the authority, but not by the ` +
    `witnesses${detail}`;
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  gen_time: "time",
  serial_number: "serial number",
  accuracy: "accuracy",
};

/** What the authority signed, in lines of the report of its bundle. */
export function tokenLines(token: ShownToken): Line[] {
  const { authority, hash_algorithm, digest, policy, accuracy_microseconds: accuracy } = token;
  return [
    authorityLine(authority),
    `time stamp: of ${hash_algorithm} ${digest}, to within ${
      accuracy / 1_000_000
    } s, policy ${policy}`,
  ];
}

function authorityLine(authority: AuthorityFinding): Line {
  switch (authority.status) {
    case "verified":
      return `authority: ${authority.subject}, its root was given`;
    case "not_checked":
      return `authority: ${authority.subject}, not compared with a root (--tsa-root FILE)`;
    case "refused":
      return { text: `authority: refused: ${authority.message}`, accent: "red" };
  }
}

/** Reports a token that carries no proof. */
export async function reportBareToken(
  { output }: CommandContext,
  proof: TimestampProof,
  name: string,
): Promise<void> {
  const token = await proof.shown(undefined);
  output.result({
    valid: false,
    level: "invalid" as const,
    statement: tokenStatement(token, name),
    token,
    not_proven: NOT_PROVEN,
  }, (shown) => [
    { text: "INVALID", accent: "red" },
    shown.statement,
    ...tokenLines(shown.token),
    ...(shown.token.authority.status === "refused"
      ? []
      : [`time that the authority states: ${timeText(shown.token.time)}`]),
    ...closingLines(),
  ]);
}
