import fc from 'fast-check'
import { serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { account, SENDER } from '#testing/node/tx/signed-samples.ts'
import { toViem, viemTransaction } from '#testing/node/tx/viem-transaction.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { decodeTransaction } from './decode.ts'
import { encodeTransaction, signingDigest } from './encode.ts'
import { impersonateTransaction, signTransaction } from './sign.ts'
import { isImpersonated, type Transaction, type UnsignedTransaction } from './transaction.ts'

const KEY = hexToBytes(`0x${'17'.repeat(32)}`)
const CONTRACT = `0x${'c0'.repeat(20)}` as const

/** A transaction that viem signed, decoded. */
const decoded = async (fields: Parameters<typeof account.signTransaction>[0]) =>
  decodeTransaction(hexToBytes(await account.signTransaction(fields)))

function unsigned(tx: Transaction): UnsignedTransaction {
  const { hash: _hash, raw: _raw, sender: _sender, yParity: _yParity, r: _r, s: _s, ...fields } = tx
  return fields
}

test('encoding a decoded transaction gives its bytes again', async () => {
  await fc.assert(
    fc.asyncProperty(viemTransaction, async (fields) => {
      const tx = await decoded(fields)
      expect(bytesToHex(encodeTransaction(tx, tx))).toBe(bytesToHex(tx.raw))
    }),
    { numRuns: 200 },
  )
})

test('the digest to sign is the hash of viem’s unsigned serialization', async () => {
  await fc.assert(
    fc.asyncProperty(viemTransaction, async (fields) => {
      const tx = await decoded(fields)
      expect(signingDigest(tx)).toEqual(keccak256(hexToBytes(serializeTransaction(toViem(tx)))))
    }),
    { numRuns: 200 },
  )
})

test('signing gives the same bytes as viem, and the object that they decode to', async () => {
  await fc.assert(
    fc.asyncProperty(viemTransaction, async (fields) => {
      const tx = await decoded(fields)
      expect(signTransaction(unsigned(tx), SENDER as `0x${string}`, KEY)).toEqual(tx)
    }),
    { numRuns: 200 },
  )
})

test('an impersonated transaction has its sender and a unique hash, and its bytes cannot be submitted', async () => {
  await fc.assert(
    fc.asyncProperty(viemTransaction, async (fields) => {
      const tx = await decoded(fields)
      const forged = impersonateTransaction(unsigned(tx), CONTRACT)
      expect(forged).toMatchObject({ ...unsigned(tx), sender: CONTRACT, s: 1n })
      expect([isImpersonated(forged), isImpersonated(tx)]).toEqual([true, false])
      const other = impersonateTransaction(unsigned(tx), account.address.toLowerCase() as `0x${string}`)
      expect(new Set([forged.hash, other.hash, tx.hash]).size).toBe(3)
      expect(() => decodeTransaction(forged.raw)).toThrow('invalid transaction v, r, s values')
    }),
    { numRuns: 50 },
  )
})
