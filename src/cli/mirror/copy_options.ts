/**
 * Options of the commands that copy a log, and the place that they name.
 *
 * @module
 */

import { amazonEndpoint, type PublishingPlace, readBucketPlace } from "../../config/publishing.ts";
import { CountersignError } from "../../base/errors.ts";
import type { CommandContext } from "../command_context.ts";
import type { ValuesOf } from "../define_command.ts";
import { count, defaulted, FILE, flag, optional, SERVICE_URL, textValue } from "../options.ts";

/** Options for the place of a published copy. */
export const bucketOptions = {
  endpoint: optional(
    "--endpoint",
    SERVICE_URL,
    "URL of the bucket's service (default: Amazon S3 in the region).",
  ),
  region: optional("--region", textValue("NAME"), "Region of the bucket, such as us-east-1."),
  accessKeyId: optional("--access-key-id", textValue("ID"), "Access key of the bucket."),
  secretFile: optional("--secret-file", FILE, "File with the secret of the access key."),
  secretEnv: optional(
    "--secret-env",
    textValue("NAME"),
    "Variable with the secret of the access key: COUNTERSIGN_TOKEN_...",
  ),
  allowUnconditional: flag(
    "--allow-unconditional",
    "Accept a bucket that ignores conditional writes. There must be no other publisher.",
  ),
};

/** Milliseconds between two requests for the checkpoint. */
export function intervalOption(standardMs: number) {
  return defaulted(
    "--interval-ms",
    count("MS", 10, 86_400_000),
    standardMs,
    `Pause between two requests for the checkpoint (default: ${standardMs}).`,
  );
}

/** The folder or bucket that `to` names; `usage`. */
export function publishingPlace(
  to: string,
  options: ValuesOf<typeof bucketOptions>,
  { io }: CommandContext,
): PublishingPlace {
  const { endpoint, region, accessKeyId, secretFile, secretEnv, allowUnconditional } = options;
  if (!to.startsWith("s3:")) return { kind: "directory", path: io.resolvePath(to) };
  if (
    region === undefined || accessKeyId === undefined ||
    (secretFile === undefined) === (secretEnv === undefined)
  ) {
    throw new CountersignError(
      "usage",
      "Cannot publish to a bucket: name --region, --access-key-id and either --secret-file or " +
        "--secret-env",
    );
  }
  const place = { bucket: to, endpoint: endpoint ?? amazonEndpoint(region), region, accessKeyId };
  readBucketPlace(place, { insecure: false });
  return {
    kind: "bucket",
    place,
    secretAccessKey: secretFile === undefined
      ? { kind: "environment", name: secretEnv! }
      : { kind: "file", path: io.resolvePath(secretFile) },
    allowUnconditional,
  };
}
