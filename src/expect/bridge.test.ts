import { encodeErrorResult, encodeEventTopics, parseAbi } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Chain, createChain } from '#library/index.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { type Bridge, bridge } from './bridge.ts'
import { expect as expectOf } from './expect.ts'

const ABI = [
  {
    type: 'event',
    name: 'Deposited',
    inputs: [
      { name: 'by', type: 'address', indexed: true },
      { name: 'amount', type: 'uint256', indexed: false },
    ],
  },
] as const
const ERRORS = parseAbi(['error Closed()'])

const PORTAL: Address = `0x${'10'.repeat(20)}`
const INBOX: Address = `0x${'20'.repeat(20)}`
const RELAYER: Address = `0x${'30'.repeat(20)}`
const USER: Address = `0x${'40'.repeat(20)}`

const [TOPIC] = encodeEventTopics({ abi: ABI, eventName: 'Deposited' }) as [Hash]
/** Emits `Deposited` with the caller, and the first word of the data. */
const PORTAL_CODE: Hex = `0x5f355f52337f${TOPIC.slice(2)}60205fa200`
/** Adds the first argument to slot 0, and keeps the caller in slot 1. */
const INBOX_CODE: Hex = '0x5f54600435015f553360015500'
/** Reverts with `Closed()`. */
const CLOSED: Hex = `0x63${encodeErrorResult({ abi: ERRORS, errorName: 'Closed' }).slice(2)}5f526004601cfd`

const word = (value: bigint) => value.toString(16).padStart(64, '0')

let l1: Chain
let l2: Chain
beforeAll(async () => {
  l1 = await createChain({ clock: 'manual', chainId: 1 })
  l2 = await createChain({ clock: 'manual', chainId: 10 })
})
afterAll(() => Promise.all([l1.close(), l2.close()]))
beforeEach(async () => {
  for (const chain of [l1, l2]) await chain.request({ method: 'devnet_reset' })
  await l1.request({ method: 'anvil_setCode', params: [PORTAL, PORTAL_CODE] })
  // In a sealed block, so that a reorganisation leaves it.
  await l1.request({ method: 'anvil_setBalance', params: [USER, '0xde0b6b3a7640000'] })
  await l2.request({ method: 'anvil_setCode', params: [INBOX, INBOX_CODE] })
})

const deposit = (amount: bigint) =>
  l1.request({
    method: 'eth_sendUnsignedTransaction',
    params: [{ from: USER, to: PORTAL, input: `0x${word(amount)}` }],
  })

type Deposits = Bridge<{ by: `0x${string}`; amount: bigint }>

function newBridge(options: { preconfirmed?: boolean; since?: number } = {}): Deposits {
  return bridge({
    from: l1,
    event: { address: PORTAL, abi: ABI, name: 'Deposited' },
    to: l2,
    call: ({ amount }) => ({ to: INBOX, data: `0x12345678${word(amount)}`, from: RELAYER, abi: ERRORS }),
    ...options,
  })
}

/** What the other chain has received so far. */
async function received(): Promise<bigint> {
  return BigInt(await l2.request({ method: 'eth_getStorageAt', params: [INBOX, '0x0', 'pending'] }))
}

const amounts = async (of: Deposits) => (await of.waiting()).map(({ args }) => args.amount)

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing failed',
    (error: unknown) => (error as Error).message,
  )

test('an event waits once it is sealed, and becomes a call of another sender when it is delivered', async () => {
  const deposits = newBridge()
  const origin = await deposit(5n)
  await l1.tick()
  expect(await deposits.waiting()).toEqual([])
  await l1.seal()
  expect(await deposits.waiting()).toMatchObject([
    { args: { by: expect.stringMatching(/^0x4040/) as string, amount: 5n }, transaction: origin, stage: 'sealed' },
  ])
  const hash = await deposits.deliver()
  expect(await deposits.waiting()).toEqual([])
  expect(await deposits.deliveries()).toMatchObject([{ hash, outcome: 'sent', isOrphan: false }])
  expect(await received()).toBe(0n)
  await l2.tick()
  expect(await received()).toBe(5n)
  await expectOf(l2).toHavePreconfirmed(hash)
  expect(await deposits.deliveries()).toMatchObject([{ hash, outcome: 'succeeded', isOrphan: false }])
  const tx = await l2.request({ method: 'eth_getTransactionByHash', params: [hash] })
  expect(tx?.from).toBe(RELAYER)
  expect(await l2.request({ method: 'eth_accounts' })).not.toContain(RELAYER)
})

