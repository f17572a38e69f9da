import { describe, expect, test } from 'vitest'
import { createTestNode, devAccount, RpcError, signTransfer } from '#testing/node/test-node.ts'
import { MemoryJournal } from '../../storage/memory-journal.ts'

const [FROM, TO] = [devAccount(0).address, devAccount(9).address]
/** Reverts with its call data. */
const REVERTS = { address: '0x0000000000000000000000000000000000000bad', code: '0x366000600037366000fd' } as const
const word = (value: number) => value.toString(16).padStart(64, '0')
const NO_WAY = `0x08c379a0${word(32)}${word(6)}${Buffer.from('no way').toString('hex').padEnd(64, '0')}`

type Asked = Awaited<ReturnType<typeof createTestNode>>['requestLoosely']

/** The JSON-RPC error of a call. */
async function errorOf(call: Promise<unknown>) {
  const outcome = await call.then(
    (result: unknown) => result,
    (error: unknown) => error,
  )
  return outcome instanceof RpcError ? outcome.error : expect.fail(`no error: ${JSON.stringify(outcome)}`)
}

async function automining(as: 'anvil' | 'hardhat') {
  const node = await createTestNode({ as })
  await node.request('evm_setAutomine', [true])
  const ask: Asked = node.requestLoosely
  return { ...node, ask }
}

