/**
 * OpenTimestamps: calendar servers put many digests into one Bitcoin transaction, and their proofs
 * lead from each digest to the header of a block. Nobody has to be believed who does not mine.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";
import type { Fields } from "../../format/fields.ts";
import { parseServiceUrl } from "../../format/service_url.ts";
import { isCalendarUri } from "./attestation.ts";
import { Calendar } from "./calendar.ts";
import { otsFile, parseOtsProof } from "./proof.ts";
import { CalendarsService } from "./service.ts";
import { verifyOpenTimestamps } from "./verify.ts";
import type { AnchorContext, AnchorProvider, AnchorService } from "../ports.ts";

const MAX_CALENDARS = 8;

/**
 * Its entry: `calendars`, 1 to 8 URLs, each by the name that the calendar gives itself in its
 * attestations (a pool, which answers for others, is none); and `min_calendars`, 1 when absent, that
 * have to take a digest, and to lead it to a block before its anchor is confirmed.
 */
export const opentimestamps: AnchorProvider = {
  name: "opentimestamps",
  members: { required: ["calendars"], optional: ["min_calendars"] },
  reach: { urls: ["calendars"], files: [] },
  rootsHelp: "Bitcoin block headers: lines of a height and of headers from there on in hex, " +
    "160 digits each; or all headers since the genesis block, 80 bytes each",
  // Calendars wait for low fees and for several blocks on top: half a day is usual.
  defaultMaxDelaySeconds: 172_800,
  // The time between two blocks: what is anchored more often comes into the same one.
  defaultIntervalSeconds: 600,
  // A fault in the entry is a rejection, as every provider's.
  // deno-lint-ignore require-await
  configure: async (entry, context) => serviceOf(entry, context),
  // deno-lint-ignore require-await
  verify: async (claim) => verifyOpenTimestamps(claim),
  files(digest, proof) {
    parseOtsProof(digest, proof);
    return [{
      extension: ".ots",
      bytes: otsFile(proof),
      command: "ots verify -f CHECKPOINT FILE",
    }];
  },
};

function serviceOf(entry: Fields, { http, clock, insecure }: AnchorContext): AnchorService {
  const urls = entry.texts("calendars").map((text) => parseServiceUrl(text, { insecure }));
  if (urls.length < 1 || urls.length > MAX_CALENDARS) {
    throw invalid(`1 to ${MAX_CALENDARS} calendars`, String(urls.length));
  }
  if (new Set(urls.map(({ href }) => href)).size !== urls.length) {
    throw invalid("distinct calendars", "one twice");
  }
  if (!urls.every(({ href }) => isCalendarUri(href))) {
    throw invalid("calendars' URLs of letters, digits and -._/:", "another");
  }
  const required = entry.has("min_calendars") ? entry.count("min_calendars") : 1;
  if (required < 1 || required > urls.length) {
    throw invalid(`min_calendars from 1 to ${urls.length}`, String(required));
  }
  return new CalendarsService(urls.map((url) => new Calendar(url, http)), required, clock);
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use OpenTimestamps: ${required} required, found ${found}`,
  );
}
