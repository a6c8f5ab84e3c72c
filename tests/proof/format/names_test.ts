import assert from "node:assert/strict";
import fc from "fast-check";
import { isNetworkId, isWitnessId } from "../../../src/proof/format/names.ts";
import { names, networkIds } from "./arbitraries.ts";

Deno.test("names of the alphabet are names, up to their length", () => {
  fc.assert(fc.property(networkIds, isNetworkId));
  fc.assert(fc.property(names(80), isWitnessId));
  assert(isNetworkId("a".repeat(96)) && !isNetworkId("a".repeat(97)));
  assert(isWitnessId("a".repeat(112)) && !isWitnessId("a".repeat(113)));
});

Deno.test("what could read as another line, or as another kind of line, is no name", () => {
  const refused = [
    "",
    "a b",
    "a+b",
    "a\n",
    "\na",
    "a\nb",
    "a\r",
    "-a",
    "/a",
    ".a",
    "~a",
    "_a",
    "ä",
    "a\u0000",
    "a\u200b",
    "\u2014",
  ];
  for (const text of refused) {
    assert(!isNetworkId(text), JSON.stringify(text));
    assert(!isWitnessId(text), JSON.stringify(text));
  }
});

Deno.test("no network is named as a domain line begins", () => {
  for (const prefix of ["cosignature/", "countersign/", "subtree/"]) {
    assert(!isNetworkId(prefix));
    assert(!isNetworkId(`${prefix}v1`));
    assert(isNetworkId(prefix.slice(0, -1)));
    assert(isWitnessId(`${prefix}v1`), "which is nothing to a witness");
  }
});
