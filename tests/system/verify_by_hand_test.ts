/**
 * The blocks of `docs/verify_by_hand.md`, run by bash, openssl and sha256sum as they stand there, over
 * a bundle that has everything.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import { markedBlock, markedNames } from "../docs/marked_blocks.ts";
import { IS_LONG } from "../long_runs.ts";
import {
  assertRefused,
  BLOCKS,
  BUNDLE,
  DOCUMENT,
  inPairs,
  makeFiles,
  paste,
  STRIDE,
} from "./by_hand.ts";
import { runTool } from "./tools.ts";

/** With hostile values in members that no step reads. */
function withUnread(text: string): string {
  const bundle: ProofBundle = JSON.parse(text);
  return JSON.stringify({
    [PAYLOADS[0]!]: PAYLOADS[1],
    ...bundle,
    version: PAYLOADS[0],
    batch_inclusion: {
      ...bundle.batch_inclusion,
      batch: PAYLOADS,
      merkle_proof: { ...bundle.batch_inclusion!.merkle_proof, hash: PAYLOADS[1] },
    },
  });
}

Deno.test("every step of docs/verify_by_hand.md holds for a proof that does, and reads no member that it does not check", async () => {
  assert.deepEqual(await markedNames(DOCUMENT), [
    ...BLOCKS.slice(0, 5),
    "unpack",
    ...BLOCKS.slice(5, -1),
    "token",
    "result",
  ]);
  const files = await makeFiles();
  const { code, stdout, stderr, isHijacked } = await paste({
    ...files,
    [BUNDLE]: withUnread(files[BUNDLE]!),
  });
  assert.equal(code, 0, stdout + stderr);
  assert.ok(!isHijacked);
  assert.doesNotMatch(stderr, /FAILED|VERIFIED/);
  assert.equal(stdout.match(/^ok {6}2 signatures, 2 required$/gm)?.length, 3);
  assert.equal(stdout.match(/^ok {6}signed by /gm)?.length, 7);
  assert.match(stdout, /^Time stamp: /m);
  const steps = BLOCKS.slice(5, -1);
  for (const step of steps) assert.match(stdout, new RegExp(`^ok {6}step ${step}$`, "m"));
  assert.equal(
    stdout.trimEnd().split("\n").at(-1),
    `VERIFIED claim.txt: Batched (${steps.join(" ")})`,
  );
});

/** A change of a text, which has to change it. */
type Change = readonly [file: string, from: RegExp, to: string];

const IN_BUNDLE = (member: string) => new RegExp(`("${member}":)("[^"]*"|[0-9]+|null)`);

/** Bash arithmetic, a word of bash, a string of JavaScript, and a name of a file. */
const PAYLOADS = [
  "a[$(touch hijacked)]",
  "$(touch hijacked)`touch hijacked`;touch hijacked",
  "'); require('fs').writeFileSync('hijacked', ''); ('",
  "x\n$(touch hijacked)",
  "../../hijacked",
];

/** Members that steps read, with the text before them, by the last of these steps. */
const READ_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  "attestation": [
    "network_id",
    "hash",
    "sequence",
    "size",
    "beacon",
    'signatures":.*?"witness_id',
  ],
  "tree-head": ['sth":.*?"tree_size', 'sth":.*?"witness_id'],
  "rfc3161": ['external_anchors":.*?"token'],
};

const FIRST_IN_LIST = (list: string) => new RegExp(`(${list}":\\[)"[0-9a-f]{64}"`);

