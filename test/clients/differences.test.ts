import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CallerContext } from '#node/rpc/define-method.ts'
import { ANVIL } from '#node/rpc/dialects/anvil.ts'
import type { Dialect } from '#node/rpc/dialects/dialect.ts'
import { HARDHAT } from '#node/rpc/dialects/hardhat.ts'
import { DIALECTS, type DialectFacts } from '#rpc-types/dialects.ts'
import { type DialectName, type NodeOptions, OPTIONS } from '#rpc-types/node-options.ts'
import type { OptionFacts, OptionKind } from '#rpc-types/option.ts'
import { madeSection, markdownTable } from '#testing/primitives/made-section.ts'
import { ANVIL_DIFFERENCES } from './differences/anvil/anvil.ts'
import { REFUSED_FLAGS } from './differences/anvil/command-line.ts'
import { BASE_DIFFERENCES } from './differences/base.ts'
import type { Difference, FactName, Instead, NodeDifferences } from './differences/difference.ts'
import { GETH_DIFFERENCES } from './differences/geth.ts'
import { HARDHAT_DIFFERENCES } from './differences/hardhat.ts'
import { OP_DIFFERENCES } from './differences/op.ts'
import { FACTS, type FactWords, factsPutOn } from './differences/put-on.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** How nodes answer and refuse that a chain can take on: files that begin with a node's name. */
const DIALECT_FILES = path.join(ROOT, 'src/node/rpc/dialects')
const NODES: readonly NodeDifferences[] = [
  ANVIL_DIFFERENCES,
  HARDHAT_DIFFERENCES,
  GETH_DIFFERENCES,
  BASE_DIFFERENCES,
  OP_DIFFERENCES,
]
const SECTIONS = NODES.flatMap(({ name, sections }) =>
  Object.entries(sections).map(([section, rows]) => ({ name, section, rows })),
)

const rowsOf = ({ sections }: NodeDifferences): readonly Difference[] => Object.values(sections).flat()

const movesOf = (node: NodeDifferences): readonly Instead[] => [
  ...rowsOf(node).flatMap(({ instead }) => instead ?? []),
  ...(node.moves ?? []),
]

describe('the documents have what the data has', () => {
  test.each(SECTIONS)('DIFFERENCES.md: $section', ({ name, section, rows }) => {
    const cells = rows.map(({ about, here, there, as }) => [as ? `${about} ★` : about, here, there])
    const made = markdownTable(['', 'Blinknet', name], cells)
    expect(madeSection('test/clients/DIFFERENCES.md', section, made)).toBe(made)
  })

  test('DIFFERENCES.md: flags of anvil that are refused', () => {
    const made = markdownTable(
      ['flags', 'why'],
      REFUSED_FLAGS.map(({ flags, why }) => [flags, why]),
    )
    expect(madeSection('test/clients/DIFFERENCES.md', 'anvil-refused-flags', made)).toBe(made)
  })

  test.each([
    { section: 'from-anvil', head: 'anvil', node: ANVIL_DIFFERENCES },
    { section: 'from-hardhat', head: 'Hardhat', node: HARDHAT_DIFFERENCES },
  ] as const)('docs/moving.md: $section', ({ section, head, node }) => {
    const cells = movesOf(node).map(({ from, to }) => [from, to])
    const made = markdownTable([head, 'Blinknet'], cells)
    expect(madeSection('docs/moving.md', section, made)).toBe(made)
  })

  test('docs/moving.md: what `--as` puts on', () => {
    const made = markdownTable(['', 'without `--as`', ...NAMES.map((name) => `\`--as ${name}\``)], putOn())
    expect(madeSection('docs/moving.md', 'as', made)).toBe(made)
  })
})

const NAMES = Object.keys(DIALECTS) as readonly DialectName[]
type OptionName = keyof DialectFacts['options']

const optionsOf = (name: DialectName) => DIALECTS[name].options as NodeOptions

function defaultOf(kind: OptionKind): unknown {
  if (kind.is === 'number' || kind.is === 'address') return kind.default
  return kind.is === 'switch' ? false : 'Blinknet/v…'
}

/** An option's value for people. */
function told(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'number' ? value.toLocaleString('en') : `\`${String(value)}\``
}

