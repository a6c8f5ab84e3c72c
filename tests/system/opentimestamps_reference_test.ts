/**
 * Our OpenTimestamps beside the reference implementation, Debian's `python3-opentimestamps`: each
 * reads what the other writes, evaluates it to the same attestations and writes the same bytes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { type Bytes, hexOf, utf8 } from "../../src/base/bytes.ts";
import { hasCode } from "../../src/base/errors.ts";
import {
  digestLengthOf,
  OPERATION_TAG,
  type OtsAttestation,
} from "../../src/gateway/anchors/opentimestamps/items.ts";
import {
  calendarsService,
  opentimestamps,
} from "../../src/gateway/anchors/opentimestamps/provider.ts";
import { Calendar } from "../../src/gateway/anchors/opentimestamps/calendar.ts";
import {
  decodeTimestampFile,
  encodeTimestampFile,
  mergeTimestamps,
  type TimestampFile,
  visitMessages,
} from "../../src/gateway/anchors/opentimestamps/format.ts";
import { verifyOpenTimestamps } from "../../src/gateway/anchors/opentimestamps/verify.ts";
import { FetchAnchorHttp } from "../../src/http/outgoing/anchor_http.ts";
import { REGTEST_TARGET } from "../gateway/anchors/opentimestamps/bitcoin_miner.ts";
import { bytes, timestamps } from "../gateway/anchors/opentimestamps/arbitraries.ts";
import { TestCalendar } from "../gateway/anchors/opentimestamps/test_calendar.ts";
import { FakeClock } from "../fake_clock.ts";
import { runTool } from "./tools.ts";

/** Debian's own interpreter, which finds Debian's packages. */
const PYTHON = "/usr/bin/python3";
const SCRIPT = fileURLToPath(new URL("opentimestamps_reference.py", import.meta.url));
const SEED = 20_261_121;
const FILES = 200;

/** A file as both show it. */
interface Shown {
  /** Tag of the operation that made the digest. */
  readonly hash: number;
  /** Messages in hex and what attests them. */
  readonly attested: readonly (readonly [string, string])[];
  /** The file as it is written again, in hex. */
  readonly file: string;
}

type Answer = Shown | { readonly error: string };

/** What the reference answers. */
async function ask<T>(request: Readonly<Record<string, unknown>>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "request.json");
    await Deno.writeTextFile(file, JSON.stringify(request));
    const { code, stdout, stderr } = await runTool(PYTHON, [SCRIPT, file], { cwd: folder });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as T;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function shown(file: TimestampFile): Shown {
  const attested: [string, string][] = [];
  visitMessages(file.digest, file.timestamp, (message, { attestations }) => {
    for (const one of attestations) attested.push([hexOf(message), named(one)]);
  });
  return { hash: file.hash, attested, file: hexOf(encodeTimestampFile(file)) };
}

function named(attestation: OtsAttestation): string {
  if (attestation.kind === "pending") return `pending ${attestation.uri}`;
  if (attestation.kind !== "unknown") return `${attestation.kind} ${attestation.height}`;
  return `unknown ${hexOf(attestation.tag)} ${hexOf(attestation.payload)}`;
}

const { sha1, ripemd160, sha256, keccak256 } = OPERATION_TAG;
const files: fc.Arbitrary<TimestampFile> = fc
  .constantFrom(sha1, ripemd160, sha256, keccak256)
  .chain((hash) =>
    fc.record({
      hash: fc.constant(hash),
      digest: bytes(digestLengthOf(hash)!, digestLengthOf(hash)!),
      timestamp: timestamps,
    }, { noNullPrototype: true })
  );

const sample = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.sample(arbitrary, { seed: SEED, numRuns: FILES });

Deno.test("the reference reads what we write, and writes the same bytes", async () => {
  const ours = sample(files).map(shown);
  assert.deepEqual(await ask<Answer[]>({ do: "read", files: ours.map(({ file }) => file) }), ours);
});

Deno.test("we read what the reference writes, and write the same bytes", async () => {
  const theirs = await ask<Shown[]>({ do: "write", seed: SEED, count: FILES });
  assert.equal(theirs.length, FILES);
  // Nothing is left out: every kind of attestation and of digest is there.
  const names = new Set(
    theirs.flatMap(({ attested }) => attested.map(([, name]) => name.split(" ")[0])),
  );
  assert.deepEqual([...names].toSorted(), [
    "bitcoin",
    "ethereum",
    "litecoin",
    "pending",
    "unknown",
  ]);
  assert.equal(new Set(theirs.map(({ hash }) => hash)).size, 4);
  for (const file of theirs) {
    assert.deepEqual(shown(decodeTimestampFile(Uint8Array.fromHex(file.file))), file);
  }
});

