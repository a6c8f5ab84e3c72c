/**
 * A signer (docs/signer.md) for keys in a PKCS#11 token (PKCS #11 v3.0), by the runtime's foreign function
 * interface: Ed25519 keys (mechanism CKM_EDDSA) and, for time-stamp authorities (kind "tsa"), keys of ECDSA
 * P-256 (CKM_ECDSA) and RSA (CKM_SHA256_RSA_PKCS). It serves the program's three routes on a Unix socket. For
 * 64-bit systems whose C `unsigned long` has 8 bytes: Linux, macOS and BSD. It is tested with SoftHSM2.
 *
 * The module of a token is native code, which the runtime cannot confine: it has the whole process.
 * The configuration:
 *
 *     {"socket": "/run/countersign/signer.sock", "token_file": "/etc/countersign/signer.token",
 *      "module": "/usr/lib/softhsm/libsofthsm2.so", "token": "countersign",
 *      "pin_file": "/etc/countersign/pin",
 *      "keys": [{"name": "example.org/w1", "kind": "witness", "label": "w1"}]}
 *
 * `token` is the label of the token, `label` that of a key in it. Start it in the folder of the program:
 *
 *     deno run --allow-ffi --allow-net --allow-read --allow-write=/run/countersign \
 *       deploy/pkcs11_signer.ts pkcs11.json
 *
 * @module
 */

import { type Bytes, utf8 } from "../src/base/bytes.ts";
import { loadPassword, loadToken } from "../src/config/bearer_tokens.ts";
import {
  encodeEcdsaSignature,
  isTimestampSignature,
  timestampSchemeOf,
} from "../src/config/timestamp_key.ts";
import type { TimestampScheme } from "../src/gateway/timestamping/timestamp_signer.ts";
import { verifyNative } from "../src/proof/crypto/ed25519_native.ts";
import { sha256 } from "../src/proof/crypto/hashing.ts";
import type { KeySigner } from "../src/proof/crypto/key_signer.ts";
import { CountersignError, errorBuilder } from "../src/base/errors.ts";
import { signerApp } from "../src/http/signer/signer_app.ts";
import { serveOnSocket } from "../src/server/signer/signer_socket.ts";
import { stopOnSignals } from "../src/server/stop_signal.ts";
import type { KeyKind } from "../src/proof/format/signer_key.ts";
import { encodeInteger, encodeObjectIdentifier } from "../src/proof/timestamp/asn1.ts";
import { encodeDer, readDer, TAG } from "../src/proof/timestamp/der.ts";

interface Configuration {
  readonly socket: string;
  readonly token_file: string;
  readonly module: string;
  readonly token: string;
  readonly pin_file: string;
  readonly keys: readonly {
    readonly name: string;
    readonly kind: Exclude<KeyKind, "cosigner">;
    readonly label: string;
  }[];
}

const WORD = 8;

/** Positions in CK_FUNCTION_LIST, where a version precedes the pointers. */
const FUNCTIONS = {
  C_Initialize: { index: 0, parameters: ["pointer"] },
  C_Finalize: { index: 1, parameters: ["pointer"] },
  C_GetSlotList: { index: 4, parameters: ["u8", "buffer", "buffer"] },
  C_GetTokenInfo: { index: 6, parameters: ["u64", "buffer"] },
  C_OpenSession: { index: 12, parameters: ["u64", "u64", "pointer", "pointer", "buffer"] },
  C_CloseSession: { index: 13, parameters: ["u64"] },
  C_Login: { index: 18, parameters: ["u64", "u64", "buffer", "u64"] },
  C_GetAttributeValue: { index: 24, parameters: ["u64", "u64", "buffer", "u64"] },
  C_FindObjectsInit: { index: 26, parameters: ["u64", "buffer", "u64"] },
  C_FindObjects: { index: 27, parameters: ["u64", "buffer", "u64", "buffer"] },
  C_FindObjectsFinal: { index: 28, parameters: ["u64"] },
  C_SignInit: { index: 42, parameters: ["u64", "buffer", "u64"] },
  C_Sign: { index: 43, parameters: ["u64", "buffer", "u64", "buffer", "buffer"] },
} as const satisfies Record<string, { index: number; parameters: readonly Deno.NativeType[] }>;

