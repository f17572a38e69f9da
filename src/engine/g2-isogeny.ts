import { bigIntToBytes, concatBytes, padLeft } from '#primitives/bytes.ts'

type Complex = readonly [real: bigint, imaginary: bigint]

/**
 * A and B of the curve that the extension is mapped to first, and the coefficients of the rational functions that lead from there
 * to the second group's curve, the lowest power first: of x, the numerator's and the denominator's, then of y.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9380#appendix-E.3 | RFC 9380}
 */
const NUMBERS: readonly Complex[] = [
  [0n, 240n],
  [1012n, 1012n],
  [
    0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97d6n,
    0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97d6n,
  ],
  [0n, 0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71an],
  [
    0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71en,
    0x8ab05f8bdd54cde190937e76bc3e447cc27c3d6fbd7063fcd104635a790520c0a395554e5c6aaaa9354ffffffffe38dn,
  ],
  [0x171d6541fa38ccfaed6dea691f5fb614cb14b4e7f4e810aa22d6108f142b85757098e38d0f671c7188e2aaaaaaaa5ed1n, 0n],
  [0n, -72n],
  [12n, -12n],
  [1n, 0n],
  [
    0x1530477c7ab4113b59a4c18b076d11930f7da5d4a07f649bf54439d87d27e500fc8c25ebf8c92f6812cfc71c71c6d706n,
    0x1530477c7ab4113b59a4c18b076d11930f7da5d4a07f649bf54439d87d27e500fc8c25ebf8c92f6812cfc71c71c6d706n,
  ],
  [0n, 0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97ben],
  [
    0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71cn,
    0x8ab05f8bdd54cde190937e76bc3e447cc27c3d6fbd7063fcd104635a790520c0a395554e5c6aaaa9354ffffffffe38fn,
  ],
  [0x124c9ad43b6cf79bfbf7043de3811ad0761b0f37a1e26286b0e977c69aa274524e79097a56dc4bd9e1b371c71c718b10n, 0n],
  [-432n, -432n],
  [0n, -216n],
  [18n, -18n],
  [1n, 0n],
]

/** The numbers above modulo p, each part in 48 bytes. */
export function g2Isogeny(p: bigint): Uint8Array {
  return concatBytes(...NUMBERS.flat().map((part) => padLeft(bigIntToBytes(part < 0n ? part + p : part), 48)))
}
