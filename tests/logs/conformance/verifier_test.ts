/**
 * The C2SP vectors, our verifier over them, and the suite's findings about verifiers with one defect
 * each.
 *
 * @module
 */

import assert from "node:assert/strict";
import { textOf, utf8 } from "../../../src/base/bytes.ts";
import { CLAUSES } from "../../../src/logs/conformance/clauses.ts";
import { accepts } from "../../../src/logs/conformance/reference_verifier.ts";
import type { Report } from "../../../src/logs/conformance/report.ts";
import { testVerifier } from "../../../src/logs/conformance/suite.ts";
import { inputsOf, type Vector, type VectorKind } from "../../../src/logs/conformance/vectors.ts";
import { tryParse } from "../../../src/base/errors.ts";
import { StandingClock } from "../../witness/fixture.ts";
import { suiteCrypto } from "./fixture.ts";
import { C2SP_VECTORS, corpusFiles } from "./vectors/corpus.ts";

const files = corpusFiles();
const vectors = [...files.values()].flatMap((text): Vector[] => JSON.parse(text));

Deno.test("docs/vectors/c2sp equals the generated vectors, byte for byte", async () => {
  for (const [name, text] of files) {
    assert.equal(await Deno.readTextFile(new URL(name, C2SP_VECTORS)), text, name);
    const names = JSON.parse(text).map((vector: Vector) => vector.name + inputsOf(vector).kind);
    assert.equal(new Set(names).size, names.length, name);
  }
  assert.equal([...Deno.readDirSync(C2SP_VECTORS)].length, files.size);
});

Deno.test("exactly the clauses about verifiers have vectors", () => {
  const ofVerifiers = CLAUSES.filter(({ roles, untestable }) =>
    roles.includes("verifier") && untestable === ""
  ).map(({ id }) => id);
  assert.deepEqual(
    [...new Set(vectors.map(({ clause }) => clause))].toSorted(),
    ofVerifiers.toSorted(),
  );
});

type Verdict = (
  kind: VectorKind,
  inputs: readonly Uint8Array<ArrayBuffer>[],
) => Promise<boolean> | boolean;

const ours: Verdict = (kind, inputs) => accepts(suiteCrypto, kind, inputs);

async function judged(verdict: Verdict): Promise<Report> {
  return await testVerifier(vectors, {
    command: "verifier",
    run: async (kind, inputs) => await verdict(kind, inputs.map(({ bytes }) => bytes)) ? 0 : 1,
  }, { clock: new StandingClock() });
}

const failed = ({ clauses }: Report) =>
  clauses.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);

Deno.test("our verifier fails no clause", async () => {
  const report = await judged(ours);
  const others = report.clauses.filter(({ verdict }) => !/^(pass|not_testable)$/.test(verdict));
  assert.deepEqual(
    others.map(({ id, checks }) => [id, checks.find((one) => one.reason)?.check]),
    [],
  );
  assert.ok(vectors.length > 190, String(vectors.length));
});

/** Reads the input `place` of `kind` as if it were `change` of it. */
function reading(kind: VectorKind, place: number, change: (text: string) => string): Verdict {
  return (of, inputs) =>
    ours(
      of,
      inputs.map((bytes, i) => {
        const text = of === kind && i === place ? tryParse(() => textOf(bytes)) : undefined;
        return text === undefined ? bytes : utf8(change(text));
      }),
    );
}

/** Refuses the input `place` of `kind` if it matches. */
function refusing(kind: VectorKind, place: number, pattern: RegExp): Verdict {
  return (of, inputs) => {
    const text = tryParse(() => textOf(inputs[place]!));
    return of === kind && text !== undefined && pattern.test(text) ? false : ours(of, inputs);
  };
}

/** Accepts what {@linkcode refusing} would refuse. */
function accepting(kind: VectorKind, place: number, pattern: RegExp): Verdict {
  return (of, inputs) => {
    const text = of === kind ? tryParse(() => textOf(inputs[place]!)) : undefined;
    return text !== undefined && pattern.test(text) ? true : ours(of, inputs);
  };
}