test('messages arrive in order, out of order, twice, late or never, as the test says', async () => {
  const deposits = newBridge()
  for (const amount of [1n, 20n, 300n, 4_000n]) await deposit(amount)
  await l1.tick()
  await l1.seal()
  const all = await deposits.waiting()
  expect(all.map(({ args }) => args.amount)).toEqual([1n, 20n, 300n, 4_000n])

  await deposits.deliver(2)
  expect(await amounts(deposits)).toEqual([1n, 20n, 4_000n])
  await deposits.lose(1)
  expect(await amounts(deposits)).toEqual([1n, 4_000n])
  await l2.tick()
  expect(await received()).toBe(300n)

  const [first, second, third] = all
  if (!first || !second || !third) throw new Error('there are four')
  await deposits.deliver(third)
  await deposits.deliver(second)
  await l2.tick()
  expect(await received()).toBe(620n)
  await deposits.deliverAll()
  await l2.tick()
  expect(await received()).toBe(4_621n)
  expect((await deposits.deliveries()).map(({ message }) => message.args.amount)).toEqual([300n, 300n, 20n, 1n, 4_000n])
  expect(await deposits.waiting()).toEqual([])
})

test('a call that would revert is not sent, says why, and waits on', async () => {
  await l2.request({ method: 'anvil_setCode', params: [INBOX, CLOSED] })
  const deposits = newBridge()
  await deposit(5n)
  await deposit(6n)
  await l1.seal()
  await l1.seal()
  expect(await failure(deposits.deliver())).toMatch(/cannot be delivered: the call reverts with Closed .*It waits on\./)
  expect(await amounts(deposits)).toEqual([5n, 6n])
  expect(await deposits.deliveries()).toEqual([])
  await l2.request({ method: 'anvil_setCode', params: [INBOX, INBOX_CODE] })
  await deposits.deliverAll()
  await l2.tick()
  expect(await received()).toBe(11n)
})

test('a delivery that reverts or is lost is back in the list, and says so', async () => {
  const deposits = newBridge()
  await deposit(5n)
  await l1.tick()
  await l1.seal()
  const reverted = await deposits.deliver()
  await l2.request({ method: 'anvil_setCode', params: [INBOX, CLOSED] })
  await l2.tick()
  expect(await deposits.waiting()).toMatchObject([{ failure: `its delivery ${reverted} reverted` }])
  await l2.request({ method: 'anvil_setCode', params: [INBOX, INBOX_CODE] })
  const lost = await deposits.deliver()
  await l2.tick()
  await l2.request({ method: 'devnet_dropPartialBlocks', params: [1, 'lose'] })
  expect(await deposits.waiting()).toMatchObject([{ failure: expect.stringContaining(`${lost} is lost`) as string }])
  expect((await deposits.deliveries()).map(({ outcome }) => outcome)).toEqual(['reverted', 'lost'])
  await deposits.deliver()
  await l2.tick()
  expect(await received()).toBe(5n)
})

test('a reorganisation takes a message away, and brings it back if its transaction comes again', async () => {
  const deposits = newBridge()
  await deposit(5n)
  await l1.tick()
  await l1.seal()
  const [message] = await deposits.waiting()
  await l1.request({ method: 'devnet_reorg', params: [1, 'requeue'] })
  expect(await deposits.waiting()).toEqual([])
  expect(await failure(deposits.deliver(message))).toMatch(/is gone: its pre-confirmation was withdrawn, or its block/)
  await l1.tick()
  await l1.seal()
  expect(await deposits.waiting()).toMatchObject([{ id: message?.id }])

  await deposits.deliver()
  await l1.request({ method: 'devnet_reorg', params: [1, 'lose'] })
  expect(await deposits.deliveries()).toMatchObject([{ outcome: 'sent', isOrphan: true }])
})

