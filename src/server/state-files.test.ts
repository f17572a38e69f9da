import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'

const [FROM, TO] = DEV_KEYS.map(({ address }) => address)
const STRANGER = `0x${'5a'.repeat(20)}`

const server = serverOfEachTest()
const { start, stop, rpc } = server
let file: string
beforeEach(() => {
  file = path.join(server.folder, 'chain')
})

test('with --state the chain goes on where it stopped, with its blocks, older states and what was pre-confirmed', async () => {
  await start('--state', file)
  expect(server.printed).toContain(`At the end the chain is written to ${file}.`)
  const sealed = await rpc('eth_sendTransaction', { from: FROM, to: STRANGER, value: '0x7' })
  await server.clock.advance(2_000)
  await rpc('eth_sendTransaction', { from: FROM, to: STRANGER, value: '0x1' })
  await server.clock.advance(2_000)
  const live = await rpc('eth_sendTransaction', { from: FROM, to: STRANGER, value: '0x2' })
  await server.clock.advance(300)
  const block = await rpc('eth_getBlockByNumber', '0x1', true)
  await stop()
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect(await readdir(server.folder)).toEqual(['chain'])

  await start('--state', file)
  expect(server.printed).toContain(`The chain of ${file} goes on after block 2.`)
  expect(await rpc('eth_getBlockByNumber', '0x1', true)).toEqual(block)
  expect(await rpc('eth_getTransactionReceipt', sealed)).toMatchObject({ blockNumber: '0x1', status: '0x1' })
  expect(await rpc('eth_getBalance', STRANGER, '0x1')).toBe('0x7')
  expect(await rpc('eth_getBalance', STRANGER, 'latest')).toBe('0x8')
  expect(await rpc('eth_getTransactionReceipt', live)).toMatchObject({ status: '0x1' })
  expect(await rpc('eth_getBalance', STRANGER, 'pending')).toBe('0xa')
  await stop()
  await start('--load-state', file)
  expect(await rpc('eth_getBalance', STRANGER, 'pending')).toBe('0xa')
  expect(await rpc('devnet_getStorage')).toMatchObject({ kind: 'memory', usedBytes: null, quotaBytes: null, blocks: 3 })
})

test('the same command goes on with a chain that began in the past, at the present', async () => {
  const command = ['--state', file, '--timestamp', '1000', '--block-time', '1']
  await start(...command)
  await server.clock.advance(2_000)
  expect(await rpc('eth_getBlockByNumber', '0x2', false)).toMatchObject({ timestamp: '0x3ea' })
  await stop()
  await start(...command)
  const present = Math.floor(server.clock.now() / 1000)
  await server.clock.advance(2_000)
  const { number, timestamp } = (await rpc('eth_getBlockByNumber', 'latest', false)) as Record<string, string>
  expect(Number(number)).toBeGreaterThan(2)
  expect(Number(timestamp)).toBeGreaterThanOrEqual(present)
})

test('--load-state leaves the file as it is', async () => {
  await start('--dump-state', file, '--clock', 'manual')
  await stop()
  const before = await readFile(file)
  await start('--load-state', file)
  await rpc('devnet_tick', 11)
  await stop()
  expect((await readFile(file)).equals(before)).toBe(true)
})

test('with an interval the file is written while the chain runs', async () => {
  await start('--dump-state', file, '--state-interval', '3', '--clock', 'manual')
  expect(await readdir(server.folder)).toEqual([])
  await server.clock.advance(3_000)
  await expect.poll(() => readdir(server.folder)).toEqual(['chain'])
})

test('with accounts of anvil in JSON a new chain begins, and its file is not that JSON', async () => {
  const json = path.join(server.folder, 'anvil.json')
  const accounts = { [STRANGER]: { nonce: 3, balance: '0x5', code: '0x6001', storage: { '0x1': '0x2' } } }
  await writeFile(json, JSON.stringify({ block: { number: '0x9' }, accounts, best_block_number: 9, blocks: [] }))
  await start('--load-state', json, '--dump-state', file, '--clock', 'manual')
  expect(server.printed).toContain(
    `Block 1 has the accounts of ${json}; blocks and transactions are not taken from JSON.`,
  )
  expect(await rpc('eth_getBalance', STRANGER, 'latest')).toBe('0x5')
  expect(await rpc('eth_getTransactionCount', STRANGER, 'latest')).toBe('0x3')
  expect(await rpc('eth_getCode', STRANGER, 'latest')).toBe('0x6001')
  expect(await rpc('eth_getBalance', TO, 'latest')).toBe('0x21e19e0c9bab2400000')
  await stop()
  await expect(start('--state', json)).rejects.toThrow(
    `${json} cannot be written (--state): it is there and is no chain file, and a dump would replace it. Load it with --load-state, and write to another.`,
  )
})

