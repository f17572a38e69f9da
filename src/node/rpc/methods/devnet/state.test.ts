import { expect, test, vi } from 'vitest'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'
import { MAX_SNAPSHOTS } from '../../../sequencer/snapshots.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../spec/system-contracts.ts'
import { CodeStore } from '../../../state/code-store.ts'
import { MemoryJournal } from '../../../storage/memory-journal.ts'

const manual = () => createTestNode({ mode: 'manual' })
const ADDRESS = `0x${'31'.repeat(20)}`
/** Returns slot 0. */
const CODE = '0x5f545f5260205ff3'

test('a snapshot brings back blocks, live block, pool and time', async () => {
  const { request } = await manual()
  await request('devnet_seal', [2])
  const included = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_tick', [2])
  const waiting = await request('eth_sendRawTransaction', [await signTransfer(1, 5)])
  const { chainTimeMs } = await request('devnet_status')
  const before = await Promise.all(['latest', 'pending'].map((tag) => request('eth_getBlockByNumber', [tag, true])))
  const id = await request('devnet_snapshot')

  await request('devnet_seal', [3])
  const since = await request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  await request('evm_increaseTime', [1_000])
  await request('devnet_faucet', [ADDRESS])
  await request('anvil_dropTransaction', [waiting])
  expect(await request('devnet_revert', [id])).toBe(true)

  expect(await Promise.all(['latest', 'pending'].map((tag) => request('eth_getBlockByNumber', [tag, true])))).toEqual(
    before,
  )
  expect((await request('devnet_status')).chainTimeMs).toBe(chainTimeMs)
  expect(await request('eth_getBalance', [ADDRESS, 'pending'])).toBe('0x0')
  expect(await request('eth_getTransactionReceipt', [included])).toMatchObject({ blockNumber: '0x3' })
  expect(await request('chain_transactionStatus', [waiting])).toEqual({ status: 'Known' })
  expect(await request('chain_transactionStatus', [since])).toEqual({ status: 'Unknown' })
  expect((await request('devnet_status')).pool).toEqual({ pending: 0, queued: 1 })
})

test('a reset to a snapshot begins there as often as one likes, without faults and impersonations', async () => {
  const { request } = await manual()
  const included = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_seal')
  const waiting = await request('eth_sendRawTransaction', [await signTransfer(1, 5)])
  const base = await request('devnet_snapshot')
  const { chainTimeMs, live } = await request('devnet_status')
  for (let round = 0; round < 3; round++) {
    const later = await request('devnet_snapshot')
    await request('devnet_seal', [3])
    await request('anvil_impersonateAccount', [ADDRESS])
    await request('devnet_stallPartialBlocks', [5])
    await request('devnet_delaySeal', [1_000])
    await request('devnet_withdrawNext')
    await request('evm_increaseTime', [1_000])
    await request('devnet_failNext', [{ methods: ['eth_chainId'], error: { code: -32000, message: 'planned' } }])
    await request('anvil_dropTransaction', [waiting])
    expect(await request('devnet_reset', [base])).toBe(true)

    expect(await request('devnet_status')).toMatchObject({
      chainTimeMs,
      live,
      head: { number: '0x1' },
      pool: { pending: 0, queued: 1 },
      faults: { failNext: [], stalledTicks: 0, sealDelayMs: 0, withdrawal: { planned: null, latest: null } },
    })
    expect(await request('eth_getTransactionReceipt', [included])).toMatchObject({ blockNumber: '0x1' })
    expect(await request('eth_accounts')).not.toContain(ADDRESS)
    await expect(request('devnet_reset', [later])).rejects.toThrow(`there is no snapshot ${later}`)
  }
  const kept = await request('devnet_snapshot')
  const other = await request('devnet_snapshot')
  await request('devnet_reset', [base, [kept]])
  await expect(request('devnet_reset', [other])).rejects.toThrow(`there is no snapshot ${other}: going back to`)
  await request('devnet_reset', [kept, [base, '0xffff']])
  for (const wrong of [5, {}, ['x'], Array.from({ length: MAX_SNAPSHOTS + 1 }, () => base)]) {
    await expect(request('devnet_reset', [base, wrong as never])).rejects.toMatchObject({ error: { code: -32602 } })
  }
  expect(await request('devnet_revert', [base])).toBe(true)
  await expect(request('devnet_reset', [base])).rejects.toMatchObject({
    error: { code: -32000, message: expect.stringContaining('or starting over, forgets it') as string },
  })
  expect((await request('devnet_status')).head.number).toBe('0x1')
})

