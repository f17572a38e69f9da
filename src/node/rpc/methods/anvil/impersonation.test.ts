import { gunzipSync } from 'node:zlib'
import { getContractAddress, type Hex, parseEther } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { OLD_MARKS_CHAIN } from '#testing/node/persistence/old-marks-chain.ts'
import { DEPLOY_GATE } from '#testing/node/rpc/gate-contracts.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { MemoryJournal } from '../../../storage/memory-journal.ts'

const DEV = devAccount(0).address.toLowerCase() as Hex
const TO = devAccount(1).address.toLowerCase() as Hex
const STRANGER = `0x${'99'.repeat(20)}` as const
const OTHER = `0x${'98'.repeat(20)}` as const

let request: TestNode['request']
beforeEach(async () => {
  ;({ request } = await createTestNode({ mode: 'manual' }))
  for (const account of [STRANGER, OTHER]) await request('devnet_faucet', [account])
})

const transfer = (from: Hex) => ({ from, to: TO, value: '0x1' })

test('an impersonated account sends transactions that are its own wherever they are shown', async () => {
  await request('anvil_impersonateAccount', [STRANGER])
  const hash = await request('eth_sendTransaction', [transfer(STRANGER)])
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({
    hash,
    from: STRANGER,
    nonce: '0x0',
    type: '0x2',
    r: STRANGER,
    s: '0x1',
    blockNumber: null,
  })
  await request('devnet_tick', [11])
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ from: STRANGER, blockNumber: '0x1' })
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ from: STRANGER, status: '0x1' })
  expect(await request('eth_getTransactionCount', [STRANGER])).toBe('0x1')
})

test('the same transaction of two impersonated accounts has two hashes', async () => {
  for (const account of [STRANGER, OTHER]) await request('anvil_impersonateAccount', [account])
  const fields = { nonce: '0x0', gas: '0x5208', gasPrice: '0x77359400' }
  const first = await request('eth_sendTransaction', [{ ...transfer(STRANGER), ...fields }])
  const second = await request('eth_sendTransaction', [{ ...transfer(OTHER), ...fields }])
  expect(first).not.toBe(second)
  await expect(request('eth_sendTransaction', [{ ...transfer(OTHER), ...fields }])).rejects.toThrow('already known')
  await request('devnet_tick')
  expect(await request('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x2')
})

test('a contract that is impersonated sends as if it had no code', async () => {
  await request('eth_sendTransaction', [{ from: DEV, data: DEPLOY_GATE }])
  await request('devnet_tick')
  const contract = getContractAddress({ from: DEV, nonce: 0n }).toLowerCase() as Hex
  await request('devnet_faucet', [contract, `0x${parseEther('2').toString(16)}`])
  await request('anvil_impersonateAccount', [contract])
  const hash = await request('eth_sendTransaction', [
    { ...transfer(contract), value: `0x${parseEther('1').toString(16)}` },
  ])
  await request('devnet_tick')
  // A contract starts with nonce 1 (EIP-161).
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ from: contract, nonce: '0x1' })
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  expect(await request('eth_getBalance', [TO, 'pending'])).toBe(`0x${parseEther('10001').toString(16)}`)
})

test('an account that is no longer impersonated cannot send', async () => {
  await request('anvil_impersonateAccount', [STRANGER])
  await request('anvil_stopImpersonatingAccount', [STRANGER])
  await expect(request('eth_sendTransaction', [transfer(STRANGER)])).rejects.toThrow('unknown account')
})

test('all accounts may be impersonated at once', async () => {
  await request('anvil_autoImpersonateAccount', [true])
  const hash = await request('eth_sendTransaction', [transfer(STRANGER)])
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ from: STRANGER })
  await request('anvil_autoImpersonateAccount', [false])
  await expect(request('eth_sendTransaction', [transfer(STRANGER)])).rejects.toThrow('unknown account')
})

test('a development account that is impersonated signs for itself', async () => {
  await request('anvil_impersonateAccount', [DEV])
  const hash = await request('eth_sendTransaction', [transfer(DEV)])
  expect(await request('eth_getTransactionByHash', [hash])).toHaveProperty('s', expect.not.stringMatching(/^0x0$/))
})

test('an impersonated account cannot sign, as nobody has its key', async () => {
  await request('anvil_impersonateAccount', [STRANGER])
  const settled = { ...transfer(STRANGER), nonce: '0x0', gas: '0x5208', gasPrice: '0x77359400' }
  await expect(request('eth_sign', [STRANGER, '0x00'])).rejects.toThrow('unknown account')
  await expect(request('eth_signTransaction', [settled])).rejects.toThrow('unknown account')
})

test('an impersonated account sends bundles', async () => {
  await request('anvil_impersonateAccount', [STRANGER])
  const calls = [
    { to: TO, value: '0x1' },
    { to: TO, value: '0x2' },
  ]
  const bundle = { version: '2.0.0', from: STRANGER, chainId: '0x7a69', atomicRequired: false, calls }
  const { id } = await request('wallet_sendCalls', [bundle])
  await request('devnet_tick')
  expect(await request('wallet_getCallsStatus', [id])).toMatchObject({ status: 200 })
})

test('a pre-confirmed transaction of an impersonated account that is withdrawn comes back as its own', async () => {
  await request('anvil_impersonateAccount', [STRANGER])
  const hash = await request('eth_sendTransaction', [transfer(STRANGER)])
  await request('devnet_tick')
  await request('devnet_dropPartialBlocks', [1])
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ from: STRANGER, blockNumber: null })
  await request('devnet_tick')
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ from: STRANGER, blockNumber: '0x1' })
})

