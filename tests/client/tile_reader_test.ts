import assert from "node:assert/strict";
import { GatewayClient } from "../../src/client/gateway_client.ts";
import { readTile } from "../../src/client/tile_reader.ts";
import { tilePath } from "../../src/proof/merkle/tile.ts";
import { answerOf, SyntheticLog } from "../logs/publishing/synthetic_log.ts";
import { served } from "../http/outgoing/fixture.ts";

const log = new SyntheticLog();
log.grow(512);
const LEVELS = [0, "entries"] as const;

Deno.test("readTile() takes a partial tile from the full one, and asks for the partial one first", async () => {
  for (const level of LEVELS) {
    const address = { level, index: 1, width: 44 } as const;
    const expected = await log.tile(address);
    const asked: number[] = [];
    const source = (...stored: number[]) => ({
      tile: (one: typeof address) => {
        asked.push(one.width);
        return stored.includes(one.width) ? log.tile(one) : Promise.resolve(undefined);
      },
    });
    assert.deepEqual(await readTile(source(44, 256), address), expected);
    assert.deepEqual(await readTile(source(256), address), expected);
    assert.deepEqual(await readTile(source(), address), undefined);
    assert.deepEqual(asked, [44, 44, 256, 44, 256]);
    const short = { tile: async () => (await log.tile(address))!.slice(0, 64) };
    const full = { tile: (one: typeof address) => one.width === 44 ? NONE : short.tile() };
    assert.equal(await readTile(full, address), undefined);
  }
});

const NONE = Promise.resolve(undefined);

Deno.test("a gateway that has only full tiles is read, and a 404 of both stays one", async () => {
  await served(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.includes(".p/")) return new Response("gone", { status: 404 });
    return await answerOf(log, request);
  }, async (url) => {
    const client = new GatewayClient({ url: new URL(`${url}/`) });
    for (const level of LEVELS) {
      const expected = await log.tile({ level, index: 1, width: 44 });
      assert.deepEqual(await client.tile(level, 1, 44), expected);
      const refused = { code: "gateway_refused", message: new RegExp(tilePath(level, 2, 44)) };
      await assert.rejects(client.tile(level, 2, 44), refused);
    }
  });
});
