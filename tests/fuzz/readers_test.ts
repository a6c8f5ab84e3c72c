/**
 * A bounded run over every reader, and that every reader is in it. `deno task fuzz` runs longer.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fuzz, reportOf } from "./engine.ts";
import { TARGETS } from "./targets.ts";

const SOURCES = new URL("../../src/", import.meta.url);

/** The same in every run: what another one finds is found by `deno task fuzz`. */
const SEED = 20_261_121;
const INPUTS = 300;

/** Folders in which something reads what a stranger, a disk or an operator wrote. */
const READING_FOLDERS = (
  "anchors anchors/opentimestamps anchors/rekor anchors/rfc3161 audit cli config explorer explorer/hashing explorer/stamp explorer/verify format http " +
  "issuer merkle server storage transport verify witness"
).split(" ");
const READER = /^export (?:async )?function ((?:parse|decode|read|split|verify)[A-Z]\w*)/gm;

/** What answers a route reads a store, and the route is fed by `routes_test.ts`. */
const HANDLERS = /^http\/\w+_handlers\.ts$/;

/** Readers that no target names, and what feeds them all the same. */
const FED_OTHERWISE: Readonly<Record<string, string>> = {
  "cli/input_file.ts#readDocument": "bytes.ts#textOf, of a file",
  "config/text_file.ts#readBytesFile": "what reads what an operator wrote, of a file",
  "server/issuer_folder.ts#readIssuer": "config/issuer_node.ts#parseIssuerNode, of a file",
  "server/issuer_folder.ts#readKeys": "config/issuer_key_file.ts#parseIssuerSecret, of files",
  "config/issuer_key_file.ts#readIssuerKeyFile": "its parseIssuerSecret, of a file",
  "cli/trusted_network.ts#readNetworkFile": "format/network.ts#parseNetwork, of a file",
  "explorer/asset_names.ts#parseAssetNames": "the page's own document",
  "explorer/entry_reader.ts#readEntries": "format: entry bundles and tiles",
  "explorer/entry_reader.ts#readWait": "format: entry bundles and jobs",
  "explorer/stamp/command_line.ts#verifyCommand": "nothing: it writes",
  "explorer/theme.ts#readTheme": "one of three words",
  "format/attestation.ts#readAttestation": "every resource with an attestation",
  "format/bundle.ts#readBatch": "every bundle with a batch",
  "format/round.ts#readRoundPlace": "every resource with an attestation",
  "format/signature_set.ts#readSignatureSet": "every signed resource",
  "format/tree_head.ts#readTreeHead": "every resource with a tree head",
  "format/tree_head.ts#readTreeHeadAndSignatures": "every resource with a tree head",
  "format/tree_head.ts#readSignedTreeHead": "every resource with a tree head",
  "http/body.ts#readBody": "the routes' own fuzzing, and tests/http/body_reader_test.ts",
  "merkle/proof.ts#verifyInclusion": "the verifier's proofs",
  "merkle/proof.ts#verifyConsistency": "the verifier's proofs",
  "transport/http_client.ts#readBody": "tests/transport: it reads bytes and parses nothing",
};

async function exportedReaders(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of READING_FOLDERS) {
    for await (const { name, isFile } of Deno.readDir(new URL(`${folder}/`, SOURCES))) {
      const path = `${folder}/${name}`;
      if (!isFile || !name.endsWith(".ts") || HANDLERS.test(path)) continue;
      const text = await Deno.readTextFile(new URL(path, SOURCES));
      for (const [, reader] of text.matchAll(READER)) found.push(`${path}#${reader}`);
    }
  }
  return found.toSorted();
}

Deno.test("every exported reader is fed by a target, or it is written what feeds it", async () => {
  const readers = await exportedReaders();
  assert.ok(readers.length > 50, `only ${readers.length} readers were found`);
  const fed = new Set([...TARGETS.flatMap(({ covers }) => covers), ...Object.keys(FED_OTHERWISE)]);
  assert.deepEqual(readers.filter((reader) => !fed.has(reader)), []);
});

Deno.test("every target names what exists, under a name of its own", async () => {
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
  Deno.test(`${target.name}: damaged inputs are refused, or mean what they say`, async () => {
    const { tried, accepted, refused, faults } = await fuzz(target, SEED, INPUTS);
    assert.deepEqual(faults.map(reportOf), []);
    // Damage that is always found, or never, would say nothing of the reader.
    assert.ok(accepted > 0 && tried > target.seeds.length, `${accepted} of ${tried} accepted`);
    const isTotal = ["pathOf", "readRefusal", "fileNameOf"].includes(target.name);
    assert.equal(refused.size === 0, isTotal, "some are refused unless the reader refuses none");
  });
}
