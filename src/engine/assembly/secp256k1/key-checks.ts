/**
 * Whether signatures are those of known keys: that of Q is the one where (digest / s) G + (r / s) Q is the point R that r and
 * the parity stand for. No other key is recovered from it then, and the answer is exact.
 */
import { isOdd, LANES, loadWords, normalize } from './field.ts'
import { MAX_CHECKED } from './limits.ts'
import { addMultiples, sumAt, writeScalar } from './multiples.ts'
import { yOf } from './point.ts'
import { invertScaled, isScalar, multiplyScalars } from './scalars.ts'
import { IS_ODD_AT, NO_KEY, OUTCOME_AT, RECOVERED, signatureAt } from './signatures.ts'

// Behind r, where others have x.
const S_AT: usize = 32
/** The highest byte first. */
const DIGEST_AT: usize = 64
/** Whether r and s are in the range of scalars. */
const IS_VALID_AT: usize = 104

/**
 * Checks signatures, each beside the number of a key. The outcome is {@link RECOVERED} for those of that key.
 *
 * @param count - At least one, at most {@link MAX_CHECKED}.
 * @param isWide - Whether the numbers are those of wide keys.
 */
export function checkSignatures(count: i32, isWide: bool): void {
  writeScalars(count)
  const units = addMultiples(count, isWide, true)
  for (let i = 0; i < units; i++) {
    const sum = sumAt(i)
    normalize(sum, sum)
    normalize(yOf(sum), yOf(sum))
  }
  for (let i = 0; i < count; i++) {
    const signature = signatureAt(i)
    const isSame = load<u32>(signature, IS_VALID_AT) && isAt(signature, sumAt(i / LANES), i % LANES)
    if (load<u32>(signature, OUTCOME_AT) == RECOVERED && !isSame) store<u32>(signature, NO_KEY, OUTCOME_AT)
  }
}

const one = memory.data<u64>([1, 0, 0, 0], 16)
/** Products of s of the first 1, 2, 3, … signatures. */
const products = memory.data(MAX_CHECKED * 32, 16)
const inverse = memory.data(32, 16)
const overS = memory.data(32, 16)
const scalar = memory.data(32, 16)

/** Inverts all s at once, see `inversions.ts`. */
function writeScalars(count: i32): void {
  for (let i = 0; i < count; i++) {
    const signature = signatureAt(i)
    const isValid = isScalar(signature) && isScalar(signature + S_AT)
    store<u32>(signature, isValid, IS_VALID_AT)
    // Any that has an inverse, as the others need it.
    if (!isValid) memory.copy(signature + S_AT, one, 32)
  }
  memory.copy(products, signatureAt(0) + S_AT, 32)
  for (let i = 1; i < count; i++) multiplyScalars(productAt(i), signatureAt(i) + S_AT, productAt(i - 1))
  invertScaled(inverse, productAt(count - 1))
  for (let i = count - 1; i >= 0; i--) {
    const signature = signatureAt(i)
    if (i) {
      multiplyScalars(overS, productAt(i - 1), inverse)
      multiplyScalars(inverse, signature + S_AT, inverse)
    } else {
      memory.copy(overS, inverse, 32)
    }
    store<u64>(scalar, bswap<u64>(load<u64>(signature, DIGEST_AT + 24)))
    store<u64>(scalar, bswap<u64>(load<u64>(signature, DIGEST_AT + 16)), 8)
    store<u64>(scalar, bswap<u64>(load<u64>(signature, DIGEST_AT + 8)), 16)
    store<u64>(scalar, bswap<u64>(load<u64>(signature, DIGEST_AT)), 24)
    multiplyScalars(scalar, scalar, overS)
    writeScalar(signature, 0, scalar)
    multiplyScalars(scalar, signature, overS)
    writeScalar(signature, 1, scalar)
  }
}

// @inline
function productAt(i: i32): usize {
  return products + ((<usize>i) << 5)
}

const words = memory.data(32, 16)

/** Whether a point has the signature's r as its x, and the parity of its y. */
function isAt(signature: usize, point: usize, lane: i32): bool {
  loadWords(words, point, lane)
  for (let at: usize = 0; at < 32; at += 8) if (load<u64>(words + at) != load<u64>(signature + at)) return false
  return isOdd(yOf(point), lane) == (load<u32>(signature, IS_ODD_AT) != 0)
}
