import assert from "node:assert/strict";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import type { IndexedSignature, RoundRecord } from "../../src/proof/format/records.ts";
import { RecordCheck, type RecordCheckContext } from "../../src/gateway/record_check.ts";
import { Epochs } from "../../src/gateway/succession/epochs.ts";
import { round } from "../storage/log_records.ts";

const NETWORK = {
  id: "check.example",
  signature_scheme: "ed25519",
  threshold: 2,
  witnesses: ["a", "b", "c"].map((id) => ({ id, pubkey: id.repeat(64) })),
} as unknown as NetworkConfiguration;

Deno.test("RecordCheck refuses a round whose threshold did not sign it", async () => {
  const check = new RecordCheck({
    epochs: new Epochs(NETWORK),
    kernels,
    // The invented signatures are valid as they are.
    verify: (_key, _message, signature) =>
      Promise.resolve(signature.every((byte) => byte === signature[0])),
  } as RecordCheckContext);
  const record = round(0, 100);
  await check.round(record);
  const refused: RoundRecord[] = [0, 1].map((i) => {
    const changed = structuredClone(record);
    (changed.signatures as readonly IndexedSignature[])[i]!.signature[5]! ^= 1;
    return changed;
  });
  refused.push({ ...record, signatures: [] });
  for (const changed of refused) {
    await assert.rejects(check.round(changed), { code: "store_corrupt" });
  }
});
