/** Checkpoints and cosignatures, each with a policy. */
import { base64Of, concat, utf8 } from "../../../../src/base/bytes.ts";
import { NOTE_TYPE, noteKeyId } from "../../../../src/proof/format/note_key.ts";
import type { Vector } from "../../../../src/logs/conformance/vectors.ts";
import {
  checkpointText,
  cosigned,
  cosigner,
  ed25519,
  flipped,
  line,
  mlDsa,
  note,
  signed,
  TIME,
  tree,
  treeMessage,
  uint64,
} from "./makers.ts";

const ORIGIN = "log.example/2026";
const log = ed25519(ORIGIN);
const unwitnessed = `log ${log.vkey}\nquorum none\n`;
const root = base64Of(tree.root(21));

export function checkpointCases(): Vector[] {
  const text = checkpointText(ORIGIN, 21);
  const rows: [string, string, "accept" | "reject", string, string?][] = [
    ["size 21", "lines", "accept", text],
    ["size 1", "size", "accept", checkpointText(ORIGIN, 1)],
    ["the empty tree", "size", "accept", checkpointText(ORIGIN, 0)],
    [
      "extension lines",
      "extension-lines",
      "accept",
      checkpointText(ORIGIN, 21, "one", "two three"),
    ],
    [
      "an origin that is no URL",
      "origin-opaque",
      "accept",
      checkpointText("\u65e5\u672c#1", 21),
      "\u65e5\u672c#1",
    ],
    ["a size with a leading zero", "size", "reject", `${ORIGIN}\n021\n${root}\n`],
    ["a size of 00", "size", "reject", text.replace("\n21\n", "\n00\n")],
    ["a size with a sign", "size", "reject", `${ORIGIN}\n+21\n${root}\n`],
    ["a negative size", "size", "reject", `${ORIGIN}\n-21\n${root}\n`],
    ["a size with a space", "size", "reject", `${ORIGIN}\n21 \n${root}\n`],
    ["a size in hex", "size", "reject", `${ORIGIN}\n0x15\n${root}\n`],
    ["a size with an exponent", "size", "reject", `${ORIGIN}\n21e0\n${root}\n`],
    ["a size in other digits", "size", "reject", `${ORIGIN}\n\u0662\u0661\n${root}\n`],
    ["an empty size", "size", "reject", `${ORIGIN}\n\n${root}\n`],
    [
      "a root of 31 bytes",
      "root",
      "reject",
      `${ORIGIN}\n21\n${base64Of(tree.root(21).slice(1))}\n`,
    ],
    [
      "a root of 33 bytes",
      "root",
      "reject",
      `${ORIGIN}\n21\n${base64Of(concat(tree.root(21), new Uint8Array(1)))}\n`,
    ],
    ["a root without padding", "root", "reject", `${ORIGIN}\n21\n${root.replace("=", "")}\n`],
    ["a root in hex", "root", "reject", `${ORIGIN}\n21\n${tree.root(21).toHex()}\n`],
    ["two lines", "lines", "reject", `${ORIGIN}\n21\n`],
    ["one line", "lines", "reject", `${ORIGIN}\n`],
    ["an empty origin", "origin", "reject", `\n21\n${root}\n`],
    [
      "an empty extension line",
      "extension-lines",
      "reject",
      checkpointText(ORIGIN, 21, "one", "", "two"),
    ],
    [
      "an empty extension line at the end",
      "extension-lines",
      "reject",
      checkpointText(ORIGIN, 21, ""),
    ],
  ];
  const cases: Vector[] = rows.map(([name, clause, expect, body, origin = ORIGIN]) => {
    const by = ed25519(origin);
    return {
      name,
      clause: `tlog-checkpoint/${clause}`,
      expect,
      policy: `log ${by.vkey}\nquorum none\n`,
      checkpoint: note(body, signed(by, body)),
    };
  });
  const stranger = signed(ed25519("stranger.example"), text);
  return [
    ...cases,
    ...[
      ["an unknown signature beside the log's", "accept", note(text, stranger, signed(log, text))],
      ["an unknown signature alone", "reject", note(text, stranger)],
    ].map(([name, expect, checkpoint]) => ({
      name: name!,
      clause: "tlog-checkpoint/ignore-unknown",
      expect: expect as "accept",
      policy: unwitnessed,
      checkpoint: checkpoint!,
    })),
  ];
}

