import assert from "node:assert/strict";
import { parseLogList } from "../../../src/proof/format/log_list.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { signerOf } from "../verify/test_network.ts";

const vkeyOf = (name: string, type: number = NOTE_TYPE.ed25519) =>
  encodeVkey({ name, type, publicKey: signerOf(name).publicKey });

const LIST = `#
# List:      10qps-100klogs
#
logs/v0

# 1st list item
vkey ${vkeyOf("tlog.example")}
origin none
qpd 86400
bastion https://bastion.example/
contact https://tlog.example/contact
unknown
foo bar

vkey ${vkeyOf("bar.example/tlog")}
origin something-not-equal-to-vkey-keyname
qpd 24
bastion none
contact sysadmin (at) bar.example
`;

Deno.test("parseLogList() reads the witness network's example", () => {
  const { logs, skipped } = parseLogList(LIST);
  assert.deepEqual(skipped, []);
  assert.deepEqual(
    logs.map(({ origin, key, queriesPerDay }) => [origin, key.name, queriesPerDay]),
    [
      ["tlog.example", "tlog.example", 86_400],
      ["something-not-equal-to-vkey-keyname", "bar.example/tlog", 24],
    ],
  );
  assert.deepEqual(parseLogList("logs/v0\n"), { logs: [], skipped: [] });
  assert.deepEqual(parseLogList(`logs/v0\nvkey ${vkeyOf("a")}`).logs[0]!.queriesPerDay, undefined);
});

Deno.test("parseLogList() skips entries that it cannot use, and the second key of an origin", () => {
  const entries = [
    vkeyOf("witness.example", NOTE_TYPE.cosignature),
    "no-key",
    `${vkeyOf("a.example")}\nqpd 0`,
    `${vkeyOf("b.example")}\nqpd many`,
    `${vkeyOf("c.example")}\norigin tlog.example`,
    `${vkeyOf("d.example")}\norigin ${"x".repeat(1_025)}`,
  ];
  const text = LIST + entries.map((entry) => `vkey ${entry}\n`).join("");
  const { logs, skipped } = parseLogList(text);
  assert.equal(logs.length, 2);
  assert.equal(skipped.length, entries.length);
});

Deno.test("parseLogList() refuses malformed lists", () => {
  for (const text of ["", "logs/v1\n", "logs/v0\nqpd 5\n", LIST.replace("logs/v0\n", "")]) {
    assert.throws(() => parseLogList(text), { code: "malformed_text" });
  }
  const many = `logs/v0\n${"vkey x\n".repeat(10_001)}`;
  assert.throws(() => parseLogList(many), { code: "malformed_text" });
});
