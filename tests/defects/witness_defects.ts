/**
 * Defects of `src/witness` and its storage: what a witness would sign.
 *
 * @module
 */

import type { Defect } from "./defect.ts";

export const WITNESS_DEFECTS: readonly Defect[] = [
  {
    name: "round-unstored-when-signed",
    file: "src/witness/witness.ts",
    text: "const [, signature] = await Promise.all([stored, this.#signRound(round)]);",
    replacement: `void stored.catch(() => {});
    const signature = await this.#signRound(round);`,
    harm: "After a crash, the witness signs another text for a sequence that it has signed.",
    tests: ["tests/witness/signed_rounds_test.ts"],
  },
  {
    name: "other-hash-for-a-sequence",
    file: "src/witness/round_memory.ts",
    text: `          return "other_hash";`,
    replacement: `          return "same";`,
    harm: "A witness signs two hashes for one sequence.",
    tests: ["tests/witness/sign_test.ts"],
  },
  {
    name: "other-time-for-a-round",
    file: "src/witness/round_memory.ts",
    text:
      "const isSame = frame.size === digests.length / HASH_LENGTH && frame.timestamp === timestamp &&",
    replacement: "const isSame = frame.size === digests.length / HASH_LENGTH &&",
    harm: "A witness signs one round with two times.",
    tests: ["tests/witness/signed_rounds_test.ts"],
  },
  {
    name: "time-ahead-of-the-clock",
    file: "src/witness/time_rule.ts",
    text: "if (timestamp >= now - behind && timestamp <= now + MAX_SECONDS_AHEAD) return;",
    replacement: "if (timestamp >= now - behind) return;",
    harm: "A gateway dates attestations into the future.",
    tests: ["tests/witness/sign_test.ts"],
  },
  {
    name: "grows-after-its-epoch",
    file: "src/witness/growth_rule.ts",
    text: "  if (endedBy === undefined) return;",
    replacement: "  if (endedBy === undefined || number >= 0) return;",
    harm: "Retired witnesses go on signing beside their successors.",
    tests: ["tests/witness/epoch_refusals_test.ts"],
  },
  {
    name: "ends-an-epoch-twice",
    file: "src/witness/followed_log.ts",
    text: "if (epoch === before && before.endedBy !== undefined) {",
    replacement: 'if (epoch === before && before.endedBy === "") {',
    harm: "An epoch ends at two trees, and the log is forked.",
    tests: ["tests/witness/epoch_refusals_test.ts"],
  },
  {
    name: "journal-without-sync",
    file: "src/storage/witness/round_journal.ts",
    text: `    await file.syncData();
    this.#current = { file, fileLength, header, length, end: Math.max(end, endOf(entries)) };`,
    replacement:
      "    this.#current = { file, fileLength, header, length, end: Math.max(end, endOf(entries)) };",
    harm: "A power loss makes a witness forget what it has signed.",
    tests: ["tests/storage/round_journal_faults_test.ts"],
  },
  {
    name: "one-voucher-is-enough",
    file: "src/witness/vouching.ts",
    text: "return count >= vouchersNeeded(threshold, witnesses.length);",
    replacement: "return count >= 1;",
    harm: "One dishonest witness has an old round signed with its old time.",
    tests: ["tests/witness/vouching_test.ts"],
  },
];
