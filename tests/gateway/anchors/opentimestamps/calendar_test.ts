import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type Bytes, concat, hexOf, utf8 } from "../../../../src/base/bytes.ts";
import { object } from "../../../../src/proof/format/schema.ts";
import type { AnchorProof } from "../../../../src/proof/format/records.ts";
import { type JsonValue, parseStrictJson } from "../../../../src/proof/format/strict_json.ts";
import { checkedAnswer, MAX_PROOF_BYTES } from "../../../../src/gateway/anchors/answers.ts";
import { opentimestamps } from "../../../../src/gateway/anchors/opentimestamps/provider.ts";
import {
  attestationsOf,
  parseOtsProof,
} from "../../../../src/gateway/anchors/opentimestamps/format.ts";
import { verifyOpenTimestamps } from "../../../../src/gateway/anchors/opentimestamps/verify.ts";
import type { AnchorService } from "../../../../src/gateway/anchors/ports.ts";
import { FetchAnchorHttp } from "../../../../src/http/outgoing/anchor_http.ts";
import { FakeClock } from "../../../fake_clock.ts";
import { REGTEST_TARGET } from "./bitcoin_miner.ts";
import {
  bitcoinHex,
  bytesAnswer,
  forked,
  type Lie,
  pendingHex,
  TestCalendar,
} from "./test_calendar.ts";

const DIGEST = new Uint8Array(createHash("sha256").update("checkpoint").digest());
const HEIGHT = 900_000;
const TIME = 1_800_000_000;
const NEVER = new AbortController().signal;

const clock = new FakeClock(TIME);
const context = {
  http: new FetchAnchorHttp({ insecure: false }),
  clock,
  insecure: false,
  readFile: () => Promise.reject(new Error("no file is named")),
};

/** The service of a configuration's entry. */
async function configured(entry: Record<string, unknown>): Promise<AnchorService> {
  const value = parseStrictJson(JSON.stringify(entry), "malformed_configuration");
  const where = { where: "anchors[0]", code: "malformed_configuration" } as const;
  return await opentimestamps.configure(
    object(opentimestamps.members).parse(value, where),
    context,
  );
}

async function serviceOf(
  calendars: readonly TestCalendar[],
  min_calendars?: number,
): Promise<Required<AnchorService>> {
  const service = await configured({
    calendars: calendars.map(({ url }) => url),
    ...(min_calendars !== undefined && { min_calendars }),
  });
  return service as Required<AnchorService>;
}

/** `proof` as the store gives it back, having been checked as every answer is. */
async function kept(answer: AnchorProof): Promise<AnchorProof> {
  return await checkedAnswer(opentimestamps, DIGEST, answer);
}

function attested(kind: "pending" | "bitcoin", { proof }: AnchorProof) {
  return attestationsOf(kind, DIGEST, parseOtsProof(DIGEST, proof));
}

function pendingUris(proof: AnchorProof): string[] {
  return attested("pending", proof).map(({ attestation }) =>
    attestation.kind === "pending" ? attestation.uri : ""
  ).toSorted();
}

function headersFile(...headers: (readonly [number, Bytes])[]): Bytes {
  return utf8(headers.map(([height, header]) => `${height} ${hexOf(header)}\n`).join(""));
}

/** Runs with that many calendars, which are closed after it. */
async function withCalendars(
  count: number,
  run: (calendars: TestCalendar[]) => Promise<void>,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  await run(Array.from({ length: count }, () => stack.use(new TestCalendar())));
}

