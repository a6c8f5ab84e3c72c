/**
 * A gateway in this process whose witnesses and whose answers can be taken away.
 *
 * @module
 */

import assert from "node:assert/strict";
import { gatewayApp } from "../../../src/http/gateway/gateway_app.ts";
import type { Gateway } from "../../../src/gateway/gateway.ts";
import { memoryStore, TestNetwork } from "../../gateway/fixture.ts";
import { nativeCrypto as verifier } from "../../schemes.ts";
import { type Answer, FrontServer, withPage } from "./front_server.ts";

export class OutageSite implements AsyncDisposable {
  readonly url: string;
  readonly #network: TestNetwork;
  readonly #gateway: Gateway;
  readonly #front: FrontServer;
  readonly #honest: Answer;

  private constructor(network: TestNetwork, gateway: Gateway, honest: Answer) {
    this.#network = network;
    this.#gateway = gateway;
    this.#honest = honest;
    this.#front = new FrontServer(honest);
    this.url = this.#front.url;
  }

  static async start(): Promise<OutageSite> {
    const network = new TestNetwork();
    const { gateway } = await network.start(await memoryStore(), { maxAgeMs: 200 });
    const app = gatewayApp({
      service: gateway,
      verifier,
      report: (error) => assert.fail(String(error)),
    });
    return new OutageSite(network, gateway, await withPage(app));
  }

  /** Takes `count` witnesses away, or gives all back with 0. */
  takeDown(count: number): void {
    this.#network.witnesses.forEach((witness, i) => witness.down = i < count);
  }

  /** Answers requests whose path `pattern` matches with `answer`, and honestly with `undefined`. */
  answerWith(pattern: RegExp, answer: Answer | undefined): void {
    this.#front.answer = (request) =>
      answer !== undefined && pattern.test(new URL(request.url).pathname)
        ? answer(request)
        : this.#honest(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#front[Symbol.asyncDispose]();
    await this.#gateway.stop();
  }
}
