/**
 * Opens the folder or bucket that a copy of a log is published to.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { loadToken, type SecretReading } from "../../config/bearer_tokens.ts";
import { type PublishingPlace, readBucketPlace } from "../../config/publishing.ts";
import type { PageTarget } from "../../logs/publishing/ports.ts";
import type { Report } from "../../base/report.ts";
import { DirectoryCopy } from "../../storage/published/directory_copy.ts";
import { BucketCopy } from "../../http/outgoing/bucket_copy.ts";

export interface TargetOptions extends SecretReading {
  readonly insecure: boolean;
  readonly report: Report;
}

/** Opens `place`; a bucket is probed. `file_failed`, `invalid_configuration`. */
export async function openCopyTarget(
  place: PublishingPlace,
  { insecure, report, env }: TargetOptions,
): Promise<PageTarget> {
  if (place.kind === "directory") return await DirectoryCopy.open(place.path, systemClock);
  const { allowUnconditional } = place;
  const copy = await BucketCopy.open({
    ...readBucketPlace(place.place, { insecure }),
    secretAccessKey: await loadToken(place.secretAccessKey, { env }),
    allowUnconditional,
    clock: systemClock,
  });
  if (!copy.isConditional) {
    report(`${copy.name} ignores conditional writes: let no other publisher write to it`);
  }
  return copy;
}
