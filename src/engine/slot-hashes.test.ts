import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordMachine } from '#testing/engine/words.ts'
import { wasm } from './assembly/evm/hashes/slot-hashes.ts?wasm'

const { functions, memory } = await wordMachine(wasm)
/** Behind what the module keeps. */
const PLACE = 196_608

function hash(bytes: Uint8Array): Uint8Array {
  memory.bytes.set(bytes, PLACE + 32)
  functions['hashSlot']?.(PLACE, PLACE + 32)
  return memory.slice(PLACE, 32).toReversed()
}

/** Keys of mappings: few of them, so that they come again, and some that are in the place of another. */
const preimage = fc
  .tuple(fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 2n ** 160n })), fc.nat(3))
  .map(([key, slot]) => Buffer.from(key.toString(16).padStart(64, '0') + slot.toString(16).padStart(64, '0'), 'hex'))

test('cached and uncached hashes match @noble/hashes', () => {
  fc.assert(
    fc.property(fc.array(preimage, { maxLength: 200 }), (preimages) => {
      for (const bytes of preimages) expect(hash(bytes)).toEqual(keccak_256(bytes))
    }),
    { numRuns: 30 },
  )
})

test('hashes match also after many that do not come again, and once they come again', () => {
  for (let i = 0; i < 2_000; i++) hash(Buffer.from(i.toString(16).padStart(128, '0'), 'hex'))
  for (let i = 1_950; i < 2_050; i++) {
    const bytes = Buffer.from((i % 2_003).toString(16).padStart(128, '0'), 'hex')
    expect(hash(bytes)).toEqual(keccak_256(bytes))
  }
})
