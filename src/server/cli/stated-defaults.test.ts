import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { NUMBERS } from '#rpc-types/option-tables.derived.ts'

// People read defaults in documents, where they are text. A new default fails here until each of them has it.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

describe('the default of an option is stated', () => {
  test.each(NUMBERS)('by the comment of %s in node-options.ts', (option) => {
    const [before = ''] = read('src/rpc-types/node-options.ts').split(`readonly ${option}?:`)
    const comment = before.slice(before.lastIndexOf('/**'))
    const numbers = [...comment.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')))
    expect(numbers).toContain(OPTION_RANGES[option].default)
  })

  test('by section 2 of docs/protocol.md, for the base fee', () => {
    const { baseFeeDenominator, baseFeeElasticity, minBaseFee } = OPTION_RANGES
    const wei = minBaseFee.default.toLocaleString('en-US')
    expect(read('docs/protocol.md')).toContain(
      `Defaults ${baseFeeDenominator.default} / ${baseFeeElasticity.default} / ${wei} wei.`,
    )
  })
})
