/**
 * A log with three witnesses, shown in several places that may lie or fail, and a monitor of it whose
 * store and alerts are in memory.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../../src/base/bytes.ts";
import { loadCompiledKernels } from "../../../src/proof/crypto/compiled_kernels.ts";
import { Ed25519Signer } from "../../../src/proof/crypto/ed25519_native.ts";
import { CountersignError } from "../../../src/base/errors.ts";
import { type LogPolicy, parseLogPolicy } from "../../../src/proof/format/log_policy.ts";
import { parseNote } from "../../../src/proof/format/note.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine } from "../../../src/proof/format/note_writer.ts";
import { cosignatureMessage } from "../../../src/proof/format/tree_head.ts";
import type { TileAddress } from "../../../src/proof/merkle/tile.ts";
import type { Finding } from "../../../src/logs/monitor/findings.ts";
import { Monitor } from "../../../src/logs/monitor/monitor.ts";
import type {
  Acknowledgement,
  Alert,
  MonitoredLog,
  MonitorStore,
  View,
} from "../../../src/logs/monitor/ports.ts";
import { policyRule } from "../../../src/logs/publishing/checkpoint_rule.ts";
import type { SuccessionLink } from "../../../src/proof/format/succession.ts";
import type { LogSource } from "../../../src/logs/publishing/ports.ts";
import { unixSeconds } from "../../../src/base/clock.ts";
import { FakeClock } from "../../fake_clock.ts";
import { SyntheticLog } from "../publishing/synthetic_log.ts";
import { nativeCrypto } from "../../schemes.ts";

const kernels = await loadCompiledKernels();

export const ORIGIN = "Log of example.org";
const LOG_SEED = new Uint8Array(32).fill(1);
const WITNESSES = ["w1", "w2", "w3"].map((name, i) => {
  const signer = new Ed25519Signer(new Uint8Array(32).fill(10 + i));
  const key = { name, type: NOTE_TYPE.cosignature, publicKey: signer.publicKey };
  return { signer, key };
});

/** The log's `policy`: two of three witnesses. */
export function policyText({ vkey }: SyntheticLog): string {
  return [
    `log ${vkey}`,
    ...WITNESSES.map(({ key }) => `witness ${key.name} ${encodeVkey(key)}`),
    "group two 2 w1 w2 w3",
    "quorum two",
    "",
  ].join("\n");
}

/** A log whose checkpoints are cosigned at the clock's time. */
export class CosignedLog extends SyntheticLog {
  readonly #clock: FakeClock;
  /** How many witnesses cosign. */
  cosigners = 3;
  /** Added to the time of cosignatures. */
  aheadSeconds = 0;

  constructor(clock: FakeClock, entries: readonly (readonly [count: number, salt: string])[] = []) {
    super(ORIGIN, LOG_SEED);
    this.#clock = clock;
    for (const [count, salt] of entries) this.grow(count, salt);
  }

  override async checkpoint(): Promise<string> {
    const note = await super.checkpoint();
    const { text } = parseNote(note);
    const lines = WITNESSES.slice(0, this.cosigners).map((_, i) => this.cosign(text, i));
    return note + (await Promise.all(lines)).join("");
  }

  /** The line of witness number `i` under the text of a note. */
  async cosign(text: string, i: number): Promise<string> {
    const { signer, key } = WITNESSES[i]!;
    const time = unixSeconds(this.#clock) + this.aheadSeconds;
    const signature = await signer.sign(utf8(cosignatureMessage(time, text)));
    return encodeSignatureLine(cosignatureLine(key, time, signature));
  }
}

/** A place that shows a log, truly unless a test says otherwise. */
export class Place implements LogSource {
  readonly name: string;
  log: SyntheticLog;
  /** Shown in place of the log's checkpoint. */
  shown: string | undefined;
  /** Every answer is this error. */
  fault: CountersignError | undefined;
  /** Changes the tiles and entries that are shown. */
  change: (address: TileAddress, bytes: Bytes) => Bytes | undefined = (_, bytes) => bytes;

  constructor(name: string, log: SyntheticLog) {
    this.name = name;
    this.log = log;
  }

  async checkpoint(): Promise<string | undefined> {
    if (this.fault !== undefined) throw this.fault;
    return this.shown ?? await this.log.checkpoint();
  }

  async tile(address: TileAddress): Promise<Bytes | undefined> {
    if (this.fault !== undefined) throw this.fault;
    const bytes = await this.log.tile(address);
    return bytes && this.change(address, bytes);
  }

  succession(): Promise<{ readonly value: readonly SuccessionLink[] }> {
    return Promise.resolve({ value: [] });
  }

