import assert from "node:assert/strict";
import { droppedFiles } from "../../src/explorer/components/dropped_files.ts";

const unreadable = new Error("unreadable");

function fileEntry(fullPath: string, isReadable = true) {
  const file = (resolve: (file: File) => void, reject: (error: unknown) => void) =>
    isReadable ? resolve(new File([], fullPath)) : reject(unreadable);
  return { isFile: true, isDirectory: false, fullPath, file };
}

/** Gives one entry at a time, and fails at the end if it is not `isReadable`. */
function folderEntry(entries: readonly unknown[], isReadable = true) {
  const waiting = entries.values();
  const readEntries = (resolve: (entries: unknown[]) => void, reject: (error: unknown) => void) => {
    const { value, done } = waiting.next();
    if (!done) resolve([value]);
    else if (isReadable) resolve([]);
    else reject(unreadable);
  };
  return { isFile: false, isDirectory: true, createReader: () => ({ readEntries }) };
}

Deno.test("droppedFiles() takes what it can read, with its folders, and tells the rest", async () => {
  const folder = folderEntry([
    fileEntry("/a/1"),
    fileEntry("/a/2", false),
    folderEntry([fileEntry("/a/b/1")], false),
    fileEntry("/a/3"),
  ]);
  const items = [
    { kind: "file", webkitGetAsEntry: () => folder, getAsFile: () => null },
    { kind: "string", webkitGetAsEntry: () => null, getAsFile: () => null },
    { kind: "file", webkitGetAsEntry: () => null, getAsFile: () => new File([], "alone") },
  ];
  const { files, errors } = await droppedFiles({ items } as unknown as DataTransfer);
  assert.deepEqual(files.map(({ name }) => name), ["a/1", "a/b/1", "a/3", "alone"]);
  assert.deepEqual(errors, [unreadable, unreadable]);
});
