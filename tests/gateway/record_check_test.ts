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

Deno.test("a record that is read again is not verified again, and any change is", async () => {
  let verified = 0;
  const check = new RecordCheck({
    epochs: new Epochs(NETWORK),
    kernels,
    // The invented signatures are valid as they are.
    verify: (_key, _message, signature) => {
      verified++;
      return Promise.resolve(signature.every((byte) => byte === signature[0]));
    },
  } as RecordCheckContext);
  const record = round(0, 100);
  await check.round(record);
  assert.equal(verified, 2);
  await check.round(structuredClone(record));
  assert.equal(verified, 2);

  // Another round has to be verified.
  await check.round({ ...record, timestamp: record.timestamp + 1 });
  assert.equal(verified, 4);
  const refused: RoundRecord[] = [0, 1].map((i) => {
    const changed = structuredClone(record);
    (changed.signatures as readonly IndexedSignature[])[i]!.signature[5]! ^= 1;
    return changed;
  });
  refused.push({ ...record, signatures: [] });
  for (const changed of refused) {
    await assert.rejects(check.round(changed), { code: "store_corrupt" });
    // A refusal is not remembered as a success.
    await assert.rejects(check.round(changed), { code: "store_corrupt" });
  }
});
