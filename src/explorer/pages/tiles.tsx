/**
 * The tiles of the log, as c2sp.org/tlog-tiles has them.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { Card } from "../components/card.tsx";
import { PageHead } from "../components/page_head.tsx";
import { Empty, Failure, Spinner } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { isEmptyLog } from "../explore/head_card.tsx";
import { BackToExplore } from "../explore/back_link.tsx";
import { useLoaded, useTrust } from "../hooks.ts";
import type { PageProps } from "../services.ts";
import { bytesText, countText, plural } from "../text.ts";
import { tileCount, type TileEntry, type TileLevel, tileLevels, tilesOf } from "../tile_list.ts";
import { checkedHead, trustKey } from "../trust_in_use.ts";

const ROWS = 25;

export function TilesPage({ services }: PageProps) {
  const key = trustKey(useTrust(services.trust));
  const [head, retry] = useLoaded((signal) => checkedHead(services, undefined, signal), [key]);
  return (
    <>
      <BackToExplore />
      <PageHead title="Tiles">
        The log in files that never change once they are full: 256 hashes or entries each. Mirrors
        and monitors read it so, without any code of ours.
      </PageHead>
      {head.state === "failed" && !isEmptyLog(head)
        ? <Failure error={head.error} title="The tiles cannot be shown" retry={retry} />
        : null}
      {isEmptyLog(head)
        ? (
          <Card title="Tiles">
            <Empty title="The log is empty">Tiles appear with the first batch.</Empty>
          </Card>
        )
        : null}
      {head.value === undefined
        ? head.state === "loading" ? <Spinner label="Reading the size of the log" /> : null
        : <Levels size={head.value.sth.tree_head.tree_size} />}
    </>
  );
}

function Levels({ size }: { readonly size: number }) {
  const levels = tileLevels(size);
  const [chosen, choose] = useState(0);
  const level = levels[chosen] ?? levels[0];
  return (
    <>
      <Card title="Levels" aside={<span class="muted">{plural(size, "attestation")}</span>}>
        <Table
          caption="Levels of tiles"
          columns={[
            { name: "Level" },
            { name: "Full tiles", numeric: true },
            { name: "In the partial one", numeric: true },
            { name: "Leaves under a hash", numeric: true },
          ]}
          rows={levels.map((entry, i) => ({
            key: entry.level,
            cells: [
              <button
                key="value"
                type="button"
                class="link-button"
                aria-pressed={i === chosen ? "true" : "false"}
                onClick={() => choose(i)}
              >
                {nameOf(entry)}
              </button>,
              countText(entry.full),
              entry.partial === 0 ? "none" : countText(entry.partial),
              entry.level === "entries" ? "" : countText(entry.span),
            ],
          }))}
        />
      </Card>
      {level === undefined ? null : <Tiles key={level.level} level={level} />}
    </>
  );
}

function nameOf({ level }: TileLevel): string {
  return level === "entries" ? "Entries" : `Level ${level}`;
}

function Tiles({ level }: { readonly level: TileLevel }) {
  const count = tileCount(level);
  const [newest, setNewest] = useState(count - 1);
  const tiles = tilesOf(level, newest, ROWS);
  return (
    <Card title={nameOf(level)} aside={<span class="muted">{plural(count, "tile")}</span>}>
      <Table
        caption={`Tiles of ${nameOf(level)}, latest first`}
        columns={[
          { name: "Tile" },
          { name: "State" },
          { name: "Leaves" },
          { name: "Size", numeric: true },
        ]}
        rows={tiles.map((tile) => ({
          key: tile.index,
          cells: [
            <a key="value" class="mono" href={tile.path} download={fileNameOf(tile)}>{tile.path}
            </a>,
            <span key="state" class="nowrap">
              {tile.isFull ? "full" : `${tile.width} of 256`}
            </span>,
            <span key="value" class="nowrap">
              {`${countText(tile.first)} to ${countText(tile.end - 1)}`}
            </span>,
            tile.bytes === undefined ? "varies" : bytesText(tile.bytes),
          ],
        }))}
      />
      {count <= ROWS ? null : (
        <nav class="pager" aria-label="Pages of tiles">
          <button
            type="button"
            class="button"
            disabled={newest >= count - 1}
            onClick={() => setNewest(Math.min(count - 1, newest + ROWS))}
          >
            Newer
          </button>
          <button
            type="button"
            class="button"
            disabled={newest - ROWS < 0}
            onClick={() => setNewest(newest - ROWS)}
          >
            Older
          </button>
        </nav>
      )}
    </Card>
  );
}

function fileNameOf({ path }: TileEntry): string {
  return path.replaceAll("/", "-");
}
