import assert from "node:assert/strict";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import { eachScheme, eachSchemeInSteps } from "../../../schemes.ts";
import { type Lie, type LyingApp, withLyingApp } from "./lying_app.ts";

/**
 * Lies and the expected faults: `part place`, in order. Only lies about signatures depend on the scheme.
 */
type Case = readonly [
  what: string,
  faults: readonly string[],
  lies: (app: LyingApp) => Promise<readonly (readonly [path: string, lie: Lie])[]>,
];

const GONE: Lie = () => new Response("", { status: 404 });

function flipped(at: number): Lie {
  return (body) => {
    body[at < 0 ? body.length + at : at]! ^= 1;
    return body;
  };
}

/** Changes the JSON of an answer. */
function json(change: (value: ReturnType<typeof JSON.parse>) => unknown): Lie {
  return (body) => {
    const value = JSON.parse(new TextDecoder().decode(body));
    return JSON.stringify(change(value) ?? value);
  };
}

/** The answer with the first `from` replaced by `to`. */
function replaced(from: string, to: string): Lie {
  return (body) => new TextDecoder().decode(body).replace(from, to);
}

async function textOf(app: LyingApp, path: string): Promise<string> {
  return await (await fetch(new URL(path, app.url))).text();
}

const one = (path: string, lie: Lie) => () => Promise.resolve([[path, lie]] as const);
const job = (sequence: number, lie: Lie) => (app: LyingApp) =>
  Promise.resolve([[`/v1/attestations/${app.hashes[sequence]}`, lie]] as const);

const BATCHES = "/v1/batches?before=45&limit=100";
const nextDigit = (text: string) => (text[0] === "0" ? "1" : "0") + text.slice(1);

/** Lies about a log of 44 entries, in four batches. */
const CASES: readonly Case[] = [
  ["no checkpoint", ["checkpoint latest"], one("/checkpoint", GONE)],
  ["a checkpoint that is no note", ["checkpoint latest"], one("/checkpoint", () => "no note")],
  [
    "another size in the checkpoint",
    ["checkpoint 43"],
    one("/checkpoint", replaced("\n44\n", "\n43\n")),
  ],
  [
    "a checkpoint beyond the tree head",
    ["checkpoint 45"],
    one("/checkpoint", replaced("\n44\n", "\n45\n")),
  ],
  ["a byte of the checkpoint's last line", ["checkpoint 44"], one("/checkpoint", flippedBase64)],
  ["no tree head", ["sth latest"], one("/v1/log/sth", GONE)],
  ["a tree head that is no JSON", ["sth latest"], one("/v1/log/sth", () => "{")],
  [
    "another root of the latest tree head",
    ["sth_signatures 44", "sth 44"],
    one("/v1/log/sth", json((sth) => void (sth.tree_head.root_hash = "00".repeat(32)))),
  ],
  ["no tree head of a batch", ["sth 42"], one("/v1/log/sth/42", GONE)],
  [
    "another root of a tree head",
    ["batch 42", "sth 42", "sth_signatures 42"],
    one("/v1/log/sth/42", json((sth) => void (sth.tree_head.root_hash = "00".repeat(32)))),
  ],
  [
    "another time of a tree head",
    ["batch 42", "sth_signatures 42"],
    one("/v1/log/sth/42", json((sth) => void sth.tree_head.timestamp++)),
  ],
  [
    "a batch that is left out",
    ["batch 44", "job 42"],
    one(BATCHES, json((batches) => batches.filter(({ id }: { id: number }) => id !== 43))),
  ],
  [
    "the first index of a batch",
    ["batch 42"],
    one(BATCHES, json((batches) => void batches[2].first_index++)),
  ],
  [
    "the root of a batch",
    ["batch 42"],
    one(BATCHES, json((batches) => void (batches[2].root_hash = "00".repeat(32)))),
  ],
  ["batches that are no list", ["batch below 45"], one(BATCHES, () => "{}")],
  ["batches in another order", ["batch 42"], one(BATCHES, json((batches) => batches.reverse()))],
  ["a job that is gone", ["job 5"], job(5, GONE)],
  ["a job that is no JSON", ["job 5"], job(5, () => "[]")],
  [
    "a job that waits",
    ["job 5"],
    job(
      5,
      json(({ hash, attempts, created_at, updated_at }) => ({
        hash,
        status: "pending",
        progress: "unconfirmed",
        attempts,
        created_at,
        updated_at,
        next_attempt_at: updated_at,
        batch_id: 42,
      })),
    ),
  ],
  [
    "a job that is not batched",
    ["job 5"],
    job(
      5,
      json((job) => {
        job.progress = "confirmed";
        delete job.batch_id;
      }),
    ),
  ],
  ["another batch of a job", ["job 20"], job(20, json((job) => void (job.batch_id = 43)))],
  [
    "another time of an attestation",
    ["job 43"],
    job(43, json((job) => void job.signed_attestation.attestation.timestamp++)),
  ],
  [
    "another sequence of an attestation",
    ["job 43"],
    job(43, json((job) => void job.signed_attestation.attestation.sequence++)),
  ],
  [
    "a signature of a job",
    ["round_signatures 43"],
    job(
      43,
      json(({ signed_attestation: signed, ...job }) => {
        if (signed.signature !== undefined) signed.signature = nextDigit(signed.signature);
        else signed.signatures[1].signature = nextDigit(signed.signatures[1].signature);
        return { ...job, signed_attestation: signed };
      }),
    ),
  ],
  [
    "too few signatures of a job",
    ["round_signatures 0"],
    job(
      0,
      json(({ signed_attestation: signed }) => {
        (signed.signatures ?? signed.signers).pop();
      }),
    ),
  ],
  [
    "a node of a job's path",
    ["round_signatures 20"],
    job(
      20,
      json(({ signed_attestation: { round } }) => {
        round.inclusion_path[0] = nextDigit(round.inclusion_path[0]);
      }),
    ),
  ],
  ["another job's answer", ["job 5"], async (app) => {
    const other = await textOf(app, `v1/attestations/${app.hashes[6]}`);
    return [[`/v1/attestations/${app.hashes[5]}`, () => other]];
  }],
  [
    "a bundle that is gone",
    ["bundle"],
    (app) => Promise.resolve([[`/v1/bundle/${app.hashes[41]}`, GONE]]),
  ],
  ["another root in a bundle", ["bundle"], (app) =>
    Promise.resolve([[
      `/v1/bundle/${app.hashes[41]}`,
      json((bundle) => void (bundle.batch_inclusion.batch.root_hash = "00".repeat(32))),
    ]])],
];

