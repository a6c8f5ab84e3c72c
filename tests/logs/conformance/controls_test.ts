/**
 * Controls of the suite: parties made from an honest one by one change, and the clauses that each breaks.
 * The last test fails if a clause lacks a control for a verdict that it can give.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type Clause,
  clauseOf,
  CLAUSES,
  type Role,
} from "../../../src/logs/conformance/clauses.ts";
import { accepts } from "../../../src/logs/conformance/reference_verifier.ts";
import type { JudgedClause, Report } from "../../../src/logs/conformance/report.ts";
import {
  testLog,
  testMirror,
  testVerifier,
  testWitness,
} from "../../../src/logs/conformance/suite.ts";
import { SuiteLog } from "../../../src/logs/conformance/suite_log.ts";
import { inputsOf, type Vector } from "../../../src/logs/conformance/vectors.ts";
import type { NoteKey } from "../../../src/proof/format/note_key.ts";
import { StandingClock } from "../../witness/fixture.ts";
import { FakeLog } from "./fake_log.ts";
import { FakeMirror } from "./fake_mirror.ts";
import { FakeWitness } from "./fake_witness.ts";
import { kernels, suiteCrypto, suiteSigner } from "./fixture.ts";
import { corpusFiles } from "./vectors/corpus.ts";

type Network = Exclude<Role, "verifier">;
type Send = typeof fetch;

/** How a run differs from one against the party alone. */
interface Circumstances {
  /** Without --vkey. */
  readonly isKeyless?: boolean;
  /** Changes the party's answers. */
  readonly through?: (send: Send) => Send;
}

const log = new SuiteLog(suiteSigner, kernels);

async function run(
  role: Network,
  defect: string,
  { isKeyless = false, through = (send) => send }: Circumstances = {},
): Promise<Report> {
  const keysOf = (keys: readonly NoteKey[]) => isKeyless ? [] : keys;
  const optionsOf = (party: { readonly fetch: unknown }) => ({
    crypto: suiteCrypto,
    clock: new StandingClock(),
    fetch: through(party.fetch as Send),
  });
  if (role === "log") {
    const party = new FakeLog(defect);
    return await testLog({ url: party.url, keys: keysOf([party.key]) }, optionsOf(party));
  }
  const party = role === "witness"
    ? new FakeWitness(log.key, defect)
    : new FakeMirror(log.key, defect);
  const url = new URL(`http://${role}.example/`);
  const target = { url, monitoring: url, keys: keysOf(party.keys), signer: suiteSigner };
  return await (role === "witness" ? testWitness : testMirror)(target, optionsOf(party));
}

type Verdict = JudgedClause["verdict"];

/** The verdicts that the controls reached. */
const reached = new Map<string, Set<Verdict>>();

function withVerdict({ kind, clauses }: Report, wanted: Verdict): string[] {
  for (const { id, verdict } of clauses) {
    const verdicts = reached.get(`${kind} ${id}`) ?? new Set();
    reached.set(`${kind} ${id}`, verdicts.add(verdict));
  }
  return clauses.filter(({ verdict }) => verdict === wanted).map(({ id }) => id).toSorted();
}

/** A clause that begins with `*` is of the document of the role: tlog-witness or tlog-mirror. */
function idsOf(role: Network, ids: readonly string[]): string[] {
  return ids.map((id) => id.replace("*", `tlog-${role}`))
    .filter((id) => clauseOf(id).roles.includes(role)).toSorted();
}

const FORBIDDEN = "tlog-witness/forbidden";
const PROOF_STATUS = "tlog-witness/proof-status";
const COSIGNED = "tlog-witness/no-cosignature";
const INVALID = "tlog-witness/subtree-invalid-status";
const UNPROVEN = "tlog-witness/subtree-proof-status";

/** A defect, and the clauses that it breaks, those of level SHOULD included. */
type Control = readonly [defect: string, ...clauses: string[]];

