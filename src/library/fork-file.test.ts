import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import { check } from '#server/fork-file/check.ts'
import { update } from '#server/fork-file/update.ts'
import { SETTER, SUMMER } from '#testing/node/slot-contracts.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { endpointAt, recordBy } from '#testing/server/recorded.ts'
import { type ServedTestChain, serveChain } from '#testing/server/served-chain.ts'
import { rpcAt } from '#testing/server/test-server.ts'
import { type Chain, createChain, openChain, viewChain } from './chain.ts'

const summer: Hex = `0x${'51'.repeat(20)}`
const setter: Hex = `0x${'52'.repeat(20)}`
/** Returns the hash of the block whose number is the first word. */
const HASHER: Hex = '0x5f35405f5260205ff3'
const hasher: Hex = `0x${'53'.repeat(20)}`
const HOLDER: Hex = `0x${'99'.repeat(20)}`
const STRANGER: Hex = `0x${'98'.repeat(20)}`
const OTHER: Hex = `0x${'97'.repeat(20)}`

let folder: string
let file: string
let original: TestNode
let served: ServedTestChain
const clock = new FakeClock()
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-fork-'))
  file = path.join(folder, 'tests.fork')
  const storage = Object.fromEntries(Array.from({ length: 40 }, (_, slot) => [toWord(slot), toWord(slot + 1)]))
  original = await createTestNode({
    mode: 'manual',
    chainId: 77,
    genesis: { [summer]: { code: SUMMER, storage }, [setter]: { code: SETTER, storage }, [hasher]: { code: HASHER } },
  })
  for (const account of [HOLDER, STRANGER, OTHER]) await original.request('anvil_setBalance', [account, '0x5'])
  for (let i = 0; i < 5; i++) await original.request('evm_mine')
  served = await serveChain(original)
})
afterEach(async () => {
  await served.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs with a chain that is a fork of the file. */
async function withChain<Result>(ask: (chain: Chain) => Promise<Result>): Promise<Result> {
  const chain = await createChain({ fork: file, clock: 'manual', log: () => {} })
  try {
    return await ask(chain)
  } finally {
    await chain.close()
  }
}

/** What a test of a dapp asks and does. */
async function suite(chain: Chain): Promise<unknown> {
  const [from] = await chain.request({ method: 'eth_accounts' })
  const sum = await chain.request({ method: 'eth_call', params: [{ to: summer, data: toWord(12) }, 'latest'] })
  const number = Number(await chain.request({ method: 'eth_blockNumber' }))
  const hashes = await chain.request({
    method: 'eth_call',
    params: [{ to: hasher, data: toWord(number - 4) }, 'latest'],
  })
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
  return { sum, hashes, balance, receipt, logs, early, head }
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
  const { status, printed: said } = await recordBy(file, endpointAt(served.url), async () => {
    live = await withChain(suite)
    return 7
  })
  expect(status).toBe(7)
  expect(said.join()).toMatch(
    /tests\.fork: block 8 of chain 77, \d+ accounts \(\d+ new\), \d+ slots \(\d+ new\), 7 answers/,
  )
  await served.close()
  expect(await withChain(suite)).toEqual(live)
  expect(await textOf()).toMatch(/\nblock .*\nblock .*\nblock .*\nanswer /)
})

test('recording a complete file again, without an endpoint, changes nothing, and a new recording is the same text', async () => {
  await recordSuite()
  const before = await textOf()
  const { printed: said } = await recordBy(file, undefined, async () => {
    await withChain(suite)
    return 0
  })
  expect(said.join()).toContain('(0 new)')
  expect(await textOf()).toBe(before)
  await rm(file)
  await recordSuite()
  expect(await textOf()).toBe(before)
})

test('several chains record at once, and each adds its values', async () => {
  const balanceOf = (address: Hex) =>
    withChain((chain) => chain.request({ method: 'eth_getBalance', params: [address, 'latest'] }))
  await recordBy(file, endpointAt(served.url, 8), async () => {
    await Promise.all([balanceOf(HOLDER), balanceOf(STRANGER), withChain(suite)])
    return 0
  })
  await served.close()
  expect(await Promise.all([balanceOf(HOLDER), balanceOf(STRANGER)])).toEqual(['0x5', '0x5'])
  expect(await textOf()).toContain(`account ${STRANGER} nonce 0 balance 5\n`)
})

test('two recordings of one file at the same time both stay', async () => {
  await recordSuite()
  const ask = (address: Hex) => async () => {
    await withChain((chain) => chain.request({ method: 'eth_getBalance', params: [address, 'latest'] }))
    return 0
  }
  await recordBy(file, endpointAt(served.url), async () => {
    await ask(STRANGER)()
    const environment = process.env['BLINKNET_RECORDINGS']
    await recordBy(file, endpointAt(served.url), ask(OTHER))
    process.env['BLINKNET_RECORDINGS'] = environment
    return 0
  })
  expect(await textOf()).toContain(`account ${STRANGER} nonce`)
  expect(await textOf()).toContain(`account ${OTHER} nonce`)
})

test('a missing value is named, with who asked for it and how it is recorded; system calls and hashes of nothing are not', async () => {
  await recordSuite()
  await served.close()
  const open = await openChain({ fork: file, clock: 'manual', log: () => {} })
  const chain = await viewChain(open)
  open.replay?.begin('pay.spec.ts › a payment')
  const ask = (address: Hex) => chain.request({ method: 'eth_getBalance', params: [address, 'latest'] })
  await expect(ask(STRANGER)).rejects.toThrow(
    `${file} does not have account ${STRANGER}, which pay.spec.ts › a payment asks for: record it, npx blinknet record ${file}`,
  )
  await expect(
    chain.request({ method: 'eth_call', params: [{ to: summer, data: toWord(14) }, 'latest'] }),
  ).rejects.toThrow(`does not have slot ${toWord(12)} and 1 more of account ${summer}`)
  await expect(chain.request({ method: 'eth_getBlockByNumber', params: ['0x2', false] })).rejects.toThrow(
    'does not have the answer to eth_getBlockByNumber ["0x2",false]',
  )
  const unknown = toWord(5)
  expect(await chain.request({ method: 'eth_getTransactionReceipt', params: [unknown] })).toBeNull()
  // Time goes on beyond what was recorded of system calls.
  await chain.request({ method: 'evm_increaseTime', params: [1_000] })
  await chain.seal()
  await chain.seal()
  expect(open.replay?.end()).toEqual({
    values: [
      `account ${STRANGER}`,
      `slot ${toWord(12)} and 1 more of account ${summer}`,
      'the answer to eth_getBlockByNumber ["0x2",false]',
    ],
    hashes: [expect.stringContaining(unknown)],
  })
  await chain.close()
  await open.close()
})

test('what a development account has is missed at the start', async () => {
  await recordSuite()
  const accounts = [{ address: STRANGER, balance: '1' }]
  await expect(createChain({ fork: file, clock: 'manual', accounts })).rejects.toThrow(
    `does not have account ${STRANGER}`,
  )
  await expect(createChain({ fork: path.join(folder, 'none.fork') })).rejects.toThrow(
    /^there is no .*none\.fork: record it/,
  )
})

describe('check', () => {
  test('the real chain’s file has its block’s hash, and answers that nothing proves are asked again', async () => {
    await recordSuite()
    expect(await check({ file, fork: endpointAt(served.url) }, deps)).toBe(0)
    expect(printed).toEqual([
      expect.stringMatching(
        /^.*tests\.fork: block 8 of chain 77 has the hash 0x[\da-f]{64} at 127\.0\.0\.1:\d+, too\.$/,
      ),
      expect.stringMatching(/^\d+ accounts and \d+ slots are proven against its state root 0x/),
      expect.stringMatching(/^7 of 7 answers about the time before, which nothing proves, agree\.$/),
    ])
    await writeFile(file, (await textOf()).replace('"result":[]', '"result":[{}]'))
    printed.splice(0)
    expect(await check({ file, fork: endpointAt(served.url) }, deps)).toBe(1)
    expect(printed).toContainEqual(expect.stringMatching(/^differs: \["eth_getLogs"/))
  })

  test('the file of another chain is refused, with both hashes', async () => {
    await recordSuite()
    const other = await createTestNode({ mode: 'manual', chainId: 77 })
    for (let i = 0; i < 8; i++) await other.request('evm_mine')
    await served.close()
    served = await serveChain(other)
    await expect(check({ file, fork: endpointAt(served.url) }, deps)).rejects.toThrow(
      /its block is 0x[\da-f]{64}, not 0x/,
    )
    const third = await serveChain(await createTestNode({ mode: 'manual', chainId: 78 }))
    await expect(check({ file, fork: endpointAt(third.url) }, deps)).rejects.toThrow('its chain id is 78, not 77')
    await third.close()
  })
})

test('update moves a file to a newer block, says what changed, and the suite runs there without the endpoint', async () => {
  await recordSuite()
  await original.request('anvil_setBalance', [HOLDER, '0x7'])
  await original.request('anvil_setNonce', [HOLDER, '0x2'])
  await original.request('anvil_setStorageAt', [summer, toWord(4), toWord(99)])
  await original.request('anvil_setCode', [setter, `${SETTER}00`])
  await original.request('evm_mine')
  const number = Number(await original.request('eth_blockNumber'))
  await update({ file, fork: endpointAt(served.url) }, deps)
  const [first, ...lines] = printed.join('\n').split('\n')
  expect(first).toMatch(new RegExp(`^.*tests\\.fork: block 8 \\(0x.{64}\\) → ${number} \\(0x.{64}\\) of chain 77$`))
  expect(lines).toEqual([
    '',
    summer,
    `  slot ${toWord(4)}  0x5 → 0x63`,
    '',
    setter,
    expect.stringMatching(/^ {2}code 0x.{64} \(7 bytes\) → 0x.{64} \(8 bytes\)$/),
    '',
    HOLDER,
    '  balance 5 → 7 wei',
    '  nonce 0 → 2',
    '',
    expect.stringMatching(/^3 of \d+ accounts are different: 1 balances, 1 nonces, 1 codes, 1 slots\.$/),
  ])
  await served.close()
  expect(await withChain(suite)).toMatchObject({ balance: '0x7', receipt: { status: '0x1' } })
})

test('a recording of an endpoint without proofs is refused', async () => {
  await served.close()
  interface Call {
    readonly id: number
    readonly method: string
  }
  const answer = async (call: Call): Promise<unknown> => {
    if (call.method !== 'eth_getProof') return JSON.parse((await original.raw(JSON.stringify(call))) ?? '')
    return { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'the method eth_getProof does not exist' } }
  }
  const refuse = async (body: string) => {
    const calls = JSON.parse(body) as Call | readonly Call[]
    return JSON.stringify(Array.isArray(calls) ? await Promise.all(calls.map(answer)) : await answer(calls as Call))
  }
  served = await serveChain({ raw: refuse })
  await expect(recordSuite()).rejects.toThrow('a fork file has nothing that is not proven')
})

test('a command that asks for nothing is said so, and writes nothing', async () => {
  const { status, printed: said } = await recordBy(file, endpointAt(served.url), () => Promise.resolve(0))
  expect(status).toBe(1)
  expect(said).toEqual([expect.stringMatching(/^Nothing has asked for .*tests\.fork/)])
  await expect(textOf()).rejects.toThrow('ENOENT')
})

test('one test alone meets what was recorded, though guesses of a whole suite have met less', async () => {
  await recordBy(file, endpointAt(served.url), () =>
    withChain(async (chain) => {
      // The second call knows by then what it would have guessed, and asks for less.
      for (const slots of [10, 11, 30]) {
        await chain.request({ method: 'eth_call', params: [{ to: summer, data: toWord(slots) }, 'latest'] })
      }
      await suite(chain)
      return 0
    }),
  )
  await served.close()
  const sum = (slots: number) =>
    withChain((chain) => chain.request({ method: 'eth_call', params: [{ to: summer, data: toWord(slots) }, 'latest'] }))
  expect(BigInt(await sum(30))).toBe(465n)
  expect(BigInt(await sum(11))).toBe(66n)
})

test('an endpoint that stops proving while it is recorded is not taken at its word', async () => {
  await served.close()
  let isBroken = false
  const refused = { code: -32000, message: 'missing trie node' }
  served = await serveChain({
    async raw(body) {
      const answer = JSON.parse((await original.raw(body)) ?? '') as unknown
      if (!isBroken) return JSON.stringify(answer)
      const calls = [JSON.parse(body) as { id: number; method: string }[]].flat()
      const answers = [answer as { id: number }[]]
        .flat()
        .map((each) =>
          calls.find(({ id }) => id === each.id)?.method === 'eth_getProof'
            ? { jsonrpc: '2.0', id: each.id, error: refused }
            : each,
        )
      return JSON.stringify(Array.isArray(answer) ? answers : answers[0])
    },
  })
  await recordBy(file, endpointAt(served.url), async () => {
    isBroken = true
    await expect(withChain(suite)).rejects.toThrow('missing trie node')
    return 0
  })
  expect(await textOf()).not.toContain(HOLDER)
})

test('an update that fails leaves the file as it is', async () => {
  await recordSuite()
  const before = await textOf()
  await served.close()
  served = await serveChain(await createTestNode({ mode: 'manual', chainId: 5 }))
  await expect(update({ file, fork: endpointAt(served.url) }, deps)).rejects.toThrow(
    /has the chain id 5, and .* is of chain 77/,
  )
  await served.close()
  await expect(update({ file, fork: endpointAt(served.url) }, deps)).rejects.toThrow('ECONNREFUSED')
  expect(await textOf()).toBe(before)
})

test('a recording passes on nothing that changes a chain, and no state that nothing proves', async () => {
  await recordBy(file, endpointAt(served.url), async () => {
    const [url = ''] = Object.values(JSON.parse(process.env['BLINKNET_RECORDINGS'] ?? '{}') as Record<string, string>)
    await expect(rpcAt(url, 'eth_sendRawTransaction', '0x')).rejects.toThrow(
      'eth_sendRawTransaction is nothing that a fork asks',
    )
    await expect(rpcAt(url, 'evm_mine')).rejects.toThrow('is nothing that a fork asks')
    await expect(rpcAt(url, 'eth_getBalance', HOLDER, '0x8')).rejects.toThrow('as nothing proves it')
    await expect(rpcAt(url, 'eth_getProof', '0x1', [], '0x8')).rejects.toThrow('by their address of 20 bytes')
    await expect(rpcAt(url, 'eth_getProof', HOLDER, ['0x1'], '0x8')).rejects.toThrow('by their 32 bytes')
    expect(await rpcAt(url, 'eth_getBalance', HOLDER, '0x3')).toBe('0x5')
    const page = await fetch(url, { method: 'POST', headers: { Origin: 'http://localhost:3000' }, body: '{}' })
    expect(page.status).toBe(403)
    return 0
  })
})
