/**
 * A log or mirror that is read over HTTP, of any implementation of c2sp.org/tlog-tiles.
 *
 * @module
 */

import { type Bytes, textOf } from "../bytes.ts";
import { type GatewayConnection, isTemporary } from "../client/gateway_connection.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import { type TileAddress, tilePath } from "../merkle/tile.ts";
import { CHECKPOINT_PATH, type LogSource } from "./ports.ts";

/** Methods reject as `connection` does, after a few retries. */
export class RemoteLog implements LogSource {
  readonly name: string;
  readonly #connection: Pick<GatewayConnection, "bytes" | "withRetries" | "url">;

  constructor(connection: Pick<GatewayConnection, "bytes" | "withRetries" | "url">) {
    this.name = connection.url.href;
    this.#connection = connection;
  }

  async checkpoint(signal?: AbortSignal): Promise<string | undefined> {
    const bytes = await this.#get("checkpoint", CHECKPOINT_PATH, signal);
    return bytes && textOf(bytes, "gateway_refused");
  }

  tile({ level, index, width }: TileAddress, signal?: AbortSignal): Promise<Bytes | undefined> {
    return this.#get(
      level === "entries" ? "entries" : "tile",
      tilePath(level, index, width),
      signal,
    );
  }

  async #get(what: string, path: string, signal?: AbortSignal): Promise<Bytes | undefined> {
    try {
      return await this.#connection.withRetries(
        () => this.#connection.bytes({ what, path }, signal),
        { isTransient: isTemporary, signal },
      );
    } catch (error) {
      if (error instanceof GatewayRefusal && error.status === 404) return undefined;
      throw error;
    }
  }
}
