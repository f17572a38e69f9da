import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { openFileJournal } from './journal/file-journal.ts'
import { rescue } from './rescue.ts'

const PAYEE = `0x${'aa'.repeat(20)}` as const
/** Stores its first word in slot 0. */
const CODE = '0x600580600a5f395ff35f355f5500'
const clock = new FakeClock()
const warn = () => expect.fail('nothing is to be warned of')

let folder: string
/** Journals of chains: one as it was written, one that was rewritten without its garbage. */
const samples: { readonly bytes: Buffer; readonly hashes: readonly string[] }[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-rescue-'))
  for (const tolerateGarbageBytes of [undefined, 3_000]) {
    const directory = path.join(folder, String(tolerateGarbageBytes))
    const options = tolerateGarbageBytes === undefined ? {} : { tolerateGarbageBytes }
    const journal = await openFileJournal(directory, { onWarning: warn, ...options })
    const { node, request } = await createTestNode({ mode: 'manual' }, { journal, clock })
    const from = DEV_KEYS[0]?.address
    for (let block = 0; block < 12; block++) {
      await request('eth_sendTransaction', [{ from, to: PAYEE, value: '0x1' }])
      if (block === 3) await request('eth_sendTransaction', [{ from, input: CODE, gas: '0x30d40' }])
      if (block === 5) await request('evm_snapshot')
      if (block === 7) await request('anvil_setBalance', [PAYEE, '0x1234'])
      if (block % 2 === 0) await request('devnet_tick', [3])
      await request('evm_mine')
    }
    await request('eth_sendTransaction', [{ from, to: PAYEE, value: '0x2' }])
    const hashes = await hashesOf(request)
    await node.close()
    await journal.close()
    samples.push({ bytes: await readFile(path.join(directory, 'blinknet.journal')), hashes })
  }
})
afterAll(() => rm(folder, { recursive: true }))

async function hashesOf(request: TestNode['request']): Promise<string[]> {
  const head = Number(await request('eth_blockNumber'))
  const tags = Array.from({ length: head + 1 }, (_, number) => `0x${number.toString(16)}` as const)
  const blocks = await Promise.all(tags.map((tag) => request('eth_getBlockByNumber', [tag, false])))
  return blocks.map((block) => block?.hash ?? '')
}

type Damage = (bytes: Buffer, at: number, length: number) => Buffer
const DAMAGES: Readonly<Record<string, Damage>> = {
  flip: (bytes, at) => {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] as number) ^ 0x10
    return copy
  },
  cut: (bytes, at, length) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
  zero: (bytes, at, length) => Buffer.from(bytes).fill(0, at, Math.min(at + length, bytes.length)),
  duplicate: (bytes, at, length) => Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]),
}

let rounds = 0
/** Rescues a damaged journal. Returns how many blocks above block 0 are proven; `undefined` if nothing is. */
async function rescued(bytes: Buffer, hashes: readonly string[]): Promise<{ blocks?: number; said: string }> {
  const place = path.join(folder, `round ${rounds++}`)
  const [old, into] = [path.join(place, 'old'), path.join(place, 'new')]
  const journal = await openFileJournal(old, { onWarning: warn })
  await journal.close()
  const file = path.join(old, 'blinknet.journal')
  await writeFile(file, bytes)
  const lock = await readFile(path.join(old, 'blinknet.lock'))
  const said = await rescue(old, into, clock).catch((error: Error) => error.message)
  expect(await readFile(file)).toEqual(bytes)
  expect(await readFile(path.join(old, 'blinknet.lock'))).toEqual(lock)
  expect((await readdir(old)).toSorted()).toEqual(['blinknet.journal', 'blinknet.lock'])
  if (said.includes('can be rescued')) return { said }
  const found = await openFileJournal(into, { onWarning: warn })
  const { node, request } = await createTestNode({}, { journal: found, clock })
  const proven = await hashesOf(request)
  expect(proven, said).toEqual(hashes.slice(0, proven.length))
  const balance = BigInt(await request('eth_getBalance', [PAYEE, 'latest']))
  if (proven.length <= 8 && proven.length > 1) expect(balance).toBeGreaterThanOrEqual(BigInt(proven.length - 1))
  await request('evm_mine')
  expect(Number(await request('eth_blockNumber'))).toBe(proven.length)
  await node.close()
  await found.close()
  // Each block that is not there is named.
  for (let number = proven.length; number < hashes.length; number++) {
    if (said.includes(`block ${number} (`)) expect(said).toContain(`block ${number} (${hashes[number]})`)
  }
  return { blocks: proven.length - 1, said }
}

describe('of a journal with any damage', () => {
  test('a prefix of the chain is rescued that a node opens, and the old files stay as they are', async () => {
    const runs = runsOf(20)
    const damage = fc.record({
      which: fc.nat(1),
      kind: fc.constantFrom(...Object.keys(DAMAGES)),
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 1, max: 3_000 }),
    })
    let proven = 0
    await fc.assert(
      fc.asyncProperty(damage, async ({ which, kind, place, length }) => {
        const { bytes, hashes } = samples[which] as (typeof samples)[number]
        const at = Math.min(Math.floor(place * bytes.length), bytes.length - 1)
        proven += (await rescued((DAMAGES[kind] as Damage)(bytes, at, length), hashes)).blocks ?? 0
      }),
      { numRuns: runs },
    )
    expect(proven).toBeGreaterThan(1.5 * runs)
  })

  test('of a chain as it was written, all blocks before the damage are there, and the later ones are named', async () => {
    const { bytes, hashes } = samples[0] as (typeof samples)[number]
    const counts: number[] = []
    for (const share of [0.3, 0.6, 0.9]) {
      const { blocks = 0, said } = await rescued(
        DAMAGES['zero']?.(bytes, Math.floor(share * bytes.length), 40) as Buffer,
        hashes,
      )
      counts.push(blocks)
      expect(said).toMatch(/is damaged at byte \d+ of \d+/)
      expect(said).toContain(`Blocks 0 to ${blocks} (${hashes[blocks]}) are proven.`)
      expect(said).toContain(`block ${hashes.length - 1} (${hashes.at(-1)}): intact, but the chain up to it is not`)
    }
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[2]).toBeGreaterThan(counts[0] as number)
  })

  test('nothing is rescued into a directory that has anything in it, or without the record of the chain', async () => {
    const { bytes, hashes } = samples[0] as (typeof samples)[number]
    const { said } = await rescued(DAMAGES['flip']?.(bytes, 60, 1) as Buffer, hashes)
    expect(said).toContain('the record that describes the chain is lost')
    const full = path.join(folder, 'full')
    await openFileJournal(full, { onWarning: warn }).then((journal) => journal.close())
    const { size } = await stat(path.join(full, 'blinknet.journal'))
    await expect(rescue(path.join(folder, 'undefined'), full, clock)).rejects.toThrow('is not empty')
    expect((await stat(path.join(full, 'blinknet.journal'))).size).toBe(size)
  })
})
