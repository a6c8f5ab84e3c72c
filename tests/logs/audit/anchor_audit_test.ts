import type { SthRecord, WitnessedCheckpoint } from "../../../src/proof/format/records.ts";
import assert from "node:assert/strict";
import { auditAnchors, type AuditedAnchor } from "../../../src/logs/audit/anchor_audit.ts";
import { FaultLog } from "../../../src/logs/audit/faults.ts";
import { hexOf, utf8 } from "../../../src/base/bytes.ts";
import type { NetworkConfiguration } from "../../../src/proof/format/network.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine } from "../../../src/proof/format/note_writer.ts";
import type { SignatureSet } from "../../../src/proof/format/signature_set.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type TreeHead,
} from "../../../src/proof/format/tree_head.ts";
import {
  encodeAnchor,
  encodeContradiction,
  encodeCrossAnchor,
  encodeSeenHead,
} from "../../../src/storage/anchors/anchor_codec.ts";
import { anchorKeys, openAnchorDatabase } from "../../../src/storage/anchors/anchor_database.ts";
import {
  KvStoredAnchors,
  openStoredAnchors,
} from "../../../src/storage/anchors/kv_stored_anchors.ts";
import { inFolder } from "../../server/captured_io.ts";
import { configuredWitness, nativeCrypto, schemeSigner } from "../../schemes.ts";
import { anchor, head } from "../../storage/anchor_records.ts";
import { threeEpochs, twoSuccessions } from "../../proof/verify/test_succession.ts";

const HOME = "test.example/log";
const PEER = "peer.example";
const witnesses = [1, 2].map((i) => `${PEER}/w${i}`);
const logKey = schemeSigner("ed25519", PEER);

const peer: NetworkConfiguration = {
  id: PEER,
  threshold: 2,
  signature_scheme: "ed25519",
  witnesses: witnesses.map((id) => configuredWitness(id, schemeSigner("ed25519", id))),
  log_vkey: encodeVkey({ name: PEER, type: NOTE_TYPE.ed25519, publicKey: logKey.publicKey }),
  federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
};

function cosigned(treeHead: TreeHead, ids: readonly string[] = witnesses): SignatureSet {
  const message = utf8(encodeCosignatureMessage(treeHead));
  return {
    signatures: ids.map((witness_id) => ({
      witness_id,
      signature: hexOf(schemeSigner("ed25519", witness_id).sign(message)),
    })),
  };
}

function logged(size: number, mark: number) {
  const tree_head = head(size, mark, PEER);
  return {
    sth: { tree_head, ...cosigned(tree_head) },
    logSignature: logKey.sign(utf8(encodeCheckpointBody(tree_head))),
  };
}

function crossAnchor(treeHead: TreeHead, signatures = cosigned(treeHead)): AuditedAnchor {
  return { part: "cross_anchor", place: "ca", peer: PEER, treeHead, signatures };
}

function external(treeHead: TreeHead): AuditedAnchor {
  return { part: "external_anchor", place: "ea", anchor: { ...anchor("tsa", 9), treeHead } };
}

/** Cosignatures by a witness outside all networks. */
function witnessed(treeHead: TreeHead, message = encodeCosignatureMessage(treeHead)) {
  const name = "witness.example";
  const signer = schemeSigner("ed25519", name);
  const key = { name, type: NOTE_TYPE.cosignature, publicKey: signer.publicKey };
  const line = encodeSignatureLine(
    cosignatureLine(key, treeHead.timestamp, signer.sign(utf8(message))),
  );
  const { tree_size: size, root_hash: rootHash } = treeHead;
  const lines = [{ vkey: encodeVkey(key), line }];
  return { size, rootHash, lines, meetsQuorum: true };
}

function audited(record: WitnessedCheckpoint): AuditedAnchor {
  return { part: "witnessed_checkpoint", place: "fw", witnessed: record };
}

function contradiction(mark: number): AuditedAnchor {
  const evidence = { origin: PEER, foundAt: 5, first: logged(5, 0), second: logged(5, mark) };
  return { part: "contradiction", place: "contra", contradiction: { ...evidence, path: [] } };
}