describe('the options of a chain that takes on another node', () => {
  test('are that node’s where they are not given', async () => {
    const { request } = await createTestNode({ as: 'hardhat', gasLimit: 1_000_000 })
    expect(await request('eth_accounts')).toHaveLength(20)
    expect(await request('web3_clientVersion')).toMatch(/^HardhatNetwork\//)
    const { options } = await request('devnet_status')
    expect(options).toMatchObject({ baseFeeDenominator: 8, baseFeeElasticity: 2, minBaseFee: 0, gasLimit: 1_000_000 })
  })

  test('leave block 1 of anvil the base fee of block 0, also one that is given, and a higher floor', async () => {
    const pending = async (options: object) => {
      const { request } = await createTestNode({ as: 'anvil', ...options })
      return (await request('eth_getBlockByNumber', ['pending', false]))?.baseFeePerGas
    }
    expect(await pending({})).toBe('0x3b9aca00')
    expect(await pending({ baseFee: 7 })).toBe('0x7')
    expect(await pending({ minBaseFee: 2_000_000_000 })).toBe('0x77359400')
  })

  test('stand after a reset as at the start', async () => {
    const { request, requestLoosely } = await createTestNode({ as: 'anvil' })
    await requestLoosely('evm_setAutomine', [true])
    for (const method of ['devnet_reset', 'anvil_reset'] as const) {
      await request('evm_mine')
      await requestLoosely(method, [])
      expect((await request('eth_getBlockByNumber', ['pending', false]))?.baseFeePerGas, method).toBe('0x3b9aca00')
      expect(await request('anvil_getAutomine'), method).toBe(true)
    }
  })

  test('of a stored chain stay those of its start, with the ways of the node that is named now', async () => {
    const journal = new MemoryJournal()
    const before = await createTestNode({}, { journal })
    await before.node.close()
    const { request, requestLoosely } = await createTestNode({ as: 'anvil' }, { journal })
    expect(await request('eth_accounts')).toHaveLength(10)
    const { options, clientVersion } = await request('devnet_status')
    expect(options).not.toHaveProperty('baseFeeDenominator')
    expect(clientVersion).toBe('anvil/v1.7.1')
    expect(await errorOf(requestLoosely('nothing_here' as 'eth_call', []))).toEqual({
      code: -32601,
      message: 'Method not found',
    })
  })

  test('are stored with a chain that began with them', async () => {
    const journal = new MemoryJournal()
    const before = await createTestNode({ as: 'hardhat' }, { journal })
    await before.node.close()
    const { request } = await createTestNode({}, { journal })
    expect(await request('eth_accounts')).toHaveLength(20)
    expect((await request('devnet_status')).options).toMatchObject({ baseFeeDenominator: 8 })
    expect(await request('web3_clientVersion')).toMatch(/^Blinknet\//)
  })
})

test('without a node that is named, geth’s words stay', async () => {
  const { requestLoosely } = await createTestNode({})
  expect(await errorOf(requestLoosely('nothing_here' as 'eth_call', []))).toEqual({
    code: -32601,
    message: 'the method nothing_here does not exist/is not available',
  })
})

test('a chain as another node is no wallet, unless it is asked for bundles as one transaction', async () => {
  const asked = async (options: object) => {
    const { requestLoosely } = await createTestNode({ as: 'anvil', ...options })
    return requestLoosely('wallet_getCapabilities', [FROM])
  }
  expect(await errorOf(asked({}))).toMatchObject({ code: -32601 })
  expect(await asked({ atomic: 'ready' })).toEqual({ '0x7a69': { atomic: { status: 'ready' } } })
})

describe('as anvil', () => {
  test('a transaction that fails or waits is answered with its hash, and mined with the one it waited for', async () => {
    const { ask } = await automining('anvil')
    await ask('anvil_setCode', [REVERTS.address, REVERTS.code])
    const failed = await ask('eth_sendTransaction', [{ from: FROM, to: REVERTS.address, data: NO_WAY }])
    expect(await ask('eth_getTransactionReceipt', [failed])).toMatchObject({ status: '0x0', blobGasPrice: '0x1' })
    const later = await ask('eth_sendRawTransaction', [await signTransfer(1, 1)])
    expect(await ask('eth_getTransactionReceipt', [later])).toBeNull()
    await ask('eth_sendRawTransaction', [await signTransfer(1, 0)])
    expect(await ask('eth_getTransactionReceipt', [later])).toMatchObject({ status: '0x1' })
  })

  test('blocks and transactions have their members in its order', async () => {
    const { ask } = await automining('anvil')
    const hash = await ask('eth_sendTransaction', [{ from: FROM, to: TO }])
    const members = async (method: string, ...params: readonly unknown[]) =>
      Object.keys((await ask(method as 'eth_call', params)) as unknown as object)
    const block = await members('eth_getBlockByNumber', 'latest', false)
    expect(block.slice(0, 4)).toEqual(['hash', 'parentHash', 'sha3Uncles', 'miner'])
    expect(block.slice(-5)).toEqual(['totalDifficulty', 'size', 'uncles', 'transactions', 'withdrawals'])
    const transaction = await members('eth_getTransactionByHash', hash)
    expect(transaction.slice(0, 4)).toEqual(['type', 'chainId', 'nonce', 'gas'])
    expect(await members('eth_getTransactionByBlockNumberAndIndex', '0x1', '0x0')).toEqual(transaction)
  })

  test('a block drops what waits below its base fee, with its sender’s later transactions; a look and an edit do not', async () => {
    const { ask } = await automining('anvil')
    await ask('evm_setAutomine', [false])
    const cheap = await ask('eth_sendTransaction', [{ from: FROM, to: TO, gasPrice: '0x3b9aca00' }])
    const behind = await ask('eth_sendTransaction', [{ from: FROM, to: TO, gasPrice: '0x2540be400' }])
    const gapped = await ask('eth_sendRawTransaction', [await signTransfer(1, 1)])
    await ask('anvil_setNextBlockBaseFeePerGas', ['0x77359400'])
    await ask('eth_getBlockByNumber', ['pending', false])
    await ask('anvil_setNonce', [TO, '0x1'])
    expect(await ask('txpool_status', [])).toEqual({ pending: '0x2', queued: '0x1' })
    await ask('anvil_setNextBlockBaseFeePerGas', ['0x77359400'])
    await ask('evm_mine', [])
    expect(await ask('eth_getBlockByNumber', ['latest', false])).toMatchObject({ transactions: [] })
    expect(await ask('eth_getTransactionByHash', [cheap])).toBeNull()
    expect(await ask('eth_getTransactionByHash', [behind])).toBeNull()
    expect(await ask('eth_getTransactionByHash', [gapped])).toMatchObject({ nonce: '0x1' })
    expect(await ask('eth_getTransactionCount', [FROM, 'pending'])).toBe('0x0')
    const again = await ask('eth_sendTransaction', [{ from: FROM, to: TO }])
    await ask('evm_mine', [])
    expect(await ask('eth_getTransactionReceipt', [again])).toMatchObject({ status: '0x1' })
  })

  test.each([2, 100_000])(
    'a block every %i (s or ms) has what was sent before its seal; until then `pending` shows it',
    async (every) => {
      const { ask, clock } = await automining('anvil')
      const ms = every === 2 ? 2_000 : every
      await ask('evm_setIntervalMining', [every])
      const head = Number(await ask('eth_blockNumber', []))
      const hash = await ask('eth_sendTransaction', [{ from: FROM, to: TO, value: '0x1' }])
      await clock.advance(ms - 100)
      expect(await ask('eth_getTransactionReceipt', [hash])).toBeNull()
      expect(await ask('eth_getBlockByNumber', ['pending', false])).toMatchObject({ transactions: [hash] })
      expect(await ask('txpool_status', [])).toEqual({ pending: '0x1', queued: '0x0' })
      await clock.advance(100)
      const { blockHash } = (await ask('eth_getTransactionReceipt', [hash])) as { readonly blockHash: string }
      expect(await ask('eth_getBlockByHash', [blockHash, false])).toMatchObject({ transactions: [hash] })
      expect(Number(await ask('eth_blockNumber', []))).toBe(head + 1)
      await clock.advance(ms)
      expect(await ask('eth_getBlockByNumber', ['latest', false])).toMatchObject({ transactions: [] })
    },
  )

  test('stalled, such blocks are empty; a withdrawal puts what a block would have into the next one', async () => {
    const { ask, clock } = await automining('anvil')
    await ask('evm_setIntervalMining', [2])
    const sizes: number[] = []
    const seal = async () => {
      await clock.advance(2_000)
      const { transactions } = (await ask('eth_getBlockByNumber', ['latest', false])) as {
        readonly transactions: readonly string[]
      }
      sizes.push(transactions.length)
    }
    await ask('eth_sendTransaction', [{ from: FROM, to: TO }])
    await ask('devnet_stallPartialBlocks', [1])
    await seal()
    await ask('devnet_withdrawNext', ['requeue'])
    await seal()
    await seal()
    expect(sizes).toEqual([0, 0, 1])
  })

  test('what a block has dropped does not come back with the next start', async () => {
    const journal = new MemoryJournal()
    const before = await createTestNode({ as: 'anvil' }, { journal })
    await before.requestLoosely('evm_setAutomine', [false])
    await before.requestLoosely('eth_sendTransaction', [{ from: FROM, to: TO, gasPrice: '0x3b9aca00' }])
    await before.requestLoosely('anvil_setNextBlockBaseFeePerGas', ['0x77359400'])
    await before.requestLoosely('evm_mine', [])
    await before.node.close()
    const { request } = await createTestNode({ as: 'anvil' }, { journal })
    expect(await request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  test('a thousand filters from the past are remembered, and no more', async () => {
    const { ask } = await automining('anvil')
    const ids: unknown[] = []
    for (let i = 0; i < 1_010; i++) ids.push(await ask('eth_newFilter', [{ fromBlock: '0x0' }]))
    expect(await errorOf(ask('eth_getFilterChanges', [ids[0]]) as Promise<unknown>)).toMatchObject({ code: -32000 })
    expect(await ask('eth_getFilterChanges', [ids.at(-1)])).toEqual([])
  })
})

test('the pasts of filters with many addresses are forgotten, the oldest first', async () => {
  const { ask } = await automining('anvil')
  // Emits a log without anything.
  await ask('anvil_setCode', [TO, '0x60006000a0'])
  await ask('eth_sendTransaction', [{ to: TO }])
  const others = Array.from({ length: 999 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}`)
  const ids: unknown[] = []
  for (let i = 0; i < 120; i++) ids.push(await ask('eth_newFilter', [{ fromBlock: '0x0', address: [TO, ...others] }]))
  expect(await ask('eth_getFilterChanges', [ids[0]])).toEqual([])
  expect(await ask('eth_getFilterChanges', [ids.at(-1)])).toHaveLength(1)
})

describe('as Hardhat', () => {
  const panic = (code: number) => `0x4e487b71${word(code)}`
  test.each([
    ['0x', 'Transaction reverted without a reason string'],
    [NO_WAY, "VM Exception while processing transaction: reverted with reason string 'no way'"],
    [panic(1), 'VM Exception while processing transaction: reverted with panic code 0x1 (Assertion error)'],
    [panic(0x77), 'VM Exception while processing transaction: reverted with unknown panic code 0x77'],
    [
      '0xdeadbeef',
      'VM Exception while processing transaction: reverted with an unrecognized custom error (return data: 0xdeadbeef)',
    ],
  ])('a call that reverts with %s is told in its words, and so is a send', async (data, message) => {
    const { ask } = await automining('hardhat')
    await ask('hardhat_setCode', [REVERTS.address, REVERTS.code])
    const call = { from: FROM, to: REVERTS.address, data }
    expect(await errorOf(ask('eth_call', [call]) as Promise<unknown>)).toEqual({ code: 3, message, data })
    expect(await errorOf(ask('eth_estimateGas', [call]) as Promise<unknown>)).toEqual({ code: 3, message, data })
    expect(await errorOf(ask('eth_sendTransaction', [call]) as Promise<unknown>)).toMatchObject({ message })
  })

  test.each([
    ['gas', { gas: '0x5207' }, 'Transaction requires at least 21000 gas but got 20999'],
    [
      'the room of a block',
      { gas: '0x3938701' },
      'Transaction gas limit is 60000001 and exceeds block gas limit of 60000000',
    ],
    [
      'the price',
      { gasPrice: '0x1' },
      'Transaction gasPrice (1) is too low for the next block, which has a baseFeePerGas of 875000000',
    ],
    [
      'the tip',
      { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x77359401' },
      'maxPriorityFeePerGas (2000000001) is bigger than maxFeePerGas (2000000000)',
    ],
    [
      'a nonce that is too high',
      { nonce: '0x5' },
      "Nonce too high. Expected nonce to be 0 but got 5. Note that transactions can't be queued when automining.",
    ],
    [
      'an account',
      { from: '0x00000000000000000000000000000000000c0ffe' },
      'Unknown account 0x00000000000000000000000000000000000c0ffe',
    ],
    [
      'funds',
      { value: '0xffffffffffffffffffffffff', gas: '0x5208', gasPrice: '0x3b9aca00' },
      "Sender doesn't have enough funds to send tx. The max upfront cost is: 79228162514264358593543950335 and the sender's balance is: 10000000000000000000000.",
    ],
  ])('a send that lacks %s is refused in its words', async (_what, fields, message) => {
    const { ask, clock } = await automining('hardhat')
    const sent = errorOf(ask('eth_sendTransaction', [{ from: FROM, to: TO, ...fields }]) as Promise<unknown>)
    // What waits for a lower nonce is given a second.
    for (let i = 0; i < 20; i++) await clock.advance(100)
    expect(await sent).toMatchObject({ code: -32000, message })
  })

  test('a call that could not begin with its gas says how much it needs', async () => {
    const { ask } = await automining('hardhat')
    for (const [gas, data, message] of [
      ['0x1', '0x', 'Transaction requires at least 21000 gas but got 1'],
      ['0x5409', `0x${'01'.repeat(32)}`, 'Transaction requires at least 22280 gas but got 21513'],
    ] as const) {
      const call = { from: FROM, to: TO, gas, data }
      expect(await errorOf(ask('eth_call', [call]) as Promise<unknown>), data).toMatchObject({ code: -32000, message })
    }
  })

  test('a call may send what its sender does not have, and a send names no sender', async () => {
    const { ask } = await automining('hardhat')
    const poor = '0x00000000000000000000000000000000000c0ffe'
    for (const value of ['0x1', '0xffffffffffffffffffffffff']) {
      expect(await ask('eth_call', [{ from: poor, to: TO, value }]), value).toBe('0x')
    }
    const hash = await ask('eth_sendTransaction', [{ to: TO }])
    expect(await ask('eth_getTransactionByHash', [hash])).toMatchObject({ from: FROM.toLowerCase(), gas: '0x1000000' })
  })

  test('an estimate is exact, but for a transfer, which is a unit more than it needs, whoever pays', async () => {
    const { ask } = await automining('hardhat')
    for (const value of ['0x1', '0xffffffffffffffffffffffff']) {
      expect(await ask('eth_estimateGas', [{ from: FROM, to: TO, value }])).toBe('0x5209')
    }
    expect(await ask('eth_estimateGas', [{ from: FROM, to: TO, data: '0x01' }])).toBe('0x5230')
  })

  test('a method that does not exist has the code of EIP-1474', async () => {
    const { ask } = await automining('hardhat')
    expect(await errorOf(ask('nothing_here' as 'eth_call', []) as Promise<unknown>)).toMatchObject({
      code: -32004,
      message: 'Method nothing_here is not supported',
    })
  })

  test('ranges of logs above the head, and those that are empty, have none; other blocks are named', async () => {
    const { ask } = await automining('hardhat')
    for (const range of [
      { toBlock: '0x99' },
      { fromBlock: '0x98', toBlock: '0x99' },
      { fromBlock: '0x0', toBlock: '0x99' },
    ]) {
      expect(await ask('eth_getLogs', [range])).toEqual([])
    }
    expect(await errorOf(ask('eth_getBalance', [FROM, '0x99']) as Promise<unknown>)).toMatchObject({
      message: 'Received invalid block tag 153. Latest block number is 0',
    })
  })

  test('what waited when automine begins is in the block of the next transaction', async () => {
    const { ask } = await automining('hardhat')
    await ask('evm_setAutomine', [false])
    const waits = await ask('eth_sendRawTransaction', [await signTransfer(1, 0)])
    await ask('evm_setAutomine', [true])
    expect(await ask('eth_blockNumber', [])).toBe('0x0')
    const next = await ask('eth_sendRawTransaction', [await signTransfer(2, 0)])
    for (const hash of [waits, next]) {
      expect(await ask('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1' })
    }
  })

  test.each([
    ['maxFeePerGas params', { gasPrice: '0x77359400', maxFeePerGas: '0x77359400' }],
    ['maxPriorityFeePerGas', { gasPrice: '0x77359400', maxPriorityFeePerGas: '0x1' }],
  ])('a gas price does not go with %s', async (name, prices) => {
    const { ask } = await automining('hardhat')
    const message = `Cannot send both gasPrice and ${name}`
    for (const method of ['eth_sendTransaction', 'eth_call', 'eth_estimateGas'] as const) {
      expect(await errorOf(ask(method, [{ from: FROM, to: TO, ...prices }])), method).toMatchObject({ message })
    }
  })

  test('a time before the newest block, or the same, is refused in its words', async () => {
    const { ask } = await automining('hardhat')
    const { timestamp } = (await ask('eth_getBlockByNumber', ['latest', false])) as { readonly timestamp: string }
    const at = Number(timestamp)
    for (const [given, message] of [
      [at, /^Timestamp \d+ is equal to the previous block's timestamp\. Enable the 'allowBlocksWithSameTimestamp'/],
      [at - 1, /^Timestamp \d+ is lower than the previous block's timestamp \d+$/],
    ] as const) {
      const refused = await errorOf(ask('evm_setNextBlockTimestamp', [given]))
      expect(refused).toMatchObject({ code: -32000, message: expect.stringMatching(message) as unknown })
    }
  })

  test('a transaction may have more gas than EIP-7825 allows', async () => {
    const { ask } = await automining('hardhat')
    const hash = await ask('eth_sendTransaction', [{ from: FROM, to: TO, gas: '0x1312d00' }])
    expect(await ask('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })

  test('a refusal does not repeat a long name', async () => {
    const { ask } = await automining('hardhat')
    const { message } = await errorOf(ask('x'.repeat(10_000) as 'eth_call', []) as Promise<unknown>)
    expect(message.length).toBeLessThan(200)
  })
})
