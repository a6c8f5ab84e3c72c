/**
 * The health of a gateway: whether it accepts and signs digests, and why not. It holds and reports every
 * condition that is a value of {@linkcode HealthStatus}. `WitnessWatch` has those of single witnesses.
 *
 * @module
 */

import type { Clock } from "../base/clock.ts";
import type { CountersignError } from "../base/errors.ts";
import { Condition, errorText, type Report } from "../base/report.ts";
import type { Health } from "./fronts/ports.ts";
import { HealthView } from "./health_view.ts";
import { ForkEvidence, type ForkEvidenceContext } from "./sequencing/rollback_evidence.ts";
import type { LogStore } from "./ports.ts";
import type { HealthStatus } from "../proof/format/gateway_status.ts";
import { StoreOutage } from "../base/store_outage.ts";
import type { SigningMode } from "./signing/signing.ts";
import { REVIEW_MS, Stall, STALLED_MS } from "./stall.ts";

/** How often the store's file is compared with the opened file. */
const STORE_CHECK_MS = 2_000;

/** Digests wait, and none was signed or published for long; new hashes are accepted. */
type StalledStatus = "signing_stalled" | "publishing_stalled";
/** States of a gateway that accepts digests; the others are reasons to refuse them. */
type AcceptingStatus = "ok" | "degraded" | StalledStatus;

export interface GatewayHealthContext extends Omit<ForkEvidenceContext, "reported" | "withdrawn"> {
  /** Whether the threshold agrees with the committed head, as far as is known. */
  readonly isHeadAgreed: () => boolean;
  /** Accept digests before the witnesses have agreed with the store. */
  readonly acceptsBeforeWitnesses: boolean;
  /** False while another process may take the digests of this log. */
  readonly isActive: () => boolean;
  /** Why this process cannot find out whether another one does; `undefined` if it can. */
  readonly leaseFailure: () => string | undefined;
  /** Set while the store rejects writes. */
  readonly outage: () => CountersignError | undefined;
  /** Whether fewer witnesses sign or cosign at present than must. */
  readonly isShort: () => boolean;
  /** The first durable sequence that waits for its signatures. */
  readonly oldestUnsigned: () => number | undefined;
  /** The first signed sequence that waits for its tree head. */
  readonly oldestUnpublished: () => number | undefined;
  /** Age at which a batch closes, in milliseconds. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
  readonly report: Report;
  /** Which rounds may be signed from now on. */
  readonly setSigning: (mode: SigningMode) => void;
  /** Called when {@linkcode GatewayHealth.view} has another value. */
  readonly changed: (health: Health) => void;
  /** Asks the witnesses to cosign the committed head again. */
  readonly doubtHead: () => void;
}

export class GatewayHealth {
  readonly evidence: ForkEvidence;
  /** The current health. */
  readonly view: HealthView;
  readonly #context: GatewayHealthContext;
  #status: "ok" | Exclude<HealthStatus, AcceptingStatus | "witnesses_unavailable"> = "ok";
  /** The threshold has cosigned our head since the start. */
  #hasAgreed = false;
  readonly #unconfirmed: Condition;
  readonly #contradiction: Condition;
  readonly #outage: Condition;
  readonly #signing: Stall;
  readonly #publishing: Stall;
  #hasFailed = false;
  #endText: string | undefined;
  /** Set once the store's file was deleted or replaced. */
  #lost: StoreOutage | undefined;

