// Longer than most files: every matcher, each with what it says when it fails.
import { encodeAbiParameters, encodeErrorResult, encodeEventTopics, keccak256, parseAbi, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Chain, createChain } from '#library/index.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { ChainAssertions } from './chain-assertions.ts'
import { expect as expectOf } from './expect.ts'
import { matchers } from './matchers.ts'

const ABI = [
  {
    type: 'event',
    name: 'Transfer',
    inputs: [
      { name: 'from', type: 'address', indexed: true },
      { name: 'to', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
  { type: 'event', name: 'Paused', inputs: [] },
  {
    type: 'error',
    name: 'Short',
    inputs: [
      { name: 'needed', type: 'uint256' },
      { name: 'order', type: 'tuple', components: [{ name: 'item', type: 'string' }] },
    ],
  },
  { type: 'error', name: 'Closed', inputs: [] },
] as const

const ALICE: Address = `0x${'a1'.repeat(20)}`
const BOB: Address = `0x${'b0'.repeat(20)}`

let chain: Chain
let from: Address
beforeAll(async () => {
  chain = await createChain({ clock: 'manual', accounts: [] })
})
beforeEach(async () => {
  await chain.request({ method: 'devnet_reset' })
  await chain.request({ method: 'anvil_impersonateAccount', params: [ALICE] })
  await chain.request({ method: 'devnet_faucet', params: [ALICE] })
  from = ALICE
})
afterAll(() => chain.close())

const word = (value: number) => value.toString(16).padStart(64, '0')
const length = (bytes: string) => (bytes.length / 2).toString(16).padStart(4, '0')

/** Code of a constructor that copies its data into memory and does something with it. */
function constructorCode(data: Hex, then: (size: string) => string): Hex {
  const bytes = data.slice(2)
  const end = then(length(bytes))
  // PUSH2 size, PUSH2 offset, PUSH0, CODECOPY
  const head = (offset: string) => `61${length(bytes)}61${offset}5f39${end}`
  return `0x${head(length(head('0000')))}${bytes}`
}

const sends = (input: Hex, value: Hex = '0x0') =>
  chain.request({ method: 'eth_sendTransaction', params: [{ from, input, value, gas: '0x493e0' }] })

const revertsWith = (data: Hex) => sends(constructorCode(data, (size) => `61${size}5ffd`))

/** Emits `Transfer(from, to, value)`, and stops. */
const emits = (to: Address, value: bigint) => {
  const topics = encodeEventTopics({ abi: ABI, eventName: 'Transfer', args: { from: ALICE, to } }) as Hex[]
  const pushes = [...topics].reverse().map((topic) => `7f${topic.slice(2)}`)
  const data = encodeAbiParameters([{ type: 'uint256' }], [value])
  return sends(constructorCode(data, () => `${pushes.join('')}60205fa300`))
}

const failure = async (check: Promise<void>): Promise<string> =>
  check.then(
    () => 'nothing failed',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

test('an event is found by its name and by some of its arguments, and a failure shows what was emitted', async () => {
  const hash = await emits(BOB, 5n)
  await chain.tick()
  const of = expectOf(chain)
  await of.toHaveEmitted(hash, { abi: ABI, event: 'Transfer' })
  await of.toHaveEmitted(hash, {
    abi: ABI,
    event: 'Transfer',
    args: { to: BOB.toUpperCase().replace('X', 'x') as Hex },
  })
  await of.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', args: [undefined as never, BOB, 5], count: 1 })
  await of.not.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', args: { value: 6n } })
  await of.not.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', address: BOB })
  await of.not.toHaveEmitted(hash, { abi: ABI, event: 'Paused' })
  await of.toHaveEmitted(hash, { abi: ABI, event: 'Paused', count: 0 })
  const told = await failure(of.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', args: { value: 6n } }))
  expect(told).toContain('was expected to emit Transfer { value: 6 }: it emitted')
  expect(told.toLowerCase()).toContain(`transfer { from: ${ALICE}, to: ${BOB}, value: 5 }`)
  expect(told).toContain('pre-confirmed in block 1')
  expect(await failure(of.not.toHaveEmitted(hash, { abi: ABI, event: 'Transfer' }))).toContain('not to emit Transfer')
  expect(await failure(of.toHaveEmitted(hash, { abi: parseAbi(['event Other()']), event: 'Other' }))).toContain(
    'an event that the abi does not have: 0xddf252ad',
  )
  // @ts-expect-error -- the abi has no such event, and the types know.
  expect(await failure(of.toHaveEmitted(hash, { abi: ABI, event: 'Transfe' }))).toBe(
    'the abi has no event "Transfe"; it has Transfer, Paused',
  )
  // @ts-expect-error -- an amount is a number.
  expect(await failure(of.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', args: { value: '5' } }))).toContain('emit')
})

test('a custom error is found with its arguments, and a failure shows what it was', async () => {
  const of = expectOf(chain)
  const short = await revertsWith(encodeErrorResult({ abi: ABI, errorName: 'Short', args: [7n, { item: 'coffee' }] }))
  const text = await revertsWith(
    encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: ['no coffee'] }),
  )
  const unknown = await revertsWith('0x01020304')
  const fine = await emits(BOB, 1n)
  await chain.tick()
  await of.toHaveRevertedWith(short, { abi: ABI, error: 'Short' })
  await of.toHaveRevertedWith(short, { abi: ABI, error: 'Short', args: { needed: 7, order: { item: 'coffee' } } })
  await of.toHaveRevertedWith(short, { abi: ABI, error: 'Short', args: [7n, { item: 'coffee' }] })
  await of.not.toHaveRevertedWith(short, { abi: ABI, error: 'Short', args: { needed: 8n } })
  await of.not.toHaveRevertedWith(short, { abi: ABI, error: 'Closed' })
  await of.not.toHaveRevertedWith(fine, { abi: ABI, error: 'Short' })
  await of.toHaveRevertedWith(text, { abi: ABI, error: 'Error', args: ['no coffee'] })
  await of.toHaveRevertedWith(text, { abi: ABI, error: 'Error', args: { message: 'no coffee' } })
  const why = (hash: Hash) => failure(of.toHaveRevertedWith(hash, { abi: ABI, error: 'Closed' }))
  expect(await why(short)).toContain('reverted with Short { needed: 7, order: { item: "coffee" } }')
  expect(await why(text)).toContain('reverted with Error { message: "no coffee" }')
  expect(await why(unknown)).toContain('reverted with 0x01020304')
  expect(await why(fine)).toContain('it succeeded')
  await of.toHaveReverted(text, 'no coffee')
})

test('arguments that the abi does not have are refused, also by the contrary of a matcher', async () => {
  const of = expectOf(chain)
  const hash = await emits(BOB, 5n)
  await chain.tick()
  const event = (args: unknown) =>
    failure(of.not.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', args: args as never }))
  expect(await event({ amount: 6n })).toBe(
    'the event Transfer has the arguments (from, to, value), not those of { amount: 6 }',
  )
  expect(await event([BOB])).toContain('has the arguments (from, to, value), not those of')
  expect(await event({ constructor: 6n })).toContain('not those of { constructor: 6 }')
  const error = (args: unknown, name: 'Short' | 'Panic' = 'Short') =>
    failure(of.not.toHaveRevertedWith(hash, { abi: ABI, error: name, args: args as never }))
  expect(await error({ need: 7n })).toContain('the error Short has the arguments (needed, order)')
  expect(await error({ number: 17n }, 'Panic')).toContain('the error Panic has the arguments (code)')
  const anonymous = [{ type: 'event', name: 'Hidden', anonymous: true, inputs: [] }] as const
  expect(await failure(of.not.toHaveEmitted(hash, { abi: anonymous, event: 'Hidden' }))).toContain(
    'the event Hidden is anonymous',
  )
})

test('an indexed text is found by itself or by its hash; of an indexed list only its hash is there', async () => {
  const abi = parseAbi(['event Named(string indexed name, bytes indexed raw, uint256[] indexed list)'])
  const args = { name: 'coffee', raw: '0xBEEF' } as const
  const [signature, ...indexed] = encodeEventTopics({ abi, eventName: 'Named', args }) as Hex[]
  const topics = [signature, indexed[0], indexed[1], `0x${word(1)}`] as const
  const pushes = [...topics].reverse().map((topic) => `7f${topic?.slice(2)}`)
  const hash = await sends(`0x${pushes.join('')}5f5fa400`)
  await chain.tick()
  const of = expectOf(chain)
  await of.toHaveEmitted(hash, { abi, event: 'Named', args: { name: 'coffee', raw: '0xbeef' } })
  await of.toHaveEmitted(hash, {
    abi,
    event: 'Named',
    args: [topics[1] as string, topics[2] as Hex, topics[3] as never],
  })
  await of.not.toHaveEmitted(hash, { abi, event: 'Named', args: { name: 'tea' } })
  await of.not.toHaveEmitted(hash, { abi, event: 'Named', args: { raw: '0xbeee' } })
  expect(await failure(of.not.toHaveEmitted(hash, { abi, event: 'Named', args: { list: [2n] } }))).toBe(
    'list of the event Named is indexed: a log has its hash alone, give that',
  )
})

test('a pattern with the flag g gives the same answer each time', async () => {
  const hash = await revertsWith(
    encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: ['no coffee'] }),
  )
  await chain.tick()
  const reason = /coffee/g
  await expectOf(chain).toHaveReverted(hash, reason)
  await expectOf(chain).toHaveReverted(hash, reason)
  expect(await failure(expectOf(chain).not.toHaveReverted(hash, reason))).toContain('not to revert with /coffee/g')
})

test('what is there already is seen without any time, also by a chain that answers late', async () => {
  const hash = await emits(BOB, 5n)
  await chain.seal()
  const late = {
    async request(args: never) {
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
      return chain.request<'eth_chainId'>(args)
    },
    waitFor: () => new Promise(() => {}),
  }
  await expectOf(late).toHaveSealed(hash, { timeout: 0 })
  expect(await failure(expectOf(late).not.toHaveSealed(hash))).toContain('was expected not to be sealed')
})

test('what was not executed in time satisfies no matcher and no contrary of one', async () => {
  const of = expectOf(chain)
  const hash = await emits(BOB, 5n)
  const timeout = 20
  expect(await failure(of.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', timeout }))).toContain(
    'was not executed within 20 ms',
  )
  expect(await failure(of.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', count: 0, timeout }))).toContain('was not')
  expect(await failure(of.toUseLessGasThan(hash, 10n ** 9n, { timeout }))).toContain('was not executed')
  expect(await failure(of.not.toUseLessGasThan(hash, 1, { timeout }))).toContain('was not executed')
  expect(await failure(of.not.toHaveEmitted(hash, { abi: ABI, event: 'Paused', timeout }))).toContain(
    'was not executed',
  )
  expect(await failure(of.not.toHaveReverted(hash, undefined, { timeout }))).toContain('was not executed')
  expect(await failure(of.not.toHaveRevertedWith(hash, { abi: ABI, error: 'Short', timeout }))).toContain('was not')
  expect(await failure(of.toHavePreconfirmed(hash, { timeout }))).toContain('the clock is manual')
  expect(await failure(of.toHaveReverted(`0x${'00'.repeat(32)}`, undefined, { timeout }))).toContain('never seen')
})

test('gas is below a budget, or the failure says what was used', async () => {
  const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: BOB, value: '0x1' }] })
  await chain.seal()
  await expectOf(chain).toUseLessGasThan(hash, 21_001)
  await expectOf(chain).not.toUseLessGasThan(hash, 21_000n)
  expect(await failure(expectOf(chain).toUseLessGasThan(hash, 21_000))).toContain('it used 21000')
  await expectOf(chain).toHaveSealed(hash)
})

test('balances of several accounts change by one action, and a failure tells which did not', async () => {
  const pay = async () => {
    await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: BOB, value: '0x5' }] })
    await chain.tick()
  }
  const gas = 21_000n
  await expectOf(chain).toChangeBalances({ [BOB]: 5n, [`0x${'cc'.repeat(20)}`]: 0n }, pay)
  await expectOf(chain).toChangeBalance(BOB, 5n, pay)
  await expectOf(chain).toChangeBalance(BOB, 5, pay)
  expect(await failure(expectOf(chain).not.toChangeBalance(BOB, 5, pay))).toContain('not to change by 5 wei')
  expect(await failure(expectOf(chain).not.toChangeBalances({ [BOB]: 5 }, pay))).toContain('not expected to change so')
  const told = await failure(expectOf(chain).toChangeBalances({ [BOB]: 5n, [ALICE]: -5n - gas }, pay))
  expect(told).toContain(`${BOB} +5\n`)
  expect(told).toMatch(new RegExp(`${ALICE} -\\d+, expected -21005`))
  expect(told).not.toContain('mempool')
})

