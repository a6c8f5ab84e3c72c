/** When witnesses are asked: a clock that the test moves, and a witness in memory. */

import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { unixSeconds } from "../../../src/base/clock.ts";
import { CountersignError } from "../../../src/base/errors.ts";
import type { AddCheckpoint } from "../../../src/proof/format/add_checkpoint.ts";
import { parseLogPolicy } from "../../../src/proof/format/log_policy.ts";
import {
  cosignatureLine,
  encodeNote,
  noteSignature,
} from "../../../src/proof/format/note_writer.ts";
import { NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import {
  cosignatureMessage,
  encodeCheckpointBody,
  parseCheckpointBody,
} from "../../../src/proof/format/tree_head.ts";
import { Witnessing } from "../../../src/gateway/witnessing/witnessing.ts";
import { FakeClock } from "../../fake_clock.ts";
import { nativeCrypto } from "../../schemes.ts";
import { NO_COSIGNATURES } from "./no_cosignatures.ts";
import { forkedTree, NOW, pathOf, signerOf, TestLog } from "../../witness/fixture.ts";

const log = new TestLog();
const tree = forkedTree("tree", 4, 300);
const signer = signerOf("witness.example");
const key = {
  name: "witness.example",
  type: NOTE_TYPE.cosignature,
  publicKey: signer.publicKey,
};

/** A log that the test grows, and a witness that answers as `fails` says. */
class Site implements AsyncDisposable {
  readonly clock = new FakeClock(NOW);
  readonly reports: string[] = [];
  /** Seconds since the start, and size, of each request. */
  readonly asked: (readonly [second: number, size: number])[] = [];
  fails: string | undefined;
  size = 0;
  readonly witnessing: Witnessing;
  readonly #listeners = new Set<() => void>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** @param all and `own`: the intervals of all witnesses and of this one, in seconds */
  constructor(all: number, own = 0) {
    const { clock } = this;
    this.witnessing = new Witnessing({
      plan: {
        witnesses: [{
          name: key.name,
          keys: [key],
          intervalSeconds: own,
          client: { addCheckpoint: (request) => this.#answer(request) },
        }],
        intervalSeconds: all,
        policy: parseLogPolicy(utf8("quorum none\n")),
      },
      log: {
        checkpoint: () => this.size === 0 ? undefined : this.#checkpoint(),
        consistencyPath: (first, second) => Promise.resolve(pathOf(tree, first, second)),
        onCosigned: (listener) => this.#listeners.add(listener),
      },
      // Without input and output, so that time does not pass meanwhile.
      store: { ...NO_COSIGNATURES, save: () => Promise.resolve() },
      crypto: nativeCrypto,
      clock,
      random: () => 0.5,
      ownKeys: () => [],
      statusChanged: () => {},
      changed: () => {},
      report: (message) => this.reports.push(message),
    });
    this.#running = this.witnessing.run(this.#stop.signal);
  }

  publish(size: number): void {
    this.size = size;
    for (const listener of this.#listeners) listener();
  }

  /** Until the witness was asked `count` times. */
  until(count: number, ms?: number): Promise<void> {
    return this.clock.until(() => this.asked.length >= count, ms);
  }

  #checkpoint(): string {
    const text = encodeCheckpointBody(log.head(tree, this.size));
    const logKey = { name: log.origin, type: NOTE_TYPE.ed25519, publicKey: log.signer.publicKey };
    return encodeNote({ text, signatures: [noteSignature(logKey, log.signer.sign(utf8(text)))] });
  }

  #answer({ checkpoint: { text } }: AddCheckpoint) {
    const time = unixSeconds(this.clock);
    this.asked.push([time - NOW, parseCheckpointBody(text).tree_size]);
    if (this.fails !== undefined) {
      return Promise.reject(new CountersignError("witness_unreachable", this.fails));
    }
    const signature = signer.sign(utf8(cosignatureMessage(time, text)));
    const lines = [cosignatureLine(key, time, signature)];
    return Promise.resolve({ kind: "cosigned" as const, lines });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

Deno.test("the latest checkpoint is sent once in an interval", async () => {
  await using site = new Site(10);
  site.publish(1);
  await site.until(1);
  for (let size = 2; size <= 9; size++) {
    site.publish(size);
    await site.clock.advance(1_000);
  }
  assert.deepEqual(site.asked, [[0, 1]]);
  await site.until(2);
  assert.deepEqual(site.asked, [[0, 1], [10, 9]]);
});

Deno.test("a witness with an interval of its own gets fewer checkpoints", async () => {
  await using site = new Site(1, 60);
  for (let size = 1; size <= 150; size++) {
    site.publish(size);
    await site.clock.advance(1_000);
  }
  assert.equal(site.asked.length, 3);
  const [first, second, third] = site.asked.map(([second]) => second) as [number, number, number];
  assert.ok(first <= 1 && second - first >= 60 && third - second >= 60, `${site.asked}`);
});

Deno.test("a log that does not grow is cosigned again after ten minutes", async () => {
  await using site = new Site(1);
  site.publish(7);
  await site.until(1);
  await site.clock.advance(599_000);
  assert.equal(site.asked.length, 1);
  await site.until(2, 10_000);
  assert.deepEqual(site.asked, [[0, 7], [600, 7]]);
});

Deno.test("pauses after failures grow, new checkpoints do not shorten them, and recovery is reported", async () => {
  await using site = new Site(0);
  site.fails = "down";
  site.publish(1);
  await site.until(1);
  for (let size = 2; size <= 200; size++) {
    site.publish(size);
    await site.clock.advance(10_000);
  }
  const pauses = site.asked.slice(1).map(([second], i) => second - site.asked[i]![0]);
  assert.ok(pauses.every((pause, i) => i === 0 || pause >= pauses[i - 1]!), `${pauses}`);
  assert.ok(pauses.at(-1)! >= 200 && pauses.length < 20, `${pauses}`);
  const [failing] = site.witnessing.status();
  assert.deepEqual([failing!.lastError, failing!.failingSince], ["witness_unreachable", NOW]);
  site.fails = undefined;
  const before = site.asked.length;
  await site.until(before + 1, 400_000);
  assert.equal(site.asked.at(-1)![1], 200);
  await site.clock.advance(1);
  assert.equal(site.witnessing.status()[0]!.failingSince, undefined);
  assert.match(
    site.reports.join("\n"),
    /down\. Nothing waits for it; retries continue\n.*again, after \d+ s$/,
  );
});

Deno.test("the log has each reason for which a witness refuses, though the code is the same", async () => {
  await using site = new Site(10);
  site.fails = "it does not follow our log";
  site.publish(1);
  await site.until(1);
  site.fails = "it has another key";
  await site.clock.until(() => site.reports.length > 1, 200_000);
  assert.deepEqual(site.reports.slice(0, 2), [
    "it does not follow our log. Nothing waits for it; retries continue",
    "it has another key. Nothing waits for it; retries continue",
  ]);
});
