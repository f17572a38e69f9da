// Run by `npm run package` beside the example dapp: what `expect(chain)` says of contracts, with the types of their ABI.
import { expect, test } from 'blinknet/playwright'
import { createPublicClient, custom, encodeFunctionData, keccak256, toBytes } from 'viem'

const ABI = [{ type: 'event', name: 'Sold', inputs: [{ name: 'what', type: 'uint256', indexed: false }] }] as const
/** Emits `Sold(7)` as it is created. */
const EMITS = `0x60075f527f${'SOLD'}60205fa1` as const

test('events are looked for by the ABI, and its types know their names and arguments', async ({ chain, wallet }) => {
  const topic = keccak256(toBytes('Sold(uint256)')).slice(2)
  const input = EMITS.replace('SOLD', topic) as `0x${string}`
  const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from: wallet.address, input }] })
  await chain.tick()
  await expect(chain).toHaveEmitted(hash, { abi: ABI, event: 'Sold', args: { what: 7n } })
  await expect(chain).not.toHaveEmitted(hash, { abi: ABI, event: 'Sold', args: { what: 8n } })
  await expect(chain).toUseLessGasThan(hash, 100_000)
  // @ts-expect-error -- no such event.
  await expect(expect(chain).toHaveEmitted(hash, { abi: ABI, event: 'Sale' })).rejects.toThrow('it has Sold')
  // @ts-expect-error -- no such argument.
  await expect(expect(chain).toHaveEmitted(hash, { abi: ABI, event: 'Sold', args: { that: 7n } })).rejects.toThrow(
    'the event Sold has the arguments (what), not those of { that: 7 }',
  )
  expect(chain).toBeDefined()
  await expect.soft(chain).toHavePreconfirmed(hash)
})

const ORACLE = '0x00000000000000000000000000000000000000fe'
const PRICES = [
  {
    type: 'function',
    name: 'price',
    stateMutability: 'view',
    inputs: [{ name: 'of', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const

test('a contract answers as the test says …', async ({ chain, wallet }) => {
  const oracle = chain.mock({ address: ORACLE, abi: PRICES })
  await oracle.answers('price', { returns: 7n })
  const client = createPublicClient({ transport: custom(chain) })
  const read = { address: ORACLE, abi: PRICES, functionName: 'price', args: [ORACLE] } as const
  expect(await client.readContract(read)).toBe(7n)
  const data = encodeFunctionData(read)
  await chain.request({ method: 'eth_sendTransaction', params: [{ from: wallet.address, to: ORACLE, data }] })
  await chain.tick()
  expect(await oracle.calls('price')).toMatchObject([{ transaction: expect.any(String), value: 0n }])
  // @ts-expect-error -- a price is a number.
  await expect(oracle.answers('price', { returns: 'much' })).rejects.toThrow('BigInt')
})

test('… and not in the next one', async ({ chain }) => {
  expect(await chain.request({ method: 'eth_getCode', params: [ORACLE, 'latest'] })).toBe('0x')
})
