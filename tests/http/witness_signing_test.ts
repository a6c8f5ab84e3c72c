import assert from "node:assert/strict";
import { hexOf, utf8 } from "../../src/base/bytes.ts";
import { verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { encodeRoundMessage } from "../../src/proof/format/round.ts";
import { encodeCosignatureMessage } from "../../src/proof/format/tree_head.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import { forged, QUICKNET_BEACONS, QUICKNET_TIME } from "../beacons.ts";
import { bls, configuredWitness, schemeSigner } from "../schemes.ts";
import {
  digestsOf,
  manyDigests,
  NETWORK,
  NOW,
  signerOf,
  testWitness,
  verifiesHead,
  WITNESS_ID,
} from "../witness/fixture.ts";
import { cosignBody, fork, log, problem, roundBody, serve } from "./witness_server.ts";

Deno.test("POST /v1/sign returns the witness's signature", async () => {
  const { post } = serve();
  for (const beacon of [{}, { beacon: null }]) {
    const response = await post("/v1/sign", roundBody(beacon));
    assert.equal(response.status, 200);
    const { witness_id, signature, ...rest } = await response.json();
    assert.deepEqual(rest, {});
    assert.equal(witness_id, WITNESS_ID);
    const direct = await testWitness().sign({
      networkId: NETWORK,
      timestamp: NOW,
      firstSequence: 0,
      digests: digestsOf("a", "b"),
      beacon: null,
    });
    assert.equal(signature, direct.toHex());
  }
});

Deno.test("POST /v1/sign signs a valid beacon with the round and refuses others", async () => {
  const { post, clock } = serve();
  clock.seconds = QUICKNET_TIME;
  const [beacon, next] = QUICKNET_BEACONS;
  const round = { timestamp: QUICKNET_TIME };
  const response = await post("/v1/sign", roundBody({ ...round, beacon }));
  assert.equal(response.status, 200);
  const { signature } = await response.json();
  const digests = digestsOf("a", "b");
  const tree = { networkId: NETWORK, timestamp: QUICKNET_TIME, first: 0, digests };
  const message = encodeRoundMessage({
    network_id: NETWORK,
    timestamp: QUICKNET_TIME,
    size: 2,
    root: hexOf(buildRoundTree(portableKernels, tree).root),
    beacon,
  });
  const { publicKey } = signerOf(WITNESS_ID);
  assert.ok(verifyNative(publicKey, utf8(message), Uint8Array.fromHex(signature)));
  const rows: [Record<string, unknown>, number, string][] = [
    [{ ...forged(beacon) }, 422, "beacon_refused"],
    [{ ...beacon, signature: next.signature }, 422, "beacon_refused"],
    [{ ...beacon, chain_hash: "00".repeat(32) }, 422, "beacon_refused"],
    [{ ...beacon, round: 0 }, 422, "beacon_refused"],
    [{ ...beacon, round: "1" }, 400, "malformed_request"],
    [{ ...beacon, randomness: "00" }, 400, "malformed_request"],
    [{ ...beacon, signature: beacon.signature.toUpperCase() }, 400, "malformed_request"],
  ];
  for (const [wrong, status, code] of rows) {
    const other = { ...round, beacon: wrong, first_sequence: 100 };
    const refused = await post("/v1/sign", roundBody(other));
    await problem(refused, status, code);
  }
});

Deno.test("POST /v1/sign accepts a round of 512, whose body is longer than 32 KiB", async () => {
  const { post } = serve();
  const hex = manyDigests(513).toHex();
  const hashes = Array.from({ length: 513 }, (_, i) => hex.slice(i * 64, i * 64 + 64));
  assert.equal((await post("/v1/sign", roundBody({ hashes: hashes.slice(0, 512) }))).status, 200);
  await problem(await post("/v1/sign", roundBody({ hashes })), 400, "malformed_request");
});

Deno.test("POST /v1/sign refuses what docs/protocol.md lists", async () => {
  const a = hexOf(digestsOf("a"));
  const { post } = serve();
  const rows: [Record<string, unknown>, number, string][] = [
    [{ network_id: "log.example/other" }, 403, "network_refused"],
    [{ hashes: [] }, 400, "malformed_request"],
    [{ hashes: [a, a] }, 400, "malformed_request"],
    [{ hashes: [a.toUpperCase()] }, 400, "malformed_request"],
    [{ hashes: [a.slice(1)] }, 400, "malformed_request"],
    [{ hashes: [`${a}00`] }, 400, "malformed_request"],
    [{ hashes: [`0x${a.slice(2)}`] }, 400, "malformed_request"],
    [{ hashes: [7] }, 400, "malformed_request"],
    [{ hashes: a }, 400, "malformed_request"],
    [{ timestamp: NOW + 6 }, 422, "time_refused"],
    [{ timestamp: NOW - 61 }, 422, "time_refused"],
    [{ timestamp: `${NOW}` }, 400, "malformed_request"],
    [{ timestamp: NOW + 0.5 }, 400, "malformed_request"],
    [{ first_sequence: -1 }, 400, "malformed_request"],
    [{ first_sequence: 2 ** 53 }, 400, "malformed_request"],
    [{ first_sequence: 2 ** 53 - 1 }, 400, "malformed_request"],
    [{ network_id: 7 }, 400, "malformed_request"],
    [{ network_id: undefined }, 400, "malformed_request"],
    [{ beacon: {} }, 400, "malformed_request"],
    [{ beacon: "none" }, 400, "malformed_request"],
    [{ root: "00" }, 400, "malformed_request"],
  ];
  for (const [change, status, code] of rows) {
    await problem(await post("/v1/sign", roundBody(change)), status, code);
  }
  assert.equal((await post("/v1/sign", roundBody())).status, 200);
});

Deno.test("POST /v1/sign returns its size if the sequences are already signed", async () => {
  const { post } = serve();
  assert.equal((await post("/v1/sign", roundBody())).status, 200);
  const other = await post("/v1/sign", roundBody({ hashes: [hexOf(digestsOf("c"))] }));
  assert.equal((await problem(other, 409, "sequence_conflict")).size, 0);
  assert.equal((await post("/v1/cosign", cosignBody(0, 5))).status, 200);
  const below = await post("/v1/sign", roundBody({ first_sequence: 4 }));
  assert.equal((await problem(below, 409, "sequence_conflict")).size, 5);
  assert.equal((await post("/v1/sign", roundBody({ first_sequence: 5 }))).status, 200);
});

Deno.test("POST /v1/cosign returns the witness's cosignature", async () => {
  const { post } = serve();
  for (const [from, to] of [[0, 5], [5, 11], [11, 11]] as const) {
    const body = cosignBody(from, to);
    const response = await post("/v1/cosign", body);
    assert.equal(response.status, 200);
    const { witness_id, signature, ...rest } = await response.json();
    assert.deepEqual(rest, {});
    assert.equal(witness_id, WITNESS_ID);
    assert.ok(verifiesHead(body.tree_head, Uint8Array.fromHex(signature)));
  }
});

Deno.test("POST /v1/cosign refuses what docs/protocol.md lists", async () => {
  const { post } = serve();
  assert.equal((await post("/v1/cosign", cosignBody(0, 5))).status, 200);
  const good = cosignBody(5, 11);
  const head = good.tree_head;
  const signed = (change: Partial<typeof head>) => {
    const tree_head = { ...head, ...change };
    return { ...good, tree_head, log_signature: hexOf(log.sign(tree_head)) };
  };
  const rows: [unknown, number, string][] = [
    [{ ...good, tree_head: { ...head, network_id: "log.example/x" } }, 403, "network_refused"],
    [{ ...good, log_signature: "00".repeat(64) }, 403, "log_signature_refused"],
    [{ ...good, tree_head: { ...head, tree_size: 12 } }, 403, "log_signature_refused"],
    [signed({ timestamp: NOW + 6 }), 422, "time_refused"],
    [signed({ timestamp: NOW - 61 }), 422, "time_refused"],
    [{ ...good, old_size: 12 }, 400, "malformed_request"],
    [cosignBody(5, 11, fork), 422, "consistency_refused"],
    [cosignBody(5, 5, fork), 422, "consistency_refused"],
    [{ ...good, consistency_path: [] }, 422, "consistency_refused"],
    [{ ...cosignBody(5, 5), consistency_path: ["00".repeat(32)] }, 422, "consistency_refused"],
    [{ ...good, log_signature: good.log_signature.toUpperCase() }, 400, "malformed_request"],
    [{ ...good, log_signature: good.log_signature.slice(2) }, 400, "malformed_request"],
    [{ ...good, consistency_path: ["00"] }, 400, "malformed_request"],
    [{ ...good, consistency_path: "" }, 400, "malformed_request"],
    [{ ...good, old_size: "5" }, 400, "malformed_request"],
    [{ ...good, old_size: 2 ** 53 }, 400, "malformed_request"],
    [{ ...good, more: 1 }, 400, "malformed_request"],
    [{ ...good, tree_head: { ...head, more: 1 } }, 400, "malformed_request"],
    [
      { ...good, tree_head: { ...head, root_hash: head.root_hash.slice(2) } },
      400,
      "malformed_request",
    ],
    [{ ...good, tree_head: null }, 400, "malformed_request"],
  ];
  for (const [body, status, code] of rows) {
    await problem(await post("/v1/cosign", body), status, code);
  }
  for (const from of [0, 4, 6, 11]) {
    const answer = await post("/v1/cosign", cosignBody(from, 11));
    assert.equal((await problem(answer, 409, "tree_size_conflict")).size, 5);
  }
  assert.equal((await post("/v1/cosign", good)).status, 200);
});

Deno.test("a bls witness signs with its key and publishes its proof of possession", async () => {
  const signer = schemeSigner("bls", WITNESS_ID);
  const { ask, post, witness } = serve(undefined, signer);
  const { id: _, ...configured } = configuredWitness(WITNESS_ID, signer);
  assert.deepEqual(await (await ask("/v1/info")).json(), {
    id: WITNESS_ID,
    network_id: NETWORK,
    ...configured,
  });
  assert.equal(witness.scheme, "bls");
  const signed = await (await post("/v1/sign", roundBody())).json();
  const digests = digestsOf("a", "b");
  const request = { networkId: NETWORK, timestamp: NOW, firstSequence: 0, digests };
  const { root } = buildRoundTree(portableKernels, { ...request, first: 0 });
  const round = { network_id: NETWORK, timestamp: NOW, size: 2, root: root.toHex(), beacon: null };
  const cosigned = await (await post("/v1/cosign", cosignBody(0, 5))).json();
  for (
    const [message, { signature }] of [
      [encodeRoundMessage(round), signed],
      [encodeCosignatureMessage(cosignBody(0, 5).tree_head), cosigned],
    ] as const
  ) {
    const share = Uint8Array.fromHex(signature);
    assert.ok(bls.verify(signer.publicKey, utf8(message), share, BLS_SIGNATURE_DST));
  }
});

Deno.test("a bls witness has no /add-checkpoint, because a share is not a cosignature", async () => {
  const { post } = serve(undefined, schemeSigner("bls", WITNESS_ID));
  await problem(await post("/add-checkpoint", "old 0\n\n"), 404, "route_not_found");
});

Deno.test("POST /v1/rounds names what POST /v1/sign signed", async () => {
  const { post } = serve();
  const list = async (from: number) => {
    const response = await post("/v1/rounds", JSON.stringify({ from }));
    assert.equal(response.status, 200);
    return (await response.json()).rounds;
  };
  assert.deepEqual(await list(0), []);
  const body = roundBody();
  assert.equal((await post("/v1/sign", roundBody())).status, 200);
  const [found, ...others] = await list(0);
  const digests = Uint8Array.fromHex(body.hashes.join(""));
  const { first_sequence: first, timestamp } = body;
  const { root } = buildRoundTree(portableKernels, {
    networkId: NETWORK,
    timestamp,
    first,
    digests,
  });
  assert.deepEqual(found, {
    first_sequence: first,
    size: body.hashes.length,
    timestamp,
    beacon: null,
    root: root.toHex(),
  });
  assert.deepEqual(others, []);
  assert.deepEqual(await list(first + body.hashes.length), []);
  await problem(
    await post("/v1/sign", roundBody({ timestamp: timestamp - 1 })),
    409,
    "round_conflict",
  );
  assert.equal((await post("/v1/sign", roundBody({ vouchers: [] }))).status, 200);
  for (const wrong of [{ from: -1 }, { from: 2 ** 53 }, { from: "0" }, {}, { from: 0, to: 1 }]) {
    await problem(await post("/v1/rounds", JSON.stringify(wrong)), 400, "malformed_request");
  }
});
