/**
 * Two heads of one log: growth from a remembered head, and contradictions.
 *
 * @module
 */

import { utf8 } from "../../../../src/base/bytes.ts";
import {
  type Contradiction,
  contradictionMembers,
} from "../../../../src/proof/format/federation.ts";
import { encodeCheckpointBody } from "../../../../src/proof/format/tree_head.ts";
import { showFirstRoot } from "../../../../src/proof/merkle/shown_root.ts";
import type { TestLog } from "../test_log.ts";
import type { TestNetwork } from "../test_network.ts";
import type { MakeKind } from "./proof_cases.ts";
import { edits, rawOf } from "./raw_json.ts";
import type { Vector } from "./vector.ts";
import { HEAD_TIME, type Home } from "./world.ts";

/** A log at a size. */
type History = readonly [log: TestLog, size: number];

/** Evidence by the log of `second`, at its size, against `first`. */
export function contradictionOf(
  network: TestNetwork,
  first: History,
  second: History,
): Contradiction {
  const head = ([log, size]: History) => {
    const sth = log.sth(size, HEAD_TIME);
    return { sth, logSignature: network.log.sign(utf8(encodeCheckpointBody(sth.tree_head))) };
  };
  const bytes = (hash: string) => Uint8Array.fromHex(hash);
  const [[, older], [log, newer]] = [first, second];
  const root = bytes(log.head(older, 0).root_hash);
  const path = older === newer
    ? []
    : showFirstRoot(older, root, log.consistencyPath(older, newer).map(bytes));
  const heads = { first: head(first), second: head(second) };
  return { origin: network.id, foundAt: HEAD_TIME + 9, ...heads, path };
}

/** Growth from a head that a verifier remembers. */
export function growthCases({ log, fork }: Home, of: MakeKind): Vector[] {
  const make = (
    name: string,
    rules: readonly string[],
    { from, to, path, places }: {
      readonly from: History;
      readonly to: History;
      readonly path: readonly string[];
      readonly places?: number[];
    },
  ) => {
    const { timestamp: _, ...known } = from[0].head(from[1], 0);
    const sth = to[0].sth(to[1], HEAD_TIME, places);
    return of("growth", { known, consistency_path: path })(name, rules, rawOf(sth));
  };
  const path = log.consistencyPath(6, 14);
  const seven: History = [log, 6];
  return [
    make("to a larger head", ["G5"], { from: seven, to: [log, 14], path }),
    make("to the same head", ["G5"], { from: seven, to: seven, path: [] }),
    make("to an older head", ["G5"], { from: [log, 14], to: seven, path }),
    make("from the empty tree", ["G5"], { from: [log, 0], to: seven, path: [] }),
    make("from the empty tree with a path", ["G4"], { from: [log, 0], to: seven, path }),
    make("to a fork of the same size", ["G3"], { from: seven, to: [fork, 6], path: [] }),
    make("to a larger fork", ["G4"], {
      from: seven,
      to: [fork, 14],
      path: fork.consistencyPath(6, 14),
    }),
    make("without a path", ["G4"], { from: seven, to: [log, 14], path: [] }),
    make("to the same head with a path", ["G4"], { from: seven, to: seven, path }),
    make("to a head that one witness signed", ["G1", "S7"], {
      from: seven,
      to: [log, 14],
      path,
      places: [0],
    }),
    make("from a head of another network", ["G2"], {
      from: [{ head: () => ({ ...log.head(6, 0), network_id: "other.example/log" }) } as never, 6],
      to: [log, 14],
      path,
    }),
  ];
}

/** Evidence of two histories. */
export function contradictionCases(home: Home, of: MakeKind): Vector[] {
  const { log, fork, network } = home;
  const make = of("contradiction", {});
  const evidence = (first: History, second: History) =>
    contradictionMembers(contradictionOf(network, first, second));
  const good = evidence([log, 6], [fork, 14]);
  const same = evidence([log, 6], [fork, 6]);
  const unsigned = { ...good, first: { ...good.first, log_signature: "00".repeat(64) } };
  const weak = { ...good, second: { ...good.second, sth: fork.sth(14, HEAD_TIME, [0]) } };
  const edited = [...edits(rawOf(good))].filter(({ name }) =>
    home.scheme === "ed25519" && !/_?sth\./.test(name)
  );
  return [
    make("of one size", ["D7"], rawOf(same)),
    make("of two sizes", ["D7"], rawOf(good)),
    make("from a power of two", ["D7"], rawOf(evidence([log, 8], [fork, 14]))),
    make(
      "from a power of two, without its root",
      ["D6"],
      rawOf(
        (({ consistency_path: [, ...rest], ...members }) => ({
          ...members,
          consistency_path: rest,
        }))(evidence([log, 8], [fork, 14])),
      ),
    ),
    make("of one history", ["D6"], rawOf(evidence([log, 6], [log, 14]))),
    make("of one head", ["D6"], rawOf(evidence([log, 6], [log, 6]))),
    make("before the histories part", ["D6"], rawOf(evidence([log, 2], [fork, 14]))),
    make("without a path", ["D6"], rawOf({ ...good, consistency_path: [] })),
    make(
      "with a path of 55 nodes",
      ["D1"],
      rawOf({ ...good, consistency_path: Array.from({ length: 55 }, () => "00".repeat(32)) }),
    ),
    make(
      "with the larger head first",
      ["D6"],
      rawOf({ ...good, first: good.second, second: good.first }),
    ),
    make(
      "of another origin than its heads'",
      ["D1"],
      rawOf({ ...good, origin: "other.example/log" }),
    ),
    make("of another network", ["D2"], rawOf(good), { network: "alpha" }),
    make("with a head that one witness signed", ["D3", "S7"], rawOf(weak)),
    make("with a wrong signature of the log's key", ["D5"], rawOf(unsigned)),
    make("without a log key", ["D4"], rawOf(good), { network: `${home.scheme} without log key` }),
    ...edited.map(({ name, json }) => make(name, [], json)),
  ];
}
