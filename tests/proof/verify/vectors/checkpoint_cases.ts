/**
 * Checkpoints: signed notes with the log's line and the witnesses' lines.
 *
 * @module
 */

import { uint64 } from "../../../../src/base/bytes.ts";
import { aggregateKey } from "../../../../src/proof/format/aggregate_line.ts";
import { aggregateLine } from "../../../../src/proof/format/note_writer.ts";
import { type NoteSignature } from "../../../../src/proof/format/note.ts";
import { encodeNote, noteSignature } from "../../../../src/proof/format/note_writer.ts";
import { NOTE_TYPE } from "../../../../src/proof/format/note_key.ts";
import { encodeCheckpointBody } from "../../../../src/proof/format/tree_head.ts";
import { signerOf } from "../test_network.ts";
import type { Vector } from "./vector.ts";
import { BATCH_SIZE, HEAD_TIME, type Home, peers } from "./world.ts";

/** Every case of a home network's checkpoints. */
export function checkpointCases(home: Home): Vector[] {
  const { scheme, network, log } = home;
  const make = (
    name: string,
    rules: readonly string[],
    input: string,
    configuration: string = scheme,
  ): Vector => ({
    name: `${scheme}: checkpoint ${name}`,
    kind: "checkpoint",
    ...(rules.length > 0 && { rules }),
    network: configuration,
    input,
  });
  const head = log.head(BATCH_SIZE, HEAD_TIME);
  const text = encodeCheckpointBody(head);
  const good = network.checkpoint(head, { 0: HEAD_TIME, 1: HEAD_TIME });
  const [, logLine = "", ...witnessLines] = good.slice(text.length).split("\n").slice(0, -1);
  const lines = (...all: readonly string[]) =>
    `${text}\n${all.map((line) => `${line}\n`).join("")}`;
  const line = (signature: NoteSignature) =>
    encodeNote({ text: "", signatures: [signature] }).slice(1, -1);
  const stranger = line(noteSignature(
    { name: "stranger.example/log", type: NOTE_TYPE.ed25519, publicKey: signerOf("x").publicKey },
    signerOf("x").sign(new TextEncoder().encode(text)),
  ));
  const damaged = (signed: string) => {
    const at = signed.length - 10;
    return signed.slice(0, at) + (signed[at] === "A" ? "B" : "A") + signed.slice(at + 1);
  };
  const renamed = line({
    ...noteSignature(network.logKey, new Uint8Array(64)),
    keyId: Uint8Array.of(1, 2, 3, 4),
  });
  const all = network.checkpoint(head, { 0: HEAD_TIME, 1: HEAD_TIME, 2: HEAD_TIME });
  const other = peers.alpha.checkpoint({ ...head, network_id: peers.alpha.id }, {
    0: HEAD_TIME,
    1: HEAD_TIME,
  });
  return [
    make("of the threshold", ["K10"], good),
    make("of all witnesses", ["K10"], all),
    make(
      "of different times",
      ["K10"],
      network.checkpoint(head, { 0: HEAD_TIME, 2: HEAD_TIME + 9 }),
    ),
    make("with its lines in reverse", ["K10"], lines(...witnessLines.toReversed(), logLine)),
    make("of an empty tree", ["K10"], network.checkpoint(log.head(0, 0), { 0: 1, 1: 1 })),
    make("with a stranger's line", ["K5"], lines(stranger, logLine, ...witnessLines)),
    make(
      "with a line of the log's name and another key ID",
      ["K5"],
      lines(renamed, logLine, ...witnessLines),
    ),
    make("with the log's line twice", ["K10"], lines(logLine, logLine, ...witnessLines)),
    make(
      "with a witness's line twice",
      ["K9"],
      lines(logLine, witnessLines[0]!, witnessLines[0]!),
      `${scheme} threshold 3`,
    ),
    make("under threshold 3", ["K9"], good, `${scheme} threshold 3`),
    make("of no witness", ["K9"], lines(logLine)),
    make("of strangers only", ["K7"], lines(stranger)),
    make("without the log's line", ["K8"], lines(...witnessLines)),
    make("with a damaged log line", ["K6"], lines(damaged(logLine), ...witnessLines)),
    make(
      "with a damaged witness line, and enough others",
      ["K6"],
      all.replace(all.split("\n")[5]!, damaged(all.split("\n")[5]!)),
    ),
    make("of another network", ["K3"], other),
    make("without a log key", ["K4"], good, `${scheme} without log key`),
    make("with an extension line", ["K2"], good.replace("\n\n", "\nextension\n\n")),
    make("with a size of 010", ["K2"], good.replace(`\n${BATCH_SIZE}\n`, `\n0${BATCH_SIZE}\n`)),
    make(
      "with a root of 31 bytes",
      ["K2"],
      good.replace(/\n[^\n]{44}\n/, `\n${"A".repeat(40)}AA==\n`),
    ),
    make("with an empty origin", ["K2"], good.replace(network.id, "")),
    make("with a reserved origin", ["K2"], good.replace(network.id, "cosignature/v1")),
    make("with line ends of CRLF", ["K1"], good.replaceAll("\n", "\r\n")),
    make("without an empty line", ["K1"], good.replace("\n\n", "\n")),
    make("without lines", ["K1"], `${text}\n`),
    make("without its last line end", ["K1"], good.slice(0, -1)),
    make("with an empty line after it", ["K1"], `${good}\n`),
    make("with a hyphen as dash", ["K1"], good.replace("\u2014", "-")),
    make("with a space in a name", ["K1"], good.replace(`\u2014 ${network.id} `, "\u2014 a b ")),
    make("with base64 without padding", ["K1"], good.replace("=\n", "\n")),
    make("with a line of a key ID alone", ["K1"], lines(`\u2014 ${network.id} AQIDBA==`)),
    make("with a tab", ["K1"], good.replace(" ", "\t")),
    make("of nothing", ["K1"], ""),
    ...schemeCases(home, make, lines, logLine),
  ];
}