  /** Keeps showing the present checkpoint. */
  async freeze(): Promise<void> {
    this.shown = await this.log.checkpoint();
  }
}

export class Killed extends Error {}

/** A store in memory. From call `killAt` on, before or after its effect, every call fails. */
export class MemoryStore implements MonitorStore {
  readonly name = "state.json";
  text: string | undefined;
  readonly evidence = new Map<string, string>();
  readonly acknowledged = new Map<string, Acknowledgement>();
  killAt = Infinity;
  killsAfter = false;
  calls = 0;
  /** Writes fail, as on a full disk. */
  isFull = false;

  read = () => this.#call(() => this.text);
  write = (text: string) => {
    if (!this.isFull) return this.#call(() => void (this.text = text));
    return Promise.reject(new CountersignError("storage_failed", "disk full"));
  };
  putEvidence = (name: string, text: string) =>
    this.#call(() => {
      if (this.isFull) throw new CountersignError("storage_failed", "disk full");
      if (!this.evidence.has(name)) this.evidence.set(name, text);
      return `evidence/${name}`;
    });
  acknowledgements = () => this.#call(() => [...this.acknowledged.values()]);
  removeAcknowledgement = (id: string) => this.#call(() => void this.acknowledged.delete(id));

  /** Before an effect that is not the store's, such as an alert. */
  step(): void {
    this.calls++;
    if (this.calls > this.killAt || (this.calls === this.killAt && !this.killsAfter)) {
      throw new Killed();
    }
  }

  #call<T>(run: () => T): Promise<T> {
    return Promise.resolve().then(() => {
      this.step();
      const result = run();
      if (this.calls >= this.killAt) throw new Killed();
      return result;
    });
  }
}

export interface WorldOptions {
  readonly maxAgeSeconds?: number;
  readonly watch?: MonitoredLog["watch"];
  readonly bundlesPerPoll?: number;
  readonly graceSeconds?: number;
  /** By default two of three witnesses. */
  readonly quorum?: "none";
}

export class World {
  readonly clock = new FakeClock();
  readonly log = new CosignedLog(this.clock, [[300, ""]]);
  readonly store = new MemoryStore();
  /** All that were sent, in order. */
  readonly alerts: Alert[] = [];
  readonly reports: string[] = [];
  /** With tiles. */
  readonly places: Place[] = [new Place("operator", this.log)];
  /** Without tiles. */
  readonly witnesses: Place[] = [];
  /** False while the receiver of alerts does not answer. */
  receives = true;
  readonly #options: WorldOptions;
  #monitor: Monitor | undefined;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
  }

  get policy(): LogPolicy {
    const { quorum = "two" } = this.#options;
    return parseLogPolicy(utf8(policyText(this.log).replace("quorum two", `quorum ${quorum}`)));
  }

  /** The findings of the present monitor. */
  get findings(): readonly Finding[] {
    return this.#monitor!.findings;
  }

  /** What was alerted, each `<kind> <view> opened` or `ended`. */
  get said(): string[] {
    return this.alerts.map(({ text }) => {
      const { type, data } = JSON.parse(text);
      return `${data.kind} ${data.view ?? "-"} ${type.replace("finding.", "")}`;
    });
  }

  monitor(): Promise<Monitor> {
    const { bundlesPerPoll = 4, watch = [], maxAgeSeconds, graceSeconds = 300 } = this.#options;
    const views: View[] = [
      ...this.places.map((place) => ({ name: place.name, heads: place, tiles: place })),
      ...this.witnesses.map((place) => ({ name: place.name, heads: place })),
    ];
    return Monitor.open({
      logs: [{
        origin: ORIGIN,
        views,
        watch,
        bundlesPerPoll,
        rule: policyRule(nativeCrypto, this.policy, ORIGIN),
        ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
      }],
      store: this.store,
      clock: this.clock,
      kernels,
      report: (message) => this.reports.push(message),
      channels: [{
        name: "receiver",
        send: async (alert) => {
          if (!this.receives) return false;
          this.store.step();
          this.alerts.push(alert);
          if (this.store.calls >= this.store.killAt) throw new Killed();
          return await Promise.resolve(true);
        },
      }],
      intervalSeconds: 60,
      graceSeconds,
    });
  }

  /** Polls `times` times, a minute after one another. */
  async poll(times = 1): Promise<void> {
    for (let i = 0; i < times; i++) {
      this.#monitor ??= await this.monitor();
      await this.#monitor.once(1_000, new AbortController().signal);
      await this.clock.advance(60_000);
    }
  }

  /** The next poll is that of a new process. */
  restart(): void {
    this.#monitor = undefined;
  }
}

/** A log like that of `world`, which differs from entry `from` on. */
export function forkOf({ log, clock }: World, from: number, size: number): CosignedLog {
  if (from > log.size) throw new RangeError("The log is too small");
  return new CosignedLog(clock, [[from, ""], [size - from, "other "]]);
}
