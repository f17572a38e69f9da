import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPTION_RANGES, type RangedOption } from '#rpc-types/option-ranges.ts'
import { parseCommand } from './cli.ts'
import { FLAG_GROUPS, type Flag } from './flags.ts'

// People read defaults in the help and in documents, where they are text. A new default in `option-ranges.ts` fails here
// until each of them has it.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

const FLAGS = Object.values<Readonly<Record<string, Flag>>>(FLAG_GROUPS).flatMap((group) => Object.entries(group))

/** The option that a flag of the command line sets to this number; `undefined` if it sets none. */
function optionOf(flag: string, value: number): RangedOption | undefined {
  const { takes } = FLAGS.find(([name]) => name === flag)?.[1] ?? {}
  if (takes === undefined || flag === 'block-time' || flag === 'slots-in-an-epoch') return undefined
  const command = parseCommand([`--${flag}`, String(value)])
  const names = Object.keys('options' in command ? command.options : {})
  return names.find((name): name is RangedOption => name in OPTION_RANGES)
}

describe('the default in option-ranges.ts is stated', () => {
  test('by --help', () => {
    const stated = FLAGS.flatMap(([flag, { help }]) => {
      const value = /\(default (\d+)/.exec(help)?.[1]
      const option = value === undefined ? undefined : optionOf(flag, Number(value))
      return option ? [[option, Number(value)]] : []
    })
    expect(stated.length).toBeGreaterThan(10)
    for (const [option, value] of stated) expect([option, value]).toEqual([option, defaultOf(option as RangedOption)])
  })

  test('by the table of docs/server.md', () => {
    const rows = read('docs/server.md')
      .split('\n')
      .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    const stated = rows.flatMap(([, flags = '', values = '']) => {
      const names = [...flags.replaceAll(/\([^)]*\)/g, '').matchAll(/`--([a-z0-9-]+)/g)].map(([, name]) => name ?? '')
      const numbers = values.split(', ').map(Number)
      return names.flatMap((name, i) => {
        const value = numbers[i]
        const option = value === undefined || Number.isNaN(value) ? undefined : optionOf(name, value)
        return option ? [[option, value]] : []
      })
    })
    expect(stated.length).toBeGreaterThan(10)
    for (const [option, value] of stated) expect([option, value]).toEqual([option, defaultOf(option as RangedOption)])
  })

  test.each(Object.keys(OPTION_RANGES) as RangedOption[])('by the comment of %s in node-options.ts', (option) => {
    const [before = ''] = read('src/rpc-types/node-options.ts').split(`readonly ${option}?:`)
    const comment = before.slice(before.lastIndexOf('/**'))
    const numbers = [...comment.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')))
    expect(numbers).toContain(defaultOf(option))
  })

  test('by section 2 of docs/protocol.md, for the base fee', () => {
    const { baseFeeDenominator, baseFeeElasticity, minBaseFee } = OPTION_RANGES
    const wei = minBaseFee.default.toLocaleString('en-US')
    expect(read('docs/protocol.md')).toContain(
      `Defaults ${baseFeeDenominator.default} / ${baseFeeElasticity.default} / ${wei} wei.`,
    )
  })
})

function defaultOf(option: RangedOption): number {
  return OPTION_RANGES[option].default
}
