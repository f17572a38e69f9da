import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginParts, takeParts } from '#coverage/parts.ts'
import { createChain } from '#library/chain.ts'
import type { Address } from '#primitives/hex.ts'
import { ChainPool, type ChainSetOptions, type PooledChain, type Preparation } from './chain-pool.ts'
import { hashOfFiles } from './depended-files.ts'

const SHOP: Address = `0x${'aa'.repeat(20)}`

let folder: string
let warned: string[]
let pools: ChainPool[]
let runs: number
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-kept-'))
  await mkdir(path.join(folder, 'node_modules'))
  await mkdir(path.join(folder, 'contracts/tokens'), { recursive: true })
  await writeFile(path.join(folder, 'contracts/Shop.sol'), 'contract Shop {}')
  await writeFile(path.join(folder, 'contracts/tokens/Coin.sol'), 'contract Coin {}')
  warned = []
  pools = []
  runs = 0
})
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  await rm(folder, { recursive: true, force: true })
})

/** The chains of a run of their own. */
function inRun(options: ChainSetOptions, preparation: Preparation): Promise<readonly PooledChain[]> {
  const pool = new ChainPool({ at: folder, warn: (line) => void warned.push(line) })
  pools.push(pool)
  return pool.get(options, preparation)
}

const preparation: Preparation = {
  async run({ chains }) {
    runs++
    for (const name of chains.names) {
      const chain = chains.get(name)
      const [from = SHOP] = await chain.request({ method: 'eth_accounts' })
      await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: SHOP, value: '0x5' }] })
    }
    return { shop: SHOP, names: chains.names }
  },
  dependsOn: ['contracts/**/*.sol'],
}

/** What a test sees, and what the next blocks are. */
async function seen(chains: readonly PooledChain[]): Promise<unknown> {
  const all = []
  for (const { own, prepared } of chains) {
    const balance = await own.request({ method: 'eth_getBalance', params: [SHOP, 'latest'] })
    const prior = await own.request({ method: 'eth_getBlockByNumber', params: ['0x1', true] })
    await own.tick()
    await own.seal()
    const next = await own.request({ method: 'eth_getBlockByNumber', params: ['latest', true] })
    all.push({ balance, prior, next, prepared, accounts: await own.request({ method: 'eth_accounts' }) })
  }
  return all
}

const kept = () => readdir(path.join(folder, 'node_modules/.cache/blinknet/prepared')).catch(() => [])

test('a later run begins with what an earlier one has left, down to the hashes of the blocks that follow', async () => {
  const options = { l1: { chainId: 1 }, base: { chainId: 8453, partialMs: 100 } }
  const first = await seen(await inRun(options, preparation))
  expect(first).toMatchObject([
    { balance: '0x5', prepared: { shop: SHOP, names: ['l1', 'base'] } },
    { balance: '0x5', prepared: { shop: SHOP, names: ['l1', 'base'] } },
  ])
  expect(await seen(await inRun(options, preparation))).toEqual(first)
  expect(runs).toBe(1)
  expect(warned).toEqual([])
})

test('each test of a run that found it begins there, and its signatures are those of the chain', async () => {
  await inRun({ chain: {} }, preparation)
  const pool = new ChainPool({ at: folder })
  pools.push(pool)
  const first = await seen(await pool.get({ chain: {} }, preparation))
  const again = await pool.get({ chain: {} }, preparation)
  expect(await seen(again)).toEqual(first)
  expect((await again[0]?.own.request({ method: 'devnet_status' }))?.options).toMatchObject({
    impersonatedSignatures: true,
  })
  expect(runs).toBe(1)
})

