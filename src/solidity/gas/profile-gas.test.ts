import { type Abi, encodeFunctionData } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Address, Hex } from '#primitives/hex.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { contractText, marksOf, ScenarioChain, VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import type { FlameNode } from './flame.ts'
import { type GasProfile, profileGas } from './profile-gas.ts'

const FILE = 'gas.sol'
const MARKS = marksOf(contractText(FILE))

/** Expects each node's total to be the sum of its parts. */
function check(node: FlameNode): void {
  expect(node.children.reduce((sum, { total }) => sum + total, node.self)).toBe(node.total)
  for (const child of node.children) check(child)
}

function find(node: FlameNode, name: string): FlameNode | undefined {
  return node.name === name ? node : node.children.map((child) => find(child, name)).find((found) => found)
}

describe.each(Object.keys(VARIANTS) as Variant[])('compiled %s', (variant) => {
  let stage: ScenarioChain
  beforeAll(async () => {
    stage = await ScenarioChain.open(FILE, VARIANTS[variant])
    await stage.deploy('Spender')
  })

  async function profile(data: Hex | undefined): Promise<GasProfile> {
    const { node, build } = stage
    const to = data === undefined ? {} : { to: stage.addresses.get('Spender') as Address }
    const from = devAccount(0).address
    const sent = { from, ...to, data: data ?? stage.initcode('Spender'), gas: '0x200000' as Hex }
    const hash = await node.request('eth_sendTransaction', [sent])
    await node.clock.advance(2_000)
    const trace = await node.request('devnet_traceExecution', [hash])
    const receipt = await node.request('eth_getTransactionReceipt', [hash])
    const made = profileGas(trace, createCodeIndex([build]))
    expect(made.gasUsed).toBe(Number(receipt?.gasUsed))
    expect(made.flame.total).toBe(made.gasUsed)
    check(made.flame)
    const inFrames = made.lines.reduce((sum, { gas }) => sum + gas, made.elsewhere)
    expect(inFrames).toBe(Number(trace.frames[0]?.gasUsed))
    return made
  }

  const call = (functionName: string, ...args: unknown[]) =>
    encodeFunctionData({ abi: stage.contract('Spender').abi as unknown as Abi, functionName, args })

  const lineOf = ({ lines }: GasProfile, mark: string) => lines.find(({ line }) => line === MARKS.get(mark))

  test('the totals are the receipt’s gas, with refunds, creations, failures and out of gas', async () => {
    const { flame } = await profile(call('work', 10n))
    expect(flame.children.map(({ kind }) => kind).toSorted()).toEqual(['frame', 'intrinsic', 'refund'])
    for (const data of [call('fails', 5n), call('deep', 50n), undefined, call('burn')]) await profile(data)
  })

  test('the line that stores costs most, and calls have the gas used inside them', async () => {
    await stage.deploy('Spender')
    const made = await profile(call('work', 10n))
    const { flame, functions } = made
    expect(find(flame, 'Spender.work')?.kind).toBe('frame')
    expect(find(flame, 'Store.put')).toMatchObject({ kind: 'frame', runs: 1 })
    const put = functions.find(({ name }) => name === 'Store.put')
    expect(put?.total).toBe(find(flame, 'Store.put')?.total)
    expect(made.isApproximate).toBe(variant.includes('optimized'))
    if (made.isApproximate) return
    // Zero to non-zero.
    expect(lineOf(made, 'put')?.gas).toBeGreaterThan(20_000)
    expect(lineOf(made, 'calls')?.inner).toBe(put?.total)
  })

  test('code that the compiler adds for a line counts for that line', async () => {
    const made = await profile(call('work', 100n))
    if (variant.includes('optimized')) return
    const add = made.functions.find(({ name }) => name === 'Spender.add')
    expect(add?.runs).toBe(100)
    expect(lineOf(made, 'adds')?.gas).toBeGreaterThan(0.95 * (add?.total ?? 0))
    expect(lineOf(made, 'adds')?.gas).toBeLessThanOrEqual(add?.total ?? 0)
  })

  test('a recursion counts once', async () => {
    const made = await profile(call('deep', 30n))
    const deep = made.functions.find(({ name }) => name === 'Spender.deep')
    expect(deep?.total).toBeLessThan(made.gasUsed)
    if (!variant.includes('optimized')) expect(deep?.runs).toBe(31)
  })
})