type Name = keyof typeof FUNCTIONS;

const [CKF_SERIAL_SESSION, CKU_USER] = [4n, 1n];
const [CKA_CLASS, CKA_LABEL, CKA_KEY_TYPE] = [0x0, 0x3, 0x100];
const [CKA_MODULUS, CKA_PUBLIC_EXPONENT] = [0x120, 0x122];
const [CKA_EC_PARAMS, CKA_EC_POINT] = [0x180, 0x181];
const [CKO_PUBLIC_KEY, CKO_PRIVATE_KEY] = [2, 3];
const CKK_RSA = 0n;
const [CKM_SHA256_RSA_PKCS, CKM_ECDSA, CKM_EDDSA] = [0x40, 0x1041, 0x1057];
const CKR_USER_ALREADY_LOGGED_IN = 0x100;
/** Errors after which a new session may help: the token was taken out, or its service restarted. */
const SESSION_ENDED = new Set([0x30, 0x32, 0xb0, 0xb3, 0xe0, 0x101]);

const MAX_SLOTS = 256;
const [TOKEN_INFO_LENGTH, LABEL_LENGTH] = [256, 32];
const POINT_LENGTH = 32;
/** Of an attribute or a signature: RSA with 4096 bits has the longest. */
const MAX_LENGTH = 512;

interface TokenOptions {
  readonly module: string;
  /** Label of the token. */
  readonly token: string;
  readonly pin: string;
}

const RSA_ENCRYPTION = "1.2.840.113549.1.1.1";
const EC_PUBLIC_KEY = "1.2.840.10045.2.1";

const unavailable = errorBuilder("signer_unavailable", "Cannot use PKCS#11 token");

/** A module and its session with one token. */
class Pkcs11Token implements Disposable {
  readonly #options: TokenOptions;
  readonly #library: Deno.DynamicLibrary<Deno.ForeignLibraryInterface>;
  readonly #functions = new Map<Name, (...args: unknown[]) => number>();
  #session: bigint | undefined;

  /** `invalid_configuration` if the module does not load. */
  constructor(options: TokenOptions) {
    this.#options = options;
    try {
      const parameters = ["buffer"] as const;
      const library = Deno.dlopen(options.module, {
        C_GetFunctionList: { parameters, result: "u64" },
      });
      this.#library = library as unknown as Deno.DynamicLibrary<Deno.ForeignLibraryInterface>;
      const list = new BigUint64Array(1);
      if (library.symbols.C_GetFunctionList(bufferOf(list)) !== 0n) throw new Error("no functions");
      this.#bind(list[0]!);
    } catch (cause) {
      throw new CountersignError(
        "invalid_configuration",
        `Cannot load PKCS#11 module "${options.module}": ` +
          `${cause instanceof Error ? cause.message : "it has no functions"} ` +
          "(start Deno with --allow-ffi)",
        { cause },
      );
    }
    this.#call("C_Initialize", null);
  }

  /** The Ed25519 key with this label; `signer_unavailable` if there is none, or two. */
  key(label: string): KeySigner {
    const publicKey = this.#retried(() => this.#publicKey(label));
    return {
      scheme: "ed25519",
      publicKey,
      sign: (message) => {
        const signature = this.#retried(() => this.#sign(label, CKM_EDDSA, message));
        if (verifyNative(publicKey, message, signature)) return signature;
        throw unverified(label);
      },
    };
  }