test('a balance that has not changed since the transaction still waits says so', async () => {
  const send = () => chain.request({ method: 'eth_sendTransaction', params: [{ from, to: BOB, value: '0x5' }] })
  const waits = '1 wait in the mempool, 0 behind a nonce gap; the clock is manual: chain.tick()'
  expect(await failure(expectOf(chain).toChangeBalance(BOB, 5n, send))).toContain(waits)
  await chain.tick()
  expect(await failure(expectOf(chain).toChangeBalances({ [BOB]: 5n }, send))).toContain(waits)
  await chain.tick()
})

test('tokens and allowances are those of the pending block', async () => {
  const token: Address = `0x${'70'.repeat(20)}`
  await chain.request({ method: 'anvil_setCode', params: [token, `0x7f${word(9)}5f5260205ff3`] })
  const of = expectOf(chain)
  await of.toChangeBalances({ [BOB]: 0n }, async () => {}, { token })
  await of.toChangeBalance(
    BOB,
    -4n,
    () => chain.request({ method: 'anvil_setCode', params: [token, `0x7f${word(5)}5f5260205ff3`] }),
    { token },
  )
  await of.toHaveAllowance({ token, owner: ALICE, spender: BOB }, 5n)
  expect(await failure(of.not.toHaveAllowance({ token, owner: ALICE, spender: BOB }, 5))).toContain(
    'not to be allowed 5',
  )
  expect(await failure(of.toHaveAllowance({ token, owner: ALICE, spender: BOB }, 6n))).toContain('it is allowed 5')
  expect(await failure(of.toHaveAllowance({ token: BOB, owner: ALICE, spender: BOB }, 6n))).toContain(
    'is it an ERC-20?',
  )
})

