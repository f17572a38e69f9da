import { expect, test } from 'vitest'
import { type Address, type Hex, type Quantity, toWord } from '#primitives/hex.ts'
import type { RpcListedTransaction, RpcListPlace, RpcTransactionFilter } from '#rpc-types/chain-lists.ts'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { forkOf } from '#testing/node/fork-of.ts'
import { at, send, withCodes, word } from '#testing/node/rpc/traces.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'

const MANUAL = { mode: 'manual' } as const
const SOMEBODY: Hex = `0x${'5b'.repeat(20)}`

/** A clock on which every look at the time takes time, once it is told how much. */
class SlowClock extends FakeClock {
  slowMs = 0

  override now(): number {
    this.jump(this.slowMs)
    return super.now()
  }
}

const accountOf = (index: number) => devAccount(index).address.toLowerCase() as Address

/** LOG1 of 64 bytes, 1 and the caller's word, under topic 7; then LOG0 of nothing. */
const LOGGING: Hex = '0x60015f525f35602052600760405fa15f5fa000'

/** Four blocks with transfers, a revert, a creation and an empty block, and a live block with two more. */
async function withMuch(): Promise<TestNode> {
  const node = await withCodes({ [at('fail')]: '0x5f5ffd', [at('log')]: LOGGING })
  await send(node, 0, { to: SOMEBODY, value: 1n })
  await send(node, 1, { to: at('fail') })
  await node.request('devnet_seal')
  await node.request('devnet_seal')
  await send(node, 2, { data: '0x602a5f5260205ff3' })
  await node.request('eth_sendRawTransaction', [await signTransfer(1, 0, { to: accountOf(0) })])
  await node.request('devnet_seal')
  await send(node, 3, { to: at('log'), data: `0x${word(5)}` })
  await send(node, 4, { to: at('log'), data: `0x${word(6)}` })
  return node
}

async function allTransactions(node: TestNode, filter?: RpcTransactionFilter, count = 50) {
  const pages: (readonly RpcListedTransaction[])[] = []
  let before: RpcListPlace | undefined
  for (;;) {
    const page = await node.request('devnet_listTransactions', [filter, before, count])
    pages.push(page.transactions)
    if (page.next === null) return pages
    before = page.next
  }
}

/** What the chain has by the standard methods, newest first. */
async function naive({ request }: TestNode) {
  const found: { readonly tx: RpcTransaction; readonly receipt: RpcReceipt; readonly sealed: boolean }[] = []
  for (let number = Number(await request('eth_blockNumber')); number >= -1; number--) {
    const ref = found.length === 0 && number === Number(await request('eth_blockNumber')) ? 'pending' : number
    const tag = ref === 'pending' ? ref : (`0x${(number + 1).toString(16)}` as const)
    const block = (await request('eth_getBlockByNumber', [tag, true])) as RpcBlock<RpcTransaction>
    const receipts = (await request('eth_getBlockReceipts', [tag])) ?? []
    const own = block.transactions.map((tx, i) => ({
      tx,
      receipt: receipts[i] as RpcReceipt,
      sealed: tag !== 'pending',
    }))
    found.push(...own.toReversed())
  }
  return found
}

test.each([1, 2, 3, 50])('pages of %d transactions together are all of the chain, newest first', async (count) => {
  const node = await withMuch()
  const expected = await naive(node)
  const pages = await allTransactions(node, undefined, count)
  expect(pages.every(({ length }) => length <= count)).toBe(true)
  expect(expected.length).toBe(6)
  expect(pages.flat()).toEqual(
    expected.map(({ tx, receipt, sealed }) => ({
      hash: tx.hash,
      blockNumber: receipt.blockNumber,
      transactionIndex: receipt.transactionIndex,
      partialIndex: expect.any(Number) as number,
      isSealed: sealed,
      timestamp: expect.any(String) as string,
      from: tx.from,
      to: tx.to,
      contractAddress: receipt.contractAddress,
      nonce: tx.nonce,
      value: tx.value,
      input: tx.input.slice(0, 10),
      status: receipt.status,
      gasUsed: receipt.gasUsed,
    })),
  )
})

