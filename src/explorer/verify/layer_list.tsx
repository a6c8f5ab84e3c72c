/**
 * The layers of a verdict, each with its status and the reason for it.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import type { TreeHead } from "../../proof/format/tree_head.ts";
import {
  externalText,
  federationText,
  reasonText,
  signatureCountText,
} from "../../proof/verify/verdict_words.ts";
import type { SignedLayer, Verdict } from "../../proof/verify/verdict.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { momentText } from "../../base/moment_text.ts";
import { countText, plural, serviceText } from "../text.ts";
import { LAYER_STATUS } from "../verdict_text.ts";

interface LayerListProps {
  readonly bundle: ProofBundle;
  readonly verdict: Verdict;
  /** Green badges only if the configuration in use is pinned. */
  readonly isPinned: boolean;
}

export function LayerList({ bundle, verdict, isPinned }: LayerListProps) {
  const { attestation, batch } = verdict.layers;
  return (
    <ul class="layers">
      <LayerItem name="Attestation" layer={attestation} isPinned={isPinned}>
        {attestation.status === "verified" &&
          "The witnesses signed this hash, its time and its position."}
      </LayerItem>
      <LayerItem name="Batch" layer={batch} isPinned={isPinned}>
        {batch.status === "verified"
          ? "It is in the log whose tree head the witnesses signed."
          : batch.status === "absent" &&
            "The proof was saved before the hash entered the log. A newer proof has this layer."}
      </LayerItem>
      <AnchorItems bundle={bundle} verdict={verdict} isPinned={isPinned} />
    </ul>
  );
}

/** The layers above the batch. */
export function AnchorItems({ bundle, verdict: { layers }, isPinned }: LayerListProps) {
  const { cross_anchors: anchors, federation } = layers;
  return (
    <>
      {anchors.length === 0
        ? (
          <Item name="Cross-anchors" badge={["neutral", LAYER_STATUS.absent.name]}>
            No peer network.
          </Item>
        )
        : anchors.map((anchor, i) => (
          <LayerItem
            key={i}
            name={`Cross-anchor of ${anchor.network}`}
            layer={anchor}
            isPinned={isPinned}
          >
            {anchor.status === "verified" && !anchor.counted && "It verifies, but does not count. "}
            {headText(bundle.cross_anchors[i]!.tree_head)}
          </LayerItem>
        ))}
      {(anchors.length > 0 || federation.reason !== "federation_disabled") && (
        <Item
          name="Federation"
          badge={federation.reason === undefined
            ? [isPinned ? "good" : "info", "Verified"]
            : ["neutral", "Not met"]}
        >
          {federationText(federation)}. {reasonText(federation)}
        </Item>
      )}
      <ExternalItem bundle={bundle} external={layers.external_anchors} />
    </>
  );
}

function headText({ tree_size, timestamp }: TreeHead): string {
  return `Tree head of size ${countText(tree_size)}, dated ${momentText(timestamp)}.`;
}

function ExternalItem({ bundle, external }: {
  readonly bundle: ProofBundle;
  readonly external: Verdict["layers"]["external_anchors"];
}) {
  const { present, unbound, anchors } = external;
  const bound = bundle.external_anchors.filter((_, i) => anchors[i]?.bound);
  return (
    <Item
      name="External anchors"
      badge={present > 0 ? ["info", "Present"] : ["neutral", LAYER_STATUS.absent.name]}
    >
      {present > 0 && `They are ${externalText(present)}. The command line verifies them with ` +
          "--anchors."}
      {present === 0 && unbound === 0 && "No external service."}
      {bound.map(({ provider, service, status, tree_head, timestamp }, i) => (
        <span key={i} class="lines">
          {serviceText(provider, service)}: {status}, size{" "}
          {countText(tree_head.tree_size)}, requested {momentText(timestamp)}
        </span>
      ))}
      {unbound > 0 && ` ${plural(unbound, "anchor")} not bound to this attestation, ignored.`}
    </Item>
  );
}

function LayerItem({ name, layer, isPinned, children }: {
  readonly name: string;
  readonly layer: SignedLayer;
  readonly isPinned: boolean;
  readonly children?: Child;
}) {
  const { name: status, tone } = LAYER_STATUS[layer.status];
  const { signatures } = layer;
  return (
    <Item name={name} badge={[tone === "good" && !isPinned ? "info" : tone, status]}>
      {layer.status === "verified" && signatures !== undefined
        ? `${signatureCountText(signatures)}. `
        : ""}
      {reasonText(layer)} {children}
    </Item>
  );
}

function Item({ name, badge: [tone, status], children }: {
  readonly name: string;
  readonly badge: readonly [Tone, string];
  readonly children?: Child;
}) {
  return (
    <li>
      <span class="layer-head">
        <span class="layer-name">{name}</span>
        <Badge tone={tone}>{status}</Badge>
      </span>
      <span class="layer-text">{children}</span>
    </li>
  );
}