/** A defect, and the clauses that it breaks. */
const DEFECTS: readonly [string, Verdict, ...string[]][] = [
  [
    "key IDs in capitals",
    reading("vkey", 0, (vkey) => vkey.replace(/\+[0-9A-F]{8}\+/, (id) => id.toLowerCase())),
    "signed-note/vkey-form",
  ],
  [
    "spaces around a vkey",
    reading("vkey", 0, (vkey) => `${vkey.trim()}\n`),
    "signed-note/vkey-form",
  ],
  [
    "any key ID",
    accepting("vkey", 0, /^log\.example\/202[67]\+[0-9a-f]{8}\+[^=\n]{44}\n$/),
    "signed-note/ed25519-key-id",
  ],
  ["ASCII names only", refusing("vkey", 0, /[^\n -~]/), "signed-note/vkey-form"],
  [
    "the first empty line separates",
    reading("note", 1, (note) => note.replace(/\n\n[^]*?(?=\n\n\u2014[^\n]*\n$)/, "")),
    "signed-note/last-empty-line",
  ],
  [
    "15 signatures at most",
    refusing("note", 1, /(\n\u2014[^\n]*){16}/),
    "signed-note/sixteen-signatures",
  ],
  [
    "no line of an unknown key",
    refusing("note", 1, /\u2014 (stranger|unknown|pq)/),
    "signed-note/unknown-keys",
    "signed-note/sixteen-signatures",
  ],
  [
    "ASCII texts only",
    refusing("note", 1, /[^\n\r\t -\u007f\u2014\u2013]/),
    "signed-note/characters",
  ],
  [
    "carriage returns in notes",
    reading("note", 1, (note) => note.replaceAll("\r", "")),
    "signed-note/characters",
  ],
  [
    "one valid signature suffices",
    accepting("note", 1, /^This is a note\.\n\n\u2014 log[^\n]*\n\u2014 (log|other)[^\n]*\n$/),
    "signed-note/known-key-fails",
  ],
  [
    "spaces after a signature",
    reading("note", 1, (note) => note.replaceAll(" \n", "\n")),
    "signed-note/text-form",
  ],
  [
    "other dashes",
    reading("note", 1, (note) => note.replaceAll(/\n[-\u2013] /g, "\n\u2014 ")),
    "signed-note/text-form",
  ],
  [
    "sizes with a leading zero",
    accepting("checkpoint", 1, /^[^\n]+\n0[0-9]+\n/),
    "tlog-checkpoint/size",
  ],
  ["no empty trees", refusing("checkpoint", 1, /^[^\n]+\n0\n/), "tlog-checkpoint/size"],
  [
    "no extension lines",
    refusing("checkpoint", 1, /^([^\n]+\n){4}/),
    "tlog-checkpoint/extension-lines",
    "tlog-cosignature/extensions",
    "tlog-cosignature/ml-dsa-message",
  ],
  [
    "no quorum",
    reading("checkpoint", 0, (policy) => policy.replace(/quorum .*/, "quorum none")),
    "tlog-cosignature/ed25519-key-id",
    "tlog-cosignature/ml-dsa-key-id",
    "tlog-policy/group-meaning",
    "tlog-policy/one-witness",
    "tlog-policy/valid",
  ],
  [
    "members of several groups",
    reading("policy", 0, (policy) =>
      policy.replace(/group h any w1/, "group h any w2").replace(
        "group g any w1 w2",
        "group g any w1",
      )),
    "tlog-policy/member-once",
  ],
  [
    "members twice",
    reading("policy", 0, (policy) => policy.replace("w1 w1", "w1")),
    "tlog-policy/member-once",
  ],
  [
    "the last of several quorums",
    reading("policy", 0, (policy) => policy.replace(/^quorum.*\n(?=quorum)/m, "")),
    "tlog-policy/one-quorum",
  ],
  [
    "UTF-8 policies only",
    (kind, inputs) =>
      kind === "policy" && tryParse(() => textOf(inputs[0]!)) === undefined
        ? false
        : ours(kind, inputs),
    "tlog-policy/octets",
  ],
  [
    "names in Unicode normal form",
    reading("policy", 0, (policy) => policy.normalize("NFKC")),
    "tlog-policy/lines",
    "tlog-policy/opaque-names",
  ],
  ["16 witnesses at most", refusing("policy", 0, /(witness[^]*){17}/), "tlog-policy/limits"],
  ["no URLs", refusing("policy", 0, /https:/), "tlog-policy/log-url"],
  [
    "carriage returns in policies",
    reading("policy", 0, (policy) => policy.replaceAll("\r", "")),
    "tlog-policy/octets",
  ],
  [
    "any version of a proof",
    reading("proof", 2, (proof) => proof.replace("@v2\n", "@v1\n")),
    "tlog-proof/header",
  ],
  [
    "an index with a leading zero",
    reading(
      "proof",
      2,
      (proof) => proof.replace("index 0", "index ").replace("index \n", "index 0\n"),
    ),
    "tlog-proof/index",
  ],
  ["no extra data", refusing("proof", 2, /\nextra /), "tlog-proof/extra"],
  [
    "fresh cosignatures only",
    (kind, inputs) =>
      kind === "proof" && /w1 \S{6}A{8}/.test(textOf(inputs[2]!)) ? false : ours(kind, inputs),
    "tlog-proof/timestamps",
  ],
  [
    "no cosignatures in proofs",
    reading("proof", 0, (policy) => policy.replace("quorum w", "quorum none")),
    "tlog-proof/step-cosignatures",
  ],
];

for (const [defect, verdict, ...clauses] of DEFECTS) {
  Deno.test(`conformance verifier: ${defect}`, async () => {
    assert.deepEqual(failed(await judged(verdict)).toSorted(), clauses.toSorted());
  });
}

Deno.test("conformance verifier: other exit codes are unclear, with the reason", async () => {
  const report = await testVerifier(vectors.slice(0, 3), {
    command: "verifier",
    run: (_kind, inputs) => Promise.resolve(inputs[0]!.bytes.length % 2 === 0 ? 3 : undefined),
  }, { clock: new StandingClock() });
  assert.deepEqual(failed(report), []);
  const { verdict, checks } = report.clauses.find(({ id }) => id === vectors[0]!.clause)!;
  assert.equal(verdict, "unclear");
  assert.ok(checks.every(({ reason }) => /^(not supported|exit code none)$/.test(reason!)));
  assert.match(
    checks[0]!.command!,
    /^d=\$\(mktemp -d\); base64 -d <<< '[^']+' > \$d\/vkey; verifier vkey \$d\/vkey; echo \$\?$/,
  );
});