/** The report and faults of `entries` for a log with published heads of sizes 9 and 12. */
async function audit(
  entries: readonly AuditedAnchor[],
  options: { readonly peers?: readonly NetworkConfiguration[]; readonly proofFault?: string } = {},
) {
  const faults = new FaultLog();
  const report = await auditAnchors(
    async function* () {
      yield* entries;
    },
    {
      networkId: HOME,
      async *sths() {
        for (const key of [9, 12]) {
          const value = { root: Uint8Array.fromHex(head(key).root_hash) } as SthRecord;
          yield { key, value };
        }
      },
      peers: options.peers ?? [peer],
      crypto: nativeCrypto,
      proofFault: () => Promise.resolve(options.proofFault),
      faults,
    },
  );
  return { report, faults: faults.listed.map(({ part, problem }) => `${part}: ${problem}`) };
}

Deno.test("auditAnchors() reports no fault for valid records", async () => {
  const { report, faults } = await audit([
    crossAnchor(head(9)),
    crossAnchor({ ...head(12), timestamp: 5 }),
    external(head(12)),
    { part: "seen_head", place: "seen", head: logged(5, 0) },
    contradiction(1),
    audited(witnessed(head(12))),
  ]);
  assert.deepEqual(faults, []);
  assert.deepEqual(report, {
    cross_anchors: 2,
    external_anchors: 1,
    seen_heads: 1,
    contradictions: 1,
    not_compared: [],
  });
});

Deno.test("auditAnchors() reports every false record", async () => {
  const one = cosigned(head(9), witnesses.slice(0, 1));
  const lies: readonly (readonly [AuditedAnchor, RegExp, string?])[] = [
    [crossAnchor(head(9, 1)), /^cross_anchor: .* another root$/],
    [crossAnchor(head(10)), /^cross_anchor: no head of size 10 is published$/],
    [crossAnchor(head(9, 0, PEER)), /^cross_anchor: its head is of peer\.example$/],
    [crossAnchor(head(9), one), /^cross_anchor: not signed .*: Fewer/],
    [crossAnchor(head(9), cosigned(head(12))), /^cross_anchor: not signed .* is wrong/],
    [external(head(9, 1)), /^external_anchor: .* another root$/],
    [external(head(9)), /^external_anchor: .*: another imprint$/, "another imprint"],
    [
      { part: "seen_head", place: "", head: { ...logged(5, 0), logSignature: new Uint8Array(64) } },
      /^seen_head: the head is not signed by peer\.example: /,
    ],
    [audited(witnessed(head(9, 1))), /^witnessed_checkpoint: .* another root$/],
    [audited(witnessed(head(10))), /^witnessed_checkpoint: no head of size 10 is published$/],
    [
      audited(witnessed(head(9), "another message")),
      /^witnessed_checkpoint: a cosignature does not verify$/,
    ],
    [contradiction(0), /^contradiction: it proves no contradiction: /],
    [
      { part: "cross_anchor", place: "", damage: "half of one" },
      /^cross_anchor: half of one$/,
    ],
  ];
  for (const [entry, fault, proofFault] of lies) {
    const { faults } = await audit([entry], proofFault === undefined ? {} : { proofFault });
    assert.equal(faults.length, 1);
    assert.match(faults[0]!, fault);
  }
});

