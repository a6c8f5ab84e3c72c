import assert from "node:assert/strict";
import { textOf } from "../../src/base/bytes.ts";
import type {
  Batch,
  InclusionProof,
  MerkleProof,
  ProofBundle,
  SignedAttestation,
} from "../../src/proof/format/bundle.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { leafHash, ReferenceTree } from "../proof/merkle/reference.ts";
import { eachScheme } from "../schemes.ts";
import { hashesOf } from "./checker.ts";
import { hashAt, randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { Scenario } from "./scenario.ts";

const SIZES = [1, 2, 5, 255, 256, 257, 300, 511, 513, 600];

/** The expected texts, from the definitions and the resources. */
class Expected {
  readonly #gateway: Gateway;
  readonly #tree: ReferenceTree;
  readonly #hashes: readonly string[];

  constructor(gateway: Gateway, tree: ReferenceTree, hashes: readonly string[]) {
    this.#gateway = gateway;
    this.#tree = tree;
    this.#hashes = hashes;
  }

  async inclusion(sequence: number, size: number): Promise<InclusionProof> {
    return { ...this.#leaf(sequence, size), sth: (await this.#gateway.log.sthAt(size))! };
  }

  merkleProof(sequence: number, size: number): MerkleProof {
    const root_hash = this.#tree.root(size).toHex();
    return { ...this.#leaf(sequence, size), root_hash, batch_id: size };
  }

  async bundle(sequence: number, size: number | undefined): Promise<ProofBundle> {
    const job = JSON.parse((await this.#gateway.jobs.snapshot(sequence)).json);
    const signed_attestation: SignedAttestation = job.signed_attestation;
    const batch_inclusion = size === undefined ? null : {
      batch: (await this.#gateway.log.batch(size)) as Batch,
      merkle_proof: this.merkleProof(sequence, size),
      sth: (await this.#gateway.log.sthAt(size))!,
    };
    return { signed_attestation, batch_inclusion, cross_anchors: [], external_anchors: [] };
  }

  #leaf(sequence: number, size: number) {
    return {
      hash: this.#hashes[sequence]!,
      leaf_hash: this.#tree.leaves[sequence]!.toHex(),
      leaf_index: sequence,
      tree_size: size,
      inclusion_path: this.#tree.inclusion(sequence, size).map((node) => node.toHex()),
    };
  }
}

/** Leaf hashes by the definition, over the published entries. */
async function treeOf(gateway: Gateway, size: number): Promise<ReferenceTree> {
  const texts: string[] = [];
  for (let index = 0; index * 256 < size; index++) {
    const bytes = (await gateway.log.entries(index, Math.min(256, size - index * 256)))!;
    for (let at = 0; at < bytes.length;) {
      const length = bytes[at]! * 256 + bytes[at + 1]!;
      texts.push(textOf(bytes.subarray(at + 2, at + 2 + length)));
      at += 2 + length;
    }
  }
  const leaf = (text: string) => leafHash(new TextEncoder().encode(text));
  return new ReferenceTree(texts.map(leaf));
}

async function checkTexts(gateway: Gateway, expected: Expected, total: number): Promise<void> {
  for (let sequence = 0; sequence < total; sequence++) {
    const closing = SIZES.find((size) => size > sequence);
    const bundle = JSON.stringify(await expected.bundle(sequence, closing));
    assert.equal(await gateway.proofs.bundle(await hashAt(gateway, sequence)), bundle);
    const proof = closing && JSON.stringify(expected.merkleProof(sequence, closing));
    assert.equal(await gateway.proofs.merkleProof(await hashAt(gateway, sequence)), proof);
    for (const size of SIZES.filter((size) => size > sequence)) {
      const inclusion = JSON.stringify(await expected.inclusion(sequence, size));
      assert.equal(
        await gateway.proofs.inclusion(await hashAt(gateway, sequence), size),
        inclusion,
      );
    }
  }
}

eachScheme.test("Proofs writes the same text as JSON.stringify()", async (scheme) => {
  const scenario = new Scenario(scheme, new MemoryLog(KV_LOG_LIMITS));

  const { gateway } = await scenario.start(scenario.open());
  const hashes: string[] = [];
  const submit = async (count: number) => {
    const digests = randomDigests(count);
    hashes.push(...hashesOf(digests));
    await scenario.submit(gateway, digests);
  };
  for (const size of SIZES) {
    await submit(size - hashes.length);
    await scenario.settle(gateway);
  }
  const last = SIZES.at(-1)!;
  const tree = await treeOf(gateway, last);
  const expected = new Expected(gateway, tree, hashes);
  // The second time all is cached.
  for (let again = 0; again < 2; again++) await checkTexts(gateway, expected, last);
  const restarted = await scenario.start(scenario.open());
  const after = new Expected(restarted.gateway, tree, hashes);
  for (let again = 0; again < 2; again++) await checkTexts(restarted.gateway, after, last);
  await restarted.gateway.stop();
});
