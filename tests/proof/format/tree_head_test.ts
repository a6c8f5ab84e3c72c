import assert from "node:assert/strict";
import fc from "fast-check";
import {
  cosignatureMessage,
  encodeCheckpointBody,
  encodeCosignatureMessage,
  parseCheckpointBody,
} from "../../../src/proof/format/tree_head.ts";
import { treeHeads } from "./arbitraries.ts";
import { assertCanonical, assertRefused, damaged } from "./mutated_text.ts";

// c2sp.org/tlog-cosignature, its example.
const BODY =
  "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
const MESSAGE = `cosignature/v1\ntime 1679315147\n${BODY}`;
const HEAD = {
  network_id: "example.com/behind-the-sofa",
  tree_size: 20_852_163,
  timestamp: 1_679_315_147,
  root_hash: "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62",
};

Deno.test("the example of the cosignature specification is read and written", () => {
  const { timestamp: _, ...body } = HEAD;
  assert.equal(encodeCheckpointBody(HEAD), BODY);
  assert.deepEqual(parseCheckpointBody(BODY), body);
  assert.equal(encodeCosignatureMessage(HEAD), MESSAGE);
  assert.equal(cosignatureMessage(HEAD.timestamp, BODY), MESSAGE);
});

Deno.test("an empty tree's checkpoint has a size of one zero", () => {
  const empty = "log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n";
  assert.equal(encodeCheckpointBody(parseCheckpointBody(empty)), empty);
});

Deno.test("every tree head is read as it was written", () => {
  fc.assert(fc.property(treeHeads, (head) => {
    const { timestamp: _, ...body } = head;
    assert.deepEqual(parseCheckpointBody(encodeCheckpointBody(head)), body);
  }));
});

Deno.test("a damaged text is refused, or is another head's only spelling", () => {
  fc.assert(
    fc.property(damaged(treeHeads.map(encodeCheckpointBody)), (text) => {
      assertCanonical(text, parseCheckpointBody, encodeCheckpointBody, "malformed_text");
    }),
    { numRuns: 2000 },
  );
});

Deno.test("other spellings of a checkpoint are refused", () => {
  const root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
  const refused = [
    "",
    "\n\n\n",
    BODY.slice(0, -1),
    `${BODY}\n`,
    `${BODY}extension\n`,
    BODY.replaceAll("\n", "\r\n"),
    BODY.replace("20852163", "020852163"),
    BODY.replace("20852163", "00"),
    BODY.replace("20852163", "+20852163"),
    BODY.replace("20852163", "NaN"),
    BODY.replace("20852163", "2.0852163e7"),
    BODY.replace("20852163", "18446744073709551616"),
    BODY.replace("20852163", "\u0662"),
    BODY.replace(root, root.replace("=", "")),
    BODY.replace(root, `${root}=`),
    // The last digit of 32 bytes carries two bits that must be zero.
    BODY.replace("q2I=", "q2J="),
    BODY.replace(root, root.replaceAll("/", "_")),
    BODY.replace(root, `${root.slice(0, 20)} ${root.slice(20)}`),
    BODY.replace(root, "AAAA"),
    BODY.replace("example.com/behind-the-sofa", "example.com/behind the sofa"),
    BODY.replace("example.com/behind-the-sofa", "cosignature/v1"),
    BODY.replace("example.com/behind-the-sofa", ""),
  ];
  assertRefused(refused, parseCheckpointBody, "malformed_text");
  assert(!refused.includes(BODY));
});

Deno.test("what cannot stand in a tree head is not encoded", () => {
  const wrong = [
    { network_id: "a\nb" },
    { tree_size: -1 },
    { tree_size: 2 ** 53 },
    { tree_size: NaN },
    { timestamp: -1 },
    { timestamp: 0.5 },
    { timestamp: NaN },
    { root_hash: HEAD.root_hash.toUpperCase() },
    { root_hash: "00" },
  ];
  for (const change of wrong) {
    const texts = [JSON.stringify(change)];
    assertRefused(texts, () => encodeCosignatureMessage({ ...HEAD, ...change }), "malformed_text");
  }
});
