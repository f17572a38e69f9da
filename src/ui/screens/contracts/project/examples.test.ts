import { expect, test } from 'vitest'
import { compile } from '#testing/compiler/solc.ts'
import { EXAMPLES } from './examples.ts'

test.each(EXAMPLES)(
  'the example $title compiles without errors or warnings',
  async ({ files, current, constructorArgs }) => {
    const { diagnostics, contracts } = await compile(files)
    expect(diagnostics).toEqual([])
    const own = contracts.filter(({ isOwn }) => isOwn)
    expect(own.map(({ bytecode }) => bytecode !== undefined)).toEqual(Object.keys(files).map(() => true))
    expect(Object.keys(files)).toContain(current)
    for (const name of constructorArgs?.keys() ?? []) expect(own.map((each) => each.name)).toContain(name)
  },
)