test('an impersonated account without funds gets a clear error', async () => {
  const poor = `0x${'97'.repeat(20)}` as const
  await request('anvil_impersonateAccount', [poor])
  await expect(request('eth_sendTransaction', [{ from: poor, to: TO }])).rejects.toMatchObject({
    error: { code: -32000, message: 'insufficient funds for transfer' },
  })
  const fields = { gas: '0x5208', gasPrice: '0x77359400' }
  await expect(request('eth_sendTransaction', [{ from: poor, to: TO, ...fields }])).rejects.toMatchObject({
    error: { code: -32000, message: 'insufficient funds for gas * price + value' },
  })
})

test('a chain that starts over forgets its bundles and impersonated accounts', async () => {
  await request('anvil_impersonateAccount', [STRANGER])
  const calls = [{ to: TO, value: '0x1' }]
  const bundle = { version: '2.0.0', id: 'mine', from: STRANGER, chainId: '0x7a69', atomicRequired: false, calls }
  await request('wallet_sendCalls', [bundle])
  await request('devnet_reset')
  await expect(request('wallet_getCallsStatus', ['mine'])).rejects.toMatchObject({ error: { code: 5730 } })
  await expect(request('wallet_sendCalls', [bundle])).rejects.toMatchObject({ error: { code: 4100 } })
})

/** As go-ethereum's `Transaction.UnmarshalJSON` checks what it reads: `sanityCheckSignature`, for all types but deposits. */
function isReadByGo({ v, r, s }: { readonly v: string; readonly r: string; readonly s: string }): boolean {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const [recovery, sigR, sigS] = [BigInt(v), BigInt(r), BigInt(s)]
  if (recovery === 0n && sigR === 0n && sigS === 0n) return true
  return sigR >= 1n && sigS >= 1n && sigR < order && sigS <= order / 2n
}

test.each([STRANGER, `0x${'00'.repeat(20)}`, `0x${'00'.repeat(19)}01`] as const)(
  'clients in Go read the block with a transaction of %s, which nobody can send again',
  async (sender) => {
    await request('anvil_setBalance', [sender, '0xde0b6b3a7640000'])
    await request('anvil_impersonateAccount', [sender])
    const hash = await request('eth_sendTransaction', [transfer(sender)])
    await request('evm_mine')
    const block = await request('eth_getBlockByNumber', ['latest', true])
    for (const tx of block?.transactions ?? []) {
      if (typeof tx === 'string') throw new Error('whole transactions were asked for')
      expect(isReadByGo(tx), JSON.stringify(tx)).toBe(true)
    }
    expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ from: sender, s: '0x1' })
    const raw = await request('eth_getRawTransactionByHash', [hash])
    await expect(request('eth_sendRawTransaction', [raw])).rejects.toThrow('invalid transaction v, r, s values')
  },
)

test('transactions of the zero address and of the address 1 have hashes of their own', async () => {
  const fields = { nonce: '0x0', gas: '0x5208', gasPrice: '0x77359400' }
  const senders = ['00', '01'].map((end): Hex => `0x${'00'.repeat(19)}${end}`)
  const hashes = new Set<string>()
  for (const sender of senders) {
    await request('anvil_setBalance', [sender, '0xde0b6b3a7640000'])
    await request('anvil_impersonateAccount', [sender])
    hashes.add(await request('eth_sendTransaction', [{ ...transfer(sender), ...fields }]))
  }
  expect(hashes.size).toBe(2)
})

/** The node that is opened on a chain file. */
async function imported(file: string): Promise<TestNode> {
  const journal = new MemoryJournal()
  const other = await createTestNode({ mode: 'manual' }, { journal, onReplaced: () => {} })
  await other.request('devnet_importChain', [file])
  await other.node.close()
  return createTestNode({}, { journal: journal.reopen() })
}

test('a chain of an earlier version, whose marks have 0 as s, is imported, continued and exported', async () => {
  const first = await imported(gunzipSync(Buffer.from(OLD_MARKS_CHAIN, 'base64')).toString('base64'))
  const numbers = ['0x1', '0x2', '0x3', '0x4'] as const
  const blocks = await Promise.all(numbers.map((number) => first.request('eth_getBlockByNumber', [number, true])))
  const transactions = blocks.flatMap((block) => (block?.transactions ?? []).filter((tx) => typeof tx !== 'string'))
  const marked = transactions.filter(({ s }) => s === '0x0')
  expect(marked.map(({ from }) => from)).toEqual([STRANGER, `0x${'00'.repeat(20)}`])
  expect(transactions).toHaveLength(3)
  await first.request('anvil_impersonateAccount', [STRANGER])
  const hash = await first.request('eth_sendTransaction', [transfer(STRANGER)])
  await first.request('evm_mine')
  expect(await first.request('eth_getTransactionByHash', [hash])).toMatchObject({ s: '0x1', nonce: '0x1' })
  const second = await imported(await first.request('devnet_exportChain'))
  for (const { hash: each, from } of [...marked, { hash, from: STRANGER }]) {
    expect(await second.request('eth_getTransactionByHash', [each])).toMatchObject({ from })
  }
})

test('eth_accounts names impersonated accounts after the development accounts, once each, while they are', async () => {
  const own = await request('eth_accounts')
  for (const account of [STRANGER, OTHER, DEV]) await request('anvil_impersonateAccount', [account])
  expect(await request('eth_accounts')).toEqual([...own, STRANGER, OTHER])
  expect(await request('eth_requestAccounts')).toEqual([...own, STRANGER, OTHER])
  await request('anvil_stopImpersonatingAccount', [STRANGER])
  expect(await request('eth_accounts')).toEqual([...own, OTHER])
  await request('devnet_reset')
  expect(await request('eth_accounts')).toEqual(own)
})