test('a filter selects what its members say, on every page', async () => {
  const node = await withMuch()
  const expected = await naive(node)
  const contract = expected.find(({ tx }) => tx.to === null)?.receipt.contractAddress as Address
  const cases: readonly (readonly [RpcTransactionFilter, (each: (typeof expected)[number]) => boolean])[] = [
    [{ from: accountOf(1) }, ({ tx }) => tx.from === accountOf(1)],
    [{ to: SOMEBODY }, ({ tx }) => tx.to === SOMEBODY],
    [{ to: null }, ({ tx }) => tx.to === null],
    [{ account: accountOf(0) }, ({ tx }) => tx.from === accountOf(0) || tx.to === accountOf(0)],
    [{ account: contract }, ({ receipt }) => receipt.contractAddress === contract],
    [{ status: 'failed' }, ({ receipt }) => receipt.status === '0x0'],
    [{ status: 'success', isSealed: true }, ({ receipt, sealed }) => receipt.status === '0x1' && sealed],
    [{ isSealed: false }, ({ sealed }) => !sealed],
    [{ selector: '0x00000000' }, ({ tx }) => tx.input.startsWith('0x00000000')],
    [{ selector: ['0x', '0x12345678'] }, ({ tx }) => tx.input === '0x'],
    [{ fromBlock: '0x2', toBlock: '0x3' }, ({ receipt }) => [2, 3].includes(Number(receipt.blockNumber))],
    [{ fromBlock: '0x9' }, () => false],
  ]
  for (const [filter, isWanted] of cases) {
    const hashes = expected.filter(isWanted).map(({ tx }) => tx.hash)
    for (const count of [1, 50]) {
      const listed = (await allTransactions(node, filter, count)).flat().map(({ hash }) => hash)
      expect(listed, JSON.stringify(filter)).toEqual(hashes)
    }
  }
})

test('a filter finds the same in blocks that have become bytes', async () => {
  const node = await withMuch()
  const expected = await naive(node)
  const contract = expected.find(({ tx }) => tx.to === null)?.receipt.contractAddress as Address
  const filters: readonly RpcTransactionFilter[] = [
    { from: accountOf(1) },
    { from: SOMEBODY },
    { to: SOMEBODY },
    { to: null },
    { account: contract },
    { status: 'failed' },
    { status: 'success' },
    { selector: '0x00000000' },
    { selector: ['0x', '0x12345678'] },
    { selector: '0x12345678' },
  ]
  const listed = async () => {
    const found: string[][] = []
    for (const filter of filters) found.push((await allTransactions(node, filter, 2)).flat().map(({ hash }) => hash))
    const words: number[] = []
    for (const value of [1, 5, 6, 9]) words.push((await allLogs(node, { word: toWord(value) }, 2)).length)
    return [found, words]
  }
  await node.request('devnet_seal')
  const before = await listed()
  await node.request('devnet_seal', [300])
  expect(await listed()).toEqual(before)
})

test('the oldest page says that it is the last', async () => {
  const node = await withMuch()
  const { transactions, next } = await node.request('devnet_listTransactions', [{}, undefined, 6])
  expect(transactions).toHaveLength(6)
  expect(await node.request('devnet_listTransactions', [{}, next ?? undefined, 6])).toEqual({
    transactions: [],
    next: null,
  })
})

test('blocks are listed with what their partial blocks added and how many failed', async () => {
  const node = await withMuch()
  const { blocks, next } = await node.request('devnet_listBlocks')
  expect(next).toBeNull()
  const live = Number(await node.request('eth_blockNumber')) + 1
  expect(blocks.map(({ number }) => Number(number))).toEqual(Array.from({ length: live + 1 }, (_, i) => live - i))
  for (const { number, isSealed, failed, transactionsByPartial, ...fields } of blocks) {
    expect(isSealed).toBe(Number(number) !== live)
    const tag = isSealed ? number : 'pending'
    expect(await node.request('eth_getBlockByNumber', [tag, false])).toMatchObject(fields)
    const receipts = (await node.request('eth_getBlockReceipts', [tag])) ?? []
    expect(transactionsByPartial.reduce((sum, each) => sum + each, 0)).toBe(receipts.length)
    expect(failed).toBe(receipts.filter(({ status }) => status === '0x0').length)
  }
  expect(blocks.reduce((sum, { failed }) => sum + failed, 0)).toBe(1)
})

test('a block is listed alike as an object, as bytes, and without its state', async () => {
  const node = await withMuch()
  await node.request('devnet_tick', [2])
  await node.request('eth_sendRawTransaction', [await signTransfer(2, 0)])
  await node.request('devnet_tick', [1])
  await node.request('devnet_seal')
  const head = await node.request('eth_blockNumber')
  const listed = async () => (await node.request('devnet_listBlocks', [{ toBlock: head }])).blocks
  const before = await listed()
  expect(before[0]?.transactionsByPartial.length).toBeGreaterThan(1)
  await node.request('devnet_seal', [300])
  expect(await listed()).toEqual(before)
  for (const { number, transactionsByPartial } of before) {
    const told = await node.request('devnet_getPartialBlocks', [number])
    const own = told?.transactionsByPartial.some((added) => added > 0) ? told.transactionsByPartial : []
    expect(own).toEqual(transactionsByPartial)
  }
})