const ADD_CHECKPOINT: readonly Control[] = [
  ["small bodies only", "signed-note/sixteen-signatures"],
  ["eight signatures at most", "signed-note/sixteen-signatures"],
  ["403 for an unknown origin", "tlog-witness/unknown-origin"],
  ["keys by name alone", "signed-note/unknown-keys"],
  ["keys by ID alone", "signed-note/unknown-keys"],
  ["one valid signature suffices", FORBIDDEN],
  ["unsigned checkpoints", "tlog-witness/verify-signature", FORBIDDEN],
  ["no verification", "signed-note/known-keys", FORBIDDEN],
  ["401 for a signature", FORBIDDEN],
  ["409 above the checkpoint", "tlog-witness/old-size-status"],
  ["422 above the checkpoint"],
  ["any old size", "tlog-witness/old-size-matches", "tlog-witness/conflict", COSIGNED],
  ["400 for a conflict", "tlog-witness/conflict"],
  ["conflicts as text", "tlog-witness/conflict-type"],
  ["conflicts without a size", "tlog-witness/conflict-body"],
  ["any root of size 0", "tlog-witness/empty-root-status", COSIGNED],
  ["400 for the root of size 0", "tlog-witness/empty-root-status"],
  ["a proof from 0", PROOF_STATUS, COSIGNED],
  ["409 for a proof", PROOF_STATUS],
  ["no proof checked", PROOF_STATUS, COSIGNED],
  ["any proof from a size to itself"],
  [
    "any root of the same size",
    "tlog-witness/same-size",
    "tlog-witness/same-size-status",
    COSIGNED,
  ],
  ["409 for the same size", "tlog-witness/same-size-status"],
  ["cosigns what it refuses", COSIGNED],
  ["refuses with a dash"],
  ["a race", "tlog-witness/old-size-matches"],
  ["a record that stays", "tlog-witness/success"],
  ["refuses extension lines", "tlog-witness/success"],
];

const COSIGNATURES: readonly Control[] = [
  ["lines as a list", "*/lines", "tlog-witness/monitoring-body"],
  ["no time", "tlog-witness/timestamp"],
  ["no timestamp", "tlog-cosignature/structure"],
  ["times above 2^63", "tlog-cosignature/timestamp-limit"],
  ["no header", "tlog-cosignature/message"],
  ["another key", "tlog-cosignature/message"],
  ["another name", "*/cosignatures", "tlog-mirror/cosigned"],
  ["another key ID", "signed-note/key-ids", "tlog-cosignature/ed25519-key-id"],
  ["another ML-DSA-44 key ID", "signed-note/key-ids", "tlog-cosignature/ml-dsa-key-id"],
  ["another ML-DSA-44 message", "tlog-cosignature/ml-dsa-message"],
  ["extensions left out", "tlog-cosignature/extensions"],
  ["a name that is no URL", "tlog-cosignature/url-name", "signed-note/url-names"],
  ["no ML-DSA-44 line", "tlog-witness/ml-dsa"],
];

const SUBTREES: readonly Control[] = [
  ["no sign-subtree"],
  ["422 for malformed requests", INVALID],
  ["carriage returns of a subtree", INVALID],
  ["ranges with zeros", INVALID],
  ["long proofs", INVALID],
  ["any start", INVALID],
  ["401 for an unknown origin of a subtree", "tlog-witness/subtree-origin"],
  ["403 for an unknown origin of a subtree"],
  ["unverified signatures", "tlog-witness/subtree-verify", "tlog-witness/subtree-forbidden"],
  ["401 for a subtree's signature", "tlog-witness/subtree-forbidden"],
  ["no proof of a subtree checked", UNPROVEN],
  ["400 for a subtree's proof", UNPROVEN],
  ["204 for a subtree", "tlog-witness/subtree-success"],
  ["no newline after a subtree", "tlog-witness/subtree-lines"],
  ["Ed25519 of a subtree", "tlog-witness/subtree-format"],
  ["another name of a subtree", "tlog-witness/subtree-keys"],
  ["another origin of a subtree", "tlog-cosignature/ml-dsa-message"],
  [
    "a timestamp of a subtree",
    "tlog-witness/subtree-timestamp",
    "tlog-cosignature/ml-dsa-times",
    "tlog-cosignature/ml-dsa-timestamp",
  ],
];

