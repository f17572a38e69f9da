import { expect, test } from 'vitest'
import { madeSection, markdownTable } from '#testing/primitives/made-section.ts'
import { FAULT_NAMES, factsOf } from './fault.ts'

test('docs/testing.md has every kind of fault, in the words of the table', () => {
  const rows = FAULT_NAMES.map((kind) => {
    const { moment, from, on, sentence } = factsOf(kind)
    return [`\`${kind}@${moment === 'send' ? 'send' : ''}${from}\``, `the ${on}`, sentence]
  })
  const made = markdownTable(['Fault, at its earliest', 'meets', 'What happens'], rows)
  expect(madeSection('docs/testing.md', 'fates', made)).toBe(made)
})