test('accounts are funded besides what a file in JSON has, and a chain that goes on keeps what it began with', async () => {
  const json = path.join(server.folder, 'anvil.json')
  await writeFile(json, JSON.stringify({ accounts: { [STRANGER]: { nonce: 3, balance: '0x5', code: '0x6001' } } }))
  const other = `0x${'6b'.repeat(20)}`
  await start('--load-state', json, '--fund-accounts', `${STRANGER}:1`, `${other}:0.5`)
  expect(await rpc('eth_getAccountInfo', STRANGER, 'latest')).toEqual({
    balance: '0xde0b6b3a7640000',
    nonce: '0x3',
    code: '0x6001',
  })
  expect(await rpc('eth_getBalance', other, 'latest')).toBe('0x6f05b59d3b20000')
  await stop()

  const command = ['--state', file, '--fund-accounts', `${STRANGER}:1`]
  await start(...command)
  await rpc('anvil_setBalance', STRANGER, '0x7')
  await stop()
  await start(...command)
  expect(await rpc('eth_getBalance', STRANGER, 'latest')).toBe('0x7')
  await stop()
  await expect(start('--state', file, '--fund-accounts', `${STRANGER}:2`)).rejects.toThrow(
    /the stored chain was started with fundAccounts \(--fund-accounts\) .*: leave it out, or begin another chain/,
  )
})

describe('refused with a sentence, and nothing is left running, is', () => {
  test.each<[what: string, content: string | undefined, message: RegExp]>([
    ['a file that is not there', undefined, /chain cannot be loaded \(--load-state\): there is no such file\.$/u],
    ['one that is no chain', 'BLINKNET', /chain cannot be loaded \(--load-state\): the file is damaged/u],
    ['one without a chain', 'x', /: it is neither a chain file nor a state in JSON\.$/u],
    ['accounts that are a list', '{"accounts":[]}', /cannot be loaded \(--load-state\): .*cannot unmarshal/u],
    ['an account that is a number', `{"accounts":{"${STRANGER}":7}}`, /cannot unmarshal/u],
    ['a balance beyond all', `{"accounts":{"${STRANGER}":{"balance":"0x1${'0'.repeat(64)}"}}}`, /cannot be loaded/u],
    [
      'a balance of a million digits',
      `{"accounts":{"${STRANGER}":{"balance":"${'9'.repeat(1e6)}"}}}`,
      /^.{100,500}… is not an unsigned integer\.$/u,
    ],
    ['another version', '{"format":"blinknet-state","version":2,"accounts":{}}', /version 1/u],
  ])('%s', async (_what, content, message) => {
    if (content !== undefined) await writeFile(file, content)
    const refused = start('--load-state', file)
    await expect(refused).rejects.toMatchObject({ name: 'UsageError' })
    await expect(refused).rejects.toThrow(message)
  })

  test('a chain file with one changed byte, and one that was cut', async () => {
    await start('--dump-state', file, '--clock', 'manual')
    await rpc('eth_sendTransaction', { from: FROM, to: TO })
    await rpc('devnet_tick', 25)
    await stop()
    const bytes = await readFile(file)
    for (const at of [8, bytes.length >> 1, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await writeFile(file, changed)
      await expect(start('--load-state', file)).rejects.toMatchObject({ name: 'UsageError' })
      await writeFile(file, bytes.subarray(0, at))
      await expect(start('--load-state', file)).rejects.toMatchObject({ name: 'UsageError' })
    }
  })

  test('a chain with other options', async () => {
    await start('--dump-state', file, '--clock', 'manual', '--chain-id', '5')
    await stop()
    await expect(start('--load-state', file, '--chain-id', '6')).rejects.toThrow(
      /cannot be loaded \(--load-state\): the stored chain was started with chainId \(--chain-id\) 5, not 6/u,
    )
    await start('--load-state', file, '--chain-id', '5')
    expect(await rpc('eth_chainId')).toBe('0x5')
  })
})

test('a directory that is not there is said at the start, not when the chain is to be written', async () => {
  const directory = `${path.join(server.folder, 'none')}${path.sep}`
  await expect(start('--dump-state', directory, '--clock', 'manual')).rejects.toThrow(
    `${directory} cannot be written (--dump-state): there is no such directory.`,
  )
})

test('if the chain cannot be written at the end, that is said, and the chain is closed', async () => {
  await start('--dump-state', file, '--clock', 'manual')
  await rm(server.folder, { recursive: true })
  await expect(stop()).rejects.toMatchObject({ name: 'StateFileError' })
})
