/**
 * The layers of a verdict, one under the other, each with what became of it.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import {
  type CrossAnchorLayer,
  type Layer,
  type LayerStatus,
  type SignedLayer,
  type Verdict,
  VERIFY_REASONS,
} from "../../verify/mod.ts";
import { Badge } from "../components/badge.tsx";
import { plural, serviceText } from "../text.ts";
import { LAYER_WORDS } from "./level_words.ts";

export function LayerList({ layers }: Pick<Verdict, "layers">) {
  const { attestation, batch, cross_anchors: anchors, federation, external_anchors } = layers;
  return (
    <ul class="layers">
      <LayerItem name="Attestation" layer={attestation}>
        {attestation.status === "verified"
          ? "The witnesses signed this hash, its time and its place in the log."
          : null}
      </LayerItem>
      <LayerItem name="Batch" layer={batch}>
        {batch.status === "verified"
          ? "It stands at its place in the log whose tree head the witnesses signed."
          : batch.status === "absent"
          ? "The proof was saved before the hash entered the log. A newer one has this layer."
          : null}
      </LayerItem>
      {anchors.length === 0
        ? <LayerItem name="Cross-anchors" layer={{ status: "absent" }}>No peer network.</LayerItem>
        : anchors.map((anchor, i) => <AnchorItem key={i} anchor={anchor} />)}
      {anchors.length === 0 && federation.reason === "federation_disabled" ? null : (
        <PlainItem
          name="Federation"
          badge={federation.reason === undefined
            ? <Badge tone="good">Verified</Badge>
            : <Badge tone="neutral">Not met</Badge>}
        >
          {federation.counted.length} of {plural(federation.required, "required peer")} count.{" "}
          {federation.reason === undefined ? "" : VERIFY_REASONS[federation.reason]}
        </PlainItem>
      )}
      <ExternalItem external={external_anchors} />
    </ul>
  );
}

function AnchorItem({ anchor }: { readonly anchor: CrossAnchorLayer }) {
  return (
    <LayerItem name={`Cross-anchor of ${anchor.network}`} layer={anchor}>
      {anchor.status === "verified" && !anchor.counted ? "It does not count." : null}
    </LayerItem>
  );
}

/** protocol.md "Resources" fixes the words about what is present. */
function ExternalItem({ external }: { readonly external: Verdict["layers"]["external_anchors"] }) {
  const { present, unbound, anchors } = external;
  const names = anchors.filter(({ bound }) => bound).map(({ provider, service }) =>
    serviceText(provider, service)
  );
  return (
    <PlainItem
      name="External anchors"
      badge={present > 0
        ? <Badge tone="info">Present</Badge>
        : <Badge tone={LAYER_WORDS.absent.tone}>{LAYER_WORDS.absent.name}</Badge>}
    >
      {present > 0
        ? `Present, not independently verified: ${names.join(", ")}. The command line verifies ` +
          "them with --anchors."
        : unbound === 0
        ? "No external service."
        : ""}
      {unbound > 0 ? ` ${plural(unbound, "anchor")} not bound to this attestation, ignored.` : ""}
    </PlainItem>
  );
}

function LayerItem({ name, layer, children }: {
  readonly name: string;
  readonly layer: SignedLayer;
  readonly children?: Child;
}) {
  return (
    <PlainItem name={name} badge={<StatusBadge status={layer.status} />}>
      {layer.status === "verified" && layer.signatures !== undefined
        ? `${
          plural(layer.signatures.verified, "signature")
        } of ${layer.signatures.required} required. `
        : ""}
      {reasonText(layer)}
      {children}
    </PlainItem>
  );
}

function StatusBadge({ status }: { readonly status: LayerStatus }) {
  const { name, tone } = LAYER_WORDS[status];
  return <Badge tone={tone}>{name}</Badge>;
}

function PlainItem({ name, badge, children }: {
  readonly name: string;
  readonly badge: Child;
  readonly children?: Child;
}) {
  return (
    <li>
      <span class="layer-head">
        <span class="layer-name">{name}</span>
        {badge}
      </span>
      <span class="layer-text">{children}</span>
    </li>
  );
}

/** Why, and where it shows. */
function reasonText({ reason, field, witness }: Layer & { readonly witness?: string }): string {
  if (reason === undefined) return "";
  const places = [field, witness].filter((place) => place !== undefined).join(", ");
  return `${VERIFY_REASONS[reason]}${places === "" ? "" : ` (${places})`} `;
}
