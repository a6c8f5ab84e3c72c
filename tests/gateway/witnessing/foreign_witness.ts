/** Foreign witnesses on loopback: our own witness program, and hostile ones. */

import { Ed25519Signer } from "../../../src/proof/crypto/ed25519_native.ts";
import type { MlDsaSigner } from "../../../src/proof/crypto/ml_dsa_signer.ts";
import { sha256 } from "../../../src/proof/crypto/hashing.ts";
import { utf8 } from "../../../src/base/bytes.ts";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { NOTE_TYPE, type NoteKey } from "../../../src/proof/format/note_key.ts";
import { witnessApp } from "../../../src/http/witness/witness_app.ts";
import { CheckpointWitnessClient } from "../../../src/http/outgoing/checkpoint_witness_client.ts";
import type { WitnessState } from "../../../src/witness/ports.ts";
import type { ForeignWitness } from "../../../src/gateway/witnessing/ports.ts";
import { followedLog, NETWORK, TestLog, testWitness, WITNESS_ID } from "../../witness/fixture.ts";
import { MemoryWitnessState } from "../../witness/memory_state.ts";

/** How a witness answers a request; `undefined` as an honest one. */
export type Manner = (
  request: Request,
  honest: () => Promise<Response>,
) => Response | Promise<Response> | undefined;

/** A witness of another operator, which follows one log. */
export class StrangersWitness implements AsyncDisposable {
  /** What it does next; honest by default. */
  manner: Manner = () => undefined;
  /** The bodies of all requests. */
  readonly bodies: string[] = [];
  readonly state: WitnessState;
  readonly key: NoteKey;
  readonly url: string;
  readonly #server: Deno.HttpServer;

  constructor(
    log: { readonly id: string; readonly publicKey: Uint8Array<ArrayBuffer> },
    { clock = systemClock, state = new MemoryWitnessState(), seed = "stranger", mlDsa }: {
      readonly clock?: Clock;
      readonly state?: WitnessState;
      readonly seed?: string;
      readonly mlDsa?: MlDsaSigner;
    } = {},
  ) {
    const signer = new Ed25519Signer(sha256(utf8(seed)));
    this.state = state;
    this.key = { name: WITNESS_ID, type: NOTE_TYPE.cosignature, publicKey: signer.publicKey };
    const logs = [followedLog(log.id, log.publicKey)];
    // Each witness signs for a network.
    if (log.id !== NETWORK) logs.push(new TestLog().witnessed);
    const app = witnessApp({
      witness: testWitness({ state, clock, signer, logs, ...(mlDsa !== undefined && { mlDsa }) }),
      token: "unused",
      clock,
      report: () => {},
    });
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        const body = await request.text();
        this.bodies.push(body);
        const honest = async () =>
          await app(new Request(request.url, { method: request.method, body }));
        return await this.manner(request, honest) ?? await honest();
      },
    );
    this.url = `http://127.0.0.1:${(this.#server.addr as Deno.NetAddr).port}/`;
  }

  /** The first line of each request: the size that it begins at. */
  get sizes(): number[] {
    return this.bodies.map((body) => Number(/^old (\d+)\n/.exec(body)![1]));
  }

  /** As a gateway is configured with it. */
  asked(changes: Partial<ForeignWitness> = {}, clock: Clock = systemClock): ForeignWitness {
    const { name } = this.key;
    const client = new CheckpointWitnessClient({ name, url: this.url, clock });
    return { name, keys: [this.key], intervalSeconds: 0, client, ...changes };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
