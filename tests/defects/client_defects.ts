/**
 * Defects of `src/client`, `src/cli`, `src/explorer` and `src/logs`: what a user would believe.
 *
 * @module
 */

import type { Defect } from "./defect.ts";

export const CLIENT_DEFECTS: readonly Defect[] = [
  {
    name: "fork-called-the-same",
    file: "src/client/head_comparison.ts",
    text: `if (relation === "same") return { finding: "same" };`,
    replacement: `const sizes = [known, seen].map(({ tree_head }) => tree_head.tree_size);
  if (relation === "same" || sizes[0] === sizes[1]) return { finding: "same" };`,
    harm: "The log is rewritten, and a user who remembers an earlier head is not told.",
    tests: ["tests/client/log_check_test.ts"],
  },
  {
    name: "success-for-an-invalid-proof",
    file: "src/cli/verify_command.ts",
    text: `return isAccepted(findings, subject) || output.format === "json" ? 0 : 1;`,
    replacement: "return isAccepted(findings, subject) ? 0 : 0;",
    harm: "A script takes an invalid proof for a valid one.",
    tests: ["tests/cli/verify_test.ts"],
  },
  {
    name: "empty-name-is-the-folder",
    file: "src/cli/options.ts",
    text: `      input === ""
        ? {`,
    replacement: `      input === "\\0"
        ? {`,
    harm: "verify of an unset variable verifies the current folder.",
    tests: ["tests/cli/program_test.ts"],
  },
  {
    name: "restore-of-an-old-copy",
    file: "src/cli/backup/restore_check.ts",
    text: "    if (found === undefined) continue;\n",
    replacement: "    if (found === undefined || size >= 0) continue;\n",
    harm: "restore --check allows to start a copy that lacks what witnesses have cosigned.",
    tests: ["tests/cli/backup_test.ts"],
  },
  {
    name: "missing-tile-unnoticed",
    file: "src/logs/audit/tree_rebuild.ts",
    text: "if (found === undefined) return faults.add(part, place, `the ${part} is missing`);",
    replacement: "if (found === undefined) return;",
    harm: "fsck says that a store is sound which has lost a tile.",
    tests: ["tests/logs/audit/store_audit_test.ts"],
  },
  {
    name: "mirror-takes-a-shorter-log",
    file: "src/logs/publishing/log_copy.ts",
    text: `      return { kind: "behind", size };`,
    replacement: `      return await this.#publish(stored, seen, "refreshed");`,
    harm: "A mirror goes back to an older checkpoint, and hides entries.",
    tests: ["tests/logs/publishing/log_copy_test.ts"],
  },
  {
    name: "withheld-leaf-unnoticed",
    file: "src/logs/monitor/entry_check.ts",
    text: "if (this.#matcher(bundle, index % TILE_WIDTH)(hash)) continue;",
    replacement: "if (bundle.entries.length > 0) continue;",
    harm: "A monitor keeps silent when a watched entry is replaced.",
    tests: ["tests/logs/monitor/monitor_test.ts"],
  },
  {
    name: "green-without-a-pin",
    file: "src/explorer/verdict_text.ts",
    text: `return tone === "good" && pins?.home.source !== "file" ? "info" : tone;`,
    replacement: "return pins?.home.source === undefined ? tone : tone;",
    harm: "The page is green for a proof that only the gateway's own keys verify.",
    tests: ["tests/explorer/verdict_text_test.ts"],
  },
];