Deno.test("all calendars take a digest, commit it in blocks, and the proof verifies offline", () =>
  withCalendars(3, async (calendars) => {
    const [first, second, third] = calendars as [TestCalendar, TestCalendar, TestCalendar];
    const service = await serviceOf(calendars, 2);
    // Others ask them too, so that a path has a left and a right.
    await fetch(`${first.url}/digest`, { method: "POST", body: DIGEST }).then((r) =>
      r.body?.cancel()
    );
    const taken = await kept(await service.anchor(DIGEST, NEVER));
    assert.equal(taken.status, "pending");
    assert.equal(taken.timestamp, TIME);
    assert.deepEqual(pendingUris(taken), calendars.map(({ url }) => url).toSorted());

    // Nothing yet: the same one.
    assert.equal(await service.upgrade(DIGEST, taken, NEVER), taken);

    // One of the two that have to: better, and still pending since it was taken.
    const firstHeader = first.confirm(HEIGHT, TIME + 3600);
    await clock.advance(60_000);
    const better = await kept(await service.upgrade(DIGEST, taken, NEVER));
    assert.deepEqual([better.status, better.timestamp], ["pending", TIME]);
    assert.equal(attested("bitcoin", better).length, 1);
    assert.deepEqual(pendingUris(better), pendingUris(taken));

    // The one that is done is not asked again.
    const asked = first.asked.length;
    const secondHeader = second.confirm(HEIGHT + 6, TIME + 7200);
    const confirmed = await kept(await service.upgrade(DIGEST, better, NEVER));
    assert.equal(confirmed.status, "confirmed");
    assert.equal(confirmed.timestamp, TIME + 60);
    assert.equal(first.asked.length, asked);
    assert.equal(third.asked.length, 4);

    const verify = (roots: Bytes[], proof: JsonValue = confirmed.proof) =>
      verifyOpenTimestamps({ ...confirmed, proof, digest: DIGEST, roots }, REGTEST_TARGET);
    const both = headersFile([HEIGHT, firstHeader], [HEIGHT + 6, secondHeader]);
    const verdict = verify([both]);
    assert.equal(verdict.status === "verified" && verdict.notAfter, TIME + 3600 + 7200);
    const later = verify([headersFile([HEIGHT + 6, secondHeader])]);
    assert.equal(later.status === "verified" && later.notAfter, TIME + 7200 + 7200);
    // Another commitment of the same digest is another proof.
    const again = await service.anchor(DIGEST, NEVER);
    assert.equal(verify([both], again.proof).status, "failed");
  }));

Deno.test("calendars learn neither the digest nor that two commitments share it", () =>
  withCalendars(2, async (calendars) => {
    const service = await serviceOf(calendars);
    const proofs = [await service.anchor(DIGEST, NEVER), await service.anchor(DIGEST, NEVER)];
    const sent = calendars.flatMap(({ digests }) => digests.map(hexOf));
    assert.equal(sent.length, 4);
    assert.ok(!sent.includes(hexOf(DIGEST)));
    assert.equal(new Set(sent).size, 2);
    for (const { proof } of proofs) {
      const [nonce] = parseOtsProof(DIGEST, proof).branches;
      assert.equal(nonce?.operation.tag, 0xf0);
      assert.equal(nonce?.operation.argument.length, 16);
      const commitment = createHash("sha256").update(concat(DIGEST, nonce!.operation.argument));
      assert.ok(sent.includes(commitment.digest("hex")));
    }
  }));

Deno.test("min_calendars calendars have to accept a digest", () =>
  withCalendars(3, async (calendars) => {
    calendars[1]!.lie = () => new Response("busy", { status: 503 });
    const two = await serviceOf(calendars, 2);
    assert.equal(pendingUris(await two.anchor(DIGEST, NEVER)).length, 2);
    const three = await serviceOf(calendars, 3);
    await assert.rejects(three.anchor(DIGEST, NEVER), {
      code: "anchor_unreachable",
      message: /2 of 3 required calendars answered: .*status 503$/,
    });
    calendars[1]!.lie = () => new Response("no", { status: 400 });
    await assert.rejects(three.anchor(DIGEST, NEVER), { code: "anchor_refused" });
  }));

/** Unknown attestations of 5,000 bytes each, which nothing is kept of. */
const BALLAST = ["01", "02"].map((tag) => `00${tag.repeat(8)}8827${"aa".repeat(5000)}`);