Deno.test("auditAnchors() follows a peer by its stored links", async () => {
  const { log, epochs: [zero, one], links: [link] } = threeEpochs();
  const peers = [zero.configuration];
  const { tree_head: treeHead, ...signatures } = one.signHead(head(9));
  const anchored: AuditedAnchor = {
    part: "cross_anchor",
    place: "ca",
    peer: log.network.id,
    treeHead,
    signatures,
  };
  const stored = (changed: typeof link): AuditedAnchor => ({
    part: "peer_link",
    place: "peer",
    link: changed,
  });
  const faultsOf = async (...entries: AuditedAnchor[]) =>
    (await audit(entries, { peers })).faults.join();
  assert.match(await faultsOf(anchored), /^cross_anchor: not signed/);
  assert.equal(await faultsOf(stored(link), anchored), "");
  const forged = { ...link, end: { ...link.end, signatures: link.end.signatures.slice(1) } };
  assert.match(await faultsOf(stored(forged), anchored), /^peer_link: .*,cross_anchor: not signed/);

  const conflict = twoSuccessions();
  const evidence = (contradiction: typeof conflict): AuditedAnchor => ({
    part: "contradiction",
    place: "contra",
    contradiction,
  });
  assert.equal(await faultsOf(stored(link), evidence(conflict)), "");
  assert.match(
    await faultsOf(evidence({ ...conflict, second: conflict.first })),
    /^contradiction: it proves no contradiction: /,
  );
});

Deno.test("auditAnchors() checks the head but not the signatures of an unknown peer", async () => {
  const { report, faults } = await audit([crossAnchor(head(9, 1))], { peers: [] });
  assert.match(faults.join(), /^cross_anchor: .* another root$/);
  assert.deepEqual(report.not_compared, [`signatures of ${PEER}: its configuration is missing`]);
});

Deno.test("KvStoredAnchors.entries() reads every record and reports unknown keys", () =>
  inFolder(async (folder) => {
    const path = `${folder}/anchors.kv`;
    assert.equal(await openStoredAnchors(path, "network"), undefined);
    (await openAnchorDatabase(path, "network")).close();
    {
      using kv = await Deno.openKv(path);
      const whole: [Deno.KvKey, unknown][] = [
        [
          anchorKeys.crossAnchor(PEER, 9),
          encodeCrossAnchor({ peer: PEER, treeHead: head(9), signatures: cosigned(head(9)) }),
        ],
        [anchorKeys.anchor("tsa", "pending", 9), encodeAnchor(anchor("tsa", 9, "pending"))],
        [anchorKeys.seen(PEER), encodeSeenHead({ ...logged(5, 0), seenAt: 5 })],
        [
          anchorKeys.contradiction(0),
          encodeContradiction({
            origin: PEER,
            foundAt: 5,
            path: [],
            first: logged(5, 0),
            second: logged(5, 1),
          }),
        ],
        [anchorKeys.contradiction(1), encodeContradiction(twoSuccessions())],
        [anchorKeys.pair(PEER, [5, "00", 5, "01"]), new Uint8Array(8)],
        [anchorKeys.pair("epochs.example", [0]), new Uint8Array(8)],
      ];
      const strays: [Deno.KvKey, unknown][] = [
        [["other"], 1],
        [["ca", PEER], new Uint8Array(1)],
        [["ca", PEER, -1], new Uint8Array(1)],
        [["ea", "tsa", "lost", 9], new Uint8Array(1)],
        [["pair", PEER], new Uint8Array(8)],
      ];
      const damaged: [Deno.KvKey, unknown][] = [
        [anchorKeys.crossAnchor(PEER, 12), new Uint8Array(1)],
        [anchorKeys.anchor("tsa", "confirmed", 12), "text"],
      ];
      for (const [key, value] of [...whole, ...strays, ...damaged]) await kv.set(key, value);
    }
    const anchors = await openStoredAnchors(path, "network");
    assert.ok(anchors instanceof KvStoredAnchors);
    const found = await Array.fromAsync(anchors.entries());
    anchors.close();
    const count = (part: string, isDamaged: boolean) =>
      found.filter((entry) => entry.part === part && "damage" in entry === isDamaged).length;
    assert.equal(count("anchors", true), 5);
    assert.deepEqual([count("cross_anchor", false), count("cross_anchor", true)], [1, 1]);
    assert.deepEqual([count("external_anchor", false), count("external_anchor", true)], [1, 1]);
    assert.deepEqual([count("seen_head", false), count("contradiction", false)], [1, 2]);
    await assert.rejects(openStoredAnchors(path, "another"), { code: "network_changed" });
  }));
