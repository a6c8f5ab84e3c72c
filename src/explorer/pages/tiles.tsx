/**
 * The tiles of the log (c2sp.org/tlog-tiles).
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { checkedHead, trustKey } from "../checked.ts";
import { Card } from "../components/card.tsx";
import { PageHead } from "../components/page_head.tsx";
import { Pager } from "../components/pager.tsx";
import { Empty, LoadedView } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { isEmptyLog } from "../explore/head_card.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import { useServices } from "../services.ts";
import { bytesText, countText, plural } from "../text.ts";
import { tileCount, type TileLevel, tileLevels, tilesOf } from "../tile_list.ts";

const ROWS = 25;

export function TilesPage() {
  const services = useServices();
  const key = trustKey(useStore(services.trust));
  const [head, retry] = useLoaded((signal) => checkedHead(services, undefined, signal), [key]);
  return (
    <>
      <PageHead title="Tiles" isBelowExplore>
        The log as files of 256 hashes or entries each, which never change once they are full.
        Mirrors and monitors read them without any code of ours.
      </PageHead>
      {isEmptyLog(head)
        ? (
          <Card title="Tiles">
            <Empty title="The log is empty">Tiles appear with the first batch.</Empty>
          </Card>
        )
        : (
          <LoadedView
            loaded={head}
            what="the tiles"
            retry={retry}
            render={({ sth }) => <Levels size={sth.tree_head.tree_size} />}
          />
        )}
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
          rows={levels}
          columns={[
            ["Level", (row, i) => (
              <button
                type="button"
                class="link-button"
                aria-pressed={i === chosen ? "true" : "false"}
                onClick={() => choose(i)}
              >
                {nameOf(row)}
              </button>
            )],
            ["Full tiles", ({ full }) => countText(full), "numeric"],
            ["In the partial tile", ({ partial }) =>
              partial === 0 ? "none" : countText(partial), "numeric"],
            ["Positions per hash", ({ level, span }) =>
              level === "entries" ? "" : countText(span), "numeric"],
          ]}
        />
      </Card>
      {level !== undefined && <Tiles key={level.level} level={level} />}
    </>
  );
}

function nameOf({ level }: TileLevel): string {
  return level === "entries" ? "Entries" : `Level ${level}`;
}

function Tiles({ level }: { readonly level: TileLevel }) {
  const count = tileCount(level);
  const [newest, setNewest] = useState(count - 1);
  return (
    <Card title={nameOf(level)} aside={<span class="muted">{plural(count, "tile")}</span>}>
      <Table
        caption={`Tiles of ${nameOf(level)}, latest first`}
        rows={tilesOf(level, newest, ROWS)}
        keyOf={({ index }) => index}
        columns={[
          [
            "Tile",
            ({ path }) => (
              <a class="mono" href={path} download={path.replaceAll("/", "-")}>{path}</a>
            ),
          ],
          [
            "State",
            ({ isFull, width }) => <span class="nowrap">{isFull ? "full" : `${width} of 256`}
            </span>,
          ],
          [
            "Positions",
            ({ first, end }) => (
              <span class="nowrap">{`${countText(first)} to ${countText(end - 1)}`}</span>
            ),
          ],
          ["Size", ({ bytes }) => bytes === undefined ? "varies" : bytesText(bytes), "numeric"],
        ]}
      />
      <Pager
        label="Pages of tiles"
        onBack={newest >= count - 1
          ? undefined
          : () => setNewest(Math.min(count - 1, newest + ROWS))}
        onNext={newest - ROWS < 0 ? undefined : () => setNewest(newest - ROWS)}
      />
    </Card>
  );
}
