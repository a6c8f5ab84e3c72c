/**
 * A gateway whose log has two histories, both of which two of its three witnesses really sign: it
 * shows one of them, and the other from when it is told to.
 *
 * @module
 */

import { join } from "node:path";
import type { ConsistencyProof } from "../../../src/proof/format/bundle.ts";
import type { SignedTreeHead } from "../../../src/proof/format/tree_head.ts";
import { digestOf } from "../../proof/verify/fixture.ts";
import { SIZES, World } from "../../lying_gateway/world.ts";
import { type Answer, FrontServer, withPage } from "./front_server.ts";

export class ForkingSite implements AsyncDisposable {
  readonly #world: World;
  readonly #front: FrontServer;
  /** Holds `network.json`, the network's public configuration, and whatever a test writes there. */
  readonly folder: string;
  /** What answers from now on, in place of the gateway. */
  answer: Answer;
  #published = 0;

  private constructor(world: World, front: FrontServer, folder: string) {
    this.#world = world;
    this.#front = front;
    this.folder = folder;
    this.answer = world.honest.answer;
  }

  /** Shows the honest history, of 12 attestations; the other is as long, and has 4 in common. */
  static async start(): Promise<ForkingSite> {
    await using opening = new AsyncDisposableStack();
    const world = opening.use(await World.start("ed25519"));
    const front = opening.use(new FrontServer(world.honest.answer));
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(join(folder, "network.json"), JSON.stringify(world.network));
    opening.move();
    const site = new ForkingSite(world, front, folder);
    front.answer = await withPage((request) => site.answer(request));
    return site;
  }

  get url(): string {
    return this.#front.url;
  }

  /** Shows the history `which`; `twin` is a network of other keys. */
  show(which: "honest" | "fork" | "twin"): void {
    this.answer = this.#world[which].answer;
  }

  /** Shows the honest history, but answers `path` with `answer`. */
  showBut(path: string, answer: Answer): void {
    const honest = this.#world.honest.answer;
    this.answer = (request) =>
      new URL(request.url).pathname === path ? answer(request) : honest(request);
  }

  /** Shows the honest history, but at `path` what it answers to a GET of `other`. */
  showInstead(path: string, other: string): void {
    const honest = this.#world.honest.answer;
    this.showBut(path, async ({ url }) => {
      // Other headers are dropped: a browser would cache what never changes at `other`.
      const response = await honest(new Request(new URL(other, url)));
      const headers = { "Cache-Control": "no-store", "Content-Type": "application/json" };
      return new Response(response.body, { headers });
    });
  }

  /** The honest proof that the tree of `first` is a prefix of that of `second`. */
  consistency(first: number, second: number): Promise<ConsistencyProof> {
    return this.#world.consistency(first, second);
  }

  /** The honest head with the time of another. */
  async forgedHead(): Promise<SignedTreeHead> {
    const { tree_head, ...signatures } = await this.#world.sth(SIZES[2]);
    return { tree_head: { ...tree_head, timestamp: tree_head.timestamp - 1 }, ...signatures };
  }

  /** Publishes another head of the history `which`. */
  async grow(which: "honest" | "fork"): Promise<void> {
    await this.#world[which].publish([digestOf(`${which} more ${this.#published++}`)]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#front[Symbol.asyncDispose]();
    await this.#world[Symbol.asyncDispose]();
    await Deno.remove(this.folder, { recursive: true });
  }
}
