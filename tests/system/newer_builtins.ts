/**
 * Makes an engine like one of November 2023.
 *
 * @module
 */

/**
 * Removes the built-ins that Chrome 119, Firefox 119 or Safari 17.1 lack, and Ed25519 from WebCrypto.
 * A browser runs its source text, so it uses nothing outside.
 */
export function removeNewerBuiltIns(): void {
  const world = globalThis as unknown as Record<string, Record<string, object>>;
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
  const newer: readonly (readonly [object | undefined, readonly PropertyKey[]])[] = [
    [globalThis, ["Float16Array", "Iterator", "SuppressedError", "DisposableStack"]],
    [iterator, Reflect.ownKeys(iterator).filter((key) => key !== Symbol.iterator)],
    [Uint8Array, ["fromHex", "fromBase64"]],
    [Uint8Array.prototype, ["toHex", "toBase64", "setFromHex", "setFromBase64"]],
    [Array, ["fromAsync"]],
    [ArrayBuffer.prototype, ["transfer", "transferToFixedLength"]],
    [Set.prototype, ["union", "intersection", "difference", "symmetricDifference"]],
    [Set.prototype, ["isSubsetOf", "isSupersetOf", "isDisjointFrom"]],
    [Map, ["groupBy"]],
    [Map.prototype, ["getOrInsert", "getOrInsertComputed"]],
    [Object, ["groupBy"]],
    [Promise, ["withResolvers", "try"]],
    [RegExp, ["escape"]],
    [Error, ["isError"]],
    [Math, ["sumPrecise", "f16round"]],
    [AbortSignal, ["any"]],
    [URL, ["canParse", "parse"]],
    [ReadableStream.prototype, ["values", Symbol.asyncIterator]],
    [Response.prototype, ["bytes"]],
    [Blob.prototype, ["bytes"]],
    [world["Element"]?.["prototype"], ["checkVisibility", "togglePopover", "showPopover"]],
  ];
  for (const [owner, names] of newer) {
    for (const name of names) if (owner) Reflect.deleteProperty(owner, name);
  }
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return;
  const importKey = subtle.importKey;
  const replaced = function (...args: unknown[]): Promise<CryptoKey> {
    if (JSON.stringify(args[2]).includes("Ed25519")) {
      return Promise.reject(new DOMException("Unrecognized name.", "NotSupportedError"));
    }
    return Reflect.apply(importKey, subtle, args);
  };
  Object.defineProperty(subtle, "importKey", { value: replaced });
}
