/**
 * OpenTimestamps: calendar servers commit many digests in one Bitcoin transaction. A proof leads from
 * a digest to the header of a block, so only the chain's proof of work is trusted.
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
 * Members of its entry: `calendars`, 1 to 8 URLs as calendars write them in their attestations, so not
 * the URL of a pool; and `min_calendars`, 1 by default: how many must accept a digest, and then lead
 * it to a block before its anchor is confirmed.
 */
export const opentimestamps: AnchorProvider = {
  name: "opentimestamps",
  members: { required: ["calendars"], optional: ["min_calendars"] },
  reach: { urls: ["calendars"], files: [] },
  rootsHelp: "Bitcoin block headers: lines of a height and of headers from there on in hex, " +
    "160 digits each; or all headers since the genesis block, 80 bytes each",
  // Calendars wait for low fees and for several confirmations, usually half a day.
  defaultMaxDelaySeconds: 172_800,
  // The time between two blocks.
  defaultIntervalSeconds: 600,
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
    throw invalid(`${urls.length} calendars, not 1 to ${MAX_CALENDARS}`);
  }
  if (new Set(urls.map(({ href }) => href)).size !== urls.length) {
    throw invalid("a calendar occurs twice");
  }
  if (!urls.every(({ href }) => isCalendarUri(href))) {
    throw invalid("a calendar's URL has other characters than letters, digits and -._/:");
  }
  const required = entry.has("min_calendars") ? entry.integer("min_calendars") : 1;
  if (required < 1 || required > urls.length) {
    throw invalid(`min_calendars is ${required}, not 1 to ${urls.length}`);
  }
  return new CalendarsService(urls.map((url) => new Calendar(url, http)), required, clock);
}

function invalid(reason: string): CountersignError {
  return new CountersignError("invalid_configuration", `Cannot use OpenTimestamps: ${reason}`);
}
