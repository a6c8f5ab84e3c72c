/**
 * `verifiers/go`, written from `docs/verification.md`: over all of `docs/vectors`, and its command.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { runGo } from "./go.ts";
import { runTool } from "./tools.ts";
import { fromHex } from "../../src/base/bytes.ts";
import { isRetiredKeys, readVectors, TOKEN, VECTORS, writeVectors } from "./vector_files.ts";

Deno.test("the verifier in Go agrees on the cases of docs/vectors, and so does its command", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const vectors = join(folder, "vectors");
    await Deno.mkdir(vectors);
    const count = await writeVectors(vectors);
    const tests = ["test", "-v", "-count=1", "./..."];
    const tested = await runGo(tests, { COUNTERSIGN_VECTORS: vectors });
    assert.equal(tested.code, 0, tested.stdout + tested.stderr);
    assert.match(tested.stdout, new RegExp(` ${count} agree, 0 do not, 0 unsupported\n`));

    const command = join(folder, "verify");
    const built = await runGo(["build", "-buildvcs=false", "-o", command, "."]);
    assert.equal(built.code, 0, built.stderr);
    const networks = JSON.parse(await Deno.readTextFile(join(VECTORS, "networks.json")));
    const bundles = await readVectors("bundles.jsonl");
    const example = bundles.find(({ name }) => name === "ed25519: with a batch")!;
    const write = async (name: string, text: string) => {
      await Deno.writeTextFile(join(folder, name), text);
      return name;
    };
    const network = await write("network.json", JSON.stringify(networks[example.network]));
    const bundle = await write("bundle.json", example.input);
    const verify = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runTool(command, args, { cwd: folder });
      return [code, stderr === "" ? JSON.parse(stdout) : stderr] as const;
    };
    assert.deepEqual(await verify(network, bundle), [0, example.expect]);
    const [code, other] = await verify(network, bundle, await write("other.txt", "other"));
    assert.deepEqual([code, other.result, other.reason], [1, "invalid", "hash_mismatch"]);
    const retired = bundles.find(({ name }) =>
      name === "ed25519: kept chain: a leaf of epoch 2 by the retired keys"
    )!;
    const pinned = await write("zero.json", JSON.stringify(networks[retired.network]));
    const forged = await write("forged.json", retired.input);
    const kept = await write("chain.json", retired.followed![0]!);
    assert.equal((await verify(pinned, forged))[0], 0, "nothing is known yet");
    assert.deepEqual(await verify("-chain", kept, pinned, forged), [1, retired.expect]);
    // A published configuration carries its chain.
    const links = JSON.parse(retired.followed![0]!);
    const carrying = (succession: unknown) =>
      write("carrying.json", JSON.stringify({ ...networks[retired.network], succession }));
    assert.deepEqual(await verify(await carrying(links), forged), [1, retired.expect]);
    for (
      const [succession, reason] of [
        [links.slice(1), "invalid_configuration"],
        [[], "malformed_configuration"],
        [[{ ...links[0], more: 1 }], "malformed_configuration"],
      ]
    ) {
      const refused = { result: "malformed", reason };
      assert.deepEqual(await verify(await carrying(succession), forged), [1, refused]);
    }

    for (const attack of bundles.filter(isRetiredKeys)) {
      const options = attack.distrust!.flatMap((one) => ["-distrust", one]);
      const shown = await write("attack.json", attack.input);
      const found = await verify("-chain", kept, ...options, pinned, shown);
      assert.deepEqual(found, [1, attack.expect], attack.name);
    }
    for (const wrong of ["nobody", "", "@5", "a@", "a@-1", "a b", "a@5@6"]) {
      const [code, message] = await verify("-distrust", wrong, network, bundle);
      assert.deepEqual([code, /cannot distrust/.test(String(message))], [2, true], wrong);
    }

    const stamp = (await readVectors("timestamps.jsonl")).find(({ name }) => name === TOKEN)!;
    const token = "claim.tsr";
    await Deno.writeFile(join(folder, token), fromHex(stamp.input));
    const stamped = await write("stamped.txt", stamp.content!);
    const roots = await write("roots.pem", stamp.roots![0]!);
    assert.deepEqual(await verify("-root", roots, network, token, stamped), [0, stamp.expect]);
    const unrooted = { ...stamp.expect, authority: "not_checked" };
    assert.deepEqual(await verify(network, token), [0, unrooted]);
    const mismatch = { ...unrooted, result: "invalid", reason: "hash_mismatch" };
    assert.deepEqual(await verify(network, token, "other.txt"), [1, mismatch]);
    const [noRoots, why] = await verify("-root", network, network, token);
    assert.deepEqual([noRoots, /expected certificates in PEM/.test(String(why))], [2, true]);

    const malformed = { result: "malformed", reason: "malformed_bundle" };
    assert.deepEqual(await verify(network, network), [1, malformed]);
    assert.equal((await verify(network, "missing.json"))[0], 2);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
