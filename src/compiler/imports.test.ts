import { expect, test } from 'vitest'
import { importsOf } from './imports.ts'

const paths = (source: string) => importsOf(source).map(({ path }) => path)

test('every form of import is found, with its place', () => {
  const source = `import "a.sol"; import 'b.sol' as B; import * as C from "c.sol";
    import {D as E, F} /* "x.sol" */ from // 'y.sol'
      "d.sol";`
  expect(paths(source)).toEqual(['a.sol', 'b.sol', 'c.sol', 'd.sol'])
  expect(importsOf(source).map(({ from, to }) => source.slice(from, to))).toEqual([
    '"a.sol"',
    "'b.sol'",
    '"c.sol"',
    '"d.sol"',
  ])
})

test('nothing is found in comments, strings and longer words', () => {
  expect(paths('// import "a.sol";\n/* import "b.sol"; */ /// import "c.sol";')).toEqual([])
  expect(paths(`contract A { string s = 'import "a.sol";'; string t = "\\" import 'b.sol'"; }`)).toEqual([])
  expect(paths('uint256 important = 1; string x = "a.sol"; reimport("b.sol"); import; "c.sol"')).toEqual([])
})

test('a source that ends in the middle of something is read to its end', () => {
  expect(paths('import "a.sol"; /* import "b.sol"')).toEqual(['a.sol'])
  expect(paths('import')).toEqual([])
  expect(paths('/')).toEqual([])
  expect(importsOf('/*'.repeat(500_000))).toEqual([])
  expect(importsOf('"\\'.repeat(500_000)).length).toBe(0)
})