  constructor(context: GatewayHealthContext) {
    this.#context = context;
    this.#unconfirmed = new Condition(context);
    this.#contradiction = new Condition(context);
    this.#outage = new Condition(context);
    const ifAccepting = (oldest: () => number | undefined) => () =>
      this.#acceptance === "ok" ? oldest() : undefined;
    this.#signing = new Stall({
      ...context,
      oldest: ifAccepting(context.oldestUnsigned),
      limitMs: STALLED_MS,
      begun:
        `A hash has waited for its signatures for more than ${STALLED_MS / 1000} s: /health is ` +
        "503 signing_stalled until it is signed. GET /ready names the cause",
      ended: "Hashes are signed again",
    });
    const limitMs = STALLED_MS + context.maxAgeMs;
    this.#publishing = new Stall({
      ...context,
      oldest: ifAccepting(context.oldestUnpublished),
      limitMs,
      begun:
        `No tree head was published for ${limitMs / 1000} s though hashes wait for one: /health ` +
        "is 503 publishing_stalled until one is. GET /ready names the cause",
      ended: "Tree heads are published in time again",
    });
    this.evidence = new ForkEvidence({
      ...context,
      reported: () => this.#contradicted(),
      withdrawn: () => this.#withdrawn(),
    });
    this.view = new HealthView(this.#current());
    this.view.checkActive = () => {
      if (context.isActive()) return;
      this.#update();
      this.view.checkAccepting();
    };
  }

  /** Called when a round is signed or a head published, which may end a stall. */
  progressed(): void {
    if (this.view.value.status !== "ok") this.#update();
  }

  /** Called when the witnesses did not sign a round. */
  roundFailed(): void {
    if (this.view.value.status === "ok") this.#update();
  }

  get #progress(): AcceptingStatus {
    if (this.#signing.isStalled) return "signing_stalled";
    if (this.#publishing.isStalled) return "publishing_stalled";
    return this.#context.isShort() ? "degraded" : "ok";
  }

  /** Compares the value of {@linkcode view} with the conditions that it depends on. */
  #update(): void {
    const health = this.#current();
    if (JSON.stringify(health) === JSON.stringify(this.view.value)) return;
    this.view.value = health;
    this.#context.changed(health);
  }

  #current(): Health {
    const acceptance = this.#acceptance;
    return {
      status: acceptance === "ok" ? this.#progress : acceptance,
      ...(acceptance !== "ok" && {
        refusal: { code: acceptance, message: this.#refusalMessage(acceptance) },
      }),
      isSigning: this.#status === "ok" && this.#context.outage() === undefined,
      unacknowledged: this.#unacknowledged,
    };
  }

  /** `ok` while digests are accepted, else the reason why not. */
  get #acceptance(): "ok" | Exclude<HealthStatus, AcceptingStatus> {
    if (this.#status !== "ok") return this.#status;
    const { isActive, outage, leaseFailure } = this.#context;
    if (outage() !== undefined) return "storage_failed";
    if (!isActive() && leaseFailure() !== undefined) return "storage_failed";
    if (this.#endText !== undefined) return "log_ended";
    if (!isActive()) return "standby";
    return this.#mayBegin ? "ok" : "witnesses_unavailable";
  }

  /** Signing waits as accepting does: an old copy of the store would have signed again what the log has signed. */
  get #mayBegin(): boolean {
    return this.#hasAgreed || this.#context.acceptsBeforeWitnesses;
  }

  #refusalMessage(status: HealthStatus): string {
    const outage = this.#lost ?? this.#context.outage();
    if (status === "storage_failed" && outage !== undefined) return outage.message;
    const leaseFailure = this.#context.leaseFailure();
    if (status === "storage_failed" && leaseFailure !== undefined) {
      // Its text names the address, which clients must not learn.
      return "The database of this log does not answer; retry later, or at another gateway of the log";
    }
    if (status === "witnesses_unavailable") {
      return "Cannot accept hashes yet: too few witnesses have confirmed since the start that the store " +
        "is the newest; retry later";
    }
    if (status === "standby") {
      return "This gateway was suspended for longer than its lease on the log, and another one may take " +
        "the hashes now; retry there, or in a moment";
    }
    if (status === "log_ended") return this.#endText!;
    return `The gateway accepts no hashes: its health is ${status}`;
  }

  /** A digest in a lost file must not be acknowledged, nor an unsigned digest in an old copy. */
  get #unacknowledged(): Health["unacknowledged"] {
    if (this.#lost !== undefined || !this.#context.isActive()) return "all";
    return this.#status === "store_rolled_back" ? "unsigned" : "none";
  }

  /** Called after the first attempt to cosign the stored head; reports if too few witnesses agreed. */
  started(): void {
    if (this.#endText !== undefined) return this.#context.report(this.#endText, { level: "info" });
    if (this.#hasAgreed || this.#status !== "ok") return;
    const { acceptsBeforeWitnesses, setSigning } = this.#context;
    this.#unconfirmed.holds(
      acceptsBeforeWitnesses
        ? "Warning: hashes are accepted before the witnesses have confirmed that this store is the " +
          "newest. If it is an old copy, these hashes are never signed and are lost"
        : "Too few witnesses have confirmed that this store is the newest, so no hash is accepted. Start " +
          "the witnesses, and the signer of the log's key if it has one, or use --accept-before-witnesses",
      { code: "witnesses_unavailable" },
    );
    if (acceptsBeforeWitnesses) setSigning("all");
  }

  /** Whether the threshold has cosigned our head since the start. */
  get hasAgreed(): boolean {
    return this.#hasAgreed;
  }

  /** The threshold has cosigned the committed head. */
  agreed(): void {
    this.#hasAgreed = true;
    this.#unconfirmed.ended("The witnesses agree with the store");
    this.#reconsider();
    this.#update();
  }

  /** The log ends: accepted digests are signed and published, and no more are accepted. */
  logEnds(refusal: string): void {
    this.#endText = refusal;
    this.#update();
  }

  shutDown(): void {
    if (this.#status !== "storage_failed") this.#status = "shutting_down";
    this.#update();
  }

  /** Records a fault that no retry fixes. Returns false after the first one. */
  fail(): boolean {
    if (this.#hasFailed) return false;
    this.#hasFailed = true;
    this.#status = "storage_failed";
    this.#update();
    return true;
  }

  /** Reviews the health until `signal` aborts. */
  async run(store: LogStore, signal: AbortSignal): Promise<void> {
    await Promise.all([this.#review(signal), this.#watchFile(store, signal)]);
  }

  async #review(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#context.clock.sleep(REVIEW_MS, signal);
      if (signal.aborted) return;
      this.reviewStore();
      this.#signing.review();
      this.#publishing.review();
      this.#update();
    }
  }

  /** Compares the store's file with the opened file. */
  async #watchFile(store: LogStore, signal: AbortSignal): Promise<void> {
    if (store.checkFile === undefined) return;
    while (!signal.aborted) {
      await this.#context.clock.sleep(STORE_CHECK_MS, signal);
      try {
        await store.checkFile();
      } catch (error) {
        return this.#storeLost(error);
      }
    }
  }

  /** Called when `isActive` has another result. */
  activeChanged(): void {
    this.#update();
    this.#contradicted();
  }

  /** Reports that the store rejects writes, or accepts them again. */
  reviewStore(): void {
    this.#update();
    const outage = this.#context.outage();
    if (outage === undefined) return this.#outage.ended("The store accepts writes again");
    this.#outage.holds(
      `${outage.message}. The gateway is read-only until a write succeeds: reads go on, ` +
        "submissions get 503 storage_failed. Check free space, mount and permissions of the data folder, " +
        "or the database",
      { level: "error", code: outage.code },
    );
  }

  /** The process stays alive: only it has the file open and can serve its content. */
  #storeLost(error: unknown): void {
    const message = errorText(error);
    this.#lost = new StoreOutage(message, error);
    if (this.#status === "shutting_down" || this.#hasFailed) return this.#update();
    this.#status = "storage_failed";
    this.#context.setSigning("none");
    this.#update();
    this.#context.report(message, { level: "error", code: "storage_failed" });
  }

  /** Ends `store_rolled_back` if too few witnesses contradict the store now. */
  #reconsider(): void {
    this.#setRolledBack(this.evidence.verdict());
  }

  /** Called when witnesses sign a round that they had refused: they may agree again. */
  #withdrawn(): void {
    if (this.#context.isHeadAgreed()) this.#reconsider();
  }

  #contradicted(): void {
    // A gateway that took over has continued the log: then this one has lost its lease, and is no old copy.
    if (!this.#context.isActive()) return;
    const verdict = this.evidence.verdict();
    if (verdict !== undefined) this.#setRolledBack(verdict);
  }

  #setRolledBack(error: CountersignError | undefined): void {
    if (this.#status !== "ok" && this.#status !== "store_rolled_back") return;
    const { setSigning, doubtHead } = this.#context;
    // Other rounds of an old copy would reuse sequences that the log has assigned already.
    const mode = this.#mayBegin ? "all" : "none";
    setSigning(error === undefined ? mode : this.evidence.isBehind ? "none" : "refused");
    const isNew = error !== undefined && this.#status === "ok";
    this.#status = error === undefined ? "ok" : "store_rolled_back";
    this.#update();
    if (error === undefined) {
      return this.#contradiction.ended("The witnesses agree with the store again");
    }
    if (isNew) doubtHead();
    this.#contradiction.holds(error.message, { level: "error", code: error.code });
  }
}
