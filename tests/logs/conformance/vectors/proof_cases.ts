/** tlog-proofs, each with its policy and entry. */
import { base64Of } from "../../../../src/base/bytes.ts";
import type { Vector } from "../../../../src/logs/conformance/vectors.ts";
import {
  checkpointText,
  cosigned,
  cosigner,
  ed25519,
  entryOf,
  flipped,
  note,
  signed,
  tree,
} from "./makers.ts";

const ORIGIN = "log.example/2026";
const log = ed25519(ORIGIN);
const witness = cosigner("witness.example/w1");
const policy = `log ${log.vkey}\nwitness w ${witness.vkey}\nquorum w\n`;

interface Parts {
  readonly size?: number;
  readonly index?: number;
  readonly shown?: string;
  readonly path?: readonly Uint8Array[];
  readonly extra?: string;
  readonly checkpoint?: string;
}

function checkpoint(size: number, time?: bigint): string {
  const text = checkpointText(ORIGIN, size);
  return note(text, signed(log, text), cosigned(witness, text, time === undefined ? {} : { time }));
}

function proof(
  { size = 21, index = 5, shown = String(index), path, extra, checkpoint: head }: Parts = {},
): string {
  const hashes = (path ?? tree.inclusion(index, size)).map((hash) => `${base64Of(hash)}\n`);
  const line = extra === undefined ? "" : `extra ${extra}\n`;
  return `c2sp.org/tlog-proof@v1\n${line}index ${shown}\n${hashes.join("")}\n${
    head ?? checkpoint(size)
  }`;
}

export function proofCases(): Vector[] {
  const path = tree.inclusion(5, 21);
  const flippedPath = [
    ...path.slice(0, -1),
    path.at(-1)!.map((byte, i) => i === 0 ? byte ^ 1 : byte),
  ];
  const text = checkpointText(ORIGIN, 21);
  const stranger = ed25519("stranger.example");
  const foreign = checkpointText("stranger.example", 21);
  const rows: [string, string, "accept" | "reject", string, string?][] = [
    ["entry 5 of 21", "header", "accept", proof()],
    ["entry 0 of 21", "index", "accept", proof({ index: 0 }), entryOf(0)],
    ["entry 20 of 21", "index", "accept", proof({ index: 20 }), entryOf(20)],
    ["the only entry", "hashes", "accept", proof({ index: 0, size: 1 }), entryOf(0)],
    ["extra data", "extra", "accept", proof({ extra: "AAEC" })],
    ["an old cosignature", "timestamps", "accept", proof({ checkpoint: checkpoint(21, 1n) })],
    ["another version", "header", "reject", proof().replace("@v1", "@v2")],
    ["no header", "header", "reject", proof().replace("c2sp.org/tlog-proof@v1\n", "")],
    ["a space after the header", "header", "reject", proof().replace("@v1\n", "@v1 \n")],
    ["carriage returns", "header", "reject", proof().replaceAll("\n", "\r\n")],
    ["extra data that is not base64", "extra", "reject", proof({ extra: "!" })],
    ["extra data twice", "extra", "reject", proof({ extra: "AAEC\nextra AAEC" })],
    ["extra data after the index", "extra", "reject", proof({ shown: "5\nextra AAEC" })],
    ["no index", "index", "reject", proof().replace("index 5\n", "")],
    ["an index with a leading zero", "index", "reject", proof({ shown: "05" })],
    ["an index with a sign", "index", "reject", proof({ shown: "+5" })],
    ["a negative index", "index", "reject", proof({ shown: "-5" })],
    ["an index in hex", "index", "reject", proof({ shown: "0x5" })],
    ["two spaces before the index", "index", "reject", proof({ shown: " 5" })],
    [
      "a hash of 31 bytes",
      "hashes",
      "reject",
      proof({ path: [path[0]!.slice(1), ...path.slice(1)] }),
    ],
    [
      "a hash without padding",
      "hashes",
      "reject",
      proof().replace(`${base64Of(path[0]!)}\n`, `${base64Of(path[0]!).slice(0, -1)}\n`),
    ],
    [
      "an empty line between hashes",
      "hashes",
      "reject",
      proof().replace(`${base64Of(path[0]!)}\n`, `${base64Of(path[0]!)}\n\n`),
    ],
    [
      "no empty line before the checkpoint",
      "checkpoint",
      "reject",
      proof().replace("=\n\n", "=\n"),
    ],
    ["no checkpoint", "checkpoint", "reject", proof({ checkpoint: "" })],
    ["a checkpoint without its last newline", "checkpoint", "reject", proof().slice(0, -1)],
    [
      "another log's checkpoint",
      "step-origin",
      "reject",
      proof({ checkpoint: note(foreign, signed(stranger, foreign), cosigned(witness, foreign)) }),
    ],
    [
      "no signature of the log",
      "step-origin",
      "reject",
      proof({ checkpoint: note(text, cosigned(witness, text)) }),
    ],
    [
      "an invalid signature of the log",
      "step-origin",
      "reject",
      proof({ checkpoint: note(text, flipped(signed(log, text)), cosigned(witness, text)) }),
    ],
    [
      "no cosignature",
      "step-cosignatures",
      "reject",
      proof({ checkpoint: note(text, signed(log, text)) }),
    ],
    [
      "an invalid cosignature",
      "step-cosignatures",
      "reject",
      proof({ checkpoint: note(text, signed(log, text), flipped(cosigned(witness, text))) }),
    ],
    [
      "a cosignature of another size",
      "step-cosignatures",
      "reject",
      proof({
        checkpoint: note(text, signed(log, text), cosigned(witness, checkpointText(ORIGIN, 20))),
      }),
    ],
    ["another entry", "step-inclusion", "reject", proof(), entryOf(6)],
    ["another index", "step-inclusion", "reject", proof({ shown: "4" })],
    ["an index of the tree's size", "step-inclusion", "reject", proof({ shown: "21" })],
    [
      "an index of 2^64 + 5",
      "step-inclusion",
      "reject",
      proof({ shown: String((1n << 64n) + 5n) }),
    ],
    ["a flipped bit in the last hash", "step-inclusion", "reject", proof({ path: flippedPath })],
    ["a hash too few", "step-inclusion", "reject", proof({ path: path.slice(0, -1) })],
    ["a hash too many", "step-inclusion", "reject", proof({ path: [...path, path[0]!] })],
    ["hashes in reverse", "step-inclusion", "reject", proof({ path: path.toReversed() })],
    [
      "the path in another tree",
      "step-inclusion",
      "reject",
      proof({ path: tree.inclusion(5, 16) }),
    ],
    ["no hashes", "step-inclusion", "reject", proof({ path: [] })],
    [
      "an inner node as the entry",
      "step-inclusion",
      "reject",
      proof({ index: 2, path: tree.inclusion(4, 21).slice(1) }),
      innerNode(),
    ],
  ];
  return rows.map(([name, clause, expect, text, entry = entryOf(5)]) => ({
    name,
    clause: `tlog-proof/${clause}`,
    expect,
    policy,
    ...(/^Entry/.test(entry)
      ? { entry }
      : { entry_base64: base64Of(Uint8Array.from(entry, (c) => c.charCodeAt(0))) }),
    proof: text,
  }));
}

/** What is hashed for the node above entries 4 and 5, without the prefix. */
function innerNode(): string {
  const [left, right] = [tree.leaves[4]!, tree.leaves[5]!];
  return String.fromCharCode(...left, ...right);
}
