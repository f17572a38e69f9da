import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import { type ChangeAnswer, forkOf } from '#testing/node/fork-of.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import type { FakeClock } from '#testing/primitives/fake-clock.ts'
import { EMPTY_TRIE_ROOT } from '../state/state-reader.ts'
import { ForkError } from './fork-error.ts'
import { readForkHeader } from './fork-header.ts'

/** Returns the sum of as many of its slots as the first word of the calldata says. */
const SUMMER: Hex = '0x5f5f5b5f358110156017578054820191506001016002565b505f5260205ff3'
const summer: Hex = `0x${'51'.repeat(20)}`
const STRANGER: Hex = `0x${'99'.repeat(20)}`

async function originalChain(): Promise<TestNode> {
  const storage = Object.fromEntries(Array.from({ length: 500 }, (_, slot) => [toWord(slot), toWord(slot + 1)]))
  const original = await createTestNode({ mode: 'manual', genesis: { [summer]: { code: SUMMER, storage } } })
  await original.request('devnet_tick', [100])
  return original
}

describe('what is fetched', () => {
  test('a call that reads 500 unknown slots asks for them together, and a second one asks for nothing', async () => {
    const original = await originalChain()
    const { asked, node } = await forkOf(original)
    const before = asked.length
    const call = [{ to: summer, data: toWord(500) }, 'latest']
    const sum = await node.request('eth_call', call)
    expect(sum).toBe(toWord((500 * 501) / 2))
    // The contract with its code, then the sender and the slots in four portions.
    expect(asked.slice(before).filter((method) => method === 'eth_getProof').length).toBeLessThanOrEqual(7)
    const after = asked.length
    expect(await node.request('eth_call', call)).toBe(sum)
    expect(asked.length).toBe(after)
  })

  test('two calls that need the same at the same time ask for it once', async () => {
    const original = await originalChain()
    const { asked, node } = await forkOf(original)
    const before = asked.length
    await Promise.all([
      node.request('eth_getBalance', [STRANGER, 'latest']),
      node.request('eth_getBalance', [STRANGER, 'latest']),
    ])
    expect(asked.slice(before)).toEqual(['eth_getCode', 'eth_getProof'])
  })

  test('BLOCKHASH of the blocks before the fork is that of the other chain', async () => {
    const original = await originalChain()
    const { node } = await forkOf(original)
    const head = Number(await original.request('eth_blockNumber'))
    // Returns the hash of the block whose number is the first word.
    await node.request('anvil_setCode', [STRANGER, '0x5f35405f5260205ff3'])
    for (const back of [0, 1, 7]) {
      const { hash } =
        (await original.request('eth_getBlockByNumber', [`0x${(head - back).toString(16)}`, false])) ?? {}
      expect(await node.request('eth_call', [{ to: STRANGER, data: toWord(head - back) }, 'pending'])).toBe(hash)
    }
  })

  test('devnet_status names the chain that is continued', async () => {
    const original = await originalChain()
    const { node } = await forkOf(original)
    const head = await original.request('eth_getBlockByNumber', ['latest', false])
    const { fork } = await node.request('devnet_status')
    const { number, hash } = head ?? {}
    expect(fork).toEqual({ endpoint: 'remote.example', chainId: '0x7a69', number, hash, isProven: true })
  })
})