  /** The key of a time-stamp authority with this label; errors as {@linkcode key}. */
  timestampKey(label: string): KeySigner<TimestampScheme> {
    const publicKey = this.#retried(() => this.#spki(label));
    const scheme = timestampSchemeOf(publicKey, `key ${label}`);
    return {
      scheme,
      publicKey,
      sign: async (message) => {
        // CKM_ECDSA signs a digest, which every token can do, and answers r || s.
        const signature = scheme === "ecdsa-p256"
          ? encodeEcdsaSignature(
            this.#retried(() => this.#sign(label, CKM_ECDSA, sha256(message))),
          )
          : this.#retried(() => this.#sign(label, CKM_SHA256_RSA_PKCS, message));
        if (await isTimestampSignature({ scheme, publicKey }, message.slice(), signature)) {
          return signature;
        }
        throw unverified(label);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#functions.get("C_Finalize")!(null);
    this.#library.close();
  }

  #bind(list: bigint): void {
    const view = new Deno.UnsafePointerView(Deno.UnsafePointer.create(list)!);
    for (const [name, { index, parameters }] of Object.entries(FUNCTIONS)) {
      const pointer = Deno.UnsafePointer.create(view.getBigUint64(WORD + WORD * index));
      if (pointer === null) throw new Error(`no ${name}`);
      const definition = { parameters: [...parameters], result: "u64" } as const;
      const called = new Deno.UnsafeFnPointer(
        pointer as Deno.PointerObject<Deno.ForeignFunction>,
        definition as Deno.ForeignFunction,
      );
      const call = called.call.bind(called) as unknown as (...args: unknown[]) => bigint;
      this.#functions.set(name as Name, (...args) => Number(call(...args)));
    }
  }

  /** Calls a function; `signer_unavailable` with its code for a failure other than `accepted`. */
  #call(name: Name, ...args: unknown[]): void {
    const code = this.#functions.get(name)!(...args);
    if (code !== 0) throw new TokenError(name, code);
  }

  /** `use`, and once more in a new session if the session has ended. */
  #retried<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      if (!(error instanceof TokenError) || !SESSION_ENDED.has(error.returned)) throw error;
      if (this.#session !== undefined) this.#functions.get("C_CloseSession")!(this.#session);
      this.#session = undefined;
      return use();
    }
  }

  #openSession(): bigint {
    if (this.#session !== undefined) return this.#session;
    const { pin } = this.#options;
    const session = new BigUint64Array(1);
    this.#call("C_OpenSession", this.#slot(), CKF_SERIAL_SESSION, null, null, bufferOf(session));
    const pinBytes = utf8(pin);
    try {
      this.#call("C_Login", session[0]!, CKU_USER, pinBytes, BigInt(pinBytes.length));
    } catch (error) {
      const isIn = error instanceof TokenError && error.returned === CKR_USER_ALREADY_LOGGED_IN;
      if (!isIn) throw error;
    } finally {
      pinBytes.fill(0);
    }
    return this.#session = session[0]!;
  }

  #slot(): bigint {
    const slots = new BigUint64Array(MAX_SLOTS);
    const count = BigUint64Array.of(BigInt(MAX_SLOTS));
    this.#call("C_GetSlotList", 1, bufferOf(slots), bufferOf(count));
    const info = new Uint8Array(TOKEN_INFO_LENGTH);
    for (const slot of slots.subarray(0, Number(count[0]))) {
      this.#call("C_GetTokenInfo", slot, info);
      const label = new TextDecoder().decode(info.subarray(0, LABEL_LENGTH)).trimEnd();
      if (label === this.#options.token) return slot;
    }
    throw unavailable(`there is no token with label ${this.#options.token}`);
  }

  #publicKey(label: string): Bytes {
    const session = this.#openSession();
    const object = this.#find(session, CKO_PUBLIC_KEY, label);
    const point = this.#attribute(session, object, CKA_EC_POINT);
    if (point.length === POINT_LENGTH) return point;
    if (point.length === 2 + POINT_LENGTH && point[0] === 4 && point[1] === POINT_LENGTH) {
      return point.slice(2);
    }
    throw unavailable(`key ${label} is not an Ed25519 key`);
  }

  /** DER of the SubjectPublicKeyInfo of a key of RSA or of an elliptic curve. */
  #spki(label: string): Bytes {
    const session = this.#openSession();
    const object = this.#find(session, CKO_PUBLIC_KEY, label);
    const read = (type: number) => this.#attribute(session, object, type);
    const kind = new DataView(read(CKA_KEY_TYPE).buffer).getBigUint64(0, true);
    const algorithm = kind === CKK_RSA
      ? [encodeObjectIdentifier(RSA_ENCRYPTION), encodeDer(TAG.null)]
      : [encodeObjectIdentifier(EC_PUBLIC_KEY), read(CKA_EC_PARAMS)];
    const key = kind === CKK_RSA
      ? encodeDer(TAG.sequence, ...[CKA_MODULUS, CKA_PUBLIC_EXPONENT].map(read).map(integerOf))
      // A DER octet string (PKCS #11 v3.0 section 2.3.3).
      : readDer(read(CKA_EC_POINT), `key ${label}`).contents;
    return encodeDer(
      TAG.sequence,
      encodeDer(TAG.sequence, ...algorithm),
      encodeDer(TAG.bitString, Uint8Array.of(0), key),
    );
  }

  #attribute(session: bigint, object: bigint, type: number): Bytes {
    const value = new Uint8Array(MAX_LENGTH);
    const template = attributes([[type, value]]);
    this.#call("C_GetAttributeValue", session, object, template.bytes, 1n);
    const length = Number(new DataView(template.bytes.buffer).getBigUint64(2 * WORD, true));
    return value.slice(0, length);
  }

  #sign(label: string, mechanism: number, message: Uint8Array): Bytes {
    const session = this.#openSession();
    const object = this.#find(session, CKO_PRIVATE_KEY, label);
    const parameters = new BigUint64Array([BigInt(mechanism), 0n, 0n]);
    this.#call("C_SignInit", session, bufferOf(parameters), object);
    const signature = new Uint8Array(MAX_LENGTH);
    const length = BigUint64Array.of(BigInt(MAX_LENGTH));
    const text = message.slice();
    this.#call("C_Sign", session, text, BigInt(text.length), signature, bufferOf(length));
    return signature.slice(0, Number(length[0]));
  }

  /** The one object of `objectClass` with `label`. */
  #find(session: bigint, objectClass: number, label: string): bigint {
    const classBytes = new Uint8Array(bufferOf(BigUint64Array.of(BigInt(objectClass))));
    const template = attributes([[CKA_CLASS, classBytes], [CKA_LABEL, utf8(label)]]);
    this.#call("C_FindObjectsInit", session, template.bytes, 2n);
    const found = new BigUint64Array(2);
    const count = new BigUint64Array(1);
    try {
      this.#call("C_FindObjects", session, bufferOf(found), 2n, bufferOf(count));
    } finally {
      this.#call("C_FindObjectsFinal", session);
    }
    if (count[0] === 1n) return found[0]!;
    throw unavailable(`it has ${count[0] === 0n ? "no" : "more than one"} key with label ${label}`);
  }
}

