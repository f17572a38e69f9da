import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from '../../../state/state-reader.ts'

const CONTRACT: Hex = `0x${'c1'.repeat(20)}`
const NOBODY: Hex = `0x${'c2'.repeat(20)}`
/** Stores 5 in slot 1. */
const STORE: Hex = '0x60056001555f'

test('an account is answered whole: its balance, nonce and code, or as the state trie has it', async () => {
  const { request } = await createTestNode({ genesis: { [CONTRACT]: { balance: 7, nonce: 3, code: STORE } } })
  expect(await request('eth_getAccountInfo', [CONTRACT])).toEqual({ balance: '0x7', nonce: '0x3', code: STORE })
  expect(await request('eth_getAccount', [CONTRACT])).toEqual({
    balance: '0x7',
    nonce: '0x3',
    codeHash: keccak256(STORE),
    storageRoot: EMPTY_TRIE_ROOT,
  })
})

test('the storage root is the one that proofs have', async () => {
  const { request } = await createTestNode({
    genesis: { [CONTRACT]: { storage: { '0x1': '0x2a', '0x2': '0x2b' } } },
  })
  const { storageHash } = await request('eth_getProof', [CONTRACT, []])
  expect(storageHash).not.toBe(EMPTY_TRIE_ROOT)
  expect(await request('eth_getAccount', [CONTRACT])).toMatchObject({ storageRoot: storageHash })
})

test('an account that does not exist has nothing of anything', async () => {
  const { request } = await createTestNode()
  expect(await request('eth_getAccountInfo', [NOBODY])).toEqual({ balance: '0x0', nonce: '0x0', code: '0x' })
  expect(await request('eth_getAccount', [NOBODY])).toEqual({
    balance: '0x0',
    nonce: '0x0',
    codeHash: EMPTY_CODE_HASH,
    storageRoot: EMPTY_TRIE_ROOT,
  })
})

test('both are read at a block: sealed, pending, or one that is refused as it is not there', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('eth_sendRawTransaction', [await signTransfer(0, 0, { to: NOBODY, value: 5n })])
  await request('devnet_tick')
  const { address } = devAccount(0)
  expect(await request('eth_getAccountInfo', [NOBODY, 'pending'])).toMatchObject({ balance: '0x5' })
  expect(await request('eth_getAccountInfo', [NOBODY, 'latest'])).toMatchObject({ balance: '0x0' })
  expect(await request('eth_getAccount', [address, 'pending'])).toMatchObject({ nonce: '0x1' })
  expect(await request('eth_getAccount', [address, '0x0'])).toMatchObject({ nonce: '0x0' })
  for (const method of ['eth_getAccount', 'eth_getAccountInfo'] as const) {
    await expect(request(method, [address, '0x9'])).rejects.toMatchObject({
      error: { code: -32000, message: 'header not found' },
    })
  }
})
