/**
 * Countersign as a library: the offline verifier, clients, and formats.
 *
 * @module
 */

export * from "./src/client/mod.ts";
export * from "./src/proof/format/mod.ts";
export * from "./src/proof/verify/mod.ts";

// Not in `countersign/verify`, whose code is all that our own proofs need.
export { type CoseReceipt, parseCoseReceipt } from "./src/proof/format/cose_receipt.ts";
export { type LogPolicy, parseLogPolicy } from "./src/proof/format/log_policy.ts";
export { parseTlogProof, type TlogProof } from "./src/proof/format/tlog_proof.ts";
export { verifyCoseReceipt } from "./src/proof/verify/cose_receipt.ts";
export { verifyTlogProof } from "./src/proof/verify/tlog_proof.ts";
export * from "./src/proof/timestamp/mod.ts";
