import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Address, Hex } from '#primitives/hex.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { endpointAt, recordBy } from '#testing/server/recorded.ts'
import { type ServedTestChain, serveChain } from '#testing/server/served-chain.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'

const HOLDER: Address = `0x${'99'.repeat(20)}`
const STRANGER: Address = `0x${'98'.repeat(20)}`
const server = serverOfEachTest()
const { start, stop, rpc } = server

let original: TestNode
let served: ServedTestChain
let file: string
beforeEach(async () => {
  original = await createTestNode({ mode: 'manual', chainId: 77 })
  for (const account of [HOLDER, STRANGER]) await original.request('anvil_setBalance', [account, '0x5'])
  await original.request('evm_mine')
  served = await serveChain(original)
  file = path.join(server.folder, 'tests.fork')
})
afterEach(() => served.close())

/** Pays the holder. */
async function pay(): Promise<unknown> {
  const [from] = (await rpc('eth_accounts')) as Hex[]
  await rpc('eth_sendTransaction', { from, to: HOLDER, value: '0x1' })
  await rpc('evm_mine')
  return rpc('eth_getBlockByNumber', 'latest', true)
}

const recordServer = () =>
  recordBy(file, endpointAt(served.url), async () => {
    await start('--clock', 'manual', '--fork', file)
    recorded = await pay()
    await stop()
    return 0
  })
let recorded: unknown

test('--fork takes part in a recording, and continues the file without its endpoint', async () => {
  await recordServer()
  await served.close()
  await start('--clock', 'manual', '--fork', file)
  expect(server.printed).toMatch(
    /A fork of chain 77 at tests\.fork after block 3; its state is proven against the root 0x/,
  )
  expect(await pay()).toEqual(recorded)
  expect(await rpc('devnet_status')).toMatchObject({
    fork: { endpoint: 'tests.fork', chainId: '0x4d', number: '0x3', isProven: true, isOffline: true },
  })
  await expect(rpc('eth_getBalance', STRANGER, 'latest')).rejects.toThrow(
    `${file} does not have account ${STRANGER}: record it, npx blinknet record ${file} --fork-url URL -- COMMAND`,
  )
})

test('an endpoint that it is given later has what the file lacks, if it is of that chain', async () => {
  await recordServer()
  await start('--clock', 'manual', '--fork', file)
  const other = await serveChain(await createTestNode({ mode: 'manual', chainId: 77 }))
  await expect(rpc('anvil_setRpcUrl', other.url)).rejects.toThrow(/refused/)
  await rpc('anvil_setRpcUrl', served.url)
  expect(await rpc('eth_getBalance', STRANGER, 'latest')).toBe('0x5')
  await other.close()
})

test('what it has goes into a chain file, which opens by itself', async () => {
  await recordServer()
  await served.close()
  const chain = path.join(server.folder, 'chain.blinknet')
  await start('--clock', 'manual', '--fork', file, '--dump-state', chain)
  const block = await pay()
  await stop()
  await start('--load-state', chain)
  expect(await rpc('eth_getBlockByNumber', 'latest', true)).toEqual(block)
  await pay()
})

test('a file that is not there, and one that is none, are refused by their names', async () => {
  await expect(start('--fork', file)).rejects.toThrow(
    `The chain cannot be forked: there is no ${file}: record it, npx blinknet record ${file}`,
  )
  await expect(start('--fork', server.folder)).rejects.toThrow(/is refused: /)
  await expect(start('--fork', 'package.json')).rejects.toThrow('package.json is refused: it is no fork file')
})
