import { describe, expect, test } from 'vitest'
import { toQuantity } from '#primitives/hex.ts'
import type { EngineName } from '#rpc-types/node-options.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'

const SENDER = devAccount(0).address

/** Initcode that returns `size` zero bytes; `length` bytes long in all. */
function initcode(size: number, length = 0): `0x${string}` {
  const code = `62${size.toString(16).padStart(6, '0')}6000f3`
  return `0x${code.padEnd(2 * length, '0')}`
}

describe.each<EngineName>(['wasm', 'reference'])('the engine %s', (engine) => {
  const chain = async (codeSizeLimit?: number) => {
    const node = await createTestNode({ mode: 'manual', engine, ...(codeSizeLimit !== undefined && { codeSizeLimit }) })
    return {
      ...node,
      /** Whether the contract exists; the transaction may be refused first. */
      async create(data: `0x${string}`) {
        const transaction = { from: SENDER, data, gas: toQuantity(16_000_000) }
        const hash = await node.request('eth_sendTransaction', [transaction])
        await node.request('devnet_seal')
        const receipt = await node.request('eth_getTransactionReceipt', [hash])
        return receipt?.status === '0x1'
      },
    }
  }

  test('is the 24,576 bytes of EIP-170 by default', async () => {
    const { create, request } = await chain()
    expect([await create(initcode(24_576)), await create(initcode(24_577))]).toEqual([true, false])
    await expect(request('eth_call', [{ from: SENDER, data: initcode(24_577) }])).rejects.toThrow(
      'max code size exceeded',
    )
  })

  test('is the limit set at the start of the chain, and twice that for initcode', async () => {
    const { create, request } = await chain(40_000)
    expect([await create(initcode(40_000)), await create(initcode(40_001))]).toEqual([true, false])
    expect(await create(initcode(1, 80_000))).toBe(true)
    const message = 'max initcode size exceeded: code size 80001 limit 80000'
    await expect(create(initcode(1, 80_001))).rejects.toThrow(message)
    await expect(request('eth_call', [{ from: SENDER, data: initcode(1, 80_001) }])).rejects.toThrow(message)
    const traced = { from: SENDER, data: initcode(40_000), gas: toQuantity(16_000_000) }
    expect(await request('debug_traceCall', [traced, 'latest', { tracer: 'callTracer' }])).not.toHaveProperty('error')
  })

  test('applies to contracts created by contracts', async () => {
    const { create } = await chain(1_000)
    expect([await create(initcode(1_000)), await create(initcode(1_001))]).toEqual([true, false])
    // CREATE with 2,000 bytes of initcode, and with 2,001, which halts.
    expect(await create('0x6107d060006000f0506000600ff3')).toBe(true)
    expect(await create('0x6107d160006000f0506000600ff3')).toBe(false)
  })
})
