import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { RpcStackTrace } from '#rpc-types/stack-trace.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { readArtifacts } from './read-artifacts.ts'

const SOURCE = `pragma solidity ^0.8.0;
contract Sum {
  function add(uint256 a) external pure returns (uint256) {
    return a + 1;
  }
}`
const json = compileStandard({ 'src/Sum.sol': SOURCE })
const contract = json.output.contracts['src/Sum.sol']?.['Sum']
const FAILS = `0x1003e2d2${'ff'.repeat(32)}`
const AT = `0x${'c0'.repeat(20)}`
const code = `0x${contract?.evm.deployedBytecode.object ?? ''}`

/** As Foundry writes it. */
const artifact = {
  abi: contract?.abi,
  bytecode: { ...contract?.evm.bytecode, object: `0x${contract?.evm.bytecode.object ?? ''}` },
  deployedBytecode: { ...contract?.evm.deployedBytecode, object: code },
  ast: json.output.sources['src/Sum.sol']?.ast,
  id: json.output.sources['src/Sum.sol']?.id,
}

const server = serverOfEachTest()

/** Where the call that overflows fails, by the server's answer. */
const stackOf = async () =>
  (await server.rpc('devnet_getStackTrace', { call: { to: AT, data: FAILS } })) as RpcStackTrace | null

/** Written beside and moved, so that nobody reads half of it. */
async function write(name: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(name), { recursive: true })
  await writeFile(`${name}.new`, typeof content === 'string' ? content : JSON.stringify(content))
  await rename(`${name}.new`, name)
}

test('artifacts of Hardhat are read, also when they come later, and broken ones are said once', async () => {
  const folder = path.join(server.folder, 'artifacts')
  await write(path.join(folder, 'contracts', 'Broken.json'), '{"abi": [')
  await server.start('--clock', 'manual', '--artifacts', folder)
  await server.rpc('anvil_setCode', AT, code)
  expect(await stackOf()).toBeNull()
  await write(path.join(folder, 'build-info', 'b1.json'), { id: 'b1', solcVersion: '0.8.30', ...json })
  await expect
    .poll(async () => {
      await server.clock.advance(300)
      return stackOf()
    })
    .toMatchObject({
      message: 'execution reverted: arithmetic overflow or underflow',
      stack: [{ contract: 'Sum', function: 'add', file: 'src/Sum.sol', line: 4 }],
    })
  expect(await server.rpc('devnet_getBuild', AT)).toMatchObject({ contract: 'Sum', input: json.input })
  const broken = server.logged.filter((line) => line.includes('Broken.json'))
  expect(broken).toEqual(['contracts/Broken.json is passed over (--artifacts): the file is not JSON'])
})

test('artifacts of Foundry get their sources from the project, and from nowhere else', async () => {
  const folder = path.join(server.folder, 'project', 'out')
  await write(path.join(server.folder, 'project', 'src', 'Sum.sol'), SOURCE)
  await write(path.join(server.folder, 'secret.sol'), SOURCE)
  await write(path.join(folder, 'Sum.sol', 'Sum.json'), artifact)
  await server.start('--clock', 'manual', '--artifacts', folder)
  await server.rpc('anvil_setCode', AT, code)
  expect((await stackOf())?.stack[0]).toMatchObject({ contract: 'Sum', function: 'add', file: 'src/Sum.sol', line: 4 })
  expect(await server.rpc('devnet_getBuild', AT)).toMatchObject({
    ...{ contract: 'Sum', path: 'src/Sum.sol', input: { sources: { 'src/Sum.sol': { content: SOURCE } } } },
    output: { contracts: { 'src/Sum.sol': { Sum: { evm: { deployedBytecode: { object: code.slice(2) } } } } } },
  })
})

test('no artifact has a file read that is outside of the project, or is no source', async () => {
  const folder = path.join(server.folder, 'project', 'out')
  const named = { 'near.sol': 'near', '../far.sol': undefined, 'keys.env': undefined }
  await Promise.all(
    Object.entries({ 'near.sol': 'near', '../far.sol': 'far', 'keys.env': 'keys' }).map(async ([file, text], id) => {
      await write(path.join(server.folder, 'project', file), text)
      await write(path.join(folder, `${id}.json`), { ...artifact, ast: { absolutePath: file }, id })
    }),
  )
  const { builds } = await readArtifacts(folder)
  const found = builds.flatMap(({ build }) => build.sources.map((source) => [source.path, source.content] as const))
  expect(Object.fromEntries(found)).toEqual(named)
})

