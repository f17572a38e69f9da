import { concatHex, encodeAbiParameters, hashMessage, hashTypedData, keccak256, padHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, createChain } from '#library/index.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { type SigningContract, signingContract, withContractSigning } from './contract-signing.ts'

const SAFE: Address = `0x${'5a'.repeat(20)}`
const ALICE: Address = `0x${'a1'.repeat(20)}`
const BOB: Address = `0x${'b0'.repeat(20)}`
const ECRECOVER: Address = `0x${'00'.repeat(19)}01`
/** Hashes of types in Safe 1.3.0 and later: `EIP712Domain(uint256 chainId,address verifyingContract)`, `SafeMessage(bytes message)`. */
const DOMAIN_TYPE = '0x47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218'
const MESSAGE_TYPE = '0x60b3cbf8b4a223d68d641b3b6ddf9a298e7f33710cf3d3a9d1146b5a6150fbca'

const ORDER = {
  domain: { name: 'Shop', chainId: 31_337 },
  primaryType: 'Order',
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [{ name: 'amount', type: 'uint256' }],
  },
  message: { amount: '5' },
}

let chain: Chain
let contract: SigningContract | undefined
beforeAll(async () => {
  chain = await createChain({ clock: 'manual', impersonatedSignatures: true })
  for (const account of [SAFE, ALICE, BOB]) {
    await chain.request({ method: 'anvil_impersonateAccount', params: [account] })
  }
})
afterAll(() => chain.close())

const ask = (method: string, ...params: readonly unknown[]) =>
  withContractSigning(chain, () => contract).request({ method, params }) as Promise<Hex>

/** Who has signed a hash, as the chain's contracts find out. */
async function signersOf(hash: Hash, signatures: Hex): Promise<readonly Hex[]> {
  const found: Hex[] = []
  for (let at = 2; at < signatures.length; at += 130) {
    const [r, s, v] = [
      signatures.slice(at, at + 64),
      signatures.slice(at + 64, at + 128),
      signatures.slice(at + 128, at + 130),
    ]
    const data = concatHex([hash, padHex(`0x${v}`, { size: 32 }), `0x${r}`, `0x${s}`])
    const word = await chain.request({ method: 'eth_call', params: [{ to: ECRECOVER, data }] })
    found.push(`0x${word.slice(26)}`)
  }
  return found
}

/** What the owners of a Safe sign, by the formulas of its source. */
function safeMessageHash(hash: Hash): Hash {
  const domain = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }], [DOMAIN_TYPE, 31_337n, SAFE]),
  )
  const message = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [MESSAGE_TYPE, keccak256(hash)]),
  )
  return keccak256(concatHex(['0x1901', domain, message]))
}

test('an owner signs for the contract, the same message', async () => {
  contract = signingContract(SAFE, { signAs: BOB })
  expect(await signersOf(hashMessage('hello'), await ask('personal_sign', '0x68656c6c6f', SAFE))).toEqual([BOB])
  const digest = hashTypedData(ORDER as never)
  expect(await signersOf(digest, await ask('eth_signTypedData_v4', SAFE, ORDER))).toEqual([BOB])
  expect(await signersOf(digest, await ask('eth_signTypedData_v4', SAFE, JSON.stringify(ORDER)))).toEqual([BOB])
})

test('owners of a Safe sign its message of the hash, in the order of their addresses', async () => {
  contract = signingContract(SAFE, { safeOwners: [BOB.toUpperCase().replace('0X', '0x') as Address, ALICE, BOB] })
  const digest = safeMessageHash(hashTypedData(ORDER as never))
  const both = await ask('eth_signTypedData_v4', SAFE, ORDER)
  expect(both).toHaveLength(2 + 2 * 130)
  expect(await signersOf(digest, both)).toEqual([ALICE, BOB])
  expect(await signersOf(digest, await ask('eth_signTypedData_v4', SAFE, JSON.stringify(ORDER)))).toEqual([ALICE, BOB])
  const text = safeMessageHash(hashMessage('hello'))
  expect(await signersOf(text, await ask('personal_sign', '0x68656c6c6f', SAFE))).toEqual([ALICE, BOB])
  expect(await signersOf(text, await ask('personal_sign', 'hello', SAFE))).toEqual([ALICE, BOB])
})

test.each(['no JSON', { types: {}, primaryType: 'Order' }, 5])(
  'what is no typed data is refused, %o',
  async (typedData) => {
    contract = signingContract(SAFE, { safeOwners: [ALICE] })
    await expect(ask('eth_signTypedData_v4', SAFE, typedData)).rejects.toMatchObject({ code: -32602 })
  },
)

test('other accounts and other methods are not touched', async () => {
  contract = signingContract(SAFE, { safeOwners: [ALICE] })
  expect(await signersOf(hashMessage('hello'), await ask('personal_sign', '0x68656c6c6f', BOB))).toEqual([BOB])
  expect(await ask('eth_chainId')).toBe('0x7a69')
  contract = undefined
  expect(await signersOf(hashMessage('hello'), await ask('personal_sign', '0x68656c6c6f', SAFE))).toEqual([SAFE])
})

test.each([
  {},
  { signAs: '0x12' },
  { safeOwners: [] },
  { safeOwners: 5 },
  { safeOwners: ['0x12'] },
  { signAs: ALICE, safeOwners: [BOB] },
])('who signs has to be said, %o', (signing) => {
  expect(() => signingContract(SAFE, signing as never)).toThrow('wallet.use takes signAs, an address, or safeOwners')
})
