import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { CountersignError, hasCode } from "../../../src/base/errors.ts";
import { parseLogHistories } from "../../../src/proof/format/log_histories.ts";
import { parseNote } from "../../../src/proof/format/note.ts";
import { isOpen } from "../../../src/logs/monitor/findings.ts";
import { MAX_FORKS } from "../../../src/logs/monitor/histories.ts";
import { logKeysOf } from "../../../src/logs/publishing/checkpoint_rule.ts";
import { verifyLogHistories } from "../../../src/proof/verify/log_histories.ts";
import { nativeCrypto } from "../../schemes.ts";
import { CosignedLog, forkOf, ORIGIN, Place, World } from "./monitored_world.ts";

function unreachable(message = "no answer"): CountersignError {
  return new CountersignError("gateway_unreachable", message);
}

/** Requires that the evidence of `world` proves `count` forks. */
async function requireProved(world: World, count: number): Promise<void> {
  const files = [...world.store.evidence.entries()].filter(([name]) => !name.includes("mismatch"));
  assert.equal(files.length, count);
  for (const [, text] of files) {
    const { policy } = world;
    const keys = { policy, logKeys: logKeysOf(policy, ORIGIN) };
    const read = parseLogHistories(text, "malformed_text");
    const { valid, reason } = await verifyLogHistories(nativeCrypto, () => keys, read);
    assert.equal(valid, true, String(reason));
  }
}

Deno.test("a log that grows honestly causes no finding, across restarts", async () => {
  const { log } = new World();
  // Level 0 of the tree has the leaf hashes.
  const hash = (await log.tile({ level: 0, index: 0, width: 4 }))!.slice(96).toHex();
  const honest = new World({ maxAgeSeconds: 600, watch: [{ hash, index: 3 }, { hash: sha(7) }] });
  const mirror = new Place("mirror", honest.log);
  const witness = new Place("w1", honest.log);
  honest.places.push(mirror);
  honest.witnesses.push(witness);
  for (let head = 0; head < 40; head++) {
    // The mirror and the witness are behind.
    if (head % 3 === 0) await mirror.freeze();
    if (head % 4 === 0) await witness.freeze();
    honest.log.grow([0, 1, 7, 255, 256, 513][head % 6]!);
    if (head % 5 === 0) honest.restart();
    await honest.poll();
  }
  assert.deepEqual(honest.findings, []);
  assert.deepEqual(honest.alerts, []);
  assert.equal(JSON.parse(honest.store.text!).logs[0].watched[1].index, 7);
});

/** SHA-256 of entry `index`. */
function sha(index: number): string {
  return createHash("sha256").update(`entry ${index} ${"x".repeat(index % 40)}`).digest("hex");
}

Deno.test("a fork between two views is alerted once, with evidence that proves it", async () => {
  for (const [from, size] of [[200, 300], [200, 350], [256, 270], [299, 900]]) {
    const world = new World();
    world.places.push(new Place("mirror", forkOf(world, from!, size!)));
    await world.poll(3);
    world.log.grow(20);
    world.restart();
    await world.poll(3);
    assert.deepEqual(world.said, ["fork mirror opened"], `${from} ${size}`);
    await requireProved(world, 1);
    assert.ok(world.findings.some(isOpen));
  }
});

Deno.test("a rewritten history in the only view is found; after acknowledgement the monitor continues", async () => {
  const world = new World();
  const [operator] = world.places;
  await world.poll(2);
  operator!.log = forkOf(world, 100, 400);
  await world.poll(5);
  assert.deepEqual(world.said, ["fork operator opened"]);
  await requireProved(world, 1);
  const { id } = world.findings[0]!;
  world.store.acknowledged.set(id, { id, note: "known" });
  world.restart();
  await world.poll(2);
  assert.equal(world.store.acknowledged.size, 0);
  assert.equal(world.findings.find((one) => one.id === id)!.note, "known");
  assert.ok(!world.findings.some(isOpen));
  // It follows the new history, and finds the next rewrite.
  operator!.log.grow(50);
  await world.poll(2);
  assert.equal(JSON.parse(world.store.text!).logs[0].checkpoint.split("\n")[1], "450");
  operator!.log = new CosignedLog(world.clock, [[100, ""], [400, "third "]]);
  await world.poll(3);
  assert.deepEqual(world.said, ["fork operator opened", "fork operator opened"]);
  await requireProved(world, 2);
});

