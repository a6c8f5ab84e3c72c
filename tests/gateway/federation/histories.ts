/**
 * Forked logs with a common beginning, and their signed heads.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../../src/base/bytes.ts";
import type {
  Contradiction,
  GrowthProof,
  LoggedTreeHead,
} from "../../../src/proof/format/federation.ts";
import { encodeCheckpointBody } from "../../../src/proof/format/tree_head.ts";
import { showFirstRoot } from "../../../src/proof/merkle/shown_root.ts";
import { digestOf, TestLog, type TestNetwork } from "../../proof/verify/fixture.ts";

/** Unix seconds of all signatures. */
export const TIME = 1_800_000_000;

/** A log of `size` attestations that shares the first `fork` with every other of this kind. */
export function historyOf(network: TestNetwork, name: string, fork: number, size: number): TestLog {
  const log = new TestLog(network);
  const hashes = Array.from({ length: size }, (_, i) => digestOf(`${i < fork ? "" : name} ${i}`));
  for (let at = 0; at < size; at++) log.addRound([hashes[at]!], { timestamp: TIME - 60 });
  return log;
}

/** The head of `log` at `size` as its network sends it to a peer. */
export function loggedHead(
  log: TestLog,
  size: number,
  { timestamp = TIME, places }: { timestamp?: number; places?: readonly number[] } = {},
): LoggedTreeHead {
  const sth = log.sth(size, timestamp, places);
  return { sth, logSignature: log.network.log.sign(utf8(encodeCheckpointBody(sth.tree_head))) };
}

/** The path of `log` between two sizes, with the first root if the RFC omits it. */
export function shownPath(log: TestLog, first: number, second: number): Bytes[] {
  const root = Uint8Array.fromHex(log.head(first, TIME).root_hash);
  const path = log.consistencyPath(first, second).map((hash) => Uint8Array.fromHex(hash));
  return showFirstRoot(first, root, path);
}

/** The proofs that the head of `log` at `size` extends those of `oldSizes`. */
export function growthOf(
  log: TestLog,
  size: number,
  ...oldSizes: readonly number[]
): GrowthProof[] {
  return oldSizes.map((oldSize) => ({ oldSize, path: shownPath(log, oldSize, size) }));
}

/** Evidence by `second`, at its own size, against `first` at `size`. */
export function contradictionOf(
  [first, firstSize]: readonly [TestLog, number],
  [second, secondSize]: readonly [TestLog, number],
): Contradiction {
  return {
    origin: first.network.id,
    foundAt: TIME + 5,
    first: loggedHead(first, firstSize),
    second: loggedHead(second, secondSize),
    path: firstSize === secondSize ? [] : shownPath(second, firstSize, secondSize),
  };
}

/** `path` with one bit of one node flipped. */
export function damagedPath(path: readonly Bytes[], place: number): Bytes[] {
  const node = path[place]!;
  return path.with(place, node.with(0, node[0]! ^ 1)) as Bytes[];
}
