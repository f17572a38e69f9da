import type { Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { FrameQueue, WriteRounds } from './frame-queue.ts'
import { sharedBytes } from './frames.ts'
import { SharedBudget } from './shared-budget.ts'

/** A socket whose system takes everything at once, unless it is blocked. */
class FakeSocket {
  /** Bytes written between `cork` and `uncork`, for each time. */
  readonly writes: string[] = []
  blocked = false
  writableLength = 0
  #open = ''
  #done: (() => void) | undefined

  cork(): void {
    this.#open = ''
  }
  write(chunk: Buffer, done?: () => void): void {
    this.#open += chunk.toString('latin1')
    if (done) this.#done = done
  }
  uncork(): void {
    this.writes.push(this.#open)
    if (this.blocked) this.writableLength = this.#open.length
  }
  unblock(): void {
    this.blocked = false
    this.writableLength = 0
    this.#done?.()
  }
}

/** Milliseconds. */
let now: number
let rounds: WriteRounds
let budget: SharedBudget
let dropped: FrameQueue[]

beforeEach(() => {
  now = 0
  rounds = new WriteRounds({ yield: () => nextRound() }, () => now)
  budget = new SharedBudget(10_000)
  dropped = []
})

function open() {
  const socket = new FakeSocket()
  const share = budget.open(() => {
    dropped.push(queue)
    queue.close()
  })
  const queue: FrameQueue = new FrameQueue(socket as unknown as Socket, () => true, share, rounds)
  return { socket, queue }
}

const notify = ({ queue }: { queue: FrameQueue }, result: string) => queue.notify({ subscription: '0x1', result })

test('what one round of the event loop brings is one write', async () => {
  const line = open()
  for (const result of ['1', '"two"', '3']) notify(line, result)
  line.queue.write(sharedBytes(Buffer.from('whole')))
  expect(line.socket.writes).toEqual([])
  await nextRound()
  const around = (result: string, length: string) =>
    `\x81${length}{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":${result}}}`
  expect(line.socket.writes).toEqual([`${around('1', '\x58')}${around('"two"', '\x5c')}${around('3', '\x58')}whole`])
  expect(budget.total).toBe(0)
  expect(line.queue.waitingBytes).toBe(0)
})

test('a result for many sockets is in memory once until the last of them has written it', async () => {
  const lines = Array.from({ length: 50 }, open)
  const result = `"${'x'.repeat(5_000)}"`
  for (const { socket } of lines) socket.blocked = true
  for (const line of lines) notify(line, result)
  const all = budget.total
  expect(all).toBeGreaterThan(5_000)
  expect(all).toBeLessThan(7_000)
  await nextRound()
  expect(budget.total).toBe(all)
  expect(lines[0]?.queue.waitingBytes).toBeGreaterThan(5_000)
  for (const { socket } of lines.slice(1)) socket.unblock()
  expect(budget.total).toBeGreaterThan(5_000)
  lines[0]?.socket.unblock()
  expect(budget.total).toBe(0)
  expect(dropped).toEqual([])
})

test('one frame over the budget drops the socket that has been slow for longest, and what only it had', async () => {
  const [slow, other] = [open(), open()]
  slow.socket.blocked = true
  other.socket.blocked = true
  notify(slow, 'a'.repeat(6_000))
  await nextRound()
  notify(other, 'b'.repeat(3_000))
  const room = 10_000 - budget.total
  expect(room).toBeGreaterThan(300)
  const frame = (size: number) => ({ ...sharedBytes(Buffer.alloc(0)), size })
  other.queue.write(frame(room - 32))
  expect(budget.total).toBe(10_000)
  expect(dropped).toEqual([])
  other.queue.write(frame(1))
  expect(dropped).toEqual([slow.queue])
  expect(budget.total).toBeLessThan(5_000)
  notify(slow, 'c'.repeat(9_000))
  slow.socket.unblock()
  expect(budget.total).toBeLessThan(5_000)
  other.queue.close()
  expect(budget.total).toBe(0)
})

test('a socket that has much to write lets others write in between', async () => {
  budget = new SharedBudget(10_000_000)
  const [large, small] = [open(), open()]
  for (let i = 0; i < 40; i++) notify(large, `"${i}${'x'.repeat(20_000)}"`)
  notify(small, '1')
  await nextRound()
  expect(large.socket.writes.length).toBeGreaterThan(2)
  expect(small.socket.writes).toHaveLength(1)
  for (const write of large.socket.writes) expect(write.length).toBeLessThan(300_000)
  expect(large.socket.writes.join('').match(/"subscription"/gu)).toHaveLength(40)
})

test('after a few milliseconds of writing the other callers have their turn, and every socket has its own', async () => {
  let yields = 0
  const yielding = async () => {
    yields++
    await nextRound()
  }
  rounds = new WriteRounds({ yield: yielding }, () => now)
  const lines = Array.from({ length: 12 }, open)
  for (const line of lines) {
    line.socket.write = () => {
      now += 3
    }
    notify(line, '1')
  }
  await nextRound()
  expect(lines.filter(({ socket }) => socket.writes.length > 0)).toHaveLength(3)
  await expect.poll(() => lines.every(({ socket }) => socket.writes.length === 1)).toBe(true)
  expect(yields).toBe(3)
})

test('a socket that is closing writes nothing more', async () => {
  const socket = new FakeSocket()
  const queue = new FrameQueue(
    socket as unknown as Socket,
    () => false,
    budget.open(() => {}),
    rounds,
  )
  queue.notify({ subscription: '0x1', result: '1' })
  await nextRound()
  expect(socket.writes).toEqual([])
  queue.close()
  expect(budget.total).toBe(0)
})
