/**
 * The transparency log: signed tree heads and RFC 9162 proofs (protocol.md "Routes").
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { CONSISTENCY_PROOF, INCLUSION_PROOF } from "../../proof/format/bundle.ts";
import { HASH, object } from "../../proof/format/schema.ts";
import { SIGNED_TREE_HEAD } from "../../proof/format/tree_head.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import { COSE_MEDIA_TYPE, jsonAnswer } from "../answer.ts";
import { AS_RECEIPT, json } from "../endpoint.ts";
import { decimal, WITH_LOG_SIGNATURE } from "../parameters.ts";
import { readInclusion } from "./proof_handlers.ts";
import type { Routes } from "../routes.ts";
import { LOG_PROOF_READS } from "../work_cost.ts";

const SIZE_PARAMETER = object({
  tree_size: decimal("A published tree size"),
  log_signature: WITH_LOG_SIGNATURE,
});

const RANGE_PARAMETERS = object({
  first: decimal("A published tree size", 1),
  second: decimal("A published tree size, at least `first`", 1),
});

const LEAF_PARAMETERS = object({
  hash: HASH.with({ description: "A submitted SHA-256, lowercase hex" }),
  tree_size: decimal("A published tree size greater than the sequence of the attestation"),
});

/** Registers the log's routes. */
export function addLogRoutes(routes: Routes, service: GatewayService): void {
  routes.add({
    id: "getLatestTreeHead",
    method: "get",
    path: "/v1/log/sth",
    tag: "log",
    summary: "Read the latest signed tree head",
    parameters: object({ log_signature: WITH_LOG_SIGNATURE }),
    caching: "revalidate",
    answers: { 200: json("The tree head", SIGNED_TREE_HEAD) },
    problems: ["malformed_parameter", "no_tree_head"],
  }, ({ log_signature: withLog }) => {
    const latest = service.log.latest(withLog);
    if (latest === undefined) throw noTreeHead();
    return jsonAnswer(latest.sth);
  });

  routes.add({
    id: "getTreeHead",
    method: "get",
    path: "/v1/log/sth/{tree_size}",
    tag: "log",
    summary: "Read the signed tree head published at a size",
    parameters: SIZE_PARAMETER,
    caching: "revalidate",
    answers: { 200: json("The tree head", SIGNED_TREE_HEAD) },
    problems: ["malformed_parameter", "tree_size_not_published"],
  }, async ({ tree_size, log_signature }) => {
    const sth = await service.log.sthAt(tree_size, log_signature);
    if (sth === undefined) throw notPublished(tree_size);
    return jsonAnswer(sth);
  });

  routes.add({
    id: "getConsistencyProof",
    method: "get",
    path: "/v1/log/consistency",
    tag: "log",
    summary: "Prove that one published tree is a prefix of another",
    parameters: RANGE_PARAMETERS,
    reads: () => LOG_PROOF_READS,
    caching: "revalidate",
    description: "With `Accept: application/cose`, a COSE receipt of consistency (RFC 9942).",
    answers: {
      200: {
        ...json("The RFC 9162 consistency proof", CONSISTENCY_PROOF),
        orElse: [AS_RECEIPT],
      },
    },
    problems: ["malformed_parameter", "tree_size_not_published"],
  }, async ({ first, second }, request) => {
    if (second < first) {
      throw new CountersignError(
        "malformed_parameter",
        `Malformed parameter second: ${second} is below first (${first})`,
      );
    }
    if (request.headers.get("accept")?.startsWith(COSE_MEDIA_TYPE)) {
      const body = await service.log.consistencyReceipt(first, second);
      return { body, mediaType: COSE_MEDIA_TYPE };
    }
    return jsonAnswer(await service.log.consistency(first, second));
  });

  routes.add(
    {
      id: "getInclusionProof",
      method: "get",
      path: "/v1/log/proof",
      tag: "log",
      summary: "Prove that an attestation is in a published tree",
      parameters: LEAF_PARAMETERS,
      reads: () => LOG_PROOF_READS,
      caching: "revalidate",
      answers: { 200: json("The RFC 9162 inclusion proof", INCLUSION_PROOF) },
      problems: [
        "malformed_hash",
        "malformed_parameter",
        "hash_unknown",
        "not_confirmed",
        "tree_size_not_published",
      ],
    },
    ({ hash, tree_size }, _request, context) =>
      readInclusion(service, { hash, tree_size }, context),
  );
}

/** The error before the first batch. */
export function noTreeHead(): CountersignError {
  return new CountersignError("no_tree_head", "No tree head is published yet");
}

/** The error for another size than those of published heads. */
export function notPublished(size: number): CountersignError {
  const message = `No tree head of size ${size} was published`;
  return new CountersignError("tree_size_not_published", message);
}
