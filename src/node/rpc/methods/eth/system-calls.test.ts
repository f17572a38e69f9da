import { expect, test } from 'vitest'
import { type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import { jsonHeaderHash } from '#testing/node/rpc/json-header-hash.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../spec/system-contracts.ts'

const INVALID: Hex = '0xfe'
/** Writes slot 7, then fails. */
const WRITES_AND_REVERTS: Hex = '0x60016007555f5ffd'

test.each([
  ['EIP-4788', BEACON_ROOTS_ADDRESS, INVALID, 'invalid opcode: INVALID'],
  ['EIP-2935', HISTORY_STORAGE_ADDRESS, INVALID, 'invalid opcode: INVALID'],
  ['EIP-2935', HISTORY_STORAGE_ADDRESS, WRITES_AND_REVERTS, 'execution reverted'],
])('if the contract of %s at %s fails (%s), that is logged, and the chain continues', async (_, to, code, reason) => {
  const node = await createTestNode({ mode: 'manual' })
  await node.request('anvil_setCode', [to, code])
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  node.logged.length = 0
  await node.request('devnet_seal', [2])
  expect(node.logged).toEqual([3, 4].map((n) => `block ${n}: the system call to ${to} failed: ${reason}`))

  expect(await node.request('eth_getStorageAt', [to, toWord(7), 'latest'])).toBe(toWord(0))
  for (const n of [2, 3]) {
    const block = await node.request('eth_getBlockByNumber', [toQuantity(n), true])
    expect(block && jsonHeaderHash(block)).toBe(block?.hash)
    expect(await node.request('debug_traceBlockByNumber', [toQuantity(n)])).toHaveLength(n === 2 ? 1 : 0)
  }
})

test('if one system contract fails, the other still stores its value', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('anvil_setCode', [BEACON_ROOTS_ADDRESS, INVALID])
  await request('devnet_seal')
  const parent = await request('eth_getBlockByNumber', ['0x1', false])
  expect(await request('eth_getStorageAt', [HISTORY_STORAGE_ADDRESS, toWord(1), 'latest'])).toBe(parent?.hash)
})
