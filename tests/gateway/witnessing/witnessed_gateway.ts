/** A gateway whose checkpoints witnesses outside its network cosign, with a store that outlives it. */

import { join } from "node:path";
import { utf8 } from "../../../src/base/bytes.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { parseLogPolicy } from "../../../src/proof/format/log_policy.ts";
import { encodeVkey } from "../../../src/proof/format/note_key.ts";
import type { Gateway } from "../../../src/gateway/gateway.ts";
import { LogAnchoring } from "../../../src/server/anchoring/log_anchoring.ts";
import {
  type AnchorDatabase,
  openAnchorDatabase,
} from "../../../src/storage/anchors/anchor_database.ts";
import { openKvLogStore } from "../../../src/storage/log/local_log_store.ts";
import { KvAnchorList } from "../../../src/storage/anchors/kv_anchor_list.ts";
import { KvAnchorStore } from "../../../src/storage/anchors/kv_anchor_store.ts";
import { Evidence } from "../../../src/gateway/federation/evidence.ts";
import { KvFederationStore } from "../../../src/storage/anchors/kv_federation_store.ts";
import { KvWitnessedStore } from "../../../src/storage/anchors/kv_witnessed_store.ts";
import type { WitnessingPlan } from "../../../src/gateway/witnessing/witnessing.ts";
import { randomDigests, TestNetwork, until } from "../fixture.ts";
import { LogLines } from "../../log_lines.ts";
import { nativeCrypto } from "../../schemes.ts";
import { StrangersWitness } from "./foreign_witness.ts";

/** The policy of which all `witnesses` have to cosign, by the names `s0`, `s1` and so on. */
export function policyOf(
  { network }: TestNetwork,
  witnesses: readonly StrangersWitness[],
  needed = witnesses.length,
): string {
  const names = witnesses.map((_, i) => `s${i}`);
  return [
    `log ${network.log_vkey}`,
    ...witnesses.map(({ key, url }, i) => `witness ${names[i]} ${encodeVkey(key)} ${url}`),
    ...(names.length === 0 ? [] : [`group strangers ${needed} ${names.join(" ")}`]),
    `quorum ${names.length === 0 ? "none" : "strangers"}`,
    "",
  ].join("\n");
}

export class WitnessedGateway implements AsyncDisposable {
  readonly home: TestNetwork;
  readonly database: AnchorDatabase;
  readonly log: LogLines;
  readonly gateway: Gateway;
  readonly anchoring: LogAnchoring;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  private constructor(
    parts: Pick<WitnessedGateway, "home" | "database" | "gateway" | "log">,
    anchoring: LogAnchoring,
  ) {
    this.home = parts.home;
    this.database = parts.database;
    this.gateway = parts.gateway;
    this.log = parts.log;
    this.anchoring = anchoring;
    anchoring.connect(this.gateway);
    this.#running = anchoring.run(this.#stop.signal);
  }

  static async start(
    home: TestNetwork,
    plan: WitnessingPlan,
    folder?: string,
  ): Promise<WitnessedGateway> {
    const fileOf = (name: string) => folder === undefined ? ":memory:" : join(folder, name);
    const anchors = await openAnchorDatabase(fileOf("anchors.kv"), "test");
    const list = await KvAnchorList.open(anchors);
    const log = new LogLines();
    const anchoring = anchoringOf(home, { plan, database: anchors, list, log });
    const { gateway } = await home.start(await openKvLogStore(fileOf("store.kv"), "test"), {
      anchors: anchoring.source,
    });
    return new WitnessedGateway({ home, database: anchors, gateway, log }, anchoring);
  }

  get size(): number {
    return this.gateway.log.latest()?.sth.tree_head.tree_size ?? 0;
  }

  /** Publishes one more digest; the size of its head. */
  async publish(): Promise<number> {
    const [sequence] = await this.gateway.jobs.accept(randomDigests(1));
    await until(() => this.size > sequence!);
    return this.size;
  }

  /** Until the latest checkpoint has `count` signatures by `names`. */
  async cosigned(count: number): Promise<string> {
    await until(() => linesBy(this.gateway.log.checkpoint()!).length === count);
    return this.gateway.log.checkpoint()!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.gateway.stop();
    this.database.close();
  }
}

export function anchoringOf(
  home: TestNetwork,
  { plan, database, list, log }: {
    readonly plan: WitnessingPlan;
    readonly database: AnchorDatabase;
    readonly list: KvAnchorList;
    readonly log: LogLines;
  },
): LogAnchoring {
  const federation = new KvFederationStore(database, list);
  return new LogAnchoring({
    peers: [],
    services: [],
    list,
    crypto: nativeCrypto,
    witnessing: plan,
    evidence: new Evidence(federation, () => {}),
    intervalSeconds: 0,
    networkId: home.network.id,
    stores: {
      federation,
      anchors: new KvAnchorStore(database, list),
      witnessed: new KvWitnessedStore(database),
    },
    clock: systemClock,
    report: log.report,
    damaged: (error) => log.report(error.message, { code: error.code }),
  });
}

/** The lines of a checkpoint by witnesses that are not of the network. */
export function linesBy(checkpoint: string, name = "log.example/test/w1"): string[] {
  return checkpoint.split("\n").filter((line) => line.startsWith(`\u2014 ${name} `));
}

export function planOf(
  home: TestNetwork,
  witnesses: readonly StrangersWitness[],
  changes: Partial<WitnessingPlan> & { readonly needed?: number } = {},
): WitnessingPlan {
  const { needed, ...others } = changes;
  return {
    witnesses: witnesses.map((witness) => witness.asked()),
    intervalSeconds: 0,
    policy: parseLogPolicy(utf8(policyOf(home, witnesses, needed))),
    ...others,
  };
}

export function strangerTo(home: TestNetwork, seed = "stranger"): StrangersWitness {
  return new StrangersWitness(
    { id: home.network.id, publicKey: home.logSigner.publicKey },
    { seed },
  );
}
