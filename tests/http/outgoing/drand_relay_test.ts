import assert from "node:assert/strict";
import { type Beacon, beaconTime, QUICKNET } from "../../../src/proof/crypto/drand.ts";
import { BeaconVerifier, roundAt } from "../../../src/proof/crypto/beacon_verifier.ts";
import { DrandRelays, readLatestBeacon } from "../../../src/http/outgoing/drand_relay.ts";
import { forged, QUICKNET_BEACONS, QUICKNET_TIME, TestChain } from "../../beacons.ts";
import { FakeClock } from "../../fake_clock.ts";
import { bls } from "../../schemes.ts";
import { TimeLimits } from "../../time_limits.ts";
import { served } from "./fixture.ts";

const GENESIS = 1_800_000_000;
const CHAIN = new TestChain(GENESIS);
const MAX_AGE = 30;

/** A relay's handler for one request. */
type Answer = () => Response | Promise<Response>;

function answerOf({ round, signature }: Beacon): Response {
  return Response.json({ round, randomness: "00".repeat(32), signature });
}

/** Relays of the test chain, polled by a manual clock. */
class Site {
  readonly clock: FakeClock;
  readonly chain;
  readonly reports: string[] = [];
  readonly asked: string[] = [];
  /** Real timeouts, in milliseconds, of the next requests; later requests have none. */
  readonly limitsMs: number[] = [];
  relays!: DrandRelays;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(chain: TestChain | typeof QUICKNET = CHAIN, start = GENESIS + 31) {
    this.chain = chain;
    this.clock = new FakeClock(start);
  }

  get round(): number | undefined {
    return this.relays.latest()?.round;
  }

  /** The current answer of an honest relay. */
  current(offset = 0): Response {
    const now = Math.floor(this.clock.nowMs() / 1000);
    return answerOf((this.chain as TestChain).beacon(roundAt(this.chain, now) + offset));
  }

  /** Runs `use` with these relays, after the first poll. */
  async run(answers: readonly Answer[], use: () => Promise<void>): Promise<void> {
    const urls: string[] = [];
    const serveFrom = async (place: number): Promise<void> => {
      const answer = answers[place];
      if (answer === undefined) return await this.#use(urls, use);
      await served((request) => {
        this.asked.push(`${place}${new URL(request.url).pathname}`);
        return answer();
      }, async (url) => {
        urls.push(`${url}/${place === 1 ? "below/" : ""}`);
        await serveFrom(place + 1);
      });
    };
    await serveFrom(0);
  }

  /** Advances the clock, and waits for the answers to requests sent meanwhile. */
  async pass(ms: number): Promise<void> {
    const endMs = this.clock.nowMs() + ms;
    while (this.clock.nowMs() < endMs) {
      await this.clock.advance(Math.min(250, endMs - this.clock.nowMs()));
      await this.#asleep();
    }
  }

