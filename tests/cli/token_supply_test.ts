import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withChangeLock } from "../../src/server/change_lock.ts";
import { TokenSupply } from "../../src/cli/token_supply.ts";
import { supplyOwners } from "../../src/cli/token_supply_file.ts";
import { systemClock } from "../../src/base/clock.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { encodeTokenText, type Token } from "../../src/proof/format/privacy_pass.ts";
import { replaceFile } from "../../src/server/replaced_file.ts";
import { FakeClock } from "../fake_clock.ts";
import { inFolder } from "../server/captured_io.ts";

const ID = "Log.example/supply";
const GATEWAY = "https://log.example/";
const OWNER = { gateway: GATEWAY, networkId: ID };
/** With the beginning of the SHA-256 of the URL. */
const FILE = "%4cog.example%2fsupply@2519791d51b722044ff1467f250d3862.json";

/** A token of number `n`, which nobody has signed. */
function token(n: number): string {
  const one: Token = {
    nonce: new Uint8Array(32).fill(n),
    challengeDigest: new Uint8Array(32),
    tokenKeyId: new Uint8Array(32),
    authenticator: new Uint8Array(256),
  };
  return encodeTokenText(one);
}

/** The text of a file with `tokens`, in which `members` are replaced. */
function supplyText(tokens: readonly unknown[], members: Record<string, unknown> = {}): string {
  return JSON.stringify({ version: 1, gateway: GATEWAY, network_id: ID, tokens, ...members });
}

const tokens = (...numbers: number[]) => numbers.map((n) => ({ token: token(n) }));

Deno.test("take() returns the oldest tokens, and giveBack() returns them to the front", () =>
  inFolder(async (home) => {
    const supply = new TokenSupply(home, OWNER, systemClock);
    assert.equal(await supply.count(), 0);
    assert.deepEqual(await supply.take(3), []);
    assert.deepEqual(await supplyOwners(home), []);
    await supply.add(tokens(1, 2, 3));
    await supply.add(tokens(4));
    assert.equal(await supply.count(), 4);
    assert.deepEqual(await supply.take(2), tokens(1, 2));
    await supply.giveBack(tokens(2));
    assert.deepEqual(await new TokenSupply(home, OWNER, systemClock).take(9), tokens(2, 3, 4));
    assert.equal(await supply.count(), 0);
    assert.deepEqual(await supplyOwners(home), [OWNER]);
  }));

Deno.test("expired tokens are removed from the file", () =>
  inFolder(async (home) => {
    const clock = new FakeClock(1000);
    const supply = new TokenSupply(home, OWNER, clock);
    const [one, two, three] = [token(1), token(2), token(3)];
    await supply.add([{ token: one, notAfter: 1010 }, { token: two }, {
      token: three,
      notAfter: 1020,
    }]);
    clock.jump(9_999);
    assert.equal(await supply.count(), 3);
    clock.jump(1);
    assert.equal(await supply.count(), 2);
    assert.ok(!(await Deno.readTextFile(join(home, "tokens", FILE))).includes(one));
    clock.jump(10_000);
    assert.deepEqual(await supply.take(5), [{ token: two }]);
  }));

Deno.test("supply files are private under any umask, and replaced by rename", () =>
  inFolder(async (home) => {
    const supply = new TokenSupply(home, OWNER, systemClock);
    await supply.add(tokens(1));
    const path = join(home, "tokens", FILE);
    const modeOf = async (path: string) => (await Deno.stat(path)).mode! & 0o777;
    assert.equal(await modeOf(path), 0o600);
    assert.equal(await modeOf(join(home, "tokens")), 0o700);
    await Deno.chmod(path, 0o644);
    await supply.add(tokens(2));
    assert.equal(await modeOf(path), 0o600);
    const names = [];
    for await (const { name } of Deno.readDir(join(home, "tokens"))) names.push(name);
    assert.deepEqual(names, [FILE]);
  }));

Deno.test("a damaged supply is refused and not changed", () =>
  inFolder(async (home) => {
    const supply = new TokenSupply(home, OWNER, systemClock);
    await supply.add(tokens(1));
    const path = join(home, "tokens", FILE);
    const cases = [
      ["", "malformed_configuration"],
      ["{}", "malformed_configuration"],
      [supplyText([{ token: token(1), x: 1 }]), "malformed_configuration"],
      [supplyText([{ token: token(1), shown_for: "00" }]), "malformed_configuration"],
      [supplyText([{ token: "AAE" }]), "token_invalid"],
      [supplyText([], { gateway: "https://other.example/" }), "malformed_configuration"],
      [supplyText([], { network_id: "other.example" }), "malformed_configuration"],
      [supplyText([], { version: 2, more: 1 }), "format_unsupported"],
    ] as const;
    for (const [text, code] of cases) {
      await Deno.writeTextFile(path, text);
      await assert.rejects(supply.take(1), { code });
      await assert.rejects(supply.add(tokens(2)), { code });
      assert.equal(await Deno.readTextFile(path), text);
    }
  }));

