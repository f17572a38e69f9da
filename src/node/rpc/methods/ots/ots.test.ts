import { getContractAddress } from 'viem'
import { expect, test, vi } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import { at, CODES, from, send, withCodes, word } from '#testing/node/rpc/traces.ts'
import { createTestNode, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const MANUAL = { mode: 'manual' } as const
const SOMEBODY: Hex = `0x${'5b'.repeat(20)}`
/** REVERT with 42. */
const REVERT = '0x602a5f5260205ffd'
/** CREATE of a contract with the code 42, then CREATE2 of the same. */
const FACTORY = '0x67602a5f5260205ff35f52600860185ff0505f600860185ff500'

/** Sealed blocks, each with transfers of account 0 by their values. */
async function withTransfers(blocks: readonly (readonly number[])[]): Promise<TestNode> {
  const node = await createTestNode(MANUAL)
  let nonce = 0
  for (const values of blocks) {
    for (const value of values) {
      await node.request('eth_sendRawTransaction', [await signTransfer(0, nonce++, { value: BigInt(value) })])
    }
    await node.request('devnet_seal')
  }
  return node
}

test('the level of the API, and whether an address has code', async () => {
  const { request } = await withCodes({ [at('store')]: CODES.store })
  expect(await request('ots_getApiLevel')).toBe(8)
  expect(await request('ots_hasCode', [at('store'), 'latest'])).toBe(true)
  expect(await request('ots_hasCode', [at('store'), '0x0'])).toBe(false)
  expect(await request('ots_hasCode', [from])).toBe(false)
  await expect(request('ots_hasCode', [from, '0x99'])).rejects.toMatchObject({ error: { code: -32_000 } })
})

test('operations within a transaction are those that were not undone', async () => {
  // Calls `store` with value, then reverts.
  const undoing: Hex = `0x5f5f5f5f600273${at('store').slice(2)}5af1505f5ffd`
  // Calls it with value, calls `undoing` with value, creates twice, destroys itself.
  const main: Hex = `0x${CODES.call.slice(2, -6)}5f5f5f5f600373${at('undoing').slice(2)}5af150${FACTORY.slice(2, -2)}33ff`
  const node = await withCodes({ [at('store')]: CODES.store, [at('undoing')]: undoing, [at('main')]: main })
  const hash = await send(node, 0, { to: at('main'), data: `0x${word(at('store'))}`, value: 9n })
  const operations = await node.request('ots_getInternalOperations', [hash])
  expect(operations).toEqual([
    { type: 0, from: at('main'), to: at('store'), value: '0x1' },
    { type: 2, from: at('main'), to: expect.any(String) as string, value: '0x0' },
    { type: 3, from: at('main'), to: expect.any(String) as string, value: '0x0' },
    { type: 1, from: at('main'), to: from, value: '0x8' },
  ])
  for (const { to } of operations.slice(1, 3)) expect(await node.request('ots_hasCode', [to, 'pending'])).toBe(true)
  const frames = await node.request('ots_traceTransaction', [hash])
  expect(frames.map(({ type, depth, to, value }) => [type, depth, to, value])).toEqual([
    ['CALL', 0, at('main'), '0x9'],
    ['CALL', 1, at('store'), '0x1'],
    ['CALL', 1, at('undoing'), '0x3'],
    ['CALL', 2, at('store'), '0x2'],
    ['CREATE', 1, operations[1]?.to, '0x0'],
    ['CREATE2', 1, operations[2]?.to, '0x0'],
    ['SELFDESTRUCT', 1, from, '0x8'],
  ])
  expect(frames[4]).toMatchObject({ input: '0x602a5f5260205ff3', output: toWord(42) })
})

test('calls that can send nothing have no value, and a failed creation no address', async () => {
  const node = await withCodes({ [at('calls')]: CODES.calls, [at('store')]: CODES.store })
  const calls = await send(node, 0, { to: at('calls'), data: `0x${word(at('store'))}`, value: 6n })
  const frames = await node.request('ots_traceTransaction', [calls])
  expect(frames.map(({ type, value }) => [type, value])).toEqual([
    ['CALL', '0x6'],
    ['DELEGATECALL', null],
    ['STATICCALL', null],
    ['CALLCODE', '0x0'],
  ])
  const failed = await send(node, 1, { data: REVERT })
  expect(await node.request('ots_traceTransaction', [failed])).toMatchObject([
    { type: 'CREATE', to: null, output: toWord(42) },
  ])
})

test('the error of a transaction is the data of its revert', async () => {
  const node = await withCodes({ [at('fail')]: REVERT })
  const reverted = await send(node, 0, { to: at('fail') })
  expect(await node.request('ots_getTransactionError', [reverted])).toBe(toWord(42))
  const fine = await send(node, 1, { to: from })
  expect(await node.request('ots_getTransactionError', [fine])).toBe('0x')
  const halted = await send(node, 2, { data: '0xfe' })
  expect(await node.request('ots_getTransactionError', [halted])).toBe('0x')
})

test.each(['ots_getInternalOperations', 'ots_getTransactionError', 'ots_traceTransaction'] as const)(
  '%s of a transaction that is not there is refused',
  async (method) => {
    const { request } = await createTestNode(MANUAL)
    const refusal = { error: { code: -32_000, message: 'transaction not found' } }
    await expect(request(method, [toWord(1)])).rejects.toMatchObject(refusal)
  },
)

test('a block comes without its transactions, and with their fees', async () => {
  const { request } = await withTransfers([[1, 2]])
  const block = await request('eth_getBlockByNumber', ['0x1', true])
  const { transactions, ...rest } = block ?? {}
  const paid = (transactions as readonly { gasPrice: Hex }[]).reduce(
    (sum, tx) => sum + 21_000n * BigInt(tx.gasPrice),
    0n,
  )
  const details = await request('ots_getBlockDetails', ['0x1'])
  expect(details).toEqual({
    block: { ...rest, logsBloom: null, transactionCount: 2 },
    issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
    totalFees: `0x${paid.toString(16)}`,
  })
  expect(await request('ots_getBlockDetailsByHash', [block?.hash])).toEqual(details)
  expect(await request('ots_getBlockDetails', ['pending'])).toMatchObject({ block: { transactionCount: 0 } })
  expect(await request('ots_getBlockDetails', ['0x99'])).toBeNull()
  expect(await request('ots_getBlockDetailsByHash', [toWord(1)])).toBeNull()
})

test('transactions of a block come in pages, from the last one back, without what is long', async () => {
  const node = await withTransfers([[1, 2, 3]])
  const page = async (number: number, size: number) => {
    const { fullblock, receipts } = (await node.request('ots_getBlockTransactions', [1, number, size])) ?? {}
    expect(fullblock?.transactionCount).toBe(3)
    expect(receipts?.map(({ transactionHash }) => transactionHash)).toEqual(
      fullblock?.transactions.map(({ hash }) => hash),
    )
    return fullblock?.transactions.map(({ value }) => Number(value))
  }
  expect(await page(0, 2)).toEqual([2, 3])
  expect(await page(1, 2)).toEqual([1])
  expect(await page(2, 2)).toEqual([])
  expect(await page(0, 1_000)).toEqual([1, 2, 3])
  expect(await page(Number.MAX_SAFE_INTEGER, 1_000)).toEqual([])
  expect(await node.request('ots_getBlockTransactions', ['0x99', 0, 1])).toBeNull()
  const hash = await send(node, 3, { to: SOMEBODY, data: '0x1234567890' })
  const live = await node.request('ots_getBlockTransactions', ['pending', 0, 1])
  expect(live?.fullblock.transactions).toMatchObject([{ hash, input: '0x12345678' }])
  expect(live?.receipts).toMatchObject([{ logs: null, logsBloom: null, transactionHash: hash }])
})

test('a search goes from page to page in both directions, by whole blocks', async () => {
  const { request } = await withTransfers([[1], [2, 3], [], [4], [5]])
  await request('eth_sendRawTransaction', [await signTransfer(1, 0, { to: SOMEBODY })])
  await request('devnet_seal')
  const before = async (block: number, size: number) => {
    const { txs, receipts, ...ends } = await request('ots_searchTransactionsBefore', [from, block, size])
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(txs.map(({ hash }) => hash))
    return [txs.map(({ value }) => Number(value)), ends]
  }
  const after = async (block: number, size: number) => {
    const { txs, receipts: _receipts, ...ends } = await request('ots_searchTransactionsAfter', [from, block, size])
    return [txs.map(({ value }) => Number(value)), ends]
  }
  expect(await before(0, 2)).toEqual([[5, 4], { firstPage: true, lastPage: false }])
  expect(await before(4, 1)).toEqual([[3, 2], { firstPage: false, lastPage: false }])
  expect(await before(2, 2)).toEqual([[1], { firstPage: false, lastPage: true }])
  expect(await before(99, 100)).toEqual([[5, 4, 3, 2, 1], { firstPage: true, lastPage: true }])
  expect(await after(0, 2)).toEqual([[3, 2, 1], { firstPage: false, lastPage: true }])
  expect(await after(2, 1)).toEqual([[4], { firstPage: false, lastPage: false }])
  expect(await after(4, 5)).toEqual([[5], { firstPage: true, lastPage: false }])
  expect(await after(99, 5)).toEqual([[], { firstPage: true, lastPage: false }])
})

test('a search finds what was sent to an account, created it, or has its logs', async () => {
  const node = await withCodes({ [at('call')]: CODES.call, [at('store')]: CODES.store })
  const created = await send(node, 0, { data: '0x602a5f5260205ff3' })
  const contract = getContractAddress({ from, nonce: 0n })
  const called = await send(node, 1, { to: contract })
  const logged = await send(node, 2, { to: at('call'), data: `0x${word(at('store'))}`, value: 1n })
  await node.request('evm_mine')
  const search = async (account: string) =>
    (await node.request('ots_searchTransactionsBefore', [account, 0, 10])).txs.map(({ hash }) => hash)
  expect(await search(contract)).toEqual([called, created])
  expect(await search(at('store'))).toEqual([logged])
  expect(await search(SOMEBODY)).toEqual([])
})

test('a search finds calls within transactions, failed ones too, as long as the states before them are kept', async () => {
  const [silent, failing] = [at('silent'), at('failing')]
  const node = await withCodes({ [at('calls')]: CODES.calls, [silent]: '0x00', [failing]: '0xfe' })
  const search = async (method: 'Before' | 'After', account: Hex) =>
    (await node.request(`ots_searchTransactions${method}`, [account, 0, 10])).txs.map(({ hash }) => hash)
  const inner = await send(node, 0, { to: at('calls'), data: `0x${word(silent)}` })
  const direct = await send(node, 1, { to: silent })
  const failed = await send(node, 2, { to: at('calls'), data: `0x${word(failing)}` })
  await node.request('evm_mine')
  expect(await search('Before', silent)).toEqual([direct, inner])
  expect(await search('After', silent)).toEqual([direct, inner])
  expect(await search('Before', failing)).toEqual([failed])
  await node.request('devnet_seal', [300])
  expect(await search('Before', silent)).toEqual([direct])
  expect(await search('Before', failing)).toEqual([])
})

test('a search executes transactions of a billion gas once more, the first that it comes to', async () => {
  const silent = at('silent')
  const node = await withCodes({ [at('call')]: CODES.call, [at('invalid')]: '0xfe', [silent]: '0x00' })
  const old = await send(node, 0, { to: at('call'), data: `0x${word(silent)}`, value: 1n })
  await node.request('evm_mine')
  for (let nonce = 1; nonce <= 66; nonce++) {
    // Uses up its gas.
    await send(node, nonce, { to: at('invalid'), gas: 16_000_000n })
    if (nonce % 20 === 0) await node.request('evm_mine')
  }
  const recent = await send(node, 67, { to: at('call'), data: `0x${word(silent)}`, value: 1n })
  await node.request('evm_mine')
  const page = (method: 'Before' | 'After') => node.request(`ots_searchTransactions${method}`, [silent, 0, 10])
  expect((await page('Before')).txs.map(({ hash }) => hash)).toEqual([recent])
  expect((await page('After')).txs.map(({ hash }) => hash)).toEqual([old])
})

test.each([
  ['ots_searchTransactionsBefore', [from, 0, 0], 'invalid argument 2: 0 is not a whole number from 1 to 100'],
  ['ots_searchTransactionsAfter', [from, 0, 101], 'invalid argument 2: 101 is not a whole number from 1 to 100'],
  ['ots_searchTransactionsAfter', [from, -1, 5], 'invalid argument 1: invalid hex or decimal integer "-1"'],
  ['ots_getBlockTransactions', [0, 0, 0], 'invalid argument 2: 0 is not a whole number from 1 to 1000'],
  ['ots_getBlockTransactions', [0, 0, 1_001], 'invalid argument 2: 1001 is not a whole number from 1 to 1000'],
  ['ots_getBlockTransactions', [0, 1.5, 5], 'invalid argument 1: invalid hex or decimal integer "1.5"'],
] as const)('%s of %j is refused', async (method, params, message) => {
  const { requestLoosely } = await createTestNode(MANUAL)
  await expect(requestLoosely(method, params)).rejects.toMatchObject({ error: { code: -32_602, message } })
})

test('a search ends when its time is up', async () => {
  const { request, clock } = await createTestNode(MANUAL)
  await request('devnet_seal', [50])
  let now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => (now += 500))
  await expect(request('ots_searchTransactionsBefore', [from, 0, 5])).rejects.toMatchObject({
    error: { code: -32_000, message: 'query timeout exceeded' },
  })
})