/** What a calendar must not be believed when it takes a commitment. */
const SUBMISSION_LIES: Readonly<Record<string, Lie>> = {
  "nothing": () => bytesAnswer(""),
  "words": () => new Response("<html>Welcome to this hotel's network</html>"),
  "a file in place of a timestamp": async (honest) =>
    bytesAnswer(`004f70656e54696d657374616d7073${hexOf(await bytesOf(honest))}`),
  "a timestamp and more": async (honest) => bytesAnswer(`${hexOf(await bytesOf(honest))}00`),
  "a foreign calendar": () => bytesAnswer(pendingHex("https://calendar.example")),
  "its own path on another port": (_, { url }) => bytesAnswer(pendingHex(`${url}1`)),
  "a path below its own": (_, { url }) => bytesAnswer(pendingHex(`${url}/digest`)),
  "a block at once": () => bytesAnswer(bitcoinHex(HEIGHT)),
  "itself twice": (_, { url }) => bytesAnswer(forked(pendingHex(url), `08${pendingHex(url)}`)),
  "a path of 255 steps": (_, { url }) => bytesAnswer("08".repeat(255) + pendingHex(url)),
  "a path of 2,000 bytes": (_, { url }) =>
    bytesAnswer(`f0d00f${"aa".repeat(2000)}${pendingHex(url)}`),
  "more than 10,000 bytes": (_, { url }) => bytesAnswer(forked(...BALLAST, pendingHex(url))),
};

async function bytesOf(response: Response): Promise<Bytes> {
  return new Uint8Array(await response.arrayBuffer());
}

for (const [name, lie] of Object.entries(SUBMISSION_LIES)) {
  Deno.test(`submit() refuses ${name} and keeps the answers of other calendars`, () =>
    withCalendars(2, async ([liar, honest]) => {
      liar!.lie = lie;
      await assert.rejects(
        serviceOf([liar!]).then((service) => service.anchor(DIGEST, NEVER)),
        { code: "anchor_refused" },
      );
      const service = await serviceOf([liar!, honest!]);
      assert.deepEqual(pendingUris(await service.anchor(DIGEST, NEVER)), [honest!.url]);
    }));
}

Deno.test("submit() keeps one pending attestation and nothing else", () =>
  withCalendars(1, async ([calendar]) => {
    calendar!.lie = (_, { url }) =>
      bytesAnswer(forked(
        "000102030405060708023334",
        bitcoinHex(HEIGHT),
        pendingHex("https://calendar.example"),
        pendingHex(url),
        `08${pendingHex("https://calendar.example")}`,
      ));
    const service = await serviceOf([calendar!]);
    const taken = await service.anchor(DIGEST, NEVER);
    assert.deepEqual(pendingUris(taken), [calendar!.url]);
    assert.equal(attested("bitcoin", taken).length, 0);
    const [file] = opentimestamps.files(DIGEST, taken.proof);
    assert.ok(file!.bytes.length < 200);
  }));

/** What a calendar must not be believed when it is asked for more. */
const COMPLETION_LIES: Readonly<Record<string, Lie>> = {
  "nothing": () => bytesAnswer(""),
  "words": () => new Response("<html>Welcome to this hotel's network</html>"),
  "400": () => new Response("no", { status: 400 }),
  "a path of 255 steps": () => bytesAnswer("08".repeat(255) + bitcoinHex(HEIGHT)),
  "a path of 4,090 bytes": () => bytesAnswer(`f0fa1f${"aa".repeat(4090)}${bitcoinHex(HEIGHT)}`),
  "more than 10,000 bytes": () => bytesAnswer(forked(...BALLAST, bitcoinHex(HEIGHT))),
};

