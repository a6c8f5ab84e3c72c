import assert from "node:assert/strict";
import { PUBLISHING, readBucketPlace } from "../../src/config/publishing.ts";
import { hasCode } from "../../src/base/errors.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";

const BUCKET = {
  bucket: "s3://tiles/a/log",
  region: "eu-central-1",
  access_key_id: "AKIATEST",
  secret_access_key_env: "COUNTERSIGN_TOKEN_BUCKET",
};

function read(publish: unknown) {
  const code = "malformed_configuration";
  const value = parseStrictJson(JSON.stringify(publish), code);
  return PUBLISHING.parse(value, { where: "publish", code, folder: "/etc" });
}

Deno.test("a folder is relative to the configuration", () => {
  assert.deepEqual(read({ directory: "public" }), { kind: "directory", path: "/etc/public" });
});

Deno.test("a bucket has defaults, and its secret is elsewhere", () => {
  const place = read(BUCKET);
  assert.deepEqual(place, {
    kind: "bucket",
    place: {
      bucket: "s3://tiles/a/log",
      endpoint: "https://s3.eu-central-1.amazonaws.com/",
      region: "eu-central-1",
      accessKeyId: "AKIATEST",
    },
    secretAccessKey: { kind: "environment", name: "COUNTERSIGN_TOKEN_BUCKET" },
    allowUnconditional: false,
  });
  assert.ok(place?.kind === "bucket");
  const { bucket, prefix } = readBucketPlace(place.place, { insecure: false });
  assert.deepEqual([bucket, prefix], ["tiles", "a/log/"]);
  const plain = { ...place.place, bucket: "s3://tiles" };
  assert.equal(readBucketPlace(plain, { insecure: false }).prefix, "");
});

Deno.test("malformed places are refused", () => {
  const { secret_access_key_env: _, ...unsigned } = BUCKET;
  for (
    const publish of [
      {},
      { directory: "a", bucket: "s3://tiles" },
      { directory: "a", mode: "x" },
      unsigned,
      { ...BUCKET, secret_access_key: "in the file" },
      { ...BUCKET, bucket: "tiles" },
      { ...BUCKET, bucket: "s3://tiles/../other" },
      { ...BUCKET, bucket: "s3://tiles/a b" },
      { ...BUCKET, bucket: "s3://Tiles" },
      { ...BUCKET, region: "a b" },
      { ...BUCKET, endpoint: "http://s3.example/" },
      { ...BUCKET, allow_unconditional: "yes" },
    ]
  ) {
    assert.throws(
      () => read(publish),
      (error) =>
        hasCode(error, "invalid_configuration") || hasCode(error, "malformed_configuration"),
      JSON.stringify(publish),
    );
  }
});
