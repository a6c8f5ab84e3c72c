/**
 * Monitors any number of logs, stores findings, and sends alerts.
 *
 * The order of writes loses no alert: evidence, then the state with the finding, then the alert, then the
 * state with the alert as sent. A process that is killed between the last two sends the alert again, with
 * the same id.
 *
 * @module
 */

import { type Clock, unixSeconds, withTimeLimit } from "../../base/clock.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError, expectedError } from "../../base/errors.ts";
import { Condition, errorDetails, type Report } from "../../base/report.ts";
import { type Finding, Findings } from "./findings.ts";
import { CLOCK_TOLERANCE_SECONDS } from "./head_check.ts";
import { LogMonitor } from "./log_monitor.ts";
import type { PollTime } from "./poll.ts";
import type { AlertChannel, MonitoredLog, MonitorStore } from "./ports.ts";
import { encodeMonitorState, type MonitorState, parseMonitorState } from "./state.ts";

export interface MonitorContext {
  readonly logs: readonly MonitoredLog[];
  readonly store: MonitorStore;
  readonly channels: readonly AlertChannel[];
  readonly intervalSeconds: number;
  /** How long a condition lasts before it is alerted. */
  readonly graceSeconds: number;
  readonly kernels: Kernels;
  readonly clock: Clock;
  readonly report: Report;
}

/** No poll takes longer: if more time passed between two polls, the clock was set. */
const LONGEST_POLL_SECONDS = 600;

const CLOCK_KEY = { kind: "clock", log: "" } as const;

/** A monitor of logs. */
export class Monitor {
  readonly #context: MonitorContext;
  readonly #findings: Findings;
  readonly #logs: readonly LogMonitor[];
  readonly #keeping: Condition;
  readonly #sending = new Map<string, Promise<void>>();
  #saved: Promise<void> = Promise.resolve();
  /** Unix seconds of the last poll, if this process made it. */
  #at: number;
  #isRunning = false;
  #polls = 0;

