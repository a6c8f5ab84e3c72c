/**
 * What external anchoring needs from outside, declared by it and adapted elsewhere: the published
 * log, a store and HTTP; and what each kind of anchor provides.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Clock } from "../clock.ts";
import type { Fields } from "../format/fields.ts";
import type { AnchorProof, AnchorRecord } from "../format/records.ts";
import type { JsonValue } from "../format/strict_json.ts";
import type { TreeHead } from "../format/tree_head.ts";

/**
 * One configured service. Errors are CountersignErrors: `anchor_unreachable` where asking again may
 * help, `anchor_refused` for an answer that does not verify. Both methods stop when `signal` aborts.
 */
export interface AnchorService {
  /** Has `digest` (32 bytes, SHA-256 of a checkpoint body) anchored. The answer was checked. */
  anchor(digest: Bytes, signal: AbortSignal): Promise<AnchorProof>;
  /** Asks again for a pending proof: the same one, or a better one. Only of services that need it. */
  upgrade?(digest: Bytes, pending: AnchorProof, signal: AbortSignal): Promise<AnchorProof>;
}

/** An anchor to be verified offline. */
export interface AnchorClaim extends AnchorProof {
  readonly digest: Bytes;
  /** Contents of the files that the user supplied for this provider, in order. */
  readonly roots: readonly Bytes[];
}

/** What offline verification finds. A `failed` one contradicts itself or the roots. */
export type AnchorVerdict =
  | {
    readonly status: "verified";
    /**
     * Unix seconds: the digest existed then, rounded up by what the proof leaves open. Absent where
     * the proof shows that the digest was published, and nobody says when.
     */
    readonly notAfter?: number;
    /** Who says so, for a person, such as `RFC 3161 token of CN=Example TSA`. */
    readonly source: string;
  }
  | { readonly status: "failed" | "not_checked"; readonly reason: string };

/** A file that the provider's standard tools accept. */
export interface AnchorFile {
  /** With the dot. */
  readonly extension: string;
  readonly bytes: Bytes;
  /** A command that verifies it; FILE and CHECKPOINT in it stand for the files' names. */
  readonly command?: string;
}

/** What a provider may use of the outside. */
export interface AnchorContext {
  readonly http: AnchorHttp;
  readonly clock: Clock;
  /** Allows `http:` URLs beyond loopback. */
  readonly insecure: boolean;
  /**
   * Contents of a file that the configuration names, relative to it; `configuration_missing`,
   * `file_failed`.
   */
  readonly readFile: (path: string) => Promise<Bytes>;
}

/** One kind of anchor: everything that the program knows of it. */
export interface AnchorProvider {
  /** The `provider` of protocol.md "Resources", and of an entry of `anchors` in `network.json`. */
  readonly name: string;
  /** Members that its entry may have beyond the common ones. */
  readonly members: { readonly required: readonly string[]; readonly optional: readonly string[] };
  /**
   * Which of these are URLs that the service is asked at, or lists of them, and which are files. The
   * gateway is given leave for what they say, and for nothing else.
   */
  readonly reach: { readonly urls: readonly string[]; readonly files: readonly string[] };
  /** What `--anchor-root NAME=FILE` takes, for a person. */
  readonly rootsHelp: string;
  /** Seconds after which a `required` batch without a confirmed anchor makes the gateway unready. */
  readonly defaultMaxDelaySeconds: number;
  /** Seconds between two anchors of one service; 60 when absent, 0 for one after each batch. */
  readonly defaultIntervalSeconds?: number;
  /** The service of an entry; `malformed_configuration`, `invalid_configuration`, `file_failed`. */
  configure(entry: Fields, context: AnchorContext): Promise<AnchorService>;
  /** Verifies offline: no network, no clock. Never throws for what a proof says. */
  verify(claim: AnchorClaim): Promise<AnchorVerdict>;
  /** The files of a proof that standard tools accept; none where there is no such tool. */
  files(digest: Bytes, proof: JsonValue): readonly AnchorFile[];
}

/** An answer of a service. */
export interface AnchorAnswer {
  readonly status: number;
  /** Lowercase, without parameters; empty when absent. */
  readonly contentType: string;
  readonly body: Bytes;
}

/**
 * HTTP as providers have it: bounded in time and size, redirects refused. Rejects with
 * `anchor_unreachable`; any status is an answer.
 */
export interface AnchorHttp {
  request(
    url: URL,
    init: {
      readonly method: "GET" | "POST";
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Bytes;
    },
    signal: AbortSignal,
  ): Promise<AnchorAnswer>;
}

/** Durable anchors, by service and tree size. Methods reject with `storage_failed`. */
export interface AnchorStore {
  /** Durable once resolved; replaces a pending one of the same service and size. */
  save(record: AnchorRecord): Promise<void>;
  /** The confirmed anchor of smallest size that is at least `size`. */
  firstConfirmed(service: string, size: number): Promise<AnchorRecord | undefined>;
  /** The pending anchor of smallest size that is at least `size`. */
  firstPending(service: string, size: number): Promise<AnchorRecord | undefined>;
  /** Pending anchors of size above `after`, ascending, at most `limit`. */
  pending(service: string, after: number, limit: number): Promise<AnchorRecord[]>;
  /** The anchor of largest size, pending or confirmed. */
  last(service: string): Promise<AnchorRecord | undefined>;
  /** The confirmed anchor of largest size. */
  lastConfirmed(service: string): Promise<AnchorRecord | undefined>;
}

/** The published log, as anchoring reads it. */
export interface AnchoredLog {
  /** The latest published head, of its first STH; `undefined` while there is none. */
  latest(): TreeHead | undefined;
  /** The published head of smallest size above `size`. */
  firstAbove(size: number): Promise<TreeHead | undefined>;
  /** Calls `listener` after each publication, until `signal` aborts. */
  onPublished(listener: () => void, signal: AbortSignal): void;
}