test('a provider that cannot wait is asked again and again', async () => {
  const hash = await emits(BOB, 5n)
  const plain = { request: chain.request }
  const waiting = expectOf(plain).toHaveSealed(hash)
  await chain.seal()
  await waiting
  expect(await failure(expectOf(plain).toHaveEmitted(hash, { abi: ABI, event: 'Transfer' }))).toBe('nothing failed')
})

test('other test runners take the matchers as they are', async () => {
  expect.extend(matchers)
  const hash = await emits(BOB, 5n)
  await chain.tick()
  const extended = expect as unknown as (given: Chain) => ChainAssertions
  const of = extended(chain)
  await of.toHavePreconfirmed(hash)
  await of.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', args: { value: expect.any(BigInt) as bigint } })
  expect(
    await failure(
      of.toHaveEmitted(hash, { abi: ABI, event: 'Transfer', args: { value: expect.any(String) as never } }),
    ),
  ).toContain('emit Transfer { value: Any<String> }')
  expect(await failure(of.not.toHavePreconfirmed(hash))).toContain('was expected not to be pre-confirmed')
})

test.each([5, null, {}, 'chain'])('what is no chain is refused, %o', async (other) => {
  expect(await failure(expectOf(other as never).toHaveSealed(`0x${'00'.repeat(32)}`))).toBe(
    'toHaveSealed looks at the chain of the fixtures: expect(chain).toHaveSealed(…)',
  )
})

