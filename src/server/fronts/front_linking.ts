/**
 * Keeps a front linked to the gateway that takes the digests of its log, which the lease in the database
 * names.
 *
 * @module
 */

import { systemClock } from "../../clock.ts";
import { errorBuilder, expectedError } from "../../errors.ts";
import { areSameSettings } from "../../config/front_settings.ts";
import type { Report } from "../../report.ts";
import type { ActiveGateway } from "../../storage/postgres/postgres_lease.ts";
import { connectFront, type FrontConnection } from "../../transport/front_connection.ts";
import { CLOSE_CODE } from "../../transport/frame_socket.ts";
import type { SocketLink } from "../../transport/socket_link.ts";

const unreachable = errorBuilder("gateway_unreachable", "Cannot link to the gateway");

/** How often the database is asked for the active gateway while the front is linked, */
const WATCH_MS = 500;
/** and the pause between two attempts to link. */
const RETRY_MS = 100;
const REVIEW_MS = 100;

export interface FrontLinkingContext {
  /** Reads the lease; rejects if the database cannot be reached. */
  readonly active: () => Promise<ActiveGateway | undefined>;
  /** The settings that the last gateway has stored; rejects like `active`. */
  readonly storedSettings: () => Promise<string | undefined>;
  /** The URLs to which the token may be sent. */
  readonly gateways: readonly string[];
  readonly access: { readonly token: string; readonly ca?: string; readonly name: string };
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** A connection, and the gateway that it leads to. */
export interface LinkedGateway {
  readonly connection: FrontConnection;
  readonly gateway: ActiveGateway;
}

/** Values with which a front starts. */
export interface FrontStart {
  /** Settings of the gateway, or the stored ones without a gateway. */
  readonly settings: string;
  readonly linked?: LinkedGateway;
}

export class FrontLinking {
  readonly #context: FrontLinkingContext;
  #failure = "";

  constructor(context: FrontLinkingContext) {
    this.#context = context;
  }

  /**
   * Connects to the active gateway. If that fails, the settings that `isUsable`; again and again without them.
   * `undefined` once the signal aborts.
   */
  async start(isUsable: (settings: string) => Promise<boolean>): Promise<FrontStart | undefined> {
    const { signal, storedSettings } = this.#context;
    while (!signal.aborted) {
      const linked = await this.#attempt();
      if (linked !== undefined) return { settings: linked.connection.settings, linked };
      // Without the database, there is nothing to serve yet.
      const settings = await storedSettings().catch(() => undefined);
      if (settings !== undefined && await isUsable(settings)) return { settings };
      await systemClock.sleep(RETRY_MS, signal);
    }
    return undefined;
  }

  /**
   * Uses the link of the start and, when there is none, the next one, until the signal aborts. Resolves as soon
   * as a gateway has other settings.
   */
  async run(link: SocketLink, { linked, settings }: FrontStart): Promise<void> {
    const { report, signal } = this.#context;
    const reviewed = this.#review(link);
    for (let next = linked ?? await this.#connect(); next !== undefined;) {
      const { gateway, connection } = next;
      if (!areSameSettings(connection.settings, settings)) {
        report("The gateway has another configuration: the front starts again", { level: "info" });
        connection.socket.close(CLOSE_CODE.ended, "The front starts again");
        break;
      }
      const replaced = new AbortController();
      const watched = this.#watch(gateway, replaced);
      const lost = await link.use(connection, AbortSignal.any([signal, replaced.signal]));
      replaced.abort();
      await watched;
      if (signal.aborted) break;
      report(`The link to ${gateway.name} is lost: ${lost}`, { level: "warning" });
      next = await this.#connect();
    }
    link.close();
    await reviewed;
  }

  /** Connects to the active gateway, again and again; `undefined` once the signal aborts. */
  async #connect(): Promise<LinkedGateway | undefined> {
    const { report, signal } = this.#context;
    while (!signal.aborted) {
      const linked = await this.#attempt();
      if (linked !== undefined) {
        report(`Linked to ${linked.gateway.name}`, { level: "info" });
        return linked;
      }
      await systemClock.sleep(RETRY_MS, signal);
    }
    return undefined;
  }

  /** `undefined`, after a report, if there is no gateway to link to. */
  async #attempt(): Promise<LinkedGateway | undefined> {
    const { report, signal } = this.#context;
    try {
      const linked = await this.#tryConnect();
      this.#failure = "";
      return linked;
    } catch (error) {
      const { message, code } = expectedError(error);
      if (!signal.aborted && message !== this.#failure) report(message, { level: "warning", code });
      this.#failure = message;
      return undefined;
    }
  }

  async #tryConnect(): Promise<LinkedGateway> {
    const { gateways, access, signal } = this.#context;
    const gateway = await this.#context.active();
    if (gateway === undefined) throw unreachable("no gateway is active");
    const { name, operatorUrl } = gateway;
    if (operatorUrl === undefined) {
      throw unreachable(
        `${name} states no URL of its operator listener. Give that a token and a url in network.json`,
      );
    }
    if (!gateways.includes(operatorUrl)) {
      throw unreachable(`${name} is at ${operatorUrl}, which gateways in front.json does not name`);
    }
    const connection = await connectFront(
      { ...access, url: new URL(operatorUrl) },
      systemClock,
      signal,
    );
    return { connection, gateway };
  }

  /** Aborts `replaced` when another gateway has taken the lease. */
  async #watch({ epoch }: ActiveGateway, replaced: AbortController): Promise<void> {
    const { signal } = replaced;
    while (!signal.aborted && !this.#context.signal.aborted) {
      await systemClock.sleep(WATCH_MS, AbortSignal.any([signal, this.#context.signal]));
      // Without the database, the link is all that the front has.
      const active = await this.#context.active().catch(() => undefined);
      if (active !== undefined && active.epoch !== epoch) replaced.abort();
    }
  }

  async #review(link: SocketLink): Promise<void> {
    while (!link.isClosed) {
      await systemClock.sleep(REVIEW_MS);
      link.review();
    }
  }
}
