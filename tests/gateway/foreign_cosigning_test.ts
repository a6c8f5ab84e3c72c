import assert from "node:assert/strict";
import { type Bytes, concat, utf8 } from "../../src/base/bytes.ts";
import { unixSeconds } from "../../src/base/clock.ts";
import { Ed25519Signer } from "../../src/proof/crypto/ed25519_native.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { encodeCosignatureMessage, type TreeHead } from "../../src/proof/format/tree_head.ts";
import {
  type ForeignAnswer,
  ForeignCosigner,
} from "../../src/gateway/sequencing/foreign_cosigning.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { RoundTreeMemo } from "../../src/proof/merkle/round_tree.ts";
import { EmbeddedWitness } from "../../src/server/gateway/embedded_witness.ts";
import { verifyThreshold } from "../../src/proof/verify/threshold.ts";
import { Witness } from "../../src/witness/witness.ts";
import { FakeClock } from "../fake_clock.ts";
import { ReferenceTree } from "../proof/merkle/reference.ts";
import {
  anyBeacons,
  configuredWitness,
  eachScheme,
  nativeCrypto,
  schemeSigner,
} from "../schemes.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";
import { followedLog, forkedTree, pathOf, TestLog } from "../witness/fixture.ts";
import { HeadLedger, SwitchedWitness } from "./fixture.ts";

const SIGNAL = new AbortController().signal;
const ORIGIN = "foreign.example";
const log = new TestLog(ORIGIN);
const tree = ReferenceTree.ofTexts(40);
const fork = forkedTree("fork", 4, 40);

const neighbour = new TestLog("neighbour.example");

/**
 * Witnesses of another network, with threshold two, that follow {@linkcode ORIGIN} and another log.
 */
function makeWitnesses(scheme: SignatureScheme, count = 4) {
  const clock = new FakeClock();
  const own = new Ed25519Signer(kernels.sha256(utf8("own log")));
  const ids = Array.from({ length: count }, (_, i) => `own.example/w${i + 1}`);
  const network = {
    id: "own.example",
    threshold: 2,
    signature_scheme: scheme,
    witnesses: ids.map((id) => configuredWitness(id, schemeSigner(scheme, id))),
    federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
  };
  const states = ids.map(() => new MemoryWitnessState());
  const witnesses = ids.map((id, witnessIndex) => {
    const memo = new RoundTreeMemo(kernels);
    const witness = new Witness({
      id,
      networkId: network.id,
      signer: schemeSigner(scheme, id),
      logs: [
        followedLog(network.id, own.publicKey),
        log.witnessed,
        neighbour.witnessed,
      ],
      state: states[witnessIndex]!,
      clock,
      kernels,
      buildRoundTree: (round) => memo.build(round),
      beacons: anyBeacons,
      report: () => {},
    });
    return new SwitchedWitness(new EmbeddedWitness(witness), new HeadLedger());
  });
  const { ed25519: verify, bls } = nativeCrypto;
  const open = () => new ForeignCosigner({ network, witnesses, verify, bls, clock });
  let cosigner = open();
  const head = (size: number, of: ReferenceTree = tree): TreeHead =>
    log.head(of, size, unixSeconds(clock));
  /** Requests cosignatures over `of` at `size`, with proofs from `from`. */
  const cosign = (size: number, from: readonly number[], required = 2, of = tree) => {
    const treeHead = head(size, of);
    const growth = from.map((oldSize) => ({ oldSize, path: pathOf(of, oldSize, size) }));
    return cosigner.cosign(
      { treeHead, logSignature: log.sign(treeHead), growth, required },
      SIGNAL,
    );
  };
  const sizes = () => states.map((state) => state.sizeOf(ORIGIN));
  /** Begins again, like a gateway that starts. */
  const restart = () => void (cosigner = open());
  return { clock, network, witnesses, states, cosigner, head, cosign, sizes, restart };
}

async function assertCosigned(
  { network, head }: ReturnType<typeof makeWitnesses>,
  answer: ForeignAnswer,
  size: number,
  count: number,
): Promise<void> {
  assert.ok(answer.kind === "cosigned");
  const message = utf8(encodeCosignatureMessage(head(size)));
  const { verified } = await verifyThreshold(nativeCrypto, network, message, answer.signatures);
  assert.equal(verified, count);
}

eachScheme.test("cosign() returns as many cosignatures as required", async (scheme) => {
  const made = makeWitnesses(scheme);
  for (const [size, required] of [[3, 2], [5, 3], [9, 4]] as const) {
    const answer = await made.cosign(size, [3, 5], required);
    await assertCosigned(made, answer, size, required);
  }
  // Witnesses that were not needed were asked too, so they do not fall behind.
  assert.deepEqual(made.sizes(), [9, 9, 9, 9]);
  await assertCosigned(made, await made.cosign(9, []), 9, 2);
});

eachScheme.test("cosign() returns the sizes that need a proof if the other witnesses are too few", async (scheme) => {
  const made = makeWitnesses(scheme);
  const { witnesses, cosign } = made;
  await cosign(3, []);
  witnesses[0]!.down = true;
  await cosign(5, [3]);
  witnesses[0]!.down = false;
  await assertCosigned(made, await cosign(9, [5], 3), 9, 3);
  assert.deepEqual(made.sizes(), [3, 9, 9, 9]);
  assert.deepEqual(await cosign(12, [9], 4), { kind: "sizes_required", sizes: [3] });
  await assertCosigned(made, await cosign(12, [3, 9], 4), 12, 4);
});

