/**
 * Detects whether this machine fuses `f64x2.relaxed_madd`. The build that needs it is tested only
 * where it would be chosen.
 *
 * @module
 */

// (a, c) -> lane 0 of madd(splat a, splat a, splat c).
const MODULE = Uint8Array.of(
  0x00,
  0x61,
  0x73,
  0x6d,
  0x01,
  0x00,
  0x00,
  0x00,
  0x01,
  0x07,
  0x01,
  0x60,
  0x02,
  0x7c,
  0x7c,
  0x01,
  0x7c,
  0x03,
  0x02,
  0x01,
  0x00,
  0x07,
  0x08,
  0x01,
  0x04,
  0x6d,
  0x61,
  0x64,
  0x64,
  0x00,
  0x00,
  0x0a,
  0x16,
  0x01,
  0x14,
  0x00,
  0x20,
  0x00,
  0xfd,
  0x14,
  0x20,
  0x00,
  0xfd,
  0x14,
  0x20,
  0x01,
  0xfd,
  0x14,
  0xfd,
  0x87,
  0x02,
  0xfd,
  0x21,
  0x00,
  0x0b,
);

function fusesMultiplyAdd(): boolean {
  if (!WebAssembly.validate(MODULE)) return false;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE));
  const madd = exports["madd"] as (a: number, c: number) => number;
  const a = 1 + 2 ** -30;
  // a^2 = 1 + 2^-29 + 2^-60, whose last term is lost where the product is rounded.
  return madd(a, -(1 + 2 ** -29)) === 2 ** -60;
}

export const FUSES_MULTIPLY_ADD: boolean = fusesMultiplyAdd();
