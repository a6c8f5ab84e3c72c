import assert from "node:assert/strict";
import { MlDsaSigner } from "../../src/proof/crypto/ml_dsa_signer.ts";
import { NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { encodeSubtreeMessage } from "../../src/proof/format/subtree_cosignature.ts";
import type { TreeHead } from "../../src/proof/format/tree_head.ts";
import { MlDsaCollector } from "../../src/gateway/sequencing/ml_dsa_signatures.ts";
import { systemClock } from "../../src/base/clock.ts";
import { signerOf } from "../witness/fixture.ts";

const HEAD: TreeHead = {
  network_id: "log.example",
  tree_size: 7,
  timestamp: 1_700_000_000,
  root_hash: "ab".repeat(32),
};
const KEYS = await Promise.all([1, 2, 3].map((n) => MlDsaSigner.of(new Uint8Array(32).fill(n))));
const [LOG, W1, W2] = KEYS as [MlDsaSigner, MlDsaSigner, MlDsaSigner];

function sign(signer: MlDsaSigner, cosigner: string, head = HEAD) {
  const { network_id: origin, tree_size: end, timestamp, root_hash } = head;
  const root = Uint8Array.fromHex(root_hash);
  return signer.sign(encodeSubtreeMessage({ cosigner, timestamp, origin, start: 0, end, root }));
}

function collector(mlDsa?: Pick<MlDsaSigner, "sign">) {
  const lines: string[] = [];
  const witnesses = [{ id: "w1", signer: W1 }, { id: "w2", signer: W2 }, { id: "w3" }].map(
    ({ id, signer }) => ({
      id,
      publicKey: signerOf(id).publicKey,
      ...(signer !== undefined && {
        mlDsaKey: { name: id, type: NOTE_TYPE.mlDsaCosignature, publicKey: signer.publicKey },
      }),
    }),
  );
  const { publicKey, sign } = signerOf("log");
  const logSigner = { publicKey, sign, ...(mlDsa !== undefined && { mlDsa }) };
  const report = (message: string) => void lines.push(message);
  const made = new MlDsaCollector({ witnesses, logSigner, clock: systemClock, report });
  return { collector: made, lines };
}

Deno.test("valid signatures are collected in the order of witnesses, each once, beside the log's", async () => {
  const { collector: made, lines } = collector(LOG);
  const proposed = made.propose(HEAD);
  const [first, second] = [await sign(W1, "w1"), await sign(W2, "w2")];
  await proposed.add(1, second);
  await proposed.add(0, first);
  const { log, witnesses } = (await proposed.signatures())!;
  assert.equal(log?.length, 2420);
  assert.deepEqual(witnesses, [{ witness: 0, signature: first }, {
    witness: 1,
    signature: second,
  }]);
  assert.deepEqual(lines, []);
});

Deno.test("missing and wrong signatures are left out and reported once, until the right one comes", async () => {
  const { collector: made, lines } = collector();
  const wrong = [
    undefined,
    new Uint8Array(2420),
    new Uint8Array(3),
    await sign(W2, "w1"),
    await sign(W1, "w2"),
    await sign(W1, "w1", { ...HEAD, timestamp: HEAD.timestamp + 1 }),
    await sign(W1, "w1", { ...HEAD, tree_size: 8 }),
    await sign(W1, "w1", { ...HEAD, root_hash: "ac".repeat(32) }),
    await sign(W1, "w1", { ...HEAD, network_id: "log.example/b" }),
  ];
  for (const signature of wrong) {
    const proposed = made.propose(HEAD);
    await proposed.add(0, signature);
    assert.equal(await proposed.signatures(), undefined);
  }
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^Witness w1 does not cosign with its ML-DSA-44 key/);
  const proposed = made.propose(HEAD);
  await proposed.add(0, await sign(W1, "w1"));
  assert.equal((await proposed.signatures())!.witnesses.length, 1);
  assert.equal(lines.length, 2);
});

Deno.test("a signature of a witness without a configured key is ignored", async () => {
  const { collector: made, lines } = collector();
  const proposed = made.propose(HEAD);
  await proposed.add(2, await sign(W1, "w3"));
  await proposed.add(2, undefined);
  assert.equal(await proposed.signatures(), undefined);
  assert.deepEqual(lines, []);
});

Deno.test("a head is valid without the signature of a log key that fails", async () => {
  const failing = { sign: () => Promise.reject(new Error("no entropy")) };
  const proposed = collector(failing).collector.propose(HEAD);
  await proposed.add(0, await sign(W1, "w1"));
  assert.deepEqual(Object.keys((await proposed.signatures())!), ["witnesses"]);
});
