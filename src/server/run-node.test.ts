import { EventEmitter, once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'
import { logRejections, outliveReaders } from './run-node.ts'

/** A test vector of BIP-39. */
const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const server = serverOfEachTest()
const { start, stop, rpc } = server

test('without --data every start is a new chain', async () => {
  await start('--clock', 'manual')
  await rpc('devnet_tick', 11)
  expect(await rpc('eth_blockNumber')).toBe('0x1')
  await stop()
  await start('--clock', 'manual')
  expect(await rpc('eth_blockNumber')).toBe('0x0')
  expect(server.printed).not.toMatch(/kept|goes on/)
})

test('with --data the chain is kept, and continues where it stopped', async () => {
  const data = path.join(server.folder, 'new', 'chain')
  await start('--data', data, '--clock', 'manual')
  expect(server.printed).toContain(`The chain is kept in ${data}`)
  const [from, to] = DEV_KEYS.map(({ address }) => address)
  const hash = await rpc('eth_sendTransaction', { from, to, value: '0x7' })
  await rpc('devnet_tick', 11)
  const sealed = await rpc('eth_getBlockByNumber', '0x1', true)
  await stop()

  await start('--data', data)
  expect(server.printed).toContain(`The chain in ${data} goes on after block 1.`)
  expect(server.printed).toContain('manual clock')
  expect(await rpc('eth_getBlockByNumber', '0x1', true)).toEqual(sealed)
  expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x1', status: '0x1' })
  await rpc('devnet_tick', 10)
  expect(await rpc('eth_blockNumber')).toBe('0x2')
  expect(server.logged).toEqual([])
})

test('a chain that goes on has the accounts that it was started with, and their keys are not printed', async () => {
  await start('--data', server.folder, '--clock', 'manual', '--mnemonic', MNEMONIC, '--accounts', '2', '--balance', '5')
  const accounts = (await rpc('eth_accounts')) as string[]
  expect((await stat(path.join(server.folder, 'blinknet.journal'))).mode & 0o077).toBe(0)
  await stop()
  await start('--data', server.folder)
  expect(await rpc('eth_accounts')).toEqual(accounts)
  expect(server.printed).toContain('These accounts are from your mnemonic.')
  expect(server.printed).toContain(`(1) ${accounts[1]}  5 ETH`)
  expect(server.printed).not.toContain('key 0x')
})

test('a directory with another chain is refused, and free afterwards', async () => {
  await start('--data', server.folder, '--clock', 'manual', '--chain-id', '5')
  await stop()
  await expect(start('--data', server.folder, '--chain-id', '6')).rejects.toMatchObject({ name: 'InvalidOptionError' })
  await start('--data', server.folder, '--chain-id', '5')
  expect(await rpc('eth_chainId')).toBe('0x5')
})

test('a stored chain whose contracts accept forged signatures gets no guests, and is free afterwards', async () => {
  const { folder } = server
  await start('--data', folder, '--clock', 'manual', '--impersonated-signatures')
  await stop()
  await expect(start('--data', folder, '--host', '127.0.0.1', '--room')).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining('guests could sign for one another') as string,
  })
  await start('--data', folder)
  expect(await rpc('eth_blockNumber')).toBe('0x0')
})

test('two servers cannot have one directory', async () => {
  await start('--data', server.folder, '--clock', 'manual')
  await expect(start('--data', server.folder)).rejects.toMatchObject({ name: 'JournalError', code: 'unavailable' })
  expect(await rpc('eth_blockNumber')).toBe('0x0')
})

test('if the server cannot listen, it releases the directory', async () => {
  await start('--clock', 'manual')
  const { port } = server
  const data = ['--data', path.join(server.folder, 'chain'), '--clock', 'manual']
  await expect(start(...data, '--port', String(port))).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await stop()
  await start(...data)
  expect(await rpc('eth_blockNumber')).toBe('0x0')
})

test('without mining only calls seal a block, and every account may send', async () => {
  await start('--no-mining', '--auto-impersonate')
  const stranger = `0x${'5a'.repeat(20)}`
  await rpc('anvil_setBalance', stranger, '0xde0b6b3a7640000')
  await rpc('eth_sendTransaction', { from: stranger, to: stranger })
  await server.clock.advance(10_000)
  expect(await rpc('eth_blockNumber')).toBe('0x1')
  await rpc('evm_mine')
  expect(await rpc('eth_getBlockByNumber', '0x2', false)).toMatchObject({ transactions: [expect.anything()] })
})

test('a block is sealed at each block time', async () => {
  await start('--block-time', '1')
  await server.clock.advance(3_000)
  expect(await rpc('eth_blockNumber')).toBe('0x3')
})

test.each([1_000, 4_000_000_000])('the time of a new chain goes on from a timestamp: %d', async (timestamp) => {
  await start('--timestamp', String(timestamp))
  await server.clock.advance(4_000)
  expect(await rpc('eth_getBlockByNumber', '0x0', false)).toMatchObject({ timestamp: `0x${timestamp.toString(16)}` })
  expect(await rpc('eth_getBlockByNumber', '0x2', false)).toMatchObject({
    timestamp: `0x${(timestamp + 4).toString(16)}`,
  })
})