const MONITORING: readonly Control[] = [
  ["closes connections", "tlog-witness/keep-alive"],
  ["no lines", "tlog-witness/lines"],
  ["no monitoring"],
  ["500 for monitors", "tlog-witness/monitoring"],
  ["an old checkpoint for monitors"],
  ["an empty checkpoint for monitors", "tlog-witness/monitoring-never"],
  ["no log signature for monitors", "tlog-witness/monitoring-body"],
];

const TILES: readonly Control[] = [
  ["no checkpoint", "tlog-tiles/checkpoint"],
  ["checkpoint as text", "tlog-tiles/checkpoint"],
  ["checkpoint cached wrongly", "tlog-tiles/checkpoint-caching"],
  ["checkpoint cached for half a minute"],
  ["tiles cached for hours"],
  ["tile as text", "tlog-tiles/tile-type"],
  ["tile cached wrongly", "tlog-tiles/tile-caching"],
  ["entries as text", "tlog-tiles/entries-type"],
  ["entries cached wrongly", "tlog-tiles/entries-caching"],
  ["entries as they are", "tlog-tiles/entries-compressed"],
  ["no entry bundles", "tlog-tiles/also-bundles"],
  ["no last bundle", "tlog-tiles/entries-type"],
  ["no partial tiles", "tlog-tiles/partial-tiles"],
  ["partial tiles hashed upwards", "tlog-tiles/not-hashed-up"],
  ["empty tiles", "tlog-tiles/no-empty-tiles"],
  ["a page for each path"],
  ["a pruned log"],
  ["another hash in level 1", "tlog-tiles/tile-hashes"],
  ["a full tile too short", "tlog-tiles/full-tiles"],
  ["a partial tile too long", "tlog-tiles/partial-width"],
  ["another entry", "tlog-tiles/entry-hashes"],
  ["entries cut short", "tlog-tiles/entries"],
];

const CHECKPOINTS: readonly Control[] = [
  ["another origin", "tlog-tiles/origin-url", "tlog-checkpoint/key-name"],
  ["another key name", "tlog-checkpoint/key-name", "signed-note/vkey-matches"],
  [
    "another key ID",
    "signed-note/vkey-matches",
    "signed-note/key-ids",
    "signed-note/ed25519-key-id",
  ],
  ["another key", "tlog-tiles/ed25519"],
  ["a key name that is no URL", "signed-note/url-names", "tlog-checkpoint/key-name"],
  ["extension lines", "tlog-checkpoint/no-extensions", "tlog-checkpoint/ml-dsa-extensions"],
  [
    "empty extension lines",
    "tlog-checkpoint/extension-lines",
    "tlog-checkpoint/no-extensions",
    "tlog-checkpoint/ml-dsa-extensions",
  ],
  ["no ML-DSA-44 line", "tlog-checkpoint/ml-dsa"],
  ["two lines", "tlog-checkpoint/lines"],
  ["no origin", "tlog-checkpoint/origin", "tlog-checkpoint/key-name", "tlog-tiles/origin-url"],
  ["a size with a leading zero", "tlog-checkpoint/size"],
  ["a root without padding", "tlog-checkpoint/root"],
  ["a tab", "signed-note/characters"],
  ["no empty line", "signed-note/text-form"],
  ["a space in a key name", "signed-note/key-names"],
  ["a log that shrinks"],
  ["tiles ahead of the checkpoint"],
  ["a fork behind its tiles", "tlog-checkpoint/consistent", "tlog-tiles/tile-hashes"],
  ["a rewritten history", "tlog-checkpoint/consistent"],
  // The log did not sign it.
  ["a history of another key", "tlog-tiles/ed25519"],
  ["partial tiles that are deleted", "tlog-tiles/partial-tiles"],
  // No sentence forbids other paths than those of the tiles.
  ["levels with zeros"],
  ["short indexes"],
  ["indexes without an x"],
  ["widths of 256"],
];

