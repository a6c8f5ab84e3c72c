/**
 * Bundles with a checkpoint that witnesses outside the network may have cosigned.
 *
 * @module
 */

import { utf8 } from "../../../../src/base/bytes.ts";
import type { ProofBundle } from "../../../../src/proof/format/bundle.ts";
import { NOTE_TYPE } from "../../../../src/proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine } from "../../../../src/proof/format/note_writer.ts";
import { encodeCosignatureMessage } from "../../../../src/proof/format/tree_head.ts";
import { signerOf } from "../test_network.ts";
import { batchedBundle, bundleCaseOf, editsBelow } from "./bundle_cases.ts";
import type { RawObject } from "./raw_json.ts";
import type { Vector } from "./vector.ts";
import { BATCH_SIZE, HEAD_TIME, type Home, LOG_SIZE, peers, SEQUENCE } from "./world.ts";

/** A line of a witness of others over the head of `size`. */
export function foreignLine({ log }: Pick<Home, "log">, size: number): string {
  const name = "witness.example";
  const signer = signerOf(name);
  const key = { name, type: NOTE_TYPE.cosignature, publicKey: signer.publicKey };
  const message = utf8(encodeCosignatureMessage(log.head(size, HEAD_TIME)));
  return encodeSignatureLine(cosignatureLine(key, HEAD_TIME, signer.sign(message)));
}

export function witnessedCases(home: Home): Vector[] {
  const { network, log, fork, scheme } = home;
  const make = bundleCaseOf(home);
  const both = { 0: HEAD_TIME, 1: HEAD_TIME };
  const checkpointOf = (size: number, times: Readonly<Record<number, number>> = both) =>
    network.checkpoint(log.head(size, HEAD_TIME), times);
  const whole = checkpointOf(LOG_SIZE) + foreignLine(home, LOG_SIZE);
  const bundle = (
    checkpoint = whole,
    inclusion_path = log.inclusionPath(SEQUENCE, LOG_SIZE),
  ): ProofBundle => ({
    ...batchedBundle(home),
    witnessed: { checkpoint, inclusion_path },
  });
  const witnessed = (
    name: string,
    rules: readonly string[],
    given: ProofBundle,
    rest?: Partial<Vector>,
  ) => make(`a checkpoint ${name}`, rules, given, rest);
  const forked = network.checkpoint(fork.head(LOG_SIZE, HEAD_TIME), both);
  const lines = whole.split("\n");
  const without = (index: number) => lines.toSpliced(index, 1).join("\n");
  const damaged = (text: string) => {
    const at = text.length - 12;
    return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
  };
  const shapes = [
    witnessed("that is no note", ["K1"], bundle("")),
    witnessed("with an extension line", ["K2"], bundle(whole.replace("\n\n", "\nextension\n\n"))),
    witnessed("without a signature", ["K1"], bundle(whole.slice(0, whole.indexOf("\n\n") + 2))),
    witnessed("with an empty line at the end", ["K1"], bundle(whole + "\n")),
    ...editsBelow(bundle(checkpointOf(SEQUENCE + 1), []), ["witnessed"])
      .map(({ name, json }) => make(name, [], json as RawObject)),
  ];
  return [
    witnessed("of a later head", ["W5", "K5"], bundle()),
    witnessed(
      "of the batch's head",
      ["W5"],
      bundle(checkpointOf(BATCH_SIZE), log.inclusionPath(SEQUENCE, BATCH_SIZE)),
    ),
    witnessed(
      "of an earlier head that contains the leaf",
      ["W5"],
      bundle(checkpointOf(7), log.inclusionPath(SEQUENCE, 7)),
    ),
    witnessed("without a batch", ["W1"], { ...bundle(), batch_inclusion: null }),
    witnessed("under a threshold that it does not meet", ["W2", "K9"], bundle(), {
      network: `${scheme} threshold 3`,
    }),
    witnessed("without a log key pinned", ["W2", "K4"], bundle(), {
      network: `${scheme} without log key`,
    }),
    witnessed(
      "that too few witnesses of the network signed",
      ["W2", "K9"],
      bundle(
        checkpointOf(LOG_SIZE, { 0: HEAD_TIME }) + foreignLine(home, LOG_SIZE),
      ),
    ),
    witnessed("that the log did not sign", ["W2", "K8"], bundle(without(4))),
    witnessed("with a wrong signature", ["W2", "K6"], bundle(damaged(checkpointOf(LOG_SIZE)))),
    witnessed(
      "with a wrong signature of a witness outside the network",
      ["W5", "K5"],
      bundle(damaged(whole)),
    ),
    witnessed(
      "of foreign witnesses alone",
      ["W2", "K7"],
      bundle(
        `${lines.slice(0, 4).join("\n")}\n${foreignLine(home, LOG_SIZE)}`,
      ),
    ),
    witnessed(
      "of another network",
      ["W2", "K3"],
      bundle(
        peers.alpha.checkpoint(
          { ...log.head(LOG_SIZE, HEAD_TIME), network_id: peers.alpha.id },
          both,
        ),
      ),
    ),
    witnessed("of a head before the leaf", ["W3"], bundle(checkpointOf(SEQUENCE), [])),
    witnessed("of another history", ["W4"], bundle(forked)),
    witnessed(
      "with the path of another leaf",
      ["W4"],
      bundle(whole, log.inclusionPath(SEQUENCE + 1, LOG_SIZE)),
    ),
    witnessed(
      "with a path that is too short",
      ["W4"],
      bundle(
        whole,
        log.inclusionPath(SEQUENCE, LOG_SIZE).slice(1),
      ),
    ),
    ...(scheme === "ed25519" ? shapes : []),
  ];
}
