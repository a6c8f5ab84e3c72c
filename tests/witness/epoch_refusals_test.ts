/**
 * Each refusal of a witness that is asked to end or to begin an epoch. The witness c of the log of three
 * epochs is in all of them.
 *
 * @module
 */

import fc from "fast-check";
import assert from "node:assert/strict";
import { fromHex } from "../../src/base/bytes.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { type Succession, successionDigest } from "../../src/proof/format/succession.ts";
import { encodeCheckpointBody, type TreeHead } from "../../src/proof/format/tree_head.ts";
import { RoundTreeMemo } from "../../src/proof/merkle/round_tree.ts";
import type { CosignRequest, EpochEndRequest } from "../../src/proof/format/witness_request.ts";
import { Witness } from "../../src/witness/witness.ts";
import { anyBeacons } from "../schemes.ts";
import { nativeCrypto } from "../schemes.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { digestOf, signerOf } from "../proof/verify/test_network.ts";
import { propose, signSuccession, threeEpochs } from "../proof/verify/test_succession.ts";
import { digestsOf, NOW, StandingClock } from "./fixture.ts";
import { MemoryWitnessState, type ReplaceFault } from "./memory_state.ts";

const { log, epochs, links: [link, later] } = threeEpochs();
const ID = epochs[0].id;
const { kernels } = nativeCrypto;

function witnessOf(armed: Succession | undefined, name = "c", state = new MemoryWitnessState()) {
  const memo = new RoundTreeMemo(kernels);
  const { log_vkey } = epochs[0].configuration;
  return new Witness({
    id: `${ID}/${name}`,
    networkId: ID,
    signer: signerOf(`${ID}/${name}`),
    state,
    kernels,
    logs: [{ origin: ID, keys: [parseVkey(log_vkey!)] }],
    clock: new StandingClock(),
    buildRoundTree: (round) => memo.build(round),
    beacons: anyBeacons,
    succession: { armed: () => Promise.resolve(armed), crypto: nativeCrypto },
    report: () => {},
  });
}

/** The request to end epoch 0, with a head of `of` as `changed`, signed by the log. */
function ending(
  changed: { size?: number; timestamp?: number; id?: string; of?: TestLog } = {},
): EpochEndRequest {
  const { size = link.end.tree_size, timestamp = NOW, id = ID, of = log } = changed;
  const { root_hash } = of.head(size, timestamp);
  const treeHead = { network_id: id, tree_size: size, root_hash, timestamp };
  return {
    treeHead,
    oldSize: 0,
    consistencyPath: [],
    attestedAt: of.attestations[size - 1]!.attestation.timestamp,
    logSignature: fromHex(epochs[0].logSignature(encodeCheckpointBody(treeHead))),
    succession: successionDigest(link),
    inclusionPath: of.inclusionPath(size - 1, size).map((hash) => fromHex(hash)),
  };
}

/** A log that goes on without the succession. */
const silent = new TestLog(epochs[0]);
silent.addRound(Array.from({ length: 8 }, (_, i) => digestOf(`${i}`)), {
  timestamp: link.end.timestamp,
});

const other = signSuccession(
  propose(epochs[0], epochs[1], { treeSize: 7, nonce: "other" }),
  epochs[0],
  epochs[1],
);
const unfinished = { ...link, signatures: { ...link.signatures, successor: [] } };
const mismatch = "epoch_mismatch";

const END_REFUSALS: readonly [
  string,
  { armed?: Succession; name?: string; request: EpochEndRequest; code: string },
][] = [
  ["of another network", { request: ending({ id: "other.example" }), code: "network_refused" }],
  ["that the log has not signed", {
    request: { ...ending(), logSignature: new Uint8Array(64) },
    code: "log_signature_refused",
  }],
  ["of an old time", { request: ending({ timestamp: NOW - 3_600 }), code: "time_refused" }],
  ["by another succession than it is armed with", {
    armed: other,
    request: ending(),
    code: mismatch,
  }],
  ["by a succession that is not finished", {
    armed: unfinished,
    request: ending(),
    code: mismatch,
  }],
  ["of which it is no witness", { name: "d", request: ending(), code: mismatch }],
  ["that is not the present one", { request: { ...ending(), epoch: 1 }, code: mismatch }],
  ["at a tree that the proposal knew", { request: ending({ size: 7 }), code: mismatch }],
  ["by a succession that is not in the log", {
    request: ending({ of: silent }),
    code: "malformed_request",
  }],
  ["whose last leaf is another", {
    request: { ...ending(), attestedAt: link.end.timestamp + 1 },
    code: "malformed_request",
  }],
];