for (const [name, lie] of Object.entries(COMPLETION_LIES)) {
  Deno.test(`upgrade() refuses ${name} and keeps the answers of other calendars`, () =>
    withCalendars(2, async ([liar, honest]) => {
      const service = await serviceOf([liar!, honest!]);
      const taken = await kept(await service.anchor(DIGEST, NEVER));
      liar!.lie = lie;
      // The other one says that it waits: nothing is wrong.
      assert.equal(await service.upgrade(DIGEST, taken, NEVER), taken);
      const header = honest!.confirm(HEIGHT, TIME);
      const confirmed = await kept(await service.upgrade(DIGEST, taken, NEVER));
      const roots = [headersFile([HEIGHT, header])];
      const verdict = verifyOpenTimestamps({ ...confirmed, digest: DIGEST, roots }, REGTEST_TARGET);
      assert.equal(verdict.status, "verified");
      const alone = await serviceOf([liar!]);
      await assert.rejects(alone.upgrade!(DIGEST, taken, NEVER), { code: "anchor_refused" });
    }));
}

Deno.test("upgrade() keeps the paths to Bitcoin blocks and nothing else", () =>
  withCalendars(1, async ([calendar]) => {
    const service = await serviceOf([calendar!]);
    const taken = await kept(await service.anchor(DIGEST, NEVER));
    calendar!.lie = () =>
      bytesAnswer(forked(
        "000102030405060708023334",
        pendingHex("https://calendar.example"),
        `08${pendingHex("https://calendar.example")}`,
        `f00101${bitcoinHex(HEIGHT)}`,
      ));
    const confirmed = await service.upgrade(DIGEST, taken, NEVER);
    assert.deepEqual(pendingUris(confirmed), [calendar!.url]);
    assert.equal(attested("bitcoin", confirmed).length, 1);
    const lengths = [confirmed, taken].map(({ proof }) =>
      opentimestamps.files(DIGEST, proof)[0]!.bytes.length
    );
    // A fork, an append of a byte, and an attestation of a height of three bytes.
    assert.equal(lengths[0]! - lengths[1]!, 1 + 3 + 13);
    // Where there is nothing else, nothing is kept.
    calendar!.lie = () => bytesAnswer(pendingHex("https://calendar.example"));
    assert.equal(await service.upgrade(DIGEST, taken, NEVER), taken);
  }));

Deno.test("an invented block does not end the requests to other calendars", () =>
  withCalendars(3, async (calendars) => {
    const [liar, honest, other] = calendars as [TestCalendar, TestCalendar, TestCalendar];
    const service = await serviceOf(calendars, 2);
    const taken = await kept(await service.anchor(DIGEST, NEVER));
    // Several blocks of one calendar count once.
    liar.lie = () =>
      bytesAnswer(forked(bitcoinHex(HEIGHT), bitcoinHex(HEIGHT + 1), `08${bitcoinHex(HEIGHT)}`));
    const better = await kept(await service.upgrade(DIGEST, taken, NEVER));
    assert.equal(better.status, "pending");
    assert.equal(attested("bitcoin", better).length, 3);
    const header = honest.confirm(HEIGHT, TIME);
    const confirmed = await kept(await service.upgrade(DIGEST, better, NEVER));
    assert.equal(confirmed.status, "confirmed");
    assert.equal(other.asked.length, 3);
    const roots = [headersFile([HEIGHT, header])];
    const verdict = verifyOpenTimestamps({ ...confirmed, digest: DIGEST, roots }, REGTEST_TARGET);
    assert.equal(verdict.status, "verified");
    assert.equal(
      verifyOpenTimestamps({ ...better, digest: DIGEST, roots }, REGTEST_TARGET).status,
      "failed",
    );
  }));

