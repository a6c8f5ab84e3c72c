import assert from "node:assert/strict";
import { fromHex, textOf } from "../../src/base/bytes.ts";
import { parseAttestation } from "../../src/proof/format/attestation.ts";
import { parseBundle, type SignedAttestation } from "../../src/proof/format/bundle.ts";
import { MERKLE_PROOF, PROOF_BUNDLE } from "../../src/proof/format/bundle.ts";
import { EXTERNAL_ANCHORS } from "../../src/proof/format/external_anchor.ts";
import { JOB_SNAPSHOT } from "../../src/proof/format/job_snapshot.ts";
import { coseReceiptOf, parseCoseReceipt } from "../../src/proof/format/cose_receipt.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { parseTlogProof, tlogProofOf } from "../../src/proof/format/tlog_proof.ts";
import { OPINION } from "../../src/http/schema/opinion.ts";
import { INFORMATIVE_BATCH_FIELDS } from "../../src/proof/verify/batch.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { eachScheme } from "../schemes.ts";
import { foreignReceiptRoot } from "../proof/verify/foreign_receipts.ts";
import { assertProblem, bodyOf, randomHashes, verifier, withGateway } from "./gateway_server.ts";

const UNKNOWN = "00".repeat(32);

eachScheme.test("the proofs of a batched hash verify", async (scheme) => {
  await withGateway(async (server) => {
    const hashes = await server.batch(5);
    const response = await server.get(`/v1/bundle/${hashes[3]}`);
    const bundle = parseBundle(JSON.stringify(await bodyOf(response, PROOF_BUNDLE)));
    const trust = { network: server.network.network, peers: [] };
    const verdict = await verifyBundle(verifier, trust, bundle, { hash: hashes[3]! });
    assert.equal(verdict.level, "batched");
    const proof = await bodyOf(await server.get(`/v1/proof/${hashes[3]}`), MERKLE_PROOF);
    assert.deepEqual(proof, bundle.batch_inclusion?.merkle_proof);
    assert.deepEqual(
      await bodyOf(await server.get(`/v1/anchors/${hashes[3]}`), EXTERNAL_ANCHORS),
      [],
    );
  }, { scheme });
});

eachScheme.test("a bundle with the log's signature verifies, and gives the gateway's tlog-proof", async (scheme) => {
  await withGateway(async (server) => {
    const [, hash] = await server.batch(5);
    await server.wholeHead();
    const { network } = server.network;
    const plain = await (await server.get(`/v1/bundle/${hash}`)).json();
    const bundle = parseBundle(
      await (await server.get(`/v1/bundle/${hash}?log_signature=true`)).text(),
    );
    const { log_signature, receipt_signature, ...sth } = bundle.batch_inclusion!.sth;
    for (const one of [log_signature!, receipt_signature!]) assert.match(one, /^[0-9a-f]{128}$/);
    assert.deepEqual({ ...bundle.batch_inclusion, sth }, plain.batch_inclusion);
    const trust = { network, peers: [] };
    const verdict = await verifyBundle(verifier, trust, bundle, { hash: hash! });
    assert.deepEqual([verdict.level, verdict.unauthenticated], [
      "batched",
      [...INFORMATIVE_BATCH_FIELDS],
    ]);
    const answer = await server.get(`/v1/bundle/${hash}`, { Accept: "text/plain" });
    assert.equal(answer.headers.get("Content-Type"), "text/plain; charset=utf-8");
    const proof = await answer.text();
    assert.equal(proof, tlogProofOf(network, bundle));
    const { checkpoint } = parseTlogProof(proof);
    assert.equal((await verifyCheckpoint(verifier, network, checkpoint)).valid, true);
    assert.equal(await (await server.get("/checkpoint/5")).text(), checkpoint);
    for (const path of ["/v1/log/sth", "/v1/log/sth/5"]) {
      const head = await (await server.get(`${path}?log_signature=true`)).json();
      assert.equal(head.log_signature, log_signature);
      assert.equal(head.receipt_signature, receipt_signature);
    }
  }, { scheme });
});

const COSE = { Accept: "application/cose" };

eachScheme.test("COSE receipts of inclusion and of consistency verify with a COSE library", async (scheme) => {
  await withGateway(async (server) => {
    const [, hash] = await server.batch(5);
    await server.batch(3);
    const { network } = server.network;
    const { publicKey } = parseVkey(network.log_vkey!);
    const answer = await server.get(`/v1/bundle/${hash}`, COSE);
    assert.equal(answer.headers.get("Content-Type"), "application/cose");
    const receipt = await answer.bytes();
    const bundle = await (await server.get(`/v1/bundle/${hash}?log_signature=true`)).text();
    assert.deepEqual(receipt, coseReceiptOf(network, parseBundle(bundle)));
    const { entry } = parseCoseReceipt(receipt);
    assert.equal(parseAttestation(textOf(entry!)).hash, hash);
    const oldRoot = await foreignReceiptRoot(publicKey, receipt, { entry: entry! });
    const { tree_head: { root_hash } } = await (await server.get("/v1/log/sth/8")).json();
    const grown = await server.get("/v1/log/consistency?first=5&second=8", COSE);
    assert.equal(grown.headers.get("Content-Type"), "application/cose");
    const roots = { oldRoot, newRoot: fromHex(root_hash) };
    await foreignReceiptRoot(publicKey, await grown.bytes(), roots);
    const code = "malformed_parameter";
    await assert.rejects(server.gateway.log.consistencyReceipt(8, 8), { code });
  }, { scheme });
});