test('a stored chain that was reset to a snapshot opens again with it', async () => {
  const journal = new MemoryJournal()
  const first = await createTestNode({ mode: 'manual' }, { journal })
  await first.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await first.request('devnet_seal')
  const base = await first.request('devnet_snapshot')
  const head = (await first.request('devnet_status')).head
  for (let round = 0; round < 2; round++) {
    await first.request('devnet_seal', [3])
    await first.request('devnet_reset', [base])
  }
  await first.request('devnet_seal')
  await first.node.close()
  const second = await createTestNode({ mode: 'manual' }, { journal: journal.reopen() })
  expect((await second.request('devnet_status')).head.number).toBe('0x2')
  await second.request('devnet_reset', [base])
  expect((await second.request('devnet_status')).head).toEqual(head)
})

test('a stored chain opens again with a kept snapshot of blocks that it has left', async () => {
  const journal = new MemoryJournal()
  const first = await createTestNode({ mode: 'manual' }, { journal })
  await first.request('devnet_seal')
  const base = await first.request('devnet_snapshot')
  await first.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await first.request('devnet_seal', [3])
  const waiting = await first.request('eth_sendRawTransaction', [await signTransfer(1, 5)])
  const later = await first.request('devnet_snapshot')
  const { head } = await first.request('devnet_status')
  await first.request('devnet_reset', [base, [later]])
  // Long enough that nothing of the blocks that were left is at hand for another reason.
  await first.request('devnet_seal', [300])
  await first.node.close()
  const second = await createTestNode({ mode: 'manual' }, { journal: journal.reopen() })
  await second.request('devnet_reset', [later, [base]])
  expect((await second.request('devnet_status')).head).toEqual(head)
  expect(await second.request('eth_getTransactionByHash', [waiting])).toMatchObject({ blockHash: null })
  await second.request('devnet_seal')
  await second.request('devnet_reset', [base])
  expect((await second.request('devnet_status')).head.number).toBe('0x1')
})

test('a snapshot brings back the order in which the transactions of its pool had come', async () => {
  const { request } = await manual()
  const sent: string[] = []
  for (const [from, nonce] of [
    [0, 0],
    [1, 1],
    [1, 0],
    [2, 0],
    [0, 1],
    [2, 1],
  ] as const) {
    sent.push(await request('eth_sendRawTransaction', [await signTransfer(from, nonce)]))
  }
  const id = await request('evm_snapshot')
  const execute = async () => {
    await request('devnet_tick')
    return (await request('eth_getBlockByNumber', ['pending', false]))?.transactions
  }
  const first = await execute()
  expect(first).toHaveLength(sent.length)
  await request('evm_revert', [id])
  expect(await execute()).toEqual(first)
})

test('reverting uses up a snapshot and all later ones, and no id is used twice', async () => {
  const { request } = await manual()
  const [first, second, third] = [
    await request('evm_snapshot'),
    await request('evm_snapshot'),
    await request('evm_snapshot'),
  ]
  expect(await request('evm_revert', [second])).toBe(true)
  expect(await request('evm_revert', [second])).toBe(false)
  expect(await request('evm_revert', [third])).toBe(false)
  const fourth = await request('evm_snapshot')
  expect([first, second, third]).not.toContain(fourth)
  expect(await request('evm_revert', [first])).toBe(true)
  expect(await request('evm_revert', [fourth])).toBe(false)
})

