/**
 * The tables of limits of a thread whose clients also ask other processes for the same log. What a client
 * takes from a budget is reported to the others some milliseconds later, and what it took there is owed here.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { type ClientKey, clientName } from "../limits/client_key.ts";
import type { ElapsedTime } from "../limits/elapsed_time.ts";
import { type Rate, TokenBuckets } from "../limits/token_buckets.ts";
import type { ClientHoldings } from "../limits/holdings.ts";
import type { Charge } from "../transport/socket_frames.ts";
import { type BudgetName, type LimitTables, LOCAL_TABLES, type QuotaName } from "./limit_tables.ts";

/** The budgets that hold over all processes. A charge names one by its index. */
export const SHARED_BUDGETS = [
  "new_attestations",
  "reads",
  "event_streams",
] as const satisfies readonly BudgetName[];

const REPORT_MS = 50;

/** A table that reports. Clients with a rate of their own are reported in units of the table's rate. */
class ReportedBuckets extends TokenBuckets {
  readonly #rate: Rate;
  readonly #report: (client: ClientKey, amount: number) => void;

  constructor(
    rate: Rate,
    report: (client: ClientKey, amount: number) => void,
    memory: ReturnType<LimitTables["bucketsMemory"]>,
  ) {
    super(rate, ...memory);
    this.#rate = rate;
    this.#report = report;
  }

  override take(client: ClientKey, cost: number, ms: number, rate = this.#rate): boolean {
    const isTaken = super.take(client, cost, ms, rate);
    if (isTaken) this.#report(client, this.#unitsOf(cost, rate));
    return isTaken;
  }

  override owe(client: ClientKey, cost: number, ms: number, rate = this.#rate): void {
    super.owe(client, cost, ms, rate);
    this.#report(client, this.#unitsOf(cost, rate));
  }

  override giveBack(client: ClientKey, cost: number, rate = this.#rate): void {
    super.giveBack(client, cost, rate);
    this.#report(client, -this.#unitsOf(cost, rate));
  }

  /** Takes what another process has reported. */
  apply(client: ClientKey, amount: number, ms: number): void {
    if (amount >= 0) super.owe(client, amount, ms);
    else super.giveBack(client, -amount);
  }

  #unitsOf(cost: number, rate: Rate): number {
    return cost * this.#rate.perSecond / rate.perSecond;
  }
}

export class ReportedTables implements LimitTables {
  readonly #tables: LimitTables;
  readonly #buckets = new Map<number, ReportedBuckets>();
  readonly #clock: Clock;
  readonly #send: (charges: readonly Charge[]) => void;
  #unsent = new Map<string, { budget: number; client: ClientKey; amount: number }>();
  #time: ElapsedTime | undefined;

  /**
   * `send` is called with what clients took, at most every {@linkcode REPORT_MS}. `tables` are those of this
   * thread.
   */
  constructor(
    clock: Clock,
    send: (charges: readonly Charge[]) => void,
    tables: LimitTables = LOCAL_TABLES,
  ) {
    this.#clock = clock;
    this.#send = send;
    this.#tables = tables;
  }

  time(clock: Clock): ElapsedTime {
    return this.#time = this.#tables.time(clock);
  }

  bucketsMemory(name: BudgetName): ReturnType<LimitTables["bucketsMemory"]> {
    return this.#tables.bucketsMemory(name);
  }

  holdings(name: QuotaName): ClientHoldings {
    return this.#tables.holdings(name);
  }

  warnOnce(warn: (message: string) => void): (message: string) => void {
    return this.#tables.warnOnce(warn);
  }

  buckets(name: BudgetName, rate: Rate): TokenBuckets {
    const budget = (SHARED_BUDGETS as readonly BudgetName[]).indexOf(name);
    if (budget < 0) return this.#tables.buckets(name, rate);
    const taken = (client: ClientKey, amount: number) => this.#taken(budget, client, amount);
    const buckets = new ReportedBuckets(rate, taken, this.bucketsMemory(name));
    this.#buckets.set(budget, buckets);
    return buckets;
  }

  /** Takes what other processes have reported. */
  charged(charges: readonly Charge[]): void {
    const ms = this.#time?.nowMs() ?? 0;
    for (const { budget, client, amount } of charges) {
      this.#buckets.get(budget)?.apply(client, amount, ms);
    }
  }

  #taken(budget: number, client: ClientKey, amount: number): void {
    const name = `${budget} ${clientName(client)}`;
    const unsent = this.#unsent.get(name);
    if (unsent !== undefined) return void (unsent.amount += amount);
    if (this.#unsent.size === 0) void this.#clock.sleep(REPORT_MS).then(() => this.#report());
    this.#unsent.set(name, { budget, client, amount });
  }

  #report(): void {
    const charges = [...this.#unsent.values()].filter(({ amount }) => amount !== 0);
    this.#unsent = new Map();
    if (charges.length > 0) this.#send(charges);
  }
}
