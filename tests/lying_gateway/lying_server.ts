/**
 * The double over HTTP: the honest gateway's answers, but for the one lie that is told.
 *
 * What the product does not yet make, anchors of either kind, is added to the honest answers: they
 * are genuine, and every lie is told to a client that would otherwise find the highest level.
 *
 * @module
 */

import { SIZES, type World } from "./world.ts";

/** The resource of a request. */
export const ROUTES = [
  "submit",
  "bulk",
  "job",
  "bundle",
  "proof",
  "anchors",
  "config",
  "network",
  "latest sth",
  "sth",
  "consistency",
  "inclusion",
  "checkpoint",
  "tile",
] as const;

/** A member of {@linkcode ROUTES}. */
export type Route = (typeof ROUTES)[number];

/** True for a route whose answers are JSON. */
export function isJson(route: Route): boolean {
  return route !== "checkpoint" && route !== "tile";
}

/** One request to the double, and the material of a lie. */
export interface Asked {
  readonly world: World;
  readonly route: Route;
  readonly url: URL;
  /** URL of an unrelated server with honest answers. */
  readonly elsewhere: string;
  /** The answer to the request, or to a GET of another path. */
  honest(path?: string): Promise<Response>;
  /** The answer of a gateway of the same name to the request, or to a GET of another path. */
  impostor(which: "fork" | "twin", path?: string): Promise<Response>;
}

/** Changes of the answers of some routes. */
export interface Change {
  readonly routes: readonly Route[];
  readonly answer: (asked: Asked) => Response | Promise<Response>;
}

export class LyingServer implements AsyncDisposable {
  readonly url: string;
  /** Answers in place of the honest ones. */
  changes: readonly Change[] = [];
  /** Routes asked for since it was emptied. */
  readonly asked = new Set<Route>();
  /** Requests that went where a redirect pointed. */
  misled = 0;
  readonly #world: World;
  readonly #ending = new AbortController();
  readonly #servers: readonly Deno.HttpServer<Deno.NetAddr>[];
  readonly #elsewhere: string;

  constructor(world: World) {
    this.#world = world;
    const main = this.#serve((request) => this.#answer(request));
    const other = this.#serve((request) => {
      this.misled++;
      return this.#honest(request);
    });
    this.#servers = [main, other];
    this.url = `http://127.0.0.1:${main.addr.port}`;
    this.#elsewhere = `http://127.0.0.1:${other.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    for (const server of this.#servers) await server.finished;
  }

  #serve(
    answer: (request: Request) => Response | Promise<Response>,
  ): Deno.HttpServer<Deno.NetAddr> {
    const { signal } = this.#ending;
    return Deno.serve({ hostname: "127.0.0.1", port: 0, signal, onListen: () => {} }, answer);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const route = routeOf(request.method, url);
    if (route === undefined) return await this.#honest(request);
    this.asked.add(route);
    const change = this.changes.find(({ routes }) => routes.includes(route));
    if (change === undefined) return await this.#honest(request);
    const asking = (path?: string) =>
      path === undefined ? request : new Request(new URL(path, url));
    const world = this.#world;
    const response = await change.answer({
      world,
      route,
      url,
      elsewhere: this.#elsewhere + url.pathname + url.search,
      honest: (path) => this.#honest(asking(path)),
      impostor: async (which, path) => await world[which].answer(asking(path)),
    });
    // A body that no lie read would stay open.
    await request.body?.cancel().catch(() => {});
    return response;
  }

  async #honest(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const response = await this.#world.honest.answer(request);
    const isBundle = pathname.startsWith("/v1/bundle/");
    if (!response.ok || !isBundle && !pathname.startsWith("/v1/anchors/")) return response;
    const resource = await response.json();
    if (!isBundle) return Response.json([await this.#world.externalAnchor(SIZES[1])]);
    if (resource.batch_inclusion === null) return Response.json(resource);
    const from = resource.batch_inclusion.batch.id;
    return Response.json({
      ...resource,
      cross_anchors: [await this.#world.crossAnchor(from)],
      external_anchors: [await this.#world.externalAnchor(from)],
    });
  }
}

function routeOf(method: string, { pathname }: URL): Route | undefined {
  const [, version, kind = "", more] = pathname.split("/");
  if (version === "checkpoint" || version === "tile") return version;
  if (version !== "v1") return undefined;
  if (kind === "log") {
    if (more === "proof") return "inclusion";
    if (more === "sth") return pathname.split("/").length > 4 ? "sth" : "latest sth";
    return more === "consistency" ? more : undefined;
  }
  if (kind === "attestations") {
    if (method === "GET") return "job";
    return more === "batch" ? "bulk" : "submit";
  }
  return ROUTES.find((route) => route === kind);
}
