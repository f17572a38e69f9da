import { getContractAddress, type Hex, parseEther } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { DEPLOY_GATE, DEPLOY_ONCE } from '#testing/node/rpc/gate-contracts.ts'
import { viemWallet } from '#testing/node/rpc/viem-client.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'

const FROM = devAccount(0).address.toLowerCase() as Hex
const TO = devAccount(1).address.toLowerCase() as Hex
const STRANGER = `0x${'99'.repeat(20)}` as const
const ZERO_HASH = `0x${'00'.repeat(32)}`
const BUNDLE = { version: '2.0.0', from: FROM, chainId: '0x7a69', atomicRequired: false }
const TRANSFER = { to: TO, value: '0x1' }

let node: TestNode
let request: TestNode['request']
beforeEach(async () => {
  node = await createTestNode({ mode: 'manual' })
  request = node.request
})

const sendCalls = (fields: object) => request('wallet_sendCalls', [{ ...BUNDLE, calls: [TRANSFER], ...fields }])
const status = (id: string) => request('wallet_getCallsStatus', [id])
const refusal = (code: number, message: string) => ({ error: { code, message } })

test('wallet_getCapabilities says that bundles are not atomic, for this chain only', async () => {
  const wallet = viemWallet(node, FROM)
  expect(await wallet.getCapabilities()).toEqual({ 31337: { atomic: { status: 'unsupported' } } })
  expect(await wallet.getCapabilities({ chainId: 31337 })).toEqual({ atomic: { status: 'unsupported' } })
  expect(await request('wallet_getCapabilities')).toHaveProperty('0x7a69')
  expect(await request('wallet_getCapabilities', [FROM, ['0x1']])).toEqual({})
  await expect(request('wallet_getCapabilities', [STRANGER])).rejects.toMatchObject(
    refusal(4100, `the account ${STRANGER} does not belong to this node`),
  )
})