describe('an endpoint that lies', () => {
  const nodes = (proof: unknown) => (proof as { accountProof: Hex[] }).accountProof
  const lies: readonly (readonly [what: string, change: ChangeAnswer])[] = [
    [
      'another code',
      (method, [address], answer) => (method === 'eth_getCode' && address === summer ? '0x6001' : answer),
    ],
    [
      'a proof of another account',
      (method, [address], answer) =>
        method === 'eth_getProof' && address === summer ? { ...(answer as object), accountProof: [] } : answer,
    ],
    [
      'a node with one digit changed',
      (method, [address], answer) => {
        if (method !== 'eth_getProof' || address !== summer) return answer
        const last = nodes(answer).at(-1) as Hex
        const changed = `${last.slice(0, -1)}${last.endsWith('0') ? '1' : '0'}`
        return { ...(answer as object), accountProof: [...nodes(answer).slice(0, -1), changed] }
      },
    ],
    [
      'a proof of ten thousand nodes',
      (method, [address], answer) =>
        method === 'eth_getProof' && address === summer
          ? { ...(answer as object), accountProof: [...nodes(answer), ...Array<Hex>(10_000).fill('0x00')] }
          : answer,
    ],
    ['no object', (method, [address], answer) => (method === 'eth_getProof' && address === summer ? 'yes' : answer)],
    [
      'a proof for fewer slots than were asked for',
      (method, [address], answer) =>
        method === 'eth_getProof' && address === summer ? { ...(answer as object), storageProof: [] } : answer,
    ],
  ]

  test.each(lies)(
    '%s is refused with the endpoint, the account and the block, and the chain goes on',
    async (_what, change) => {
      const original = await originalChain()
      const { node } = await forkOf(original, change)
      const head = Number(await original.request('eth_blockNumber'))
      await expect(node.request('eth_call', [{ to: summer, data: toWord(3) }, 'latest'])).rejects.toMatchObject({
        error: {
          code: -32000,
          message: expect.stringMatching(
            new RegExp(`remote.example says of account ${summer} at block ${head} is refused`),
          ) as unknown,
        },
      })
      await node.request('devnet_tick', [20])
      expect(Number(await node.request('eth_blockNumber'))).toBeGreaterThan(head)
    },
  )

  test('a header whose hash is not its own is refused before the fork begins', async () => {
    const original = await originalChain()
    const change: ChangeAnswer = (method, _params, answer) =>
      method === 'eth_getBlockByNumber' ? { ...(answer as object), stateRoot: toWord(1) } : answer
    await expect(forkOf(original, change)).rejects.toThrow(/its header has the hash 0x[0-9a-f]{64}, not 0x/)
  })
})

test('a header that says there are no accounts, as anvil’s block 0 does, is refused with advice', async () => {
  const empty: ChangeAnswer = (method, _params, answer) => {
    if (method !== 'eth_getBlockByNumber') return answer
    const header = { ...(answer as object), stateRoot: EMPTY_TRIE_ROOT }
    // The refusal of a wrong hash names the right one.
    try {
      return readForkHeader(header)
    } catch (error) {
      return { ...header, hash: /0x[0-9a-f]{64}/.exec((error as Error).message)?.[0] }
    }
  }
  await expect(forkOf(await originalChain(), empty)).rejects.toThrow(/another hash; .* seal a block there first/)
})