test('logs that begin as an event and are none are shown, not fatal', async () => {
  const [topic] = encodeEventTopics({ abi: ABI, eventName: 'Transfer' }) as Hex[]
  // One topic instead of three, and no data.
  const hash = await sends(`0x7f${topic?.slice(2)}5f5fa100`)
  await chain.tick()
  expect(await failure(expectOf(chain).toHaveEmitted(hash, { abi: ABI, event: 'Transfer' }))).toContain(
    `an event that the abi does not have: ${topic}`,
  )
})

/** As the compiler writes it, of a contract with a number, packed flags, a mapping, a struct, a list and a text. */
const LAYOUT = {
  storage: [
    { label: 'total', slot: '0', offset: 0, type: 't_uint256' },
    { label: 'open', slot: '1', offset: 0, type: 't_bool' },
    { label: 'owner', slot: '1', offset: 1, type: 't_address' },
    { label: 'balances', slot: '2', offset: 0, type: 't_mapping(t_address,t_uint256)' },
    { label: 'order', slot: '3', offset: 0, type: 't_struct(Order)1_storage' },
    { label: 'list', slot: '5', offset: 0, type: 't_array(t_uint256)dyn_storage' },
    { label: 'name', slot: '6', offset: 0, type: 't_string_storage' },
  ],
  types: {
    t_uint256: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' },
    t_bool: { encoding: 'inplace', label: 'bool', numberOfBytes: '1' },
    t_address: { encoding: 'inplace', label: 'address', numberOfBytes: '20' },
    t_string_storage: { encoding: 'bytes', label: 'string', numberOfBytes: '32' },
    't_mapping(t_address,t_uint256)': {
      encoding: 'mapping',
      key: 't_address',
      label: 'mapping(address => uint256)',
      numberOfBytes: '32',
      value: 't_uint256',
    },
    't_struct(Order)1_storage': {
      encoding: 'inplace',
      label: 'struct Shop.Order',
      members: [
        { label: 'amount', slot: '0', offset: 0, type: 't_uint256' },
        { label: 'buyer', slot: '1', offset: 0, type: 't_address' },
      ],
      numberOfBytes: '64',
    },
    't_array(t_uint256)dyn_storage': {
      encoding: 'dynamic_array',
      base: 't_uint256',
      label: 'uint256[]',
      numberOfBytes: '32',
    },
  },
} as const

