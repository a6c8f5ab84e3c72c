import assert from "node:assert/strict";
import { COMMANDS } from "../../src/cli/command_list.ts";
import { assertFailed, withClient } from "./client_run.ts";

const NAMES = [...Object.keys(COMMANDS), "completion"];

Deno.test("help lists every command and exits 0, with an option, a command or no words", async () => {
  await withClient(async (client) => {
    for (const args of [["--help"], ["-h"], ["help"], []]) {
      const { code, stdout, stderr } = await client.run(args);
      assert.equal(code, 0);
      assert.equal(stderr, "");
      for (const command of NAMES) {
        assert.match(stdout, new RegExp(`^ {2}${command} `, "m"), `${command} in ${args}`);
      }
    }
  });
});

Deno.test("every command has help", async () => {
  await withClient(async (client) => {
    const log = ["sth", "consistency", "proof", "contradictions"].map((name) => `log ${name}`);
    const words = [...NAMES.slice(0, -1), ...log];
    for (const line of words) {
      const { code, stdout } = await client.run([...line.split(" "), "--help"]);
      assert.equal(code, 0, line);
      assert.match(stdout, new RegExp(`^Usage: countersign ${line}`, "m"));
      if (!line.includes(" ")) assert.match(stdout, new RegExp(`^ {2}countersign ${line}`, "m"));
    }
  });
});

Deno.test("the version is that of the package", async () => {
  const manifest = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  await withClient(async (client) => {
    for (const option of ["--version", "-V"]) {
      const { code, stdout } = await client.run([option]);
      assert.equal(code, 0);
      assert.equal(stdout, manifest.version);
    }
  });
});

Deno.test("a misspelt command or option is refused with a suggestion", async () => {
  await withClient(async (client) => {
    for (
      const [args, meant] of [
        [["stmp", "file"], "stamp"],
        [["verfy", "file"], "verify"],
        [["stamp", "--no-wiat", "file"], "--no-wait"],
        [["network", "--pinn"], "--pin"],
        [["log", "consistancy"], "consistency"],
      ] as const
    ) {
      const { code, stdout, stderr } = await client.run(args);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      // Other commands have --wait-batched, --host and --once.
      assert.doesNotMatch(stderr, /--(kind|file|once|host)/);
      assert.match(stderr, new RegExp(`Did you mean.*\`${meant}\``));
    }
  });
});

Deno.test("an error points to the help of the command or subcommand that was named", async () => {
  await withClient(async (client) => {
    for (
      const [args, path] of [
        [["stmp"], ""],
        [["stamp", "--no-wiat", "file"], "stamp "],
        [["--gateway", "http://127.0.0.1:1", "stamp", "--no-wiat"], "stamp "],
        [["log"], "log "],
        [["log", "sth", "-1"], "log sth "],
        [["proof", "verify"], "proof "],
      ] as const
    ) {
      const { stderr } = await client.run(args);
      assert.equal(stderr.split("\n").at(-1), `See: countersign ${path}--help`);
    }
  });
});

Deno.test("an argument that is missing is named", async () => {
  await withClient(async (client) => {
    for (
      const [command, value] of [["keygen", "ID"], ["bundle", "HASH|FILE"], ["anchors", "HASH"]]
    ) {
      const { code, stderr } = await client.run([command!]);
      assert.equal(code, 2);
      assert.equal(
        stderr,
        `countersign: Missing \`${value}\`.\nSee: countersign ${command} --help`,
      );
    }
  });
});

Deno.test("a wrong command line exits 2", async () => {
  await withClient(async (client) => {
    const hash = "ab".repeat(32);
    for (
      const args of [
        ["status", "ab"],
        ["status", `${hash}00`],
        ["status", `0x${hash}`],
        ["status", hash, hash],
        ["verify"],
        ["verify-proof"],
        ["stamp"],
        ["stamp", "-", "-"],
        ["stamp", "a", "--no-wait", "--save"],
        ["stamp", "a", "--no-wait", "--wait-batched"],
        ["stamp", "a", "--timeout", "0"],
        ["log"],
        ["log", "consistency", "0", "1"],
        ["log", "consistency", "1"],
        ["log", "sth", "-1"],
        ["log", "sth", "9007199254740992"],
        ["config", "--output", "xml"],
        ["config", "--gateway", "ftp://example"],
        ["config", "--gateway", "http://user:secret@example"],
        ["config", "--gateway", "no url"],
        ["nothing"],
      ]
    ) {
      const { code, stdout, stderr } = await client.run(args);
      assert.equal(code, 2, args.join(" "));
      assert.equal(stdout, "", args.join(" "));
      assert.match(stderr, /^countersign: /, args.join(" "));
      assert.doesNotMatch(stderr, /secret/);
    }
  });
});

