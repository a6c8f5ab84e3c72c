/** The lists of commands in docs/install.md. */

import assert from "node:assert/strict";
import { COMMANDS, isCommandName, listedCommand } from "../../src/cli/command_list.ts";

/** The words in code spans that are commands, in order. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/`([a-z-]+)`/g)].map(([, word]) => word!).filter(isCommandName);
}

Deno.test("docs/install.md says which commands need Deno", async () => {
  const text = await Deno.readTextFile(new URL("../../docs/install.md", import.meta.url));
  const paragraphs = text.split("\n\n");
  const listed = (part: string) => commandsIn(paragraphs.find((text) => text.includes(part))!);
  const names = Object.keys(COMMANDS).filter(isCommandName);
  const needsDeno = (name: typeof names[number]) => listedCommand(name).needsDeno === true;
  const inDeno = listed("run in Deno 2.9.6");
  assert.deepEqual(inDeno.toSorted(), names.filter(needsDeno).toSorted());
  const onNode = listed("Node 20 or later, or Bun");
  assert.deepEqual(onNode.toSorted(), names.filter((name) => !needsDeno(name)).toSorted());
});