export function cosignatureCases(): Vector[] {
  const text = checkpointText(ORIGIN, 21);
  const own = signed(log, text);
  const witness = cosigner("witness.example/w1");
  const pq = mlDsa("witness.example/pq");
  const byEd25519 = `log ${log.vkey}\nwitness w ${witness.vkey}\nquorum w\n`;
  const byMlDsa = `log ${log.vkey}\nwitness w ${pq.vkey}\nquorum w\n`;
  const extended = checkpointText(ORIGIN, 21, "extension");
  const id = noteKeyId(witness.key);
  const time = BigInt(TIME);
  const header = (first: string, second: string) =>
    cosigned(witness, text, { message: `${first}\n${second}\n${text}` });
  const tree = (change: Parameters<typeof treeMessage>[3], name = pq.key.name) =>
    cosigned(pq, text, { message: treeMessage(name, text, time, change) });
  const plain = ed25519(witness.key.name);
  const rows: [string, string, "accept" | "reject", string, string[], string?][] = [
    ["a cosignature", "message", "accept", text, [own, cosigned(witness, text)]],
    ["a cosignature before the log's signature", "message", "accept", text, [
      cosigned(witness, text),
      own,
    ]],
    ["a cosignature of time 1", "structure", "accept", text, [
      own,
      cosigned(witness, text, { time: 1n }),
    ]],
    ["a covered extension line", "extensions", "accept", extended, [
      signed(log, extended),
      cosigned(witness, extended),
    ]],
    [
      "an ML-DSA-44 cosignature",
      "ml-dsa-message",
      "accept",
      text,
      [own, cosigned(pq, text)],
      byMlDsa,
    ],
    ["an ML-DSA-44 cosignature without an extension line", "ml-dsa-message", "accept", extended, [
      signed(log, extended),
      cosigned(pq, extended),
    ], byMlDsa],
    ["an invalid one", "message", "reject", text, [own, flipped(cosigned(witness, text))]],
    ["over another size", "message", "reject", text, [
      own,
      cosigned(witness, checkpointText(ORIGIN, 20)),
    ]],
    ["over the text without its final newline", "message", "reject", text, [
      own,
      cosigned(witness, text, { message: `cosignature/v1\ntime ${time}\n${text.trimEnd()}` }),
    ]],
    ["over the whole note", "message", "reject", text, [
      own,
      cosigned(witness, text, { message: `cosignature/v1\ntime ${time}\n${note(text, own)}` }),
    ]],
    ["over the text alone", "message", "reject", text, [
      own,
      cosigned(witness, text, { message: text }),
    ]],
    ["with the header cosignature/v2", "header", "reject", text, [
      own,
      header("cosignature/v2", `time ${time}`),
    ]],
    ["without the header", "header", "reject", text, [
      own,
      cosigned(witness, text, { message: `time ${time}\n${text}` }),
    ]],
    ["with another time in the message", "time-line", "reject", text, [
      own,
      header("cosignature/v1", `time ${time + 1n}`),
    ]],
    ["with a leading zero in the time", "time-line", "reject", text, [
      own,
      header("cosignature/v1", `time 0${time}`),
    ]],
    ["with two spaces before the time", "time-line", "reject", text, [
      own,
      header("cosignature/v1", `time  ${time}`),
    ]],
    ["without a timestamp", "structure", "reject", text, [
      own,
      line(witness.key.name, id, witness.sign(utf8(`cosignature/v1\ntime ${time}\n${text}`))),
    ]],
    ["with the timestamp after the signature", "structure", "reject", text, [
      own,
      line(
        witness.key.name,
        id,
        concat(witness.sign(utf8(`cosignature/v1\ntime ${time}\n${text}`)), uint64(time)),
      ),
    ]],
    ["with a byte after the signature", "structure", "reject", text, [
      own,
      line(
        witness.key.name,
        id,
        concat(
          uint64(time),
          witness.sign(utf8(`cosignature/v1\ntime ${time}\n${text}`)),
          new Uint8Array(1),
        ),
      ),
    ]],
    ["with the time 2^63", "timestamp-limit", "reject", text, [
      own,
      cosigned(witness, text, { time: 1n << 63n }),
    ]],
    ["with the key ID of type 0x01", "ed25519-key-id", "reject", text, [
      own,
      line(
        witness.key.name,
        noteKeyId({ ...witness.key, type: NOTE_TYPE.ed25519 }),
        concat(uint64(time), witness.sign(utf8(`cosignature/v1\ntime ${time}\n${text}`))),
      ),
    ]],
    ["a plain signature of the key", "ed25519-key-id", "reject", text, [own, signed(plain, text)]],
    ["over the first three lines of a longer text", "extensions", "reject", extended, [
      signed(log, extended),
      cosigned(witness, text),
    ]],
    [
      "ML-DSA-44, invalid",
      "ml-dsa-message",
      "reject",
      text,
      [own, flipped(cosigned(pq, text))],
      byMlDsa,
    ],
    ["ML-DSA-44 over the Ed25519 message", "ml-dsa-message", "reject", text, [
      own,
      cosigned(pq, text, { message: `cosignature/v1\ntime ${time}\n${text}` }),
    ], byMlDsa],
    ["ML-DSA-44 of another cosigner's name", "ml-dsa-message", "reject", text, [
      own,
      tree({}, "witness.example/xx"),
    ], byMlDsa],
    ["ML-DSA-44 with another label", "ml-dsa-message", "reject", text, [
      own,
      tree({ label: "subtree/v2\n\0" }),
    ], byMlDsa],
    [
      "ML-DSA-44 with another end",
      "ml-dsa-message",
      "reject",
      text,
      [own, tree({ end: 20n })],
      byMlDsa,
    ],
    [
      "ML-DSA-44 with a start above 0",
      "ml-dsa-start",
      "reject",
      text,
      [own, tree({ start: 16n })],
      byMlDsa,
    ],
    ["ML-DSA-44 with the key ID of type 0x04", "ml-dsa-key-id", "reject", text, [
      own,
      line(
        pq.key.name,
        noteKeyId({ ...pq.key, type: NOTE_TYPE.cosignature }),
        concat(uint64(time), pq.sign(treeMessage(pq.key.name, text, time))),
      ),
    ], byMlDsa],
  ];
  return rows.map(([name, clause, expect, body, lines, policy = byEd25519]) => ({
    name,
    clause: `tlog-cosignature/${clause}`,
    expect,
    policy,
    checkpoint: note(body, ...lines),
  }));
}
