import assert from "node:assert/strict";
import { isIP } from "node:net";
import { parseIpAddress, parseIpRange } from "../../src/proof/format/ip_address.ts";
import { ClientAddresses, clientHop, clientKey } from "../../src/http/client_address.ts";
import { RequestContext } from "../../src/http/request_context.ts";
import { Random } from "../random.ts";
import { SEED } from "../seed.ts";

const TRUSTED = ["10.0.0.0/8", "2001:db8:f::/48"].map((text) => parseIpRange(text)!);

const keyOf = (text: string) => clientKey(parseIpAddress(text)!);
const random = new Random(SEED);

function contextOf(
  remote: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): RequestContext {
  const request = new Request("http://gateway.test/", { headers });
  const completed = () => Promise.resolve();
  return new RequestContext(
    request,
    remote === undefined ? undefined : { remote: () => remote, completed },
  );
}

/** The client of a request, by the proxies of {@linkcode TRUSTED}. */
function clientOf(remote: string | undefined, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
  return new ClientAddresses(TRUSTED, assert.fail).clientOf(contextOf(remote, headers));
}

Deno.test("X-Forwarded-For of an untrusted peer is ignored", () => {
  const claims = [undefined, "10.0.0.1", "203.0.113.9", "203.0.113.9, 10.0.0.1", "garbage", ","];
  for (const remote of ["192.0.2.1", "2001:db8::1"]) {
    for (const claim of claims) {
      assert.deepEqual(clientOf(remote, claim), keyOf(remote), `${claim}`);
    }
  }
});

