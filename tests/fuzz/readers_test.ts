/**
 * Fuzzes every reader with a bounded number of inputs, and checks that no reader is left out.
 * `deno task fuzz` runs longer.
 *
 * @module
 */

import assert from "node:assert/strict";
import { IS_LONG } from "../long_runs.ts";
import { fuzz, reportOf } from "./engine.ts";
import { TARGETS } from "./targets.ts";

const SOURCES = new URL("../../src/", import.meta.url);

/** The same in every run; `deno task fuzz` tries others. */
const SEED = 20_261_121;
const INPUTS = IS_LONG ? 300 : 120;

const READER = /^export (?:async )?function ((?:parse|decode|read|split|verify)[A-Z]\w*)/gm;

/** `tests/proof/crypto` feeds hostile keys and signatures, and `routes_test.ts` feeds the handlers. */
const TESTED_ELSEWHERE = /^proof\/crypto\/|^http\/.*_handlers\.ts$/;

/** Readers that no target names, and the targets or tests that cover them. */
const FED_OTHERWISE: Readonly<Record<string, string>> = {
  "cli/input_file.ts#readDocument": "base/bytes.ts#textOf, of the bytes of a file",
  "cli/input_file.ts#parseDocument": "base/bytes.ts#textOf, of the bytes of a file",
  "cli/input_file.ts#readLogPolicy":
    "proof/format/log_policy.ts#parseLogPolicy, of the bytes of a file",
  "cli/proofs/saved_proofs.ts#readBundle": "its readProof",
  "cli/proofs/saved_proofs.ts#readProof":
    "proof/format/bundle.ts#parseBundle and #parseSignedAttestation, of the bytes of a file",
  "explorer/verify/timestamp_script.ts#readRootsFile":
    "proof/timestamp/certificate.ts#readRoots, which throws where it answers a fault",
  "logs/publishing/ports.ts#readLinks":
    "proof/format/succession.ts#parseSuccessionChain, link by link",
  "logs/publishing/verified_tree.ts#readEntries":
    "proof/format/entry_bundle.ts#splitEntries, of the bytes of a tile",
  "logs/publishing/verified_tree.ts#readNodes": "tests/logs/audit/published/damaged_copy_test.ts",
  "config/api_keys.ts#readApiKeys": "its parseApiKeys, of the bytes of a file",
  "config/operator_network.ts#readOperatorFile": "its parseOperatorNetwork, of the bytes of a file",
  "config/settings.ts#parseFile":
    "config/api_keys.ts#parseApiKeys and config/issuer_node.ts#parseIssuerNode",
  "cli/succession/succession_files.ts#readSound": "its readCopy",
  "cli/succession/succession_files.ts#readCopy":
    "proof/format/succession.ts#parseSuccession, of the bytes of a file",
  "config/key_file.ts#readAnySigner": "proof/format/note_secret.ts#parseNoteSecret, of files",
  "config/key_file.ts#readSigner": "proof/format/note_secret.ts#parseNoteSecret, of files",
  "config/key_file.ts#readEncryptedKey": "tests/config/timestamp_key_test.ts",
  "config/key_file.ts#readMlDsaSigner": "proof/format/note_secret.ts#parseNoteSecret, of files",
  "config/followed_logs.ts#readLogsFile": "its parseLogsFile, of the bytes of a file",
  "config/followed_logs.ts#parseLogsFile":
    "config/witness_node.ts#parseWitnessNode, the member logs",
  "config/succession_file.ts#readSuccessionFile":
    "proof/format/succession.ts#parseSuccession, of the bytes of a file",
  "storage/log/kv_successions.ts#decodeLink":
    "proof/format/succession.ts#parseSuccessionChain, of the bytes of a row",
  "storage/log/kv_successions.ts#decodeSuccession":
    "proof/format/succession.ts#parseSuccession, of the bytes of a row",
  "config/text_file.ts#readBytesFile": "the readers of operators' files",
  "server/issuer/issuer_folder.ts#readIssuer":
    "config/issuer_node.ts#parseIssuerNode, of the bytes of a file",
  "server/issuer/issuer_folder.ts#readKeys":
    "config/issuer_key_file.ts#parseIssuerSecret, of files",
  "config/issuer_key_file.ts#readIssuerKeyFile": "its parseIssuerSecret, of the bytes of a file",
  "cli/trusted_network.ts#readChain":
    "proof/format/succession.ts#parseSuccessionChain, of the bytes of a file",
  "cli/trusted_network.ts#readNetworkFile":
    "proof/format/network_reader.ts#parseNetwork, of the bytes of a file",
  "cli/proofs/timestamp_proof.ts#readTokenFile":
    "proof/timestamp/attested_token.ts#parseTimestamp, of the bytes of a file",
  "explorer/assets.ts#parseAssetNames": "none: it reads the document of the page",
  "explorer/checked.ts#readNetwork": "proof/format/network_reader.ts#parseNetwork, of an answer",
  "explorer/entry_reader.ts#readEntries": "format: entry bundles and tiles",
  "explorer/entry_reader.ts#readWait": "format: entry bundles and jobs",
  "explorer/stamp/command_line.ts#verifyCommand": "none: it writes a command",
  "proof/verify/witness_lines.ts#verifyWitnessLines":
    "storage/anchors/anchor_codec.ts#decodeWitnessed, and notes under unknown keys",
  "proof/merkle/proof.ts#verifyInclusion": "the verifier's proofs",
  "proof/merkle/proof.ts#verifyConsistency": "the verifier's proofs",
  "proof/merkle/subtree_proof.ts#verifySubtreeConsistency":
    "hashes and numbers: tests/proof/merkle/subtree_proof_test.ts",
  "client/http_client.ts#readBody": "tests/client",
  "client/tile_reader.ts#readTile": "format: entry bundles and tiles",
};

