import { RLP } from '@ethereumjs/rlp'
import { expect, test } from 'vitest'
import { bytesToHex, hexToBytes, toWord } from '#primitives/hex.ts'
import { signLogger } from '#testing/node/rpc/log-contract.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'
import { keccak256Hex } from '../../../crypto/keccak.ts'
import { trieOfBytes } from '../../../state/ordered-trie.ts'
import { EMPTY_CODE_HASH } from '../../../state/state-reader.ts'

const signLegacy = (nonce: number) =>
  devAccount(1).signTransaction({
    type: 'legacy',
    chainId: 31337,
    nonce,
    gas: 21_000n,
    gasPrice: 3_000_000_000n,
    to: devAccount(9).address,
  })

/** A legacy transaction, a typed one and one with logs, in block 1. */
async function createChain() {
  const node = await createTestNode({ mode: 'manual' })
  const raws = [await signTransfer(0, 0), await signLegacy(0), await signLogger(2, 0, toWord(7))]
  const hashes: string[] = []
  for (const raw of raws) hashes.push(await node.request('eth_sendRawTransaction', [raw]))
  return { ...node, raws: new Map(raws.map((raw, i) => [hashes[i] ?? '', raw])) }
}

test.each(['eth_getRawTransactionByHash', 'debug_getRawTransaction'] as const)(
  '%s returns the submitted bytes: pooled, pre-confirmed and sealed',
  async (method) => {
    const { request, raws } = await createChain()
    for (let stage = 0; stage < 3; stage++) {
      for (const [hash, raw] of raws) expect(await request(method, [hash])).toBe(raw)
      await request('devnet_tick', [10])
    }
    expect(await request(method, [toWord(1)])).toBe('0x')
  },
)

test.each(['pending', '0x1'])('the raw parts of block %s match its fields', async (ref) => {
  const { request, raws } = await createChain()
  await request('devnet_tick', [ref === 'pending' ? 1 : 11])
  const block = await request('eth_getBlockByNumber', [ref, false])
  const header = await request('debug_getRawHeader', [ref])
  expect(keccak256Hex(hexToBytes(header))).toBe(block?.hash)

  const encoded = hexToBytes(await request('debug_getRawBlock', [ref]))
  expect(encoded).toHaveLength(Number(block?.size))
  const [rawHeader, body, uncles, withdrawals] = RLP.decode(encoded) as [Uint8Array[], Uint8Array[], [], []]
  expect(bytesToHex(RLP.encode(rawHeader))).toBe(header)
  expect([uncles, withdrawals]).toEqual([[], []])
  const transactions = body.map((item) => bytesToHex(item instanceof Uint8Array ? item : RLP.encode(item)))
  expect(transactions).toEqual(block?.transactions.map((hash) => raws.get(hash as string)))
  expect(transactions).toHaveLength(3)

  const trie = trieOfBytes()
  for (const receipt of await request('debug_getRawReceipts', [ref])) trie.append(hexToBytes(receipt))
  expect(bytesToHex(trie.root())).toBe(block?.receiptsRoot)
})

test.each([
  ['debug_getRawHeader', '0x9', 'header #9 not found'],
  ['debug_getRawBlock', toWord(3), `block #${toWord(3)} not found`],
  ['debug_getRawReceipts', '0x9', 'block #9 not found'],
] as const)('%s of an unknown block', async (method, ref, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request(method, [ref])).rejects.toMatchObject({ error: { code: -32000, message } })
})

test('code is found by its hash, also after its contract has gone, and unknown code is none', async () => {
  const { request } = await createTestNode()
  const address = `0x${'c1'.repeat(20)}`
  await request('anvil_setCode', [address, '0x60016002'])
  const { codeHash } = await request('eth_getProof', [address, []])
  expect(await request('debug_codeByHash', [codeHash])).toBe('0x60016002')
  await request('anvil_setCode', [address, '0x'])
  expect(await request('debug_codeByHash', [codeHash])).toBe('0x60016002')
  expect(await request('debug_codeByHash', [EMPTY_CODE_HASH])).toBe('0x')
  expect(await request('debug_codeByHash', [toWord(1)])).toBe('0x')
})
