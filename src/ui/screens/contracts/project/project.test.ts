import { expect, test } from 'vitest'
import { createProject } from './examples.ts'
import {
  addFile,
  addFolder,
  deleteEntry,
  firstFile,
  MAX_FILES,
  type Project,
  problemWithFiles,
  problemWithNewPath,
  problemWithPath,
  problemWithRename,
  renameEntry,
  type TreeNode,
  treeOf,
} from './project.ts'

const project = (paths: readonly string[], current = paths[0] ?? ''): Project => ({
  ...createProject(),
  files: Object.fromEntries(paths.map((path) => [path, path])),
  current,
})
const pathsOf = (nodes: readonly TreeNode[]): readonly string[] =>
  nodes.flatMap(({ path, children }) => (children ? [`${path}/`, ...pathsOf(children)] : [path]))

test('the tree has folders before files, each by name, and empty folders', () => {
  const tree = treeOf(addFolder(project(['z.sol', 'src/b.sol', 'src/token/a.sol', 'A.sol']), 'test/deep'))
  expect(pathsOf(tree)).toEqual([
    'src/',
    'src/token/',
    'src/token/a.sol',
    'src/b.sol',
    'test/',
    'test/deep/',
    'A.sol',
    'z.sol',
  ])
})

test('a folder is renamed with everything in it, and nothing else is', () => {
  const renamed = renameEntry(project(['src/a.sol', 'src/b/c.sol', 'src2/a.sol'], 'src/b/c.sol'), 'src', 'contracts')
  expect(Object.keys(renamed.files)).toEqual(['contracts/a.sol', 'contracts/b/c.sol', 'src2/a.sol'])
  expect(renamed.current).toBe('contracts/b/c.sol')
})

test('a folder is not renamed if its files would be too deep, or it would be inside itself', () => {
  const deep = project([`a/${'b/'.repeat(8)}c.sol`])
  expect(problemWithRename(deep, 'a', 'x/y/z/a')).toMatch(/^Folders go at most/)
  expect(problemWithRename(deep, 'a', 'a/b')).toBe('A folder cannot be moved into itself.')
  expect(problemWithRename(deep, 'a', 'A')).toBeUndefined()
})

test('deleting the file in the editor shows another, and its folder stays', () => {
  const after = deleteEntry(project(['src/a.sol', 'b.sol'], 'src/a.sol'), 'src/a.sol')
  expect(after).toMatchObject({ files: { 'b.sol': 'b.sol' }, folders: ['src'], current: 'b.sol' })
  expect(deleteEntry(after, 'src')).toMatchObject({ folders: [] })
  expect(deleteEntry(after, 'b.sol')).toMatchObject({ files: {}, current: '' })
})

test('a path cannot lead out of the project', () => {
  for (const path of [
    '../a.sol',
    'a/../../b.sol',
    './a.sol',
    '/a.sol',
    'a//b.sol',
    'a\\b.sol',
    'a\u202eb.sol',
    'C:a.sol',
  ]) {
    expect(problemWithPath(path), path).toBeDefined()
  }
  expect(problemWithPath(`${'a/'.repeat(12)}b.sol`)).toMatch(/at most 12 deep/)
  expect(problemWithPath('a'.repeat(201))).toMatch(/at most 200 characters/)
  expect(problemWithPath('src/My Token-v1.2_final@home.sol')).toBeUndefined()
  expect(problemWithPath('__proto__')).toBeUndefined()
})

test('a new path differs from existing ones, even on systems that ignore case', () => {
  const present = project(['src/Token.sol'])
  expect(problemWithNewPath(present, 'src/token.sol')).toBe('src/token.sol is there already.')
  expect(problemWithNewPath(present, 'SRC')).toBe('SRC is there already.')
  expect(problemWithNewPath(present, 'src/Token.sol/a.sol')).toBe('src/Token.sol is a file.')
  expect(problemWithNewPath(present, 'src/Other.sol')).toBeUndefined()
  expect(Object.keys(addFile(present, '__proto__', 'x').files)).toContain('__proto__')
})

test('a project has limits, and the message names the one exceeded', () => {
  const many = Object.fromEntries(Array.from({ length: MAX_FILES + 1 }, (_, i) => [`${i}.sol`, '']))
  expect(problemWithFiles(many)).toBe('a project has at most 1000 files, and this has 1001')
  expect(problemWithFiles({ 'a.sol': ' '.repeat(1_000_001) })).toBe('a.sol is longer than 1000000 characters')
  const nine = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.sol`, ' '.repeat(900_000)]))
  expect(problemWithFiles(nine)).toBe('a project has at most 8000000 characters')
})

test('the first file shown is one of the project’s own contracts', () => {
  expect(firstFile({ 'README.md': '', 'lib/a/A.sol': '', 'src/Z.sol': '', 'test/B.sol': '' })).toBe('src/Z.sol')
  expect(firstFile({})).toBe('')
})
