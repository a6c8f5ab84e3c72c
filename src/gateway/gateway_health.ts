/**
 * Whether a gateway accepts digests, and why not: judged from what witnesses report, from faults of
 * the store, and from its own start and stop. Each change is reported once.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import { Condition, type Report } from "../report.ts";
import { ForkEvidence, type ForkEvidenceContext } from "./fork_evidence.ts";
import type { LogStore } from "./ports.ts";
import type { HealthStatus, StalledStatus } from "./service.ts";
import { StoreOutage } from "./settle.ts";
import type { SigningMode } from "./signing.ts";

/** How often the store's file is compared with the opened file. */
const STORE_CHECK_MS = 2_000;

/** What a change of health acts on. */
export interface GatewayHealthContext extends Omit<ForkEvidenceContext, "reported" | "withdrawn"> {
  /** The threshold agrees with the committed head, as far as is known. */
  readonly isHeadAgreed: () => boolean;
  /** Accepts digests before the witnesses have agreed with the store. */
  readonly acceptsBeforeWitnesses: boolean;
  /** Why the store takes no writes at present. */
  readonly outage: () => CountersignError | undefined;
  /** Why nothing is signed or published though something waits. */
  readonly stalled: () => StalledStatus | undefined;
  readonly clock: Clock;
  readonly report: Report;
  /** Which rounds may be signed from now on. */
  readonly setSigning: (mode: SigningMode) => void;
  /** Answers all requests that wait. */
  readonly releaseWaiters: () => void;
  /** Puts the committed head to the witnesses again. */
  readonly doubtHead: () => void;
}

/** The health of one gateway. */
export class GatewayHealth {
  readonly evidence: ForkEvidence;
  readonly #context: GatewayHealthContext;
  #status: Exclude<HealthStatus, StalledStatus | "witnesses_unavailable"> = "ok";
  /** The threshold has cosigned our head since the start. */
  #hasAgreed = false;
  readonly #unconfirmed: Condition;
  readonly #contradiction: Condition;
  #hasFailed = false;
  /** Set once the store's file was deleted or replaced. */
  #lost: StoreOutage | undefined;

  constructor(context: GatewayHealthContext) {
    this.#context = context;
    this.#unconfirmed = new Condition(context);
    this.#contradiction = new Condition(context);
    this.evidence = new ForkEvidence({
      ...context,
      reported: () => this.#contradicted(),
      withdrawn: () => this.#withdrawn(),
    });
  }

  get status(): HealthStatus {
    const { acceptance } = this;
    return acceptance === "ok" ? this.#context.stalled() ?? "ok" : acceptance;
  }

  /** Why nothing is accepted; `ok` while digests are. */
  get acceptance(): Exclude<HealthStatus, StalledStatus> {
    if (this.#status !== "ok") return this.#status;
    const { acceptsBeforeWitnesses, outage } = this.#context;
    if (outage() !== undefined) return "storage_failed";
    return this.#hasAgreed || acceptsBeforeWitnesses ? "ok" : "witnesses_unavailable";
  }

  /** Whether digests that wait may be signed, and their rounds stored. */
  get isSigning(): boolean {
    return this.#status === "ok" && this.#context.outage() === undefined;
  }

  /** Throws the reason why nothing can be accepted now. */
  checkAccepting(): void {
    const status = this.acceptance;
    if (status === "ok") return;
    const outage = this.#lost ?? this.#context.outage();
    if (status === "storage_failed" && outage !== undefined) throw outage;
    if (status === "witnesses_unavailable") {
      throw new CountersignError(
        status,
        "Cannot accept digests: the gateway has started, and too few witnesses have confirmed that " +
          "its store is the newest. Retry later",
      );
    }
    throw new CountersignError(
      status satisfies ErrorCode,
      `Cannot accept digests: the health of the gateway is ${status}`,
    );
  }

  /**
   * Throws if the store was lost, or turned out to be an old copy, while a request waited: a
   * digest in a lost file is not acknowledged, and neither is an unsigned one in an old copy.
   */
  checkStillStored(isSigned: boolean): void {
    const isOldCopy = this.#status === "store_rolled_back";
    if (this.#lost !== undefined || isOldCopy && !isSigned) this.checkAccepting();
  }

  /** Called after the first head was put to the witnesses; reports if too few have agreed. */
  started(): void {
    if (this.#hasAgreed || this.#status !== "ok") return;
    this.#unconfirmed.holds(
      this.#context.acceptsBeforeWitnesses
        ? "Warning: hashes are accepted before the witnesses have confirmed that this store is the " +
          "newest. If it is an old copy, these hashes are never signed and are lost"
        : "Too few witnesses have confirmed that this store is the newest: no hash is accepted until " +
          "they do. Start the witnesses; --accept-before-witnesses accepts hashes before that",
      { code: "witnesses_unavailable" },
    );
  }

  /** The threshold has cosigned the committed head. */
  agreed(): void {
    this.#hasAgreed = true;
    this.#unconfirmed.ended("The witnesses agree with the store");
    this.#reconsider();
  }

  /** The gateway stops. */
  shutDown(): void {
    if (this.#status !== "storage_failed") this.#status = "shutting_down";
    this.#context.releaseWaiters();
  }

  /** Records a fault that no retry fixes. Returns false after the first one. */
  fail(): boolean {
    if (this.#hasFailed) return false;
    this.#hasFailed = true;
    this.#status = "storage_failed";
    this.#context.releaseWaiters();
    return true;
  }

  /** Compares the store's file with the opened file, until `signal` aborts. */
  async watchFile(store: LogStore, clock: Clock, signal: AbortSignal): Promise<void> {
    if (store.checkFile === undefined) return;
    while (!signal.aborted) {
      await clock.sleep(STORE_CHECK_MS, signal);
      try {
        await store.checkFile();
      } catch (error) {
        return this.#storeLost(error);
      }
    }
  }

  /** Keeps the process alive: only it has the file open and can serve its content. */
  #storeLost(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#lost = new StoreOutage(message, error);
    if (this.#status === "shutting_down" || this.#hasFailed) return;
    this.#status = "storage_failed";
    this.#context.setSigning("none");
    this.#context.releaseWaiters();
    this.#context.report(message, { level: "error", code: "storage_failed" });
  }

  /** Ends `store_rolled_back` when too few witnesses contradict the store by now. */
  #reconsider(): void {
    this.#setRolledBack(this.evidence.verdict());
  }

  /** Witnesses signed a round that had been refused: they may agree again. */
  #withdrawn(): void {
    if (this.#context.isHeadAgreed()) this.#reconsider();
  }

  #contradicted(): void {
    const verdict = this.evidence.verdict();
    if (verdict !== undefined) this.#setRolledBack(verdict);
  }

  #setRolledBack(error: CountersignError | undefined): void {
    if (this.#status !== "ok" && this.#status !== "store_rolled_back") return;
    const { setSigning, releaseWaiters, doubtHead } = this.#context;
    // Other rounds of an old copy would use sequences that the log has already assigned.
    setSigning(error === undefined ? "all" : this.evidence.isBehind ? "none" : "refused");
    const status = error === undefined ? "ok" : "store_rolled_back";
    const isNew = status !== this.#status;
    this.#status = status;
    if (error === undefined) {
      return this.#contradiction.ended("The witnesses agree with the store again");
    }
    if (isNew) {
      doubtHead();
      releaseWaiters();
    }
    this.#contradiction.holds(error.message, { level: "error", code: error.code });
  }
}
