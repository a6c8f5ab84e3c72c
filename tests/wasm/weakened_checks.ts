/**
 * The checks of the BLS module as places in its sources, each with a weakened replacement. All are
 * compiled into one module, where `weaken` selects the weakened ones at run time, so that one
 * compilation is enough.
 *
 * @module
 */

/** One check, weakened while its bit is set. */
export interface WeakenedCheck {
  readonly name: string;
  /** Below `wasm/assembly/bls/`. */
  readonly file: string;
  /** An expression. */
  readonly good: string;
  readonly weak: string;
  /** Text that occurs once in the file and ends with `good`, but for what closes it. */
  readonly within?: string;
}

/**
 * In the order of their bits. Left out are checks that no input known to anybody needs: of the sign of
 * a key whose y is in Fp, which no key of the subgroup has been seen to be; of the y of psi(P) = x P,
 * since psi(P) = -x P holds for the identity alone (2 x^2 + x + p is prime to the order of the twist);
 * and of the other coefficients where the first one of a product of pairings is 1.
 */
export const WEAKENED_CHECKS: readonly WeakenedCheck[] = [
  {
    name: "x of a signature below p",
    file: "g1_codec.ts",
    good: "isCanonical(words)",
    weak: "true",
  },
  {
    name: "a signature compressed",
    file: "g1_codec.ts",
    good: "(flags & COMPRESSED) !== 0",
    weak: "true",
  },
  {
    name: "a signature without the flag of the identity",
    file: "g1_codec.ts",
    good: "(flags & IDENTITY) === 0",
    weak: "true",
  },
  {
    name: "the sign of a signature",
    file: "g1_codec.ts",
    good: "upper",
    weak: "0",
    within: "^ upper)",
  },
  {
    name: "a signature on the curve",
    file: "g1_codec.ts",
    good: "pairEqualLanes(negated, side)",
    weak: "<u32>3",
  },
  {
    name: "a share in the subgroup",
    file: "g1_codec.ts",
    good: "g1SubgroupLanes(point)",
    weak: "<u32>3",
  },
  {
    name: "a verified signature in the subgroup",
    file: "verification.ts",
    good: "g1ClearAndCheck(hash, points)",
    weak: "(g1ClearAndCheck(hash, points) || true)",
  },
  {
    name: "a sum of signatures other than the identity",
    file: "signature_sum.ts",
    good: "g1IdentityLanes(sum) !== 0",
    weak: "false",
  },
  {
    name: "every share of a sum valid",
    file: "signature_sum.ts",
    good: "(DECODED_POINT | (DECODED_POINT << 8))",
    weak: "g1DecodeChecked(terms, encodings, second)",
  },
  {
    name: "an odd share once in its sum",
    file: "signature_sum.ts",
    good: "count !== 2",
    weak: "false",
  },
  {
    name: "a sum of keys other than the identity",
    file: "key_sum.ts",
    good: "g2IsIdentity(sum)",
    weak: "false",
  },
  {
    name: "a key compressed",
    file: "g2_codec.ts",
    good: "(flags & COMPRESSED) === 0",
    weak: "false",
  },
  {
    name: "a key without the flag of the identity",
    file: "g2_codec.ts",
    good: "(flags & IDENTITY) !== 0",
    weak: "false",
  },
  {
    name: "the coefficient of 1 of a key below p",
    file: "g2_codec.ts",
    good: "!isCanonical(words0)",
    weak: "false",
  },
  {
    name: "the coefficient of u of a key below p",
    file: "g2_codec.ts",
    good: "!isCanonical(words1)",
    weak: "false",
  },
  {
    name: "a key on the curve",
    file: "g2_codec.ts",
    good: "pairIsZero(check) !== 3",
    weak: "false",
  },
  {
    name: "the sign of a key",
    file: "g2_codec.ts",
    good: "((flags >> UPPER_BIT) & 1)",
    weak: "0",
  },
  {
    name: "a key in the subgroup",
    file: "g2_codec.ts",
    good: "g2IsInSubgroup(point)",
    weak: "true",
  },
  {
    name: "a secret below r",
    file: "secret_key.ts",
    good: "borrow",
    weak: "<u64>1",
    within: "(isNonzero & borrow)",
  },
  {
    name: "a secret other than 0",
    file: "secret_key.ts",
    good: "(any | (0 - any)) >> 63",
    weak: "<u64>1",
  },
  {
    name: "a tag too long for its byte hashed",
    file: "expand_message.ts",
    good: "length <= TAG_LIMIT",
    weak: "true",
  },
  {
    name: "the length of a tag hashed",
    file: "expand_message.ts",
    good: "tagLength",
    weak: "<u32>0",
    within: "store<u8>(small, tagLength)",
  },
  {
    name: "the signature on the other side of the equation",
    file: "verification.ts",
    good: "y",
    weak: "x",
    within: "pairNeg(y, y)",
  },
  {
    name: "the first signature of two in a batch valid",
    file: "combination.ts",
    good: "(kinds & 0xff) === DECODED_POINT",
    weak: "true",
  },
  {
    name: "the second signature of two in a batch valid",
    file: "combination.ts",
    good: "kinds >> 8 === DECODED_POINT",
    weak: "true",
  },
];

const WEAKENED = `
let weakened: u32 = 0;
export function isWeak(bit: u32): bool { return ((weakened >> bit) & 1) !== 0; }
export function weaken(bits: u32): void { weakened = bits; }
`;

/** The text of a source with its checks. */
function withChecks(file: string, text: string): string {
  let result = text;
  for (const [index, { file: other, good, weak, within = good }] of WEAKENED_CHECKS.entries()) {
    if (other !== file) continue;
    const at = result.indexOf(within);
    if (at < 0 || result.indexOf(within, at + 1) >= 0) {
      throw new RangeError(`Cannot weaken ${file}: "${within}" required once`);
    }
    const from = at + within.lastIndexOf(good);
    const choice = `(isWeak(${index}) ? ${weak} : ${good})`;
    result = result.slice(0, from) + choice + result.slice(from + good.length);
  }
  return `import { isWeak } from "./weakened";\n${result}`;
}

/** What a module of weakened checks is compiled from, instead of the sources of these paths. */
export function weakenedSources(
  read: (path: string) => string,
): Readonly<Record<string, () => string>> {
  const files = [...new Set(WEAKENED_CHECKS.map(({ file }) => file))];
  const entry = "bls/entry.ts";
  return {
    ...Object.fromEntries(
      files.map((file) => [`bls/${file}`, () => withChecks(file, read(`bls/${file}`))]),
    ),
    "bls/weakened.ts": () => WEAKENED,
    [entry]: () => `${read(entry)}\nexport { weaken } from "./weakened";\n`,
  };
}
