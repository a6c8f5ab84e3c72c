/**
 * The member `publish` of `network.json`: where the gateway publishes tiles and checkpoint.
 *
 *     "publish": {"directory": "path"}
 *     "publish": {"bucket": "s3://name[/prefix]", "region", "access_key_id",
 *                 "secret_access_key_file" or "secret_access_key_env",
 *                 "endpoint"?, "allow_unconditional"?}
 *
 * @module
 */

import type { Fields } from "../proof/format/fields.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import type { BucketPlace } from "../logs/publishing/ports.ts";
import { requireSecretSource, secretMembers, type SecretSource } from "./bearer_tokens.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { invalid } from "./validation.ts";

/** The place of a published copy of the log. */
export type PublishingPlace =
  /** Absolute path. */
  | { readonly kind: "directory"; readonly path: string }
  | {
    readonly kind: "bucket";
    /** As {@linkcode readBucketPlace} takes it. */
    readonly place: BucketMembers;
    readonly secretAccessKey: SecretSource;
    /** Accept a bucket that ignores conditional writes. */
    readonly allowUnconditional: boolean;
  };

/** The texts that name a bucket. */
export interface BucketMembers {
  /** `s3://name/prefix`. */
  readonly bucket: string;
  /** Default: that of Amazon S3. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
}

const WHERE = "publish";
const SECRET = "secret_access_key";

/** Members of the object `publish` with `directory`. */
export const FOLDER_MEMBERS: Members = {
  directory: required("path", "Folder of the copy, which a static host serves."),
};

/** Members of the object `publish` with `bucket`. */
export const BUCKET_MEMBERS: Members = {
  bucket: required("s3://NAME[/PREFIX]", "Bucket of the copy."),
  region: required("text", "Region of the bucket, such as us-east-1."),
  access_key_id: required("text", "Access key of the bucket."),
  ...secretMembers(SECRET, "the secret of the access key"),
  endpoint: optional("URL", "Service of the bucket.", { standard: "Amazon S3 in the region" }),
  allow_unconditional: optional(
    "true or false",
    "Accept a bucket that ignores conditional writes. There must be no other publisher.",
    { standard: "false" },
  ),
};

const BUCKET =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?\/?)?$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const ACCESS_KEY_ID = /^[A-Za-z0-9._-]{3,128}$/;

/** The member `publish`, `undefined` if absent. `malformed_configuration`, `invalid_configuration`. */
export function readPublishing(
  network: Fields,
  { pathOf, insecure }: {
    readonly pathOf: (path: string) => string;
    readonly insecure: boolean;
  },
): PublishingPlace | undefined {
  if (!network.has(WHERE)) return undefined;
  const kind = network.object(WHERE, [], { ignoreUnknown: true });
  if (!kind.has("bucket")) {
    return {
      kind: "directory",
      path: pathOf(network.object(WHERE, ...namesOf(FOLDER_MEMBERS)).text("directory")),
    };
  }
  const fields = network.object(WHERE, ...namesOf(BUCKET_MEMBERS));
  const secretAccessKey = requireSecretSource(fields, SECRET, pathOf);
  const region = fields.text("region");
  const place = {
    bucket: fields.text("bucket"),
    endpoint: fields.has("endpoint") ? fields.text("endpoint") : amazonEndpoint(region),
    region,
    accessKeyId: fields.text("access_key_id"),
  };
  readBucketPlace(place, { insecure });
  const allowUnconditional = fields.has("allow_unconditional") &&
    fields.flag("allow_unconditional");
  return { kind: "bucket", place, secretAccessKey, allowUnconditional };
}

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
  const [, bucket, path = ""] = BUCKET.exec(members.bucket) ?? [];
  if (bucket === undefined) throw invalid("bucket", "it must be s3://name or s3://name/prefix");
  if (!REGION.test(region)) throw invalid("region", "it must be a name such as us-east-1");
  if (!ACCESS_KEY_ID.test(accessKeyId)) {
    throw invalid("access key id", "it must be 3 to 128 characters of A-Z a-z 0-9 . _ -");
  }
  const endpoint = parseServiceUrl(members.endpoint, options);
  return { bucket, prefix: path === "" ? "" : `${path}/`, endpoint, region, accessKeyId };
}
