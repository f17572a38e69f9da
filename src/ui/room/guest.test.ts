import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProvider, ProviderRpcError } from '#client/session/provider.ts'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RoomBeat } from '#rpc-types/methods/room.ts'
import { createGuest, GUEST_VALUE } from './guest.ts'
import { keepGuest, readGuest } from './guest-key.ts'
import { explainRefusal, transactionWords } from './room-words.ts'

const ROOM = 'http://192.0.2.1:8545/'
const RECEIPT = { effectiveGasPrice: '0x8', gasUsed: '0x5208', blockNumber: '0x5', blockHash: toWord(0), status: '0x1' }
const REFUSED = { error: { code: ERROR_CODES['limit-exceeded'], message: 'too fast: try again in 1 s' } }

/** Returns a result or `{ error }`. */
type FakeMethod = (params: readonly unknown[]) => unknown

class MemoryStorage {
  readonly #texts = new Map<string, string>()
  getItem(key: string): string | null {
    return this.#texts.get(key) ?? null
  }
  setItem(key: string, text: string): void {
    this.#texts.set(key, text)
  }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Resolves when the fake room has answered what was asked. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

/** A room that pre-confirms every transaction at once. */
function setUp(methods: Record<string, FakeMethod> = {}) {
  const timelines = new Map<Hash, TimelineEvent[]>()
  const asked: { readonly method: string; readonly params: readonly unknown[] }[] = []
  const all: Record<string, FakeMethod> = {
    room_join: () => ({ number: 1, mark: 9, balance: '0xde0b6b3a7640000' }),
    room_report: () => ({ preconfirmedAtMs: 1_143 }),
    eth_subscribe: () => '0xb',
    eth_chainId: () => '0x7a69',
    eth_getTransactionCount: () => '0x0',
    eth_getBalance: () => '0xde0b6b3a7640000',
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x7' }),
    eth_sendRawTransactionSync: () => RECEIPT,
    devnet_getTransactionTimeline: ([hash]) => {
      const events = timelines.get(hash as Hash)
      return events ? { hash, events } : null
    },
    ...methods,
  }
  const handle = createProvider(async (body) => {
    const call = JSON.parse(body) as (typeof asked)[number]
    asked.push(call)
    const answer = all[call.method]?.(call.params)
    const isError = typeof answer === 'object' && answer !== null && 'error' in answer
    return JSON.stringify({ jsonrpc: '2.0', id: 1, ...(isError ? answer : { result: answer }) })
  })
  const guest = createGuest(handle.provider, ROOM)
  const newest = () => {
    const [tx] = guest.state.get().sent
    return tx ?? expect.fail('nothing was sent')
  }
  /** What the room tells everyone. */
  const tell = async (beat: Partial<RoomBeat>) => {
    const result = { block: 5, index: 3, sealed: false, guests: [], atMs: 0, rewinds: 0, ...beat }
    const params = { subscription: '0xb', result }
    handle.receive(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
    await settled()
  }
  const countOf = (method: string) => asked.filter((call) => call.method === method).length
  return { guest, handle, timelines, asked, newest, tell, countOf }
}

test('a guest joins with a key that the phone made and kept, and is the same one after a reload', async () => {
  const { guest, asked } = setUp()
  await guest.join('Ada')
  expect(guest.state.get()).toMatchObject({ name: 'Ada', place: { number: 1, mark: 9 }, balance: 10n ** 18n })
  expect(asked).toMatchObject([
    { method: 'room_join', params: [{ name: 'Ada', address: guest.address }] },
    { method: 'eth_subscribe', params: ['room'] },
  ])
  expect(JSON.stringify(asked)).not.toContain(readGuest(ROOM).privateKey.slice(2))

  const later = setUp()
  expect(later.guest.address).toBe(guest.address)
  await vi.waitFor(() => expect(later.guest.state.get().place).toBeDefined())
  expect(later.asked[0]).toMatchObject({ method: 'room_join', params: [{ name: 'Ada' }] })
})

test.each(['', '{', '{"privateKey":"0x1","name":"Eve"}', '{"privateKey":1}', 'null', '[]'])(
  'what is no guest in the storage is replaced: %j',
  (text) => {
    localStorage.setItem(`blinknet:guest:${ROOM}`, text)
    const { privateKey, name } = readGuest(ROOM)
    expect(privateKey).toMatch(/^0x[0-9a-f]{64}$/)
    expect(name).toBe('')
  },
)

test('one press tells how long it took to be pre-confirmed, and the room’s events how long to be sealed', async () => {
  const { guest, newest, tell, asked } = setUp()
  await guest.join('Ada')
  await tell({ index: 2 })
  const before = asked.length
  await guest.send()
  const { hash } = newest()
  expect(newest()).toMatchObject({ progress: { status: 'preconfirmed', blockNumber: 5 } })
  const { preconfirmedMs } = newest()
  expect(asked).toContainEqual(expect.objectContaining({ method: 'room_report', params: [{ hash, preconfirmedMs }] }))
  expect(transactionWords(newest())).toMatch(/^Pre-confirmed in (?:<1|\d+)\u00A0ms$/)
  expect(guest.state.get().balance).toBe(10n ** 18n - GUEST_VALUE - 21_000n * 8n)

  await tell({ guests: [1] })
  await tell({ block: 4, sealed: true })
  expect(newest()).toMatchObject({ progress: { status: 'preconfirmed' } })
  await tell({ sealed: true, atMs: 2_743 })
  expect(newest()).toMatchObject({ progress: { status: 'sealed' } })
  expect(transactionWords(newest())).toMatch(
    /^Pre-confirmed in (?:<1|\d+)\u00A0ms, sealed 1.6\u00A0s later in block 5$/,
  )
  // Five to know nonce and fees, once; then two for each press.
  await guest.send()
  await tell({ block: 6, sealed: true })
  expect(asked.slice(before).map(({ method }) => method)).toEqual([
    'eth_chainId',
    'eth_getTransactionCount',
    'eth_getBalance',
    'eth_maxPriorityFeePerGas',
    'eth_getBlockByNumber',
    'eth_sendRawTransactionSync',
    'room_report',
    'eth_sendRawTransactionSync',
    'room_report',
  ])
  // The event of its own block did not come.
  expect(transactionWords(newest())).toMatch(/^Pre-confirmed in (?:<1|\d+)\u00A0ms, sealed in block 5$/)
})

test('presses in a row have nonces in a row, without asking the node again', async () => {
  const { guest, countOf } = setUp()
  await guest.join('Ada')
  await Promise.all([guest.send(), guest.send(), guest.send()])
  expect(guest.state.get().sent).toHaveLength(3)
  expect(new Set(guest.state.get().sent.map(({ hash }) => hash)).size).toBe(3)
  expect(countOf('eth_getTransactionCount')).toBe(1)
})

test('a broken promise is told: withdrawn, then pre-confirmed again', async () => {
  const { guest, timelines, newest, tell } = setUp()
  await guest.join('Ada')
  await tell({ index: 2 })
  await guest.send()
  const { hash } = newest()
  const events: TimelineEvent[] = [
    { kind: 'received', atMs: 0 },
    { kind: 'preconfirmed', atMs: 100, blockNumber: '0x5', index: 0, status: 'success' },
    { kind: 'withdrawn', atMs: 150, requeued: true },
  ]
  timelines.set(hash, events)
  await tell({ rewinds: 1 })
  expect(transactionWords(newest())).toBe('Withdrawn: the promise was broken, and it waits again')
  await tell({ rewinds: 1 })
  expect(newest()).toMatchObject({ progress: { status: 'mempool' } })
  events.push({ kind: 'preconfirmed', atMs: 300, blockNumber: '0x5', index: 1, status: 'success' })
  await tell({ rewinds: 1, guests: [1] })
  expect(transactionWords(newest())).toBe('Withdrawn, then pre-confirmed again')
  await tell({ rewinds: 1, sealed: true, atMs: 900 })
  expect(transactionWords(newest())).toBe('Withdrawn, then pre-confirmed again, sealed 600\u00A0ms later in block 5')
})

test('a promise that is broken while the phone asks about an earlier one is told as well', async () => {
  const { guest, timelines, newest, tell, countOf } = setUp({
    devnet_getTransactionTimeline: () => {
      const events = [...(timelines.get(newest().hash) ?? [])]
      // The chain goes back once more, after this answer.
      if (countOf('devnet_getTransactionTimeline') === 1) {
        timelines.get(newest().hash)?.push({ kind: 'withdrawn', atMs: 150, requeued: true })
        void tell({ rewinds: 2 })
      }
      return { events }
    },
  })
  await guest.join('Ada')
  await tell({ index: 2 })
  await guest.send()
  timelines.set(newest().hash, [
    { kind: 'received', atMs: 0 },
    { kind: 'preconfirmed', atMs: 100, blockNumber: '0x5', index: 0, status: 'success' },
  ])
  await tell({ rewinds: 1 })
  await settled()
  expect(transactionWords(newest())).toBe('Withdrawn: the promise was broken, and it waits again')
})

test('what the room refuses to tell is asked again at its next event, and nothing is said to be sealed before', async () => {
  let refuses = true
  const { guest, newest, tell, countOf } = setUp({
    devnet_getTransactionTimeline: () =>
      refuses
        ? REFUSED
        : {
            events: [
              { kind: 'received', atMs: 0 },
              { kind: 'preconfirmed', atMs: 100, blockNumber: '0x5', index: 0, status: 'success' },
              { kind: 'withdrawn', atMs: 150, requeued: true },
            ],
          },
  })
  await guest.join('Ada')
  await tell({ index: 2 })
  await guest.send()
  await tell({ rewinds: 1 })
  await tell({ rewinds: 1, sealed: true })
  expect(newest()).toMatchObject({ progress: { status: 'preconfirmed' } })
  refuses = false
  await tell({ rewinds: 1, block: 6 })
  expect(transactionWords(newest())).toBe('Withdrawn: the promise was broken, and it waits again')
  expect(countOf('devnet_getTransactionTimeline')).toBe(3)
})

test('a phone that slept asks once what has become of all its transactions, and what of them is gone', async () => {
  const { guest, timelines, tell, countOf } = setUp()
  await guest.join('Ada')
  await tell({ index: 2 })
  await guest.send()
  await guest.send()
  const [newest, older] = guest.state.get().sent
  const balances = countOf('eth_getBalance')
  timelines.set(older?.hash as Hash, [
    { kind: 'received', atMs: 0 },
    { kind: 'preconfirmed', atMs: 100, blockNumber: '0x5', index: 0, status: 'success' },
    { kind: 'sealed', atMs: 700, blockNumber: '0x5', blockHash: toWord(7) },
  ])
  document.dispatchEvent(new Event('visibilitychange'))
  document.dispatchEvent(new Event('visibilitychange'))
  await settled()
  expect(guest.state.get().sent).toMatchObject([{ hash: older?.hash, progress: { status: 'sealed' }, sealedAtMs: 700 }])
  expect(newest).toMatchObject({ progress: { status: 'preconfirmed' } })
  expect(countOf('devnet_getTransactionTimeline')).toBe(2)
  expect(countOf('eth_getBalance') - balances).toBe(1)
})

test('a press that the room refuses adds no transaction, and the next one asks for the nonce again', async () => {
  let refuses = true
  const { guest, countOf } = setUp({
    eth_sendRawTransactionSync: () => (refuses ? REFUSED : RECEIPT),
  })
  await guest.join('Ada')
  await guest.send()
  const { sent, error } = guest.state.get()
  expect(sent).toEqual([])
  expect(explainRefusal(error, 'send')).toMatchObject({ what: 'Too fast for this room.' })
  refuses = false
  await guest.send()
  expect(guest.state.get()).toMatchObject({ error: undefined, sent: [{ progress: { status: 'preconfirmed' } }] })
  expect(countOf('eth_getTransactionCount')).toBe(2)
})

test('on a chain that stands still a transaction waits in sight, until the node has news', async () => {
  const { guest, timelines, newest, tell } = setUp({
    eth_sendRawTransactionSync: () => {
      timelines.set(newest().hash, [{ kind: 'received', atMs: 0 }])
      return { error: { code: ERROR_CODES.timeout, message: 'not processed in 6s' } }
    },
  })
  await guest.join('Ada')
  await guest.send()
  expect(guest.state.get().error).toBeUndefined()
  expect(transactionWords(newest())).toBe('Sent, waiting for a partial block')
  timelines
    .get(newest().hash)
    ?.push({ kind: 'preconfirmed', atMs: 9_000, blockNumber: '0x5', index: 0, status: 'success' })
  await tell({})
  await tell({ guests: [1] })
  expect(transactionWords(newest())).toBe('Pre-confirmed in 9.0\u00A0s')
})

test('a chain with automine has sealed a transaction by the first answer', async () => {
  const { guest, newest } = setUp({ eth_sendRawTransactionSync: () => ({ ...RECEIPT, blockHash: toWord(7) }) })
  await guest.join('Ada')
  await guest.send()
  expect(newest()).toMatchObject({ progress: { status: 'sealed', blockNumber: 5 } })
})

test('a transaction that was sent in time stays in sight, and its guest in the room, while the room refuses questions', async () => {
  const { guest, handle } = setUp({
    eth_sendRawTransactionSync: () => ({ error: { code: ERROR_CODES.timeout, message: 'not processed in 6s' } }),
    devnet_getTransactionTimeline: () => REFUSED,
  })
  await guest.join('Ada')
  await guest.send()
  expect(guest.state.get()).toMatchObject({ error: undefined, sent: [{ progress: { status: 'mempool' } }] })
  await handle.announceConnect(await handle.ask([]))
  await vi.waitFor(() => expect(guest.state.get().joining).toBe(false))
  expect(guest.state.get()).toMatchObject({ error: undefined, place: { number: 1 } })
})

test('after a lost connection the guest joins again; a full room is told in words', async () => {
  let answers: unknown = { number: 1, mark: 0, balance: '0x0' }
  const { guest, handle } = setUp({ room_join: () => answers })
  await guest.join('Ada')
  answers = { error: { code: ERROR_CODES['limit-exceeded'], message: 'the room is full' } }
  await handle.announceConnect(await handle.ask([]))
  await vi.waitFor(() => expect(guest.state.get()).toMatchObject({ place: undefined, joining: false }))
  expect(explainRefusal(guest.state.get().error, 'join')).toEqual({
    what: 'You could not join yet.',
    why: 'Try again in a moment, or look around without joining. The room says: the room is full',
  })
})

test('a server that is gone is told in words', () => {
  const gone = new ProviderRpcError(ERROR_CODES.disconnected, 'gone')
  expect(explainRefusal(gone, 'send').what).toBe('The room does not answer.')
})

test('a phone whose storage is off is a new guest each time', () => {
  vi.stubGlobal('localStorage', undefined)
  const first = readGuest(ROOM)
  keepGuest(ROOM, { ...first, name: 'Ada' })
  expect(readGuest(ROOM)).not.toEqual(first)
  expect(readGuest(ROOM).name).toBe('')
})

test('the address of a guest is in lower case, as the chain writes it', () => {
  const { guest } = setUp()
  expect(guest.address).toBe(guest.address.toLowerCase() as Address)
})
