import { AsyncLocalStorage } from 'node:async_hooks'
import type { FileHandle } from 'node:fs/promises'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { put } from '#testing/node/storage/journal-contract.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import type { FileJournal } from './file-journal.ts'

// Every step that a process takes in the file system is a place where it can stand still for as long as one likes. Here
// each process is a chain of asynchronous calls with its own instance of the modules, and stops before a step of choice.

const world = vi.hoisted(() => ({
  actors: undefined as AsyncLocalStorage<{ step(name: string): Promise<void>; readonly place: string }> | undefined,
  hasLinks: true,
}))

vi.mock('node:timers/promises', () => ({ setTimeout: () => new Promise((resolve) => setImmediate(resolve)) }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  const gated =
    <Parameters extends unknown[], Answer>(name: string, call: (...given: Parameters) => Promise<Answer>) =>
    async (...given: Parameters): Promise<Answer> => {
      const actor = world.actors?.getStore()
      await actor?.step(name)
      if (actor && name === 'readlink') return `pid:[${actor.place}]` as Answer
      if (actor && name === 'link' && !world.hasLinks)
        throw Object.assign(new Error(), { code: 'EPERM', syscall: name })
      // The system's memory outlives these processes.
      if (name === 'handle.sync' || name === 'handle.datasync') return undefined as Answer
      const answer = await call(...given)
      return name === 'open' ? (gatedHandle(answer as FileHandle) as Answer) : answer
    }
  const gatedHandle = (handle: FileHandle): FileHandle =>
    new Proxy(handle, {
      get(target, key: keyof FileHandle) {
        const value: unknown = target[key]
        if (typeof value !== 'function') return value
        const method = value.bind(target) as (...given: unknown[]) => Promise<unknown>
        return gated(`handle.${String(key)}`, method)
      },
    })
  return Object.fromEntries(
    Object.entries(real).map(([name, value]) => [
      name,
      typeof value === 'function' ? gated(name, value as (...given: unknown[]) => Promise<unknown>) : value,
    ]),
  )
})

world.actors = new AsyncLocalStorage()

/** A process that stops before one of its steps. */
class Actor {
  readonly place: string
  /** Resolves when it stands still, or has come to its end. */
  readonly halted: Promise<void>
  readonly trace: string[] = []
  readonly #stopAt: number
  #halt: () => void = () => {}
  #standsStill: Promise<void> | undefined
  #goOn: () => void = () => {}

  constructor(place: string, stopAt: number) {
    this.place = place
    this.#stopAt = stopAt
    this.halted = new Promise((resolve) => {
      this.#halt = resolve
    })
  }

  async step(name: string): Promise<void> {
    this.trace.push(name)
    if (this.trace.length === this.#stopAt) {
      this.#standsStill = new Promise((resolve) => {
        this.#goOn = resolve
      })
      this.#halt()
    }
    await this.#standsStill
  }

  goOn(): void {
    this.#goOn()
    this.#standsStill = undefined
  }

  run(act: () => Promise<void>): Promise<void> {
    return world.actors?.run(this, act).finally(() => this.#halt()) as Promise<void>
  }
}

/** What a process did with the journal. */
interface Life {
  readonly actor: Actor
  /** Keys whose write was acknowledged. */
  readonly acknowledged: string[]
  /** Keys whose write was refused after the next process had taken over. */
  readonly refused: string[]
  /** The codes of all failures. */
  readonly failures: unknown[]
  readonly told: unknown[]
  readonly ended: Promise<void>
}

type Modules = typeof import('./file-journal.ts')
const instances = new Map<string, Promise<Modules>>()

/** The modules of a process, which knows nothing of the others. */
function modulesOf(name: string): Promise<Modules> {
  let instance = instances.get(name)
  if (!instance) {
    vi.resetModules()
    instance = import('./file-journal.ts')
    instances.set(name, instance)
  }
  return instance
}

/** Opens the journal, writes, has it rewritten meanwhile, and closes it, each with whatever comes of it. */
function live(directory: string, name: string, stopAt: number, rewrites: boolean, isOver = () => false): Life {
  const actor = new Actor(name, stopAt)
  const [acknowledged, refused, failures, told]: [string[], string[], unknown[], unknown[]] = [[], [], [], []]
  const modules = modulesOf(name)
  const ended = actor.run(async () => {
    const { openFileJournal } = await modules
    let journal: FileJournal
    try {
      journal = await openFileJournal(directory, {
        onWarning: () => {},
        onTakenOver: ({ code }) => told.push(code),
        ...(rewrites && { tolerateGarbageBytes: 200 }),
        watchMs: 1,
      })
    } catch (error) {
      failures.push((error as { code?: unknown }).code ?? error)
      return
    }
    for (let round = 0; round < 4; round++) {
      const key = `${name}${round}`
      const begunLate = isOver()
      try {
        const changes = [put('blocks', key, 1), put('meta', 'large', new Uint8Array(300))]
        await journal.write(changes, round % 2 === 0 ? 'strict' : 'relaxed')
        acknowledged.push(key)
      } catch (error) {
        failures.push((error as { code?: unknown }).code ?? error)
        if (begunLate) refused.push(key)
      }
    }
    await journal.close().catch((error: { code?: unknown }) => failures.push(error.code ?? error))
  })
  return { actor, acknowledged, refused, failures, told, ended }
}

