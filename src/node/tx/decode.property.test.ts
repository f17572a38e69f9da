import fc from 'fast-check'
import { parseTransaction, serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { account, rejection, SENDER, samples, sign } from '#testing/node/tx/signed-samples.ts'
import { toViem, viemTransaction } from '#testing/node/tx/viem-transaction.ts'
import { decodeTransaction } from './decode.ts'
import { TxRejectedError } from './rejection.ts'

test('decoding bytes signed by viem gives the sender, and encoding the fields gives the bytes', async () => {
  await fc.assert(
    fc.asyncProperty(viemTransaction, async (fields) => {
      const signed = await account.signTransaction(fields)
      const tx = decodeTransaction(hexToBytes(signed))
      expect(tx.sender).toBe(SENDER)
      const { r, s, v } = parseTransaction(signed)
      expect([tx.r, tx.s]).toEqual([BigInt(r as Hex), BigInt(s as Hex)])
      const signature = { r: r as Hex, s: s as Hex, v: v as bigint, yParity: tx.yParity }
      expect(serializeTransaction(toViem(tx), signature)).toBe(signed)
    }),
    { numRuns: 200 },
  )
})

test('changed bytes are refused or are another transaction, and never cause any other error', async () => {
  const valid = await Promise.all(Object.values(await samples()).map(sign))
  const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), insert: fc.boolean() })
  fc.assert(
    fc.property(fc.constantFrom(...valid), fc.array(change, { minLength: 1, maxLength: 3 }), (raw, changes) => {
      let bytes = [...raw]
      for (const { at, byte, insert } of changes) bytes = bytes.toSpliced(at % bytes.length, insert ? 0 : 1, byte)
      const changed = Uint8Array.from(bytes)
      try {
        const tx = decodeTransaction(changed)
        const unchanged = bytesToHex(changed) === bytesToHex(raw)
        // Valid bytes have one meaning: another signed content or signature has another sender.
        expect(tx.sender === SENDER).toBe(unchanged)
      } catch (error) {
        if (!(error instanceof TxRejectedError)) throw error
      }
    }),
    { numRuns: 3_000 },
  )
})

test('arbitrary bytes are refused with a rejection and no other error', () => {
  const prefix = fc.constantFrom([], [0x01], [0x02], [0x04], [0xf8], [0x02, 0xf8], [0x04, 0xf9])
  fc.assert(
    fc.property(prefix, fc.uint8Array({ maxLength: 300 }), (start, rest) => {
      expect(rejection(Uint8Array.of(...start, ...rest))).toBeInstanceOf(TxRejectedError)
    }),
    { numRuns: 3_000 },
  )
})
