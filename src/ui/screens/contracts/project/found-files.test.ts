import { expect, test } from 'vitest'
import { readConfig } from '#compiler/project/project-config.ts'
import { isTaken } from './found-files.ts'
import { projectOf, projectRoot, settingsOf } from './make-project.ts'
import { findInChosen, findInEntries } from './read-folder.ts'

const chosen = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([path, text]) => ({ path, file: new Blob([text]) }))

test('files that tools generate are left out, and so is what a library has besides sources', () => {
  const taken = [
    'p/src/A.sol',
    'p/foundry.toml',
    'p/hardhat.config.ts',
    'p/vite.config.ts',
    'p/README.md',
    'p/lib/solmate/src/tokens/ERC20.sol',
    'p/lib/solmate/README.md',
    'p/lib/solmate/remappings.txt',
    'p/lib/solmate/src/test/ERC20.t.sol',
    'p/lib/openzeppelin-contracts/contracts/A.sol',
    'p/node_modules/x/A.sol',
    'p/out/A.sol/A.json',
    'p/artifacts/build-info/1.json',
    'p/.git/config.json',
    '__MACOSX/p/src/._A.sol',
    'p/logo.png',
  ].filter(isTaken)
  expect(taken).toEqual([
    'p/src/A.sol',
    'p/foundry.toml',
    'p/hardhat.config.ts',
    'p/README.md',
    'p/lib/solmate/src/tokens/ERC20.sol',
    'p/lib/solmate/remappings.txt',
    'p/lib/solmate/src/test/ERC20.t.sol',
    'p/lib/openzeppelin-contracts/contracts/A.sol',
  ])
})

test('a Foundry project keeps its name, settings and files as they are', async () => {
  const toml = `[profile.ci]
optimizer_runs = 1
[profile.default]
src = "src"
optimizer = true
optimizer_runs = 1_999
via_ir = true
evm_version = "paris"
`
  const { project, leftOut, config } = await projectOf(
    chosen({ 'shop/src/Shop.sol': 'contract Shop {}', 'shop/foundry.toml': toml }),
    'Project',
    ['shop/out/'],
  )
  expect(project).toMatchObject({
    name: 'shop',
    settings: { optimizer: true, runs: 1_999, viaIR: true, evmVersion: 'paris' },
    current: 'src/Shop.sol',
    files: { 'src/Shop.sol': 'contract Shop {}', 'foundry.toml': toml },
  })
  expect(config.tool).toBe('Foundry')
  expect(leftOut).toEqual(['shop/out/'])
  expect(settingsOf(readConfig({}))).toEqual({ optimizer: true, runs: 200, evmVersion: 'osaka', viaIR: false })
  expect(settingsOf(readConfig({ 'foundry.toml': '' }))).toMatchObject({ optimizer: false, evmVersion: 'osaka' })
  const metadataOf = (lines: string) =>
    settingsOf(readConfig({ 'foundry.toml': `[profile.default]\n${lines}` })).metadata
  expect(metadataOf('bytecode_hash = "ipfs"')).toBeUndefined()
  expect(metadataOf('bytecode_hash = "swarm"')).toBeUndefined()
  expect(metadataOf('bytecode_hash = "none"')).toEqual({ bytecodeHash: 'none' })
  expect(metadataOf('bytecode_hash = "ipfs"\ncbor_metadata = false')).toEqual({ appendCBOR: false })
})

test('of libraries the files that a source imports are taken, also for tests', async () => {
  const { project, unimported } = await projectOf(
    chosen({
      'p/foundry.toml': '',
      'p/src/A.sol': 'import "solmate/tokens/ERC20.sol";',
      'p/test/A.t.sol': 'import {Test} from "forge-std/Test.sol";',
      'p/lib/solmate/src/tokens/ERC20.sol': 'import "./Base.sol";',
      'p/lib/solmate/src/tokens/Base.sol': '',
      'p/lib/solmate/src/tokens/ERC721.sol': '',
      'p/lib/forge-std/src/Test.sol': '',
      'p/lib/forge-std/src/Script.sol': '',
    }),
    'x',
    [],
  )
  expect(Object.keys(project.files).filter((path) => path.startsWith('lib/'))).toEqual([
    'lib/solmate/src/tokens/ERC20.sol',
    'lib/solmate/src/tokens/Base.sol',
    'lib/forge-std/src/Test.sol',
  ])
  expect(unimported).toBe(2)
})

test('a package in a larger repository is the project: the one with the most sources', async () => {
  const { project, leftOut } = await projectOf(
    chosen({
      'dapp/package.json': '{}',
      'dapp/packages/nextjs/package.json': '{}',
      'dapp/packages/hardhat/hardhat.config.ts': 'export default { solidity: "0.8.20" }',
      'dapp/packages/hardhat/contracts/A.sol': '',
    }),
    'x',
    [],
  )
  expect(project.name).toBe('dapp')
  expect(Object.keys(project.files)).toEqual(['hardhat.config.ts', 'contracts/A.sol'])
  expect(leftOut).toEqual(['dapp/package.json', 'dapp/packages/nextjs/'])
  expect(projectRoot(['a/foundry.toml', 'a/x/foundry.toml', 'a/x/B.sol'])).toBe('a/')
  expect(projectRoot(['a/x/foundry.toml', 'a/x/B.sol', 'a/src/B.sol'])).toBe('a/')
})

