/**
 * Tree heads in a table, and evidence of a fork as files to download.
 *
 * @module
 */

import { signerIds } from "../../proof/format/signature_set.ts";
import type { SignedTreeHead } from "../../proof/format/tree_head.ts";
import { Alert } from "../components/alert.tsx";
import { Badge } from "../components/badge.tsx";
import { DownloadButton } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Table } from "../components/table.tsx";
import { momentText } from "../../base/moment_text.ts";
import { countText } from "../text.ts";

export type NamedHead = readonly [name: string, head: SignedTreeHead];

interface HeadTableProps {
  readonly caption: string;
  readonly heads: readonly NamedHead[];
}

export function HeadTable({ caption, heads }: HeadTableProps) {
  return (
    <Table
      caption={caption}
      rows={heads}
      columns={[
        ["Tree head", ([name]) => <span class="nowrap">{name}</span>],
        ["Size", ([, sth]) => countText(sth.tree_head.tree_size), "numeric"],
        [
          "Root",
          ([name, sth]) => <HashText text={sth.tree_head.root_hash} what={`root of ${name}`} />,
        ],
        ["Signed", ([, sth]) => <span class="nowrap">{momentText(sth.tree_head.timestamp)}</span>],
        ["By", ([, sth]) => (
          <span class="lines mono small">
            {signerIds(sth).map((id) => <span key={id} class="nowrap">{id}</span>)}
          </span>
        )],
      ]}
    />
  );
}

interface EvidenceProps {
  readonly evidence: string;
  readonly networkId: string;
}

export function Evidence({ evidence, networkId }: EvidenceProps) {
  const file = `${fileNameOf(networkId)}.fork.json`;
  return (
    <div class="lines">
      <div class="row">
        <DownloadButton fileName={file} text={evidence} primary>
          Download the evidence
        </DownloadButton>
      </div>
      <p class="small">
        Anyone who has the network's configuration can verify it offline:{" "}
        <code>countersign log contradictions --file {file} --network-config network.json</code>
      </p>
    </div>
  );
}

/** A file name without characters that some file systems reject. */
export function fileNameOf(networkId: string): string {
  return networkId.replaceAll(/[^A-Za-z0-9.-]/g, "_") || "network";
}

interface KeptEvidenceProps {
  readonly evidence: string;
  readonly networkId: string;
}

/** Evidence of an earlier visit. A good check today does not invalidate it. */
export function KeptEvidence({ evidence, networkId }: KeptEvidenceProps) {
  return (
    <Card title="Stored evidence" aside={<Badge tone="bad">Fork</Badge>}>
      <Alert tone="bad" title="This browser has seen two histories of this log">
        <p>
          The gateway shows one of them again, which does not undo the other. This browser keeps the
          evidence until you clear it.
        </p>
        <Evidence evidence={evidence} networkId={networkId} />
      </Alert>
    </Card>
  );
}
