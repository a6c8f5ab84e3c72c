/**
 * Text tables.
 *
 * @module
 */

/** Border characters of cli-table3: none, and two spaces between columns. */
const NO_BORDERS = {
  "top": "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  "bottom": "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  "left": "",
  "left-mid": "",
  "mid": "",
  "mid-mid": "",
  "right": "",
  "right-mid": "",
  "middle": "  ",
};

/** Columns under `head`, one line for each of `rows`. */
export async function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string[]> {
  // Few commands need it.
  const { default: Table } = await import("cli-table3");
  const table = new Table({
    head: [...head],
    chars: NO_BORDERS,
    style: { "head": [], "border": [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().split("\n").map((line) => line.trimEnd());
}
