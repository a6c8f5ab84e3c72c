import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { encodeCheckpointBody } from "../../src/proof/format/tree_head.ts";
import type { WitnessWarning } from "../../src/witness/ports.ts";
import { ReferenceTree } from "../proof/merkle/reference.ts";
import { conflicts, cosigned, fork, log, refused, standingAt, tree } from "./asking.ts";
import {
  followedLog,
  NETWORK,
  NOW,
  signerOf,
  StandingClock,
  TestLog,
  testWitness,
  withCode,
} from "./fixture.ts";

Deno.test("new Witness() requires distinct logs that include its own network", () => {
  const other = new TestLog("log.example/other").witnessed;
  for (const logs of [[], [other], [log.witnessed, other, log.witnessed]]) {
    assert.throws(() => testWitness({ logs }), withCode("invalid_configuration"));
  }
});

Deno.test("Witness.cosign() follows a log from size to size", async () => {
  const witness = testWitness();
  const sizes = [0, 1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 40];
  let from = 0;
  for (const to of sizes) {
    await cosigned(witness, log.request(tree, from, to));
    assert.equal(await witness.cosignedSize(), to);
    from = to;
  }
});

Deno.test("Witness.cosign() rejects an origin that it does not follow", async () => {
  const witness = testWitness();
  for (const origin of ["log.example/other", "", `${NETWORK}\n`]) {
    const request = log.request(tree, 0, 3);
    await refused(
      witness,
      { ...request, treeHead: { ...request.treeHead, network_id: origin } },
      "network_refused",
    );
  }
});

Deno.test("Witness.cosign() verifies with the key of that origin's log", async () => {
  const other = new TestLog("log.example/other");
  const witness = testWitness({ logs: [log.witnessed, other.witnessed] });
  const request = log.request(tree, 0, 3);
  const flipped = request.logSignature.slice();
  flipped[40]! ^= 1;
  const wrong = [
    flipped,
    new Uint8Array(64),
    request.logSignature.slice(0, 63),
    other.sign(request.treeHead),
    log.sign({ ...request.treeHead, tree_size: 4 }),
    signerOf(`${NETWORK}/w1`).sign(request.logSignature),
  ];
  for (const logSignature of wrong) {
    await refused(witness, { ...request, logSignature }, "log_signature_refused");
  }
  await cosigned(witness, request);
});

Deno.test("Witness.cosign() tracks each log separately", async () => {
  const other = new TestLog("log.example/other");
  const witness = testWitness({ logs: [log.witnessed, other.witnessed] });
  await cosigned(witness, log.request(tree, 0, 3));
  await cosigned(witness, other.request(fork, 0, 7));
  await cosigned(witness, log.request(tree, 3, 5));
  await conflicts(witness, other.request(fork, 5, 8), 7);
});

Deno.test("Witness.cosign() accepts times from 60 s behind to 5 s ahead of its clock", async () => {
  for (const [seconds, good] of [[-61, false], [-60, true], [5, true], [6, false]] as const) {
    const request = log.request(tree, 0, 3, NOW + seconds);
    if (good) await cosigned(testWitness(), request);
    else await refused(testWitness(), request, "time_refused");
  }
});

Deno.test("Witness.cosign() rejects an old size above the size, and does not return its own size", async () => {
  await refused(testWitness(), { ...log.request(tree, 3, 3), oldSize: 4 }, "malformed_request");
});

Deno.test("Witness.cosign() returns its size for another old size", async () => {
  await conflicts(testWitness(), log.request(tree, 1, 3), 0);
  const witness = await standingAt(5);
  for (const [from, to] of [[0, 8], [4, 8], [6, 8], [8, 8], [0, 3], [3, 3]] as const) {
    await conflicts(witness, log.request(tree, from, to), 5);
  }
  await cosigned(witness, log.request(tree, 5, 8));
});

Deno.test("Witness.cosign() accepts only the right consistency proof", async () => {
  const witness = await standingAt(5);
  const request = log.request(tree, 5, 11);
  const path = request.consistencyPath;
  assert.ok(path.length > 2);
  const wrong = [
    [],
    path.slice(1),
    path.slice(0, -1),
    path.toReversed(),
    [...path, path[0]!],
    path.map((hash, i) => i === 1 ? hash.with(0, hash[0]! ^ 1) : hash),
    path.map((hash) => hash.slice(0, 31)),
    log.request(tree, 4, 11).consistencyPath,
    log.request(fork, 5, 11).consistencyPath,
  ];
  for (const consistencyPath of wrong) {
    await refused(witness, { ...request, consistencyPath }, "consistency_refused");
  }
  assert.equal(await witness.cosignedSize(), 5);
  await cosigned(witness, request);
});

