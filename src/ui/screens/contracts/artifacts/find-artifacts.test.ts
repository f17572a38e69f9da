import { expect, test } from 'vitest'
import { areArtifacts, findArtifacts, findChosenArtifacts } from './find-artifacts.ts'

const chosen = (webkitRelativePath: string) => ({ webkitRelativePath, name: 'x' }) as File
const entry = (name: string, isDirectory: boolean, children: readonly FileSystemEntry[] = []) => {
  let left = [...children]
  return {
    name,
    isDirectory,
    isFile: !isDirectory,
    file: (resolve: (file: File) => void) => resolve({ name } as File),
    createReader: () => ({
      readEntries: (resolve: (entries: readonly FileSystemEntry[]) => void) => {
        resolve(left)
        left = []
      },
    }),
  } as unknown as FileSystemEntry
}

const dropped = (...entries: readonly FileSystemEntry[]) => ({ entries, files: [] })

test('folders of compilers and JSON files are artifacts, and anything else is a project', () => {
  expect(areArtifacts(dropped(entry('out', true)))).toBe(true)
  expect(areArtifacts(dropped(entry('artifacts', true), entry('b1.json', false)))).toBe(true)
  expect(areArtifacts(dropped(entry('my-project', true)))).toBe(false)
  expect(areArtifacts(dropped(entry('out', true), entry('Token.sol', false)))).toBe(false)
  expect(areArtifacts(dropped())).toBe(false)
  expect(areArtifacts({ entries: [], files: [{ name: 'b1.json' } as File] })).toBe(true)
})

test('paths are relative to the project, and folders without compiler output are skipped', async () => {
  const project = entry('project', true, [
    entry('out', true, [entry('Sum.json', false), entry('Sum.dbg.json', false)]),
    entry('src', true, [entry('Sum.sol', false), entry('README.md', false)]),
    entry('node_modules', true, [entry('x.json', false)]),
    entry('.git', true, [entry('y.json', false)]),
  ])
  const paths = ['out/Sum.json', 'src/Sum.sol']
  expect((await findArtifacts(dropped(project))).map(({ path }) => path)).toEqual(paths)
  const all = [...paths, 'out/Sum.dbg.json', 'node_modules/x.json', '.git/y.json', 'README.md']
  const found = findChosenArtifacts(all.map((path) => chosen(`project/${path}`)))
  expect(found.map(({ path }) => path)).toEqual(paths)
})
