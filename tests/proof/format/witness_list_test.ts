import assert from "node:assert/strict";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { witnessesIn } from "../../../src/proof/format/witness_list.ts";
import { signerOf } from "../verify/test_network.ts";

function vkeyOf(name: string, type: number = NOTE_TYPE.cosignature): string {
  return encodeVkey({ name, type, publicKey: signerOf(name).publicKey });
}

const [north, south] = [vkeyOf("north.example/w1"), vkeyOf("south.example")];
const log = vkeyOf("log.example", NOTE_TYPE.ed25519);

Deno.test("witnessesIn() reads policies, and keys with their URLs from pages", () => {
  const policy =
    `log ${log}\nwitness n ${north} https://n.example/\nwitness s ${south}\nquorum n\n`;
  assert.deepEqual(witnessesIn(policy), [{ vkey: north, url: "https://n.example/" }, {
    vkey: south,
  }]);
  const page = `Witness key:\n\n    ${north}\n\nURL: https://n.example/a/add-checkpoint\n`;
  assert.deepEqual(witnessesIn(page), [{ vkey: north, url: "https://n.example/a/" }]);
  const html = `<p>Log <code>${log}</code>, key <code>${north}</code>, again ${north}.` +
    `<a href="https://n.example/add-checkpoint">https://n.example/add-checkpoint</a>`;
  assert.deepEqual(witnessesIn(html), [{ vkey: north, url: "https://n.example/" }]);
  const two =
    `${north} https://n.example/add-checkpoint\n${south} https://s.example/add-checkpoint`;
  assert.deepEqual(witnessesIn(two), [
    { vkey: north, url: "https://n.example/" },
    { vkey: south, url: "https://s.example/" },
  ]);
  const unclear = `${north} ${south} ${vkeyOf("x")} https://n.example/add-checkpoint ` +
    "https://s.example/add-checkpoint";
  assert.deepEqual(witnessesIn(unclear).map(({ url }) => url), [undefined, undefined, undefined]);
  const damaged = north.replace(/.$/, (last) => last === "A" ? "B" : "A");
  for (const text of ["", "no key", log, damaged, `${damaged} https://n.example/add-checkpoint`]) {
    assert.deepEqual(witnessesIn(text), [], text);
  }
});