Deno.test("both merge to the same", async () => {
  const pairs = sample(fc.tuple(files, timestamps)).map(([file, timestamp]) =>
    [file, { ...file, timestamp }] as const
  );
  const merged = pairs.map(([first, second]) =>
    shown({ ...first, timestamp: mergeTimestamps(first.timestamp, second.timestamp) })
  );
  const request = pairs.map((pair) => pair.map((file) => hexOf(encodeTimestampFile(file))));
  assert.deepEqual(await ask({ do: "merge", pairs: request }), merged);
});

Deno.test("what the reference refuses we refuse, and what we accept it means as we do", async () => {
  const damaged = sample(fc.tuple(files, fc.nat(), fc.integer({ min: 1, max: 255 }))).map(
    ([file, at, by]) => {
      const damagedFile = encodeTimestampFile(file);
      // Behind the digest, where the timestamp is.
      const start = 33 + file.digest.length;
      damagedFile[start + at % (damagedFile.length - start)]! ^= by;
      return damagedFile;
    },
  );
  const theirs = await ask<Answer[]>({ do: "read", files: damaged.map(hexOf) });
  const accepted = damaged.map((file, i) => [accept(file), theirs[i]!] as const)
    .filter(([ours]) => ours !== undefined);
  for (const [ours, reference] of accepted) assert.deepEqual(ours, reference);
  assert.ok(accepted.length > 10 && accepted.length < FILES, `${accepted.length} accepted`);
  assert.ok(theirs.some((answer) => "error" in answer));
});

function accept(file: Bytes): Shown | undefined {
  try {
    return shown(decodeTimestampFile(file));
  } catch (error) {
    if (!hasCode(error, "malformed_text")) throw error;
    return undefined;
  }
}

Deno.test("the reference verifies the file of an anchor against the header that we do", async () => {
  await using stack = new AsyncDisposableStack();
  const calendars = [stack.use(new TestCalendar()), stack.use(new TestCalendar())];
  // The calendars of the tests are real ones to the reference's own client.
  for (const { url } of calendars) {
    const commitment = "ab".repeat(32);
    const [[message, attestation] = []] = await ask<[string, string][]>({
      do: "submit",
      url,
      commitment,
    });
    assert.equal(attestation, `pending ${url}`);
    assert.equal(message?.length, 2 * (4 + 32 + 8));
  }
  const digest = new Uint8Array(32).fill(0x2e);
  const time = 1_800_000_000;
  const http = new FetchAnchorHttp({ insecure: false });
  const service = calendarsService(
    calendars.map(({ url }) => new Calendar(new URL(`${url}/`), http)),
    2,
    new FakeClock(time),
  );
  const signal = new AbortController().signal;
  const taken = await service.anchor(digest, signal);
  const [pendingFile] = opentimestamps.files(digest, taken.proof);
  const [read] = await ask<Shown[]>({ do: "read", files: [hexOf(pendingFile!.bytes)] });
  assert.deepEqual(read, shown(decodeTimestampFile(pendingFile!.bytes)));

  // Not next to one another: then the one would have to name the other.
  const headers = new Map(calendars.map((calendar, i) => {
    const height = 900_000 + 2 * i;
    return [height, calendar.confirm(height, time + 600 * i)];
  }));
  for (const [message, attestation] of read!.attested) {
    const url = attestation.replace("pending ", "");
    const [found] = await ask<[string, string][]>({ do: "complete", url, commitment: message });
    assert.match(found![1], /^bitcoin 90000[02]$/);
  }
  const confirmed = await service.upgrade(digest, taken, signal);
  assert.equal(confirmed.status, "confirmed");
  const [file] = opentimestamps.files(digest, confirmed.proof);
  const times = await ask({
    do: "verify",
    file: hexOf(file!.bytes),
    headers: Object.fromEntries([...headers].map(([height, header]) => [height, hexOf(header)])),
  });
  assert.deepEqual(times, [time, time + 600]);
  const text = [...headers].map(([height, header]) => `${height} ${hexOf(header)}\n`).join("");
  const claim = { ...confirmed, digest, roots: [utf8(text)] };
  const verdict = verifyOpenTimestamps(claim, REGTEST_TARGET);
  assert.equal(verdict.status === "verified" && verdict.notAfter, time + 7200);
});
