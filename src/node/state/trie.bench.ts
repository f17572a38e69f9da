import { bench, describe } from 'vitest'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import { EMPTY_CODE_HASH } from './state-reader.ts'
import { emptyState } from './state-snapshot.ts'
import { WorldState } from './world-state.ts'

const UPDATES = 1_000

const addressOf = (n: number): Address => `0x${toWord(n * 0x9e3779b1).slice(26)}`

for (const size of [10_000, 100_000]) {
  describe(`${UPDATES} updates on ${size} accounts`, () => {
    const state = new WorldState(emptyState())
    const addresses = Array.from({ length: size }, (_, n) => addressOf(n))
    for (const address of addresses) state.setAccount(address, { nonce: 0n, balance: 1n, codeHash: EMPTY_CODE_HASH })
    state.snapshot().stateRoot()
    let step = 0

    bench('working state → snapshot → state root', () => {
      for (let i = 0; i < UPDATES; i++) {
        step++
        const address = addresses[(step * 7_919) % size] as Address
        state.setAccount(address, { nonce: BigInt(step), balance: 10n ** 18n, codeHash: EMPTY_CODE_HASH })
      }
      state.snapshot().stateRoot()
    })
  })
}

describe(`${UPDATES} updates on one contract of 100000 slots`, () => {
  const state = new WorldState(emptyState())
  const token = addressOf(1)
  const slots = Array.from({ length: 100_000 }, (_, n) => toWord(n))
  for (const slot of slots) state.setStorage(token, slot, Uint8Array.of(1))
  state.snapshot().stateRoot()
  let step = 0

  bench('working state → snapshot → state root', () => {
    for (let i = 0; i < UPDATES; i++) {
      step++
      state.setStorage(token, slots[(step * 7_919) % slots.length] as Hash, Uint8Array.of(1 + (step % 255), step & 255))
    }
    state.snapshot().stateRoot()
  })
})