for (const [what, { armed = link, name, request, code }] of END_REFUSALS) {
  Deno.test(`a witness refuses to end an epoch ${what}`, async () => {
    const witness = witnessOf(armed, name);
    await assert.rejects(witness.endEpoch(request), { code });
    assert.equal(await witness.cosignedSize(), 0);
    assert.equal((await witness.epochState()).ended, undefined);
  });
}

Deno.test("a witness ends no epoch that it is not armed for, or has signed beyond", async () => {
  await assert.rejects(witnessOf(undefined).endEpoch(ending()), { code: mismatch });
  const witness = witnessOf(link);
  const round = { networkId: ID, timestamp: NOW, digests: digestsOf("beyond"), beacon: null };
  await witness.sign({ ...round, firstSequence: link.end.tree_size });
  await assert.rejects(witness.endEpoch(ending()), { code: "sequence_conflict" });
});

Deno.test("a witness ends one epoch once, and signs nothing of it after a restart", async () => {
  const state = new MemoryWitnessState();
  const ended = await witnessOf(link, "c", state).endEpoch(ending());
  assert.equal(ended.kind, "cosigned");
  const size = link.end.tree_size;
  const again = { ...ending(), oldSize: size };
  assert.deepEqual(await witnessOf(link, "c", state).endEpoch(again), ended);
  const rival = { ...again, succession: successionDigest(other) };
  await assert.rejects(witnessOf(other, "c", state).endEpoch(rival), { code: "malformed_request" });
  const witness = witnessOf(link, "c", state);
  assert.equal((await witness.epochState()).ended, successionDigest(link));
  const round = { networkId: ID, timestamp: NOW, digests: digestsOf("beyond"), beacon: null };
  await assert.rejects(witness.sign({ ...round, firstSequence: size }), { code: mismatch });
});

const BEGINNING = { oldSize: 0, consistencyPath: [] };

const BEGIN_REFUSALS: readonly [
  string,
  { armed?: Succession; name?: string; link?: typeof link; code: string },
][] = [
  ["by another succession than it is armed with", { armed: other, code: mismatch }],
  ["by a succession that is not finished", { armed: unfinished, code: mismatch }],
  ["of which it is no witness", { name: "a", code: mismatch }],
  ["whose predecessor has not ended", {
    link: { ...link, end: { ...link.end, signatures: link.end.signatures.slice(1) } },
    code: "malformed_request",
  }],
  ["at another tree", {
    link: { ...link, end: { ...link.end, tree_size: link.end.tree_size + 1 } },
    code: "malformed_request",
  }],
];

for (const [what, { armed = link, name, link: shown = link, code }] of BEGIN_REFUSALS) {
  Deno.test(`a witness refuses to begin an epoch ${what}`, async () => {
    const witness = witnessOf(armed, name);
    await assert.rejects(witness.beginEpoch({ link: shown, ...BEGINNING }), { code });
    assert.equal((await witness.epochState()).epoch, 0);
    assert.equal(await witness.cosignedSize(), 0);
  });
}

Deno.test("a witness goes to no earlier epoch", async () => {
  const state = new MemoryWitnessState();
  const answer = await witnessOf(later, "c", state).beginEpoch({ link: later, ...BEGINNING });
  assert.equal(answer.kind, "begun");
  const back = witnessOf(link, "c", state);
  const request = { link, oldSize: later.end.tree_size, consistencyPath: [] };
  await assert.rejects(back.beginEpoch(request), { code: mismatch });
  assert.equal((await back.epochState()).epoch, 2);
});

/** A log of a gateway that lies: leaves 7 and 10 are the succession. */
const twice = new TestLog(epochs[0]);
/** Another one, with the same leaf 7. */
const forked = new TestLog(epochs[0]);
for (const [one, name] of [[twice, "twice"], [forked, "forked"]] as const) {
  for (const size of [7, 2, 4]) {
    const hashes = Array.from({ length: size }, (_, i) => digestOf(`${name} ${size} ${i}`));
    one.addRound(hashes, { timestamp: NOW });
    if (one.size < 11) one.addRound([successionDigest(link)], { timestamp: NOW });
  }
}
const FIRST_END = 8;
const SECOND_END = 11;

