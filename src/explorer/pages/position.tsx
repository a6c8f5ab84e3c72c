/**
 * Leads from a position in the log to the proof of the attestation there.
 *
 * @module
 */

import { checkedHead, isRefusal } from "../checked.ts";
import { Card } from "../components/card.tsx";
import { PageHead } from "../components/page_head.tsx";
import { Empty, LoadedView } from "../components/states.tsx";
import { readEntries } from "../entry_reader.ts";
import { useLoaded } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { type Services, useServices } from "../services.ts";
import { countText, plural } from "../text.ts";

export function PositionPage({ index }: { readonly index: number }) {
  const services = useServices();
  const [loaded, retry] = useLoaded((signal) => findPosition(services, index, signal), [index]);
  return (
    <>
      <PageHead title={`Position ${countText(index)}`} isBelowExplore>
        The attestation at this place in the log; the first one is at position 0.
      </PageHead>
      <LoadedView
        loaded={loaded}
        what="the position"
        retry={retry}
        render={({ size }) =>
          size === undefined
            ? <p role="status">Opening its proof</p>
            : (
              <Card title="Not in the log">
                <Empty title="The log has no such position yet">
                  <p>It has {plural(size, "attestation")}.</p>
                </Empty>
              </Card>
            )}
      />
    </>
  );
}

/** Replaces the page by the proof; the size of the log if it is too short. */
async function findPosition(
  services: Services,
  index: number,
  signal: AbortSignal,
): Promise<{ readonly size?: number }> {
  const head = await checkedHead(services, undefined, signal).catch((error) => {
    if (isRefusal(error, "no_tree_head")) return undefined;
    throw error;
  });
  const { tree_size: size = 0, network_id: networkId = "" } = head?.sth.tree_head ?? {};
  if (index >= size) return { size };
  const range = { start: index, end: index + 1, size, networkId };
  const [entry] = await readEntries(services, range, signal);
  // Back leads to the page before this one.
  location.replace(hrefOf({ page: "proof", hash: entry!.hash }));
  return {};
}
