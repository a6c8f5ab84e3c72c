/**
 * Look-ups of hashes and tiles in the log.
 *
 * @module
 */

import { type TileAddress, tilePath } from "../../src/proof/merkle/tile.ts";
import type { Answer } from "./answer_reader.ts";
import { HashMatcher } from "./hash_matcher.ts";
import type { KnownHashes } from "./known_hashes.ts";
import { encodeRequest, HEX_LENGTH } from "./request_bytes.ts";
import type { Check, Client, Scenario } from "./scenario.ts";
import type { SampleVerifier } from "./sample_verifier.ts";

const BLANK = "0".repeat(HEX_LENGTH);

/** Look-ups by hash: their route, and the check of an answer. */
const BY_HASH = {
  status: {
    path: "/v1/attestations/",
    verify: (verifier: SampleVerifier, hash: string, text: string) =>
      verifier.snapshot(hash, text).then(() => {}),
  },
  bundle: {
    path: "/v1/bundle/",
    verify: (verifier: SampleVerifier, hash: string, text: string) => verifier.bundle(hash, text),
  },
  proof: {
    path: "/v1/proof/",
    verify: (verifier: SampleVerifier, hash: string, text: string) => verifier.proof(hash, text),
  },
} as const;

/** `status`, `bundle` or `proof` of hashes of the log. */
export function lookUpScenario(
  name: keyof typeof BY_HASH,
  known: KnownHashes,
  verifier: SampleVerifier,
): Scenario {
  return {
    name,
    hashes: 1,
    submits: false,
    client: () => new LookUpClient(name, known, verifier),
  };
}

class LookUpClient implements Client {
  readonly #name: keyof typeof BY_HASH;
  readonly #known: KnownHashes;
  readonly #verifier: SampleVerifier;
  readonly #request: Uint8Array;
  readonly #place: number;
  readonly #matcher = new HashMatcher();

  constructor(name: keyof typeof BY_HASH, known: KnownHashes, verifier: SampleVerifier) {
    this.#name = name;
    this.#known = known;
    this.#verifier = verifier;
    const { path } = BY_HASH[name];
    this.#request = encodeRequest("GET", path + BLANK);
    this.#place = "GET ".length + path.length;
  }

  next(): Uint8Array {
    this.#known.fill(this.#request, this.#place);
    return this.#request;
  }

  accepts(answer: Answer): boolean {
    return answer.status === 200 && this.#matcher.matches(answer, this.#request, this.#place);
  }

  check(answer: Answer): Check {
    const text = new TextDecoder().decode(answer.body);
    const digits = this.#request.subarray(this.#place, this.#place + HEX_LENGTH);
    const hash = new TextDecoder().decode(digits);
    return () => BY_HASH[this.#name].verify(this.#verifier, hash, text);
  }
}

/** `tiles`: full tiles of hashes and full bundles of entries, by turns. */
export function tileScenario(known: KnownHashes, verifier: SampleVerifier): Scenario {
  const addresses = known.fullTiles.flatMap((index): TileAddress[] => [
    { level: 0, index, width: 256 },
    { level: "entries", index, width: 256 },
  ]);
  if (addresses.length === 0) throw new Error("Cannot read tiles: a log of 256 leaves required");
  const requests = addresses.map(({ level, index, width }) =>
    encodeRequest("GET", `/${tilePath(level, index, width)}`)
  );
  return {
    name: "tiles",
    hashes: 1,
    submits: false,
    client: () => new TileClient(addresses, requests, verifier),
  };
}

/** Bytes of a full tile of hashes; a bundle of as many entries is longer. */
const FULL_TILE_BYTES = 8_192;

class TileClient implements Client {
  readonly #addresses: readonly TileAddress[];
  readonly #requests: readonly Uint8Array[];
  readonly #verifier: SampleVerifier;
  #at: number;

  constructor(
    addresses: readonly TileAddress[],
    requests: readonly Uint8Array[],
    verifier: SampleVerifier,
  ) {
    this.#addresses = addresses;
    this.#requests = requests;
    this.#verifier = verifier;
    this.#at = Math.floor(Math.random() * requests.length);
  }

  next(): Uint8Array {
    this.#at = (this.#at + 1) % this.#requests.length;
    return this.#requests[this.#at]!;
  }

  accepts(answer: Answer): boolean {
    const length = answer.bodyEnd - answer.bodyStart;
    const isTile = this.#addresses[this.#at]!.level === 0;
    return answer.status === 200 &&
      (isTile ? length === FULL_TILE_BYTES : length > FULL_TILE_BYTES);
  }

  check(answer: Answer): Check {
    const body = answer.body.slice();
    const address = this.#addresses[this.#at]!;
    return () => this.#verifier.tile(address, body);
  }
}