Deno.test("a view that forks repeatedly does not fill the disk or the state", async () => {
  const world = new World();
  const mirror = new Place("mirror", world.log);
  world.places.push(mirror);
  for (let fork = 0; fork < 20; fork++) {
    mirror.log = new CosignedLog(world.clock, [[100, ""], [200, `fork ${fork} `]]);
    await world.poll(1);
    mirror.log = world.log;
    await world.poll(1);
  }
  assert.equal(world.findings.length, MAX_FORKS);
  await requireProved(world, MAX_FORKS);
});

Deno.test("the same size with another root is a fork", async () => {
  const world = new World();
  await world.poll(1);
  world.places[0]!.log = forkOf(world, 299, 300);
  await world.poll(3);
  assert.deepEqual(world.said, ["fork operator opened"]);
  await requireProved(world, 1);
});

Deno.test("a smaller tree is alerted after the grace period, and its end is alerted too", async () => {
  const world = new World();
  await world.poll(1);
  world.log.rewind(200);
  await world.poll(4);
  assert.deepEqual(world.said, []);
  await world.poll(4);
  assert.deepEqual(world.said, ["shrunk operator opened"]);
  world.log.rewind(300);
  await world.poll(2);
  assert.deepEqual(world.said, ["shrunk operator opened", "shrunk operator ended"]);
});

Deno.test("an entry or a tile that is rewritten under the same head is found", async () => {
  for (const level of ["entries", 0] as const) {
    const world = new World();
    await world.poll(3);
    world.places[0]!.change = (address, bytes) => {
      if (address.level === level && address.index === 0) bytes[5]! ^= 1;
      return bytes;
    };
    await world.poll(4);
    world.restart();
    await world.poll(4);
    assert.deepEqual(world.said, ["mismatch operator opened"], String(level));
    const [evidence] = world.store.evidence.values();
    assert.equal(JSON.parse(evidence!).origin, ORIGIN);
  }
  const world = new World();
  await world.poll(1);
  world.places[0]!.change = (address, bytes) => {
    if (address.level === 0 && address.index === 1) bytes[0]! ^= 1;
    return bytes;
  };
  await world.poll(3);
  assert.deepEqual(world.said, ["mismatch operator opened"]);
});

Deno.test("bytes damaged once in transit cause no finding", async () => {
  const world = new World();
  let isDamaged = false;
  world.places[0]!.change = (_, bytes) => {
    if (isDamaged) bytes[0]! ^= 1;
    isDamaged = false;
    return bytes;
  };
  await world.poll(1);
  for (let i = 0; i < 10; i++) {
    isDamaged = true;
    await world.poll(1);
  }
  assert.deepEqual(world.findings.filter(({ kind }) => kind === "mismatch"), []);
});

Deno.test("a missing entry bundle is an outage, and the others are still read", async () => {
  const world = new World({ bundlesPerPoll: 1 });
  world.log.grow(700);
  world.places[0]!.change = ({ level, index }, bytes) => {
    if (level !== "entries" || index === 0) return level === "entries" ? undefined : bytes;
    if (index === 2) bytes[9]! ^= 1;
    return bytes;
  };
  await world.poll(20);
  assert.deepEqual(world.said.slice(0, 2), ["outage operator opened", "outage operator ended"]);
  assert.ok(world.said.some((one) => one === "mismatch operator opened"));
});