Deno.test("an empty name of a file or folder is refused, and is not the current folder", async () => {
  await withClient(async (client) => {
    await client.write("file", "content");
    for (
      const args of [
        ["verify", ""],
        ["verify", "file", ""],
        ["verify", "file", "--proof="],
        ["verify", "file", "--manifest", ""],
        ["verify", "file", "--network-config", ""],
        ["verify-proof", ""],
        ["verify-proof", "file", "--mirror", ""],
        ["upgrade", ""],
        ["bundle", ""],
        ["stamp", ""],
        ["stamp", "--save", "--", ""],
        ["stamp", "--checksums", ""],
        ["stamp", "file", "--manifest", ""],
        ["serve", "--data", ""],
        ["serve", "--config", ""],
        ["fsck", "--data", ""],
        ["backup", "--data", "file", "--to", ""],
        ["publish", "--from", "http://127.0.0.1:1", "--to", ""],
        ["mirror", "--from", "http://127.0.0.1:1", "--to", ""],
      ]
    ) {
      const { code, stdout, stderr } = await client.run(args);
      assert.deepEqual([code, stdout], [2, ""], args.join(" "));
      assert.match(stderr, /An empty name is no file or folder/, args.join(" "));
    }
  });
});

Deno.test("in JSON a wrong command line is one document on standard output", async () => {
  await withClient(async (client) => {
    assertFailed(await client.run(["status", "zz", "--output", "json"]), "usage", 2);
    assertFailed(await client.run(["--output=json", "status", "zz"]), "usage", 2);
    const finished = await client.run(["--output", "json", "stmp"]);
    assertFailed(finished, "usage", 2);
    assert.equal(finished.stderr, "");
  });
});

Deno.test("global options stand before or after the command", async () => {
  await withClient(async (client) => {
    const url = "http://127.0.0.1:1/";
    for (
      const args of [
        ["--output", "json", "--gateway", url, "config"],
        ["config", "--output", "json", "--gateway", url],
        ["--output=json", "config", `--gateway=${url}`],
      ]
    ) assertFailed(await client.run(args), "gateway_unreachable");
  });
});

Deno.test("a failure is one line on standard error, and a hint where there is one", async () => {
  await withClient(async (client) => {
    const { code, stdout, stderr } = await client.run(["config"]);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.equal(stderr.split("\n").length, 2);
    assert.match(stderr, /^countersign: Cannot /);
  });
});

Deno.test("completion prints scripts, and completes commands, options and files", async () => {
  await withClient(async (client) => {
    for (const shell of ["bash", "zsh", "fish", "pwsh", "nu"]) {
      const { code, stdout } = await client.run(["completion", shell]);
      assert.equal(code, 0, shell);
      assert.match(stdout, /countersign/, shell);
    }
    const complete = async (...words: string[]) => {
      const { code, stdout } = await client.run(["completion", "bash", ...words]);
      assert.equal(code, 0);
      return stdout.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    };
    assert.deepEqual(await complete("ver"), ["verify", "verify-proof"]);
    assert.deepEqual(await complete("stamp", "--wait"), ["--wait-batched"]);
    assert.deepEqual(await complete("config", "--output", "j"), ["json"]);
    assert.deepEqual(await complete("config", "--output", ""), ["text", "json"]);
    assert.ok((await complete("stamp", "--he")).includes("--help"));
    assert.ok((await complete("stamp", "rep")).some((line) => line.startsWith("__FILE__")));
    assert.ok((await complete("stamp", "--h")).includes("--hash"));
  });
});

Deno.test("control characters of a gateway are escaped", async () => {
  await withClient(async (client) => {
    const { code, stderr } = await client.run(["verify", "a\u001b[2Jb\u202ec"]);
    assert.equal(code, 1);
    assert.ok(!stderr.includes("\u001b") && !stderr.includes("\u202e"));
    assert.match(stderr, /\\u001b\[2Jb\\u202ec/);
  });
});

Deno.test("operators' commands receive their defaults and options", async () => {
  await withClient(async (client) => {
    const made = await client.runJson(["keygen", "net.example/w1", "--out", "w1.key"]);
    assert.equal(made.code, 0);
    assert.match(await client.read("w1.key"), /^PRIVATE\+KEY\+net\.example\/w1\+/);
    assertFailed(
      await client.runJson(["keygen", "net.example/w1", "--out", "w1.key"]),
      "file_failed",
    );
    const named = ["--id", "net.example", "--witnesses", "4", "--threshold", "3"];
    assert.equal((await client.run(["init", ...named, "--out", "named"])).code, 0);
    assert.equal(JSON.parse(await client.read("named/network.json")).threshold, 3);
    assert.equal((await client.run(["init"])).code, 0);
    const { witnesses } = JSON.parse(await client.read("countersign-network/network.json"));
    assert.equal(witnesses.length, 3);
    assertFailed(await client.runJson(["witness", "none.json"]), "configuration_missing");
    assertFailed(await client.runJson(["serve", "--config", "none.json"]), "configuration_missing");
  });
});

Deno.test("a line that does not parse is answered with what to write", async () => {
  await withClient(async (client) => {
    for (
      const [args, message] of [
        [["frobnicate"], 'Unknown command: "frobnicate".'],
        [["--frob"], 'Unexpected option or argument: "--frob".'],
        [["log"], "Name a subcommand of log: sth, consistency, proof, contradictions."],
        [["status", "--gateway", "localhost:8080"], "; write http://localhost:8080"],
        [["anchors", "a.txt"], "as sha256sum prints of a file"],
      ] as const
    ) {
      const { code, stderr } = await client.run(args);
      assert.equal(code, 2);
      assert.ok(stderr.includes(message), stderr);
    }
  });
});
