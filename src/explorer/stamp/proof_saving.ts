/**
 * The saving of many proofs as one archive. It continues while other pages are shown.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { GatewayClient } from "../../client/gateway_client.ts";
import type { CryptoLoader } from "../assets.ts";
import { saveFile } from "../components/button.tsx";
import type { GatewayLine } from "../gateway_line.ts";
import { Store } from "../store.ts";
import { verifierTrust } from "../trust.ts";
import type { TrustStore } from "../trust_store.ts";
import { BulkProofs } from "./bulk_proofs.ts";
import { bundleVerifier, makeArchive, type ProofArchive } from "./proof_archive.ts";
import type { StampQueue } from "./stamp_queue.ts";
import type { StampRow } from "./stamp_rows.ts";

/** The services of the page that a saving uses. */
interface SavingServices {
  readonly api: GatewayClient;
  readonly line: GatewayLine;
  readonly stamps: StampQueue;
  readonly trust: TrustStore;
  readonly crypto: CryptoLoader;
  readonly clock: Clock;
}

export interface SavedArchive {
  readonly archive: ProofArchive;
  /** The network of the pin that the proofs were verified under, if there was one. */
  readonly pinned: string | undefined;
}

export type Saving =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly done: number; readonly of: number }
  | { readonly state: "saved" } & SavedArchive
  | { readonly state: "failed"; readonly error: unknown };

interface SavingOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, of: number) => void;
}

type SaveProofs = (rows: readonly StampRow[], options: SavingOptions) => Promise<SavedArchive>;

/** Progress is shown so often. */
const PROGRESS_MS = 100;

/** One for the life of the page. */
export class ProofSaving extends Store<Saving> {
  readonly #save: SaveProofs;
  readonly #clock: Pick<Clock, "nowMs">;
  #running = new AbortController();

  constructor(save: SaveProofs, clock: Pick<Clock, "nowMs">) {
    super({ state: "idle" });
    this.#save = save;
    this.#clock = clock;
  }

  /** Saves the proofs of `rows`. A saving that still runs is stopped. */
  start(rows: readonly StampRow[]): void {
    this.#running.abort();
    const { signal } = this.#running = new AbortController();
    let shown = 0;
    const show = (next: Saving) => {
      if (!signal.aborted) this.setState(next);
    };
    const onProgress = (done: number, of: number) => {
      const now = this.#clock.nowMs();
      if (now - shown < PROGRESS_MS) return;
      shown = now;
      show({ state: "running", done, of });
    };
    show({ state: "running", done: 0, of: rows.length });
    this.#save(rows, { signal, onProgress }).then(
      (saved) => show({ state: "saved", ...saved }),
      (error) => show({ state: "failed", error }),
    );
  }

  stop(): void {
    this.#running.abort();
    this.setState({ state: "idle" });
  }
}

/** Collects the proofs of `rows`, and starts the download of their archive. */
export async function saveProofs(
  { api, line, stamps, trust, crypto, clock }: SavingServices,
  rows: readonly StampRow[],
  options: SavingOptions,
): Promise<SavedArchive> {
  const { state: pins } = trust;
  const suite = await crypto.crypto();
  const pinned = pins.state === "pinned" ? verifierTrust(pins.trust) : undefined;
  const verify = pinned && bundleVerifier(suite, pinned, (network) => trust.keep(network));
  const proofs = new BulkProofs({
    fetchProof: (row) => stamps.follower.fetchProof(row),
    tile: (...address) => line.ask(() => api.tile(...address), options.signal),
    kernels: suite.kernels,
  });
  const now = unixSeconds(clock);
  const archive = await makeArchive(rows, { ...options, proofs, verify, now });
  options.signal.throwIfAborted();
  const time = new Date(now * 1000).toISOString().slice(0, -5).replaceAll(/[-:]/g, "");
  saveFile(`proofs-${time.replace("T", "-")}.zip`, archive.zip);
  for (const id of archive.whole) stamps.rows.change(id, { isSaved: true });
  return { archive, pinned: pinned?.network.id };
}
