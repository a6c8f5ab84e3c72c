/**
 * `verifiers/python`, written from `docs/verification.md`: over all of `docs/vectors`, and its command.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTool } from "./tools.ts";
import { fromHex } from "../../src/base/bytes.ts";
import { isRetiredKeys, readVectors, TOKEN, VECTORS, writeVectors } from "./vector_files.ts";

const PYTHON = "/usr/bin/python3";
const FOLDER = fileURLToPath(new URL("../../verifiers/python", import.meta.url));
/** The files that the first one needs. */
const ALONE = ["countersign_verify.py", "command.py", "ed25519.py"];
const NO_CACHE = { PYTHONDONTWRITEBYTECODE: "1" };

Deno.test("the verifier in Python agrees on the cases of docs/vectors", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const count = await writeVectors(folder);
    const { code, stdout, stderr } = await runTool(PYTHON, ["run_vectors.py", folder], {
      cwd: FOLDER,
      env: NO_CACHE,
    });
    assert.deepEqual([code, stdout, stderr], [0, `${count} agree, 0 do not\n`, ""]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the verifier in Python verifies a bundle with its file, and says what it cannot do", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const { name } of Deno.readDirSync(FOLDER)) {
      if (name.endsWith(".py")) await Deno.copyFile(join(FOLDER, name), join(folder, name));
    }
    const networks = JSON.parse(await Deno.readTextFile(join(VECTORS, "networks.json")));
    const bundles = await readVectors("bundles.jsonl");
    const example = bundles.find(({ name }) => name === "ed25519: with a batch")!;
    const write = async (name: string, text: string) => {
      await Deno.writeTextFile(join(folder, name), text);
      return name;
    };
    const writeBytes = async (name: string, bytes: Uint8Array) => {
      await Deno.writeFile(join(folder, name), bytes);
      return name;
    };
    const network = await write("network.json", JSON.stringify(networks[example.network]));
    const blsNetwork = await write("bls.json", JSON.stringify(networks.bls));
    const bundle = await write("bundle.json", example.input);
    const verify = async (...args: readonly string[]) => {
      const tool = await runTool(PYTHON, ["countersign_verify.py", ...args], {
        cwd: folder,
        env: NO_CACHE,
      });
      assert.equal(tool.stderr, "");
      return [tool.code, JSON.parse(tool.stdout)] as const;
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
    assert.deepEqual(await verify(pinned, forged, "--chain", kept), [1, retired.expect]);
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
      const options = attack.distrust!.flatMap((one) => ["--distrust", one]);
      const shown = await write("attack.json", attack.input);
      const found = await verify(pinned, shown, "--chain", kept, ...options);
      assert.deepEqual(found, [1, attack.expect], attack.name);
    }
    for (const wrong of ["nobody", "", "@5", "a@", "a@-1", "a b", "a@5@6"]) {
      const args = ["countersign_verify.py", network, bundle, "--distrust", wrong];
      const { code, stderr } = await runTool(PYTHON, args, { cwd: folder, env: NO_CACHE });
      assert.deepEqual([code, /cannot distrust/.test(stderr)], [2, true], wrong);
    }

    const tokens = await readVectors("timestamps.jsonl");
    const stamp = tokens.find(({ name }) => name === TOKEN)!;
    const token = await writeBytes("claim.tsr", fromHex(stamp.input));
    const stamped = await write("stamped.txt", stamp.content!);
    const roots = await write("roots.pem", stamp.roots![0]!);
    assert.deepEqual(await verify(network, token, stamped, "--root", roots), [
      0,
      stamp.expect,
    ]);
    const unrooted = { ...stamp.expect, authority: "not_checked" };
    assert.deepEqual(await verify(network, token), [0, unrooted]);
    const mismatch = { ...unrooted, result: "invalid", reason: "hash_mismatch" };
    assert.deepEqual(await verify(network, token, "other.txt"), [1, mismatch]);
    const tool = await runTool(PYTHON, ["countersign_verify.py", network, token, "--root", token], {
      cwd: folder,
      env: NO_CACHE,
    });
    assert.deepEqual([tool.code, /expected certificates in PEM/.test(tool.stderr)], [2, true]);

    const succeeded = bundles.find(({ input }) => input.includes('"succession"'))!;
    for (const { name } of Deno.readDirSync(folder)) {
      if (/\.py$/.test(name) && !ALONE.includes(name)) await Deno.remove(join(folder, name));
    }
    const { cross_anchors, federation, external_anchors, ...alone } = example.expect;
    const time = { ...alone.time as object, not_before: [], failed: ["unsupported"] };
    assert.deepEqual(await verify(network, bundle), [0, { ...alone, time }]);
    assert.deepEqual([cross_anchors, external_anchors], [[], []]);
    assert.ok(federation);
    const unsupported = { result: "malformed", reason: "unsupported" };
    assert.deepEqual(await verify(blsNetwork, bundle), [1, unsupported]);
    assert.deepEqual(await verify(network, token), [1, unsupported]);
    const withChain = await write("succeeded.json", succeeded.input);
    assert.deepEqual(await verify(network, withChain), [1, unsupported]);
    assert.deepEqual(await verify(network, bundle, "--distrust", "nobody"), [1, unsupported]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the verifier in Python computes no power of numbers that take minutes", async () => {
  const script = `import der, signatures
for bits, exponent in ((20000, 65537), (2048, 1 << 100 | 1)):
    n = 1 << bits - 1 | 1
    number = lambda value: der.encode(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))
    key = der.encode(0x30, number(n), number(exponent))
    spki = der.encode(0x30, der.encode(0x30, signatures.object_id_of(signatures.RSA_KEY), b"\\5\\0"),
                      der.encode(3, b"\\0", key))
    algorithm = der.encode(0x30, signatures.object_id_of("1.2.840.113549.1.1.11"), b"\\5\\0")
    try:
        print(signatures.verifies(spki, algorithm, b"", bytes(bits // 8)))
    except signatures.Malformed as malformed:
        print(malformed)
`;
  const options = { cwd: FOLDER, env: NO_CACHE };
  const { stdout, stderr } = await runTool(PYTHON, ["-c", script], options);
  assert.deepEqual([stdout, stderr], ["unsupported\nunsupported\n", ""]);
});

Deno.test("the README of the verifier in Python has the length of each file", async () => {
  const readme = await Deno.readTextFile(join(FOLDER, "README.md"));
  const rows = [...readme.matchAll(/^\| `(\w+\.py)` +\| +(\d+) \|/gm)];
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name);
  const modules = files.filter((name) => name.endsWith(".py") && name !== "run_vectors.py");
  assert.deepEqual(rows.map(([, name]) => name).sort(), modules.sort());
  for (const [, name, written] of rows) {
    const lines = (await Deno.readTextFile(join(FOLDER, name!))).split("\n").length - 1;
    assert.equal(Number(written), lines, `${name}`);
    assert.ok(lines <= 400, `${name} has more than 400 lines`);
  }
});
