import { expect, test } from 'vitest'
import type { Address, Hash } from '#primitives/hex.ts'
import { MAX_TOLD_IN_BEAT, ROOM_MARKS } from '#rpc-types/methods/room.ts'
import { Guests } from './guests.ts'
import { MAX_GUESTS, MAX_GUESTS_TOLD } from './limits.ts'

const addressOf = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`
const SECRET = '0x00'
const hashOf = (i: number): Hash => `0x${i.toString(16).padStart(64, '0')}`

function full(): Guests {
  const guests = new Guests()
  for (let i = 1; i <= MAX_GUESTS; i++) guests.add(`Guest ${i}`, addressOf(i), SECRET).connections = 1
  return guests
}

test('a full room refuses newcomers while all are connected; otherwise the guest who has been gone longest makes room', () => {
  const guests = full()
  expect(() => guests.add('one more', addressOf(0), SECRET)).toThrow(/the room is full: 1000 guests are here/)
  for (const [i, leftAt] of [
    [7, 30],
    [5, 20],
    [9, 10],
  ] as const) {
    Object.assign(guests.at(addressOf(i)) ?? {}, { connections: 0, leftAt })
  }
  expect(guests.add('one more', addressOf(0), SECRET)).toMatchObject({
    number: MAX_GUESTS + 1,
    mark: MAX_GUESTS % ROOM_MARKS,
  })
  expect([guests.size, guests.at(addressOf(9))]).toEqual([MAX_GUESTS, undefined])
})

test('the list names the newest, and counts all', () => {
  const { guests, connected, watching } = full().list(12, 0)
  expect(guests).toHaveLength(MAX_GUESTS_TOLD)
  expect(guests[0]).toMatchObject({ number: MAX_GUESTS, name: `Guest ${MAX_GUESTS}` })
  expect({ connected, watching }).toEqual({ connected: MAX_GUESTS, watching: 12 })
})

test('only transactions of guests count, and the rate is that of the last five seconds', () => {
  const guests = new Guests()
  guests.add('Ada', addressOf(1), SECRET)
  const send = (from: number, nonce: number) => ({ hash: hashOf(nonce), from: addressOf(from), nonce })
  expect(guests.preconfirmed([send(1, 0), send(2, 0), send(1, 1)], 1_000)).toEqual([1, 1])
  expect(guests.list(0, 5_999).transactionsPerSecond).toBe(0.4)
  expect(guests.list(0, 6_000).transactionsPerSecond).toBe(0)
  expect(guests.list(0, 6_000).guests[0]).toMatchObject({ sent: 2 })
  const many = Array.from({ length: MAX_TOLD_IN_BEAT + 1 }, (_, nonce) => send(1, nonce))
  expect(guests.preconfirmed(many, 7_000)).toHaveLength(MAX_TOLD_IN_BEAT)
})

test('one guest cannot shift the latency of the room by reporting more than others', () => {
  const guests = new Guests()
  const [ada, grace, mallory] = [1, 2, 3].map((i) => guests.add(`Guest ${i}`, addressOf(i), SECRET))
  if (!ada || !grace || !mallory) throw new Error('three guests')
  const report = (guest: typeof ada, i: number, ms: number) => {
    guests.preconfirmed([{ hash: hashOf(i), from: guest.address, nonce: i }], 0)
    guests.report(guest, hashOf(i), ms)
  }
  report(ada, 1, 100)
  report(grace, 2, 120)
  for (let i = 3; i < 100; i++) report(mallory, i, 60_000)
  expect(guests.list(0, 0).latencyMs).toBe(120)
  expect(() => guests.report(mallory, hashOf(1), 1)).toThrow(/not yours/)
  expect(() => guests.report(ada, hashOf(1), 1)).toThrow(/reported already/)
})

test('a transaction that comes again after the chain has gone back is told again, but counts once', () => {
  const guests = new Guests()
  const ada = guests.add('Ada', addressOf(1), SECRET)
  const tx = { hash: hashOf(1), from: ada.address, nonce: 0 }
  expect(guests.preconfirmed([tx], 1_000)).toEqual([1])
  expect(guests.report(ada, tx.hash, 50)).toBe(1_000)
  expect(guests.preconfirmed([tx], 1_200)).toEqual([1])
  expect(guests.list(0, 1_200)).toMatchObject({ transactionsPerSecond: 0.2, guests: [{ sent: 1, latencyMs: 50 }] })
  expect(() => guests.report(ada, tx.hash, 9_000)).toThrow(/reported already/)
})

test('of a guest’s transactions only the newest can be reported', () => {
  const guests = new Guests()
  const ada = guests.add('Ada', addressOf(1), SECRET)
  for (let i = 0; i < 1_000; i++) guests.preconfirmed([{ hash: hashOf(i), from: ada.address, nonce: i }], 0)
  expect(ada.preconfirmed.length).toBeLessThan(20)
  guests.report(ada, hashOf(999), 5)
  expect(() => guests.report(ada, hashOf(0), 5)).toThrow(/not yours/)
})
