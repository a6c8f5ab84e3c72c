import { textOf } from "../../src/base/bytes.ts";
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { BulkProofs } from "../../src/explorer/stamp/bulk_proofs.ts";
import type { StampRow } from "../../src/explorer/stamp/stamp_rows.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { GatewayRefusal } from "../../src/proof/format/gateway_refusal.ts";
import { parseJobSnapshots } from "../../src/proof/format/job_snapshot.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { memoryStore, randomDigests, TestNetwork, until } from "../gateway/fixture.ts";

const BATCHES = 3;
const BATCH_SIZE = 300;

type Tile = (level: number | "entries", index: number, width: number) => Promise<
  Uint8Array<ArrayBuffer>
>;

/** Rows of a log of several batches, latest first, and a page that asks its gateway for proofs. */
class StampedLog implements AsyncDisposable {
  readonly gateway: Gateway;
  rows: readonly StampRow[] = [];
  fetched = 0;
  tiles = 0;
  /** Changes the gateway's tiles and bundles. */
  changeTile: (nodes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> = (nodes) => nodes;
  changeBundle: (text: string) => string = (text) => text;

  private constructor(gateway: Gateway) {
    this.gateway = gateway;
  }

  static async start(): Promise<StampedLog> {
    const { gateway } = await new TestNetwork().start(await memoryStore());
    const found = new StampedLog(gateway);
    const rows: StampRow[] = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      const { json } = await gateway.jobs.submitAll(randomDigests(BATCH_SIZE), 30);
      for (const job of parseJobSnapshots(textOf(json))) {
        rows.push({ id: rows.length, hash: job.hash, phase: "settled", job });
      }
      await until(() => gateway.log.latest()?.sth.tree_head.tree_size === rows.length);
    }
    found.rows = rows.toReversed();
    return found;
  }

  /** What the gateway answers. */
  async bundle({ hash }: StampRow): Promise<string> {
    return this.changeBundle(await this.gateway.proofs.bundle(hash!));
  }

  /** The texts of all proofs by id, made with few requests. */
  async collect(): Promise<Map<number, string>> {
    this.fetched = this.tiles = 0;
    const tile: Tile = async (level, index, width) => {
      this.tiles++;
      assert.ok(typeof level === "number");
      const nodes = await this.gateway.log.tile(level, index, width);
      if (nodes === undefined) throw new GatewayRefusal("tile", { status: 404 });
      return this.changeTile(new Uint8Array(nodes));
    };
    const proofs = new BulkProofs({
      fetchProof: async (row) => {
        this.fetched++;
        const text = await this.bundle(row);
        return { text, value: parseBundle(text) };
      },
      tile,
      kernels: portableKernels,
    });
    const rows = await proofs.prepare(this.rows);
    const made = await Promise.all(rows.map(async (row) => {
      const { text, value } = await proofs.proof(row);
      assert.deepEqual(value, parseBundle(text));
      return [row.id, text] as const;
    }));
    return new Map(made);
  }

  /** Collects the proofs, which must be the gateway's bundles. */
  async assertSame(): Promise<void> {
    const texts = () => Promise.all(this.rows.map((row) => this.bundle(row)));
    // Heads may get further signatures meanwhile: then what was collected cannot be compared.
    for (let isSettled = false; !isSettled;) {
      const before = await texts();
      const made = await this.collect();
      isSettled = isDeepStrictEqual(before, await texts());
      if (isSettled) {
        assert.deepEqual(made, new Map(this.rows.map(({ id }, i) => [id, before[i]!])));
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway.stop();
  }
}

Deno.test("BulkProofs makes the gateway's bundles, byte for byte, from few answers", async () => {
  await using log = await StampedLog.start();
  const batches = await log.gateway.log.batches(undefined, 100);
  await log.assertSame();
  assert.ok(log.fetched <= batches.length, `${log.fetched} bundles`);
  // 4 tiles of leaves and one above them, at two widths at most.
  assert.ok(log.tiles <= 10, `${log.tiles} tiles`);

  log.rows = log.rows.slice(0, 1);
  await log.assertSame();
  assert.deepEqual([log.fetched, log.tiles], [1, 0]);
  log.rows = [];
  assert.equal((await log.collect()).size, 0);
});

Deno.test("BulkProofs asks for bundles where tiles are wrong or missing", async () => {
  await using log = await StampedLog.start();
  log.changeTile = (nodes) => nodes.map((byte) => byte ^ 1);
  await log.assertSame();
  assert.ok(log.fetched > log.rows.length - BATCHES);

  log.changeTile = () => {
    throw new GatewayRefusal("tile", { status: 404 });
  };
  await log.assertSame();
  assert.ok(log.fetched > log.rows.length - BATCHES);
});

Deno.test("BulkProofs asks only once beyond the last tree head", async () => {
  await using log = await StampedLog.start();
  const batched = 2 * BATCH_SIZE;
  log.changeBundle = (text) => {
    const value = parseBundle(text);
    return value.signed_attestation.attestation.sequence < batched
      ? text
      : JSON.stringify({ ...value, batch_inclusion: null });
  };
  await log.assertSame();
  assert.ok(log.fetched <= BATCHES + 2, `${log.fetched} bundles`);
});

Deno.test("BulkProofs ends with the error of a bundle", async () => {
  await using log = await StampedLog.start();
  log.changeBundle = () => {
    throw new Error("gone");
  };
  await assert.rejects(log.collect(), /gone/);
});
