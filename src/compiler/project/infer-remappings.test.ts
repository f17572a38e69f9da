import { expect, test } from 'vitest'
import { inferRemappings, remappingsOfLibraries } from './infer-remappings.ts'
import { remappingText } from './resolve-import.ts'

const inferred = (paths: readonly string[], libs?: readonly string[]) =>
  inferRemappings(paths, libs).map(remappingText).toSorted()

test('a library’s src or contracts is the target, also of a library in a library', () => {
  // As forge 1.7.1 prints them for these files.
  expect(
    inferred([
      'lib/solmate/src/tokens/A.sol',
      'lib/openzeppelin-contracts/contracts/a/A.sol',
      'lib/forge-std/src/Test.sol',
      'lib/forge-std/lib/ds-test/src/test.sol',
      'lib/both/src/A.sol',
      'lib/both/contracts/A.sol',
      'lib/flat/A.sol',
      'src/lib/x/src/C.sol',
    ]),
  ).toEqual([
    'both/=lib/both/src/',
    'ds-test/=lib/forge-std/lib/ds-test/src/',
    'flat/=lib/flat/',
    'forge-std/=lib/forge-std/src/',
    'openzeppelin-contracts/=lib/openzeppelin-contracts/contracts/',
    'solmate/=lib/solmate/src/',
  ])
})

test('of node_modules the packages themselves are the targets', () => {
  const paths = ['node_modules/@openzeppelin/contracts/token/A.sol', 'node_modules/solmate/src/A.sol']
  expect(inferred(paths, ['node_modules'])).toEqual([
    '@openzeppelin/=node_modules/@openzeppelin/',
    'solmate/=node_modules/solmate/',
  ])
})

test('no library may be named as a project’s own folders are', () => {
  expect(inferred(['lib/src/A.sol', 'lib/x/lib/contracts/B.sol'])).toEqual([])
})

test('a library’s own remappings are relative to it, and the nearer library counts', async () => {
  const files: Readonly<Record<string, string>> = {
    'lib/oz/remappings.txt': '@oz/contracts/=contracts/\nx/=../x/src/',
    'lib/a/lib/oz/remappings.txt': '@oz/contracts/=other/',
    'remappings.txt': 'y/=z/',
  }
  const found = await remappingsOfLibraries(Object.keys(files), ['lib'], (path) => files[path])
  expect(found.map(remappingText)).toEqual(['@oz/contracts/=lib/oz/contracts/', 'x/=lib/x/src/'])
})

test('thousands of deep paths are read in little time', () => {
  const deep = Array.from({ length: 5_000 }, (_, i) => `lib/${'a/'.repeat(30)}${i}/A.sol`)
  expect(inferred([...deep, `lib/${'x/'.repeat(20_000)}A.sol`])).toEqual(['a/=lib/a/'])
})
