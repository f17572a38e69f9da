import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Chain, createChain } from '#library/chain.ts'
import { type Hex, toWord } from '#primitives/hex.ts'
import { SETTER, SUMMER } from '#testing/node/slot-contracts.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { endpointAt, recordBy } from '#testing/server/recorded.ts'
import { type ServedChain, serveChain } from '#testing/server/served-chain.ts'
import { check } from './check.ts'
import { readForkFile } from './fork-files.ts'
import { noRemote } from './open-recording.ts'
import { update } from './update.ts'

const summer: Hex = `0x${'51'.repeat(20)}`
const setter: Hex = `0x${'52'.repeat(20)}`
const HOLDER: Hex = `0x${'99'.repeat(20)}`
const STRANGER: Hex = `0x${'98'.repeat(20)}`

let folder: string
let file: string
let original: TestNode
let served: ServedChain
const clock = new FakeClock()
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-fork-'))
  file = path.join(folder, 'tests.fork')
  const storage = Object.fromEntries(Array.from({ length: 40 }, (_, slot) => [toWord(slot), toWord(slot + 1)]))
  original = await createTestNode({
    mode: 'manual',
    chainId: 77,
    genesis: { [summer]: { code: SUMMER, storage }, [setter]: { code: SETTER, storage } },
  })
  await original.request('anvil_setBalance', [HOLDER, '0x5'])
  for (let i = 0; i < 5; i++) await original.request('evm_mine')
  served = await serveChain(original)
})
afterEach(async () => {
  await served.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs with a chain that is a fork of the file. */
async function withChain<Result>(use: (chain: Chain) => Promise<Result>): Promise<Result> {
  const chain = await createChain({ fork: file, clock: 'manual', log: () => {} })
  try {
    return await use(chain)
  } finally {
    await chain.close()
  }
}

/** What a test of a dapp asks and does. */
async function suite(chain: Chain): Promise<unknown> {
  const [from] = await chain.request({ method: 'eth_accounts' })
  const sum = await chain.request({ method: 'eth_call', params: [{ to: summer, data: toWord(12) }, 'latest'] })
  const balance = await chain.request({ method: 'eth_getBalance', params: [HOLDER, 'latest'] })
  const hash = await chain.request({
    method: 'eth_sendTransaction',
    params: [{ from: from as Hex, to: setter, data: `${toWord(3)}${toWord(0).slice(2)}`, gas: '0x186a0' }],
  })
  await chain.seal()
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const logs = await chain.request({ method: 'eth_getLogs', params: [{ fromBlock: '0x0' }] })
  const early = await chain.request({ method: 'eth_getBlockByNumber', params: ['0x1', false] })
  const head = await chain.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  return { sum, balance, receipt, logs, early, head }
}

const recordSuite = () =>
  recordBy(file, endpointAt(served.url), async () => {
    await withChain(suite)
    return 0
  })
const textOf = () => readFile(file, 'utf8')
const printed: string[] = []
const deps = { clock, print: (line: string) => void printed.push(line) }
beforeEach(() => void printed.splice(0))

test('a fork is recorded by a command, and replayed with the same blocks when the endpoint is gone', async () => {
  let live: unknown
  const { status } = await recordBy(file, endpointAt(served.url), async () => {
    live = await withChain(suite)
    return 7
  })
  expect(status).toBe(7)
  await served.close()
  expect(await withChain(suite)).toEqual(live)
})
