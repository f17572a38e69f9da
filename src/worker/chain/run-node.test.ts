import { expect, test } from 'vitest'
import { JournalError, type JournalFailure } from '#node/storage/journal.ts'
import { MemoryJournal } from '#node/storage/memory-journal.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { RunningNode } from './leader-term.ts'
import { failureOf, type RunOptions, runNode } from './run-node.ts'

const MANUAL = { mode: 'manual' } as const
const run = (options: NodeOptions, given: Partial<RunOptions> & Pick<RunOptions, 'openJournal'>) =>
  runNode(options, { clock: new FakeClock(), log: () => {}, wasStored: false, ...given })
const failing = (code: JournalFailure, message = 'not now') => ({
  openJournal: async () => {
    throw new JournalError(code, message)
  },
})

async function ask(node: RunningNode, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const body = await node.connect().handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const response = JSON.parse(body ?? '') as JsonRpcResponse
  return 'error' in response ? response.error : response.result
}

test('without storage a new chain stays in memory, and says why', async () => {
  const node = await run(MANUAL, failing('unavailable'))
  expect(node.storage).toEqual({ kind: 'memory', reason: 'not now' })
  expect(await ask(node, 'devnet_getStorage')).toMatchObject({ kind: 'memory', canImport: false })
})

test('without storage the reason is a clause for people, and what the browser said is logged', async () => {
  const said = 'The browser gives no access to its storage. (InvalidStateError: A mutation operation (a put) failed.)'
  const logged: string[] = []
  const log = (_level: string, message: string) => logged.push(message)
  const node = await run(MANUAL, { ...failing('unavailable', said), log })
  expect(node.storage).toEqual({ kind: 'memory', reason: 'The browser gives no access to its storage' })
  expect(logged).toContain(said)
})

test('a chain that began after the browser had deleted the stored ones says so', async () => {
  const logged: string[] = []
  const log = (_level: string, message: string) => logged.push(message)
  const openJournal = async () => Object.assign(new MemoryJournal(), { deleted: 'checksum mismatch' })
  const node = await run(MANUAL, { openJournal, log })
  expect(node.storage).toEqual({ kind: 'journal', deleted: 'checksum mismatch' })
  expect(logged).toContain('The browser deleted its damaged storage. (checksum mismatch)')
})

test.each(['quota', 'corrupt', 'newer'] as const)('a chain that may be stored is not ignored: %s', async (code) => {
  await expect(run(MANUAL, failing(code))).rejects.toMatchObject({ code })
})

test('a stored chain that ran in another tab is not replaced by a new one when storage has become unavailable', async () => {
  await expect(run(MANUAL, { ...failing('unavailable'), wasStored: true })).rejects.toMatchObject({
    code: 'unavailable',
  })
})

test('a chain that moves to another tab keeps its options; after an erase it gets those of the tab', async () => {
  const journal = new MemoryJournal()
  const first = await run({ ...MANUAL, seed: 5 }, { openJournal: async () => journal })
  await first.stop()
  const again = await run({ ...MANUAL, seed: 6 }, { openJournal: async () => journal.reopen(), wasStored: true })
  expect(await ask(again, 'devnet_status')).toMatchObject({ seed: 5 })
  const erased = await run({ ...MANUAL, seed: 6 }, { openJournal: async () => new MemoryJournal(), wasStored: true })
  expect(await ask(erased, 'devnet_status')).toMatchObject({ seed: 6 })
})

test('replacing the chain is reported to the host, and the next node opens the new one', async () => {
  const journal = new MemoryJournal()
  let replaced = 0
  const node = await run(MANUAL, { openJournal: async () => journal, onReplaced: () => replaced++ })
  expect(await ask(node, 'devnet_startChain', [{ ...MANUAL, seed: 7 }])).toBe(true)
  expect(replaced).toBe(1)
  await node.stop()
  const next = await run({}, { openJournal: async () => journal.reopen(), wasStored: true })
  expect(await ask(next, 'devnet_status')).toMatchObject({ seed: 7, mode: 'manual' })
})

test('every failure to start a stored chain has a code, so that the page can offer what to do', async () => {
  const journal = new MemoryJournal()
  await (await run(MANUAL, { openJournal: async () => journal })).stop()
  const reopened = journal.reopen()
  reopened.readAll = () => Promise.reject(new Error('the disk has gone'))
  const error: unknown = await run({}, { openJournal: async () => reopened }).catch((thrown: unknown) => thrown)
  expect(failureOf(error)).toBe('not-started')
  expect(String(error)).toContain('the disk has gone')
})

test('a stored chain with invalid options counts as damaged, not as a bad request', async () => {
  const journal = new MemoryJournal()
  await (await run(MANUAL, { openJournal: async () => journal })).stop()
  const reopened = journal.reopen()
  const record = (await reopened.read('meta', 'chain')) ?? new Uint8Array()
  const text = String.fromCharCode(...record).replace('"manual"', '"fast"')
  const value = Uint8Array.from(text, (character) => character.charCodeAt(0))
  await reopened.write([{ kind: 'put', part: 'meta', key: 'chain', value }])
  const error: unknown = await run({}, { openJournal: async () => reopened }).catch((thrown: unknown) => thrown)
  expect(failureOf(error)).toBe('corrupt')
})

test('each failure that a person can fix has its code', async () => {
  const journal = new MemoryJournal()
  const first = await run({ ...MANUAL, seed: 5 }, { openJournal: async () => journal })
  await first.stop()
  const codeOf = async (options: NodeOptions, next: MemoryJournal) =>
    failureOf(await run(options, { openJournal: async () => next }).catch((error: unknown) => error))
  expect(await codeOf({ seed: 6 }, journal.reopen())).toBe('other-options')
  expect(await codeOf({ baseFee: 1, minBaseFee: 2 }, new MemoryJournal())).toBe('invalid-options')
  expect(failureOf(new JournalError('newer', ''))).toBe('newer')
  expect(failureOf(new JournalError('taken-over', ''))).toBeUndefined()
  expect(failureOf(new Error('a bug'))).toBeUndefined()
})

test('options that come from an address alone are not used for a new stored chain, unless they are the defaults', async () => {
  const journal = new MemoryJournal()
  const linked = await run({ ...MANUAL, chainId: 1 }, { openJournal: async () => journal, unasked: true })
  expect(linked.storage).toMatchObject({ kind: 'memory', unasked: true })
  expect(await ask(linked, 'eth_chainId')).toBe('0x1')
  await linked.stop()

  const plain = await run({ chainId: 31337, speed: 2 }, { openJournal: async () => journal.reopen(), unasked: true })
  expect(plain.storage).toEqual({ kind: 'journal' })
  expect(await ask(plain, 'eth_chainId')).toBe('0x7a69')
  await plain.stop()
})

test('an address with the options of a stored chain opens it', async () => {
  const journal = new MemoryJournal()
  await (await run(MANUAL, { openJournal: async () => journal })).stop()
  const again = await run(MANUAL, { openJournal: async () => journal.reopen(), unasked: true })
  expect(again.storage).toEqual({ kind: 'journal' })
  const other = run({ ...MANUAL, chainId: 1 }, { openJournal: async () => journal.reopen(), unasked: true })
  await expect(other).rejects.toThrow('the stored chain was started with the default chainId')
})