test('edits after a snapshot do not change it', async () => {
  const { request } = await manual()
  await request('devnet_faucet', [ADDRESS, '0x1'])
  const id = await request('evm_snapshot')
  await request('devnet_faucet', [ADDRESS, '0x1'])
  await request('anvil_setBalance', [ADDRESS, 9])
  await request('evm_revert', [id])
  expect(await request('eth_getBalance', [ADDRESS, 'pending'])).toBe('0x1')
  await request('devnet_seal')
  expect(await request('eth_getBalance', [ADDRESS, 'latest'])).toBe('0x1')
})

test('a snapshot survives a reorg of its blocks', async () => {
  const { request, notifications } = await manual()
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_seal', [3])
  const head = await request('eth_getBlockByNumber', ['latest', true])
  const id = await request('evm_snapshot')
  await request('devnet_reorg', [3, 'lose'])
  await request('devnet_seal', [5])
  expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
  await request('eth_subscribe', ['newHeads'])
  expect(await request('evm_revert', [id])).toBe(true)
  expect(await request('eth_getBlockByNumber', ['latest', true])).toEqual(head)
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1' })
  expect(notifications.map(({ result }) => (result as { number: string }).number)).toEqual(['0x1', '0x2', '0x3'])
})

test('a chain that is reverted while the clock runs continues from the snapshot', async () => {
  const { request, clock } = await createTestNode()
  await clock.advance(700)
  const id = await request('evm_snapshot')
  await clock.advance(60_150)
  await request('evm_revert', [id])
  expect(await request('eth_blockNumber')).toBe('0x0')
  expect((await request('devnet_status')).live.index).toBe(3)
  await clock.advance(1_300)
  expect(await request('eth_blockNumber')).toBe('0x1')
  // Chain time, which went back, catches up with the clock.
  expect((await request('devnet_status')).chainTimeMs).toBeGreaterThanOrEqual(clock.now() - 200)
  await clock.advance(4_000)
  expect(await request('eth_blockNumber')).toBe('0x3')
})

test('a reset starts over from block 0 and keeps nothing', async () => {
  const node = await manual()
  const { request } = node
  const genesis = await request('eth_getBlockByNumber', ['0x0', true])
  const first = await request('eth_getBlockByNumber', ['pending', true])
  const { instanceId } = await request('hardhat_metadata')
  const sealed = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_seal', [2])
  const waiting = await request('eth_sendRawTransaction', [await signTransfer(1, 1)])
  const id = await request('evm_snapshot')
  await request('anvil_impersonateAccount', [ADDRESS])
  await request('devnet_setTiming', [{ partialMs: 50 }])
  await request('evm_setBlockGasLimit', [5_000_000])
  await request('devnet_stallPartialBlocks', [7])
  await request('devnet_failNext', [{ methods: ['eth_chainId'], delayMs: 1 }])

  expect(await request('devnet_reset')).toBe(true)
  expect(await request('eth_getBlockByNumber', ['latest', true])).toEqual(genesis)
  expect(await request('eth_getBlockByNumber', ['pending', true])).toEqual(first)
  expect(await request('evm_revert', [id])).toBe(false)
  for (const hash of [sealed, waiting]) {
    expect(await request('chain_transactionStatus', [hash])).toEqual({ status: 'Unknown' })
  }
  expect(await request('devnet_status')).toMatchObject({
    partialMs: 200,
    pool: { pending: 0, queued: 0 },
    faults: { stalledTicks: 0, sealDelayMs: 0, failNext: [], withdrawal: { planned: null, latest: null } },
  })
  expect((await request('hardhat_metadata')).instanceId).not.toBe(instanceId)
  await expect(request('eth_sendTransaction', [{ from: ADDRESS }])).rejects.toThrow('unknown account')
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
})

