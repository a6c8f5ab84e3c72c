/** Policies, alone and with a checkpoint. */
import { base64Of, concat, utf8 } from "../../../../src/base/bytes.ts";
import type { Vector } from "../../../../src/logs/conformance/vectors.ts";
import { checkpointText, cosigned, cosigner, ed25519, note, signed } from "./makers.ts";

const log = ed25519("log.example/2026");
const second = ed25519("log.example/2027");
const w = Array.from({ length: 3 }, (_, i) => cosigner(`witness.example/w${i + 1}`));
const LOG = `log ${log.vkey}\n`;
const THREE = w.map(({ vkey }, i) => `witness w${i + 1} ${vkey}\n`).join("");
const BASE = `${LOG}${THREE}`;
const many = (count: number) =>
  [
    ...Array.from({ length: count }, (_, i) => `log ${ed25519(`log-${i}.example`).vkey}\n`),
    ...Array.from({ length: count }, (_, i) =>
      `witness n${i} ${cosigner(`witness-${i}.example`).vkey}\n`),
    ...Array.from({ length: count }, (_, i) =>
      `group g${i} 1 n${i}\n`),
    `quorum g0\n`,
  ].join("");

export function policyCases(): Vector[] {
  const rows: [string, string, "accept" | "reject", string | Uint8Array][] = [
    ["a log alone", "quorum-none", "accept", `${LOG}quorum none\n`],
    ["one witness", "one-witness", "accept", `${BASE}quorum w1\n`],
    [
      "a group of two in three",
      "group-threshold",
      "accept",
      `${BASE}group g 2 w1 w2 w3\nquorum g\n`,
    ],
    [
      "any and all",
      "group-meaning",
      "accept",
      `${BASE}group a any w1 w2\ngroup b all a w3\nquorum b\n`,
    ],
    ["tabs and several spaces", "lines", "accept", `log\t${log.vkey}\nquorum  \t none\n`],
    [
      "white space around",
      "outer-whitespace",
      "accept",
      ` \t${LOG.trimEnd()} \t\n  quorum none\t\n`,
    ],
    [
      "comments and empty lines",
      "comments",
      "accept",
      `# c\n\n \t# c\n \t\n${LOG}#\nquorum none\n`,
    ],
    ["witnesses before logs", "any-order", "accept", `${THREE}${LOG}quorum w1\n`],
    [
      "a quorum before unrelated lines",
      "any-order",
      "accept",
      `witness w1 ${w[0]!.vkey}\nquorum w1\n${LOG}`,
    ],
    [
      "URLs",
      "log-url",
      "accept",
      `log ${log.vkey} https://log.example/\nwitness w ${
        w[0]!.vkey
      } https://w.example/\nquorum w\n`,
    ],
    [
      "bytes that are not UTF-8 in a comment",
      "octets",
      "accept",
      concat(utf8("# "), Uint8Array.of(0xff, 0x80), utf8(`\n${LOG}quorum none\n`)),
    ],
    [
      "names that are not ASCII",
      "opaque-names",
      "accept",
      `${LOG}witness K ${w[0]!.vkey}\nwitness \u212a ${
        w[1]!.vkey
      }\ngroup g all K \u212a\nquorum g\n`,
    ],
    [
      "a no-break space in a name",
      "opaque-names",
      "accept",
      `${LOG}witness a\u00a0b ${w[0]!.vkey}\nquorum a\u00a0b\n`,
    ],
    ["32 logs, witnesses and groups", "limits", "accept", many(32)],
    ["an empty file", "one-quorum", "reject", ""],
    ["no quorum", "one-quorum", "reject", BASE],
    ["two quorums", "one-quorum", "reject", `${BASE}quorum w1\nquorum w2\n`],
    ["the same quorum twice", "one-quorum", "reject", `${LOG}quorum none\nquorum none\n`],
    ["a quorum with two names", "one-quorum", "reject", `${BASE}quorum w1 w2\n`],
    ["an undefined quorum", "quorum-order", "reject", `${BASE}quorum w4\n`],
    ["a quorum before its witness", "quorum-order", "reject", `${LOG}quorum w1\n${THREE}`],
    ["an undefined member", "group-order", "reject", `${BASE}group g any w4\nquorum g\n`],
    [
      "a member that is defined later",
      "group-order",
      "reject",
      `${LOG}group g any w1\n${THREE}quorum g\n`,
    ],
    ["a group in itself", "group-order", "reject", `${BASE}group g any g\nquorum g\n`],
    ["a log twice", "duplicate-logs", "reject", `${LOG}${LOG}quorum none\n`],
    [
      "a log's key under another name",
      "duplicate-logs",
      "reject",
      `${LOG}log ${ed25519("other.example", 1, log.key.name).vkey}\nquorum none\n`,
    ],
    [
      "a witness's key twice",
      "duplicate-witnesses",
      "reject",
      `witness a ${w[0]!.vkey}\nwitness b ${w[0]!.vkey}\nquorum a\n`,
    ],
    [
      "a witness's key under another key name",
      "duplicate-witnesses",
      "reject",
      `witness a ${w[0]!.vkey}\nwitness b ${
        cosigner("other.example", w[0]!.key.name).vkey
      }\nquorum a\n`,
    ],
    [
      "a witness's name twice",
      "namespace",
      "reject",
      `witness a ${w[0]!.vkey}\nwitness a ${w[1]!.vkey}\nquorum a\n`,
    ],
    ["a group with a witness's name", "namespace", "reject", `${BASE}group w1 any w2\nquorum w1\n`],
    ["none as a member", "none-member", "reject", `${BASE}group g any w1 none\nquorum g\n`],
    ["k of 0", "group-threshold", "reject", `${BASE}group g 0 w1 w2\nquorum g\n`],
    ["k above n", "group-threshold", "reject", `${BASE}group g 3 w1 w2\nquorum g\n`],
    ["a negative k", "group-threshold", "reject", `${BASE}group g -1 w1 w2\nquorum g\n`],
    ["k in hex", "group-threshold", "reject", `${BASE}group g 0x1 w1 w2\nquorum g\n`],
    ["k in words", "group-threshold", "reject", `${BASE}group g one w1 w2\nquorum g\n`],
    ["a group without members", "group-members", "reject", `${BASE}group g any\nquorum g\n`],
    ["a member twice in a group", "member-once", "reject", `${BASE}group g 2 w1 w1 w2\nquorum g\n`],
    [
      "a member of two groups",
      "member-once",
      "reject",
      `${BASE}group g any w1 w2\ngroup h any w1 w3\nquorum g\n`,
    ],
    ["an unknown keyword", "lines", "reject", `${BASE}mirror w1\nquorum w1\n`],
    ["a no-break space for a space", "lines", "reject", `${LOG}quorum\u00a0none\n`],
    ["a last line without its newline", "lines", "reject", `${LOG}quorum none`],
    ["carriage returns", "octets", "reject", `${LOG}quorum none\n`.replaceAll("\n", "\r\n")],
    ["a NUL in a comment", "octets", "reject", `# \0\n${LOG}quorum none\n`],
    [
      "a deletion character (0x7F) in a comment",
      "octets",
      "reject",
      `# \u007f\n${LOG}quorum none\n`,
    ],
    [
      "a log's key for a witness",
      "key-types",
      "reject",
      `${LOG}witness w ${second.vkey}\nquorum w\n`,
    ],
  ];
  const policies: Vector[] = rows.map(([name, clause, expect, policy]) => ({
    name,
    clause: `tlog-policy/${clause}`,
    expect,
    ...(typeof policy === "string" ? { policy } : { policy_base64: base64Of(policy) }),
  }));
  return [...policies, ...checkpointCases()];
}