/** Writes what the layout describes. */
async function fillShop(): Promise<Address> {
  const shop: Address = `0x${'5b'.repeat(20)}`
  const at = (slot: Hex, value: Hex) => chain.request({ method: 'anvil_setStorageAt', params: [shop, slot, value] })
  await at('0x0', '0x64')
  await at('0x1', `0x${ALICE.slice(2)}01`)
  await at(keccak256(`0x${ALICE.slice(2).padStart(64, '0')}${word(2)}`), '0x5')
  await at('0x3', '0x7')
  await at('0x4', BOB)
  await at('0x5', '0x2')
  const items = BigInt(keccak256(`0x${word(5)}`))
  await at(toHex(items), '0xb')
  await at(toHex(items + 1n), '0x16')
  await at('0x6', `0x${'70656e'.padEnd(62, '0')}06`)
  return shop
}

test('variables in the storage of a contract, by name', async () => {
  const shop = await fillShop()
  const of = expectOf(chain)
  await of.toHaveStorage(shop, { layout: LAYOUT, variable: 'total' }, 100n)
  await of.toHaveStorage(shop, { layout: LAYOUT, variable: 'open' }, true)
  await of.toHaveStorage(shop, { layout: LAYOUT, variable: 'owner' }, ALICE)
  await of.toHaveStorage(shop, { layout: LAYOUT, variable: 'balances', keys: [ALICE] }, 5)
  await of.toHaveStorage(shop, { layout: LAYOUT, variable: 'balances', keys: [BOB] }, 0n)
  await of.toHaveStorage(shop, { layout: LAYOUT, variable: 'order' }, { buyer: BOB })
  await of.toHaveStorage(shop, { layout: LAYOUT, variable: 'order', keys: ['amount'] }, 7n)
  await of.toHaveStorage(shop, { layout: LAYOUT, variable: 'list' }, [11n, 22n])
  await of.toHaveStorage(shop, { layout: LAYOUT, variable: 'list', keys: [1] }, 22n)
  await of.toHaveStorage(shop, { layout: { storageLayout: LAYOUT }, variable: 'name' }, 'pen')
  await of.not.toHaveStorage(shop, { layout: LAYOUT, variable: 'list', keys: [2] }, 0n)
  await of.not.toHaveStorage(shop, { layout: LAYOUT, variable: 'list' }, [11n])
  const stranger = of.not.toHaveStorage(shop, { layout: LAYOUT, variable: 'order' }, { buyer: ALICE })
  expect(await failure(stranger)).toBe('nothing failed')
})

