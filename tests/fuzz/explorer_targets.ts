/**
 * Readers of the explorer's page: answers of a gateway that may lie, files and texts of its user, and
 * the page's own storage.
 *
 * @module
 */

import assert from "node:assert/strict";
import { hexOf } from "../../src/base/bytes.ts";
import { portableBls } from "../../src/proof/crypto/portable_bls.ts";
import { parseBatch, parseBatches, parseBatchList } from "../../src/client/gateway_answers.ts";
import type { PageStorage } from "../../src/explorer/browser_storage.ts";
import { parseGatewayStatus } from "../../src/proof/format/gateway_status.ts";
import { readLookUp } from "../../src/explorer/explore/look_up_text.ts";
import { readPastedHash } from "../../src/explorer/hashing/pasted_hash.ts";
import { encodeRememberedHead, parseRememberedHead } from "../../src/client/remembered_head.ts";
import { hrefOf, parseRoute } from "../../src/explorer/route.ts";
import { makePin, readPins, type StoredPin, storePins } from "../../src/explorer/trust.ts";
import { readSuppliedFile } from "../../src/explorer/verify/supplied_file.ts";
import * as script from "../../src/explorer/verify/timestamp_script.ts";
import { withAttachedProof } from "../../src/proof/timestamp/attached_proof.ts";
import { TestAuthority } from "../proof/timestamp/test_authority.ts";
import { batchedBundle, makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { ofText, type Target } from "./engine.ts";

const network = new TestNetwork("fuzz.example/explorer");
const log = makeLog(network);
const bundle = batchedBundle(log);
const { batch, sth } = bundle.batch_inclusion!;
const { hash } = bundle.signed_attestation.attestation;
const token = withAttachedProof(
  await (await TestAuthority.create()).token(Uint8Array.fromHex(hash)),
  JSON.stringify(bundle),
);

const STATUS = {
  status: "ok",
  witnesses: [{ id: "fuzz.example/w1", healthy: false, last_seen_at: 1, last_error: "internal" }],
  pending_count: 1,
  oldest_pending_age: 2,
  sth: { tree_size: 3, age: 4 },
  beacon: { round: 5, age: 6 },
  peers: [{ id: "peer.example", last_cross_anchor: { tree_size: 3, age: 7 }, failing: true }],
  anchors: [{ provider: "rfc3161", last: { tree_size: 3, age: 8, status: "pending" } }],
  contradictions: 9,
};

/** Storage that holds one text under every name, and what was written to it last. */
function storageOf(text: string): PageStorage & { text: string } {
  return {
    text,
    read() {
      return this.text;
    },
    write(_, written) {
      this.text = written;
      return true;
    },
    remove: () => true,
  };
}

function pinsText(): string {
  const storage = storageOf("");
  const text = JSON.stringify(network.configuration);
  const origin = { source: "file", name: "network.json", pinnedAt: 1 } as const;
  const pin = makePin(text, origin, portableBls);
  storePins(storage, { home: pin, peers: [pin] });
  return storage.text;
}

const GATEWAY_TARGETS: readonly Target[] = [
  {
    name: "parseGatewayStatus",
    covers: ["proof/format/gateway_status.ts#parseGatewayStatus"],
    codes: ["gateway_refused"],
    seeds: [STATUS, { status: "ok", witnesses: [], pending_count: 0, beacon: null }]
      .map((status) => JSON.stringify(status)),
    read: ofText((text) => {
      const status = parseGatewayStatus(text);
      // The result is a status that reads as itself.
      assert.deepEqual(parseGatewayStatus(JSON.stringify(status)), status);
    }),
  },
  {
    name: "parseBatches",
    covers: ["parseBatches", "parseBatch", "parseBatchList"]
      .map((name) => `client/gateway_answers.ts#${name}`),
    codes: ["malformed_bundle"],
    seeds: ["[]", JSON.stringify([batch])],
    read: ofText((text) => {
      const batches = parseBatches(text);
      assert.deepEqual(parseBatchList(text), batches);
      for (const found of batches) {
        assert.deepEqual(parseBatch(JSON.stringify(found)), found);
      }
    }),
  },
];

const READER_TARGETS: readonly Target[] = [
  {
    name: "readPins",
    covers: ["explorer/trust.ts#readPins"],
    codes: ["malformed_configuration", "invalid_configuration", "invalid_key", "malformed_text"],
    seeds: [pinsText()],
    read: ofText((text) => {
      const { home, peers } = readPins(storageOf(text), portableBls)!;
      const storage = storageOf("");
      storePins(storage, { home, peers });
      // Without the chains, which are stored when they were followed.
      const unchained = (pin: StoredPin) => ({ ...pin, chain: [] });
      assert.deepEqual(readPins(storage, portableBls), {
        home: unchained(home),
        peers: peers.map(unchained),
      });
    }),
  },
  {
    name: "parseRememberedHead",
    covers: ["client/remembered_head.ts#parseRememberedHead"],
    codes: ["malformed_text"],
    seeds: [encodeRememberedHead({ sth, fingerprint: "ab".repeat(32), seenAt: 1 })],
    read: ofText((text) => {
      const head = parseRememberedHead(text, network.id);
      assert.deepEqual(parseRememberedHead(encodeRememberedHead(head), network.id), head);
    }),
  },
  {
    name: "readSuppliedFile",
    covers: [
      "explorer/verify/supplied_file.ts#readSuppliedFile",
      "explorer/verify/timestamp_script.ts#readTokenFile",
    ],
    codes: ["malformed_bundle", "timestamp_refused"],
    seeds: [JSON.stringify(bundle), JSON.stringify(network.configuration), token],
    async read(input) {
      const supplied = await readSuppliedFile(new Blob([input]), () => Promise.resolve(script));
      if ("error" in supplied) throw supplied.error;
      if (supplied.kind === "bundle") assert.equal(typeof supplied.bundle, "object");
      if (supplied.kind === "timestamp") assert.equal(supplied.text, hexOf(input));
      return supplied.kind !== "other";
    },
  },
  {
    name: "readPastedHash",
    covers: ["explorer/hashing/pasted_hash.ts#readPastedHash"],
    codes: [],
    seeds: [hash, `${hash}  claim.txt`, `SHA256 (claim.txt) = ${hash}`],
    read: ofText((text) => {
      const read = readPastedHash(text);
      if ("fault" in read) return false;
      assert.ok(text.toLowerCase().includes(read.hash));
      return assert.match(read.hash, /^[0-9a-f]{64}$/);
    }),
  },
  {
    name: "readLookUp",
    covers: ["explorer/explore/look_up_text.ts#readLookUp"],
    codes: [],
    seeds: [hash, "12", "batch 1,234", "position 7", `https://a.example/x#/proof/${hash}`],
    read: ofText((text) => {
      const found = readLookUp(text);
      if ("fault" in found) return false;
      const { routes } = found;
      return assert.deepEqual(routes.map((route) => parseRoute(hrefOf(route))), routes);
    }),
  },
  {
    name: "parseRoute",
    covers: ["explorer/route.ts#parseRoute"],
    codes: [],
    seeds: ["#/stamp", `#/proof/${hash}`, "#/explore/batch/12", "#/explore/position/7"],
    read: ofText((text) => {
      const route = parseRoute(text);
      if (route.page === "unknown") return false;
      const isFirst = ["", "#", "#/"].includes(text);
      return assert.equal(hrefOf(route), isFirst ? "#/stamp" : text);
    }),
  },
];

export const EXPLORER_TARGETS: readonly Target[] = [...GATEWAY_TARGETS, ...READER_TARGETS];
