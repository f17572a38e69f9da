import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encodeFunctionData, parseAbi } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { createdAddress } from '#node/evm/contract-address.ts'
import { CREATE2_DEPLOYER } from '#node/spec/preinstalled-contracts.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { StateDump } from '#rpc-types/state-dump.ts'
import { ENTRY_POINT_VERSIONS, ENTRY_POINTS, type EntryPointVersion } from '#server/cli/entry-points.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { serveChain } from '#testing/server/served-chain.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'
import { placeEntryPoints } from './place-entry-points.ts'
import { readEntryPoints } from './read-entry-points.ts'

const server = serverOfEachTest()
const { start, stop, rpc } = server

const [FROM] = DEV_KEYS.map(({ address }) => address) as [Address]
const HERE = process.cwd()
/** What this project calls the packages. */
const ALIASES: Readonly<Record<EntryPointVersion, string>> = { '0.6': 'aa06', '0.7': 'aa07', '0.8': 'aa08' }
/** The contract that an EntryPoint's constructor creates. */
const senderCreator = (version: EntryPointVersion) => createdAddress(ENTRY_POINTS[version].address, 1n)
const contractsOf = (version: EntryPointVersion) => [ENTRY_POINTS[version].address, senderCreator(version)]

/** A project in a folder of its own that has these packages, by these names. */
async function project(packages: Readonly<Record<string, EntryPointVersion>>, manifest: object = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'blinknet-project-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  for (const [name, version] of Object.entries(packages)) {
    const target = path.join(folder, 'node_modules', name)
    await mkdir(path.dirname(target), { recursive: true })
    await symlink(path.join(HERE, 'node_modules', ALIASES[version]), target)
  }
  return folder
}

test.each(ENTRY_POINT_VERSIONS)('the EntryPoint %s is what its transaction makes, in block 0', async (version) => {
  const [{ data } = { data: '0x' as Hex }] = await readEntryPoints([version], HERE)
  const sent = await createTestNode({ mode: 'manual' })
  await sent.request('eth_sendTransaction', [{ from: FROM, to: CREATE2_DEPLOYER, data, gas: '0x800000' }])
  await sent.request('evm_mine')
  const { accounts } = await sent.request('devnet_exportState')

  await start('--clock', 'manual', '--entrypoint', version)
  expect(await rpc('eth_blockNumber')).toBe('0x0')
  expect(server.printed).toContain(`The EntryPoint ${version} is at ${ENTRY_POINTS[version].address}.`)
  const here = ((await rpc('devnet_exportState')) as StateDump).accounts
  for (const address of contractsOf(version)) {
    expect(accounts[address]?.code).toBeDefined()
    expect(here[address]).toEqual(accounts[address])
  }
  // Nobody has paid, and the accounts' first contracts are where they are without it.
  expect(here[FROM]).toEqual({ balance: '0x21e19e0c9bab2400000', nonce: '0x0' })
  // A chain that starts over still has it.
  await rpc('devnet_tick', 11)
  await rpc('devnet_reset')
  expect(await rpc('eth_getCode', ENTRY_POINTS[version].address, 'latest')).toBe(
    accounts[ENTRY_POINTS[version].address]?.code,
  )
})

test('several stand beside each other, and know their SenderCreator and their chain', async () => {
  await start('--clock', 'manual', '--chain-id', '77', '--entrypoint', '0.6,0.7', '--entrypoint', '0.8')
  for (const version of ENTRY_POINT_VERSIONS) {
    for (const address of contractsOf(version)) expect(await rpc('eth_getCode', address, 'latest')).not.toBe('0x')
  }
  const call = (functionName: 'senderCreator' | 'eip712Domain') =>
    rpc('eth_call', {
      to: ENTRY_POINTS['0.8'].address,
      data: encodeFunctionData({
        abi: parseAbi(['function senderCreator() view returns (address)', 'function eip712Domain() view']),
        functionName,
      }),
    })
  expect(await call('senderCreator')).toBe(`0x${senderCreator('0.8').slice(2).padStart(64, '0')}`)
  expect(await call('eip712Domain')).toContain(
    `${(77).toString(16).padStart(64, '0')}${ENTRY_POINTS['0.8'].address.slice(2).padStart(64, '0')}`,
  )
})