test('blocks are filtered, paged, and begin where they are asked to', async () => {
  const node = await createTestNode(MANUAL)
  for (const nonce of [0, undefined, 1, 2]) {
    if (nonce !== undefined) await node.request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
    if (nonce !== 2) await node.request('devnet_seal')
  }
  await node.request('devnet_tick')
  const numbers = async (...params: readonly unknown[]) => {
    const { blocks, next } = await node.request('devnet_listBlocks', params)
    return [blocks.map(({ number }) => Number(number)), next]
  }
  expect(await numbers({ hasTransactions: true })).toEqual([[4, 3, 1], null])
  expect(await numbers({ hasTransactions: false })).toEqual([[2, 0], null])
  expect(await numbers({}, '0x3', 2)).toEqual([[3, 2], '0x1'])
  expect(await numbers({ fromBlock: '0x2' }, '0x3')).toEqual([[3, 2], null])
  expect(await numbers({}, '0x99')).toEqual([[4, 3, 2, 1, 0], null])
})

test('each call looks at 10,000 blocks', async () => {
  const { request } = await createTestNode(MANUAL)
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  for (let i = 0; i < 11; i++) await request('devnet_seal', [1_000])
  const first = await request('devnet_listBlocks', [{ hasTransactions: true }])
  expect(first).toEqual({ blocks: [], next: '0x3e9' })
  const second = await request('devnet_listBlocks', [{ hasTransactions: true }, first.next])
  expect([second.blocks.length, second.next]).toEqual([1, null])
  const page = await request('devnet_listTransactions')
  expect(page).toEqual({ transactions: [], next: { blockNumber: '0x3e9' } })
  expect((await request('devnet_listTransactions', [{}, page.next])).transactions).toHaveLength(1)
})

async function allLogs(node: TestNode, filter: object, count: number) {
  const logs: RpcLog[] = []
  let before: RpcListPlace | undefined
  for (;;) {
    const page = await node.request('devnet_listLogs', [filter, before, count])
    expect(page.logs.length).toBeLessThanOrEqual(count)
    logs.push(...page.logs)
    if (page.next === null) return logs
    before = page.next
  }
}

test.each([1, 3, 100])('pages of %d logs together are those of eth_getLogs, newest first', async (count) => {
  const node = await withMuch()
  const query = { fromBlock: 'earliest', toBlock: 'pending' }
  const all = (await node.request('eth_getLogs', [query])).toReversed()
  expect(all.length).toBe(4)
  expect(await allLogs(node, {}, count)).toEqual(all)
  for (const filter of [
    { address: at('log') },
    { address: SOMEBODY },
    { topics: [toWord(7)] },
    { topics: [null, toWord(1)] },
  ]) {
    const some = (await node.request('eth_getLogs', [{ ...query, ...filter }])).toReversed()
    expect(await allLogs(node, filter, count)).toEqual(some)
  }
  const withWord = async (value: number) => (await allLogs(node, { word: toWord(value) }, count)).length
  expect([await withWord(1), await withWord(5), await withWord(6), await withWord(7)]).toEqual([2, 1, 1, 0])
})

test('a search that takes long ends its page early, and the next pages go on to the end', async () => {
  const clock = new SlowClock()
  const node = await createTestNode(MANUAL, { clock })
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.request('devnet_seal', [40])
  clock.slowMs = 100
  const blocks: number[] = []
  let pages = 0
  for (let from: Quantity | null | undefined; from !== null; pages++) {
    const page = await node.request('devnet_listBlocks', [{}, from])
    blocks.push(...page.blocks.map(({ number }) => Number(number)))
    from = page.next
  }
  expect(pages).toBeGreaterThan(2)
  expect(blocks).toEqual(Array.from({ length: 42 }, (_, i) => 41 - i))
  const transactions = await allTransactions(node)
  expect(transactions.length).toBeGreaterThan(2)
  expect(transactions.flat()).toHaveLength(1)
  const { accounts, next } = await node.request('devnet_listAccounts')
  expect(accounts.length).toBeGreaterThan(0)
  expect(next).toBe(accounts.at(-1)?.address)
})