/** Options by their flags, then facts: their values without `--as`, and for each node. */
function putOn(): string[][] {
  const options = [...new Set(NAMES.flatMap((name) => Object.keys(optionsOf(name)) as OptionName[]))].map((option) => {
    const { kind, flag }: OptionFacts = OPTIONS[option]
    const values = NAMES.map((name) => optionsOf(name)[option] ?? defaultOf(kind))
    return [`\`--${flag?.name}\``, told(defaultOf(kind)), ...values.map(told)]
  })
  const facts = (Object.keys(FACTS) as FactName[]).map((name) => {
    const { about, without, tell }: FactWords = FACTS[name]
    return [about, tell(without), ...NAMES.map((node) => tell((DIALECTS[node] as DialectFacts)[name]))]
  })
  return [...options, ...facts]
}

/** A caller of a chain without bundles of calls. */
const NO_WALLET = { settings: { atomic: 'unsupported' } } as CallerContext

describe.each([
  { dialect: ANVIL, node: ANVIL_DIFFERENCES },
  { dialect: HARDHAT, node: HARDHAT_DIFFERENCES },
] as { dialect: Dialect<CallerContext>; node: NodeDifferences }[])(
  'what `--as $dialect.name` does',
  ({ dialect, node }) => {
    const equals = rowsOf(node).flatMap(({ about, as }) => (as ? [{ about, ...as }] : []))
    const source = readdirSync(DIALECT_FILES)
      .filter((file) => file.startsWith(dialect.name))
      .map((file) => readFileSync(path.join(DIALECT_FILES, file), 'utf8'))
      .join('\n')

    test('each option, each fact and each method that it answers in its own way is named by a row', () => {
      const named = (of: 'options' | 'facts' | 'manners') => new Set(equals.flatMap((equal) => equal[of] ?? []))
      expect([...named('options')].sort()).toEqual(Object.keys(dialect.options).sort())
      expect([...named('facts')].sort()).toEqual(factsPutOn(dialect.name).sort())
      expect([...named('manners')].sort()).toEqual(Object.keys(dialect.manners).sort())
    })

    test('each row with a star names something that it does', () => {
      for (const { about, options, facts, manners, lacks = [], words = [] } of equals) {
        expect([options, facts, manners, lacks, words].flatMap((named) => named ?? []).length, about).toBeGreaterThan(0)
        for (const method of lacks) expect(dialect.lacks(method, NO_WALLET), `${about}: ${method}`).toBe(true)
        for (const text of words) expect(source, about).toContain(text)
      }
    })

    test('the tests that show it are there', () => {
      const evidence = equals.flatMap(({ about, tests = [] }) => tests.map(([file, title]) => ({ about, file, title })))
      expect(evidence.length).toBeGreaterThan(10)
      for (const { about, file, title } of evidence) {
        const text = readFileSync(path.join(ROOT, file), 'utf8')
        expect(
          [`'${title}'`, `"${title}"`].some((quoted) => text.includes(quoted)),
          `${about}: ${title}`,
        ).toBe(true)
      }
    })

    test('what it answers or refuses in its own way is shown by a test', () => {
      const shown = new Set(equals.flatMap(({ manners = [], tests = [] }) => (tests.length > 0 ? manners : [])))
      expect(Object.keys(dialect.manners).filter((method) => !shown.has(method as never))).toEqual([])
      expect(equals.filter(({ words, tests = [] }) => words && tests.length === 0).map(({ about }) => about)).toEqual(
        [],
      )
    })
  },
)

test('nodes that no chain takes on have no rows with a star', () => {
  for (const node of [GETH_DIFFERENCES, BASE_DIFFERENCES]) {
    expect(rowsOf(node).filter(({ as }: Difference) => as)).toEqual([])
  }
})

test('the rows of the OP Stack with a star are those of `--op`, and tests show them', () => {
  const starred = rowsOf(OP_DIFFERENCES).flatMap(({ about, as }: Difference) => (as ? [{ about, ...as }] : []))
  expect(starred.length).toBeGreaterThan(0)
  for (const { about, options, tests = [] } of starred) {
    expect(options, about).toEqual(['op'])
    expect(tests.length, about).toBeGreaterThan(0)
    for (const [file, title] of tests)
      expect(readFileSync(path.join(ROOT, file), 'utf8'), about).toContain(`'${title}'`)
  }
})

test('no row is there twice, and no cell is empty', () => {
  for (const { section, rows } of SECTIONS) {
    expect(new Set(rows.map(({ about }) => about)).size, section).toBe(rows.length)
    for (const { about, here, there } of rows) for (const cell of [about, here, there]) expect(cell).toMatch(/\S/)
  }
})
