/**
 * The ports of external anchoring: the published log, a store and HTTP, which other folders implement,
 * and the interface of a provider.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import type { AnchorProof, AnchorRecord } from "../../proof/format/records.ts";
import type { Members, OfMembers } from "../../proof/format/schema.ts";
import type { JsonValue } from "../../proof/format/strict_json.ts";
import type { TreeHead } from "../../proof/format/tree_head.ts";

/**
 * A configured service. Methods reject with `anchor_unreachable` if a retry may help and with
 * `anchor_refused` for an answer that does not verify, and stop when `signal` aborts.
 */
export interface AnchorService {
  /** Anchors `digest` (32 bytes, SHA-256 of a checkpoint body) and checks the answer. */
  anchor(digest: Bytes, signal: AbortSignal): Promise<AnchorProof>;
  /** Asks again for a pending proof; resolves to it or a better one. Absent if never pending. */
  upgrade?(digest: Bytes, pending: AnchorProof, signal: AbortSignal): Promise<AnchorProof>;
}

/** An anchor to verify offline. */
export interface AnchorClaim extends AnchorProof {
  readonly digest: Bytes;
  /** Contents of the user's files for this provider, in order. */
  readonly roots: readonly Bytes[];
}

/** The result of offline verification. A `failed` anchor contradicts itself or the roots. */
export type AnchorVerdict =
  | {
    readonly status: "verified";
    /**
     * Unix seconds, rounded up: the digest existed then. Absent if the proof shows publication
     * without a time.
     */
    readonly notAfter?: number;
    /** The source of the time, for people, such as `RFC 3161 token of CN=Example TSA`. */
    readonly source: string;
  }
  | { readonly status: "failed" | "not_checked"; readonly reason: string };

/** A file for standard tools. */
export interface AnchorFile {
  /** The extension with its dot. */
  readonly extension: string;
  readonly bytes: Bytes;
  /** A command that verifies the file; FILE and CHECKPOINT stand for the names. */
  readonly command?: string;
}

/** The dependencies of a provider. */
export interface AnchorContext {
  readonly http: AnchorHttp;
  readonly clock: Clock;
  /** Allows `http:` URLs beyond loopback. */
  readonly insecure: boolean;
  /**
   * Reads a file by its path relative to the configuration; `configuration_missing`,
   * `file_failed`.
   */
  readonly readFile: (path: string) => Promise<Bytes>;
}

/** A kind of external anchor, whose entries in a configuration have the members `M`. */
export interface AnchorProvider<M extends Members = Members> {
  /** The `provider` of protocol.md "Resources", and of an entry of `anchors` in `network.json`. */
  readonly name: string;
  /** Members of its entry besides the common ones. */
  readonly members: M;
  /**
   * Which members are URLs of the service, or lists of them, and which are files. The gateway gets
   * permission for these hosts and files only.
   */
  readonly reach: { readonly urls: readonly string[]; readonly files: readonly string[] };
  /** Describes the FILE of `--anchor-root NAME=FILE`. */
  readonly rootsHelp: string;
  /** Seconds without a confirmed anchor after which a `required` service makes the gateway unready. */
  readonly defaultMaxDelaySeconds: number;
  /** Seconds between two anchors of a service; 60 when absent, 0 to anchor every batch. */
  readonly defaultIntervalSeconds?: number;
  /** Creates the service of an entry; `invalid_configuration`, `file_failed`. */
  configure(entry: OfMembers<M>, context: AnchorContext): Promise<AnchorService>;
  /** Verifies without network and clock. Never throws for an invalid proof. */
  verify(claim: AnchorClaim): Promise<AnchorVerdict>;
  /** The files of a proof for standard tools; empty if there is no such tool. */
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
 * HTTP with limits on time and size. Rejects with `anchor_unreachable`, also for a redirect; every
 * other status is an answer.
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

/** Reads durable anchors, by service and tree size. Methods reject with `storage_failed`. */
export interface AnchorReads {
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

/**
 * Durable anchors. Methods reject with `storage_failed`, and writes with `fence_lost` once another
 * process has taken the store.
 */
export interface AnchorStore extends AnchorReads {
  /** Durable once resolved; replaces a pending one of the same service and size. */
  save(record: AnchorRecord): Promise<void>;
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

/**
 * `off`: no requests; stored anchors stay visible. `best_effort`: anchors, and reports failures.
 * `required`: the gateway is also unready while a published head lacks a confirmed anchor for longer
 * than `maxDelaySeconds`. Publishing never waits.
 */
export type AnchorMode = "off" | "best_effort" | "required";

/** An entry of `anchors` in an operator's configuration. */
export interface ConfiguredAnchor {
  /** Distinct within a configuration. The store keeps anchors under it. */
  readonly name: string;
  readonly provider: AnchorProvider;
  readonly mode: AnchorMode;
  /** Minimum time between two anchors; 0 to anchor every batch. */
  readonly intervalSeconds: number;
  /** The limit of mode `required`. */
  readonly maxDelaySeconds: number;
  /** Absent in mode `off`. */
  readonly service?: AnchorService;
}