test('while blocks are only sealed on request, what waits is in no list, and accounts are those at pending', async () => {
  const { request } = await createTestNode()
  await request('evm_setAutomine', [false])
  await request('eth_sendRawTransaction', [await signTransfer(0, 0, { to: SOMEBODY, value: 5n })])
  expect(await request('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x1')
  expect(await request('devnet_listTransactions')).toEqual({ transactions: [], next: null })
  expect((await request('devnet_listBlocks')).blocks.map(({ gasUsed }) => gasUsed)).toEqual(['0x0', '0x0'])
  const { accounts } = await request('devnet_listAccounts', [{}, undefined, 100])
  expect(accounts.find(({ address }) => address === SOMEBODY)?.balance).toBe('0x5')
  expect(await request('eth_getBalance', [SOMEBODY, 'pending'])).toBe('0x5')
})

test.each([1, 7, 100])('pages of %d accounts together are the whole state, each once', async (count) => {
  const node = await withMuch()
  const accounts = []
  let after: Address | null | undefined
  do {
    const page = await node.request('devnet_listAccounts', [{}, after ?? undefined, count])
    expect(page.accounts.length).toBeLessThanOrEqual(count)
    accounts.push(...page.accounts)
    after = page.next
  } while (after !== null)
  const { accounts: dumped } = await node.request('devnet_exportState')
  expect(accounts.map(({ address }) => address).toSorted()).toEqual(Object.keys(dumped).toSorted())
  for (const { address, balance, nonce, codeSize } of accounts) {
    expect(await node.request('eth_getBalance', [address, 'pending'])).toBe(balance)
    expect(await node.request('eth_getTransactionCount', [address, 'pending'])).toBe(nonce)
    expect(((await node.request('eth_getCode', [address, 'pending'])).length - 2) / 2).toBe(codeSize)
  }
})

test('contracts are listed apart from accounts, and an account that delegates is none', async () => {
  const node = await withMuch()
  await node.request('anvil_setCode', [SOMEBODY, `0xef0100${at('log').slice(2)}`])
  const list = async (isContract: boolean) =>
    (await node.request('devnet_listAccounts', [{ isContract }, undefined, 100])).accounts
  const contracts = await list(true)
  const others = await list(false)
  expect(contracts.map(({ address }) => address)).toContain(at('log'))
  expect(contracts.every(({ codeSize }) => codeSize > 0)).toBe(true)
  expect(others.find(({ address }) => address === SOMEBODY)).toMatchObject({ delegatedTo: at('log'), codeSize: 23 })
  expect(others.some(({ address }) => contracts.some((contract) => contract.address === address))).toBe(false)
})

test.each([
  ['devnet_listTransactions', [{ sender: SOMEBODY }], 'there is no "sender" to filter by'],
  ['devnet_listTransactions', [{ status: 'reverted' }], '"reverted" is neither'],
  ['devnet_listTransactions', [{ status: { toString: 1, valueOf: 1 } }], 'is neither'],
  ['devnet_listTransactions', [{ selector: '0x12' }], 'hex string has length 2, want 8'],
  ['devnet_listTransactions', [{ selector: Array(101).fill('0x') }], '101 selectors are more than 100'],
  ['devnet_listTransactions', [{}, { block: 1 }], 'there is no "block" to filter by'],
  ['devnet_listTransactions', [{}, {}], 'cannot unmarshal'],
  ['devnet_listTransactions', [{}, undefined, 0], '0 is not a whole number from 1 to 100'],
  ['devnet_listBlocks', [{}, undefined, 101], '101 is not a whole number from 1 to 100'],
  ['devnet_listBlocks', [[]], 'cannot unmarshal array'],
  ['devnet_listLogs', [{ topics: [1] }], 'invalid topic(s)'],
  ['devnet_listLogs', [{ word: '0x01' }], 'hex string has length 2, want 64'],
  ['devnet_listAccounts', [{}, '0x12'], 'hex string has length 2, want 40'],
] as const)('%s of %j is refused', async (method, params, message) => {
  const { requestLoosely } = await createTestNode(MANUAL)
  await expect(requestLoosely(method, params)).rejects.toMatchObject({
    error: { code: -32_602, message: expect.stringContaining(message) as string },
  })
})

test('a fork lists the blocks and transactions that are its own, and says that its accounts cannot be listed', async () => {
  const other = await createTestNode(MANUAL)
  await other.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await other.request('devnet_seal', [3])
  const { node: fork } = await forkOf(other)
  const { request } = fork
  await request('devnet_seal', [2])
  expect((await request('devnet_listBlocks')).blocks.map(({ number }) => Number(number))).toEqual([6, 5, 4, 3])
  expect(await request('devnet_listTransactions')).toEqual({ transactions: [], next: null })
  await expect(request('devnet_listAccounts')).rejects.toMatchObject({ error: { code: -32_000 } })
})
