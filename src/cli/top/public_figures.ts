/**
 * Reads the figures of `top` from a gateway's public status, which has no rates.
 *
 * @module
 */

import { Fields } from "../../format/fields.ts";
import { parseStrictJson } from "../../format/strict_json.ts";
import type { TopFigures } from "./top_figures.ts";

const CODE = "gateway_refused";
const LENIENT = { ignoreUnknown: true } as const;

/** The figures of the answer to `GET /v1/status`; `gateway_refused`. */
export function readPublicFigures(text: string): TopFigures {
  const status = new Fields(
    parseStrictJson(text, CODE),
    { where: "status", code: CODE },
    ["status", "witnesses", "pending_count"],
    LENIENT,
  );
  const health = status.text("status");
  const head = status.has("sth") ? status.object("sth", ["tree_size", "age"], LENIENT) : undefined;
  return {
    source: "gateway",
    ready: health === "ok",
    reasons: health === "ok" ? [] : [health],
    head: head === undefined
      ? {}
      : { tree_size: head.integer("tree_size"), age: head.integer("age") },
    jobs: { pending: status.integer("pending_count") },
    ...{ queues: {}, rounds: {}, process: {}, routes: [], refusals: {}, peers: [], anchors: [] },
    witnesses: status.list("witnesses").map((witness) => {
      const fields = new Fields(
        witness,
        { where: "witness", code: CODE },
        ["id", "healthy"],
        LENIENT,
      );
      return { id: fields.text("id"), healthy: fields.flag("healthy") };
    }),
  };
}