/** The path of every source file, below `src`. */
async function* sourcePaths(folder = ""): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, SOURCES))) {
    if (isDirectory) yield* sourcePaths(`${folder}${name}/`);
    else if (/\.tsx?$/.test(name)) yield folder + name;
  }
}

async function exportedReaders(): Promise<string[]> {
  const found: string[] = [];
  for await (const path of sourcePaths()) {
    if (TESTED_ELSEWHERE.test(path)) continue;
    const text = await Deno.readTextFile(new URL(path, SOURCES));
    for (const [, reader] of text.matchAll(READER)) found.push(`${path}#${reader}`);
  }
  return found.toSorted();
}

Deno.test("every exported reader is covered by a target or listed in FED_OTHERWISE", async () => {
  const readers = await exportedReaders();
  assert.ok(readers.length > 50, `only ${readers.length} readers were found`);
  const fed = new Set([...TARGETS.flatMap(({ covers }) => covers), ...Object.keys(FED_OTHERWISE)]);
  assert.deepEqual(readers.filter((reader) => !fed.has(reader)), []);
});

Deno.test("target names are distinct, and every covered reader exists", async () => {
  const names = TARGETS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const named = new Set([
    ...TARGETS.flatMap(({ covers }) => covers),
    ...Object.keys(FED_OTHERWISE),
  ]);
  for (const covered of named) {
    const [path, name] = covered.split("#");
    const text = await Deno.readTextFile(new URL(path!, SOURCES));
    assert.match(text, new RegExp(`^export (async )?function ${name}\\b`, "m"), covered);
  }
});

for (const target of TARGETS) {
  Deno.test(`${target.name}: a damaged input is refused or keeps its meaning`, async () => {
    const { tried, accepted, refused, faults } = await fuzz(target, SEED, INPUTS);
    assert.deepEqual(faults.map(reportOf), []);
    assert.ok(accepted > 0 && tried > target.seeds.length, `${accepted} of ${tried} accepted`);
    const isTotal = ["pathOf", "readRefusal", "fileNameOf", "witnessesIn"].includes(target.name);
    assert.equal(
      refused.size === 0,
      isTotal,
      "some inputs are refused, except by a reader that refuses none",
    );
  });
}
