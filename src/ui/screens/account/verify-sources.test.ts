import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { chosenSources, droppedSources, MAX_SOURCE_FILES } from './verify-sources.ts'

const ADDRESS = `0x${'ab'.repeat(20)}` as const

/** A chosen file. Sources must not be read before they are compiled. */
function file(path: string, text?: string): File {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const read = () => (text === undefined ? Promise.reject(new Error(`${path} was read`)) : Promise.resolve(text))
  return {
    name,
    webkitRelativePath: path.includes('/') ? path : '',
    size: text?.length ?? 1,
    text: read,
  } as unknown as File
}

const TOML = '[profile.default]\noptimizer = true\noptimizer_runs = 7\nvia_ir = true\nremappings = ["@oz/=lib/oz/"]\n'

test('a folder gives its sources with their libraries, and the settings and remappings of foundry.toml', async () => {
  const paths = ['src/A.sol', 'lib/openzeppelin-contracts/contracts/B.sol', 'node_modules/x/C.sol', 'out/D.sol/D.json']
  const chosen = await chosenSources(
    [...paths.map((path) => file(`project/${path}`)), file('project/foundry.toml', TOML)],
    ADDRESS,
  )
  expect(chosen).toMatchObject({
    kind: 'project',
    remappings: [
      '@openzeppelin/contracts/=lib/openzeppelin-contracts/contracts/',
      'openzeppelin-contracts/=lib/openzeppelin-contracts/contracts/',
      '@oz/=lib/oz/',
    ].join('\n'),
    roots: { sources: ['src/A.sol'], tests: [] },
    settings: { optimizer: true, runs: 7, viaIR: true },
  })
  expect(chosen.kind === 'project' && Object.keys(chosen.files)).toEqual([paths[0], paths[1]])
})

test('the remappings of remappings.txt come last, so that they count, and a downloaded project keeps its own settings', async () => {
  const own = JSON.stringify({ settings: { optimizer: false, runs: 3, evmVersion: 'paris', viaIR: false } })
  const files = [
    file('p/A.sol'),
    file('p/foundry.toml', TOML),
    file('p/remappings.txt', '@a/=b/'),
    file('p/blinknet-project.json', own),
  ]
  const chosen = await chosenSources(files, ADDRESS)
  expect(chosen).toMatchObject({
    remappings: '@oz/=lib/oz/\n@a/=b/',
    settings: { optimizer: false, runs: 3, evmVersion: 'paris' },
  })
})

test('a zip file gives the same as the folder in it, also one that macOS made', async () => {
  const entries = {
    'p/src/A.sol': 'contract A {}',
    'p/lib/forge-std/src/B.sol': 'contract B {}',
    'p/foundry.toml': TOML,
    '__MACOSX/p/src/._A.sol': '\0\u0005',
  }
  const zipped = zipSync(Object.fromEntries(Object.entries(entries).map(([path, text]) => [path, strToU8(text)])))
  const chosen = await chosenSources([new File([zipped], 'p.zip')], ADDRESS)
  expect(chosen).toMatchObject({
    kind: 'project',
    remappings: 'forge-std/=lib/forge-std/src/\n@oz/=lib/oz/',
    settings: { runs: 7 },
  })
  const files = chosen.kind === 'project' ? chosen.files : {}
  expect(Object.keys(files)).toEqual(['src/A.sol', 'lib/forge-std/src/B.sol'])
  expect(await files['src/A.sol']?.text()).toBe('contract A {}')
})

test('a JSON file is standard JSON input, and anything without Solidity is refused with what to choose', async () => {
  const json = new File(['{"language":"Solidity","sources":{}}'], 'input.json')
  expect(await chosenSources([json], ADDRESS)).toEqual({ kind: 'standard JSON', file: json })
  expect(await droppedSources({ entries: [], files: [json] }, ADDRESS)).toEqual({ kind: 'standard JSON', file: json })
  await expect(chosenSources([file('p/README.md')], ADDRESS)).rejects.toMatchObject({
    message: 'This cannot be compiled: it has no Solidity file (.sol).',
    why: expect.stringContaining('standard JSON input') as string,
  })
  const many = Array.from({ length: MAX_SOURCE_FILES + 1 }, (_, i) => file(`p/${i}.sol`))
  await expect(chosenSources(many, ADDRESS)).rejects.toThrow(`more than ${MAX_SOURCE_FILES}`)
  const long = file('p/foundry.toml', ' '.repeat(2 << 20))
  await expect(chosenSources([file('p/A.sol'), long], ADDRESS)).rejects.toThrow('bytes')
})