/** A request to end at `size` of `of`, by a gateway that knows that the witness has cosigned `oldSize`. */
function endingAt(size: number, oldSize = 0, of = twice): EpochEndRequest {
  const consistencyPath = oldSize > 0 && oldSize < size ? of.consistencyPath(oldSize, size) : [];
  return {
    ...ending({ size, of }),
    oldSize,
    consistencyPath: consistencyPath.map((hash) => fromHex(hash)),
  };
}

/** A request to cosign the head of `size` of `of`. */
function headAt(size: number, oldSize = 0, of = twice): CosignRequest {
  const { treeHead, logSignature, consistencyPath } = endingAt(size, oldSize, of);
  return { treeHead, logSignature, oldSize, consistencyPath };
}

for (const restarts of [false, true]) {
  Deno.test(
    `a witness signs one end, where the log has the succession twice${
      restarts ? ", also after a restart" : ""
    }`,
    async () => {
      for (const size of [FIRST_END, SECOND_END]) {
        const state = new MemoryWitnessState();
        const first = witnessOf(link, "c", state);
        const ended = await first.endEpoch(endingAt(size));
        assert.equal(ended.kind, "cosigned");
        const witness = restarts ? witnessOf(link, "c", state) : first;
        for (const other of [FIRST_END, SECOND_END]) {
          for (const  of of[twice, forked]) {
            if (other === size && of === twice) continue;
            for (const oldSize of [0, size, other]) {
              const refused = witness.endEpoch(endingAt(other, oldSize, of));
              await assert.rejects(refused, { code: mismatch }, `${size} then ${other}`);
            }
          }
        }
        for (const caller of ["gateway", "stranger"] as const) {
          const larger = witness.cosign(headAt(size + 1, size), caller);
          await assert.rejects(larger, { code: mismatch });
          const another = witness.cosign(headAt(size, size, forked), caller);
          await assert.rejects(another, { code: "consistency_refused" });
          assert.equal((await witness.cosign(headAt(size, size), caller)).kind, "cosigned");
        }
        assert.equal(await witness.cosignedSize(), size);
        assert.deepEqual(await witness.endEpoch(endingAt(size, size)), ended);
      }
    },
  );
}

Deno.test("a gateway that lies in any order never gets two ends, nor a head beyond one", async () => {
  const asks = fc.record({
    of: fc.constantFrom(twice, forked),
    size: fc.constantFrom(5, FIRST_END, 9, SECOND_END, 13),
    ends: fc.boolean(),
    caller: fc.constantFrom("gateway" as const, "stranger" as const),
    fault: fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      fc.constantFrom<ReplaceFault>("fail_not_stored", "fail_but_stored"),
    ),
  });
  const turns = fc.array(
    fc.record({ asks: fc.array(asks, { minLength: 1, maxLength: 3 }), restarts: fc.boolean() }),
    {
      minLength: 3,
      maxLength: 12,
    },
  );
  let ended = 0;
  await fc.assert(
    fc.asyncProperty(turns, async (run) => {
      const state = new MemoryWitnessState();
      const ends = new Set<string>();
      const heads: TreeHead[] = [];
      let witness = witnessOf(link, "c", state);
      for (const { asks, restarts } of run) {
        await Promise.all(asks.map(async ({ of, size, ends: isEnd, caller, fault }) => {
          const oldSize = Math.min(await witness.cosignedSize(), size);
          state.nextFault = fault;
          const request = endingAt(size, oldSize, of);
          const answer = await (isEnd
            ? witness.endEpoch(request)
            : witness.cosign(headAt(size, oldSize, of), caller)).catch(() =>
              undefined
            );
          if (answer?.kind !== "cosigned") return;
          if (isEnd) ends.add(JSON.stringify(request.treeHead));
          else heads.push(request.treeHead);
        }));
        if (restarts) witness = witnessOf(link, "c", state);
      }
      assert.ok(ends.size <= 1);
      for (const end of ends) {
        ended++;
        const { tree_size } = JSON.parse(end) as TreeHead;
        assert.ok(heads.every((head) => head.tree_size <= tree_size));
      }
    }),
    { numRuns: 200 },
  );
  assert.ok(ended > 20, `${ended} runs had an end`);
});
