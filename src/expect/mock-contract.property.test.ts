import fc from 'fast-check'
import { encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Chain, createChain } from '#library/index.ts'
import type { Address } from '#primitives/hex.ts'
import { expect as expectOf } from './expect.ts'
import { mockCode } from './mock-code.ts'
import { mockContract } from './mock-contract.ts'

const ABI = [
  {
    type: 'function',
    name: 'price',
    stateMutability: 'view',
    inputs: [{ name: 'token', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
  { type: 'function', name: 'pause', stateMutability: 'nonpayable', inputs: [], outputs: [] },
  {
    type: 'function',
    name: 'pair',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'bool' }, { type: 'string' }],
  },
  { type: 'error', name: 'Closed', inputs: [{ name: 'since', type: 'uint256' }] },
] as const
const CONTRACT: Address = `0x${'c0'.repeat(20)}`
const CALLER: Address = `0x${'ca'.repeat(20)}`
const TOKEN: Address = `0x${'70'.repeat(20)}`
/**
 * Counts its calls in slot 0, and answers what it sees: keccak-256 of its calldata, itself, its caller, the value, the count;
 * it reverts with all that if the calldata ends with ff.
 */
const WITNESS: Hex = `0x${[
  '600160005401600055', // sstore(0, sload(0) + 1)
  '365f5f37365f20', // keccak256 of the calldata
  '5f52306020523360405234606052', // at 0; address, caller, value
  '5f54608052', // the count
  '365f145f5f', // (nothing of it is used)
  '505050',
  '600136033560f81c60ff14', // whether the last byte is ff
  '604557', // jumps to 0x45 if so
  '60a05ff3',
].join('')}`

let chain: Chain
beforeAll(async () => {
  chain = await createChain({ clock: 'manual' })
})
beforeEach(async () => {
  await chain.request({ method: 'devnet_reset' })
  await chain.request({ method: 'devnet_faucet', params: [CALLER] })
  await chain.request({ method: 'anvil_impersonateAccount', params: [CALLER] })
  await chain.request({ method: 'anvil_setCode', params: [CONTRACT, witness()] })
})
afterAll(() => chain.close())

/** With its end at the place where it jumps to. */
function witness(): Hex {
  const digits = WITNESS.slice(2)
  const at = digits.indexOf('604557') / 2
  const end = digits.length / 2
  return `0x${digits.slice(0, at * 2)}60${end.toString(16).padStart(2, '0')}57${digits.slice(at * 2 + 6)}5b60a05ffd`
}

interface Outcome {
  readonly ok: boolean
  readonly data: Hex
}

async function call(to: Address, data: Hex, value: Hex = '0x0'): Promise<Outcome> {
  try {
    return {
      ok: true,
      data: await chain.request({ method: 'eth_call', params: [{ from: CALLER, to, data, value }, 'pending'] }),
    }
  } catch (error) {
    const { data: revert = '0x' } = error as { readonly data?: Hex }
    return { ok: false, data: revert }
  }
}

const bytes = (most: number) =>
  fc.uint8Array({ maxLength: most }).map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
const selectors = fc.constantFrom<Hex>('0x11111111', '0x22222222', '0x5b5b5b5b', '0xffffffff')

test('generated code gives each answer to its calls, and all others to the contract behind it', async () => {
  const behind: Address = `0x${'b1'.repeat(20)}`
  await chain.request({ method: 'anvil_setCode', params: [behind, witness()] })
  const answers = fc.array(
    fc.record({ selector: selectors, rest: fc.option(bytes(40)), reverts: fc.boolean(), output: bytes(300) }),
    { maxLength: 6 },
  )
  const calls = fc.array(fc.record({ selector: selectors, rest: bytes(40) }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(answers, calls, fc.boolean(), async (given, asked, hasOriginal) => {
      const all = given.map(({ selector, rest, reverts, output }) => ({
        selector,
        reverts,
        output,
        ...(rest !== null && { calldataHash: keccak256(`0x${selector.slice(2)}${rest.slice(2)}`) }),
      }))
      const code = mockCode(all, hasOriginal ? behind : undefined, '0x1234')
      await chain.request({ method: 'anvil_setCode', params: [TOKEN, code] })
      const plain: Address = `0x${'c1'.repeat(20)}`
      await chain.request({ method: 'anvil_setCode', params: [plain, witness()] })
      const known = given.flatMap(({ selector, rest }) => (rest === null ? [] : [{ selector, rest }]))
      for (const { selector, rest } of [...asked, ...known]) {
        const data: Hex = `0x${selector.slice(2)}${rest.slice(2)}`
        const hash = keccak256(data)
        const fits = all.find((answer) =>
          answer.calldataHash === undefined ? answer.selector === selector : answer.calldataHash === hash,
        )
        const got = await call(TOKEN, data, '0x5')
        if (fits) expect(got).toEqual({ ok: !fits.reverts, data: fits.output })
        else if (!hasOriginal) expect(got).toEqual({ ok: false, data: '0x1234' })
        else {
          // As the contract itself does, but for its address.
          const itself = await call(plain, data, '0x5')
          const own = itself.data.replace(plain.slice(2), TOKEN.slice(2))
          expect(got).toEqual({ ok: itself.ok, data: own })
        }
      }
    }),
    { numRuns: 60 },
  )
})

const priceOf = (token: Address) => encodeFunctionData({ abi: ABI, functionName: 'price', args: [token] })
const send = (data: Hex, value: Hex = '0x0') =>
  chain.request({
    method: 'eth_sendTransaction',
    params: [{ from: CALLER, to: CONTRACT, data, value, gas: '0x186a0' }],
  })

test('functions answer, revert and are counted; the others and the storage are the contract’s', async () => {
  const mock = mockContract(chain, { address: CONTRACT, abi: ABI })
  await mock.answers('price', { returns: 5n })
  await mock.answers('price', { args: [TOKEN], returns: 7n })
  await mock.answers('pair', { returns: [true, 'coffee'] })
  expect(BigInt((await call(CONTRACT, priceOf(CALLER))).data)).toBe(5n)
  expect(BigInt((await call(CONTRACT, priceOf(TOKEN))).data)).toBe(7n)
  await mock.answers('price', { args: [TOKEN], returns: 8n })
  expect(BigInt((await call(CONTRACT, priceOf(TOKEN))).data)).toBe(8n)

  await mock.answers('pause', { reverts: { error: 'Closed', args: [9n] } })
  const pause = encodeFunctionData({ abi: ABI, functionName: 'pause' })
  const hashes = [await send(priceOf(TOKEN), '0x3'), await send(pause), await send('0x12345601')]
  await chain.seal()
  await expectOf(chain).toHaveRevertedWith(hashes[1] as Hex, { abi: ABI, error: 'Closed', args: { since: 9n } })
  await mock.answers('pause', { reverts: 'not today' })
  hashes.push(await send(pause))
  await chain.tick()
  await expectOf(chain).toHaveReverted(hashes[3] as Hex, 'not today')

  const prices = await mock.calls('price')
  expect(prices).toEqual([
    {
      transaction: hashes[0],
      from: CALLER,
      value: 3n,
      data: priceOf(TOKEN),
      args: [expect.stringMatching(/^0x(70){20}$/)],
    },
  ])
  expect((await mock.calls('pause')).map(({ transaction }) => transaction)).toEqual([hashes[1], hashes[3]])
  // The contract itself has counted the one call that was left to it.
  const slot = await chain.request({ method: 'eth_getStorageAt', params: [CONTRACT, '0x0', 'pending'] })
  expect(BigInt(slot)).toBe(1n)

  await mock.restore()
  expect(await chain.request({ method: 'eth_getCode', params: [CONTRACT, 'pending'] })).toBe(witness())
  expect(await mock.calls('price')).toEqual([])
})

test('a mock goes back with its chain', async () => {
  const mock = mockContract(chain, { address: CONTRACT, abi: ABI })
  const before = await chain.snapshot()
  await mock.answers('price', { returns: 5n })
  const with5 = await chain.snapshot()
  await mock.answers('price', { returns: 6n })
  await chain.revert(with5)
  expect(BigInt((await call(CONTRACT, priceOf(TOKEN))).data)).toBe(5n)
  await mock.answers('pause', { returns: null })
  expect(BigInt((await call(CONTRACT, priceOf(TOKEN))).data)).toBe(5n)
  await chain.revert(before)
  await mock.answers('pause', { returns: null })
  expect((await call(CONTRACT, priceOf(TOKEN))).data).toContain(CONTRACT.slice(2))
  expect(await call(CONTRACT, encodeFunctionData({ abi: ABI, functionName: 'pause' }))).toEqual({
    ok: true,
    data: '0x',
  })
})

test('where there is no contract, what is not answered reverts and says so', async () => {
  const mock = mockContract(chain, { address: TOKEN, abi: ABI })
  await mock.answers('price', { returns: 5n })
  expect(BigInt((await call(TOKEN, priceOf(TOKEN))).data)).toBe(5n)
  const refused = await call(TOKEN, '0x12345678')
  expect(Buffer.from(refused.data.slice(2), 'hex').toString()).toContain(`the mock of ${TOKEN} has no answer`)
  const second = mockContract(chain, { address: TOKEN, abi: ABI })
  await expect(second.answers('price', { returns: 6n })).rejects.toThrow('another mock is on')
  await mock.restore()
  expect(await chain.request({ method: 'eth_getCode', params: [TOKEN, 'pending'] })).toBe('0x')
  await second.answers('price', { returns: 6n })
  expect(BigInt((await call(TOKEN, priceOf(TOKEN))).data)).toBe(6n)
})

test('answers that are set at the same time are all there', async () => {
  const mock = mockContract(chain, { address: CONTRACT, abi: ABI })
  const refused = mock.answers('price', { returns: 'five' as never })
  await Promise.all([
    expect(refused).rejects.toThrow('BigInt'),
    mock.answers('price', { returns: 5n }),
    mock.answers('price', { args: [TOKEN], returns: 7n }),
    mock.answers('pause', { returns: null }),
  ])
  expect(BigInt((await call(CONTRACT, priceOf(CALLER))).data)).toBe(5n)
  expect(BigInt((await call(CONTRACT, priceOf(TOKEN))).data)).toBe(7n)
  await mock.restore()
  expect(await chain.request({ method: 'eth_getCode', params: [CONTRACT, 'pending'] })).toBe(witness())
})

/** Calls the contract with its own calldata by one of these instructions, and returns what that returned. */
const forwards = (instruction: 'call' | 'delegatecall' | 'staticcall'): Hex => {
  const [op, value] = ({ call: ['f1', '5f'], delegatecall: ['f4', ''], staticcall: ['fa', ''] } as const)[instruction]
  return `0x365f5f375f5f365f${value}73${CONTRACT.slice(2)}5a${op}503d5f5f3e3d5ff3`
}

test.each(['call', 'delegatecall', 'staticcall'] as const)('a contract meets the mock by %s', async (instruction) => {
  const caller: Address = `0x${'d1'.repeat(20)}`
  await chain.request({ method: 'anvil_setCode', params: [caller, forwards(instruction)] })
  const mock = mockContract(chain, { address: CONTRACT, abi: ABI })
  await mock.answers('price', { returns: 5n })
  expect(BigInt((await call(caller, priceOf(TOKEN))).data)).toBe(5n)
  // All else runs as the account that it would run as without a mock.
  if (instruction === 'staticcall') return
  const { data } = await call(caller, '0x12345601')
  expect(data).toContain((instruction === 'call' ? CONTRACT : caller).slice(2))
})

test('a contract that calls itself meets its own mock', async () => {
  await chain.request({ method: 'anvil_setCode', params: [CONTRACT, forwards('call')] })
  const mock = mockContract(chain, { address: CONTRACT, abi: ABI })
  // `pause` is left to the contract, which asks itself for the same: this would not end without the limit of gas.
  await mock.answers('price', { returns: 5n })
  expect(BigInt((await call(CONTRACT, priceOf(TOKEN))).data)).toBe(5n)
  const pause = encodeFunctionData({ abi: ABI, functionName: 'pause' })
  const hash = await send(pause)
  await chain.tick()
  const calls = await mock.calls('pause')
  expect(calls.length).toBeGreaterThan(1)
  expect(calls.every(({ transaction }) => transaction === hash)).toBe(true)
})

test('what makes no sense is refused, and nothing changes', async () => {
  const mock = mockContract(chain, { address: CONTRACT, abi: ABI })
  const wrong = mock as unknown as { answers(name: string, behaviour: object): Promise<void> }
  for (const [name, behaviour, why] of [
    ['cost', { returns: 5n }, 'the abi has no function "cost"; it has price, pause, pair'],
    ['price', { args: [], returns: 5n }, 'no function price takes 0 arguments'],
    ['price', { returns: 'five' }, 'BigInt'],
    ['price', { args: ['0x12'], returns: 5n }, 'invalid'],
    ['pause', { returns: 5n }, 'the function pause returns nothing'],
    ['pause', { reverts: { error: 'Open' } }, 'the abi has no error "Open"'],
    ['pair', { returns: [true, 'x'.repeat(70_000)] }, 'bytes, and 65535 at most'],
  ] as const) {
    await expect(wrong.answers(name, behaviour)).rejects.toThrow(why)
  }
  expect(await chain.request({ method: 'eth_getCode', params: [CONTRACT, 'pending'] })).toBe(witness())
  expect(() => mockContract(chain, { address: '0x12', abi: ABI })).toThrow('takes the address of a contract')
  await mock.answers('price', { returns: 5n })
  const second = mockContract(chain, { address: CONTRACT, abi: ABI })
  await expect(second.answers('price', { returns: 6n })).rejects.toThrow('another mock is on')
  const overloaded = parseAbi([
    'function f(uint256) view returns (uint256)',
    'function f(address) view returns (uint256)',
  ])
  const other = mockContract(chain, { address: TOKEN, abi: overloaded }) as unknown as typeof wrong
  await expect(other.answers('f', { returns: 5n })).rejects.toThrow('is overloaded')
})
