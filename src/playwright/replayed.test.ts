import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Chain, createChain } from '#library/chain.ts'
import type { Address } from '#primitives/hex.ts'
import { endpointAt, recordBy } from '#testing/server/recorded.ts'
import { ChainPool } from './chain-pool.ts'
import { attachUnknown, beginAsking, endAsking } from './replayed.ts'

const HOLDER: Address = `0x${'99'.repeat(20)}`
const STRANGER: Address = `0x${'98'.repeat(20)}`
const UNKNOWN = `0x${'77'.repeat(32)}` as const

let folder: string
let pool: ChainPool
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-replayed-'))
  pool = new ChainPool()
})
afterEach(async () => {
  await pool.close()
  await rm(folder, { recursive: true, force: true })
})

const balanceOf = (chain: Pick<Chain, 'request'>, account: Address) =>
  chain.request({ method: 'eth_getBalance', params: [account, 'latest'] })

async function recorded(): Promise<string> {
  const file = path.join(folder, 'tests.fork')
  const original = await createChain({ clock: 'manual', chainId: 77 })
  for (const account of [HOLDER, STRANGER])
    await original.request({ method: 'anvil_setBalance', params: [account, '0x5'] })
  await original.seal()
  const served = await original.listen({ ui: false })
  try {
    await recordBy(file, endpointAt(served.url), async () => {
      const [chain] = await pool.get({ chain: { fork: file } })
      await balanceOf(chain?.own as Chain, HOLDER)
      await pool.close()
      return 0
    })
  } finally {
    await original.close()
  }
  pool = new ChainPool()
  return file
}

test('a test that asks for what the file lacks fails, even if it has not noticed, and says how that is recorded', async () => {
  const file = await recorded()
  const chains = await pool.get({ chain: { fork: file } })
  const own = chains[0]?.own as Chain
  beginAsking(chains, 'pay.spec.ts › a payment')
  expect(await balanceOf(own, HOLDER)).toBe('0x5')
  endAsking(chains)
  beginAsking(chains, 'pay.spec.ts › a payment')
  await balanceOf(own, STRANGER).catch(() => {})
  expect(await own.request({ method: 'eth_getTransactionReceipt', params: [UNKNOWN] })).toBeNull()
  const attached: unknown[] = []
  await attachUnknown(chains, { attach: async (name, content) => void attached.push(name, content?.body) })
  expect(attached).toEqual(['chain-not-in-fork-file.txt', expect.stringContaining(UNKNOWN)])
  expect(() => endAsking(chains)).toThrow(
    `the fork file of chain does not have what was asked for:\n  account ${STRANGER}\nrecord it: npx blinknet record ${file} --fork-url URL -- COMMAND`,
  )
  // The next test has nothing of it.
  beginAsking(chains, 'another')
  endAsking(chains)
})

test('a preparation that asks for what the file lacks fails', async () => {
  const file = await recorded()
  const run = ({ chain }: { readonly chain: Chain }) => balanceOf(chain, STRANGER).catch(() => {})
  await expect(pool.get({ chain: { fork: file } }, { run })).rejects.toThrow(
    /the chains could not be prepared: the fork file of chain does not have what was asked for/,
  )
})

test('a chain file whose clock ran stands still in a test', async () => {
  const file = path.join(folder, 'shop.blinknet')
  const chain = await createChain({ partialMs: 10, chainId: 5 })
  await writeFile(file, await chain.exportChain())
  await chain.close()
  const [loaded] = await pool.get({ chain: { loadState: file } })
  expect(loaded?.chainId).toBe('0x5')
  expect(await loaded?.own.request({ method: 'devnet_status' })).toMatchObject({ paused: true })
  await loaded?.own.tick()
})

test('a preparation on a fork file is kept with it, and what is missing is told as before', async () => {
  const file = await recorded()
  await mkdir(path.join(folder, 'node_modules'))
  let runs = 0
  const preparation = {
    run: ({ chain }: { readonly chain: Chain }) => {
      runs++
      return chain.request({ method: 'anvil_setBalance', params: [HOLDER, '0x9'] })
    },
    dependsOn: [file],
  }
  const warned: string[] = []
  const get = async () => {
    await pool.close()
    pool = new ChainPool({ at: folder, warn: (line) => void warned.push(line) })
    return pool.get({ chain: { fork: file } }, preparation)
  }
  await expect(pool.get({ chain: { fork: path.join(folder, 'none.fork') } }, preparation)).rejects.toThrow(
    /there is no .*none\.fork: record it/,
  )
  await get()
  const chains = await get()
  expect(runs).toBe(1)
  const own = chains[0]?.own as Chain
  beginAsking(chains, 'a test')
  expect(await balanceOf(own, HOLDER)).toBe('0x9')
  await own.tick()
  await own.seal()
  endAsking(chains)
  beginAsking(chains, 'a test')
  await expect(balanceOf(own, STRANGER)).rejects.toThrow(`does not have account ${STRANGER}, which a test asks for`)
  expect(() => endAsking(chains)).toThrow(`record it: npx blinknet record ${file}`)
  // A recording has to see what the preparation asks for.
  await recordBy(file, undefined, async () => {
    await get()
    return 0
  })
  expect(runs).toBe(2)
  expect(warned).toEqual([])
})