test('symbolic links are not followed', async () => {
  const folder = path.join(server.folder, 'artifacts')
  await write(path.join(server.folder, 'elsewhere', 'b1.json'), { id: 'b1', ...json })
  await mkdir(folder)
  await symlink(path.join(server.folder, 'elsewhere'), path.join(folder, 'build-info'))
  await symlink(path.join(server.folder, 'elsewhere', 'b1.json'), path.join(folder, 'b1.json'))
  expect(await readArtifacts(folder)).toEqual({ builds: [], refused: [] })
})

test('of a hostile folder nothing is waited for, nothing overflows, and the log has harmless words', async () => {
  const folder = path.join(server.folder, 'project', 'out')
  await write(path.join(folder, 'Deep.json'), `${'['.repeat(200_000)}${']'.repeat(200_000)}`)
  const nested = `${'{"nodes":['.repeat(20_000)}${']}'.repeat(20_000)}`
  await write(path.join(folder, 'Tree.json'), `{"input":{},"output":{"sources":{"a.sol":{"id":0,"ast":${nested}}}}}`)
  await write(path.join(folder, 'Keys.json'), '{"__proto__":{"input":{}},"id":"constructor","output":{"sources":{}}}')
  await write(path.join(folder, 'Text\u001b[2J.json'), '{')
  await mkdir(path.join(folder, 'Folder.json'))
  await writeFile(path.join(folder, 'Large.json'), '')
  await truncate(path.join(folder, 'Large.json'), (64 << 20) + 1)
  const names = ['../pipe.sol', 'pipe.sol', 'folder.sol', 'gone.sol', 'nul\0.sol']
  await write(path.join(folder, 'build-info', 'sources.json'), {
    source_id_to_path: Object.fromEntries(names.entries()),
  })
  await mkdir(path.join(server.folder, 'project', 'folder.sol'))
  execFileSync('mkfifo', [path.join(server.folder, 'project', 'pipe.sol')])
  await write(path.join(folder, 'build-info', 'b1.json'), { id: 'b1', solcVersion: '0.8.30', ...json })
  await server.start('--clock', 'manual', '--artifacts', folder)
  expect(server.logged).toEqual([
    'Large.json is passed over (--artifacts): the file has more than 67108864 bytes',
    'pipe.sol is passed over (--artifacts): it is not a file',
    'folder.sol is passed over (--artifacts): it is not a file',
    'Text\\u{1b}[2J.json is passed over (--artifacts): the file is not JSON',
    `contracts known from ${folder}: 1 (builds: 3)`,
  ])
  await server.rpc('anvil_setCode', AT, code)
  expect((await stackOf())?.stack[0]).toMatchObject({ contract: 'Sum', file: 'src/Sum.sol', line: 4 })
})

test('what there is no room for is said once', async () => {
  const folder = path.join(server.folder, 'artifacts')
  for (const name of ['a', 'b', 'c', 'd']) await write(path.join(folder, `${name}.json`), '{}')
  const { refused } = await readArtifacts(folder, { files: 2, bytes: 100 })
  expect(refused).toEqual([{ path: 'c.json', reason: expect.stringContaining('there are more than') as string }])
  expect((await readArtifacts(folder, { files: 4, bytes: 8 })).refused).toEqual([])
  expect((await readArtifacts(folder, { files: 4, bytes: 7 })).refused).toHaveLength(1)
})

test('a folder that a clean build removes and writes anew is read again', async () => {
  const folder = path.join(server.folder, 'artifacts')
  const info = path.join(folder, 'build-info', 'b1.json')
  await mkdir(folder)
  await server.start('--clock', 'manual', '--artifacts', folder)
  await server.rpc('anvil_setCode', AT, code)
  const newest = async () => {
    await server.clock.advance(1_000)
    return server.logged.at(-1)
  }
  await rm(folder, { recursive: true })
  await expect.poll(newest).toMatch(/artifacts cannot be read \(--artifacts\): ENOENT/)
  await write(info, { id: 'b1', solcVersion: '0.8.30', ...json })
  await expect.poll(newest).toBe(`contracts known from ${folder}: 1 (builds: 1)`)
  expect((await stackOf())?.stack[0]).toMatchObject({ contract: 'Sum', line: 4 })
})

test('a chain that cannot be opened ends the watching, so that the process can end', async () => {
  const folder = path.join(server.folder, 'artifacts')
  await mkdir(folder)
  const data = path.join(server.folder, 'data')
  await writeFile(data, 'not a directory')
  await expect(server.start('--artifacts', folder, '--data', data)).rejects.toThrow(/EEXIST|ENOTDIR/)
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('FSEventWrap')
})

test('a directory that is not there is refused', async () => {
  await expect(server.start('--artifacts', path.join(server.folder, 'nothing'))).rejects.toThrow(
    /nothing cannot be read \(--artifacts\): ENOENT/,
  )
})
