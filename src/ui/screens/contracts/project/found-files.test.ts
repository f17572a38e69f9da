import { expect, test } from 'vitest'
import { isTaken, projectOf, readFoundryConfig } from './found-files.ts'
import { findInChosen, findInEntries, readFound } from './read-folder.ts'

test('generated files, and libraries that the page has, are left out', () => {
  const taken = [
    'p/src/A.sol',
    'p/foundry.toml',
    'p/README.md',
    'p/lib/solmate/src/tokens/ERC20.sol',
    'p/lib/solmate/README.md',
    'p/lib/solmate/src/test/ERC20.t.sol',
    'p/lib/forge-std/src/Test.sol',
    'p/lib/openzeppelin-contracts/contracts/A.sol',
    'p/node_modules/x/A.sol',
    'p/out/A.sol/A.json',
    'p/artifacts/build-info/1.json',
    'p/.git/config.json',
    '__MACOSX/p/src/._A.sol',
    'p/logo.png',
  ].filter(isTaken)
  expect(taken).toEqual(['p/src/A.sol', 'p/foundry.toml', 'p/README.md', 'p/lib/solmate/src/tokens/ERC20.sol'])
})

test('a Foundry project keeps its name, settings and remappings', () => {
  const toml = `[profile.ci]
optimizer_runs = 1
[profile.default]
src = "src"
optimizer = true
optimizer_runs = 999
via_ir = true
evm_version = "paris"
remappings = [
  "@oz/=lib/openzeppelin-contracts/",
  'ds-test/=lib/ds-test/src/',
]

[fmt]
optimizer_runs = 7
`
  const { project, leftOut } = projectOf(
    [
      { path: 'shop/src/Shop.sol', text: 'contract Shop {}' },
      { path: 'shop/foundry.toml', text: toml },
    ],
    'Project',
    ['shop/out/'],
  )
  expect(project).toMatchObject({
    name: 'shop',
    settings: { optimizer: true, runs: 999, viaIR: true, evmVersion: 'paris' },
    current: 'src/Shop.sol',
  })
  expect(project.files['remappings.txt']).toBe('@oz/=lib/openzeppelin-contracts/\nds-test/=lib/ds-test/src/\n')
  expect(leftOut).toEqual(['shop/out/'])
  expect(readFoundryConfig('')).toMatchObject({ settings: { optimizer: true, runs: 200 }, remappings: [] })
})

test('a hostile config or path does not take long to read', () => {
  const lines = '\n'.repeat(500_000)
  expect(readFoundryConfig(`[profile.default]${lines}x`).remappings).toEqual([])
  expect(readFoundryConfig(`[profile.default]\nremappings = [${'['.repeat(500_000)}`).remappings).toEqual([])
  expect(isTaken(`${'lib/x/'.repeat(20_000)}A.sol`)).toBe(true)
})

test('invisible characters in a project’s name are spelt out', () => {
  const own = { path: 'p/blinknet-project.json', text: JSON.stringify({ name: 'Shop\u202e', settings: null }) }
  expect(projectOf([own, { path: 'p/A.sol', text: '' }], 'x', []).project.name).toBe('Shop\\u{202e}')
})

test('files without a common folder get the given name; a folder such as src does not name a project', () => {
  const text = ''
  expect(projectOf([{ path: 'A.sol', text }], 'Mine', []).project).toMatchObject({
    name: 'Mine',
    files: { 'A.sol': '' },
  })
  expect(projectOf([{ path: 'src/A.sol', text }], 'Mine', []).project.files).toEqual({ 'src/A.sol': '' })
})

test('paths out of the project are left out, and a folder without Solidity is refused', () => {
  const found = [
    { path: '../../evil.sol', text: '' },
    { path: 'p/A.sol', text: '' },
  ]
  expect(projectOf(found, 'x', [])).toMatchObject({ project: { files: { 'A.sol': '' } }, leftOut: ['../../evil.sol'] })
  expect(() => projectOf([{ path: 'README.md', text: '' }], 'x', [])).toThrow('it has no Solidity file (.sol)')
})

test('chosen files are filtered before any of them is read', async () => {
  const file = (path: string) => Object.assign(new File(['x'], 'x'), { webkitRelativePath: path })
  const { files, leftOut } = findInChosen([file('p/A.sol'), file('p/out/A.sol/A.json'), file('p/node_modules/a/B.sol')])
  expect(leftOut).toEqual(['p/out/', 'p/node_modules/'])
  expect(await readFound(files)).toEqual([{ path: 'p/A.sol', text: 'x' }])
  const many = Array.from({ length: 401 }, (_, i) => ({ path: `${i}.sol`, file: new Blob() }))
  await expect(readFound(many)).rejects.toThrow(/at most 400 files/)
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