test('pre-confirmed events are messages where the bridge wants them, until they are withdrawn', async () => {
  const deposits = newBridge({ preconfirmed: true })
  await deposit(5n)
  await l1.tick()
  expect(await deposits.waiting()).toMatchObject([{ stage: 'preconfirmed', args: { amount: 5n } }])
  await deposits.deliver()
  expect(await deposits.deliveries()).toMatchObject([{ isOrphan: false }])
  await l1.request({ method: 'devnet_dropPartialBlocks', params: [1, 'lose'] })
  expect(await deposits.deliveries()).toMatchObject([{ isOrphan: true }])
  await deposit(6n)
  await l1.tick()
  await l1.request({ method: 'devnet_dropPartialBlocks', params: [1, 'requeue'] })
  expect(await deposits.waiting()).toEqual([])
  await l1.tick()
  await l1.seal()
  expect(await deposits.waiting()).toMatchObject([{ stage: 'sealed', args: { amount: 6n } }])
})

test('what was there before the bridge is none of its messages, unless it says since when', async () => {
  await deposit(1n)
  await l1.tick()
  await l1.seal()
  const deposits = newBridge()
  await deposit(2n)
  await l1.tick()
  await l1.seal()
  expect(await amounts(deposits)).toEqual([2n])
  expect(await amounts(newBridge({ since: 0 }))).toEqual([1n, 2n])
})

test('only events with the wanted arguments are messages', async () => {
  const deposits = bridge({
    from: l1,
    event: { address: PORTAL, abi: ABI, name: 'Deposited', args: { amount: 2n } },
    to: l2,
    call: () => ({ to: INBOX, from: RELAYER }),
  })
  for (const amount of [1n, 2n, 3n]) await deposit(amount)
  await l1.tick()
  await l1.seal()
  expect((await deposits.waiting()).map(({ args }) => args.amount)).toEqual([2n])
})

test('a sender without ether is given some, and the value of the call', async () => {
  const deposits = bridge({
    from: l1,
    event: { address: PORTAL, abi: ABI, name: 'Deposited' },
    to: l2,
    call: ({ by, amount }) => ({ to: by, value: amount, from: RELAYER }),
  })
  await deposit(10n ** 21n)
  await l1.tick()
  await l1.seal()
  await deposits.deliver()
  const arrives = expectOf(l2).toChangeBalance(USER, 10n ** 21n, () => l2.tick())
  expect(await failure(arrives)).toBe('nothing failed')
})

test('what is no bridge and no message is refused', async () => {
  const event = { address: PORTAL, abi: ABI, name: 'Deposited' } as const
  expect(() =>
    bridge({ from: l1, to: l2, event: { ...event, name: 'Withdrawn' as never }, call: () => never() }),
  ).toThrow(/no event "Withdrawn"; it has Deposited/)
  expect(() => bridge({ from: l1, to: l2, event, call: 5 as never })).toThrow(/call is a function/)
  expect(() => bridge({ from: 5 as never, to: l2, event, call: () => never() })).toThrow(/looks at the chain/)
  const deposits = newBridge()
  expect(await failure(deposits.deliver())).toBe('the bridge has 0 messages that wait, and none at 0')
  expect(await failure(deposits.lose(3))).toBe('the bridge has 0 messages that wait, and none at 3')
  await deposit(1n)
  await l1.tick()
  await l1.seal()
  const nowhere = bridge({ from: l1, to: l2, event, since: 0, call: () => ({ to: '0x12', from: RELAYER }) })
  expect(await failure(nowhere.deliver())).toBe('the call of a message has no address as to')
})

function never(): never {
  throw new Error('nothing is delivered')
}
