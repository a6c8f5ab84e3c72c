/**
 * Routes for C2SP monitors and mirrors (protocol.md "C2SP read interface"): checkpoint, tiles, entry
 * bundles (c2sp.org/tlog-tiles) and trust policy (c2sp.org/tlog-policy).
 *
 * @module
 */

import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { object, pattern, TEXT } from "../../proof/format/schema.ts";
import { witnessVkey } from "../../proof/format/public_network.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import { BYTES_MEDIA_TYPE, TEXT_MEDIA_TYPE } from "../answer.ts";
import type { DocumentedAnswer } from "../endpoint.ts";
import { epochAnswer } from "./epoch_answer.ts";
import { notPublished, noTreeHead } from "./log_routes.ts";
import { decimal, NO_PARAMETERS } from "../parameters.ts";
import { readTile } from "./proof_handlers.ts";
import { pathOf } from "../request_path.ts";
import type { Routes } from "../routes.ts";
import type { RequestContext } from "../request_context.ts";
import { CHECKPOINT, NETWORK } from "../schema/examples.ts";

const TILE_INDEX = pattern(/^(x[0-9]{3}\/)*[0-9]{3}(\.p\/[0-9]{1,3})?$/).with({
  description:
    "Index of the tile in groups of three digits, one group per path segment. All groups " +
    "but the last begin with `x`. A partial tile ends with `.p/<width>`. Slashes are not " +
    "percent-encoded.",
  example: "000.p/1",
});

const LEVEL = pattern(/^(0|[1-9][0-9]?)$/).with({
  description: "Level of the tile, 0 to 63",
  example: "0",
});

/** Verifiers that do not know ML-DSA-44 refuse a policy with such keys. */
const ED25519_ONLY = TEXT.map((text) => text === "true" ? true : undefined, "true").with({
  enum: ["true"],
  description: "Leave out the ML-DSA-44 keys, which some verifiers refuse",
  example: "true",
}).optional();

/** Registers the C2SP routes. */
export function addC2spRoutes(routes: Routes, service: GatewayService): void {
  routes.add({
    id: "getCheckpoint",
    method: "get",
    path: "/checkpoint",
    tag: "c2sp",
    summary: "Read the latest checkpoint",
    description:
      "A signed note: the signature of the log key, then the cosignatures of the witnesses. In " +
      "a bls network one line of the private type 0xff has their aggregate. If the log does not " +
      "grow, the witnesses regularly cosign the same size and root again.",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: text("The checkpoint", CHECKPOINT) },
    problems: ["no_tree_head"],
  }, () => {
    const body = service.log.checkpoint();
    if (body === undefined) throw noTreeHead();
    return { body, mediaType: TEXT_MEDIA_TYPE };
  });

  routes.add({
    id: "getCheckpointAt",
    method: "get",
    path: "/checkpoint/{tree_size}",
    tag: "c2sp",
    summary: "Read the checkpoint published at a size",
    description: "The head of `/v1/log/sth/{tree_size}`, with its first time, as a signed note.",
    parameters: object({ tree_size: decimal("A published tree size") }),
    caching: "revalidate",
    answers: { 200: text("The checkpoint", CHECKPOINT) },
    problems: ["malformed_parameter", "tree_size_not_published"],
  }, async ({ tree_size }) => {
    const body = await service.log.checkpointAt(tree_size);
    if (body === undefined) throw notPublished(tree_size);
    return { body, mediaType: TEXT_MEDIA_TYPE };
  });

  addTileRoutes(routes, service);

  // A network keeps its scheme, and a gateway has a log key.
  if (policyText(service.network) === undefined) return;
  const answerOf = (textOf: typeof policyText) =>
    epochAnswer(service, ({ network }) => ({ body: textOf(network)!, mediaType: TEXT_MEDIA_TYPE }));
  const [policy, ed25519Policy] = [answerOf(policyText), answerOf(ed25519PolicyText)];
  routes.add(
    {
      id: "getPolicy",
      method: "get",
      path: "/policy",
      tag: "c2sp",
      summary: "Read the network as a trust policy",
      description: "An input to verification, not a trust decision, like `/v1/network`. The " +
        "ML-DSA-44 keys are listed and do not count towards the quorum.",
      parameters: object({ ed25519_only: ED25519_ONLY }),
      caching: "revalidate",
      answers: { 200: text("The policy", `log ${NETWORK.log_vkey}\nquorum none\n`) },
      problems: ["malformed_parameter"],
    },
    ({ ed25519_only: ed25519Only = false }) => ed25519Only ? ed25519Policy() : policy(),
  );
}

