/**
 * Reads with pkijs, exactly. Its schemas skip an optional member that they do not understand, and
 * ignore what follows the last one; so what was read is encoded again and compared, which shows
 * that nothing was left out.
 *
 * @module
 */

import * as asn1js from "asn1js";
import type { PkiObject, PkiObjectParameters } from "pkijs";
import { type Bytes, equalBytes } from "../../bytes.ts";
import { type DerValue, readDer, unreadable } from "./der.ts";

/** What pkijs made of `der`, all of it. */
export interface PkiValue<T> {
  readonly value: T;
  readonly der: DerValue;
}

/**
 * The `kind` that `bytes` encode; `anchor_refused` when they are not its DER.
 *
 * @param encoded the ASN.1 of what was read, where it is not that of `toSchema()`
 */
export function readPki<T extends PkiObject>(
  kind: new (parameters: PkiObjectParameters) => T,
  bytes: Bytes,
  what: string,
  encoded: (value: T) => asn1js.BaseBlock = (value) => value.toSchema(),
): PkiValue<T> {
  const der = readDer(bytes, what);
  let value: T;
  let again: Uint8Array;
  try {
    const { offset, result } = asn1js.fromBER(bytes);
    if (offset !== bytes.length) throw new Error(result.error);
    value = new kind({ schema: result });
    again = new Uint8Array(encoded(value).toBER());
  } catch (cause) {
    // pkijs and asn1js throw errors of many classes, among them TypeErrors, for what they read.
    const refusal = unreadable(what, "its structure", "another");
    refusal.cause = cause;
    throw refusal;
  }
  if (!equalBytes(again, bytes)) throw unreadable(what, "its structure", "more or other members");
  return { value, der };
}