Deno.test("the last entry of a trusted proxy is the client; entries to its left are ignored", () => {
  const cases: readonly [forwarded: string | undefined, client: string][] = [
    [undefined, "10.0.0.1"],
    ["", "10.0.0.1"],
    ["192.0.2.1", "192.0.2.1"],
    [" \t192.0.2.1\t ", "192.0.2.1"],
    ["203.0.113.9, 192.0.2.1", "192.0.2.1"],
    ["203.0.113.9,10.9.9.9, 192.0.2.1", "192.0.2.1"],
    ["203.0.113.9, 192.0.2.1, 10.0.0.2, 2001:db8:f::3", "192.0.2.1"],
    ["::ffff:192.0.2.1, ::ffff:10.0.0.2", "192.0.2.1"],
    ["10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["garbage", "10.0.0.1"],
    ["192.0.2.1, garbage, 10.0.0.2", "10.0.0.2"],
    ["192.0.2.1, 10.0.0.2:443", "10.0.0.1"],
    ["192.0.2.1,", "10.0.0.1"],
    [",192.0.2.1", "192.0.2.1"],
    [",10.0.0.2", "10.0.0.2"],
    [`192.0.2.1,${" ".repeat(100)}10.0.0.2`, "10.0.0.1"],
  ];
  for (const [forwarded, client] of cases) {
    assert.deepEqual(clientOf("10.0.0.1", forwarded), keyOf(client), `${forwarded}`);
    assert.deepEqual(clientOf("::ffff:10.0.0.1", forwarded), keyOf(client), `${forwarded}`);
  }
});

Deno.test("a chain of proxies is followed for a limited number of hops", () => {
  const through = (count: number) =>
    clientOf("10.0.0.1", ["192.0.2.1", ...new Array(count).fill("10.0.0.2")].join(", "));
  assert.deepEqual(through(15), keyOf("192.0.2.1"));
  assert.deepEqual(through(16), keyOf("10.0.0.2"));
  assert.deepEqual(through(5_000), keyOf("10.0.0.2"));
});

Deno.test("IPv6 clients are counted by /64, IPv4 clients by address", () => {
  assert.deepEqual(keyOf("2001:db8:1:2::1"), keyOf("2001:db8:1:2:ffff:ffff:ffff:ffff"));
  const distinct = ["2001:db8:1:2::", "2001:db8:1:3::", "2001:db8::", "192.0.2.1", "192.0.2.2"]
    .concat("::192.0.2.1", "::1", "255.255.255.255", "0.0.0.1", "::1:0:0:0:1");
  const keys = new Set(distinct.map((text) => JSON.stringify(keyOf(text))));
  // Of the first /64 of all, to which ::1 belongs, there is one client.
  assert.equal(keys.size, distinct.length - 1);
});

Deno.test("requests without a connection share one client", () => {
  assert.deepEqual(clientOf(undefined, "192.0.2.1"), clientOf("not an address"));
});

/** The client by splitting and filtering, one step after another. */
function slowHop(peer: string, forwarded: string): string {
  const isOurs = (text: string) => /^(::ffff:)?10\.|^2001:db8:f:/.test(text);
  const hops = forwarded.split(",").map((part) => part.replaceAll(/^[ \t]*|[ \t]*$/g, ""));
  const good: string[] = [peer];
  while (isOurs(good.at(-1)!) && hops.length > 0 && good.length <= 16) {
    const hop = hops.pop()!;
    if (isIP(hop) === 0) break;
    good.push(hop);
  }
  return good.at(-1)!;
}

Deno.test("clientHop() agrees with splitting the header", () => {
  const entries = ["10.0.0.2", "10.255.0.1", "::ffff:10.1.1.1", "2001:db8:f::7", "192.0.2.1"]
    .concat("2001:db8::9", "garbage", "", "10.0.0.2:80", "10.0.0.300");
  for (let i = 0; i < 5_000; i++) {
    const ours = random.pick([4, entries.length]);
    const parts = Array.from(
      { length: random.below(20) },
      () =>
        random.pick(["", " ", "\t"]) + random.pick(entries.slice(0, ours)) + random.pick(["", " "]),
    );
    const peer = random.pick(["10.0.0.1", "2001:db8:f::1", "192.0.2.5"]);
    const hop = clientHop(parseIpAddress(peer)!, parts.join(","), TRUSTED);
    assert.deepEqual(hop, parseIpAddress(slowHop(peer, parts.join(","))), parts.join(","));
  }
});

Deno.test("isWithin() needs the client's own address, and a page from the same networks", () => {
  const networks = ["127.0.0.0/8", "::1", "10.1.0.0/16", "192.0.2.0/24"]
    .map((text) => parseIpRange(text)!);
  const isWithin = (
    remote: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ) => new ClientAddresses(TRUSTED, assert.fail).isWithin(contextOf(remote, headers), networks);
  const through = (forwarded: string) => ({ "X-Forwarded-For": forwarded });
  for (const remote of ["127.0.0.1", "::ffff:127.0.0.2", "::1", "192.0.2.9", "10.1.0.1"]) {
    assert.ok(isWithin(remote), remote);
  }
  for (const remote of ["203.0.113.9", "::2", "10.2.0.1", undefined]) {
    assert.ok(!isWithin(remote), `${remote}`);
  }
  assert.ok(isWithin("10.0.0.1", through("192.0.2.1")));
  assert.ok(isWithin("10.0.0.1", through("203.0.113.9, 192.0.2.1, 10.0.0.2")));
  assert.ok(!isWithin("10.0.0.1", through("192.0.2.1, 203.0.113.9")));
  // A proxy that is not configured.
  assert.ok(!isWithin("127.0.0.1", through("192.0.2.1")));
  // A configured proxy that does not name its client.
  for (const forwarded of ["", "unix:", "192.0.2.1, garbage", "10.1.0.2"]) {
    assert.ok(!isWithin("10.1.0.1", through(forwarded)), forwarded);
  }
  const pages: readonly (readonly [origin: string, expected: boolean])[] = [
    ["http://localhost:3000", true],
    ["http://127.0.0.1:8080", true],
    ["http://[::1]:8080", true],
    ["http://192.0.2.7", true],
    ["https://site.example", false],
    ["http://localhost.site.example", false],
    ["http://203.0.113.9", false],
    ["null", false],
    ["", false],
  ];
  for (const [origin, expected] of pages) {
    assert.equal(isWithin("127.0.0.1", { Origin: origin }), expected, origin);
  }
});

Deno.test("an unconfigured proxy is reported once", () => {
  const told: string[] = [];
  const addresses = new ClientAddresses(TRUSTED, (message) => told.push(message));
  addresses.refused(contextOf("192.0.2.1"));
  addresses.refused(contextOf("10.0.0.1", { "X-Forwarded-For": "192.0.2.1" }));
  addresses.refused(contextOf(undefined, { "X-Forwarded-For": "192.0.2.1" }));
  assert.deepEqual(told, []);
  addresses.refused(contextOf("192.0.2.1", { "X-Forwarded-For": "203.0.113.9" }));
  addresses.refused(contextOf("192.0.2.2", { "X-Forwarded-For": "203.0.113.9" }));
  assert.equal(told.length, 1);
  assert.match(told[0]!, /^192\.0\.2\.1 .*trusted_proxies/);
});