test('a stored chain keeps it, and one that was stored without it gets it in a block', async () => {
  const { folder } = server
  await start('--clock', 'manual', '--data', folder, '--entrypoint', '0.7')
  const hash = ((await rpc('eth_getBlockByNumber', '0x0', false)) as { hash: Hex }).hash
  await rpc('devnet_tick', 11)
  await stop()
  for (const flags of [['--entrypoint', '0.7'], []]) {
    await start('--data', folder, ...flags)
    expect(await rpc('eth_blockNumber')).toBe('0x1')
    expect(await rpc('eth_getBlockByNumber', '0x0', false)).toMatchObject({ hash })
    expect(await rpc('eth_getCode', ENTRY_POINTS['0.7'].address, 'latest')).not.toBe('0x')
    await stop()
  }
  await start('--data', folder, '--entrypoint', '0.7,0.8')
  expect(await rpc('eth_blockNumber')).toBe('0x2')
  expect(await rpc('eth_getCode', senderCreator('0.8'), 'latest')).not.toBe('0x')
  const root = ((await rpc('eth_getBlockByNumber', '0x2', false)) as { stateRoot: Hex }).stateRoot
  await stop()
  // Opening it executes it again, and finds the root that the header has.
  await start('--data', folder)
  expect(await rpc('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number: '0x2', stateRoot: root })
  expect(server.logged).toEqual([])
})

test('a fork of a chain that has it keeps that one, and a fork of another gets it, also after anvil_reset', async () => {
  const [with07, without] = [
    await createTestNode({ mode: 'manual', chainId: 7 }),
    await createTestNode({ mode: 'manual', chainId: 8 }),
  ]
  // Whatever the real chain has there.
  await with07.request('anvil_setCode', [ENTRY_POINTS['0.7'].address, '0x5f5ff3'])
  const served = [await serveChain(with07), await serveChain(without)]
  onTestFinished(async () => {
    for (const each of served) await each.close()
  })
  const [having, lacking] = served.map(({ url }) => url) as [string, string]
  await start('--clock', 'manual', '--fork-url', having, '--entrypoint', '0.7')
  const code = () => rpc('eth_getCode', ENTRY_POINTS['0.7'].address, 'latest')
  expect(await code()).toBe('0x5f5ff3')
  await rpc('anvil_reset', { forking: { jsonRpcUrl: lacking } })
  expect(await rpc('eth_chainId')).toBe('0x8')
  expect((await code()) as string).toHaveLength(2 + 2 * 16_035)
  await rpc('anvil_reset')
  expect(await rpc('eth_chainId')).toBe('0x7a69')
  expect((await code()) as string).toHaveLength(2 + 2 * 16_035)
})

test('it needs no CREATE2 deployer on the chain, and brings none', async () => {
  await start('--clock', 'manual', '--disable-default-create2-deployer', '--entrypoint', '0.8')
  expect(await rpc('eth_getCode', ENTRY_POINTS['0.8'].address, 'latest')).not.toBe('0x')
  expect(await rpc('eth_getCode', CREATE2_DEPLOYER, 'latest')).toBe('0x')
})

test('each chain of a server has its own', async () => {
  const file = path.join(server.folder, 'chains.json')
  await writeFile(
    file,
    JSON.stringify({ l1: { chainId: 1, entrypoint: '0.6' }, l2: { chainId: 10, entrypoint: ['0.7', '0.8'] } }),
  )
  await start('--clock', 'manual', '--chains', file)
  const has = async (name: string) => {
    const found: string[] = []
    for (const version of ENTRY_POINT_VERSIONS) {
      const body = { jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [ENTRY_POINTS[version].address, 'latest'] }
      const response = await fetch(`http://127.0.0.1:${server.port}/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (((await response.json()) as { result: string }).result !== '0x') found.push(version)
    }
    return found
  }
  expect(await has('l1')).toEqual(['0.6'])
  expect(await has('l2')).toEqual(['0.7', '0.8'])
})

test('a chain that cannot have such long codes says so', async () => {
  await expect(start('--clock', 'manual', '--code-size-limit', '9000', '--entrypoint', '0.7')).rejects.toThrow(
    'The EntryPoint 0.7 cannot be created on this chain',
  )
})

test('the package may have its own name or an alias, here or further up', async () => {
  const named = await project({ '@account-abstraction/contracts': '0.7' })
  const [{ address, data } = { address: '', data: '' }] = await readEntryPoints(['0.7'], named)
  expect(address).toBe(ENTRY_POINTS['0.7'].address)
  const below = path.join(
    await project(
      { '@account-abstraction/contracts': '0.8', old: '0.7' },
      { devDependencies: { old: 'npm:@account-abstraction/contracts@0.7.0', viem: '2.0.0' } },
    ),
    'packages',
    'app',
  )
  await mkdir(below, { recursive: true })
  expect((await readEntryPoints(['0.8', '0.7'], below)).map((each) => each.version)).toEqual(['0.8', '0.7'])
  expect((await readEntryPoints(['0.7'], below))[0]?.data).toBe(data)
})

test('what is not installed is named with the command that installs it', async () => {
  const none = await project({})
  await expect(readEntryPoints(['0.7'], none)).rejects.toMatchObject({
    name: 'UsageError',
    message: `The EntryPoint 0.7 is not installed in ${none}: npm install --save-dev @account-abstraction/contracts@0.7.0`,
  })
  const other = await project({ '@account-abstraction/contracts': '0.6' })
  await expect(readEntryPoints(['0.8'], other)).rejects.toThrow(
    `The EntryPoint 0.8 is not installed in ${other}, where 0.6.0 is: npm install --save-dev aa08@npm:@account-abstraction/contracts@0.8.0`,
  )
  const node = await createTestNode({ mode: 'manual' })
  await expect(placeEntryPoints(node.node, ['0.8'], none)).rejects.toThrow('is not installed')
  expect(await node.request('eth_blockNumber')).toBe('0x0')
})

test.each([
  ['no JSON', '{'],
  ['no object', '[]'],
  ['no code', '{"abi":[]}'],
  ['a code with holes', '{"bytecode":"0x60__$abc$__"}'],
  ['another code', '{"bytecode":"0x6000"}'],
  ['more bytes than any artifact has', `{"bytecode":"0x${'00'.repeat(1 << 21)}"}`],
])('an artifact that is %s is not the EntryPoint', async (_, text) => {
  const folder = await project({})
  const artifacts = path.join(folder, 'node_modules/@account-abstraction/contracts/artifacts')
  await mkdir(artifacts, { recursive: true })
  await writeFile(path.join(artifacts, 'EntryPoint.json'), text)
  await expect(readEntryPoints(['0.7'], folder)).rejects.toThrow('The EntryPoint 0.7 is not installed in')
})
