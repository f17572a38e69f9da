import { beforeEach, expect, test, vi } from 'vitest'

/** A worker that sends what the test wants. */
class FakeWorker extends EventTarget {
  static readonly all: FakeWorker[] = []
  #stop = () => {}

  constructor() {
    super()
    FakeWorker.all.push(this)
  }

  set onmessage(listener: ((event: Event) => void) | null) {
    this.#stop()
    if (!listener) return
    this.addEventListener('message', listener)
    this.#stop = () => this.removeEventListener('message', listener)
  }

  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

beforeEach(() => {
  FakeWorker.all.length = 0
  vi.resetModules()
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('location', new URL('https://dapp.example/'))
  vi.stubGlobal('ErrorEvent', class extends Event {})
  return () => vi.unstubAllGlobals()
})

test('a worker that was started early delivers its earlier messages, then the later ones', async () => {
  const { startNodeWorkerEarly, takeNodeWorker } = await import('./start-node-worker.ts')
  startNodeWorkerEarly()
  FakeWorker.all[0]?.say('ready')
  const heard: unknown[] = []
  const worker = takeNodeWorker()
  worker.onmessage = ({ data }: MessageEvent<unknown>) => heard.push(data)
  await Promise.resolve()
  FakeWorker.all[0]?.say('booted')
  expect(heard).toEqual(['ready', 'booted'])
  expect(FakeWorker.all).toHaveLength(1)
})

test('the early worker is used once, and the next one is fresh', async () => {
  const { startNodeWorkerEarly, takeNodeWorker } = await import('./start-node-worker.ts')
  startNodeWorkerEarly()
  expect(takeNodeWorker()).not.toBe(takeNodeWorker())
  expect(FakeWorker.all).toHaveLength(2)
})
