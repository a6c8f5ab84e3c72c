/**
 * A log or mirror that is read over HTTP, of any implementation of c2sp.org/tlog-tiles.
 *
 * @module
 */

import { type Bytes, textOf } from "../../base/bytes.ts";
import { type GatewayConnection, isTemporary } from "../../client/gateway_connection.ts";
import { GatewayRefusal } from "../../proof/format/gateway_refusal.ts";
import { type TileAddress, tilePath } from "../../proof/merkle/tile.ts";
import { parseSuccessionChain, type SuccessionLink } from "../../proof/format/succession.ts";
import { CHECKPOINT_PATH, type LogSource, readLinks } from "./ports.ts";

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

  /** As a gateway answers it, or as a copy stores it. */
  async succession(signal?: AbortSignal): Promise<{ readonly value: readonly SuccessionLink[] }> {
    const chain = await this.#get("succession", "v1/succession", signal);
    if (chain !== undefined) {
      return { value: parseSuccessionChain(textOf(chain, "malformed_bundle"), "malformed_bundle") };
    }
    return { value: await readLinks((path) => this.#get("succession", path, signal)) };
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