function addTileRoutes(routes: Routes, service: GatewayService): void {
  const tile = (request: Request, context: RequestContext) =>
    readTile(service, pathOf(request), context);
  const shared = { method: "get", tag: "c2sp", caching: "immutable" } as const;
  routes.addPattern("/tile/entries/*", {
    ...shared,
    id: "getEntries",
    path: "/tile/entries/{index}",
    summary: "Read an entry bundle",
    description:
      "256 entries, or `<width>` entries of a partial bundle. Two bytes of length precede each entry. " +
      "Compressed with gzip for clients that accept it.",
    parameters: object({ index: TILE_INDEX }),
    answers: { 200: bytes("The bundle") },
    problems: ["tile_not_found"],
  }, tile);
  routes.addPattern("/tile/*", {
    ...shared,
    id: "getTile",
    path: "/tile/{level}/{index}",
    summary: "Read a tile of the tree",
    description: "256 hashes, or `<width>` hashes of a partial tile.",
    parameters: object({ level: LEVEL, index: TILE_INDEX }),
    answers: { 200: bytes("The tile") },
    problems: ["tile_not_found"],
  }, tile);
}

function text(description: string, example: string): DocumentedAnswer {
  return { description, mediaType: TEXT_MEDIA_TYPE, schema: TEXT.with({ example }) };
}

function bytes(description: string): DocumentedAnswer {
  const schema = TEXT.with({ format: "binary" });
  return { description, mediaType: BYTES_MEDIA_TYPE, schema };
}

/**
 * The policy of an `ed25519` network with a log key; `undefined` for other networks.
 *
 *     log <vkey>
 *     log <ML-DSA-44 vkey>
 *     witness w1 <vkey> <URL>
 *     witness w1-ml-dsa <ML-DSA-44 vkey> <URL>
 *     ...
 *     group witnesses <threshold> w1 ...
 *     quorum witnesses
 *
 * The names are local to the policy (`w1` is the first witness), so that no witness id can collide
 * with the group or with the reserved name `none`. Keys of ML-DSA-44 are known and do not count: a
 * witness counts once.
 */
export function policyText(network: NetworkConfiguration): string | undefined {
  const { log_vkey, log_ml_dsa_vkey, witnesses } = network;
  if (network.signature_scheme !== "ed25519" || log_vkey === undefined) return undefined;
  const names = witnesses.map((_, i) => `w${i + 1}`);
  return [
    `log ${log_vkey}`,
    ...(log_ml_dsa_vkey === undefined ? [] : [`log ${log_ml_dsa_vkey}`]),
    ...witnesses.flatMap((witness, i) => {
      const { ml_dsa_vkey, public_url } = witness;
      const url = public_url === undefined ? "" : ` ${public_url}`;
      const further = ml_dsa_vkey === undefined
        ? []
        : [`witness ${names[i]}-ml-dsa ${ml_dsa_vkey}${url}`];
      return [`witness ${names[i]} ${witnessVkey(witness)}${url}`, ...further];
    }),
    `group witnesses ${network.threshold} ${names.join(" ")}`,
    "quorum witnesses",
    "",
  ].join("\n");
}

/** {@linkcode policyText} without keys of ML-DSA-44. */
function ed25519PolicyText({ log_ml_dsa_vkey: _, ...network }: NetworkConfiguration) {
  const witnesses = network.witnesses.map(({ ml_dsa_vkey: _, ...witness }) => witness);
  return policyText({ ...network, witnesses });
}