test('a transaction is found by its sender and nonce once it is pre-confirmed', async () => {
  const { request } = await createTestNode(MANUAL)
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  const find = (nonce: unknown) => request('ots_getTransactionBySenderAndNonce', [from, nonce])
  expect(await find(0)).toBeNull()
  await request('devnet_tick')
  expect(await find(0)).toBe(hash)
  await request('devnet_seal')
  expect([await find('0x0'), await find(1)]).toEqual([hash, null])
})

test('the creator of a contract is who sent the transaction, or the contract that made it', async () => {
  const node = await withCodes({ [at('factory')]: FACTORY })
  const creatorOf = (address: string) => node.request('ots_getContractCreator', [address])
  const direct = await send(node, 0, { data: '0x602a5f5260205ff3' })
  const contract = getContractAddress({ from, nonce: 0n })
  expect(await creatorOf(contract)).toEqual({ hash: direct, creator: from })
  const made = await send(node, 1, { to: at('factory') })
  const operations = await node.request('ots_getInternalOperations', [made])
  await node.request('devnet_seal', [3])
  expect(operations).toHaveLength(2)
  for (const { to } of operations) expect(await creatorOf(to)).toEqual({ hash: made, creator: at('factory') })
  expect(await creatorOf(contract)).toEqual({ hash: direct, creator: from })
  // By hand, from the start, no contract.
  expect(await creatorOf(at('factory'))).toBeNull()
  expect(await creatorOf('0x4e59b44847b379578588920ca78fbf26c0b4956c')).toBeNull()
  expect(await creatorOf(SOMEBODY)).toBeNull()
})

test('once states are gone, only who sent the transaction is found', async () => {
  const node = await withCodes({ [at('factory')]: FACTORY })
  const direct = await send(node, 0, { data: '0x602a5f5260205ff3' })
  const made = await send(node, 1, { to: at('factory') })
  const [operation] = await node.request('ots_getInternalOperations', [made])
  await node.request('devnet_seal', [300])
  const contract = getContractAddress({ from, nonce: 0n })
  expect(await node.request('ots_getContractCreator', [contract])).toEqual({ hash: direct, creator: from })
  const message = `no transaction was sent to create ${operation?.to}, and the states that would tell who did are no longer kept`
  await expect(node.request('ots_getContractCreator', [operation?.to])).rejects.toMatchObject({
    error: { code: -32_000, message },
  })
})
