import { expect, test } from 'vitest'
import { FakeWorker } from '#testing/transport/fake-worker.ts'
import type { FromSigner, SigningJob, ToSigner } from '#transport/signing-messages.ts'
import { spawnSigner } from './spawn-signer.ts'

const JOBS = [{ nonce: 1n }] as unknown as readonly SigningJob[]

function spawn() {
  const worker = new FakeWorker<ToSigner, FromSigner>()
  return { worker, signer: spawnSigner(() => worker) }
}

/** Lets pending promises continue. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('nothing is posted before the worker is ready, as it would be lost', async () => {
  const { worker, signer } = spawn()
  const signing = signer.sign(JOBS)
  await settled()
  expect(worker.received).toEqual([])
  worker.say({ kind: 'ready' })
  await settled()
  expect(worker.received).toEqual([{ id: 1, jobs: JOBS }])
  worker.say({ kind: 'signed', id: 1, raws: ['0x01'] })
  expect(await signing).toEqual(['0x01'])
})

test('answers find their requests in any order', async () => {
  const { worker, signer } = spawn()
  worker.say({ kind: 'ready' })
  const both = [signer.sign(JOBS), signer.sign(JOBS)]
  await settled()
  worker.say({ kind: 'signed', id: 2, raws: ['0x02'] })
  worker.say({ kind: 'signed', id: 1, raws: ['0x01'] })
  expect(await Promise.all(both)).toEqual([['0x01'], ['0x02']])
})

test('a request that cannot be signed fails alone, and the next one is signed', async () => {
  const { worker, signer } = spawn()
  worker.say({ kind: 'ready' })
  const bad = signer.sign(JOBS)
  const good = signer.sign(JOBS)
  await settled()
  worker.say({ kind: 'failed', id: 1, message: 'a bad key' })
  worker.say({ kind: 'signed', id: 2, raws: ['0x02'] })
  await expect(bad).rejects.toThrow('a bad key')
  expect(await good).toEqual(['0x02'])
  expect(worker.ended).toBe(false)
})

test('when the worker fails, pending and later requests fail', async () => {
  const { worker, signer } = spawn()
  worker.say({ kind: 'ready' })
  const underWay = signer.sign(JOBS)
  await settled()
  worker.fail('out of memory')
  await expect(underWay).rejects.toThrow('the signing worker failed: out of memory')
  await expect(signer.sign(JOBS)).rejects.toThrow('out of memory')
  expect(worker.ended).toBe(true)
})

test('closing ends requests that wait for a worker that was never ready', async () => {
  const { worker, signer } = spawn()
  const waiting = signer.sign(JOBS)
  signer.close()
  await expect(waiting).rejects.toThrow('the signer was closed')
  expect(worker.ended).toBe(true)
  expect(worker.received).toEqual([])
})