test('a wallet sends a bundle whose calls depend on each other, all in one partial block', async () => {
  const wallet = viemWallet(node, FROM)
  const gate = getContractAddress({ from: FROM, nonce: 0n })
  const { id } = await wallet.sendCalls({
    // viem's type requires a recipient of every call; its code and EIP-5792 do not.
    calls: [
      { to: undefined as unknown as Hex, data: DEPLOY_GATE },
      { to: gate, data: '0x01' },
      { to: gate },
      { to: TO, value: parseEther('1') },
    ],
  })
  expect(await wallet.getCallsStatus({ id })).toMatchObject({ status: 'pending', statusCode: 100, receipts: [] })

  await request('devnet_tick')
  expect(await request('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x4')
  const preconfirmed = await wallet.getCallsStatus({ id })
  expect(preconfirmed).toMatchObject({
    status: 'success',
    statusCode: 200,
    atomic: false,
    chainId: 31337,
    version: '2.0.0',
  })
  expect(preconfirmed.receipts?.map((receipt) => receipt.status)).toEqual(Array(4).fill('success'))
  expect(preconfirmed.receipts?.map((receipt) => receipt.blockHash)).toEqual(Array(4).fill(ZERO_HASH))

  await request('devnet_tick', [10])
  const { hash } = (await request('eth_getBlockByNumber', ['latest', false])) ?? {}
  expect((await status(id)).receipts.map(({ blockHash }) => blockHash)).toEqual(Array(4).fill(hash))
  expect(await request('wallet_showCallsStatus', [id])).toBeNull()
})

test('a receipt of a bundle has the fields of EIP-5792, and no others', async () => {
  const { id } = await sendCalls({})
  await request('devnet_tick')
  const [receipt] = (await status(id)).receipts
  const full = await request('eth_getTransactionReceipt', [receipt?.transactionHash])
  expect(receipt).toEqual({
    logs: [],
    status: '0x1',
    blockHash: ZERO_HASH,
    blockNumber: full?.blockNumber,
    gasUsed: '0x5208',
    transactionHash: full?.transactionHash,
  })
})

test('calls come from the first account by default, and two bundles never share an id', async () => {
  const first = await sendCalls({ from: undefined })
  const second = await sendCalls({ from: undefined })
  expect(first.id).not.toBe(second.id)
  await request('devnet_tick')
  const { receipts } = await status(second.id)
  expect(await request('eth_getTransactionByHash', [receipts[0]?.transactionHash])).toMatchObject({
    from: FROM,
    nonce: '0x1',
  })
})

test('the answer has the hashes of the transactions, in the order of the calls', async () => {
  const { capabilities } = await sendCalls({
    calls: [
      { to: STRANGER, value: '0x1' },
      { to: STRANGER, value: '0x2' },
    ],
  })
  const sent = capabilities.caip345.transactionHashes.map((hash) => request('eth_getTransactionByHash', [hash]))
  expect((await Promise.all(sent)).map((tx) => tx?.value)).toEqual(['0x1', '0x2'])
})

test('a bundle keeps a given id, and no other bundle can have it', async () => {
  const sent = await sendCalls({ id: 'mine' })
  expect(sent).toMatchObject({ id: 'mine', capabilities: { caip345: { caip2: 'eip155:31337' } } })
  expect(await status('mine')).toMatchObject({ id: 'mine', status: 100 })
  await expect(sendCalls({ id: 'mine' })).rejects.toMatchObject(
    refusal(5720, 'there is a bundle with the id "mine" already'),
  )
  const answers = await Promise.allSettled([sendCalls({ id: 'twice' }), sendCalls({ id: 'twice' })])
  expect(answers.map((answer) => answer.status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('if a call of a bundle fails after the earlier ones, the bundle is refused and nothing is sent', async () => {
  const gate = getContractAddress({ from: FROM, nonce: 0n })
  await expect(sendCalls({ calls: [{ data: DEPLOY_GATE }, { to: gate }] })).rejects.toMatchObject({
    error: { code: 3 },
  })
  expect(await request('eth_getTransactionCount', [FROM, 'pending'])).toBe('0x0')
})

test('if the pool refuses a call of a bundle, earlier calls are removed again', async () => {
  // Each can be paid for alone, but not the fee caps of both together.
  const half = `0x${(parseEther('5000') - 58_000_000_000_000n).toString(16)}`
  const calls = [
    { to: TO, value: half },
    { to: TO, value: half },
  ]
  await expect(sendCalls({ calls })).rejects.toMatchObject({
    error: { code: -32000, message: 'insufficient funds for gas * price + value' },
  })
  expect(await request('eth_getTransactionCount', [FROM, 'pending'])).toBe('0x0')
  expect(await request('devnet_status')).toMatchObject({ pool: { pending: 0, queued: 0 } })
  const { id } = await sendCalls({})
  await request('devnet_tick')
  expect(await status(id)).toMatchObject({ status: 200 })
})

test('calls that revert although their estimates succeeded are failures: status 500 for all calls, 600 for some', async () => {
  const once = getContractAddress({ from: FROM, nonce: 0n })
  await sendCalls({ calls: [{ data: DEPLOY_ONCE }] })
  await request('devnet_tick')
  const call = { to: once }
  const first = await sendCalls({ from: devAccount(1).address, calls: [call] })
  const second = await sendCalls({ from: devAccount(2).address, calls: [call, TRANSFER] })
  const third = await sendCalls({ from: devAccount(3).address, calls: [call] })
  await request('devnet_tick')
  expect((await status(first.id)).status).toBe(200)
  const partial = await status(second.id)
  expect(partial.status).toBe(600)
  expect(partial.receipts.map((receipt) => receipt.status)).toEqual(['0x0', '0x1'])
  expect((await status(third.id)).status).toBe(500)
})

test('a bundle whose transactions were replaced is lost', async () => {
  const { id } = await sendCalls({})
  await request('eth_sendTransaction', [{ from: FROM, to: TO, nonce: '0x0', gasPrice: '0x174876e800' }])
  expect(await status(id)).toMatchObject({ status: 400, receipts: [] })
  await request('devnet_tick')
  expect(await status(id)).toMatchObject({ status: 400, receipts: [] })
})

test.each([
  ['of another version', { version: '1.0' }, -32602, 'invalid argument 0: the version of a bundle must be "2.0.0"'],
  ['without calls', { calls: [] }, -32602, 'invalid argument 0: a bundle must have at least one call'],
  [
    'that does not say whether it is atomic',
    { atomicRequired: undefined },
    -32602,
    'invalid argument 0: atomicRequired must be true or false',
  ],
  [
    'with a call that is not an object',
    { calls: [1] },
    -32602,
    'invalid argument 0: calls[0] must be an object, not number',
  ],
  [
    'with a long id',
    { id: 'x'.repeat(4_097) },
    -32602,
    'invalid argument 0: the id of a bundle is a text of at most 4096 characters',
  ],
  ['for another chain', { chainId: '0x1' }, 5710, 'chain 0x1 is not supported: this node has chain 0x7a69 only'],
  ['from a strange account', { from: STRANGER }, 4100, `the account ${STRANGER} does not belong to this node`],
  ['that must be atomic', { atomicRequired: true }, 5760, 'atomic execution of the calls is not supported'],
  [
    'with too many calls',
    { calls: Array.from({ length: 257 }, () => TRANSFER) },
    5740,
    'too many calls, want at most 256',
  ],
  [
    'that needs a capability',
    { capabilities: { paymasterService: { url: '' } } },
    5700,
    'the capability "paymasterService" is not supported',
  ],
  [
    'with a call that needs a capability',
    { calls: [{ ...TRANSFER, capabilities: { flow: { optional: false } } }] },
    5700,
    'the capability "flow" is not supported',
  ],
  ['with a call without a recipient', { calls: [{}] }, -32000, 'contract creation without any data provided'],
])('a bundle %s is refused', async (_what, fields, code, message) => {
  await expect(sendCalls(fields)).rejects.toMatchObject(refusal(code, message))
})

test('an optional capability is ignored', async () => {
  const { id } = await sendCalls({ capabilities: { paymasterService: { url: '', optional: true } } })
  await request('devnet_tick')
  expect(await status(id)).toMatchObject({ status: 200 })
})

test.each(['wallet_getCallsStatus', 'wallet_showCallsStatus'] as const)(
  '%s refuses an unknown bundle',
  async (method) => {
    await expect(request(method, ['0x12'])).rejects.toMatchObject(refusal(5730, 'no bundle has the id "0x12"'))
  },
)
