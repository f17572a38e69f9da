import { expect, test } from 'vitest'
import type { ForkedChain } from '#client/session/remote-endpoint.ts'
import { tryEndpoint } from './try-endpoint.ts'

const CHAIN: ForkedChain = {
  endpoint: { url: 'https://rpc.example/', transport: 'http', host: 'rpc.example' },
  blockNumber: undefined,
}
const PROOF = { accountProof: ['0x80'], storageProof: [] }

function endpoint(answers: Record<string, unknown>) {
  const asked: unknown[] = []
  const all = {
    eth_chainId: '0xa',
    eth_blockNumber: '0x64',
    web3_clientVersion: 'Geth/v1',
    eth_getProof: PROOF,
    eth_getBalance: '0x0',
    ...answers,
  }
  const ask = async (method: string, params: readonly unknown[]) => {
    asked.push([method, ...params])
    const answer = (all as Record<string, unknown>)[method]
    if (answer instanceof Error) throw answer
    return answer
  }
  return { asked, remote: { name: 'rpc.example', ask } }
}

test('an endpoint with all that a fork needs is asked for proofs of the block, and for its oldest state', async () => {
  const { asked, remote } = endpoint({})
  expect(await tryEndpoint(remote, CHAIN)).toEqual({
    chainId: 10,
    newest: 100,
    block: 100,
    clientVersion: 'Geth/v1',
    withoutProofs: undefined,
    withoutArchive: undefined,
  })
  const nobody = `0x${'00'.repeat(20)}`
  expect(asked).toContainEqual(['eth_getProof', nobody, [], '0x64'])
  expect(asked).toContainEqual(['eth_getBalance', nobody, '0x1'])
  await tryEndpoint(remote, { ...CHAIN, blockNumber: 7 })
  expect(asked).toContainEqual(['eth_getProof', nobody, [], '0x7'])
})

test('what it lacks is told with its own reason', async () => {
  const { remote } = endpoint({
    web3_clientVersion: new Error('no'),
    eth_getProof: new Error('the method eth_getProof is not available'),
    eth_getBalance: new Error('missing trie node'),
  })
  expect(await tryEndpoint(remote, CHAIN)).toMatchObject({
    clientVersion: '',
    withoutProofs: 'the method eth_getProof is not available',
    withoutArchive: 'missing trie node',
  })
  expect(await tryEndpoint(endpoint({ eth_getProof: [], eth_getBalance: null }).remote, CHAIN)).toMatchObject({
    withoutProofs: 'its answer is of another kind',
    withoutArchive: 'its answer is of another kind',
  })
})

test('what is no chain, or has no such block, is refused', async () => {
  await expect(tryEndpoint(endpoint({ eth_chainId: { toString: 1 } }).remote, CHAIN)).rejects.toThrow('no chain id')
  await expect(tryEndpoint(endpoint({ eth_blockNumber: `0x${'f'.repeat(40)}` }).remote, CHAIN)).rejects.toThrow(
    'no chain id or block number',
  )
  await expect(tryEndpoint(endpoint({}).remote, { ...CHAIN, blockNumber: 101 })).rejects.toThrow(
    'rpc.example has no block 101: its newest is 100',
  )
  await expect(tryEndpoint(endpoint({ eth_chainId: new Error('gone') }).remote, CHAIN)).rejects.toThrow('gone')
})
