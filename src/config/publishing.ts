/**
 * The member `publish` of `network.json`: where the gateway publishes tiles and checkpoint.
 *
 * @module
 */

import { flag, type Of, TEXT, text } from "../proof/format/schema.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import type { BucketPlace } from "../logs/publishing/ports.ts";
import { path, secret, settings, url, withMember } from "./settings.ts";
import { invalid } from "./validation.ts";

/** The texts that name a bucket. */
export interface BucketMembers {
  /** `s3://name/prefix`. */
  readonly bucket: string;
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
}

const BUCKET_URL =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?\/?)?$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const ACCESS_KEY_ID = /^[A-Za-z0-9._-]{3,128}$/;

const FOLDER = settings({
  directory: path("Folder of the copy, which a static host serves."),
}).convert(({ directory }) => ({ kind: "directory", path: directory }) as const);

const BUCKET = settings({
  bucket: TEXT.with({ title: "s3://NAME[/PREFIX]", description: "Bucket of the copy." }),
  region: text("Region of the bucket, such as us-east-1."),
  access_key_id: text("Access key of the bucket."),
  secret_access_key: secret("the secret of the access key"),
  endpoint: url("Service of the bucket; without it, Amazon S3 in the region.").optional(),
  allow_unconditional: flag(
    "Accept a bucket that ignores conditional writes. There must be no other publisher.",
  ).withDefault(false),
}).convert((members, _, { insecure = false }) => {
  const { bucket, region, accessKeyId, secretAccessKey, allowUnconditional } = members;
  const { endpoint = amazonEndpoint(region) } = members;
  const place: BucketMembers = { bucket, endpoint, region, accessKeyId };
  readBucketPlace(place, { insecure });
  return { kind: "bucket", place, secretAccessKey, allowUnconditional } as const;
});

/** The member `publish` of `network.json`. */
export const PUBLISHING = withMember("bucket", BUCKET, FOLDER);

/** The place of a published copy of the log. */
export type PublishingPlace = Of<typeof PUBLISHING>;

/** The endpoint of Amazon S3 in `region`. */
export function amazonEndpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com/`;
}

/** The bucket that `members` name; `invalid_configuration`. */
export function readBucketPlace(
  members: BucketMembers,
  options: { readonly insecure: boolean },
): BucketPlace {
  const { region, accessKeyId } = members;
  const [, bucket, path = ""] = BUCKET_URL.exec(members.bucket) ?? [];
  if (bucket === undefined) throw invalid("bucket", "it must be s3://name or s3://name/prefix");
  if (!REGION.test(region)) throw invalid("region", "it must be a name such as us-east-1");
  if (!ACCESS_KEY_ID.test(accessKeyId)) {
    throw invalid("access key id", "it must be 3 to 128 characters of A-Z a-z 0-9 . _ -");
  }
  const endpoint = parseServiceUrl(members.endpoint, options);
  return { bucket, prefix: path === "" ? "" : `${path}/`, endpoint, region, accessKeyId };
}
