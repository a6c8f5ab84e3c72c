import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { parseLogPolicy } from "../../../src/proof/format/log_policy.ts";
import {
  encodeLogHistories,
  type LogHistories,
  parseLogHistories,
} from "../../../src/proof/format/log_histories.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { logKeysOf } from "../../../src/logs/publishing/checkpoint_rule.ts";
import { forkPath } from "../../../src/logs/publishing/fork_path.ts";
import { VerifiedTree } from "../../../src/logs/publishing/verified_tree.ts";
import { verifyLogHistories } from "../../../src/proof/verify/log_histories.ts";
import { SyntheticLog } from "../../logs/publishing/synthetic_log.ts";
import { nativeCrypto } from "../../schemes.ts";

const SEED = new Uint8Array(32).fill(9);

function logOf(size: number, salt: string, seed = SEED): SyntheticLog {
  const log = new SyntheticLog("Any log", seed);
  log.grow(size, salt);
  return log;
}

async function historiesOf(first: SyntheticLog, second: SyntheticLog): Promise<LogHistories> {
  const root = { size: second.size, root: second.root(second.size) };
  const tree = await VerifiedTree.open({ kernels: portableKernels, source: second }, root);
  const path = await forkPath(portableKernels, tree, {
    size: first.size,
    root: first.root(first.size),
  });
  return {
    origin: first.origin,
    foundAt: 1,
    path: path ?? [],
    first: await first.checkpoint(),
    second: await second.checkpoint(),
  };
}

async function verify(histories: LogHistories) {
  const policy = parseLogPolicy(utf8(`log ${logOf(0, "").vkey}\nquorum none\n`));
  const logKeys = logKeysOf(policy, histories.origin);
  const read = parseLogHistories(encodeLogHistories(histories), "malformed_text");
  assert.deepEqual(read, histories);
  return await verifyLogHistories(nativeCrypto, () => ({ policy, logKeys }), read);
}

Deno.test("two histories of any log are proved at all sizes", async () => {
  for (const [first, second] of [[1, 2], [3, 3], [4, 9], [255, 256], [256, 700], [7, 1000]]) {
    const histories = await historiesOf(logOf(first!, "a"), logOf(second!, "b"));
    assert.equal((await verify(histories)).valid, true, `${first} ${second}`);
  }
});

Deno.test("one history, a damaged path, other keys and other origins prove nothing", async () => {
  const reasonOf = async (histories: LogHistories) => (await verify(histories)).reason;
  assert.equal(
    await reasonOf(await historiesOf(logOf(4, "a"), logOf(9, "a"))),
    "contradiction_unproven",
  );
  const good = await historiesOf(logOf(4, "a"), logOf(9, "b"));
  assert.equal(await reasonOf({ ...good, path: good.path.slice(1) }), "contradiction_unproven");
  assert.equal(
    await reasonOf({ ...good, first: good.second, second: good.first }),
    "contradiction_unproven",
  );
  assert.equal(await reasonOf({ ...good, origin: "Another log" }), "network_mismatch");
  const stranger = await historiesOf(logOf(4, "a", new Uint8Array(32).fill(1)), logOf(9, "b"));
  assert.equal(await reasonOf(stranger), "no_known_signature");
});