function schemeCases(
  { scheme, network, log }: Home,
  make: (name: string, rules: readonly string[], input: string) => Vector,
  lines: (...all: readonly string[]) => string,
  logLine: string,
): Vector[] {
  const head = log.head(BATCH_SIZE, HEAD_TIME);
  const lineOf = (signature: NoteSignature) =>
    encodeNote({ text: "", signatures: [signature] }).slice(1, -1);
  const witnessLines = (note: string) => note.split("\n").slice(5, -1);
  const linesOf = (places: Record<number, number>) =>
    witnessLines(network.checkpoint(head, places));
  if (scheme === "ed25519") {
    const [first = "", second = ""] = linesOf({ 0: HEAD_TIME, 1: HEAD_TIME });
    const [later = ""] = linesOf({ 0: HEAD_TIME + 5 });
    const bare = lineOf(noteSignature(network.witnessKey(1), new Uint8Array(8)));
    return [
      make(
        "with two lines of one witness at two times",
        ["K10"],
        lines(logLine, first, later, second),
      ),
      make("with two lines of one witness and no other", ["K9"], lines(logLine, first, later)),
      make("with a witness line without a signature", ["K6"], lines(logLine, first, bare)),
    ];
  }
  const [pair = ""] = linesOf({ 0: HEAD_TIME, 1: HEAD_TIME });
  const [single = ""] = linesOf({ 2: HEAD_TIME + 3 });
  const key = aggregateKey(network.configuration);
  const { payload } = aggregateLine(key, {
    timestamp: HEAD_TIME,
    signers: [0, 1],
    signature: new Uint8Array(48),
  });
  const reframed = (bitmap: number[], tail = payload.slice(9)) =>
    lineOf({
      ...network.aggregateLine(head, HEAD_TIME, [0, 1]),
      payload: Uint8Array.from([...uint64(HEAD_TIME), ...bitmap, ...tail]),
    });
  const { payload: signed } = network.aggregateLine(head, HEAD_TIME, [0, 1]);
  return [
    make("with two aggregates of different witnesses", ["K10"], lines(logLine, pair, single)),
    make("with two aggregates of the same witnesses", ["K10"], lines(logLine, pair, pair)),
    make("with an aggregate of one witness", ["K9"], lines(logLine, single)),
    make(
      "with a bit beyond the witnesses",
      ["K6"],
      lines(logLine, reframed([0xd0], signed.slice(9))),
    ),
    make(
      "with a bitmap of two bytes",
      ["K6"],
      lines(logLine, reframed([0xc0, 0], signed.slice(9))),
    ),
    make(
      "with other bits than its signers",
      ["K6"],
      lines(logLine, reframed([0xa0], signed.slice(9))),
    ),
    make("with no bits", ["K6"], lines(logLine, reframed([0], signed.slice(9)))),
  ];
}
