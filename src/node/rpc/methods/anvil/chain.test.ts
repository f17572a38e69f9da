import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { createTestNode } from '#testing/node/test-node.ts'

test('the chain id cannot be changed, and the refusal says what to do instead', async () => {
  const { request } = await createTestNode({ chainId: 5 })
  await expect(request('anvil_setChainId', [7])).rejects.toMatchObject({
    error: {
      code: -32000,
      message: expect.stringMatching(/^the chain keeps its id, 5: .*--chain-id 7, or several with --chains$/) as string,
    },
  })
  await expect(request('anvil_setChainId', ['0x7'])).rejects.toMatchObject({ error: { code: -32000 } })
  expect(await request('eth_chainId')).toBe('0x5')
})

test('the time of the first block is the genesis time', async () => {
  const { request } = await createTestNode({ genesisTimestamp: 1_700_000_000 })
  await request('evm_mine')
  expect(await request('anvil_getGenesisTime')).toBe(1_700_000_000)
})

test('there are no blobs, nobody mines, and the id of the network is that of the chain', async () => {
  const { request, raw } = await createTestNode({ chainId: 5 })
  expect(await request('anvil_getBlobByHash', [toWord(1)])).toBeNull()
  expect(await request('anvil_getBlobsByTransactionHash', [toWord(1)])).toBeNull()
  expect(await request('eth_hashrate')).toBe('0x0')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_networkId' })
  expect(JSON.parse((await raw(body)) ?? '')).toMatchObject({ result: '5' })
})