describe('it is prepared anew', () => {
  const changes: readonly (readonly [what: string, change: () => Promise<unknown>, options: ChainSetOptions])[] = [
    [
      'once a file has changed',
      () => writeFile(path.join(folder, 'contracts/tokens/Coin.sol'), 'contract Coin2 {}'),
      { chain: {} },
    ],
    ['once there is another file', () => writeFile(path.join(folder, 'contracts/More.sol'), ''), { chain: {} }],
    ['once a file is gone', () => rm(path.join(folder, 'contracts/Shop.sol')), { chain: {} }],
    ['with other options', async () => {}, { chain: { chainId: 5 } }],
    ['with another name', async () => {}, { l1: {} }],
  ]
  test.each(changes)('%s', async (_what, change, options) => {
    await inRun({ chain: {} }, preparation)
    await change()
    await inRun(options, preparation)
    expect(runs).toBe(2)
    expect(await kept()).toHaveLength(2)
    expect(warned).toEqual([])
  })

  test('by another function', async () => {
    await inRun({ chain: {} }, preparation)
    await inRun({ chain: {} }, { ...preparation, run: (given) => preparation.run(given) })
    expect(runs).toBe(2)
  })

  test('once the file that its chain begins with has changed', async () => {
    const file = path.join(folder, 'shop.blinknet')
    const write = async (seed: number) => {
      const chain = await createChain({ clock: 'manual', seed, chainId: 31_337 })
      await writeFile(file, await chain.exportChain())
      await chain.close()
    }
    await write(1)
    await inRun({ chain: { loadState: file } }, preparation)
    await inRun({ chain: { loadState: file } }, preparation)
    expect(runs).toBe(1)
    await write(2)
    await inRun({ chain: { loadState: file } }, preparation)
    expect(runs).toBe(2)
  })

  test.each<readonly [string, string, (bytes: Buffer) => Uint8Array | string]>([
    ['a chain', '0.blinknet', (bytes) => bytes.fill(7, 100, 120)],
    ['a chain cut short', '0.blinknet', (bytes) => bytes.subarray(0, 50)],
    ['what was returned', 'prepared.json', () => '{'],
    ['what was returned, without hashes', 'prepared.json', () => '{"value":1}'],
    ['what was returned, as null', 'prepared.json', () => 'null'],
  ])('where %s is damaged, and says so', async (_what, name, damage) => {
    await inRun({ chain: {} }, preparation)
    const [key = ''] = await kept()
    const file = path.join(folder, 'node_modules/.cache/blinknet/prepared', key, name)
    await writeFile(file, damage(await readFile(file)))
    const [chain] = await inRun({ chain: {} }, preparation)
    expect(chain?.prepared).toEqual({ shop: SHOP, names: ['chain'] })
    expect(runs).toBe(2)
    expect(warned).toEqual([expect.stringMatching(/^the kept preparation cannot be used, and is made anew: /)])
    await inRun({ chain: {} }, preparation)
    expect(runs).toBe(2)
  })
})

test('what cannot be the same again is not kept, and it is said why', async () => {
  await inRun({ chain: { data: path.join(folder, 'data') } }, preparation)
  expect(warned.at(-1)).toBe('the preparation is not kept: a chain with data is in its directory')
  const named: Preparation = { ...preparation, run: ({ chain }) => chain.snapshot('sale') }
  await inRun({ chain: {} }, named)
  expect(warned.at(-1)).toMatch(/it has taken snapshots with names/)
  const origin = await createChain({ clock: 'manual' })
  const { url } = await origin.listen({ ui: false })
  await inRun({ chain: { fork: { url } } }, preparation)
  expect(warned.at(-1)).toMatch(/its fork names no block/)
  await origin.close()
  await rm(path.join(folder, 'node_modules'), { recursive: true })
  await inRun({ chain: {} }, preparation)
  expect(warned.at(-1)).toMatch(/there is no node_modules at/)
  expect(warned).toHaveLength(4)
})

