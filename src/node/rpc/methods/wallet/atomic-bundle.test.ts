// Longer than most files: the states of a bundle follow from one another, and share their contracts and helpers.
import { encodeErrorResult, getContractAddress, type Hex, parseAbi, parseEther, toHex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { MemoryJournal } from '#node/storage/memory-journal.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { BATCH_DELEGATE, BATCH_DELEGATION } from '#rpc-types/batch-delegate.ts'
import type { AtomicStatus } from '#rpc-types/node-options.ts'
import { forkOf } from '#testing/node/fork-of.ts'
import { DEPLOY_GATE, DEPLOY_ONCE } from '#testing/node/rpc/gate-contracts.ts'
import { viemWallet } from '#testing/node/rpc/viem-client.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { CREATE2_DEPLOYER, deploymentInput } from './batch-delegate.ts'

const FROM = devAccount(0).address.toLowerCase() as Hex
const TO = devAccount(1).address.toLowerCase() as Hex
const STRANGER = `0x${'99'.repeat(20)}` as const
const TRANSFER = { to: STRANGER, value: '0x1' }

let node: TestNode
let request: TestNode['request']
const start = async (atomic: AtomicStatus) => {
  node = await createTestNode({ mode: 'manual', atomic })
  request = node.request
}
beforeEach(() => start('ready'))

const sendCalls = (fields: object) =>
  request('wallet_sendCalls', [
    {
      version: '2.0.0',
      from: FROM,
      chainId: '0x7a69',
      atomicRequired: true,
      calls: [TRANSFER, TRANSFER],
      ...fields,
    },
  ])
const status = (id: string) => request('wallet_getCallsStatus', [id])
const refusal = (code: number, message: string) => ({ error: { code, message } })
const tick = () => request('devnet_tick')
const code = (account: Hex) => request('eth_getCode', [account, 'pending'])
const nonce = (account: Hex) => request('eth_getTransactionCount', [account, 'pending'])
const balance = async (account: Hex) => BigInt(await request('eth_getBalance', [account, 'pending']))
const ability = async (account: Hex = FROM) =>
  (await request('wallet_getCapabilities', [account]))['0x7a69']?.atomic.status

/** Sends and includes a bundle, after which the account is delegated. */
async function upgrade(from: Hex = FROM) {
  const sent = await sendCalls({ from })
  await tick()
  return sent
}

test('block 0 is that of a chain without the option, and the contract is not there before somebody needs it', async () => {
  const plain = await createTestNode({ mode: 'manual' })
  const genesis = await plain.request('eth_getBlockByNumber', ['0x0', false])
  for (const each of ['ready', 'supported'] as const) {
    await start(each)
    expect((await request('eth_getBlockByNumber', ['0x0', false]))?.hash).toBe(genesis?.hash)
    expect(await code(BATCH_DELEGATE)).toBe('0x')
  }
})

test('a bundle is one transaction that delegates its account, and the account can do it from then on', async () => {
  expect(await ability()).toBe('ready')
  const { id, capabilities } = await sendCalls({})
  const { transactionHashes } = capabilities.caip345
  expect(transactionHashes).toHaveLength(1)
  expect(await status(id)).toMatchObject({ status: 100, atomic: true, receipts: [] })
  const sent = await request('eth_getTransactionByHash', [transactionHashes[0]])
  const authorizationList = [{ chainId: '0x7a69', address: BATCH_DELEGATE, nonce: '0x2' }]
  expect(sent).toMatchObject({ type: '0x4', from: FROM, to: FROM, nonce: '0x1', value: '0x0', authorizationList })

  await tick()
  const done = await status(id)
  expect(done).toMatchObject({ status: 200, atomic: true, version: '2.0.0', id, chainId: '0x7a69' })
  expect(done.receipts).toMatchObject([{ status: '0x1', transactionHash: transactionHashes[0], logs: [] }])
  expect(await balance(STRANGER)).toBe(2n)
  expect(await code(FROM)).toBe(BATCH_DELEGATION)
  expect(await ability()).toBe('supported')
  expect(await ability(TO)).toBe('ready')

  const again = await sendCalls({ atomicRequired: false })
  const second = await request('eth_getTransactionByHash', again.capabilities.caip345.transactionHashes)
  expect(second).toMatchObject({ type: '0x2', to: FROM, nonce: '0x3' })
  await tick()
  expect(await status(again.id)).toMatchObject({ status: 200, atomic: true })
  expect(await balance(STRANGER)).toBe(4n)
})

test('the contract is created once on a chain', async () => {
  await upgrade()
  await upgrade(TO)
  expect(await nonce(FROM)).toBe('0x3')
  expect(await nonce(TO)).toBe('0x2')
  expect(await code(TO)).toBe(BATCH_DELEGATION)
})

test('two accounts may create it at once: the bundles of both are executed', async () => {
  const [first, second] = [await sendCalls({}), await sendCalls({ from: TO })]
  await tick()
  expect(await status(first.id)).toMatchObject({ status: 200 })
  expect(await status(second.id)).toMatchObject({ status: 200 })
  expect(await balance(STRANGER)).toBe(4n)
})

test('ready: a bundle that need not be atomic delegates nobody, and is one transaction for each call', async () => {
  const { id, capabilities } = await sendCalls({ atomicRequired: false })
  expect(capabilities.caip345.transactionHashes).toHaveLength(2)
  await tick()
  expect(await status(id)).toMatchObject({ status: 200, atomic: false })
  expect(await code(FROM)).toBe('0x')
})

test('supported: each bundle is one transaction, also the first of an account', async () => {
  await start('supported')
  expect(await ability()).toBe('supported')
  const { id } = await sendCalls({ atomicRequired: false })
  await tick()
  expect(await status(id)).toMatchObject({ status: 200, atomic: true })
  expect(await code(FROM)).toBe(BATCH_DELEGATION)
})

test('supported: what creates a contract is a sequence, unless it must be atomic', async () => {
  await start('supported')
  const calls = [{ data: DEPLOY_GATE }, TRANSFER]
  const { id } = await sendCalls({ atomicRequired: false, calls })
  await tick()
  expect(await status(id)).toMatchObject({ status: 200, atomic: false })
  const why = 'a call without a recipient creates a contract, which calls of one transaction cannot'
  await expect(sendCalls({ calls })).rejects.toMatchObject(refusal(5760, why))
})

test('unsupported: also an account that is delegated sends a sequence', async () => {
  await upgrade()
  expect(await request('devnet_status')).toHaveProperty('atomic', 'ready')
  await request('devnet_setAtomicBundles', ['unsupported'])
  expect(await ability()).toBe('unsupported')
  expect(await request('devnet_status')).not.toHaveProperty('atomic')
  await expect(sendCalls({})).rejects.toMatchObject(refusal(5760, 'atomic execution of the calls is not supported'))
  await expect(request('devnet_setAtomicBundles', ['yes'])).rejects.toMatchObject(
    refusal(-32602, 'invalid argument 0: the status of atomic bundles must be one of unsupported, ready, supported'),
  )
  await request('devnet_reset')
  expect(await ability()).toBe('ready')
})

test('a wallet whose person has not agreed to the delegation is refused with 5750, and nothing is sent', async () => {
  const message = `nobody has agreed that ${FROM} is delegated to ${BATCH_DELEGATE}, which the bundle needs`
  await expect(sendCalls({ upgrade: false })).rejects.toMatchObject(refusal(5750, message))
  expect(await nonce(FROM)).toBe('0x0')
  await upgrade()
  const { id } = await sendCalls({ upgrade: false })
  await tick()
  expect(await status(id)).toMatchObject({ status: 200, atomic: true })
})

test('supported: without that agreement a bundle that need not be atomic is a sequence', async () => {
  await start('supported')
  const { id } = await sendCalls({ upgrade: false, atomicRequired: false })
  await tick()
  expect(await status(id)).toMatchObject({ status: 200, atomic: false })
  expect(await code(FROM)).toBe('0x')
})

test.each([
  [
    'delegated elsewhere',
    `0xef0100${'77'.repeat(20)}`,
    `is delegated to 0x${'77'.repeat(20)}, which is not this wallet's`,
  ],
  ['a contract', '0x00', 'is a contract'],
])('an account that is %s can not do it, and says why', async (_what, its, why) => {
  await request('anvil_setCode', [FROM, its])
  expect(await ability()).toBe('unsupported')
  await expect(sendCalls({})).rejects.toMatchObject({
    error: { code: 5760, message: expect.stringContaining(why) as string },
  })
  expect(await code(FROM)).toBe(its)
})

test('an account without a key is delegated by an edit, as its refusal says; then it makes atomic bundles', async () => {
  await request('anvil_impersonateAccount', [STRANGER])
  await request('anvil_setBalance', [STRANGER, toHex(parseEther('1'))])
  const bundle = {
    from: STRANGER,
    calls: [
      { to: TO, value: '0x1' },
      { to: FROM, value: '0x2' },
    ],
  }
  expect(await ability(STRANGER)).toBe('unsupported')
  const refused = await sendCalls(bundle).catch((error: unknown) => error)
  expect(refused).toMatchObject({
    error: {
      code: 5760,
      message: expect.stringMatching(/nobody has the key .* anvil_setCode with 0xef0100/) as string,
    },
  })
  const [advised] = /0xef0100[0-9a-f]{40}/.exec((refused as Error).message) ?? []
  await request('anvil_setCode', [STRANGER, advised])
  expect(await ability(STRANGER)).toBe('supported')
  const before = [await balance(TO), await balance(FROM)]
  const { id } = await sendCalls(bundle)
  await tick()
  const { status: reached, atomic, receipts } = await status(id)
  expect({ reached, atomic, transactions: receipts?.length }).toEqual({ reached: 200, atomic: true, transactions: 1 })
  expect([await balance(TO), await balance(FROM)]).toEqual([(before[0] ?? 0n) + 1n, (before[1] ?? 0n) + 2n])
})

test('without the CREATE2 deployer nobody can create the contract', async () => {
  await request('anvil_setCode', [CREATE2_DEPLOYER, '0x'])
  expect(await ability()).toBe('unsupported')
  await expect(sendCalls({})).rejects.toMatchObject({
    error: { code: 5760, message: expect.stringContaining('no CREATE2 deployer') as string },
  })
})

test('the first account is meant where no account is named', async () => {
  await upgrade()
  expect(await request('wallet_getCapabilities')).toEqual({ '0x7a69': { atomic: { status: 'supported' } } })
  expect(await request('wallet_getCapabilities', [TO, ['0x7a69', '0x1']])).toEqual({
    '0x7a69': { atomic: { status: 'ready' } },
  })
})

test('a bundle of which a call would fail is refused with that call’s reason', async () => {
  const hash = await request('eth_sendTransaction', [{ from: TO, data: DEPLOY_GATE }])
  await tick()
  const { contractAddress } = (await request('eth_getTransactionReceipt', [hash])) ?? {}
  await expect(sendCalls({ calls: [TRANSFER, { to: contractAddress }] })).rejects.toMatchObject({ error: { code: 3 } })
  const abi = parseAbi(['error Closed(uint256 hours)'])
  const data = encodeErrorResult({ abi, args: [9n] })
  await request('anvil_setCode', [STRANGER, `0x6024600c60003960246000fd${data.slice(2)}`])
  await expect(sendCalls({})).rejects.toMatchObject({ error: { code: 3, data } })
  expect(await nonce(FROM)).toBe('0x0')
  // Calls see what those before them did.
  const { id } = await sendCalls({ calls: [{ to: contractAddress, data: '0x01' }, { to: contractAddress }] })
  await tick()
  expect(await status(id)).toMatchObject({ status: 200 })
})

const once = () => getContractAddress({ from: TO, nonce: 0n })

async function deployOnce() {
  await request('eth_sendTransaction', [{ from: TO, data: DEPLOY_ONCE }])
  await tick()
}

test('half way through an atomic bundle nothing has happened: 500, one receipt, and the person pays the gas', async () => {
  await deployOnce()
  const { id } = await sendCalls({ calls: [TRANSFER, { to: once() }, TRANSFER] })
  await request('eth_sendTransaction', [{ from: TO, to: once(), maxPriorityFeePerGas: toHex(50_000_000_000) }])
  await tick()
  const failed = await status(id)
  expect(failed).toMatchObject({ status: 500, atomic: true })
  expect(failed.receipts.map((receipt) => receipt.status)).toEqual(['0x0'])
  expect(await balance(STRANGER)).toBe(0n)
  // The delegation is not undone: it stands before the calls.
  expect(await ability()).toBe('supported')
})

test('half way through a sequence the rest has happened: 600, with the receipts of all', async () => {
  await deployOnce()
  const { id } = await sendCalls({ atomicRequired: false, calls: [TRANSFER, { to: once() }, TRANSFER] })
  await request('eth_sendTransaction', [{ from: TO, to: once(), maxPriorityFeePerGas: toHex(50_000_000_000) }])
  await tick()
  const failed = await status(id)
  expect(failed).toMatchObject({ status: 600, atomic: false })
  expect(failed.receipts.map((receipt) => receipt.status)).toEqual(['0x1', '0x0', '0x1'])
  expect(await balance(STRANGER)).toBe(2n)
})

test('with mayFail a bundle is sent although a call is expected to fail', async () => {
  await request('anvil_setCode', [TO, '0x5f5ffd'])
  const calls = [TRANSFER, { to: TO }, TRANSFER]
  const capabilities = { mayFail: {} }
  const sequence = await sendCalls({ calls, capabilities, atomicRequired: false })
  await tick()
  const partly = await status(sequence.id)
  expect(partly).toMatchObject({ status: 600, atomic: false })
  expect(partly.receipts.map((receipt) => receipt.status)).toEqual(['0x1', '0x0', '0x1'])
  const atomic = await sendCalls({ calls, capabilities })
  await tick()
  expect(await status(atomic.id)).toMatchObject({ status: 500, atomic: true })
  expect(await balance(STRANGER)).toBe(2n)
  const from = devAccount(2).address
  const all = await sendCalls({ from, calls: [{ to: TO }, { to: TO }], capabilities, atomicRequired: false })
  await tick()
  expect(await status(all.id)).toMatchObject({ status: 500, atomic: false })
})

test('a bundle whose block is taken back waits again: 100, and then 200', async () => {
  const { id } = await sendCalls({})
  await request('devnet_tick', [10])
  expect(await status(id)).toMatchObject({ status: 200 })
  await request('devnet_reorg', [1, 'requeue'])
  expect(await status(id)).toMatchObject({ status: 100, atomic: true, receipts: [] })
  expect(await ability()).toBe('ready')
  await tick()
  expect(await status(id)).toMatchObject({ status: 200 })
  expect(await balance(STRANGER)).toBe(2n)
})

test('a bundle whose transaction is lost or replaced is not made: 400', async () => {
  const { id } = await sendCalls({})
  await request('devnet_tick', [10])
  await request('devnet_reorg', [1, 'lose'])
  expect(await status(id)).toMatchObject({ status: 400, receipts: [] })
  const second = await sendCalls({})
  await request('eth_sendTransaction', [{ from: FROM, to: TO, nonce: '0x1', gasPrice: '0x174876e800' }])
  expect(await status(second.id)).toMatchObject({ status: 400 })
})

test('a bundle that ran before its contract was there has made no call: 500', async () => {
  const { id } = await sendCalls({})
  // In the place of the transaction that creates the contract.
  await request('eth_sendTransaction', [{ from: FROM, to: TO, nonce: '0x0', gasPrice: '0x174876e800' }])
  await tick()
  expect((await status(id)).receipts.map((receipt) => receipt.status)).toEqual(['0x1'])
  expect(await balance(STRANGER)).toBe(0n)
  expect(await status(id)).toMatchObject({ status: 500, atomic: true })
})

test('bundles one after the other: the second is refused while the first waits, as by geth', async () => {
  await upgrade()
  await sendCalls({})
  await expect(sendCalls({})).rejects.toMatchObject({
    error: { message: 'in-flight transaction limit reached for delegated accounts' },
  })
  await tick()
  await sendCalls({})
})

test('if the pool refuses the bundle, the contract is not created for it either', async () => {
  // In flight already.
  await request('eth_sendTransaction', [{ from: FROM, to: TO, value: '0x1' }])
  await expect(sendCalls({})).rejects.toMatchObject({ error: { message: 'authority already reserved' } })
  expect(await nonce(FROM)).toBe('0x1')
  expect(await request('devnet_status')).toMatchObject({ pool: { pending: 1, queued: 0 } })
})

test('a bundle has a bound on its bytes, all of them and those of one transaction', async () => {
  const data = (length: number) => `0x${'11'.repeat(length)}` as const
  const call = { to: TO, data: data(2 ** 17) }
  await expect(sendCalls({ calls: Array.from({ length: 9 }, () => call) })).rejects.toMatchObject(
    refusal(5740, 'the calls have 1179648 bytes of data, want at most 1048576'),
  )
  await expect(sendCalls({ calls: [call] })).rejects.toMatchObject(
    refusal(5740, 'the calls have 131300 bytes in one transaction, want at most 130000'),
  )
})

test('viem and the node understand each other about an atomic bundle', async () => {
  const wallet = viemWallet(node, FROM)
  expect(await wallet.getCapabilities()).toEqual({ 31337: { atomic: { status: 'ready' } } })
  const { id } = await wallet.sendCalls({ calls: [{ to: STRANGER, value: 3n }], forceAtomic: true })
  await tick()
  expect(await wallet.waitForCallsStatus({ id })).toMatchObject({ status: 'success', statusCode: 200, atomic: true })
})

test('a stored chain of an earlier build can do it, once it is opened with the option', async () => {
  const journal = new MemoryJournal()
  const before = await createTestNode({ mode: 'manual' }, { journal })
  await before.request('devnet_tick', [10])
  await before.node.close()
  node = await createTestNode({ mode: 'manual', atomic: 'ready' }, { journal: journal.reopen() })
  request = node.request
  const { id } = await sendCalls({})
  await tick()
  expect(await status(id)).toMatchObject({ status: 200, atomic: true })
})

test('a fork can do it too, of a chain that has the contract as of one that has not', async () => {
  for (const before of [async () => {}, () => upgrade(TO)]) {
    await start('ready')
    await before()
    await request('devnet_tick', [10])
    const { node: fork } = await forkOf(node)
    await fork.request('devnet_setAtomicBundles', ['ready'])
    request = fork.request
    expect(await ability(devAccount(3).address)).toBe('ready')
    const { id } = await upgrade(devAccount(3).address)
    expect(await status(id)).toMatchObject({ status: 200, atomic: true })
    expect(await ability(devAccount(3).address)).toBe('supported')
  }
})

test('bundles are known after a restart, by whatever id, with what became of them meanwhile', async () => {
  const journal = new MemoryJournal()
  const first = await createTestNode({ mode: 'manual', atomic: 'ready' }, { journal })
  request = first.request
  const atomic = await upgrade()
  const waiting = await sendCalls({ id: 'mine', from: TO, atomicRequired: false })
  await first.node.close()
  const open = async (at: MemoryJournal) => {
    node = await createTestNode({ atomic: 'ready' }, { journal: at })
    request = node.request
  }
  await open(journal.reopen())
  expect(await status(atomic.id)).toMatchObject({ status: 200, atomic: true })
  expect(await status(waiting.id)).toMatchObject({ status: 100, atomic: false, id: 'mine' })
  await expect(sendCalls({ id: 'mine' })).rejects.toMatchObject({ error: { code: 5720 } })
  await tick()
  expect(await status('mine')).toMatchObject({ status: 200 })
  // A crash at once after an answer loses nothing of it either.
  const last = await sendCalls({ id: 'last' })
  const crashed = journal.afterCrash()
  await open(crashed)
  expect(await status(last.id)).toMatchObject({ status: 100, atomic: true })
  await request('devnet_reset')
  await node.node.close()
  await open(crashed.reopen())
  await expect(status('last')).rejects.toMatchObject({ error: { code: 5730 } })
})

test('a record of bundles that no node has written is refused as damage', async () => {
  const journal = new MemoryJournal()
  const { node: first } = await createTestNode({ mode: 'manual' }, { journal })
  await first.close()
  const record = { id: 'x', transactions: ['0x12'], isAtomic: true }
  const value = new TextEncoder().encode(JSON.stringify([record]))
  const damaged = journal.reopen()
  await damaged.write([{ kind: 'put', part: 'meta', key: 'bundles', value }])
  await expect(createTestNode({}, { journal: damaged })).rejects.toMatchObject({ code: 'corrupt' })
})

test('what creates the contract is what anybody else would send to create it', async () => {
  await request('eth_sendTransaction', [{ from: TO, to: CREATE2_DEPLOYER, data: bytesToHex(deploymentInput()) }])
  await tick()
  await upgrade()
  expect(await nonce(FROM)).toBe('0x2')
})
