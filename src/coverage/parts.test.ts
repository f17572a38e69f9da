import { existsSync } from 'node:fs'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createChain } from '#library/chain.ts'
import { fates } from '#library/fates.ts'
import type { Hex } from '#primitives/hex.ts'
import { beginParts, PARTS_VARIABLE, readLine, takeParts } from './parts.ts'
import { processCounts } from './process-counts.ts'

afterEach(() => {
  delete process.env[PARTS_VARIABLE]
})

/** Makes a contract whose code is a STOP, and calls it. */
async function useChain(executed?: false): Promise<void> {
  const chain = await createChain({ clock: 'manual', ...(executed === false && { executed }) })
  const [from] = await chain.request({ method: 'eth_accounts' })
  const hash = await chain.request({
    method: 'eth_sendTransaction',
    params: [{ from, data: '0x60015ff3', gas: '0x20000' } as never],
  })
  await chain.tick()
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  await chain.request({ method: 'eth_call', params: [{ to: receipt?.contractAddress as Hex }, 'pending'] })
  await chain.close()
}

test('chains of a process count for the reporter that has begun, each code once in its file', async () => {
  const folder = beginParts()
  await useChain()
  await useChain()
  const [name = ''] = await readdir(folder)
  const lines = (await readFile(path.join(folder, name), 'utf8')).trim().split('\n').map(readLine)
  expect(lines).toHaveLength(2)
  expect(lines[0]?.codes.map(({ code }) => code)).toEqual(['0x60015ff3', '0x00'])
  expect(lines[1]?.codes.map(({ code }) => code)).toEqual([undefined, undefined])
  const part = await takeParts(folder)
  expect(part.codes.map(({ code }) => code)).toEqual(['0x60015ff3', '0x00', '0x60015ff3', '0x00'])
  expect(part.gas).toHaveLength(2)
  expect(existsSync(folder)).toBe(false)
  expect(processCounts()).toBeUndefined()
})

test('a chain that says so is left out, as are all without a reporter', async () => {
  const folder = beginParts()
  await useChain(false)
  expect((await takeParts(folder)).codes).toEqual([])
  await useChain()
  expect(processCounts()).toBeUndefined()
})

test('what is written after the reporter has ended goes nowhere', async () => {
  const folder = beginParts()
  const counts = processCounts() ?? expect.fail('it counts')
  await takeParts(folder)
  counts.addHistories({ test: 'late', tried: 1, failed: [] })
  counts.write()
  expect(existsSync(folder)).toBe(false)
})

test('histories that a test was tried in reach the reporter', async () => {
  const folder = beginParts()
  const tried = { test: 'pays', tried: 3, failed: ['a reorg'] }
  processCounts()?.addHistories(tried)
  processCounts()?.write()
  expect((await takeParts(folder)).histories).toEqual([tried])
})

test('what a dapp does under faults counts for its history, and what is only looked for does not', async () => {
  const folder = beginParts()
  const { histories } = await fates({ depth: 1, kinds: ['late'] }, async ({ provider, chain }) => {
    const [from = '0x'] = await provider.request({ method: 'eth_accounts' })
    const call = { from, data: '0x60015ff3', gas: '0x20000' } as const
    await provider.request({ method: 'eth_sendTransaction', params: [call] })
    await chain.settle()
  })
  const { gas } = await takeParts(folder)
  const told = gas.map(({ history, amounts }) => [history, amounts.filter((_, i) => i % 2 === 1)])
  expect(histories).toBeGreaterThan(1)
  expect(told).toHaveLength(histories)
  expect(told).toContainEqual(['', [1]])
  expect(told.filter(([history]) => history !== '').every(([history]) => String(history).startsWith('late@'))).toBe(
    true,
  )
})

test('half a line of a process that was killed is passed over, and no link is followed', async () => {
  const folder = beginParts()
  const line = JSON.stringify({ codes: [], gas: [], leftOut: 2, histories: [] })
  await writeFile(path.join(folder, 'part-1.jsonl'), `${line}\n${line.slice(0, 9)}`)
  await writeFile(path.join(folder, 'other.txt'), 'passed over')
  expect(await takeParts(folder)).toMatchObject({ leftOut: 2 })
  const linked = beginParts()
  await symlink('/etc/passwd', path.join(linked, 'part-2.jsonl'))
  await expect(takeParts(linked)).rejects.toThrow('ELOOP')
  expect(existsSync(linked)).toBe(false)
})

test.each([
  '{}',
  '{"codes":[],"gas":5}',
  '{"codes":[{"hash":"0x00","isCreation":true,"kept":[1],"undone":[],"passed":[]}],"gas":[]}',
  '{"codes":[{"hash":"x","isCreation":true,"kept":[],"undone":[],"passed":[]}],"gas":[]}',
  '{"codes":[{"hash":"0x00","isCreation":1,"kept":[],"undone":[],"passed":[]}],"gas":[]}',
  '{"codes":[{"hash":"0x00","isCreation":true,"kept":[-1,2],"undone":[],"passed":[]}],"gas":[]}',
  '{"codes":[],"gas":[{"code":"0x00"}]}',
  '{"codes":[],"gas":[],"histories":[{"test":1}]}',
])('a line with %s is no part', (text) => {
  expect(() => readLine(text)).toThrow('part of coverage')
})

test('a code of which no line has the bytes is a reason to fail', async () => {
  const folder = beginParts()
  const codes = [{ hash: '0x01', isCreation: false, kept: [], undone: [], passed: [] }]
  await writeFile(path.join(folder, 'part-1.jsonl'), `${JSON.stringify({ codes, gas: [] })}\n`)
  await expect(takeParts(folder)).rejects.toThrow('part of coverage')
})