test('a state that is exported and imported elsewhere is the same, account by account', async () => {
  const one = await manual()
  await one.request('anvil_setCode', [ADDRESS, CODE])
  await one.request('anvil_setStorageAt', [ADDRESS, 0, '0x2a'])
  await one.request('eth_sendRawTransaction', [await signTransfer(0, 0, { to: `0x${'32'.repeat(20)}`, value: 5n })])
  await one.request('devnet_tick')
  const dump = await one.request('devnet_exportState')
  expect(dump).toMatchObject({ format: 'blinknet-state', version: 1 })

  const other = await createTestNode({ mode: 'manual', seed: 9 })
  const gone = `0x${'77'.repeat(20)}`
  await other.request('devnet_faucet', [gone])
  await other.request('devnet_importState', [dump])
  expect(await other.request('eth_getBalance', [gone, 'pending'])).toBe('0x0')
  expect(await other.request('eth_getBalance', [`0x${'32'.repeat(20)}`, 'pending'])).toBe('0x5')
  expect(await other.request('eth_getTransactionCount', [devAccount(0).address, 'pending'])).toBe('0x1')
  expect(await other.request('eth_call', [{ to: ADDRESS }, 'pending'])).toBe(`0x${'0'.repeat(62)}2a`)
  const comparable = ({ accounts }: typeof dump) =>
    Object.entries(accounts).filter(([key]) => key !== HISTORY_STORAGE_ADDRESS && key !== BEACON_ROOTS_ADDRESS)
  expect(comparable(await other.request('devnet_exportState'))).toEqual(comparable(dump))
  // The state root is computed.
  const pending = await other.request('eth_getBlockByNumber', ['pending', false])
  await other.request('devnet_seal')
  const sealed = await other.request('eth_getBlockByNumber', ['latest', false])
  expect(sealed?.stateRoot).toBe(pending?.stateRoot)
})

test('data that is not a state in this format is refused, and changes nothing', async () => {
  const { request } = await manual()
  const pending = await request('eth_getBlockByNumber', ['pending', false])
  for (const state of [
    { accounts: {} },
    { format: 'blinknet-state', version: 2, accounts: {} },
    { format: 'blinknet-state', version: 1 },
    { format: 'blinknet-state', version: 1, accounts: { '0x12': {} } },
    { format: 'blinknet-state', version: 1, accounts: { [ADDRESS]: { nonce: '0x1', balance: '-1' } } },
    { format: 'blinknet-state', version: 1, accounts: { [ADDRESS]: { nonce: `0x1${'0'.repeat(16)}` } } },
    7,
  ]) {
    await expect(request('devnet_importState', [state])).rejects.toMatchObject({ error: { code: -32602 } })
  }
  expect(await request('eth_getBlockByNumber', ['pending', false])).toEqual(pending)
})

test('snapshots have a limit, and those that are used up make room', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  for (let i = 0; i < MAX_SNAPSHOTS; i++) await request('evm_snapshot')
  await expect(request('evm_snapshot')).rejects.toMatchObject({
    error: {
      code: -32602,
      message:
        'too many snapshots: there are 2000, revert to one of them, or forget them all with devnet_forgetSnapshots',
    },
  })
  expect(await request('evm_revert', ['0x2'])).toBe(true)
  expect(await request('evm_snapshot')).toBe('0x7d1')
})

test('code that is set by hand has a limit for the whole chain', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const setCode = (code: string) => request('anvil_setCode', [`0x${'77'.repeat(20)}`, code])
  vi.spyOn(CodeStore.prototype, 'bytes', 'get').mockReturnValue(268_435_456 - 3)
  try {
    expect(await setCode('0x5b5b5b')).toBeNull()
    await expect(setCode('0x5b5b5b5b')).rejects.toMatchObject({
      error: {
        code: -32005,
        message: expect.stringContaining(
          "the chain's codes take 268435456 bytes, no more can be set by hand: start a new chain",
        ) as string,
      },
    })
  } finally {
    vi.restoreAllMocks()
  }
  expect(await request('eth_getCode', [`0x${'77'.repeat(20)}`, 'pending'])).toBe('0x5b5b5b')
})
