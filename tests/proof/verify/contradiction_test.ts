import assert from "node:assert/strict";
import type { Contradiction, LoggedTreeHead } from "../../../src/proof/format/federation.ts";
import { judgeGrowth, verifyContradiction } from "../../../src/proof/verify/contradiction.ts";
import {
  contradictionOf,
  damagedPath,
  historyOf,
  loggedHead,
} from "../../gateway/federation/histories.ts";
import { shownPath, TIME } from "../../gateway/federation/histories.ts";
import { eachScheme } from "../../schemes.ts";
import { nativeCrypto, TestNetwork } from "./fixture.ts";

const { kernels } = nativeCrypto;
const FORK = 3;
const SIZE = 12;

function sidesOf(scheme: "ed25519" | "bls") {
  const network = new TestNetwork(`net.example/accused-${scheme}`, { scheme });
  return {
    network,
    log: historyOf(network, "one", FORK, SIZE),
    fork: historyOf(network, "other", FORK, SIZE),
  };
}

const ed25519 = sidesOf("ed25519");

async function reasonOf(contradiction: Contradiction, network = ed25519.network) {
  const result = await verifyContradiction(nativeCrypto, network.configuration, contradiction);
  assert.equal(result.valid, result.reason === undefined);
  return result.valid ? "proved" : `${result.reason} ${result.field}`;
}

eachScheme.test("two histories are proved by two heads and, for different sizes, a path", async (scheme) => {
  const { network, log, fork } = scheme === "ed25519" ? ed25519 : sidesOf(scheme);
  const sizes = scheme === "ed25519"
    ? [[4, 4], [4, 5], [4, 12], [5, 7], [7, 8], [8, 9], [8, 12], [11, 12]] as const
    : [[4, 4], [8, 12], [5, 7]] as const;
  for (const [first, second] of sizes) {
    const contradiction = contradictionOf([log, first], [fork, second]);
    assert.equal(await reasonOf(contradiction, network), "proved", `${first} to ${second}`);
  }
});

Deno.test("heads of one history are never a contradiction", async () => {
  const { log, fork } = ed25519;
  const unproven = "contradiction_unproven consistency_path";
  for (const [first, second] of [[1, 1], [2, 9], [4, 12], [7, 8]] as const) {
    assert.equal(await reasonOf(contradictionOf([log, first], [log, second])), unproven);
  }
  // Up to the fork, both histories are the same.
  assert.equal(await reasonOf(contradictionOf([log, 2], [fork, 9])), unproven);
  assert.equal(await reasonOf(contradictionOf([log, 3], [fork, 3])), unproven);
});

Deno.test("a path that does not lead to the second head is not evidence", async () => {
  const { log, fork } = ed25519;
  const unproven = "contradiction_unproven consistency_path";
  for (const [first, second] of [[4, 12], [5, 12], [8, 9]] as const) {
    const good = contradictionOf([log, first], [fork, second]);
    const others = [
      ...good.path.map((_, i) => damagedPath(good.path, i)),
      good.path.slice(1),
      [...good.path, good.path[0]!],
      [],
      // The path of the first head's own tree does not lead to the second's.
      shownPath(log, first, second),
    ];
    for (const path of others) assert.equal(await reasonOf({ ...good, path }), unproven);
    const backwards = { ...good, first: good.second, second: good.first };
    assert.equal(await reasonOf(backwards), unproven);
  }
  const same = contradictionOf([log, 5], [fork, 5]);
  assert.equal(await reasonOf({ ...same, path: [new Uint8Array(32)] }), unproven);
});

Deno.test("unsigned heads are not evidence", async () => {
  const { network, log, fork } = ed25519;
  const good = contradictionOf([log, 5], [fork, 9]);
  const stranger = new TestNetwork("net.example/stranger");
  const few = loggedHead(fork, 9, { places: [0] });
  const cases: readonly (readonly [Partial<Contradiction>, string])[] = [
    [{ origin: stranger.id }, "network_mismatch origin"],
    [{ second: few }, "threshold_not_met second.sth"],
    [{ first: withoutLog(good.first) }, "log_signature_invalid first.log_signature"],
    [{ second: withoutLog(good.second) }, "log_signature_invalid second.log_signature"],
    [
      { second: loggedHead(historyOf(stranger, "other", 0, 9), 9) },
      "network_mismatch second.sth.tree_head.network_id",
    ],
  ];
  for (const [change, reason] of cases) {
    assert.equal(await reasonOf({ ...good, ...change }), reason);
  }
  const { log_vkey: _, ...keyless } = network.configuration;
  const result = await verifyContradiction(nativeCrypto, keyless, good);
  assert.equal(result.reason, "log_key_missing");
});

function withoutLog(head: LoggedTreeHead): LoggedTreeHead {
  return { ...head, logSignature: new Uint8Array(64) };
}

Deno.test("judgeGrowth() distinguishes growth, a fork, and paths that prove nothing", () => {
  const { log, fork } = ed25519;
  for (let second = 1; second <= SIZE; second++) {
    for (let first = 1; first < second; first++) {
      const heads = [log.head(first, TIME), fork.head(second, TIME)] as const;
      const isOne = first <= FORK;
      const shown = shownPath(fork, first, second);
      assert.equal(judgeGrowth(kernels, ...heads, shown), isOne ? "extends" : "contradicts");
      const plain = fork.consistencyPath(first, second).map((hash) => Uint8Array.fromHex(hash));
      // From a power of two, a path without the first root can only prove growth.
      const bare = plain.length < shown.length ? "unproven" : "contradicts";
      assert.equal(judgeGrowth(kernels, ...heads, plain), isOne ? "extends" : bare);
    }
  }
  const empty = { ...log.head(1, TIME), tree_size: 0 };
  assert.equal(judgeGrowth(kernels, empty, log.head(5, TIME), []), "extends");
  assert.equal(judgeGrowth(kernels, empty, log.head(5, TIME), [new Uint8Array(32)]), "unproven");
});