const MIRROR: readonly Control[] = [
  ["401 for an unknown origin of entries", "tlog-mirror/unknown-origin"],
  ["409 without a checkpoint", "tlog-mirror/no-pending"],
  ["400 for an unknown end", "tlog-mirror/unknown-end"],
  ["422 for a late start", "tlog-mirror/late-start"],
  ["old ends", "tlog-mirror/small-end"],
  ["one checkpoint", "tlog-mirror/several-pending"],
  ["400 for a proof of entries", "tlog-mirror/authenticate-status"],
  ["no proof of entries checked", "tlog-mirror/authenticate"],
  // The limit binds clients.
  ["any number of hashes"],
  ["422 for nothing", "tlog-mirror/nothing"],
  ["200 for a part", "tlog-mirror/partial", "tlog-mirror/interrupted"],
  ["204 for entries", "tlog-mirror/success"],
  ["text for information", "tlog-mirror/info"],
  ["tickets in hex", "tlog-mirror/info"],
  ["another end", "tlog-mirror/info-end", "tlog-mirror/info-pending"],
  ["no gzip", "tlog-mirror/gzip"],
  ["no Accept-Encoding", "tlog-mirror/accept-encoding"],
  ["a signature for a checkpoint", "tlog-mirror/not-signed", "tlog-mirror/distinct-cosigner"],
  ["a witness with the mirror's name", "tlog-mirror/distinct-cosigner"],
  ["no log signature", "tlog-mirror/retain-signature"],
  ["a log signature of zeros", "tlog-mirror/retain-signature", "tlog-tiles/ed25519"],
  ["no cosignature", "tlog-mirror/cosigned"],
];

/** Malformed requests that are accepted. The sentence binds whoever wrote them. */
const LENIENT: readonly [defect: string, clause: string][] = [
  ["old with a leading zero", "tlog-witness/old-size-line"],
  ["old with a sign", "tlog-witness/old-size-line"],
  ["old in capitals", "tlog-witness/old-size-line"],
  ["carriage returns", "tlog-witness/line-ends"],
  ["no newline at the end", "tlog-witness/line-ends"],
  ["hashes in hex", "tlog-witness/proof-lines"],
  ["no empty line", "tlog-witness/body"],
  ["size with a leading zero", "tlog-checkpoint/size"],
  ["short root hashes", "tlog-checkpoint/root"],
  ["empty extension lines", "tlog-checkpoint/extension-lines"],
  ["control characters", "signed-note/characters"],
  ["texts that are not UTF-8", "signed-note/characters"],
];

const CONTROLS: Record<Network, readonly Control[]> = {
  witness: [...ADD_CHECKPOINT, ...COSIGNATURES, ...SUBTREES, ...MONITORING],
  mirror: [...ADD_CHECKPOINT, ...COSIGNATURES, ...SUBTREES, ...MIRROR, ...TILES],
  log: [...CHECKPOINTS, ...TILES],
};

for (const role of ["witness", "mirror", "log"] as const) {
  for (const [defect, ...clauses] of CONTROLS[role]) {
    Deno.test(`conformance ${role}: ${defect}`, async () => {
      assert.deepEqual(withVerdict(await run(role, defect), "fail"), idsOf(role, clauses));
    });
  }

  Deno.test(`conformance ${role}: an honest one passes every clause that obliges it`, async () => {
    const report = await run(role, "");
    const unjudged = report.clauses.filter(({ obliged, untestable }) =>
      !obliged.includes(role) && untestable === ""
    );
    assert.deepEqual(withVerdict(report, "fail"), []);
    assert.deepEqual(withVerdict(report, "unclear"), unjudged.map(({ id }) => id).toSorted());
  });

  Deno.test(`conformance ${role}: an overloaded one is accused of nothing`, async () => {
    for (const status of [429, 503]) {
      const report = await run(role, "", { through: overloaded(role, status) });
      assert.deepEqual(withVerdict(report, "fail"), []);
      const isOpen = ({ verdict }: JudgedClause) => /unclear|not_testable/.test(verdict);
      assert.ok(report.clauses.every(isOpen), withVerdict(report, "pass").join());
    }
  });

  Deno.test(`conformance ${role}: without --vkey no signature is judged`, async () => {
    const report = await run(role, "another key", { isKeyless: true });
    assert.deepEqual(withVerdict(report, "fail"), []);
  });
}

/** Answers `status` to everything but what a run needs to begin: a success for the first checkpoint. */
function overloaded(role: Network, status: number): (send: Send) => Send {
  let left = { log: 0, witness: 1, mirror: 2 }[role];
  return () => (input) => {
    const isFirst = String(input).endsWith("/add-checkpoint") && left-- > 0;
    return Promise.resolve(new Response("", { status: isFirst ? 200 : status }));
  };
}