eachScheme.test("cosigned sizes are read again after a start", async (scheme) => {
  const made = makeWitnesses(scheme);
  await made.cosign(5, [], 4);
  made.restart();
  await assertCosigned(made, await made.cosign(9, [5], 4), 9, 4);
  made.restart();
  assert.deepEqual(await made.cosign(12, [5]), { kind: "sizes_required", sizes: [9] });
});

eachScheme.test("cosign() returns the size of a witness that is beyond the head", async (scheme) => {
  const { cosign } = makeWitnesses(scheme);
  await cosign(9, []);
  assert.deepEqual(await cosign(5, []), { kind: "sizes_required", sizes: [9] });
});

eachScheme.test("cosign() distinguishes refused growth from missing answers", async (scheme) => {
  const { cosign, witnesses } = makeWitnesses(scheme);
  await cosign(9, []);
  await assert.rejects(cosign(12, [9], 2, fork), { code: "consistency_refused" });
  // The two others meet the threshold.
  for (const witness of witnesses.slice(2)) witness.down = true;
  await assert.rejects(cosign(12, [9], 2, fork), { code: "witnesses_unavailable" });
  for (const witness of witnesses.slice(1)) witness.down = true;
  // One that refuses may lie, so three more refusals are needed.
  await assert.rejects(cosign(12, [9], 2, fork), { code: "witnesses_unavailable" });
  await assert.rejects(cosign(12, [9]), { code: "witnesses_unavailable" });
});

eachScheme.test("cosigned sizes are separate for each log", async (scheme) => {
  const made = makeWitnesses(scheme);
  await made.cosign(9, []);
  const treeHead = neighbour.head(tree, 3, unixSeconds(made.clock));
  const request = { treeHead, logSignature: neighbour.sign(treeHead), growth: [], required: 2 };
  assert.equal((await made.cosigner.cosign(request, SIGNAL)).kind, "cosigned");
  await assertCosigned(made, await made.cosign(12, [9]), 12, 2);
});

Deno.test("cosign() returns the largest sizes if there are too many", async () => {
  const { cosign, witnesses } = makeWitnesses("ed25519", 18);
  for (const [witnessIndex, witness] of witnesses.entries()) {
    for (const other of witnesses) other.down = other !== witness;
    assert.equal((await cosign(witnessIndex + 1, [], 1)).kind, "cosigned");
  }
  for (const witness of witnesses) witness.down = false;
  const sizes = Array.from({ length: 16 }, (_, i) => i + 3);
  assert.deepEqual(await cosign(30, [], 2), { kind: "sizes_required", sizes });
});

eachScheme.test("at most two heads are in flight, and silent witnesses time out", async (scheme) => {
  const { cosign, witnesses, clock } = makeWitnesses(scheme);
  for (const witness of witnesses) witness.state = "silent";
  const failures: string[] = [];
  const asked = [1, 2, 3].map((size) =>
    cosign(size, []).catch(({ code }: { code: string }) => failures.push(code))
  );
  await clock.advance(1);
  assert.deepEqual(failures, ["overloaded"]);
  await clock.advance(5_000);
  await Promise.all(asked);
  assert.deepEqual(failures, ["overloaded", "witnesses_unavailable", "witnesses_unavailable"]);
  for (const witness of witnesses) witness.state = "up";
  assert.equal((await cosign(4, [])).kind, "cosigned");
  assert.equal(clock.sleeping, 0);
});

Deno.test("cosign() ends when its caller aborts", async () => {
  const { cosigner, head, witnesses, clock } = makeWitnesses("ed25519");
  for (const witness of witnesses) witness.state = "silent";
  const stop = new AbortController();
  const treeHead = head(3);
  const request = { treeHead, logSignature: log.sign(treeHead), growth: [], required: 2 };
  const waiting = cosigner.cosign(request, stop.signal);
  const reason = new Error("enough");
  stop.abort(reason);
  await assert.rejects(waiting, reason);
  assert.equal(clock.sleeping, 0);
});

Deno.test("witnesses that follow another log do not cosign, but are asked for our rounds", async () => {
  const { cosigner, witnesses } = makeWitnesses("ed25519");
  const stranger = new TestLog("stranger.example");
  const treeHead = stranger.head(tree, 3, 1_800_000_000);
  const logSignature: Bytes = concat(stranger.sign(treeHead));
  const asked = cosigner.cosign({ treeHead, logSignature, growth: [], required: 2 }, SIGNAL);
  await assert.rejects(asked, { code: "witnesses_unavailable" });
  assert.deepEqual(witnesses.map(({ asked }) => asked.cosign), [1, 1, 1, 1]);
});

Deno.test("heads are cosigned by the witnesses of the present epoch", async () => {
  const old = makeWitnesses("ed25519");
  const next = makeWitnesses("ed25519", 3);
  let present = old;
  const { ed25519: verify, bls } = nativeCrypto;
  const cosigner = new ForeignCosigner({
    get network() {
      return present.network;
    },
    get witnesses() {
      return present.witnesses;
    },
    verify,
    bls,
    clock: old.clock,
  });
  const cosign = async (size: number) => {
    const treeHead = old.head(size);
    const request = { treeHead, logSignature: log.sign(treeHead), growth: [], required: 3 };
    return await cosigner.cosign(request, SIGNAL);
  };
  await assertCosigned(old, await cosign(3), 3, 3);
  present = next;
  await assertCosigned(next, await cosign(5), 5, 3);
  assert.deepEqual(next.sizes(), [5, 5, 5]);
  // The fourth was not needed, and was asked with the others.
  assert.deepEqual(old.sizes(), [3, 3, 3, 3]);
});
