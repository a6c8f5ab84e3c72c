import assert from "node:assert/strict";
import { isIP } from "node:net";
import {
  type IpAddress,
  isVersion4,
  isWithin,
  parseIpAddress,
  parseIpRange,
} from "../../../src/proof/format/ip_address.ts";
import { Random } from "../../random.ts";
import { SEED } from "../../seed.ts";

const random = new Random(SEED);

/** The address as one number, by the runtime's URL parser (WHATWG URL section 3.5), which is slow. */
function oracle(text: string): bigint | undefined {
  // A zone and what URLs take for IPv4 beside four decimal numbers are no address here.
  if (isIP(text) === 0 || text.includes("%")) return undefined;
  const { hostname } = new URL(text.includes(":") ? `http://[${text}]` : `http://${text}`);
  if (!text.includes(":")) {
    return hostname.split(".").reduce((sum, part) => sum << 8n | BigInt(part), 0xffffn);
  }
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const groups = (part: string | undefined) => part ? part.split(":") : [];
  const zeros = new Array<string>(8 - groups(head).length - groups(tail).length).fill("0");
  return [...groups(head), ...zeros, ...groups(tail)]
    .reduce((sum, group) => sum << 16n | BigInt(`0x${group}`), 0n);
}

function numberOf(address: IpAddress | undefined): bigint | undefined {
  return address?.reduce((sum, word) => sum << 32n | BigInt(word), 0n);
}

function randomGroups(): string[] {
  return Array.from(
    { length: 8 },
    () =>
      random.pick([
        "0",
        "0",
        "0000",
        "1",
        "ffff",
        "fFfF",
        random.below(0x10000).toString(16),
      ]),
  );
}

function randomText(): string {
  const version4 = () =>
    Array.from({ length: 4 }, () => random.pick(["0", "1", "10", "127", "192", "255"])).join(".");
  if (random.chance(0.3)) return version4();
  const groups = randomGroups();
  if (random.chance(0.3)) groups.splice(6, 2, version4());
  const from = random.below(groups.length);
  const count = random.below(groups.length + 1 - from);
  if (random.chance(0.3)) return groups.join(":");
  return `${groups.slice(0, from).join(":")}::${groups.slice(from + count).join(":")}`;
}

/** `text` with one small damage, which may leave it an address. */
function damaged(text: string): string {
  const at = random.below(text.length + 1);
  const inserted = random.pick([
    "",
    "0",
    "1",
    "9",
    "f",
    "g",
    ":",
    "::",
    ".",
    " ",
    "%",
    "/",
    "256",
    "-",
  ]);
  return text.slice(0, at) + inserted + text.slice(at + random.below(2));
}

Deno.test("an address is what the runtime takes for one, with the same value", () => {
  let accepted = 0;
  for (let i = 0; i < 20_000; i++) {
    const text = random.chance(0.5) ? randomText() : damaged(randomText());
    const expected = oracle(text);
    assert.equal(numberOf(parseIpAddress(text)), expected, text);
    if (expected !== undefined) accepted++;
  }
  assert.ok(accepted > 5_000 && accepted < 19_000, `${accepted} accepted`);
});

Deno.test("an IPv4 address has one value in both versions", () => {
  const mapped = ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:c000:0201"];
  for (const text of mapped) {
    assert.deepEqual(parseIpAddress(text), [0, 0, 0xffff, 0xc000_0201], text);
    assert.ok(isVersion4(parseIpAddress(text)!));
  }
  for (const text of ["::192.0.2.1", "::1", "::fffe:192.0.2.1", "2001:db8::ffff:c000:201"]) {
    assert.ok(!isVersion4(parseIpAddress(text)!), text);
  }
});

Deno.test("what is nearly an address is none", () => {
  const texts = [
    "",
    " ",
    "1",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.",
    ".1.2.3",
    "1..2.3",
    "256.1.1.1",
    "1.2.3.04",
    "01.2.3.4",
    "0x1.2.3.4",
    "1.2.3.4 ",
    " 1.2.3.4",
    "1.2.3.4:80",
    "[::1]",
    "[::1]:80",
    "fe80::1%eth0",
    ":::",
    "1::2::3",
    ":1",
    "1:",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8",
    "12345::",
    "::g",
    "1.2.3.4::",
    "::1.2.3.4:5",
    "::1.2.3",
    "1:2:3:4:5:6:7:1.2.3.4",
    "unknown",
    "_hidden",
    "localhost",
    "١.1.1.1",
    "0".repeat(1_000),
    ":".repeat(45),
    "1:".repeat(1_000),
  ];
  for (const text of texts) assert.equal(parseIpAddress(text), undefined, JSON.stringify(text));
});

Deno.test("a range holds exactly the addresses that begin as it does", () => {
  for (let i = 0; i < 5_000; i++) {
    const address = BigInt(parseIpAddress(randomText()) ? i : 0);
    const bits = random.below(129);
    const shift = BigInt(128 - bits);
    const number = () => BigInt(`0x${random.bytes(16).toHex()}`) | address;
    const first = number() >> shift << shift;
    const text = (value: bigint) =>
      value.toString(16).padStart(32, "0").replaceAll(/(.{4})(?=.)/g, "$1:");
    const range = parseIpRange(`${text(first)}/${bits}`)!;
    const other = random.chance(0.5) ? number() : first ^ (1n << BigInt(i % 128));
    assert.equal(
      isWithin(parseIpAddress(text(other))!, range),
      other >> shift === first >> shift,
      `${text(other)} in ${text(first)}/${bits}`,
    );
    const isAligned = other >> shift << shift === other;
    assert.equal(parseIpRange(`${text(other)}/${bits}`) !== undefined, isAligned);
  }
});

Deno.test("ranges are spelt in one way", () => {
  const within = (address: string, range: string) =>
    isWithin(parseIpAddress(address)!, parseIpRange(range)!);
  assert.ok(within("10.1.2.3", "10.0.0.0/8"));
  assert.ok(within("::ffff:10.1.2.3", "10.0.0.0/8"));
  assert.ok(within("10.1.2.3", "::ffff:10.0.0.0/104"));
  assert.ok(!within("11.1.2.3", "10.0.0.0/8"));
  assert.ok(!within("2001:db8::1", "0.0.0.0/0"));
  assert.ok(within("255.1.2.3", "0.0.0.0/0"));
  assert.ok(within("255.1.2.3", "::/0"));
  assert.ok(within("192.0.2.7", "192.0.2.7"));
  assert.ok(!within("192.0.2.6", "192.0.2.7"));
  assert.ok(within("2001:db8::7", "2001:db8::7/128"));
  for (
    const text of [
      "",
      "/8",
      "10.0.0.0/",
      "10.0.0.0/33",
      "10.0.0.0/08",
      "10.0.0.0/+8",
      "10.0.0.0/8/8",
      "10.0.0.1/8",
      "2001:db8::1/64",
      "::/129",
      "::/-1",
      "10.0.0.0/255.0.0.0",
      "10.0.0.0/8 ",
      "10.0.0.0-10.0.0.9",
      "10.*",
      "localhost",
    ]
  ) assert.equal(parseIpRange(text), undefined, text);
});
