/**
 * Everything that a gateway shows of anchors, as text.
 *
 * @module
 */

import { anyContradictionMembers, seenTreeHeadMembers } from "../../src/proof/format/federation.ts";
import type { AnchorList } from "../../src/gateway/events/event_ports.ts";
import type { AnchorSource } from "../../src/gateway/ports.ts";
import type { PeerEvidence } from "../../src/http/gateway/evidence_routes.ts";

/** The view of one thread. */
export interface AnchorView {
  readonly source: Pick<AnchorSource, "covering" | "version">;
  readonly list: Pick<AnchorList, "list" | "length">;
  readonly evidence: PeerEvidence;
}

/** The anchors of a head of `size`, all events and all evidence. */
export async function anchorTexts(
  { source, list, evidence }: AnchorView,
  size: number,
): Promise<string> {
  const { crossAnchors, externalAnchors, isFinal } = await source.covering(size);
  return JSON.stringify({
    version: source.version,
    anchors: [...crossAnchors, ...externalAnchors].map(({ treeSize, rootHash, json }) =>
      `${treeSize} ${rootHash} ${json(["path"])}`
    ),
    isFinal,
    listed: await list.list(0, list.length),
    contradictions: (await evidence.contradictions()).map(anyContradictionMembers),
    seen: (await evidence.seenHeads()).map(seenTreeHeadMembers),
  });
}
