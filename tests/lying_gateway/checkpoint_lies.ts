/**
 * Lies in the note that C2SP tools read.
 *
 * @module
 */

import { utf8 } from "../../src/base/bytes.ts";
import { parseNote } from "../../src/proof/format/note.ts";
import { encodeNote, noteSignature } from "../../src/proof/format/note_writer.ts";
import type { Lie } from "./lie.ts";
import type { Change } from "./lying_server.ts";
import { HASH, type World } from "./world.ts";

const BOTH = ["ed25519", "bls"] as const;

/** Edits the note of `GET /checkpoint`. */
function checkpoint(
  edit: (note: ReturnType<typeof parseNote>, world: World) => string | Promise<string>,
): Change[] {
  const answer: Change["answer"] = async ({ honest, world }) => {
    const response = await honest();
    const text = await edit(parseNote(await response.text()), world);
    return new Response(text, { headers: response.headers });
  };
  return [{ routes: ["checkpoint"], answer }];
}

export const checkpointLies: readonly Lie[] = [
  {
    name: "a checkpoint that another log key signed",
    changes: checkpoint((note, { keys, peer }) => {
      const own = noteSignature(keys.logKey, peer.log.sign(utf8(note.text)));
      return encodeNote({ ...note, signatures: [own, ...note.signatures.slice(1)] });
    }),
    says: { "check of the checkpoint": "invalid signature_invalid signatures[0]" },
    schemes: BOTH,
  },
  {
    name: "a checkpoint without the log's signature",
    changes: checkpoint((note) => encodeNote({ ...note, signatures: note.signatures.slice(1) })),
    says: { "check of the checkpoint": "invalid log_signature_missing" },
    schemes: BOTH,
  },
  {
    name: "a checkpoint that no witness cosigned",
    changes: checkpoint((note) => encodeNote({ ...note, signatures: note.signatures.slice(0, 1) })),
    says: { "check of the checkpoint": "invalid threshold_not_met" },
    schemes: BOTH,
  },
  {
    name: "a checkpoint that one witness cosigned",
    changes: checkpoint((note, { keys }) =>
      encodeNote({
        ...note,
        signatures: keys.configuration.signature_scheme === "bls"
          ? [
            note.signatures[0]!,
            keys.aggregateLine(headOf(note.text, keys.id), 1_766_275_200, [0]),
          ]
          : note.signatures.slice(0, 2),
      })
    ),
    says: { "check of the checkpoint": "invalid threshold_not_met" },
    schemes: BOTH,
  },
  {
    name: "a checkpoint with another root",
    changes: checkpoint((note) => {
      const [origin, size] = note.text.split("\n");
      const root = Uint8Array.fromHex(HASH).toBase64();
      return encodeNote({ ...note, text: `${origin}\n${size}\n${root}\n` });
    }),
    says: { "check of the checkpoint": "invalid signature_invalid signatures[0]" },
    schemes: BOTH,
  },
  {
    name: "a checkpoint of another log",
    changes: checkpoint((note) => encodeNote({ ...note, text: note.text.replace("home", "evil") })),
    says: { "check of the checkpoint": "invalid network_mismatch origin" },
  },
  {
    name: "a checkpoint with a line more",
    changes: checkpoint((note) => encodeNote({ ...note, text: `${note.text}more\n` })),
    says: { "check of the checkpoint": "malformed_text" },
  },
];

function headOf(text: string, network_id: string) {
  const [, size, root] = text.split("\n");
  return {
    network_id,
    tree_size: Number(size),
    root_hash: Uint8Array.fromBase64(root!).toHex(),
  };
}