test('of a project with too many files, texts and then tests are left out', async () => {
  const many = (inside: string, ending: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p/${inside}/${i}${ending}`, '']))
  const docs = await projectOf(
    chosen({ 'p/foundry.toml': '', ...many('src', '.sol', 900), ...many('docs', '.md', 200) }),
    'x',
    [],
  )
  expect(Object.keys(docs.project.files)).toHaveLength(901)
  expect(docs.leftOut).toHaveLength(200)
  const tests = await projectOf(
    chosen({ 'p/foundry.toml': '', ...many('src', '.sol', 900), ...many('test', '.t.sol', 200) }),
    'x',
    [],
  )
  expect(Object.keys(tests.project.files)).toHaveLength(901)
  await expect(projectOf(chosen(many('src', '.sol', 1_001)), 'x', [])).rejects.toThrow(/at most 1000 files/)
})

test('a list of packages that is longer than any source is left out', async () => {
  const { project, leftOut } = await projectOf(
    chosen({ 'p/A.sol': '', 'p/package-lock.json': ' '.repeat(1_000_001) }),
    'x',
    [],
  )
  expect(Object.keys(project.files)).toEqual(['A.sol'])
  expect(leftOut).toEqual(['package-lock.json'])
})

test('a hostile path does not take long to read', () => {
  expect(isTaken(`${'lib/x/'.repeat(20_000)}A.sol`)).toBe(true)
})

test('invisible characters in a project’s name are spelt out', async () => {
  const own = JSON.stringify({ name: 'Shop\u202e', settings: null })
  const { project } = await projectOf(chosen({ 'p/blinknet-project.json': own, 'p/A.sol': '' }), 'x', [])
  expect(project.name).toBe('Shop\\u{202e}')
})

test('files without a common folder get the given name; a folder such as src does not name a project', async () => {
  expect((await projectOf(chosen({ 'A.sol': '' }), 'Mine', [])).project).toMatchObject({
    name: 'Mine',
    files: { 'A.sol': '' },
  })
  expect((await projectOf(chosen({ 'src/A.sol': '' }), 'Mine', [])).project.files).toEqual({ 'src/A.sol': '' })
})

test('paths out of the project are left out, and a folder without Solidity is refused', async () => {
  const found = chosen({ '../../evil.sol': '', 'p/A.sol': '' })
  expect(await projectOf(found, 'x', [])).toMatchObject({
    project: { files: { 'p/A.sol': '' } },
    leftOut: ['../../evil.sol'],
  })
  await expect(projectOf(chosen({ 'README.md': '' }), 'x', [])).rejects.toThrow('it has no Solidity file (.sol)')
})

test('chosen files are filtered before any of them is read', () => {
  const file = (path: string) => Object.assign(new File(['x'], 'x'), { webkitRelativePath: path })
  const { files, leftOut } = findInChosen([file('p/A.sol'), file('p/out/A.sol/A.json'), file('p/node_modules/a/B.sol')])
  expect(leftOut).toEqual(['p/out/', 'p/node_modules/'])
  expect(files.map(({ path }) => path)).toEqual(['p/A.sol'])
})

test('a project with too many characters is refused before it is read', async () => {
  const unread = { size: 3_900_000, text: () => Promise.reject(new Error('it was read')) } as unknown as Blob
  const files = Array.from({ length: 9 }, (_, i) => ({ path: `p/${i}.sol`, file: unread }))
  await expect(projectOf(files, 'x', [])).rejects.toThrow(/at most 8000000 characters/)
})

/** A dropped folder with a number of children. */
function folder(name: string, children: readonly object[]): FileSystemEntry {
  const batches = [children, []]
  const createReader = () => ({ readEntries: (done: (some: readonly object[]) => void) => done(batches.shift() ?? []) })
  return { name, isDirectory: true, isFile: false, createReader } as unknown as FileSystemEntry
}
const dropped = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (done: (file: File) => void) => done(new File(['x'], name)),
})

test('a dropped folder is walked, without the folders that are left out', async () => {
  const found = await findInEntries([
    folder('p', [dropped('A.sol'), folder('out', []), folder('src', [dropped('B.sol')])]),
  ])
  expect(found.files.map(({ path }) => path)).toEqual(['p/A.sol', 'p/src/B.sol'])
  expect(found.leftOut).toEqual(['p/out/'])
})

test('an endless folder is refused', async () => {
  const many = Array.from({ length: 20_001 }, (_, i) => dropped(`${i}.png`))
  await expect(findInEntries([folder('p', many)])).rejects.toThrow(/more than 20000 files and folders/)
})
