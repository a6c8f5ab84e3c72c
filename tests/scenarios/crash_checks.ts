/**
 * What has to hold after any crash. Each check answers its violations in words, and goes on behind
 * each of them.
 *
 * @module
 */

import { parseConsistencyProof, parseSignedTreeHead } from "../../src/proof/format/bundle.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { verifyConsistencyProof } from "../../src/proof/verify/log_proofs.ts";
import { keepsHead } from "../kept_head.ts";
import { nativeCrypto } from "../schemes.ts";
import { HttpClient } from "./http_client.ts";
import type { WitnessRecorder } from "./witness_recorder.ts";

const READERS = 8;
const POLL_MS = 20;
/** All of what is waited for has to be batched in this time. */
const BATCHED_MS = 120_000;
/** And what was signed last has to be published in this. */
const PUBLISHED_MS = 60_000;
/** Of so many heads, others than the next are looked at too. */
const FAR_PAIRS = 100;

/** A job as the checks look at it. */
interface FoundJob {
  readonly status: number;
  readonly progress?: string;
  readonly sequence?: number;
  readonly hash?: string;
}

/** Places in the log, by accepted hash. */
export type Places = ReadonlyMap<string, number>;

/**
 * Every hash of `accepted` is there, and ends confirmed and batched, each at a place of its own. By
 * GET alone: to submit again would make what was lost.
 */
export async function checkAccepted(
  address: Deno.NetAddr,
  accepted: Iterable<string>,
): Promise<{ readonly violations: string[]; readonly places: Places }> {
  const violations: string[] = [];
  const places = new Map<string, number>();
  const holders = new Map<number, string>();
  const deadline = performance.now() + BATCHED_MS;
  // One iterator for all readers: each takes the next that nobody took.
  const rest = accepted[Symbol.iterator]();
  const read = async () => {
    using connection = await HttpClient.open(address);
    for (let next; !(next = rest.next()).done;) {
      const hash = next.value;
      const job = await settledJob(connection, hash, deadline);
      const { status, progress, sequence } = job;
      if (status !== 200) violations.push(`${hash} was accepted and is answered with ${status}`);
      else if (progress !== "batched") violations.push(`${hash} was accepted and is ${progress}`);
      else if (sequence === undefined || job.hash !== hash) {
        violations.push(`${hash} was accepted and another is attested`);
      } else {
        const holder = holders.get(sequence);
        if (holder !== undefined) violations.push(`${hash} and ${holder} share ${sequence}`);
        holders.set(sequence, hash);
        places.set(hash, sequence);
      }
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  return { violations, places };
}

async function settledJob(
  connection: HttpClient,
  hash: string,
  deadline: number,
): Promise<FoundJob> {
  for (;;) {
    const { status, text } = await connection.get(`/v1/attestations/${hash}`);
    // 503: the gateway cannot say now whether it has the hash.
    if (status !== 200 && (status !== 503 || performance.now() > deadline)) return { status };
    const { progress, signed_attestation: signed } = status === 200 ? JSON.parse(text) : {};
    if (progress === "batched" || performance.now() > deadline) {
      return { status, progress, ...signed?.attestation };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Every head that a client saw, and every one that a witness signed, is published with its root, and
 * each is a prefix of the next: so all of them are, of one another. Some far apart are checked too.
 */
export async function checkHeads(
  address: Deno.NetAddr,
  network: NetworkConfiguration,
  known: { readonly seen: ReadonlyMap<number, string>; readonly recorder: WitnessRecorder },
): Promise<string[]> {
  const violations: string[] = [];
  using connection = await HttpClient.open(address);
  const roots = signedRoots(known.recorder, violations);
  const sizes = [...new Set([...known.seen.keys(), ...roots.keys()])]
    .filter((size) => size > 0).toSorted((a, b) => a - b);
  const published: number[] = [];
  const deadline = performance.now() + PUBLISHED_MS;
  for (const size of sizes) {
    let { status, text } = await connection.get(`/v1/log/sth/${size}`);
    while ((status === 404 || status === 503) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      ({ status, text } = await connection.get(`/v1/log/sth/${size}`));
    }
    if (status !== 200) {
      violations.push(`the head of size ${size} is answered with ${status}`);
      continue;
    }
    published.push(size);
    const sth = parseSignedTreeHead(text);
    const seen = known.seen.get(size);
    if (seen !== undefined && !keepsHead(sth, parseSignedTreeHead(seen))) {
      violations.push(`the head of size ${size} is not the one that was served before`);
    }
    const root = roots.get(size);
    if (root !== undefined && root !== sth.tree_head.root_hash) {
      violations.push(`the head of size ${size} has another root than the one that was signed`);
    }
  }
  for (const [first, second] of pairsOf(published)) {
    const { status, text } = await connection.get(
      `/v1/log/consistency?first=${first}&second=${second}`,
    );
    const isProven = status === 200 && (await verifyConsistencyProof(
      nativeCrypto,
      network,
      parseConsistencyProof(text),
      { first, second },
    )).valid;
    if (!isProven) violations.push(`the head of size ${first} is no prefix of that of ${second}`);
  }
  return violations;
}

/** The one root that all witnesses signed for each size. */
function signedRoots({ records }: WitnessRecorder, violations: string[]): Map<number, string> {
  const roots = new Map<number, string>();
  for (const { id, cosigned } of records) {
    for (const [size, root] of cosigned) {
      const other = roots.get(size);
      if (other !== undefined && other !== root) {
        violations.push(`${id} signed ${root} for size ${size}, another witness ${other}`);
      }
      roots.set(size, root);
    }
  }
  return roots;
}

/** Each size with the next; of some, evenly chosen, also with the last and with one half as far. */
function pairsOf(sizes: readonly number[]): [number, number][] {
  const last = sizes.length - 1;
  const stride = Math.ceil(sizes.length / FAR_PAIRS);
  return sizes.slice(0, -1).flatMap((size, i): [number, number][] => [
    [size, sizes[i + 1]!],
    ...(i % stride === 0
      ? [[size, sizes[last]!], [sizes[i >> 1]!, size]] as [number, number][]
      : []),
  ]);
}

/** No witness signed two roots for one size, went back, or signed two hashes for one place. */
export function checkWitnesses(recorder: WitnessRecorder, places: Places): string[] {
  const violations = recorder.records.flatMap(({ contradictions }) => contradictions);
  for (const [hash, sequence] of places) {
    const signed = recorder.signed[sequence];
    if (signed !== hash) {
      violations.push(`${hash} is attested at ${sequence}, where witnesses signed ${signed}`);
    }
  }
  return violations;
}