eachScheme.test("a confirmed hash that is not batched has a bundle and no proof", async (scheme) => {
  await withGateway(async (server) => {
    const [hash] = randomHashes(1);
    await server.post("/v1/attestations", { hash }, { Prefer: "wait=10" });
    const bundle = await bodyOf(await server.get(`/v1/bundle/${hash}`), PROOF_BUNDLE);
    assert.equal(bundle.batch_inclusion, null);
    await assertProblem(await server.get(`/v1/proof/${hash}`), "not_batched");
    for (const Accept of ["text/plain", "application/cose"]) {
      await assertProblem(await server.get(`/v1/bundle/${hash}`, { Accept }), "not_batched");
    }
    assert.deepEqual(await bodyOf(await server.get(`/v1/anchors/${hash}`), EXTERNAL_ANCHORS), []);
  }, { maxAgeMs: 3_600_000, scheme });
});

Deno.test("POST /v1/verify returns an opinion of any SignedAttestation", async () => {
  await withGateway(async (server) => {
    const [hash] = await server.batch(1);
    const job = await bodyOf(await server.get(`/v1/attestations/${hash}`), JOB_SNAPSHOT);
    assert.ok(job.status === "confirmed");
    const signed = job.signed_attestation as SignedAttestation;
    assert.ok("signatures" in signed);
    const { signatures } = signed;
    const opinionOf = async (body: unknown) =>
      await bodyOf(await server.post("/v1/verify", body), OPINION);

    const { timestamp: time, network_id } = signed.attestation;
    assert.deepEqual(await opinionOf(signed), {
      valid: true,
      verified_signatures: 2,
      required_signatures: 2,
      time: {
        not_before: [],
        not_after: [{ time, source: "attestation", word: `2 witnesses of ${network_id}` }],
        failed: [],
        contradictions: [],
      },
    });
    const invalid = { valid: false, verified_signatures: 0, required_signatures: 2 };
    const attestation = { ...signed.attestation, hash: UNKNOWN };
    assert.deepEqual(await opinionOf({ ...signed, attestation }), {
      ...invalid,
      reason: "signature_invalid",
    });
    const twice = [signatures[0], signatures[0]];
    assert.deepEqual(await opinionOf({ ...signed, signatures: twice }), {
      ...invalid,
      reason: "signer_duplicate",
    });
    assert.deepEqual(await opinionOf({ ...signed, signatures: [signatures[0]] }), {
      valid: false,
      verified_signatures: 1,
      required_signatures: 2,
      reason: "threshold_not_met",
    });
    const { signatures: _, ...bare } = signed;
    const bls = { signature: "ab".repeat(48), signers: ["test.example/log/w1"] };
    assert.deepEqual(await opinionOf({ ...bare, ...bls }), {
      ...invalid,
      reason: "scheme_mismatch",
    });

    for (const body of [{ ...signed, ...bls }, bare, { ...signed, x: 1 }, {}, [], null]) {
      await assertProblem(await server.post("/v1/verify", body), "malformed_request");
    }
    const text = JSON.stringify(signed);
    await assertProblem(await server.post("/v1/verify", text.slice(1)), "malformed_json");
    await assertProblem(
      await server.post("/v1/verify", text.replace("{", '{"round":{},')),
      "malformed_json",
    );
    await assertProblem(
      await server.post("/v1/verify", text.replace(/"sequence":0/, '"sequence":0.0')),
      "malformed_request",
    );
    await assertProblem(
      await server.post("/v1/verify", `${text}${" ".repeat(64 * 1024)}`),
      "body_too_large",
    );
    await assertProblem(
      await server.post("/v1/verify", text, { "Content-Type": "text/plain" }),
      "unsupported_media_type",
    );
  });
});

Deno.test("POST /v1/verify verifies aggregates of a bls network", async () => {
  await withGateway(async (server) => {
    const [hash] = await server.batch(1);
    const job = await bodyOf(await server.get(`/v1/attestations/${hash}`), JOB_SNAPSHOT);
    assert.ok(job.status === "confirmed");
    const signed = job.signed_attestation as SignedAttestation;
    assert.ok("signers" in signed);
    const { signature, signers, ...bare } = signed;
    const opinionOf = async (set: object) =>
      await bodyOf(await server.post("/v1/verify", { ...bare, ...set }), OPINION);
    const { time, ...opinion } = await opinionOf({ signature, signers });
    assert.deepEqual(opinion, { valid: true, verified_signatures: 2, required_signatures: 2 });
    assert.equal(time?.not_after[0]?.time, signed.attestation.timestamp);
    const invalid = { valid: false, verified_signatures: 0, required_signatures: 2 };
    const [first, second] = signers;
    const identity = "c0".padEnd(96, "0");
    for (
      const [set, reason] of [
        [{ signature, signers: [first, first] }, "signer_duplicate"],
        [{ signature, signers: [second, first] }, "signers_unordered"],
        [{ signature, signers: [first, second, "zz/stranger"] }, "signer_unknown"],
        [{ signature, signers: [first] }, "signature_invalid"],
        [{ signature: identity, signers }, "signature_invalid"],
        [{ signature: identity, signers: [] }, "threshold_not_met"],
        [{ signatures: [] }, "scheme_mismatch"],
      ] as const
    ) assert.deepEqual(await opinionOf(set), { ...invalid, reason });
    for (const set of [{ signature }, { signers }, { signature, signers, signatures: [] }, {}]) {
      await assertProblem(
        await server.post("/v1/verify", { ...bare, ...set }),
        "malformed_request",
      );
    }
  }, { scheme: "bls" });
});
