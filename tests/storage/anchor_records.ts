/**
 * Invented records of anchors, peers' heads and contradictions. None of them verifies.
 *
 * @module
 */

import type {
  Contradiction,
  LoggedTreeHead,
  SeenTreeHead,
} from "../../src/proof/format/federation.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../../src/proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine } from "../../src/proof/format/note_writer.ts";
import type {
  AnchorProgress,
  AnchorRecord,
  CrossAnchorRecord,
  WitnessedCheckpoint,
} from "../../src/proof/format/records.ts";
import type { SignatureSet } from "../../src/proof/format/signature_set.ts";
import type { TreeHead } from "../../src/proof/format/tree_head.ts";

const OWN = "test.example/log";

const WITNESS: NoteKey = {
  name: "witness.example",
  type: NOTE_TYPE.cosignature,
  publicKey: new Uint8Array(32).fill(7),
};

/** A head with a root derived from its size and `mark`. */
export function head(size: number, mark = 0, network_id = OWN): TreeHead {
  const root = new Uint8Array(32).fill(mark);
  new DataView(root.buffer).setUint32(0, size);
  return { network_id, tree_size: size, timestamp: 1_766_275_200 + size, root_hash: root.toHex() };
}

export const LIST: SignatureSet = {
  signatures: [1, 2].map((i) => ({ witness_id: `peer/w${i}`, signature: "5a".repeat(64) })),
};

export const AGGREGATE: SignatureSet = { signature: "a5".repeat(48), signers: ["p/w1", "p/w3"] };

export function anchor(
  service: string,
  size: number,
  status: AnchorProgress = "confirmed",
  mark = "first",
): AnchorRecord {
  return {
    service,
    provider: "example",
    status,
    timestamp: 1_766_275_300 + size,
    treeHead: head(size),
    proof: { mark, list: [1, null, true, "ü"] },
  };
}

/** As a witness signs, but for its signature. */
export function witnessed(size: number, meetsQuorum = true): WitnessedCheckpoint {
  const line = encodeSignatureLine(cosignatureLine(WITNESS, 1_766_275_200, new Uint8Array(64)));
  return {
    size,
    meetsQuorum,
    rootHash: head(size).root_hash,
    lines: [{ vkey: encodeVkey(WITNESS), line }],
  };
}

export function crossAnchor(
  peer: string,
  size: number,
  signatures: SignatureSet = LIST,
): CrossAnchorRecord {
  return { peer, treeHead: head(size), signatures };
}

export function logged(origin: string, size: number, mark = 0): LoggedTreeHead {
  return {
    sth: { tree_head: head(size, mark, origin), ...(mark % 2 === 0 ? LIST : AGGREGATE) },
    logSignature: new Uint8Array(64).fill(size),
  };
}

export function seen(origin: string, size: number): SeenTreeHead {
  return { ...logged(origin, size), seenAt: 1_766_275_400 + size };
}

/** Two roots for size 5, or two inconsistent heads. */
export function contradiction(origin: string, mark: number, second = 5): Contradiction {
  return {
    origin,
    foundAt: 1_766_275_500,
    first: logged(origin, 5, 0),
    second: logged(origin, second, mark),
    path: second === 5 ? [] : [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)],
  };
}