  private constructor(context: MonitorContext, state: MonitorState | undefined) {
    const { logs, channels, clock, report } = context;
    this.#context = context;
    this.#at = state?.at ?? 0;
    this.#findings = new Findings(state?.findings ?? [], channels.map(({ name }) => name));
    this.#findings.retain(
      ({ log: origin, view: name }) =>
        origin === "" || logs.some((log) =>
          log.origin === origin &&
          (name === undefined || log.views.some((view) => view.name === name))
        ),
      this.#at,
    );
    this.#logs = logs.map((log) =>
      new LogMonitor(
        { ...context, log, findings: this.#findings },
        state?.logs.find(({ origin }) => origin === log.origin),
      )
    );
    this.#keeping = new Condition({ clock, report });
  }

  /**
   * Continues from the stored state. Rejects as {@linkcode parseMonitorState}, with `storage_failed`, and
   * with `invalid_configuration` if a stored succession does not lead from the configured network.
   */
  static async open(context: MonitorContext): Promise<Monitor> {
    const { logs, store } = context;
    const text = await store.read();
    const state = text === undefined ? undefined : parseMonitorState(text, store.name);
    for (const { origin, rule } of logs) {
      const stored = state?.logs.find((log) => log.origin === origin);
      const failure = stored?.succession && await rule.take?.(stored.succession);
      if (failure === undefined) continue;
      throw new CountersignError(
        "invalid_configuration",
        `Cannot monitor ${origin}: the succession in "${store.name}" contradicts the configured ` +
          `network (${failure.reason}). Configure the network as before; to trust this one instead, use ` +
          "another state folder",
      );
    }
    return new Monitor(context, state);
  }

  /** Oldest first. */
  get findings(): readonly Finding[] {
    return this.#findings.all();
  }

  /** For metrics. */
  get facts() {
    return {
      polls: this.#polls,
      at: this.#at,
      logs: this.#context.logs.map(({ origin }, i) => ({
        origin,
        size: this.#logs[i]!.size,
        views: this.#logs[i]!.facts,
      })),
      unsent: this.#context.channels.filter(({ name }) => this.#findings.next(name) !== undefined)
        .map(({ name }) => name),
    };
  }

  /** Polls every log once, and sends alerts for at most `sendMs`. Rejects with the reason of `signal`. */
  async once(sendMs: number, signal: AbortSignal): Promise<void> {
    await Promise.all(this.#logs.map((log) => this.#poll(log, signal)));
    await withTimeLimit(this.#context.clock, sendMs, signal, async (limit) => {
      this.#send(limit);
      await Promise.all(this.#sending.values());
    });
  }

  /** Polls every log repeatedly, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, intervalSeconds } = this.#context;
    this.#send(signal);
    await Promise.all(this.#logs.map(async (log) => {
      while (!signal.aborted) {
        try {
          await this.#poll(log, signal);
        } catch (error) {
          if (signal.aborted) break;
          throw error;
        }
        this.#send(signal);
        await clock.sleep(intervalSeconds * 1000, signal);
        this.#isRunning = true;
      }
    }));
    await Promise.all(this.#sending.values());
    await this.#saved;
  }

  async #poll(log: LogMonitor, signal: AbortSignal): Promise<void> {
    const { store, graceSeconds } = this.#context;
    const acknowledgements = await this.#kept(() => store.acknowledgements()) ?? [];
    const moment = this.#begin();
    for (const { id, note } of acknowledgements) this.#findings.acknowledge(id, moment.now, note);
    await log.poll(moment, signal);
    this.#polls++;
    this.#findings.settle(moment.now, graceSeconds);
    if (!await this.#save()) return;
    for (const { id } of acknowledgements) {
      await this.#kept(() => store.removeAcknowledgement(id));
    }
  }

  /** The time now, after a check that the clock was not set since the last poll. */
  #begin(): PollTime {
    const { clock, intervalSeconds } = this.#context;
    const now = unixSeconds(clock);
    const change = now - this.#at;
    const longest = Math.max(3 * intervalSeconds, LONGEST_POLL_SECONDS);
    // After a start, any time may have passed.
    const isSet = change < -CLOCK_TOLERANCE_SECONDS || (this.#isRunning && change > longest);
    this.#at = now;
    if (!isSet) {
      this.#findings.clear(CLOCK_KEY, now);
      return { now, judgesAge: true };
    }
    const what = change < 0 ? "set back" : "set forward, or the machine was suspended,";
    const message = `between two polls, the clock was ${what} by ${Math.abs(change)} s`;
    this.#findings.observe(CLOCK_KEY, now, message);
    // A jump of the clock counts neither as time of a condition nor as age of a head.
    this.#findings.shift(change);
    for (const log of this.#logs) log.shift(change);
    return { now, judgesAge: false };
  }

  /** Starts to send the alerts that each channel has not sent. */
  #send(signal: AbortSignal): void {
    for (const channel of this.#context.channels) {
      if (this.#sending.has(channel.name)) continue;
      const sending = this.#sendAll(channel, signal)
        .finally(() => this.#sending.delete(channel.name));
      this.#sending.set(channel.name, sending);
    }
  }

  async #sendAll(channel: AlertChannel, signal: AbortSignal): Promise<void> {
    for (;;) {
      const next = this.#findings.next(channel.name);
      if (next === undefined || !await channel.send(next.alert, signal)) return;
      next.sent();
      await this.#save();
    }
  }

  /** Writes the state, after writes that are in flight. */
  #save(): Promise<boolean> {
    const result = this.#saved.then(async () => {
      const isSaved = await this.#kept(async () => {
        await this.#context.store.write(encodeMonitorState({
          at: this.#at,
          logs: this.#logs.map(({ state }) => state),
          findings: this.findings,
        }));
        return true;
      });
      return isSaved === true;
    });
    this.#saved = result.then(() => {}, () => {});
    return result;
  }

  /** Runs `act` on the folder. Reports a failure and resolves to `undefined`: the monitor still alerts. */
  async #kept<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await act();
      this.#keeping.ended("The state folder works again");
      return result;
    } catch (cause) {
      const error = expectedError(cause);
      const hint = "alerts go on, but a restart would repeat them";
      this.#keeping.holds(`${error.message}; ${hint}`, { level: "error", ...errorDetails(error) });
      return undefined;
    }
  }
}
