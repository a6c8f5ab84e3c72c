/**
 * The latest events of the log, live.
 *
 * @module
 */

import { useRef, useState } from "hono/jsx/dom";
import { unixSeconds } from "../../base/clock.ts";
import type { CountersignError } from "../../base/errors.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { isRefusal } from "../checked.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { RelativeTime } from "../components/relative_time.tsx";
import { Empty } from "../components/states.tsx";
import { useEffect } from "../effect.ts";
import {
  ATTESTATION_EVENT_TYPES,
  describeEvent,
  type FeedEvent,
  LOG_EVENT_TYPES,
  type ReceivedEvent,
} from "../feed_event.ts";
import { addLines, drawLines, type FeedLines, newLines, NO_LINES } from "../feed_lines.ts";
import { type FeedState, followFeed } from "../live_feed.ts";
import { hrefOf } from "../route.ts";
import { type Services, useServices } from "../services.ts";

const SHOWN = 12;
const POLL_MS = 10_000;
/** Milliseconds between two updates of the list. */
const DRAW_MS = 400;

interface FeedCardProps {
  /** Called when the log has grown. */
  readonly grown: () => void;
}

/** Latest first. */
export function FeedCard({ grown }: FeedCardProps) {
  const services = useServices();
  const [withAttestations, setWith] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  // Read at each update, so that no pointer or focus event can be missed.
  const isHeld = () => area.current?.matches(":hover, :focus-within") ?? false;
  const { lines, state, fault, showLatest } = useFeed(services, {
    withAttestations,
    grown,
    isHeld,
  });
  const [tone, name] = FEED_STATES[state];
  const count = newLines(lines);
  return (
    <Card title="Live" aside={<Badge tone={tone}>{name}</Badge>}>
      <label class="check">
        <input
          type="checkbox"
          checked={withAttestations}
          onChange={() => setWith(!withAttestations)}
        />
        <span>Every attestation</span>
      </label>
      {lines.shown.length === 0
        ? (
          <Empty title="No events yet">
            Batches and tree heads appear here when the log publishes them.
          </Empty>
        )
        : (
          <div class="feed-area" ref={area}>
            <div class="feed-new" role="status">
              {count === 0 ? null : (
                <Button
                  onClick={() => {
                    showLatest();
                    // This removes the button, so the focus needs another element.
                    list.current?.focus();
                  }}
                >
                  {`${count}${count < SHOWN ? "" : " or more"} new`}
                </Button>
              )}
            </div>
            <ol class="feed" ref={list} tabindex={-1}>
              {lines.shown.map((event) => (
                <li key={event.id}>
                  <span class="feed-text">
                    {event.route === undefined
                      ? event.text
                      : <a href={hrefOf(event.route)}>{event.text}</a>}
                  </span>
                  <span class="muted small nowrap">
                    <RelativeTime time={event.at} />
                  </span>
                </li>
              ))}
            </ol>
          </div>
        )}
      {fault !== undefined && (
        <p class="failure-code">
          Cannot read an event: <code>{fault.code}</code> {fault.message}
        </p>
      )}
    </Card>
  );
}

const FEED_STATES: Readonly<Record<FeedState, readonly [Tone, string]>> = {
  connecting: ["info", "Connecting"],
  live: ["good", "Live"],
  polling: ["neutral", "Updated every 10 s"],
  silent: ["warn", "No answer"],
};

interface Feed {
  readonly lines: FeedLines;
  readonly state: FeedState;
  readonly fault?: CountersignError;
}

interface FeedOptions {
  readonly withAttestations: boolean;
  readonly grown: () => void;
  /** Whether the shown lines must not move. */
  readonly isHeld: () => boolean;
}

function useFeed(
  services: Services,
  { withAttestations, grown, isHeld }: FeedOptions,
): Feed & { readonly showLatest: () => void } {
  const [feed, setFeed] = useState<Feed>({ lines: NO_LINES, state: "connecting" });
  useEffect(() => {
    const waiting: FeedEvent[] = [];
    const take = (event: FeedEvent) => {
      waiting.push(event);
      // Bounds the events between two updates.
      if (waiting.length > SHOWN) waiting.splice(0, waiting.length - SHOWN);
    };
    const timer = setInterval(() => {
      const added = waiting.splice(0);
      setFeed((last) => {
        const known = added.length === 0 ? last.lines : addLines(last.lines, added, SHOWN);
        const lines = drawLines(known, isHeld());
        return lines === last.lines ? last : { ...last, lines };
      });
      if (added.some(({ type }) => type === "sth.published")) grown();
    }, DRAW_MS);
    const types = withAttestations
      ? [...LOG_EVENT_TYPES, ...ATTESTATION_EVENT_TYPES]
      : LOG_EVENT_TYPES;
    const end = whileVisible(() =>
      followFeed(feedOptions(services), types, {
        event: (event) => take(describeEvent(event)),
        state: (state) => setFeed((last) => ({ ...last, state })),
        gap: () => take(gapAt(unixSeconds(services.clock))),
        fault: (fault) => setFeed((last) => ({ ...last, fault })),
      })
    );
    return () => {
      end();
      clearInterval(timer);
    };
  }, [withAttestations]);
  const showLatest = () => setFeed((last) => ({ ...last, lines: drawLines(last.lines, false) }));
  return { ...feed, showLatest };
}

/**
 * Calls `start` while the page is visible and the function that it returns when it is hidden.
 * Browsers open six connections to a site without TLS, which all its tabs share.
 */
function whileVisible(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const update = () => {
    if (document.visibilityState === "visible") stop ??= start();
    else {
      stop?.();
      stop = undefined;
    }
  };
  update();
  document.addEventListener("visibilitychange", update);
  return () => {
    document.removeEventListener("visibilitychange", update);
    stop?.();
  };
}

function gapAt(at: number): FeedEvent {
  return { id: `gap ${at}`, type: "gap", at, text: "Some events before this are missing" };
}

function feedOptions({ api, apiKey, clock }: Services) {
  return {
    url: api.url,
    clock,
    random: Math.random,
    pollMs: POLL_MS,
    fetch: apiKey.fetch,
    poll: async (signal: AbortSignal): Promise<ReceivedEvent | undefined> => {
      try {
        const { tree_size, timestamp: at } = (await api.sth(undefined, signal)).value.tree_head;
        return { id: `head ${tree_size}`, type: "sth.published", at, data: { tree_size } };
      } catch (error) {
        if (isRefusal(error, "no_tree_head")) return undefined;
        throw error;
      }
    },
  };
}