const directories: string[] = []
afterEach(async () => {
  world.hasLinks = true
  for (const directory of directories.splice(0)) await fs.rm(directory, { recursive: true })
})

type Before = 'nothing' | 'closed' | 'killed' | 'without a lock'

async function prepare(before: Before): Promise<string> {
  const directory = await fs.mkdtemp(path.join(tmpdir(), 'blinknet-take-over-'))
  directories.push(directory)
  if (before === 'nothing') return directory
  const first = live(directory, 'first', 0, true)
  await first.ended
  const lock = path.join(directory, 'blinknet.lock')
  if (before === 'without a lock') await fs.rm(lock)
  if (before === 'killed') {
    const record = await fs.readFile(lock, 'utf8')
    await fs.writeFile(lock, record.replace('"closed"', '"opened"').replace(/"pid":\d+/, '"pid":4194305'))
  }
  return directory
}

interface Schedule {
  readonly before: Before
  /** Step before which each process but the last stands still. */
  readonly stops: readonly number[]
  /** Whether a person deletes the lock before the next process starts. */
  readonly deletes: boolean
  /** Whether those that stood still go on while the last one is at this step, or after it has ended. */
  readonly during: number
  readonly newestFirst: boolean
  /** Whether the last process rewrites the file, which gives it another one. */
  readonly rewrites: boolean
}

/** Returns how many steps the first process took, of which it may have stood still before one. */
async function play({ before, stops, deletes, during, newestFirst, rewrites }: Schedule): Promise<number> {
  const directory = await prepare(before)
  let taken = 0
  const lives: Life[] = []
  for (const [index, stopAt] of stops.entries()) {
    const life = live(directory, 'abc'[index] as string, stopAt, true, () => taken > index)
    lives.push(life)
    await life.actor.halted
    if (deletes) await fs.rm(path.join(directory, 'blinknet.lock'), { force: true })
    taken = index + 1
  }
  const last = live(directory, 'z', during, rewrites)
  await last.actor.halted
  for (const { actor, ended } of newestFirst ? lives.toReversed() : lives) {
    actor.goOn()
    await ended
  }
  last.actor.goOn()
  await last.ended

  const all = [...lives, last]
  const { openFileJournal } = await modulesOf('reader')
  const found = await openFileJournal(directory, { onWarning: () => {}, watchMs: 1 })
  const keys = (await found.readAll('blocks')).map(([key]) => key)
  await found.close()
  const context = JSON.stringify({
    lives: all.map(({ acknowledged, refused, failures, told }) => ({ acknowledged, refused, failures, told })),
    keys,
  })
  for (const { acknowledged, refused, failures, actor } of all) {
    for (const key of acknowledged) expect(keys, `${key} is there: ${context}`).toContain(key)
    for (const key of refused) expect(keys, `${key} is not there: ${context}`).not.toContain(key)
    // A draft that somebody else has deleted, and a lock that two were after, are told in other words.
    for (const code of failures) {
      expect(['taken-over', 'unavailable'], `${String(code)} of ${actor.place}: ${context}`).toContain(code)
    }
  }
  const left = (await fs.readdir(directory)).filter((name) => name.startsWith('blinknet.journal'))
  expect(left.filter((name) => !name.endsWith('.new'))).toEqual(['blinknet.journal'])
  return lives[0]?.actor.trace.length ?? 0
}

/** More steps than a process takes. */
const MOST_STEPS = 400

test.each<[Before, deletes: boolean, hasLinks: boolean]>([
  ['nothing', false, true],
  ['closed', true, true],
  ['killed', false, true],
  ['killed', false, false],
])(
  'a process that stood still before any of its steps, and goes on after another has taken over, harms nothing (%s, %s, %s)',
  async (before, deletes, hasLinks) => {
    world.hasLinks = hasLinks
    let most = MOST_STEPS
    for (let stop = 1; stop <= most; stop++) {
      const steps = await play({ before, stops: [stop], deletes, during: 0, newestFirst: false, rewrites: false })
      if (steps < stop) most = steps
    }
    expect(most).toBeGreaterThan(50)
    expect(most).toBeLessThan(MOST_STEPS)
  },
)

test('of up to four processes that stand still anywhere, none harms the others', { timeout: 3_600_000 }, async () => {
  const step = fc.integer({ min: 1, max: 130 })
  const schedule = fc.record({
    before: fc.constantFrom<Before>('nothing', 'closed', 'killed', 'without a lock'),
    stops: fc.array(step, { minLength: 1, maxLength: 3 }),
    deletes: fc.boolean(),
    during: fc.option(step, { nil: 0 }),
    newestFirst: fc.boolean(),
    rewrites: fc.boolean(),
    hasLinks: fc.boolean(),
  })
  let steps = 0
  await fc.assert(
    fc.asyncProperty(schedule, async ({ hasLinks, ...given }) => {
      world.hasLinks = hasLinks
      steps += await play(given)
    }),
    { numRuns: runsOf(100) },
  )
  expect(steps).toBeGreaterThan(1_000)
})