Deno.test("bundles are read in groups; a missing one delays only its group", async () => {
  const watch = [{ hash: sha(2_100) }];
  const world = new World({ bundlesPerPoll: 10, watch, graceSeconds: 60 });
  world.log.grow(10 * 256 - 300);
  world.places[0]!.change = ({ level, index }, bytes) =>
    level === "entries" && index === 9 ? undefined : bytes;
  const log = () => JSON.parse(world.store.text!).logs[0];
  await world.poll();
  assert.equal(log().next_bundle, 8);
  // It is in bundle 8, beside the missing one.
  assert.equal(log().watched[0].index, 2_100);
  await world.poll();
  assert.equal(log().next_bundle, 8);
  assert.deepEqual(world.said, ["outage operator opened"]);
  await world.poll();
  assert.equal(log().next_bundle, 10);
});

Deno.test("watched entries of one bundle are read with one request", async () => {
  const watch = [20, 21, 255].map((index) => ({ hash: sha(index), index }));
  const world = new World({ watch, bundlesPerPoll: 0 });
  await world.poll();
  assert.equal(world.log.requested.filter((path) => path === "entries/0/256").length, 1);
  assert.deepEqual(world.said, []);
});

Deno.test("a watched hash that its view does not show any more is lost", async () => {
  const world = new World({ watch: [{ hash: sha(20), index: 20 }] });
  await world.poll(2);
  assert.deepEqual(world.said, []);
  world.places[0]!.change = (address, bytes) => {
    if (address.level === "entries" && address.index === 0) bytes[30]! ^= 1;
    return bytes;
  };
  await world.poll(3);
  assert.ok(world.said.some((one) => one === "lost operator opened"));
  const other = new World({
    watch: [{ hash: sha(21), index: 20 }, { hash: sha(9), index: 5_000 }],
  });
  await other.poll(3);
  assert.deepEqual(other.said, ["lost operator opened", "lost operator opened"]);
});

Deno.test("a watched hash without an index is searched, and absent until the log has it", async () => {
  const world = new World({
    watch: [{ hash: sha(1_100) }, { hash: sha(310) }],
    bundlesPerPoll: 1,
  });
  world.log.grow(700);
  await world.poll(3);
  assert.deepEqual(world.said, []);
  await world.poll(3);
  assert.deepEqual(world.said, ["absent - opened"]);
  const { watched } = JSON.parse(world.store.text!).logs[0];
  assert.equal(watched[1].index, 310);
  world.log.grow(200);
  await world.poll(6);
  assert.deepEqual(world.said, ["absent - opened", "absent - ended"]);
});

Deno.test("a head is stale once the quorum's cosignatures are too old", async () => {
  const world = new World({ maxAgeSeconds: 600 });
  world.places.push(new Place("mirror", world.log));
  await world.poll(1);
  await world.places[1]!.freeze();
  await world.poll(10);
  assert.deepEqual(world.said, []);
  await world.poll(20);
  assert.deepEqual(world.said, ["stale mirror opened"]);
  world.places[1]!.shown = undefined;
  await world.poll(1);
  assert.deepEqual(world.said, ["stale mirror opened", "stale mirror ended"]);
});

Deno.test("a new cosignature of one witness does not make an old head fresh", async () => {
  const world = new World({ maxAgeSeconds: 600 });
  const [operator] = world.places;
  await operator!.freeze();
  const frozen = operator!.shown!;
  for (let i = 0; i < 14; i++) {
    operator!.shown = frozen + await world.log.cosign(parseNote(frozen).text, 0);
    await world.poll();
  }
  assert.deepEqual(world.said, ["stale operator opened"]);
});

Deno.test("cosignatures below the policy are alerted after the grace period, and not a single missing one", async () => {
  const world = new World();
  world.log.cosigners = 2;
  await world.poll(10);
  assert.deepEqual(world.findings, []);
  world.log.cosigners = 1;
  world.log.grow(5);
  await world.poll(3);
  assert.deepEqual(world.said, []);
  await world.poll(4);
  assert.deepEqual(world.said, ["below_policy operator opened"]);
  // It still follows the log.
  assert.equal(JSON.parse(world.store.text!).logs[0].checkpoint.split("\n")[1], "305");
  world.log.cosigners = 2;
  await world.poll(1);
  assert.deepEqual(world.said.slice(1), ["below_policy operator ended"]);
});