describe('an endpoint that fails', () => {
  /** Answers at first, and then no more. */
  function failing() {
    let fails = false
    const change: ChangeAnswer = (_method, _params, answer) => {
      if (fails) throw new ForkError('remote.example does not answer: it is gone')
      return answer
    }
    return { change, begin: () => (fails = true) }
  }

  test('what is known is still answered, what is not is an error, and blocks are sealed', async () => {
    const original = await originalChain()
    const { change, begin } = failing()
    const { node } = await forkOf(original, change)
    const sum = await node.request('eth_call', [{ to: summer, data: toWord(9) }, 'latest'])
    begin()
    expect(await node.request('eth_call', [{ to: summer, data: toWord(9) }, 'latest'])).toBe(sum)
    await expect(node.request('eth_getBalance', [STRANGER, 'latest'])).rejects.toMatchObject({
      error: { code: -32000, message: 'remote.example does not answer: it is gone' },
    })
    const before = Number(await node.request('eth_blockNumber'))
    for (let block = 0; block < 50; block++) await node.request('devnet_tick', [10])
    expect(Number(await node.request('eth_blockNumber'))).toBeGreaterThanOrEqual(before + 49)
    // From some block on there are no slots for its system calls, and the log says so.
    expect(node.logged.some((line) => line.includes('has no system calls'))).toBe(true)
  })

  /** Answers at first, and then stalls. */
  function stalling() {
    let stalls = false
    const change: ChangeAnswer = (_method, _params, answer) => (stalls ? new Promise(() => {}) : answer)
    return { change, begin: () => (stalls = true) }
  }

  /** Moves the clock until a call is answered. */
  async function answered<Result>(clock: FakeClock, call: Promise<Result>): Promise<number> {
    const state = { isOver: false }
    const end = () => (state.isOver = true)
    call.then(end, end)
    let seconds = 0
    for (; !state.isOver && seconds < 1_000; seconds++) {
      for (let turn = 0; turn < 10; turn++) await setImmediate()
      if (!state.isOver) await clock.advance(1_000)
    }
    return seconds
  }

  test('one that stalls holds up one block for two seconds, and the others not at all', async () => {
    const original = await originalChain()
    const { change, begin } = stalling()
    const { node } = await forkOf(original, change)
    begin()
    const before = Number(await node.request('eth_blockNumber'))
    // 50 blocks: the slots of system calls are there for a minute.
    expect(await answered(node.clock, node.request('devnet_tick', [500]))).toBeLessThanOrEqual(3)
    expect(Number(await node.request('eth_blockNumber'))).toBe(before + 50)
    expect(node.logged.some((line) => line.includes('remote.example has not answered in 2000 ms'))).toBe(true)
  })

  test('a call that one stalls is refused after a minute', async () => {
    const original = await originalChain()
    const { change, begin } = stalling()
    const { node } = await forkOf(original, change)
    begin()
    const call = node.request('eth_getBalance', [STRANGER, 'latest'])
    expect(await answered(node.clock, call)).toBeLessThanOrEqual(61)
    await expect(call).rejects.toMatchObject({ error: { message: expect.stringMatching(/, or 60 s$/) as unknown } })
  })

  test('a transaction that needs what cannot be had is refused with the reason and leaves the pool', async () => {
    const original = await originalChain()
    const { change, begin } = failing()
    const { node } = await forkOf(original, change)
    await node.request('eth_getBalance', [devAccount(0).address, 'latest'])
    begin()
    const raw = await signTransfer(0, 0, { to: STRANGER })
    await expect(node.request('eth_sendRawTransaction', [raw])).rejects.toMatchObject({
      error: { code: -32000, message: 'remote.example does not answer: it is gone' },
    })
    expect(await node.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })
})

describe('a transaction that meets other state in its block than in its trial run', () => {
  /** Sets the slot of the first word to the second; without calldata reads the slot that slot 0 names. */
  const INDIRECT: Hex = '0x366008575f5454005b6020355f355500'
  /** Reads the slot whose number is the block's timestamp. */
  const BY_TIME: Hex = '0x425400'
  const indirect: Hex = `0x${'52'.repeat(20)}`
  const byTime: Hex = `0x${'53'.repeat(20)}`

  async function original(): Promise<TestNode> {
    const storage = Object.fromEntries(Array.from({ length: 50 }, (_, slot) => [toWord(slot + 1), toWord(slot + 1)]))
    const genesis = { [indirect]: { code: INDIRECT, storage }, [byTime]: { code: BY_TIME, storage } }
    const node = await createTestNode({ mode: 'manual', genesis })
    await node.request('devnet_tick', [100])
    return node
  }

  const sign = (from: number, to: Hex, data: Hex, tip = 1n) =>
    devAccount(from).signTransaction({
      type: 'eip1559',
      chainId: 31337,
      nonce: 0,
      to,
      data,
      gas: 200_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: tip,
    })

  /** One that makes slot 0 name slot 7, and one that reads it after that. */
  async function sendBoth(node: TestNode): Promise<readonly Hex[]> {
    const write = await sign(0, indirect, `${toWord(0)}${toWord(7).slice(2)}`, 10n ** 9n)
    const read = await sign(1, indirect, '0x')
    return [await node.request('eth_sendRawTransaction', [write]), await node.request('eth_sendRawTransaction', [read])]
  }

  test('waits for a later partial block, and the one before it is included', async () => {
    const { node } = await forkOf(await original())
    const hashes = await sendBoth(node)
    for (let tick = 0; tick < 5; tick++) {
      await node.request('devnet_tick', [1])
      await node.clock.yield()
    }
    for (const hash of hashes) {
      expect(await node.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    }
  })

  test('is in the block that evm_mine seals', async () => {
    const { node } = await forkOf(await original())
    const hashes = await sendBoth(node)
    await node.request('evm_mine')
    const { transactions } = (await node.request('eth_getBlockByNumber', ['latest', false])) ?? {}
    expect(transactions).toEqual(hashes)
  })

  /** Sends one whose block has another timestamp than its trial run. */
  async function sendWithAutomine(change?: ChangeAnswer) {
    const { node } = await forkOf(await original(), change, 'auto')
    await node.request('evm_setAutomine', [true])
    node.clock.jump(5_000)
    const raw = await sign(0, byTime, '0x')
    return { node, sent: node.request('eth_sendRawTransaction', [raw]) }
  }

  test('is mined by automine', async () => {
    const { node, sent } = await sendWithAutomine()
    expect(await node.request('eth_getTransactionReceipt', [await sent])).toMatchObject({ status: '0x1' })
  })

  test('is refused by automine with the endpoint’s reason if that state cannot be had', async () => {
    let proofs = 0
    const { node, sent } = await sendWithAutomine((method, [address], answer) => {
      // The account, the slot of the trial run, and then that of the block.
      if (method !== 'eth_getProof' || address !== byTime || ++proofs < 3) return answer
      throw new ForkError('remote.example does not answer: it is gone')
    })
    await expect(sent).rejects.toMatchObject({ error: { message: 'remote.example does not answer: it is gone' } })
    expect(await node.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })
})

describe('what was before the fork', () => {
  const wrong: readonly (readonly [method: string, params: readonly unknown[], answer: unknown])[] = [
    ['eth_getHeaderByNumber', ['0x0'], 'text'],
    ['eth_getTransactionReceipt', [toWord(1)], []],
    ['eth_getLogs', [{ fromBlock: '0x0' }], { logs: [] }],
    ['eth_getLogs', [{ fromBlock: '0x0' }], [null]],
    ['eth_getBalance', [STRANGER, '0x0'], 7],
  ]
  test.each(wrong)('%s %j is refused if the endpoint answers %j', async (method, params, answer) => {
    const original = await originalChain()
    const { node } = await forkOf(original, (asked, _params, right) => (asked === method ? answer : right))
    await expect(node.requestLoosely(method as 'eth_call', params)).rejects.toMatchObject({
      error: {
        code: -32000,
        message: expect.stringContaining(`remote.example answers ${method} with what is no`) as unknown,
      },
    })
  })

  test('a call that reverts there has its code, message and data', async () => {
    const answered = { code: 3, message: 'execution reverted', data: '0x1234' }
    const { node } = await forkOf(await originalChain(), (method, _params, answer) => {
      if (method === 'eth_call') throw new ForkError('remote.example answers eth_call with an error', { answered })
      return answer
    })
    await expect(node.request('eth_call', [{ to: summer }, '0x0'])).rejects.toMatchObject({ error: answered })
  })

  test('a call without its block is refused as on any chain', async () => {
    const { node } = await forkOf(await originalChain())
    await expect(node.requestLoosely('eth_getBlockByNumber', [])).rejects.toMatchObject({ error: { code: -32602 } })
  })
})

test('a fork lists no state, of which it knows parts only', async () => {
  const original = await originalChain()
  const { node } = await forkOf(original)
  await expect(node.request('anvil_dumpState')).rejects.toMatchObject({
    error: { code: -32000, message: expect.stringMatching(/^the state of a fork cannot be listed/) as unknown },
  })
})
