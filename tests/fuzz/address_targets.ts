/**
 * Readers of addresses: of clients, of proxies, and of the ranges that an operator trusts.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isIP } from "node:net";
import {
  type IpAddress,
  isWithin,
  parseIpAddress,
  parseIpRange,
} from "../../src/proof/format/ip_address.ts";
import { clientHop } from "../../src/http/client_address.ts";
import { ofText, type Target } from "./engine.ts";

const TRUSTED = [parseIpRange("10.0.0.0/8")!];
const PROXY = parseIpAddress("10.0.0.1")!;

/** The one spelling of eight groups that every address has. */
function groupsOf(address: IpAddress): string {
  return address.flatMap((word) => [word >>> 16, word & 0xffff])
    .map((group) => group.toString(16)).join(":");
}

export const ADDRESS_TARGETS: readonly Target[] = [
  {
    name: "parseIpAddress",
    covers: ["proof/format/ip_address.ts#parseIpAddress"],
    codes: [],
    seeds: ["192.0.2.1", "2001:DB8::1:0", "::ffff:203.0.113.255", "::", "1:2:3:4:5:6:7::"],
    read: ofText((text) => {
      const address = parseIpAddress(text);
      // The runtime also accepts a zone.
      assert.equal(address !== undefined, isIP(text) !== 0 && !text.includes("%"));
      if (address === undefined) return false;
      assert.deepEqual(parseIpAddress(groupsOf(address)), address);
      return true;
    }),
  },
  {
    name: "parseIpRange",
    covers: ["proof/format/ip_address.ts#parseIpRange"],
    codes: [],
    seeds: ["10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "::ffff:10.0.0.0/104", "::/0"],
    read: ofText((text) => {
      const range = parseIpRange(text);
      if (range === undefined) return false;
      assert.deepEqual(parseIpRange(`${groupsOf(range.first)}/${range.bits}`), range);
      assert.ok(isWithin(range.first, range));
      return true;
    }),
  },
  {
    name: "clientHop",
    covers: ["http/client_address.ts#clientHop"],
    codes: [],
    seeds: ["192.0.2.1", "198.51.100.1, 192.0.2.1, 10.0.0.2", "2001:db8::1,10.0.0.3"],
    read: ofText((text) => {
      const hop = clientHop(PROXY, text, TRUSTED);
      // The client is the peer or an address in the header.
      const entries = text.split(",").map((entry) => parseIpAddress(entry.trim()));
      assert.ok([PROXY, ...entries].some((entry) => entry?.join() === hop.join()));
      // Addresses that a client writes before those of its proxy change nothing.
      if (!isWithin(hop, TRUSTED[0]!)) {
        assert.deepEqual(clientHop(PROXY, `203.0.113.7, ${text}`, TRUSTED), hop);
      }
      return hop !== PROXY;
    }),
  },
];
