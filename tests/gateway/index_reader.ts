/**
 * The digests of a test, and a thread that reads them in a replica of an index while another thread appends
 * them.
 *
 * @module
 */

import { systemClock } from "../../src/base/clock.ts";
import { ABSENT, PERHAPS_SEALED } from "../../src/gateway/index/digest_index.ts";
import { IndexReplica } from "../../src/gateway/index/index_replica.ts";
import { DIGEST_WORDS } from "../../src/gateway/index/keyed_hash.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import type { SharedIndex } from "../../src/gateway/index/shared_index.ts";

/** The first message to the reader; handles follow, and last the text `finish`. */
export interface ReaderStart {
  readonly handles: SharedIndex;
  /** One atomic word: the sequence after the last durable digest. */
  readonly progress: SharedArrayBuffer;
}

/** The answer of the reader, first when it begins and then when it has finished. */
export interface Checked {
  readonly durable: number;
  readonly sealedRuns: number;
  readonly unsealedRuns: number;
  /** Digests found in memory, and in the filter of a sealed run. */
  readonly found: number;
  readonly sealed: number;
  readonly faults: readonly string[];
}

/** The words of the digest at `sequence`: valid until the next call. No word is zero. */
export function digestOf(sequence: number): Uint32Array {
  for (let i = 0; i < DIGEST_WORDS; i++) {
    DIGEST[i] = Math.imul(sequence + 1, 0x9e3779b1 + 2 * i) | 1;
  }
  DIGEST[3] = sequence + 1;
  return DIGEST;
}

const DIGEST = new Uint32Array(DIGEST_WORDS);

export function acceptedAtOf(sequence: number): number {
  return 1_000_000 + sequence;
}

class Reader {
  readonly #replica: IndexReplica;
  readonly #progress: Int32Array;
  readonly #faults: string[] = [];
  #found = 0;
  #sealed = 0;
  #step = 0;

  constructor({ handles, progress }: ReaderStart) {
    const noStore = () => Promise.reject(new Error("read the store"));
    this.#replica = new IndexReplica(handles, {
      sealed: { bucket: noStore },
      source: { rows: noStore },
    });
    this.#progress = new Int32Array(progress);
  }

  update(handles: SharedIndex): void {
    this.#replica.update(handles);
  }

  get checked(): Checked {
    const { sealedRuns, unsealedRuns } = this.#replica;
    const durable = Atomics.load(this.#progress, 0);
    const [found, sealed, faults] = [this.#found, this.#sealed, this.#faults];
    return { durable, sealedRuns, unsealedRuns, found, sealed, faults };
  }

  /** Checks digests on both sides of the durable end, and others. */
  check(): void {
    for (let i = 0; i < 100; i++) {
      const durable = Atomics.load(this.#progress, 0);
      this.#step = Math.imul(this.#step, 1_664_525) + 1_013_904_223 | 0;
      const random = (this.#step >>> 8) / 2 ** 24;
      if (durable > 0) this.#checkDurable(Math.floor(random * durable));
      if (durable > 0) this.#checkDurable(durable - 1);
      this.#checkBeyond(durable + Math.floor(random * 4_000));
      this.#checkAbsent(Math.floor(random * 2 ** 24));
    }
  }

  #checkDurable(sequence: number): void {
    const found = this.#replica.probe(digestOf(sequence), 0);
    const { sealedRuns, unsealedRuns } = this.#replica;
    if (sequence < sealedRuns * RUN_LEAVES) {
      this.#sealed++;
      return this.#require(found === PERHAPS_SEALED, `sealed ${sequence} at ${found}`);
    }
    // The handles of a new run may be on their way.
    if (sequence >= (sealedRuns + unsealedRuns) * RUN_LEAVES) return;
    this.#found++;
    this.#require(found === sequence, `${sequence} at ${found}`);
    const acceptedAt = this.#replica.acceptedInMemory(sequence);
    this.#require(acceptedAt === acceptedAtOf(sequence), `${sequence} accepted at ${acceptedAt}`);
    const digest = this.#replica.digests(sequence, sequence + 1);
    const isRight = digest instanceof Uint8Array && digest.buffer instanceof ArrayBuffer &&
      new Uint32Array(digest.buffer).every((word, i) => word === DIGEST[i]);
    this.#require(isRight, `another digest of ${sequence}`);
  }

  #checkBeyond(sequence: number): void {
    const found = this.#replica.probe(digestOf(sequence), 0);
    const isAllowed = found === ABSENT || found === PERHAPS_SEALED || found === sequence;
    this.#require(isAllowed, `${sequence}, not durable, at ${found}`);
  }

  #checkAbsent(sequence: number): void {
    const words = digestOf(sequence);
    words[7] = words[7]! ^ 2;
    const found = this.#replica.probe(words, 0);
    this.#require(found < 0, `a digest that was never appended at ${found}`);
  }

  #require(holds: boolean, fault: string): void {
    if (!holds && this.#faults.length < 10) this.#faults.push(fault);
  }
}

async function read(scope: DedicatedWorkerScope): Promise<void> {
  const messages: (ReaderStart | SharedIndex | "finish")[] = [];
  const started = Promise.withResolvers<void>();
  scope.onmessage = ({ data }) => {
    messages.push(data);
    started.resolve();
  };
  await started.promise;
  const reader = new Reader(messages.shift() as ReaderStart);
  scope.postMessage(reader.checked);
  while (true) {
    for (const message of messages.splice(0)) {
      if (message !== "finish") {
        reader.update(message as SharedIndex);
        continue;
      }
      reader.check();
      return scope.postMessage(reader.checked);
    }
    reader.check();
    await systemClock.sleep(1);
  }
}

interface DedicatedWorkerScope {
  onmessage: (event: MessageEvent) => void;
  postMessage(message: Checked): void;
}

if ("WorkerGlobalScope" in globalThis) void read(globalThis as unknown as DedicatedWorkerScope);
