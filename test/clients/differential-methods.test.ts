import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import { describeWith } from './support/describe-with.ts'
import { useNodePair } from './support/node-pair.ts'
import {
  comparableBlock,
  comparableOperations,
  comparableOtsBlock,
  comparableOtsFrames,
  comparableOtsPage,
  comparableOtsTransactions,
  comparableReplays,
  comparableTraces,
  comparableTransaction,
} from './support/normalise.ts'
import { sender } from './support/sender.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'
const IDENTITY = '0x0000000000000000000000000000000000000004'

/** Init code of a contract with that code. */
const initOf = (code: string): Hex => `0x61${(code.length / 2).toString(16).padStart(4, '0')}80600a5f395ff3${code}`

/** CALL (f1), CALLCODE (f2), DELEGATECALL (f4) or STATICCALL (fa) of an address with four bytes of input. */
function callOf(opcode: 'f1' | 'f2' | 'f4' | 'fa', to: Address, { value = 0, gas = '5a' } = {}): string {
  const worth = opcode === 'f1' || opcode === 'f2' ? `60${value.toString(16).padStart(2, '0')}` : ''
  return `5f5f60045f${worth}73${to.slice(2)}${gas}${opcode}50`
}

describeWith('anvil', 'methods that few nodes have, at Blinknet and at anvil', (binary) => {
  const pair = useNodePair(binary)

  /** A transaction that calls in every way, and one that creates, in one block with a transfer and a failed creation. */
  async function mineEverything(index: number) {
    const from = sender(index)
    const contracts: Address[] = []
    const inits: Hex[] = []
    const deploy = async (code: string) => {
      contracts.push(from.nextContract())
      inits.push(await from.sign({ data: initOf(code) }))
      return contracts.at(-1) as Address
    }
    // Stores and logs; reverts with 42; INVALID; SELFDESTRUCT to the caller; an endless loop.
    const store = await deploy('60075f555f5fa000')
    const revert = await deploy('602a5f5260205ffd')
    const invalid = await deploy('fe')
    const destroy = await deploy('33ff')
    const loop = await deploy('5b5f56')
    const some = { gas: '6103e8' }
    const main = await deploy(
      [
        callOf('f1', store, { value: 1 }),
        callOf('f1', revert),
        callOf('f1', invalid, some),
        callOf('f1', destroy, { value: 2 }),
        callOf('f1', loop, some),
        // CREATE and CREATE2 of a contract whose code is 42.
        '67602a5f5260205ff35f52600860185ff050',
        '5f600860185ff550',
        callOf('f4', revert),
        callOf('f2', store),
        callOf('fa', store, { gas: '61ffff' }),
        callOf('fa', IDENTITY),
      ].join(''),
    )
    await pair().mine(inits)
    const block = await pair().mine([
      await from.sign({ to: main, data: '0x12345678', value: 5n }),
      await from.sign({ to: SOMEBODY, value: 1n }),
      await from.sign({ data: initOf('602a') }),
      await from.sign({ data: '0x602a5f5260205ffd' }),
    ])
    return { ...block, main, store, from: from.address }
  }

  test('tracers', async () => {
    const { hashes } = await mineEverything(0)
    for (const hash of hashes) {
      const [mine, theirs] = await pair().both('debug_traceTransaction', hash, { tracer: '4byteTracer' })
      // anvil counts the call of the identity contract as well.
      const { '0x00000000-0': zeros = 0, ...others } = mine as Record<string, number>
      const { '0x00000000-0': theirZeros = 0, ...theirOthers } = theirs as Record<string, number>
      expect(others).toEqual(theirOthers)
      expect(zeros).toBe(theirZeros - (hash === hashes[0] ? 1 : 0))
      const noop = await pair().both('debug_traceTransaction', hash, { tracer: 'noopTracer' })
      expect(noop).toEqual([{}, {}])
    }
  })

  test('a transaction by sender and nonce, and a header by the name of Erigon', async () => {
    const { number, from, hashes } = await mineEverything(1)
    for (const [index, hash] of hashes.entries()) {
      const nonce = `0x${(6 + index).toString(16)}`
      const [mine, theirs] = await pair().both('eth_getTransactionBySenderAndNonce', from, nonce)
      expect(mine).toMatchObject({ hash, from: from.toLowerCase() })
      expect(comparableTransaction(mine)).toEqual(comparableTransaction(theirs))
    }
    expect(await pair().both('eth_getTransactionBySenderAndNonce', from, '0x99')).toEqual([null, null])
    const [header, block] = await pair().both('erigon_getHeaderByNumber', number)
    const { transactions, uncles, withdrawals, ...theirs } = comparableBlock(block)
    expect([transactions, uncles, withdrawals]).toEqual([hashes, [], []])
    expect(comparableBlock(header)).toEqual(theirs)
    expect(await pair().both('erigon_getHeaderByNumber', '0x9999')).toEqual([null, null])
  })

  test('traces of transactions, blocks and ranges', async () => {
    const { number, hashes, main, from } = await mineEverything(2)
    for (const hash of hashes) {
      const [mine, theirs] = await pair().both('trace_transaction', hash)
      expect(comparableTraces(mine)).toEqual(comparableTraces(theirs))
    }
    const [mine, theirs] = await pair().both('trace_block', number)
    expect(comparableTraces(mine)).toEqual(comparableTraces(theirs))
    const range = { fromBlock: number, toBlock: number }
    const filters = [
      {},
      { fromAddress: [main] },
      { toAddress: [SOMEBODY] },
      { fromAddress: [from], toAddress: [SOMEBODY] },
      { fromAddress: [from], toAddress: [SOMEBODY], mode: 'intersection' },
      { fromAddress: [main], after: 1, count: 2 },
    ]
    for (const filter of filters) {
      const [found, theirFound] = await pair().both('trace_filter', { ...range, ...filter })
      expect(comparableTraces(found), JSON.stringify(filter)).toEqual(comparableTraces(theirFound))
    }
  })

  test('replays of a block, with what changed', async () => {
    const { number, hashes } = await mineEverything(3)
    const [mine, theirs] = await pair().both('trace_replayBlockTransactions', number, ['trace', 'stateDiff'])
    expect(comparableReplays(mine)).toEqual(comparableReplays(theirs))
    const [first] = mine as readonly { readonly transactionHash: string }[]
    const { transactionHash, ...replay } = first ?? expect.fail('nothing was replayed')
    expect(transactionHash).toBe(hashes[0])
    expect(await pair().blinknet.rpc('trace_replayTransaction', hashes[0], ['trace', 'stateDiff'])).toEqual(replay)
  })

  test('what Otterscan asks of transactions', async () => {
    const { hashes, main, from } = await mineEverything(4)
    for (const hash of hashes) {
      const [mine, theirs] = await pair().both('ots_getInternalOperations', hash)
      expect(comparableOperations(mine, from.toLowerCase())).toEqual(comparableOperations(theirs, from.toLowerCase()))
      const [frames, theirFrames] = await pair().both('ots_traceTransaction', hash)
      expect(comparableOtsFrames(frames)).toEqual(comparableOtsFrames(theirFrames))
      const [error, theirError] = await pair().both('ots_getTransactionError', hash)
      expect(error).toBe(theirError)
    }
    const creation = (await pair().blinknet.rpc('eth_getTransactionReceipt', hashes[2])) as { contractAddress: Address }
    const creators = await pair().both('ots_getContractCreator', creation.contractAddress)
    expect(creators[0]).toEqual({ hash: hashes[2], creator: from.toLowerCase() })
    expect(creators[0]).toEqual(creators[1])
    const [operations] = await pair().both('ots_getInternalOperations', hashes[0])
    const created = (operations as readonly { type: number; to: Address }[]).filter(({ type }) => type > 1)
    expect(created).toHaveLength(2)
    for (const { to } of created) {
      const [mine, theirs] = await pair().both('ots_getContractCreator', to)
      expect(mine).toEqual({ hash: hashes[0], creator: main })
      expect(mine).toEqual(theirs)
    }
    expect(await pair().both('ots_getContractCreator', SOMEBODY)).toEqual([null, null])
  })

  test('an account whole, code by its hash, and answers that are the same on any development chain', async () => {
    const { main, store, from, number } = await mineEverything(6)
    for (const account of [main, store, from, SOMEBODY, `0x${'ee'.repeat(20)}`]) {
      for (const block of [number, 'latest', '0x1']) {
        const [info, theirInfo] = await pair().both('eth_getAccountInfo', account, block)
        expect(info).toEqual(theirInfo)
        const [whole, theirWhole] = await pair().both('eth_getAccount', account, block)
        expect(whole).toEqual(theirWhole)
      }
    }
    const { codeHash } = (await pair().blinknet.rpc('eth_getAccount', store, 'latest')) as { codeHash: Hex }
    const codes = await pair().both('debug_codeByHash', codeHash)
    expect(codes).toEqual(['0x60075f555f5fa000', '0x60075f555f5fa000'])
    expect(await pair().both('debug_codeByHash', `0x${'11'.repeat(32)}`)).toEqual(['0x', '0x'])
    for (const [method, ...params] of [
      ['eth_hashrate'],
      ['eth_networkId'],
      ['anvil_getBlobByHash', codeHash],
      ['anvil_getBlobsByTransactionHash', codeHash],
    ] as const) {
      const [mine, theirs] = await pair().both(method, ...params)
      expect(mine, method).toEqual(theirs)
    }
    for (const node of [pair().blinknet, pair().anvil]) {
      const genesis = (await node.rpc('eth_getBlockByNumber', '0x0', false)) as { timestamp: Hex }
      expect(await node.rpc('anvil_getGenesisTime')).toBe(Number(genesis.timestamp))
    }
  })

  test('what Otterscan asks of blocks and accounts', async () => {
    const { number, hashes, main, store, from } = await mineEverything(5)
    const [mine, theirs] = (await pair().both('ots_getBlockDetails', number)) as [Details, Details]
    expect({ ...mine, block: comparableOtsBlock(mine.block) }).toEqual({
      ...theirs,
      block: comparableOtsBlock(theirs.block),
    })
    const page = [Number(number), 0, 10] as const
    const [transactions, theirTransactions] = await pair().both('ots_getBlockTransactions', ...page)
    expect(comparableOtsTransactions(transactions)).toEqual(comparableOtsTransactions(theirTransactions))
    expect(await pair().both('ots_hasCode', main, 'latest')).toEqual([true, true])
    expect(await pair().both('ots_hasCode', from, 'latest')).toEqual([false, false])
    expect(await pair().both('ots_getApiLevel')).toEqual([8, 8])
    expect(await pair().both('ots_getTransactionBySenderAndNonce', from, 6)).toEqual([hashes[0], hashes[0]])
    for (const [account, from0] of [
      [from, 0],
      [main, 0],
      // Called by the contract alone.
      [store, 0],
      [from, Number(number)],
    ] as const) {
      const [found, theirFound] = await pair().both('ots_searchTransactionsBefore', account, from0, 50)
      expect(comparableOtsPage(found)).toEqual(comparableOtsPage(theirFound))
      const [after, theirAfter] = await pair().both('ots_searchTransactionsAfter', account, from0, 50)
      expect(comparableOtsPage(after)).toEqual(comparableOtsPage(theirAfter))
    }
  })

  // The last one: it mines at times that the pair does not know.
  test('mined blocks with what their transactions have returned', async () => {
    const from = sender(7)
    // Reverts with Error("hi").
    const reason =
      '7f08c379a0000000000000000000000000000000000000000000000000000000005f526020600452600260245261686960f01b60445260645ffd'
    await pair().mine([])
    const raws: Hex[] = [
      await from.sign({ to: SOMEBODY, value: 1n }),
      await from.sign({ to: IDENTITY, data: '0x1234' }),
      await from.sign({ data: initOf('602a') }),
      await from.sign({ data: `0x${reason}` }),
      // INVALID, which takes all gas.
      await from.sign({ data: '0xfe' }),
      // Reverts without data.
      await from.sign({ data: '0x5f5ffd' }),
    ]
    await pair().both('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
    for (const raw of raws) await pair().both('eth_sendRawTransaction', raw)
    const [mine, theirs] = (await pair().both('evm_mine_detailed')) as [Mined, Mined]
    expect(mine).toHaveLength(1)
    expect(theirs).toHaveLength(1)
    const [block, theirBlock] = [mine[0], theirs[0]]
    expect(block?.transactions).toHaveLength(raws.length)
    expect(block?.transactions.map(comparableTransaction)).toEqual(theirBlock?.transactions.map(comparableTransaction))
    expect(block?.transactions.map(({ revertReason }) => revertReason)).toEqual([
      ...[undefined, undefined, undefined],
      ...['hi', undefined, undefined],
    ])
    const [head] = await pair().both('eth_getBlockByNumber', 'latest', false)
    const timestamp = Number((head as { timestamp: Hex }).timestamp) + 1_000_000
    const [two, theirTwo] = await pair().both('anvil_mine_detailed', { timestamp, blocks: 2 })
    expect(two).toMatchObject([{ timestamp: `0x${timestamp.toString(16)}`, transactions: [] }, { transactions: [] }])
    expect(theirTwo).toHaveLength(2)
  })
})

type Mined = readonly { readonly transactions: readonly { readonly revertReason?: string }[] }[]

type Details = { readonly block: unknown }