/** A function of the module that failed. */
class TokenError extends CountersignError {
  readonly returned: number;

  constructor(name: Name, returned: number) {
    super(
      "signer_unavailable",
      `Cannot use PKCS#11 token: ${name} failed, 0x${returned.toString(16)}`,
    );
    this.returned = returned;
  }
}

function unverified(label: string): CountersignError {
  return unavailable(`the signature of key ${label} does not verify`);
}

/** DER of an unsigned integer, most significant byte first. */
function integerOf(bytes: Bytes): Bytes {
  return encodeInteger(BigInt(`0x${bytes.toHex()}`));
}

function bufferOf(words: BigUint64Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(words.buffer);
}

/** CK_ATTRIBUTE entries: type, address, length. `values` must live as long as the call. */
function attributes(values: readonly (readonly [type: number, value: Bytes])[]) {
  const words = new BigUint64Array(values.length * 3);
  for (const [i, [type, value]] of values.entries()) {
    const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(value));
    words.set([BigInt(type), BigInt(address), BigInt(value.length)], i * 3);
  }
  return { bytes: bufferOf(words), values };
}

const [file] = Deno.args;
if (file === undefined) throw new Error("Usage: pkcs11_signer.ts CONFIGURATION");
const configuration: Configuration = JSON.parse(await Deno.readTextFile(file));
const noVariables = { env: () => undefined };
const secret = (path: string) => ({ kind: "file", path }) as const;
using hsm = new Pkcs11Token({
  module: configuration.module,
  token: configuration.token,
  pin: await loadPassword(secret(configuration.pin_file), noVariables),
});
const app = signerApp({
  keys: configuration.keys.map(({ name, kind, label }) => ({
    name,
    kind,
    signer: kind === "tsa" ? hsm.timestampKey(label) : hsm.key(label),
  })),
  token: await loadToken(secret(configuration.token_file), noVariables),
  // deno-lint-ignore no-console
  report: (line) => console.error(line),
});
using stop = stopOnSignals();
const server = await serveOnSocket(configuration.socket, app, stop.signal);
await server.finished;
