import assert from "node:assert/strict";
import { hrefOf, parseRoute, type Route } from "../../src/explorer/route.ts";

const HASH = "ab".repeat(32);

const ROUTES: readonly Route[] = [
  { page: "stamp" },
  { page: "verify" },
  { page: "proof", hash: HASH },
  { page: "certificate", hash: HASH },
  { page: "explore" },
  { page: "batch", id: 12 },
  { page: "position", index: 0 },
  { page: "tiles" },
  { page: "log" },
];

Deno.test("parseRoute() reverses hrefOf()", () => {
  for (const route of ROUTES) assert.deepEqual(parseRoute(hrefOf(route)), route);
  for (const address of ["", "#", "#/"]) assert.deepEqual(parseRoute(address), { page: "stamp" });
});

Deno.test("parseRoute() of anything else is unknown", () => {
  const addresses = [
    "#stamp",
    "#/stamp/",
    "#/stamp/x",
    "#/unknown",
    "#/batch",
    "#/log/1",
    "#/verify/",
    "#//",
    "#/explore/batch",
    "#/explore/batch/01",
    "#/explore/batch/-1",
    "#/explore/batch/1/2",
    `#/proof/${HASH.toUpperCase()}`,
    `#/proof/${HASH}/x`,
    `#/certificate/${HASH}0`,
    `#/verify/${HASH}`,
    "#/proof",
    "#/explore/position",
    "#/explore/position/x",
    "#/explore/tiles/1",
    "#/explore/batch/9007199254740992",
    `#/explore/proof/${HASH}`,
  ];
  for (const address of addresses) {
    assert.deepEqual(parseRoute(address), { page: "unknown" }, address);
  }
});
