/**
 * Peers over real sockets: the operator listener of one network, and its clients.
 *
 * @module
 */

import { Hono } from "hono";
import type { Clock } from "../../../src/base/clock.ts";
import { addPeerRoutes, type PeerRoutesOptions } from "../../../src/http/operator/peer_routes.ts";
import { problemResponse } from "../../../src/http/problem.ts";
import type { RouterEnv } from "../../../src/http/router.ts";
import { RequestContext } from "../../../src/http/request_context.ts";
import { HttpPeerClient, type HttpPeerOptions } from "../../../src/http/outgoing/peer_client.ts";
import type { Site } from "./site.ts";

/** The state of the home network. */
export const TOKEN = "token-of-home-for-the-peer";

/** The peer routes of `site`, as in the operator listener. */
export function peerApp(
  site: Site,
  clock: Clock,
  change: Partial<PeerRoutesOptions> = {},
): (request: Request) => Promise<Response> {
  const app = new Hono<RouterEnv>();
  const accepted = [{ peer: "home.example", token: TOKEN }];
  const { signal } = new AbortController();
  const options = { networkId: site.id, accepted, intake: site.intake, clock, signal };
  addPeerRoutes(app, { ...options, ...change });
  app.onError((error, c) => problemResponse(error, c.env.context));
  return async (request) => await app.fetch(request, { context: new RequestContext(request) });
}

/** A client of `site` at `url`. */
export function peerClient(
  site: Site,
  url: string,
  change: Partial<HttpPeerOptions> = {},
): HttpPeerClient {
  return new HttpPeerClient({ id: site.id, urls: [url], token: TOKEN, ...change });
}