/** By the last step that has to be run to find them. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  "attestation": [
    ["claim.txt", /hello/, "hallo"],
    [BUNDLE, IN_BUNDLE("timestamp"), "$11766275201"],
    [BUNDLE, IN_BUNDLE("size"), "$12.0"],
    [BUNDLE, IN_BUNDLE("index"), "$12"],
    [BUNDLE, FIRST_IN_LIST("inclusion_path"), '$1"' + "0".repeat(64) + '"'],
    // Signers: one twice, one that the configuration does not have, none, and a wrong signature.
    [BUNDLE, /"witness_id":"docs.example\/log\/w2"/, '"witness_id":"docs.example/log/w1"'],
    [BUNDLE, /"witness_id":"docs.example\/log\/w2"/, '"witness_id":"docs.example/log/w9"'],
    [BUNDLE, /"signatures":\[.*?\]/, '"signatures":[]'],
    [BUNDLE, /("signature":")[0-9a-f]{2}/, "$1zz"],
    ["network.public.json", /"threshold": 2/, '"threshold": 3'],
    ["network.public.json", /"threshold": 2/, '"threshold": 0'],
    ["network.public.json", /"ed25519"/, '"bls"'],
  ],
  "tree-head": [
    [BUNDLE, /("sth":\{"tree_head":.*?"timestamp":1766275210)/, "$11"],
    [BUNDLE, /"batch_inclusion":\{/, '"batch_inclusion":null,"other":{'],
  ],
  "inclusion": [
    [BUNDLE, FIRST_IN_LIST('merkle_proof":.*?"inclusion_path'), '$1"' + "0".repeat(64) + '"'],
  ],
  "checkpoint": [
    ["checkpoint.txt", /^3$/m, "4"],
    ["checkpoint.txt", /^3$/m, PAYLOADS[0]!],
    ["checkpoint.txt", /^docs.example\/log$/m, PAYLOADS[1]!],
    ["checkpoint.txt", /^(— docs.example\/log ).*$/m, "$1$(touch hijacked)"],
  ],
  "cross-anchor": [
    [BUNDLE, /("cross_anchors":.*?"timestamp":)1766275217/, "$11766275218"],
    ["peer.public.json", /"id": "peer.example\/log"/, '"id": "docs.example/log"'],
  ],
  "rfc3161": [
    [BUNDLE, /("external_anchors":.*?"timestamp":1766275215,"root_hash":")[0-9a-f]/, "$1x"],
  ],
};

/** The blocks up to `step`, but for those that it does not build on. */
function blocksUpTo(step: string): readonly string[] {
  const alone = ["attestation", "tree-head", "checkpoint"];
  const before = alone.includes(step) ? [] : ["attestation", "tree-head", "inclusion"];
  return [...BLOCKS.slice(0, BLOCKS.indexOf("attestation")), ...new Set([...before, step])];
}

function changed(files: Readonly<Record<string, string>>, [file, from, to]: Change) {
  const text = files[file]!.replace(from, to);
  assert.notEqual(text, files[file], `${file}: ${from}`);
  return { ...files, [file]: text };
}

/** Requires that each change is found by the steps up to the one that it is listed under. */
async function assertFound(
  files: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, readonly Change[]>>,
): Promise<void> {
  const cases = Object.entries(changes).flatMap(([step, list]) =>
    list.map((change) => ({ names: blocksUpTo(step), change }))
  ).filter((_, i) => i % STRIDE === 0);
  await inPairs(cases, async ({ names, change }) => {
    const [file, from, to] = change;
    assertRefused(await paste(changed(files, change), { names }), `${file}: ${from} to ${to}`);
  });
}

Deno.test("docs/verify_by_hand.md ends at the first step that finds a change", async () => {
  await assertFound(await makeFiles(), CHANGES);
});

Deno.test("docs/verify_by_hand.md runs nothing that a bundle says", async () => {
  const saying = (member: string, payload: string): Change => [
    BUNDLE,
    IN_BUNDLE(member),
    `$1${JSON.stringify(payload).replaceAll("$", "$$$$")}`,
  ];
  let next = 0;
  const injections = Object.entries(READ_MEMBERS).map(([step, members]) => [
    step,
    members.map((member) => saying(member, PAYLOADS[next++ % PAYLOADS.length]!)),
  ]);
  const files = await makeFiles();
  await assertFound(files, Object.fromEntries(injections));
});

/** Values of JSON by the shape that they do not have. */
const MISSHAPEN: Readonly<Record<string, readonly string[]>> = {
  count: [
    '"2"',
    "[2]",
    "2.0",
    "2e0",
    "-1",
    "-0",
    "1e400",
    "9007199254740992",
    "9007199254740993",
    "18446744073709551618",
    "null",
    "true",
    "{}",
    ...PAYLOADS.map((text) => JSON.stringify(text)),
  ],
  hash: [
    ...[62, 63, 65, 66].map((length) => JSON.stringify("0".repeat(length))),
    ...[`${"A".repeat(64)}`, `${"0".repeat(64)}\n`].map((text) => JSON.stringify(text)),
    "0",
    `["${"0".repeat(64)}"]`,
    ...PAYLOADS.map((text) => JSON.stringify(text)),
  ],
  name: ['""', '"*"', '"a b"', '"-n"', '"a\\u001b[2J"', '"é"', `"${"a".repeat(113)}"`],
  base64: ['"A"', '"A==="', '"AAAA\\n"', '"-AAA"'],
};

