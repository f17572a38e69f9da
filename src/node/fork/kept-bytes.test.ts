import { expect, test } from 'vitest'
import type { Address, Hash } from '#primitives/hex.ts'
import { remoteOf, WITHOUT_PROOFS } from '#testing/node/fork-of.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { CodeStore } from '../state/code-store.ts'
import { createPacer } from '../turns/pacer.ts'
import { Fork } from './fork.ts'
import { TrustedSource } from './trusted-source.ts'

const CODE = `0x${'5b'.repeat(2_000)}` as const
const contracts = ['51', '52'].map((byte): Address => `0x${byte.repeat(20)}`)

const original = await createTestNode({
  mode: 'manual',
  genesis: Object.fromEntries(contracts.map((address) => [address, { code: CODE }])),
})

test.each([
  ['proven', undefined],
  ['trusted', WITHOUT_PROOFS],
] as const)('what a %s fork has kept counts as much once it is opened again, each code once', async (_, change) => {
  const clock = new FakeClock()
  const { remote } = remoteOf(original, change)
  const fork = await Fork.open({ remote, clock }, contracts)
  const again = await Fork.reopen(fork.record, fork.entries(), { remote: undefined, clock }, createPacer(clock))
  expect(again.keptBytes).toBe(fork.keptBytes)
  expect(fork.keptBytes).toBeGreaterThan(2_000)
  const one = await Fork.open({ remote, clock }, contracts.slice(1))
  expect(fork.keptBytes - one.keptBytes).toBeLessThan(2_000)
})

test('codes that were kept take their part of the budget: one byte more, and nothing more is fetched', async () => {
  const clock = new FakeClock()
  const { remote } = remoteOf(original, WITHOUT_PROOFS)
  const { header } = await Fork.open({ remote, clock }, [])
  const budget = 96 << 20
  const hash: Hash = `0x${'ab'.repeat(32)}`
  const [address] = contracts as [Address]
  const sourceWith = (bytes: number) => {
    const codes = new CodeStore()
    codes.add(hash, new Uint8Array(bytes))
    const source = new TrustedSource({ remote, clock, header, keep() {}, codes })
    const account = { nonce: 1n, balance: 0n, codeHash: hash }
    source.restore({ kind: 'told', address: `0x${'99'.repeat(20)}`, account, slots: [] })
    return source
  }
  // The account itself is counted with 128 bytes.
  const full = sourceWith(budget - 128)
  expect(full.keptBytes).toBe(budget)
  await full.fetchAccount(address, [])
  const over = sourceWith(budget - 127)
  await expect(over.fetchAccount(address, [])).rejects.toThrow('has fetched 96 MiB of state, its limit')
})