  async #use(urls: readonly string[], use: () => Promise<void>): Promise<void> {
    using _limits = new TimeLimits((ms) => {
      assert.equal(ms, 3_000, "the time of an answer");
      return this.limitsMs.shift() ?? Infinity;
    });
    this.relays = new DrandRelays({
      relays: urls,
      verifier: new BeaconVerifier(bls, this.chain),
      maxAgeSeconds: MAX_AGE,
      clock: this.clock,
      report: (message) => this.reports.push(message),
    });
    assert.equal(this.relays.latest(), null);
    this.#running = this.relays.run(this.#stop.signal);
    try {
      await this.#asleep();
      await use();
    } finally {
      this.#stop.abort();
      await this.#running;
    }
  }

  /** Resolves when no request is pending. */
  async #asleep(): Promise<void> {
    while (this.clock.sleeping === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

Deno.test("DrandRelays asks a relay once per round, shortly after the round's time", async () => {
  const site = new Site();
  await site.run([() => site.current()], async () => {
    assert.equal(site.round, 11);
    assert.deepEqual(site.relays.latest(), CHAIN.beacon(11));
    for (let round = 12; round < 22; round++) {
      await site.pass(2_500);
      assert.equal(site.round, round - 1, "relays are given half a second");
      await site.pass(500);
      assert.equal(site.round, round);
    }
    assert.equal(site.asked.length, 11);
    assert.deepEqual([...new Set(site.asked)], [`0/${CHAIN.hash}/public/latest`]);
    assert.deepEqual(site.reports, []);
  });
});

Deno.test("DrandRelays accepts beacons of quicknet", async () => {
  const site = new Site(QUICKNET, QUICKNET_TIME + 1);
  let at = 0;
  await site.run([() => answerOf(QUICKNET_BEACONS[at]!)], async () => {
    assert.deepEqual(site.relays.latest(), QUICKNET_BEACONS[0]);
    at = 1;
    await site.pass(4_000);
    assert.deepEqual(site.relays.latest(), QUICKNET_BEACONS[1]);
  });
});

/** Answers without a newer beacon. */
const USELESS: Readonly<Record<string, (site: Site) => Response>> = {
  "an error": () => new Response("{}", { status: 500 }),
  "not found": () => new Response("{}", { status: 404 }),
  "a page": () => new Response("<html>"),
  "nothing": () => new Response(""),
  "no UTF-8": () => new Response(Uint8Array.of(0x22, 0xff, 0x22)),
  "a list": () => Response.json([]),
  "no signature": () => Response.json({ round: 11 }),
  "a round twice": () => new Response('{"round":11,"round":11,"signature":""}'),
  "a long answer": (site) =>
    new Response(site.current().body && JSON.stringify({ padding: "x".repeat(5_000) })),
  "an answer without end": () =>
    new Response(
      new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(1_000).fill(0x20)) }),
    ),
  "a forged beacon": () => answerOf(forged(CHAIN.beacon(11))),
  "another round's signature": () => answerOf({ ...CHAIN.beacon(10), round: 11 }),
  "round 0": () => answerOf(CHAIN.beacon(0)),
  "another chain's beacon": () => answerOf(QUICKNET_BEACONS[0]),
};

for (const [what, useless] of Object.entries(USELESS)) {
  Deno.test(`DrandRelays asks the next relay after ${what}`, async () => {
    const site = new Site();
    await site.run([() => useless(site), () => site.current()], async () => {
      assert.equal(site.round, 11);
      assert.deepEqual(site.asked, [
        `0/${CHAIN.hash}/public/latest`,
        `1/below/${CHAIN.hash}/public/latest`,
      ]);
      // From then on, the relay that answered is asked first.
      await site.pass(4_000);
      assert.equal(site.round, 12);
      assert.deepEqual(site.asked.slice(2), [`1/below/${CHAIN.hash}/public/latest`]);
    });
  });
}

Deno.test("DrandRelays does not follow redirects", async () => {
  const site = new Site();
  let elsewhere = 0;
  await served(() => {
    elsewhere++;
    return site.current();
  }, async (url) => {
    await site.run([() => Response.redirect(url, 302)], async () => {
      await site.pass(1_000);
      assert.equal(site.round, undefined);
    });
  });
  assert.equal(elsewhere, 0);
  assert.ok(site.asked.length > 0);
});

Deno.test("DrandRelays.latest() never returns an earlier round than before", async () => {
  const site = new Site();
  let behind = 0;
  await site.run([() => site.current(-behind)], async () => {
    await site.pass(6_000);
    const { round } = site;
    assert.equal(round, 13);
    behind = 4;
    await site.pass(6_000);
    assert.equal(site.round, round);
    behind = 0;
    await site.pass(12_000);
    assert.equal(site.round, 19);
  });
});

Deno.test("DrandRelays asks the next relay when one lags", async () => {
  const site = new Site();
  await site.run([() => site.current(-3), () => site.current()], async () => {
    await site.pass(4_000);
    assert.equal(site.round, 12);
  });
});