test('several hosts have the same port, and the names of all', async () => {
  await start('--host', '127.0.0.1,127.0.0.2')
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const response = await fetch(`http://${host}:${server.port}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    })
    expect(await response.json()).toMatchObject({ result: '0x7a69' })
  }
})

test('of several hosts none is served where one cannot be', async () => {
  await expect(start('--host', '127.0.0.1,192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})

test('accounts and fees are written as anvil writes them, for this user alone', async () => {
  const file = path.join(server.folder, 'config.json')
  // Anyone can read the file, and may hold it open.
  await writeFile(file, 'before', { mode: 0o644 })
  await start('--config-out', file, '--mnemonic', MNEMONIC, '--accounts', '1', '--clock', 'manual')
  const [account] = (await rpc('eth_accounts')) as string[]
  const written: unknown = JSON.parse(await readFile(file, 'utf8'))
  expect(written).toMatchObject({
    available_accounts: [account],
    private_keys: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
    wallet: { mnemonic: MNEMONIC, derivation_path: "m/44'/60'/0'/0/" },
    base_fee: '1000000000',
    gas_limit: '400000000',
    genesis_timestamp: '1735689600',
  })
  expect((await stat(file)).mode & 0o077).toBe(0)
})

test('where they cannot be written, the port and the directory are free again', async () => {
  const missing = path.join(server.folder, 'missing', 'config.json')
  const refused = start('--data', server.folder, '--config-out', missing)
  await expect(refused).rejects.toMatchObject({ name: 'UsageError' })
  await expect(refused).rejects.toThrow(`${missing} cannot be written (--config-out): ENOENT`)
  await start('--data', server.folder)
})

test('with --mixed-mining a block is sealed at each send, and as often as --block-time says', async () => {
  await start('--mixed-mining', '--block-time', '4')
  expect(server.printed).toContain('automine: each transaction is sealed at once, and a block every 4000 ms.')
  const [from, to] = DEV_KEYS.map(({ address }) => address)
  const hash = await rpc('eth_sendTransaction', { from, to })
  expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x1' })
  await server.clock.advance(3_999)
  expect(await rpc('eth_blockNumber')).toBe('0x1')
  await server.clock.advance(1)
  await expect.poll(() => rpc('eth_blockNumber')).toBe('0x2')
  await server.clock.advance(4_000)
  await expect.poll(() => rpc('eth_blockNumber')).toBe('0x3')
  // The chain is driven by nothing until automine is on again.
  await rpc('evm_setAutomine', false)
  await server.clock.advance(8_000)
  const before = await rpc('eth_blockNumber')
  await rpc('evm_setAutomine', true)
  await server.clock.advance(4_000)
  await expect.poll(async () => Number(await rpc('eth_blockNumber'))).toBeGreaterThan(Number(before))
})

test('with --disable-min-priority-fee the node suggests no tip', async () => {
  await start('--disable-min-priority-fee', '--clock', 'manual', '--base-fee', '7000000')
  expect(await rpc('eth_gasPrice')).toBe(await rpc('eth_baseFee'))
  expect(await rpc('eth_maxPriorityFeePerGas')).toBe('0x0')
  const [from, to] = DEV_KEYS.map(({ address }) => address)
  const hash = await rpc('eth_sendTransaction', { from, to })
  expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject({ maxPriorityFeePerGas: '0x0' })
})

test('with --ipc the chain listens at a socket as well, and where it cannot, the port is free again', async () => {
  const file = path.join(server.folder, 'node.ipc')
  await start('--ipc', file, '--clock', 'manual')
  expect(server.printed).toContain(`Listening at the socket ${file}`)
  const socket = connect(file)
  socket.end('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(String(answer)).toBe('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}\n')
  await stop()
  await expect(stat(file)).rejects.toThrow('ENOENT')
  await writeFile(file, 'precious')
  const refused = start('--ipc', file)
  await expect(refused).rejects.toMatchObject({ name: 'UsageError' })
  await expect(refused).rejects.toThrow(`There can be no socket at ${file} (--ipc): it is there and is no socket.`)
  expect(await readFile(file, 'utf8')).toBe('precious')
})

test('a write that a crash cut short is reported', async () => {
  await start('--data', server.folder, '--clock', 'manual')
  await stop()
  await writeFile(path.join(server.folder, 'blinknet.journal'), 'half a write', { flag: 'a' })
  await start('--data', server.folder)
  expect(server.logged).toEqual([`a crash cut short the last write to ${server.folder}; its 12 bytes are dropped`])
})

test('an unhandled rejection is logged, and the process goes on', async () => {
  const host = new EventEmitter<{ unhandledRejection: [unknown] }>()
  const entries: unknown[] = []
  logRejections(host, (...entry) => entries.push(entry))
  const reason = new Error('a tick that nobody looked at')
  host.emit('unhandledRejection', reason)
  expect(entries).toEqual([['error', 'internal error that nobody waited for', reason]])
})

test('a chain goes on when nobody reads its output any more', () => {
  const host = { stdout: new EventEmitter(), stderr: new EventEmitter() }
  const broken = new Error('write EPIPE')
  expect(() => host.stderr.emit('error', broken)).toThrow(broken)
  outliveReaders(host as never)
  expect(host.stdout.emit('error', broken) && host.stderr.emit('error', broken)).toBe(true)
})