Deno.test("field() prints only values of the shape asked for", async () => {
  const files: Record<string, string> = {
    "good.json": '{"list":[{"id":"a","n":1},{"id":"b","n":2}]}',
    "twice.json": '{"list":[{"id":"a","n":1},{"id":"a","n":2}]}',
    "elsewhere.json": '{"other":1.5,"value":1}',
    "broken.json": '{"value":1',
  };
  const asked = [
    "twice.json count list id=a n",
    "good.json count list id=c n",
    "good.json count list '[]' id",
    "good.json count list",
    "elsewhere.json count value",
    "broken.json count value",
    "good.json count __proto__",
    "good.json count list constructor",
  ];
  for (const [shape, values] of Object.entries(MISSHAPEN)) {
    for (const [i, value] of values.entries()) {
      // Each starts node.
      if (!IS_LONG && i % 2 === 1) continue;
      files[`${shape}${i}.json`] = `{"value":${value}}`;
      asked.push(`${shape}${i}.json ${shape} value`);
    }
  }
  const more = [
    "field good.json count list id=b n; field good.json name list '[]' id",
    ...asked.map((args) => `if (field ${args}); then echo "ACCEPTED ${args}"; fi`),
  ].join("\n");
  const { stdout, stderr, isHijacked } = await paste(files, { names: ["files", "field"], more });
  assert.equal(stdout, "2\na\nb\n");
  assert.equal(stderr.match(/^FAILED: /gm)?.length, asked.length, stderr);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(stderr, /\u001b/);
  assert.ok(!isHijacked);
});

Deno.test("climb() and grow() refuse what RFC 9162 refuses", async () => {
  const [a, b] = ["aa".repeat(32), "bb".repeat(32)];
  const refused = [
    `climb 2 2 ${a} ${b}`,
    `climb 9007199254740991 2 ${a} ${b}`,
    `climb 0 0 ${a}`,
    `climb 0 2 ${a}`,
    `climb 0 1 ${a} ${b}`,
    `climb 0 2 ${a} ${b} ${b}`,
    `climb 0 2 ${a} zz`,
    `grow 0 ${a} 3 ${b}`,
    `grow 3 ${a} 2 ${b}`,
    `grow 3 ${a} 3 ${b}`,
    `grow 3 ${a} 5`,
    `grow 2 ${a} 3`,
    `grow 2 ${a} 3 ${b} ${b}`,
    `grow 3 ${a} 4 ${b} ${b} ${b}`,
  ];
  const more = [
    `climb 0 1 ${a}; grow 3 ${a} 3; climb 1 2 ${b} ${a}`,
    // A condition would suspend `set -e` inside.
    "set +e",
    ...refused.map((line) => `(set -e; ${line}); [ $? = 0 ] && echo "ACCEPTED ${line}"`),
    "true",
  ].join("\n");
  const names = ["files", "hashes", "trees"];
  const { stdout, stderr } = await paste({}, { names, more });
  const parent = portableKernels.sha256(Uint8Array.fromHex(`01${a}${b}`)).toHex();
  assert.equal(stdout, `${a}\n${a}\n${parent}\n`);
  assert.equal(stderr.match(/^FAILED: /gm)?.length, refused.length, stderr);
});

Deno.test("an interactive shell ends at the first failure as well", async () => {
  const files = await makeFiles();
  const names = [...blocksUpTo("inclusion"), "result"];
  const good = await paste(files, { names, options: ["-i"] });
  assert.equal(good.code, 0, good.stderr);
  assert.match(good.stdout, /^VERIFIED claim\.txt: Batched/m);
  assertRefused(
    await paste({ ...files, "claim.txt": "hallo" }, { names, options: ["-i"] }),
    "interactive",
  );
});

Deno.test("blocks that are pasted into another shell after a failure verify nothing", async () => {
  const files = await makeFiles();
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    const steps = await Promise.all(BLOCKS.slice(5).map((name) => markedBlock(DOCUMENT, name)));
    const { code, stdout } = await runTool("bash", ["-c", steps.join("\n")], { cwd: folder });
    assert.notEqual(code, 0);
    assert.doesNotMatch(stdout, /ok|VERIFIED/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
