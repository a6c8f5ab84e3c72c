/**
 * A page with every metric that there is: of a gateway that a peer cosigns, that is anchored, and that
 * was asked for what the dashboard and the alerts look at.
 *
 * @module
 */

import { join } from "node:path";
import { utf8 } from "../../src/base/bytes.ts";
import { Ed25519Signer } from "../../src/proof/crypto/ed25519_native.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import {
  addFrontMetrics,
  addFrontRestarts,
  addGatewayMetrics,
} from "../../src/http/metrics/gateway_metrics.ts";
import { encodeVkey, parseVkey } from "../../src/proof/format/note_key.ts";
import { MetricsPage } from "../../src/http/metrics/metrics_page.ts";
import { TestCalendar } from "../gateway/anchors/opentimestamps/test_calendar.ts";
import { inFolder } from "../server/captured_io.ts";
import { batch, ServedNetwork } from "../server/served_network.ts";
import { StrangersWitness } from "../gateway/witnessing/foreign_witness.ts";
import { until } from "../gateway/fixture.ts";
import { metricsOf, type PageMetric } from "../http/metrics/page_samples.ts";

const PEER_TOKEN = "token-of-home-0123456789abcdef";

/** Has the heads of `home` taken by `peer`, which sends none. */
async function acceptHeads(peer: ServedNetwork, home: ServedNetwork): Promise<void> {
  await Deno.copyFile(home.publicFile, join(peer.folder, "home.json"));
  await peer.write("in", PEER_TOKEN);
  await peer.configure({
    operator: { host: "127.0.0.1", port: 0 },
    federation: {
      enabled: true,
      cross_anchor_threshold: 1,
      peer_networks: [{ id: home.network.id, config_file: "home.json", accept_token_file: "in" }],
    },
  });
}

/** Has the heads of `home` sent to `peer` at `url`, to `calendar` and to `stranger`. */
async function anchorHeads(
  home: ServedNetwork,
  peer: ServedNetwork,
  { url, calendar, stranger }: {
    readonly url: string;
    readonly calendar: string;
    readonly stranger: StrangersWitness;
  },
): Promise<void> {
  const { publicKey } = new Ed25519Signer(sha256(utf8("absent")));
  await Deno.copyFile(peer.publicFile, join(home.folder, "peer.json"));
  await home.write("out", PEER_TOKEN);
  await home.configure({
    operator: { host: "127.0.0.1", port: 0 },
    federation: {
      enabled: true,
      cross_anchor_threshold: 1,
      peer_networks: [{
        id: peer.network.id,
        config_file: "peer.json",
        min_witnesses: 2,
        federation_url: url,
        token_file: "out",
      }],
    },
    witnessing: {
      interval_seconds: 0,
      policy: [`witness one ${encodeVkey(stranger.key)}`, "quorum one"],
      witnesses: [
        { vkey: encodeVkey(stranger.key), url: stranger.url },
        // Nothing listens there.
        {
          vkey: encodeVkey({ ...stranger.key, name: "w2", publicKey }),
          url: "http://127.0.0.1:1/",
        },
      ],
    },
    anchors: [{
      provider: "opentimestamps",
      name: "calendar",
      mode: "best_effort",
      calendars: [calendar],
      interval_seconds: 0,
    }],
  });
}

/** Both pages of the gateway: the page itself, and its metrics by name. */
export async function fullPage(): Promise<ReadonlyMap<string, PageMetric>> {
  await using calendar = new TestCalendar();
  let page = "";
  await inFolder(async (root) => {
    const home = await ServedNetwork.create(root, "home.example");
    const peer = await ServedNetwork.create(root, "peer.example");
    await acceptHeads(peer, home);
    await peer.serve(async ({ operatorUrl }) => {
      const { id, log_vkey } = home.network;
      const { publicKey } = parseVkey(log_vkey!);
      await using stranger = new StrangersWitness({ id, publicKey });
      await anchorHeads(home, peer, { url: operatorUrl, calendar: calendar.url, stranger });
      await home.serve(async (served) => {
        await batch(served.url, "ab".repeat(32));
        await until(async () => {
          page = await (await fetch(`${served.operatorUrl}/metrics`)).text();
          return [
            "cross_anchor_age_seconds",
            "anchor_age_seconds",
            "foreign_witness_age_seconds",
            "foreign_witness_failures_total",
          ].every((name) => page.includes(`\ncountersign_${name}{`));
        });
      });
    });
  });
  return new Map([...metricsOf(page), ...metricsOf(await snapshotPage())]);
}

/**
 * The metrics of parts that this test does not run, from fixed values: a current beacon of quicknet, an
 * issuer of tokens, remote witnesses with clocks, and fronts.
 */
async function snapshotPage(): Promise<string> {
  const page = new MetricsPage();
  addGatewayMetrics(page, {
    status: { status: "ok", witnesses: [], pending_count: 0, beacon: { round: 77, age: 6 } },
    depths: {
      accepted: 0,
      confirmed: 0,
      published: 0,
      backlog: 0,
      retryable: 0,
      unformed: 0,
      spent: 0,
      roundsInFlight: 0,
      unstoredRounds: 0,
      waiters: 0,
      unsealedRuns: 1,
      sealedRuns: 0,
    },
    unpublishedAge: undefined,
    threshold: 1,
    diskFreeBytes: 2 ** 31,
    clockDifferences: [{ witness: "example/w1", aheadMs: 20 }],
    batchMaxAgeSeconds: 1,
    mergeDelaySeconds: undefined,
    unready: new Map(),
    damage: { records: 0, reads: 0 },
    certificateExpires: 1_800_000_000,
    leaseSeconds: 1.8,
    replicas: [{ name: "replica-1", mode: "sync", lagBytes: 0 }],
    publishing: { size: 7, isFailing: false },
  });
  const front = "front-1";
  addFrontMetrics(page, {
    front,
    answeredRequests: 0,
    waiters: 0,
    damage: { records: 0, reads: 0 },
    events: { connections: 0, waitingReaders: 0 },
  });
  addFrontRestarts(page, new Map([[front, 0]]));
  const own = [...metricsOf(await page.text([]))].filter(([name]) =>
    /beacon|spent|clock|front|lease|replica|publishing|tsa_/.test(name)
  );
  return own.flatMap(([name, { help, type, samples }]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ labels, value }) => {
      const texts = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
      return `${name}${texts.length === 0 ? "" : `{${texts.join()}}`} ${value}`;
    }),
    "",
  ]).join("\n");
}