test('what makes no sense fails, and what is returned has to be JSON', async () => {
  const withThat = (dependsOn: unknown) => inRun({ chain: {} }, { ...preparation, dependsOn: dependsOn as string[] })
  await expect(withThat('contracts')).rejects.toThrow("dependsOn takes a list of patterns, such as ['contracts/**'")
  await expect(withThat(['contrats/**'])).rejects.toThrow(/dependsOn: contrats\/\*\* names no file in /)
  await expect(inRun({ chain: {} }, { ...preparation, run: () => ({ total: 5n }) })).rejects.toThrow(
    'returns what JSON has',
  )
  const [chain] = await inRun({ chain: {} }, { run: () => ({ total: 5n }) })
  expect(chain?.prepared).toEqual({ total: 5n })
  const [nothing] = await inRun({ chain: {} }, { ...preparation, run: () => {} })
  expect(nothing?.prepared).toBeUndefined()
})

test('functions of the same text need names, as what they close over is not known', async () => {
  const made = (value: string, name?: string): Preparation => ({
    run: () => value,
    dependsOn: ['contracts'],
    ...(name !== undefined && { name }),
  })
  const pool = new ChainPool({ at: folder, warn: (line) => void warned.push(line) })
  pools.push(pool)
  await pool.get({ chain: {} }, made('one'))
  await expect(pool.get({ chain: {} }, made('two'))).rejects.toThrow('give each a name of its own')
  const named = await pool.get({ chain: {} }, made('two', 'two'))
  expect(named[0]?.prepared).toBe('two')
})

test('eight are kept, those that were used last', async () => {
  for (let chainId = 1; chainId <= 10; chainId++) await inRun({ chain: { chainId } }, preparation)
  expect(await kept()).toHaveLength(8)
  await inRun({ chain: { chainId: 10 } }, preparation)
  expect(runs).toBe(10)
  await inRun({ chain: { chainId: 1 } }, preparation)
  expect(runs).toBe(11)
})

test('two worker processes that prepare at once do not disturb each other', async () => {
  const both = await Promise.all([inRun({ chain: {} }, preparation), inRun({ chain: {} }, preparation)])
  const [one, other] = [await seen(both[0]), await seen(both[1])]
  expect(one).toEqual(other)
  expect(warned).toEqual([])
  expect(await kept()).toHaveLength(1)
})

test('patterns name files by stars and folders, in any depth, without what is installed', async () => {
  const hash = (...patterns: readonly string[]) => hashOfFiles(patterns, folder)
  const all = await hash('contracts')
  expect(await hash('contracts/**')).toBe(all)
  expect(await hash('./contracts/**/*.sol')).toBe(all)
  expect(await hash('contracts/*.sol', 'contracts/tokens/C*n.sol')).toBe(all)
  expect(await hash('contracts', 'contracts/Shop.sol')).toBe(all)
  expect(await hash('contracts/*')).not.toBe(all)
  await mkdir(path.join(folder, 'contracts/node_modules/x'), { recursive: true })
  await writeFile(path.join(folder, 'contracts/node_modules/x/y.sol'), '')
  await symlink('.', path.join(folder, 'contracts/circle'))
  expect(await hash('contracts')).toBe(all)
  expect(await hash('contracts/node_modules/**')).not.toBe(all)
  await expect(hash('contracts/*.so')).rejects.toThrow('names no file')
  await expect(hash('contracts/(a+)+$')).rejects.toThrow('names no file')
  await expect(hash(`contracts/${'*a'.repeat(40)}**b`)).rejects.toThrow('names no file')
})

test('in a run that counts what is executed, the preparation is executed each time', async () => {
  await inRun({ chain: {} }, preparation)
  const parts = beginParts()
  try {
    const [first] = await inRun({ chain: {} }, preparation)
    await inRun({ chain: {} }, preparation)
    expect(runs).toBe(3)
    expect(first?.prepared).toEqual({ shop: SHOP, names: ['chain'] })
  } finally {
    await takeParts(parts)
  }
  await inRun({ chain: {} }, preparation)
  expect(runs).toBe(3)
})