Deno.test("only configured calendars get requests, and redirects are not followed", () =>
  withCalendars(3, async (calendars) => {
    const [first, second, foreign] = calendars as [TestCalendar, TestCalendar, TestCalendar];
    const both = await serviceOf([first, second]);
    const taken = await kept(await both.anchor(DIGEST, NEVER));
    const alone = await serviceOf([first]);
    second.confirm(HEIGHT, TIME);
    assert.equal(await alone.upgrade(DIGEST, taken, NEVER), taken);
    assert.deepEqual(second.asked, ["POST /digest"]);
    first.lie = () => Response.redirect(`${foreign.url}/digest`, 307);
    await assert.rejects(alone.anchor(DIGEST, NEVER), { code: "anchor_unreachable" });
    await assert.rejects(alone.upgrade(DIGEST, taken, NEVER), { code: "anchor_unreachable" });
    // A proof with nobody to ask is what it is.
    const elsewhere = await serviceOf([foreign]);
    assert.equal(await elsewhere.upgrade(DIGEST, taken, NEVER), taken);
    assert.deepEqual(foreign.asked, []);
  }));

Deno.test("the longest answers of 8 calendars fit in one proof", () =>
  withCalendars(8, async (calendars) => {
    // No two the same, so that nothing is shared.
    for (const [i, calendar] of calendars.entries()) {
      const path = `f0a00a${hexOf(new Uint8Array(1312).fill(i))}`;
      calendar.lie = (_, { url }) => bytesAnswer(path + pendingHex(url));
    }
    const service = await serviceOf(calendars, 8);
    const taken = await kept(await service.anchor(DIGEST, NEVER));
    for (const [i, calendar] of calendars.entries()) {
      const bytes = hexOf(new Uint8Array(2550).fill(i));
      const first = `f0f613${bytes}${bitcoinHex(HEIGHT)}`;
      const second = `f0${(1400 & 0x7f | 0x80).toString(16)}0a${"bb".repeat(1400)}`;
      calendar.lie = () => bytesAnswer(forked(first, `${second}${bitcoinHex(HEIGHT)}`));
    }
    const confirmed = await kept(await service.upgrade(DIGEST, taken, NEVER));
    assert.equal(confirmed.status, "confirmed");
    assert.equal(attested("bitcoin", confirmed).length, 16);
    const length = JSON.stringify(confirmed.proof).length;
    assert.ok(length > MAX_PROOF_BYTES * 0.9 && length < MAX_PROOF_BYTES, `${length}`);
  }));

Deno.test("an abort ends the requests", () =>
  withCalendars(1, async ([calendar]) => {
    const service = await serviceOf([calendar!]);
    const stopped = AbortSignal.abort();
    await assert.rejects(service.anchor(DIGEST, stopped), { code: "anchor_unreachable" });
    assert.deepEqual(calendar!.asked, []);
  }));

Deno.test("configure() accepts one to eight calendars", async () => {
  const url = "https://calendar.example";
  const many = Array.from({ length: 9 }, (_, i) => `https://c${i}.example`);
  const refused: readonly Record<string, unknown>[] = [
    { calendars: [] },
    { calendars: many },
    { calendars: [url, `${url}/`] },
    { calendars: ["http://calendar.example"] },
    { calendars: ["https://[2001:db8::1]/"] },
    { calendars: [`${url}/?a=b`] },
    { calendars: ["calendar.example"] },
    { calendars: [`${url}/${"a".repeat(1000)}`] },
    { calendars: [url], min_calendars: 0 },
    { calendars: [url], min_calendars: 2 },
  ];
  for (const entry of refused) {
    await assert.rejects(
      configured(entry),
      { code: "invalid_configuration" },
      JSON.stringify(entry),
    );
  }
  await assert.rejects(configured({ calendars: [] }), { message: /0 calendars, not 1 to 8/ });
  const malformed = [
    {},
    { calendars: url },
    { calendars: [1] },
    { calendars: [url], min_calendars: "1" },
    { calendars: [url], calendar: url },
  ];
  for (const entry of malformed) {
    await assert.rejects(
      configured(entry),
      { code: "malformed_configuration" },
      JSON.stringify(entry),
    );
  }
  assert.ok(await configured({ calendars: many.slice(0, 8), min_calendars: 8 }));
});
