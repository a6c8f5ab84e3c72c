/**
 * Makes a pin of a file that the reader supplies.
 *
 * @module
 */

import { unixSeconds } from "../../clock.ts";
import { CountersignError } from "../../errors.ts";
import type { Services } from "../services.ts";
import { makePin, type Pin } from "../trust.ts";

/** No configuration of any number of witnesses comes near. */
const MAX_BYTES = 4 * 1024 * 1024;

/** `file_failed`, or why its text is no configuration that can be used. */
export async function pinOfFile(
  { crypto, clock }: Pick<Services, "crypto" | "clock">,
  file: File,
): Promise<Pin> {
  const { name } = file;
  if (file.size > MAX_BYTES) {
    throw new CountersignError(
      "malformed_configuration",
      `Cannot read ${name}: at most ${MAX_BYTES} bytes required, found ${file.size}`,
    );
  }
  const text = await file.text().catch((cause) => {
    throw new CountersignError("file_failed", `Cannot read ${name}: a readable file required`, {
      cause,
    });
  });
  const origin = { source: "file", name, pinnedAt: unixSeconds(clock) } as const;
  return makePin(text, origin, await crypto.blsFor(text));
}
