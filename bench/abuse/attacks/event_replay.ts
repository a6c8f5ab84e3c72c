/**
 * Event streams from the first event on, opened again when they end.
 *
 * @module
 */

import { encodeCursor, START_POSITION } from "../../../src/gateway/events/event_ports.ts";
import { type Attack, repeat } from "../attack.ts";
import { readStream } from "./stream_reader.ts";

export const eventReplay: Attack = async ({ url, connections }, tally, signal) => {
  const query = `?after=${encodeCursor(START_POSITION)}`;
  await repeat(connections, signal, () => readStream(url, query, tally, signal));
};