function checkpointCases(): Vector[] {
  const nested = `${BASE}witness x ${
    cosigner("x.example").vkey
  }\ngroup g 2 w1 w2 w3\ngroup h all g x\nquorum h\n`;
  const x = cosigner("x.example");
  const [w1, w2, w3] = w as [typeof w[0], typeof w[0], typeof w[0]];
  const rows: [
    string,
    string,
    "accept" | "reject",
    string,
    typeof w,
    { by?: typeof log; origin?: string }?,
  ][] = [
    ["no cosignature under quorum none", "quorum-none", "accept", `${BASE}quorum none\n`, []],
    ["the named witness", "one-witness", "accept", `${BASE}quorum w2\n`, [w2]],
    ["another witness", "one-witness", "reject", `${BASE}quorum w2\n`, [w1, w3]],
    ["two of three", "group-meaning", "accept", `${BASE}group g 2 w1 w2 w3\nquorum g\n`, [w3, w1]],
    ["one of three for two", "group-meaning", "reject", `${BASE}group g 2 w1 w2 w3\nquorum g\n`, [
      w1,
    ]],
    [
      "one witness twice for two",
      "group-meaning",
      "reject",
      `${BASE}group g 2 w1 w2 w3\nquorum g\n`,
      [w1, w1],
    ],
    ["any of two", "group-meaning", "accept", `${BASE}group g any w1 w2\nquorum g\n`, [w2]],
    ["all but one", "group-meaning", "reject", `${BASE}group g all w1 w2 w3\nquorum g\n`, [w1, w2]],
    ["all", "group-meaning", "accept", `${BASE}group g all w1 w2 w3\nquorum g\n`, [w1, w2, w3]],
    ["a group in a group", "group-meaning", "accept", nested, [w1, w3, x]],
    ["a group in a group that is not met", "group-meaning", "reject", nested, [w1, x]],
    ["witnesses that are in no group", "valid", "reject", `${BASE}group g all w1 w2\nquorum g\n`, [
      w1,
      w3,
    ]],
    ["the second of two logs", "valid", "accept", `${LOG}log ${second.vkey}\nquorum none\n`, [], {
      by: second,
      origin: second.key.name,
    }],
    ["a log that is not listed", "valid", "reject", `${LOG}quorum none\n`, [], {
      by: second,
      origin: second.key.name,
    }],
    ["a listed log's key for another origin", "log-name", "reject", `${LOG}quorum none\n`, [], {
      origin: "log.example/2027",
    }],
    [
      "a listed log's signature under another listed log's origin",
      "log-name",
      "reject",
      `${LOG}log ${second.vkey}\nquorum none\n`,
      [],
      { origin: second.key.name },
    ],
  ];
  return rows.map(
    ([name, clause, expect, policy, signers, { by = log, origin = log.key.name } = {}]) => {
      const text = checkpointText(origin, 21);
      const lines = [signed(by, text), ...signers.map((one) => cosigned(one, text))];
      return {
        name,
        clause: `tlog-policy/${clause}`,
        expect,
        policy,
        checkpoint: note(text, ...lines),
      };
    },
  );
}