Deno.test("a head without the log's signature is neither followed nor an outage", async () => {
  const world = new World();
  await world.poll(1);
  world.places[0]!.shown = (await world.log.checkpoint()).replace(/^(— key\S+ \S{9})./m, "$1x");
  await world.poll(8);
  assert.deepEqual(world.said, ["unverified operator opened"]);
});

Deno.test("errors, silence and garbage are an outage and never tampering", async () => {
  const outages: readonly ((place: Place) => void)[] = [
    (place) => place.fault = unreachable(),
    (place) => place.fault = new CountersignError("gateway_refused", "status 500"),
    (place) => place.shown = "<html><body>Service unavailable</body></html>",
    (place) => place.shown = "",
    (place) => place.shown = "\u0000\u0001",
    (place) => place.checkpoint = () => Promise.resolve(undefined),
    (place) => place.change = () => undefined,
    (place) => place.change = (_, bytes) => bytes.slice(1),
    (place) => place.change = ({ level }, bytes) => level === "entries" ? bytes.slice(1) : bytes,
  ];
  for (const [i, begin] of outages.entries()) {
    const world = new World();
    await world.poll(1);
    const place = new Place("operator", world.log);
    begin(place);
    world.places[0] = place;
    world.restart();
    await world.poll(5);
    assert.deepEqual(world.said, [], `outage ${i}`);
    world.restart();
    await world.poll(5);
    assert.deepEqual(world.said, ["outage operator opened"], `outage ${i}`);
    world.places[0] = new Place("operator", world.log);
    world.log.grow(3);
    world.restart();
    await world.poll(2);
    assert.deepEqual(world.said.slice(1), ["outage operator ended"], `outage ${i}`);
  }
});

Deno.test("an outage that returns within the hour is the same finding", async () => {
  const world = new World();
  const [operator] = world.places;
  for (let i = 0; i < 4; i++) {
    operator!.fault = unreachable();
    await world.poll(8);
    operator!.fault = undefined;
    await world.poll(8);
  }
  assert.deepEqual(world.said, ["outage operator opened", "outage operator ended"]);
  await world.poll(70);
  operator!.fault = unreachable();
  await world.poll(8);
  assert.equal(world.said.at(-1), "outage operator opened");
  assert.equal(world.said.length, 3);
});

Deno.test("a witness whose head contradicts the log is a fork", async () => {
  for (const size of [250, 300]) {
    const world = new World();
    world.witnesses.push(new Place("w1", forkOf(world, 100, size)));
    await world.poll(4);
    assert.deepEqual(world.said, ["fork w1 opened"], String(size));
    await requireProved(world, 1);
  }
});

Deno.test("a witness's larger head is kept until the log shows its tree, and compared then", async () => {
  const world = new World();
  const witness = new Place("w1", forkOf(world, 290, 320));
  await witness.freeze();
  world.witnesses.push(witness);
  await world.poll(2);
  assert.deepEqual(world.said, []);
  // The witness forgets what it cosigned; the monitor does not.
  witness.log = world.log;
  witness.shown = undefined;
  await world.poll(6);
  assert.deepEqual(world.said, ["withheld w1 opened", "shrunk w1 opened"]);
  world.log.grow(100);
  world.restart();
  await world.poll(1);
  assert.ok(world.said.some((one) => one === "fork w1 opened"));
  await requireProved(world, 1);
});

Deno.test("a witness that is briefly ahead of the log causes no finding", async () => {
  const world = new World();
  const ahead = new CosignedLog(world.clock, [[340, ""]]);
  world.witnesses.push(new Place("w1", ahead));
  await world.poll(2);
  world.log.grow(40);
  await world.poll(8);
  assert.deepEqual(world.alerts, []);
  assert.deepEqual(world.findings, []);
});

