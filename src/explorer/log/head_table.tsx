/**
 * The remembered and the shown tree head, side by side.
 *
 * @module
 */

import { isEd25519Set } from "../../format/signature_set.ts";
import type { SignedTreeHead } from "../../format/tree_head.ts";
import { HashText } from "../components/hash_text.tsx";
import { Table } from "../components/table.tsx";
import { countText, timeText } from "../text.ts";

interface HeadTableProps {
  readonly caption: string;
  /** Names of heads, and the heads. */
  readonly heads: readonly (readonly [name: string, head: SignedTreeHead])[];
}

/** Size, root, time and signers of each. */
export function HeadTable({ caption, heads }: HeadTableProps) {
  return (
    <Table
      caption={caption}
      columns={[
        { name: "Tree head" },
        { name: "Size", numeric: true },
        { name: "Root" },
        { name: "Signed" },
        { name: "By" },
      ]}
      rows={heads.map(([name, sth]) => ({
        key: name,
        cells: [
          <span key="value" class="nowrap">{name}</span>,
          countText(sth.tree_head.tree_size),
          <HashText key="value" text={sth.tree_head.root_hash} what={`root of ${name}`} />,
          <span key="value" class="nowrap">{timeText(sth.tree_head.timestamp)}</span>,
          <span key="value" class="lines mono small">
            {signersOf(sth).map((id) => <span key={id} class="nowrap">{id}</span>)}
          </span>,
        ],
      }))}
    />
  );
}

function signersOf(sth: SignedTreeHead): readonly string[] {
  return isEd25519Set(sth) ? sth.signatures.map(({ witness_id }) => witness_id) : sth.signers;
}
