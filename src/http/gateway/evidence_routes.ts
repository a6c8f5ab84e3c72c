/**
 * Public routes about the logs of peers: the heads that this gateway has seen, and evidence against
 * peers that signed contradicting heads or two successions of one epoch.
 *
 * @module
 */

import {
  ANY_CONTRADICTION,
  type AnyContradiction,
  anyContradictionMembers,
  SEEN_TREE_HEAD,
  type SeenTreeHead,
  seenTreeHeadMembers,
} from "../../proof/format/federation.ts";
import { list } from "../../proof/format/schema.ts";
import { jsonAnswer } from "../answer.ts";
import { json } from "../endpoint.ts";
import { NO_PARAMETERS } from "../parameters.ts";
import type { Routes } from "../routes.ts";

/** Evidence about peers. Both methods reject with `storage_failed`. */
export interface PeerEvidence {
  /** Oldest first. */
  contradictions(): Promise<readonly AnyContradiction[]>;
  seenHeads(): Promise<readonly SeenTreeHead[]>;
}

/** For a gateway without peers. */
export const NO_EVIDENCE: PeerEvidence = {
  contradictions: () => Promise.resolve([]),
  seenHeads: () => Promise.resolve([]),
};

/** Registers the public routes about peers. */
export function addEvidenceRoutes(routes: Routes, evidence: PeerEvidence): void {
  routes.add({
    id: "getContradictions",
    method: "get",
    path: "/v1/federation/contradictions",
    tag: "federation",
    summary: "Read evidence against peer networks",
    description:
      "Each item holds two tree heads that the threshold and the log key of one network " +
      "signed and that no append-only log can have both, or two successions that lead from one " +
      "epoch to different successors or trees. Verify it offline with the pinned " +
      "configuration of that network; do not trust this gateway for it.",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("The evidence, oldest first", list(ANY_CONTRADICTION)) },
    problems: [],
  }, async () => jsonAnswer((await evidence.contradictions()).map(anyContradictionMembers)));

  routes.add({
    id: "getSeenTreeHeads",
    method: "get",
    path: "/v1/federation/tree-heads",
    tag: "federation",
    summary: "Read the latest tree heads seen of peer networks",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("The latest seen head of each peer", list(SEEN_TREE_HEAD)) },
    problems: [],
  }, async () => jsonAnswer((await evidence.seenHeads()).map(seenTreeHeadMembers)));
}