/** Lies about a log of 260 entries, in four batches: one tile is full. */
const TILE_CASES: readonly Case[] = [
  ["a byte of a tile", ["tile 0/0"], one("/tile/0/000", flipped(-1))],
  ["a byte of a partial tile", ["tile 0/1"], one("/tile/0/001.p/4", flipped(33))],
  ["a byte of an upper tile", ["tile 1/0"], one("/tile/1/000.p/1", flipped(0))],
  ["a tile that is gone", ["tile 0/0"], one("/tile/0/000", GONE)],
  ["entries that are gone", ["entry bundle 0"], one("/tile/entries/000", GONE)],
  ["entries that do not split", ["entry bundle 1"], one("/tile/entries/001.p/4", flipped(0))],
  [
    "entries and tile that are gone",
    ["tile 0/0", "entry bundle 0"],
    () => Promise.resolve([["/tile/entries/000", GONE], ["/tile/0/000", GONE]]),
  ],
];

/** Changes the last base64 character of a note that carries signature bits. */
function flippedBase64(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = body.length - 8;
  body[at] = body[at] === 0x41 ? 0x42 : 0x41;
  return body;
}

eachSchemeInSteps.test("auditPublished() reports every kind of lie", async ({ scheme, t }) => {
  const isOfScheme = ([what, expected]: Case) =>
    scheme === "ed25519" || expected.join().includes("sig") || what.includes("point");
  await checkLies(t, scheme, { counts: [2, 40, 1, 1], tiles: 1, cases: CASES.filter(isOfScheme) });
});

Deno.test("auditPublished() reports every kind of lie about tiles", async (t) => {
  await checkLies(t, "ed25519", { counts: [2, 256, 1, 1], tiles: 3, cases: TILE_CASES });
});

/** Audits a log with batches of `counts` attestations, and each of its lies. */
async function checkLies(
  t: Deno.TestContext,
  scheme: SignatureScheme,
  { counts, tiles, cases }: {
    readonly counts: readonly number[];
    readonly tiles: number;
    readonly cases: readonly Case[];
  },
): Promise<void> {
  await withLyingApp(scheme, counts, async (app) => {
    const { report, faults } = await app.audit();
    assert.deepEqual(faults.listed, []);
    const size = app.hashes.length;
    assert.deepEqual(report, {
      tree_size: size,
      entries: size,
      tiles,
      jobs: size,
      bundles: 4,
      sths: 4,
      not_compared: [],
    });
    for (const [what, expected, lies] of cases) {
      await t.step(what, async () => {
        const { faults } = await app.audit(await lies(app));
        const found = faults.listed.map(({ part, place }) =>
          `${part} ${place.replace(/ ?\(?[0-9a-f]{64}\)?$/, "")}`.trimEnd()
        );
        assert.deepEqual(
          [...new Set(found)],
          expected,
          JSON.stringify(faults.listed, undefined, 1),
        );
      });
    }
    assert.deepEqual((await app.audit()).faults.listed, []);
  });
}

eachScheme.test("auditPublished() reports no fault for honest logs of other shapes", async (scheme) => {
  for (const counts of [[], [1], [255, 1], [256, 2]]) {
    await withLyingApp(scheme, counts, async (app) => {
      const { report, faults } = await app.audit();
      assert.deepEqual(faults.listed, []);
      assert.equal(report.jobs, app.hashes.length);
      assert.equal(report.sths, counts.length);
    });
  }
});

Deno.test("auditPublished() reports a changed entry, its job and its duplicate", async () => {
  await withLyingApp("ed25519", [20, 1], async (app) => {
    const hash = app.hashes[5]!;
    const other = app.hashes[6]!;
    const { faults } = await app.audit([["/tile/entries/000.p/21", replaced(hash, other)]]);
    const parts = faults.listed.map(({ part }) => part);
    assert.deepEqual(parts, ["entry", "job", "digest"]);
    assert.equal(faults.listed[0]?.place, "5");
    const [digest] = faults.listed.filter(({ part }) => part === "digest");
    assert.equal(digest?.place, "6");
  });
});

Deno.test("auditPublished() reports an entry with another sequence or text", async () => {
  await withLyingApp("ed25519", [12], async (app) => {
    const places: string[] = [];
    for (
      const lie of [replaced("\n7\n", "\n8\n"), replaced("countersign/att", "countersign/Att")]
    ) {
      const { faults } = await app.audit([["/tile/entries/000.p/12", lie]]);
      places.push(...faults.listed.filter(({ part }) => part === "entry").map((f) => f.place));
    }
    // The text of each, and that it is not the leaf's.
    assert.deepEqual(places, ["7", "7", "0", "0"]);
  });
});