Deno.test("a clock jump is a finding, and neither ages heads nor shortens the grace period", async () => {
  const world = new World({ maxAgeSeconds: 600 });
  const stop = new AbortController();
  const running = (await world.monitor()).run(stop.signal);
  await world.clock.advance(600_000);
  world.places[0]!.fault = unreachable();
  await world.clock.advance(100_000);
  world.clock.jump(86_400_000);
  await world.clock.advance(60_000);
  assert.deepEqual(world.said, ["clock - opened"]);
  world.places[0]!.fault = undefined;
  await world.clock.advance(60_000);
  assert.deepEqual(world.said, ["clock - opened", "clock - ended"]);
  await world.clock.advance(7_200_000);
  world.clock.jump(-86_400_000);
  await world.clock.advance(120_000);
  assert.deepEqual(world.said.slice(2), ["clock - opened", "clock - ended"]);
  stop.abort();
  await running;
  // While the clock is behind that of the witnesses, their times prove no age.
  world.log.aheadSeconds = 3_600;
  await world.poll(2);
  assert.deepEqual(world.said.slice(4), ["clock operator opened"]);
});

Deno.test("without a quorum, the age of a head is the time since it changed, without clock jumps", async () => {
  const world = new World({ maxAgeSeconds: 600, quorum: "none" });
  const stop = new AbortController();
  const running = (await world.monitor()).run(stop.signal);
  await world.places[0]!.freeze();
  await world.clock.advance(300_000);
  world.clock.jump(86_400_000);
  await world.clock.advance(240_000);
  assert.deepEqual(world.said, ["clock - opened", "clock - ended"]);
  await world.clock.advance(240_000);
  assert.deepEqual(world.said.slice(2), ["stale operator opened"]);
  stop.abort();
  await running;
});

Deno.test("a webhook that was down gets every alert later, once", async () => {
  const world = new World();
  world.receives = false;
  world.places.push(new Place("mirror", forkOf(world, 200, 300)));
  await world.poll(10);
  world.restart();
  await world.poll(2);
  assert.deepEqual(world.said, []);
  world.receives = true;
  await world.poll(3);
  assert.deepEqual(world.said, ["fork mirror opened"]);
});

Deno.test("with a full disk, the failure is reported and alerts are still sent", async () => {
  const world = new World();
  await world.poll(1);
  world.store.isFull = true;
  world.places[0]!.fault = unreachable();
  await world.poll(12);
  assert.deepEqual(world.said, ["outage operator opened"]);
  assert.match(world.reports[0]!, /disk full.*a restart would repeat them/);
  world.places.push(new Place("mirror", forkOf(world, 200, 300)));
  world.store.text = undefined;
  world.restart();
  world.places[0]!.fault = undefined;
  await world.poll(3);
  assert.deepEqual(world.said.slice(1), ["fork mirror opened"]);
  assert.equal(JSON.parse(world.alerts[1]!.text).data.evidence, "not kept: disk full");
});

Deno.test("a damaged state is refused with instructions, and so is one of a newer program", async () => {
  const world = new World();
  await world.poll(1);
  const text = world.store.text!;
  const damages = [
    "",
    text.slice(0, -40),
    text.replace(`"since"`, `"sinse"`),
    text.replace(/(Log of example.org\\n)\d+/, "$1x"),
  ];
  for (const damaged of damages) {
    assert.notEqual(damaged, text);
    world.store.text = damaged;
    await assert.rejects(world.monitor(), (error) => {
      assert.ok(hasCode(error, "store_corrupt"));
      assert.match(error.message, /"state\.json": it is damaged.*backup/);
      return true;
    });
  }
  world.store.text = text.replace(`"version": 1`, `"version": 2`);
  await assert.rejects(world.monitor(), { code: "format_unsupported" });
});

Deno.test("findings about views that are not followed any more end", async () => {
  const world = new World();
  world.places.push(new Place("mirror", world.log));
  world.places[1]!.fault = unreachable();
  await world.poll(8);
  world.places.pop();
  world.restart();
  await world.poll(1);
  assert.deepEqual(world.said, ["outage mirror opened", "outage mirror ended"]);
});