Deno.test("Witness.cosign() rejects a fork with a proof that is valid for it", async () => {
  const witness = await standingAt(5);
  await refused(witness, log.request(fork, 5, 11), "consistency_refused");
  await refused(witness, log.request(fork, 5, 5), "consistency_refused");
  await refused(
    witness,
    { ...log.request(fork, 5, 11), consistencyPath: log.request(tree, 5, 11).consistencyPath },
    "consistency_refused",
  );
});

Deno.test("Witness.cosign() refreshes the same head with an empty proof only", async () => {
  const clock = new StandingClock();
  const witness = testWitness({ clock });
  await cosigned(witness, log.request(tree, 0, 5));
  clock.seconds += 600;
  const refresh = log.request(tree, 5, 5, clock.seconds);
  await cosigned(witness, refresh);
  const consistencyPath = [new Uint8Array(32)];
  await refused(witness, { ...refresh, consistencyPath }, "consistency_refused");
});

Deno.test("Witness.cosign() accepts only the root of the empty tree at size 0", async () => {
  const empty = log.request(tree, 0, 0);
  const treeHead = { ...empty.treeHead, root_hash: "00".repeat(32) };
  const bad = { ...empty, treeHead, logSignature: log.sign(treeHead) };
  const proved = { ...empty, consistencyPath: [new Uint8Array(32)] };
  const witness = testWitness();
  for (const request of [bad, proved]) await refused(witness, request, "consistency_refused");
  await cosigned(witness, empty);
  for (const request of [bad, proved]) await refused(witness, request, "consistency_refused");
  await cosigned(witness, empty);
  const grown = log.request(tree, 0, 3);
  await refused(
    witness,
    { ...grown, consistencyPath: [new Uint8Array(32)] },
    "consistency_refused",
  );
  await cosigned(witness, grown);
});

Deno.test("Witness.cosign() reports a stored time ahead of its clock, and signs", async () => {
  const clock = new StandingClock();
  const warnings: WitnessWarning[] = [];
  const witness = testWitness({ clock, warnings });
  await cosigned(witness, log.request(tree, 0, 5, NOW + 5));
  clock.seconds = NOW;
  await cosigned(witness, log.request(tree, 5, 6, NOW));
  await cosigned(witness, log.request(tree, 6, 6, NOW + 5));
  assert.deepEqual(warnings, []);
  clock.seconds = NOW - 1;
  await cosigned(witness, log.request(tree, 6, 7, NOW));
  assert.deepEqual(warnings, [{
    kind: "stored_time_ahead",
    origin: NETWORK,
    storedTimestamp: NOW + 5,
    now: NOW - 1,
  }]);
});

Deno.test("Witness.cosign() verifies proofs at sizes near 2^53", async () => {
  // Two subtrees of 2^51 leaves with invented roots.
  const half = ReferenceTree.ofTexts(2);
  const request = log.request(half, 1, 2);
  const size = (leaves: number) => leaves * 2 ** 51;
  const first = { ...request.treeHead, tree_size: size(1), root_hash: half.root(1).toHex() };
  const second = { ...request.treeHead, tree_size: size(2) };
  const witness = testWitness();
  await cosigned(witness, {
    treeHead: first,
    logSignature: log.sign(first),
    oldSize: 0,
    consistencyPath: [],
  });
  const grown = {
    treeHead: second,
    logSignature: log.sign(second),
    oldSize: size(1),
    consistencyPath: request.consistencyPath,
  };
  await refused(witness, { ...grown, consistencyPath: [] }, "consistency_refused");
  await cosigned(witness, grown);
});

Deno.test("Witness.cosign() verifies with the present key of a log that is followed for it", async () => {
  const old = new TestLog("log.example/rotated");
  const next = signerOf("the next log key");
  let isRotated = false;
  const presentKey = () => isRotated ? followedLog(old.origin, next.publicKey).keys[0] : undefined;
  const witness = testWitness({ logs: [log.witnessed, { ...old.witnessed, presentKey }] });
  await cosigned(witness, old.request(tree, 0, 3));
  const request = old.request(tree, 3, 7);
  const logSignature = next.sign(utf8(encodeCheckpointBody(request.treeHead)));
  await refused(witness, { ...request, logSignature }, "log_signature_refused");
  isRotated = true;
  await refused(witness, request, "log_signature_refused");
  await cosigned(witness, { ...request, logSignature });
});
