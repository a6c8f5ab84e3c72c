/**
 * The port of the gateway to the keys of its log.
 *
 * @module
 */

import type { KeySigner, MlDsaKeySigner } from "../crypto/key_signer.ts";

/** Signs checkpoint bodies with the log's own key (C2SP note, type 0x01). */
export interface LogSigner extends Pick<KeySigner, "publicKey" | "sign" | "isAway"> {
  /** A further key, which cosigns tree heads; absent if the log has none. */
  readonly mlDsa?: Pick<MlDsaKeySigner, "sign">;
}