for (const role of ["witness", "mirror"] as const) {
  for (const [defect, clause] of LENIENT) {
    Deno.test(`conformance ${role}: ${defect}, accepted, break no rule`, async () => {
      const report = await run(role, defect);
      assert.deepEqual(withVerdict(report, "fail"), []);
      const judged = report.clauses.find(({ id }) => id === clause);
      assert.equal(judged === undefined, !clauseOf(clause).roles.includes(role));
      assert.ok(judged?.checks.some(({ reason }) => /it was accepted/.test(reason!)) ?? true);
    });
  }
}

/** Runs our verifier once over all vectors; then one of its verdicts at a time is wrong, or missing. */
Deno.test("conformance verifier: each clause can pass, fail and be unclear", async () => {
  const vectors = [...corpusFiles().values()].flatMap((text): Vector[] => JSON.parse(text));
  const honest = new Map<string, number>();
  const nameOf = (kind: string, inputs: readonly { readonly bytes: Uint8Array }[]) =>
    [kind, ...inputs.map(({ bytes }) => bytes.toBase64())].join();
  for (const vector of vectors) {
    const { kind, files } = inputsOf(vector);
    const isAccepted = await accepts(suiteCrypto, kind, files.map(({ bytes }) => bytes));
    honest.set(nameOf(kind, files), isAccepted ? 0 : 1);
  }
  const judged = async (changed?: Vector, code?: (honest: number) => number) => {
    const target = changed && inputsOf(changed);
    const one = target && nameOf(target.kind, target.files);
    return await testVerifier(vectors, {
      command: "verifier",
      run: (kind, inputs) => {
        const name = nameOf(kind, inputs);
        const right = honest.get(name)!;
        return Promise.resolve(name === one ? code!(right) : right);
      },
    }, { clock: new StandingClock() });
  };
  const report = await judged();
  assert.deepEqual([withVerdict(report, "fail"), withVerdict(report, "unclear")], [[], []]);
  for (const vector of vectors) {
    assert.deepEqual(withVerdict(await judged(vector, (right) => 1 - right), "fail"), [
      vector.clause,
    ], vector.name);
    assert.deepEqual(withVerdict(await judged(vector, () => 3), "unclear"), [vector.clause]);
  }
});

const UNKNOWN_PART = "a signature that does not verify does not show what it is over";

/** Clauses that oblige a party and that no answer of it breaks for certain. */
const NEVER_FAILS: Record<string, string> = {
  "tlog-cosignature/header": UNKNOWN_PART,
  "tlog-cosignature/time-line": UNKNOWN_PART,
  "tlog-cosignature/ml-dsa-start": UNKNOWN_PART,
  "tlog-witness/whole-tree": UNKNOWN_PART,
  "tlog-witness/monitoring-delay": "a run is shorter than an hour",
  "tlog-tiles/not-pruned": "a policy may permit it",
  "tlog-tiles/minimum-zero": "a policy may permit it",
  "tlog-mirror/not-pruned": "a policy may permit it",
  "tlog-mirror/minimum-zero": "a policy may permit it",
};

/** The verdicts that a clause can give about a role. */
function possible({ id, obliged, untestable }: Clause, role: Role): Verdict[] {
  if (untestable !== "") return ["not_testable"];
  if (!obliged.includes(role)) return ["unclear"];
  const never = role !== "verifier" && id in NEVER_FAILS;
  return never ? ["pass", "unclear"] : ["fail", "pass", "unclear"];
}

Deno.test("conformance: each clause has a control for each verdict that it can give", () => {
  const pairs = CLAUSES.flatMap((clause) => clause.roles.map((role) => ({ clause, role })));
  const wrong = pairs.flatMap(({ clause, role }) => {
    const has = [...reached.get(`${role} ${clause.id}`) ?? []].toSorted();
    const wanted = possible(clause, role);
    return has.join() === wanted.join() ? [] : [`${role} ${clause.id}: ${has}, not ${wanted}`];
  });
  assert.deepEqual(wrong, []);
});