test('a variable that is otherwise is shown as it is', async () => {
  const shop = await fillShop()
  const of = expectOf(chain)
  expect(await failure(of.toHaveStorage(shop, { layout: LAYOUT, variable: 'balances', keys: [ALICE] }, 6n))).toBe(
    `balances[${ALICE}] (uint256) of ${shop} was expected to be 6: it is 5`,
  )
  expect(await failure(of.not.toHaveStorage(shop, { layout: LAYOUT, variable: 'order' }, { amount: 7n }))).toMatch(
    /order \(struct Shop.Order\) of 0x5b\w+ was expected not to be \{ amount: 7 \}: it is \{ amount: 7, buyer: 0xB0/i,
  )
  expect(await failure(of.toHaveStorage(shop, { layout: LAYOUT, variable: 'list', keys: [9] }, 0n))).toContain(
    'list[9] (uint256) of',
  )
  expect(await failure(of.toHaveStorage(shop, { layout: LAYOUT, variable: 'list', keys: [9] }, 0n))).toContain(
    'it is not there: its array is shorter',
  )
})

test('a wish that no storage fulfils is refused, also the contrary of it', async () => {
  const shop = await fillShop()
  const { not } = expectOf(chain)
  // @ts-expect-error -- there is no such variable
  const unknown = not.toHaveStorage(shop, { layout: LAYOUT, variable: 'totals' }, 5n)
  expect(await failure(unknown)).toContain('no variable "totals"; it has total, open')
  // @ts-expect-error -- a number is no text
  expect(await failure(not.toHaveStorage(shop, { layout: LAYOUT, variable: 'total' }, 'x'))).toBe('nothing failed')
  // @ts-expect-error -- the items of a mapping have the value
  const whole = not.toHaveStorage(shop, { layout: LAYOUT, variable: 'balances' }, 5n)
  expect(await failure(whole)).toContain('name a key of it')
  const nothing = not.toHaveStorage(shop, { layout: LAYOUT, variable: 'total' }, undefined as never)
  expect(await failure(nothing)).toContain('needs the value that is expected')
  const other = not.toHaveStorage(
    shop,
    { layout: { storage: [], types: { t: 5 } } as never, variable: 'a' as never },
    5 as never,
  )
  expect(await failure(other)).toContain('the layout cannot be read')
  const none = not.toHaveStorage(shop, { layout: { abi: [] } as never, variable: 'a' as never }, 5 as never)
  expect(await failure(none)).toContain('layout is the compiler’s storageLayout')
})
