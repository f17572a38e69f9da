import { type Hex, hashMessage, hashTypedData, recoverMessageAddress } from 'viem'
import { expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { MemoryJournal } from '../../../storage/memory-journal.ts'

const HOLDER: Address = `0x${'be'.repeat(20)}`
const CONTRACT: Address = `0x${'c0'.repeat(20)}`
/** Answers what `ecrecover` says of its input, and stores it in slot 0. */
const RECOVERS: Hex = '0x60805f5f3760205f60805f60015afa505f5180 5f55 5f52 60205ff3'.replaceAll(' ', '') as Hex
const TYPED = {
  domain: { name: 'Token', chainId: 31337 },
  primaryType: 'Permit',
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Permit: [{ name: 'value', type: 'uint256' }],
  },
  message: { value: '5' },
} as const

const calldata = (digest: Hex, signature: string): Hex => {
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
  return `0x${digest.slice(2)}${v.padStart(64, '0')}${r}${s}`
}

async function recovered(request: TestNode['request'], digest: Hex, signature: string): Promise<string> {
  const call = { to: CONTRACT, data: calldata(digest, signature) }
  return `0x${(await request('eth_call', [call, 'latest'])).slice(26)}`
}

test.each(['wasm', 'reference'] as const)(
  'what is signed for an impersonated account verifies in contracts of this chain and nowhere else, %s',
  async (engine) => {
    const { request } = await createTestNode({ mode: 'manual', engine, impersonatedSignatures: true })
    await request('anvil_setCode', [CONTRACT, RECOVERS])
    await request('anvil_impersonateAccount', [HOLDER])
    const message = 'coffee, please'
    const hex: Hex = `0x${Buffer.from(message).toString('hex')}`
    const signature = await request('personal_sign', [hex, HOLDER])
    expect(await request('eth_sign', [HOLDER, hex])).toBe(signature)
    const digest = hashMessage(message)
    expect(await recovered(request, digest, signature)).toBe(HOLDER)
    expect(await request('personal_ecRecover', [hex, signature])).toBe(HOLDER)
    expect((await recoverMessageAddress({ message, signature })).toLowerCase()).not.toBe(HOLDER)
    expect(await recovered(request, hashMessage('tea, please'), signature)).not.toBe(HOLDER)

    const permit = await request('eth_signTypedData_v4', [HOLDER, TYPED])
    expect(await recovered(request, hashTypedData(TYPED as never), permit)).toBe(HOLDER)
    // A development account signs as before.
    const own = devAccount(0).address.toLowerCase() as Address
    expect(await recovered(request, digest, await request('personal_sign', [hex, own]))).toBe(own)

    const transaction = { from: HOLDER, to: CONTRACT, gas: '0x5208', gasPrice: '0x77359400', nonce: '0x0' }
    await expect(request('eth_signTransaction', [transaction])).rejects.toThrow('unknown account')
    await request('anvil_stopImpersonatingAccount', [HOLDER])
    await expect(request('personal_sign', [hex, HOLDER])).rejects.toThrow('unknown account')
  },
)

test.each(['wasm', 'reference'] as const)(
  'without the option nothing is signed for it, and what another chain has signed verifies nowhere, %s',
  async (engine) => {
    const open = await createTestNode({ mode: 'manual', impersonatedSignatures: true })
    await open.request('anvil_impersonateAccount', [HOLDER])
    const signature = await open.request('personal_sign', ['0x68690a', HOLDER])
    const { request } = await createTestNode({ mode: 'manual', engine })
    await request('anvil_setCode', [CONTRACT, RECOVERS])
    await request('anvil_impersonateAccount', [HOLDER])
    for (const sign of [
      () => request('personal_sign', ['0x68690a', HOLDER]),
      () => request('eth_sign', [HOLDER, '0x68690a']),
      () => request('eth_signTypedData_v4', [HOLDER, TYPED]),
    ]) {
      await expect(sign()).rejects.toThrow('start the node with --impersonated-signatures')
    }
    expect(await recovered(request, hashMessage({ raw: '0x68690a' }), signature)).not.toBe(HOLDER)
    expect(await request('personal_ecRecover', ['0x68690a', signature])).not.toBe(HOLDER)
  },
)

test('a stored chain opens again with what such a signature has done in its live block', async () => {
  const journal = new MemoryJournal()
  const first = await createTestNode({ mode: 'manual', impersonatedSignatures: true }, { journal })
  await first.request('anvil_setCode', [CONTRACT, RECOVERS])
  await first.request('anvil_impersonateAccount', [HOLDER])
  const signature = await first.request('personal_sign', ['0x68690a', HOLDER])
  const data = calldata(hashMessage({ raw: '0x68690a' }), signature)
  const from = devAccount(0).address
  await first.request('eth_sendTransaction', [{ from, to: CONTRACT, data, gas: '0x186a0' }])
  await first.request('devnet_tick')
  const slot = ['eth_getStorageAt', [CONTRACT, '0x0', 'pending']] as const
  expect(await first.request(...slot)).toBe(`0x${HOLDER.slice(2).padStart(64, '0')}`)
  await first.node.close()
  const second = await createTestNode({}, { journal: journal.reopen() })
  expect(await second.request(...slot)).toBe(`0x${HOLDER.slice(2).padStart(64, '0')}`)
  await second.node.close()
  await expect(createTestNode({ impersonatedSignatures: false }, { journal: journal.reopen() })).rejects.toThrow(
    'impersonatedSignatures',
  )
})
