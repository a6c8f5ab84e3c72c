import assert from "node:assert/strict";
import { CONSISTENCY_PROOF, INCLUSION_PROOF } from "../../src/proof/format/bundle.ts";
import { SIGNED_TREE_HEAD } from "../../src/proof/format/tree_head.ts";
import {
  parseConsistencyProof,
  parseInclusionProof,
  parseSignedTreeHead,
} from "../../src/proof/format/bundle.ts";
import { verifyConsistencyProof, verifyInclusionProof } from "../../src/proof/verify/log_proofs.ts";
import { verifySignedTreeHead } from "../../src/proof/verify/tree_head.ts";
import { eachScheme } from "../schemes.ts";
import { assertProblem, bodyOf, randomHashes, verifier, withGateway } from "./gateway_server.ts";

const REVALIDATED = "public, no-cache";
const UNKNOWN = "00".repeat(32);

eachScheme.test("an empty log has no tree head", async (scheme) => {
  await withGateway(async (server) => {
    await assertProblem(await server.get("/v1/log/sth"), "no_tree_head");
    for (const size of [0, 1, 2 ** 53 - 1]) {
      await assertProblem(await server.get(`/v1/log/sth/${size}`), "tree_size_not_published");
    }
    await assertProblem(
      await server.get("/v1/log/consistency?first=1&second=1"),
      "tree_size_not_published",
    );
  }, { scheme });
});

eachScheme.test("GET /v1/log/sth returns the latest head, or 304 for its ETag", async (scheme) => {
  await withGateway(async (server) => {
    await server.batch(3);
    await server.wholeHead();
    const response = await server.get("/v1/log/sth");
    assert.equal(response.headers.get("Cache-Control"), "public, no-cache");
    const etag = response.headers.get("ETag")!;
    const sth = parseSignedTreeHead(JSON.stringify(await bodyOf(response, SIGNED_TREE_HEAD)));
    const { network } = server.network;
    assert.equal((await verifySignedTreeHead(verifier, network, sth)).valid, true);
    for (const named of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const same = await server.get("/v1/log/sth", { "If-None-Match": named });
      assert.equal(same.status, 304, named);
      assert.equal(same.headers.get("ETag"), etag);
      assert.equal(await same.text(), "");
    }
    assert.equal((await server.get("/v1/log/sth", { "If-None-Match": '"x"' })).status, 200);
    await server.batch(1);
    assert.equal((await server.get("/v1/log/sth", { "If-None-Match": etag })).status, 200);
  }, { scheme });
});

eachScheme.test("GET /v1/log/sth/{tree_size} returns the head published at that size", async (scheme) => {
  await withGateway(async (server) => {
    await server.batch(3);
    const latest = await server.wholeHead();
    await server.batch(2);
    const response = await server.get("/v1/log/sth/3");
    assert.equal(response.headers.get("Cache-Control"), REVALIDATED);
    assert.deepEqual(await bodyOf(response, SIGNED_TREE_HEAD), latest);
    for (const size of [0, 2, 4, 6]) {
      await assertProblem(await server.get(`/v1/log/sth/${size}`), "tree_size_not_published");
    }
    for (const size of ["03", "-3", "+3", "3.0", "3e0", "0x3", " 3", "three", 2 ** 53, "%33x"]) {
      await assertProblem(await server.get(`/v1/log/sth/${size}`), "malformed_parameter");
    }
  }, { scheme });
});

eachScheme.test("GET /v1/log/consistency proves growth between published sizes", async (scheme) => {
  await withGateway(async (server) => {
    await server.batch(3);
    await server.batch(4);
    const { network } = server.network;
    for (const [first, second] of [[3, 7], [3, 3], [7, 7]] as const) {
      const path = `/v1/log/consistency?first=${first}&second=${second}`;
      const response = await server.get(path);
      assert.equal(response.headers.get("Cache-Control"), REVALIDATED);
      const proof = parseConsistencyProof(
        JSON.stringify(await bodyOf(response, CONSISTENCY_PROOF)),
      );
      const result = await verifyConsistencyProof(verifier, network, proof, { first, second });
      assert.equal(result.valid, true);
      assert.equal(proof.consistency_path.length === 0, first === second);
    }
    for (const query of ["first=2&second=7", "first=3&second=6", "first=3&second=8"]) {
      await assertProblem(
        await server.get(`/v1/log/consistency?${query}`),
        "tree_size_not_published",
      );
    }
    const malformed = [
      "",
      "first=3",
      "second=7",
      "first=&second=7",
      "first=0&second=7",
      "first=7&second=3",
      "first=3&second=07",
      "first=3&second=7.0",
      "first=3&first=3&second=7",
      "first=3&second=7&second=7",
      "first=3&second=9007199254740992",
      "First=3&second=7",
    ];
    for (const query of malformed) {
      await assertProblem(await server.get(`/v1/log/consistency?${query}`), "malformed_parameter");
    }
    assert.ok((await server.get("/v1/log/consistency?first=3&second=7&x=1")).ok);
  }, { scheme });
});

eachScheme.test("GET /v1/log/proof proves inclusion in any published tree that is large enough", async (scheme) => {
  await withGateway(async (server) => {
    const hashes = [...await server.batch(3), ...await server.batch(4)];
    const { network } = server.network;
    for (const [sequence, tree_size] of [[0, 3], [2, 3], [0, 7], [6, 7]] as const) {
      const hash = hashes[sequence]!;
      const response = await server.get(`/v1/log/proof?hash=${hash}&tree_size=${tree_size}`);
      assert.equal(response.headers.get("Cache-Control"), REVALIDATED);
      const proof = parseInclusionProof(JSON.stringify(await bodyOf(response, INCLUSION_PROOF)));
      const expected = { hash, treeSize: tree_size };
      const result = await verifyInclusionProof(verifier, network, proof, expected);
      assert.equal(result.valid, true);
      assert.equal(proof.leaf_index, sequence);
    }
    const [hash] = hashes;
    const refused = [
      [`hash=${hashes[3]}&tree_size=3`, "malformed_parameter"],
      [`hash=${hash}`, "malformed_parameter"],
      [`hash=${hash}&tree_size=x`, "malformed_parameter"],
      [`hash=${hash}&hash=${hash}&tree_size=3`, "malformed_parameter"],
      ["tree_size=3", "malformed_parameter"],
      [`hash=${hash}&tree_size=4`, "tree_size_not_published"],
      [`hash=${hash!.toUpperCase()}&tree_size=3`, "malformed_hash"],
      ["hash=&tree_size=3", "malformed_hash"],
      [`hash=${UNKNOWN}&tree_size=3`, "hash_unknown"],
    ] as const;
    for (const [query, code] of refused) {
      await assertProblem(await server.get(`/v1/log/proof?${query}`), code);
    }
    server.takeDown(2);
    const [waiting] = randomHashes(1);
    await server.post("/v1/attestations", { hash: waiting });
    await assertProblem(
      await server.get(`/v1/log/proof?hash=${waiting}&tree_size=7`),
      "not_confirmed",
    );
  }, { scheme });
});