Deno.test("tokens belong to one gateway and one network", () =>
  inFolder(async (home) => {
    const supply = new TokenSupply(home, OWNER, systemClock);
    await supply.add(tokens(1, 2));
    for (
      const owner of [
        { gateway: "https://other.example/", networkId: ID },
        { gateway: GATEWAY, networkId: "other.example" },
      ]
    ) {
      const other = new TokenSupply(home, owner, systemClock);
      assert.deepEqual(await other.take(2), []);
      await other.add(tokens(3));
    }
    assert.deepEqual(await supply.take(9), tokens(1, 2));
    assert.equal((await supplyOwners(home)).length, 3);
  }));

Deno.test("a token that a gateway has seen is not taken for another hash", () =>
  inFolder(async (home) => {
    const supply = new TokenSupply(home, OWNER, systemClock);
    await supply.add(tokens(1, 2));
    const [one] = await supply.take(1);
    const shown = { ...one!, shownFor: "ab".repeat(32) };
    await supply.giveBack([shown]);
    assert.equal(await supply.count(), 2);
    assert.deepEqual(await supply.take(2), tokens(2));
    assert.deepEqual(await supply.takeShown(), [shown]);
    assert.equal(await supply.count(), 0);
  }));

Deno.test("take() returns each token once across processes", () =>
  inFolder(async (home) => {
    const supply = new TokenSupply(home, OWNER, systemClock);
    const all = Array.from({ length: 60 }, (_, i) => token(i));
    await supply.add(all.map((token) => ({ token })));
    const script = fileURLToPath(new URL("token_taker.ts", import.meta.url));
    const config = fileURLToPath(new URL("../deno.json", import.meta.url));
    const takers = [1, 2].map(() =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--no-prompt",
          "--no-check",
          "-A",
          "--config",
          config,
          script,
          home,
          GATEWAY,
          ID,
        ],
      }).output()
    );
    const taken: string[] = [];
    for (let rest = 20; rest > 0; rest--) {
      taken.push(...(await supply.take(1)).map(({ token }) => token));
    }
    for (const { success, stdout, stderr } of await Promise.all(takers)) {
      assert.ok(success, new TextDecoder().decode(stderr));
      taken.push(...new TextDecoder().decode(stdout).split("\n").filter((line) => line !== ""));
    }
    assert.deepEqual(taken.toSorted(), all.toSorted());
  }));

Deno.test("the lock of a killed process is taken over, and its owner then repeats its change", () =>
  inFolder(async (home) => {
    const path = join(home, "supply.held");
    await Deno.writeTextFile(path, "of a killed process 7");
    let count = 0;
    const increase = async (confirm: () => Promise<void>) => {
      const before = count;
      await confirm();
      count = before + 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => withChangeLock(path, increase, 200)));
    assert.equal(count, 5);

    let runs = 0;
    await withChangeLock(path, async (confirm) => {
      if (++runs === 1) {
        await Deno.remove(path);
        await withChangeLock(path, increase);
      }
      await increase(confirm);
    });
    assert.deepEqual([runs, count], [2, 7]);
    await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
  }));

Deno.test("a lock that its owner renews is not taken over", () =>
  inFolder(async (home) => {
    const path = join(home, "supply.held");
    const waited = Promise.withResolvers<void>();
    const order: string[] = [];
    const first = withChangeLock(path, async (confirm) => {
      await waited.promise;
      await confirm();
      order.push("first");
    }, 100);
    while (await Deno.readTextFile(path).catch(() => "") === "") await systemClock.sleep(1);
    const second = withChangeLock(path, () => Promise.resolve(order.push("second")), 3_000);
    // The owner renews it every few milliseconds, so it is lost only if this process stops for seconds.
    await systemClock.sleep(3_600);
    waited.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(order, ["first", "second"]);
  }));

Deno.test("a failed replacement leaves the supply as it was", () =>
  inFolder(async (home) => {
    const path = join(home, "file");
    await replaceFile(path, "old", 0o600);
    const lost = () => Promise.reject(new CountersignError("data_in_use", "lost"));
    await assert.rejects(replaceFile(path, "new", 0o600, lost), { code: "data_in_use" });
    assert.equal(await Deno.readTextFile(path), "old");
    assert.deepEqual((await Array.fromAsync(Deno.readDir(home))).length, 1);
  }));