Deno.test("DrandRelays reports the loss of recent beacons once, and their return once", async () => {
  const site = new Site();
  let isAway = false;
  const answer = () => isAway ? new Response("{}", { status: 503 }) : site.current();
  await site.run([answer, answer], async () => {
    await site.pass(3_500);
    const last = beaconTime(CHAIN, site.round!);
    isAway = true;
    const asked = site.asked.length;
    while (site.clock.nowMs() / 1000 <= last + MAX_AGE) {
      assert.equal(site.round, 12);
      await site.pass(500);
    }
    await site.pass(1_000);
    assert.equal(site.relays.latest(), null);
    await site.pass(120_000);
    assert.equal(site.reports.length, 1);
    assert.match(
      site.reports[0]!,
      /^No beacon of test chain of the last 30 s: 127\.0\.0\.1:\d+: Cannot read beacon: the relay answered 503\./,
    );
    // Each of two relays a few times, then every 10 s.
    assert.ok(site.asked.length - asked < 2 * 25, `asked ${site.asked.length - asked} times`);
    isAway = false;
    await site.pass(10_500);
    assert.ok(site.round! > 50, `${site.round}`);
    assert.equal(site.reports.length, 2);
    assert.match(site.reports[1]!, /^Beacons of test chain are recent again, after \d+ s$/);
    // After a success, pauses are short again.
    await site.pass(10_000);
    isAway = true;
    await site.pass(4_000);
    const behind = site.round!;
    isAway = false;
    await site.pass(2_500);
    assert.ok(site.round! > behind, `still ${behind}`);
  });
});

Deno.test("DrandRelays reports once when no relay answers at the start", async () => {
  const site = new Site();
  await site.run([() => new Response("", { status: 500 })], async () => {
    await site.pass(60_000);
    assert.equal(site.reports.length, 1);
  });
});

Deno.test("DrandRelays.latest() withholds a beacon until its time", async () => {
  const site = new Site();
  const ahead = 5;
  await site.run([() => site.current(ahead)], async () => {
    assert.equal(site.relays.latest(), null);
    assert.match(site.reports.join(), /: the clock of this machine is behind\./);
    await site.pass(3_000 * ahead);
    assert.equal(site.round, 11 + ahead);
    for (let i = 0; i < 20; i++) {
      await site.pass(1_000);
      const now = site.clock.nowMs() / 1000;
      assert.ok(beaconTime(CHAIN, site.round!) <= now);
    }
    assert.ok(site.round! > 11 + ahead);
  });
});

Deno.test("DrandRelays.run() ends at once while a request is pending", async () => {
  const clock = new FakeClock(GENESIS + 30);
  const stop = new AbortController();
  const asked = Promise.withResolvers<void>();
  const never = Promise.withResolvers<Response>();
  await served(() => {
    asked.resolve();
    return never.promise;
  }, async (url) => {
    const relays = new DrandRelays({
      relays: [url],
      verifier: new BeaconVerifier(bls, CHAIN),
      maxAgeSeconds: MAX_AGE,
      clock,
      report: () => assert.fail("nothing is to be said at the end"),
    });
    const running = relays.run(stop.signal);
    await asked.promise;
    stop.abort();
    await running;
    never.resolve(new Response());
  });
});

Deno.test("DrandRelays asks the next relay after a timeout", async () => {
  const never = Promise.withResolvers<Response>();
  const site = new Site();
  site.limitsMs.push(50);
  await site.run([() => never.promise, () => site.current()], () => {
    assert.equal(site.round, 11);
    never.resolve(new Response());
    return Promise.resolve();
  });
});

Deno.test("new DrandRelays() requires https: beyond loopback", () => {
  const options = {
    verifier: new BeaconVerifier(bls),
    maxAgeSeconds: MAX_AGE,
    clock: new FakeClock(),
    report: () => {},
  };
  const relays = ["http://relay.example"];
  assert.throws(() => new DrandRelays({ ...options, relays }), { code: "invalid_configuration" });
  new DrandRelays({ ...options, relays, insecure: true });
});

Deno.test("readLatestBeacon() reads versions 1 and 2 of the API, and adds the chain hash", () => {
  const [beacon] = QUICKNET_BEACONS;
  const { round, signature } = beacon;
  for (const more of [{}, { randomness: "00" }, { previous_signature: "" }, { chain_hash: "x" }]) {
    const text = JSON.stringify({ round, signature, ...more });
    assert.deepEqual(readLatestBeacon(text, QUICKNET), beacon);
  }
});
