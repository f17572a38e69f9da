import { type AbiFunction, type AbiParameter, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { parseArguments } from './call-data.ts'
import { fieldsOf, MAX_ITEM_FIELDS, textOfFields } from './field-texts.ts'

const parameterOf = (text: string): AbiParameter => {
  const sources: readonly string[] = ['struct Pair { address to; uint256[2] amounts; }', `function f(${text})`]
  const [item] = parseAbi(sources)
  const [parameter] = (item as AbiFunction).inputs
  if (!parameter) throw new Error('no parameter')
  return parameter
}
const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

test('an open list begins without items, a fixed one with all of them, a struct with its members', () => {
  expect(fieldsOf(parameterOf('uint256[] x'), '')).toEqual({ parameters: [], texts: [], isOpen: true })
  expect(fieldsOf(parameterOf('uint256[3] x'), '')).toMatchObject({ texts: ['', '', ''], isOpen: false })
  expect(fieldsOf(parameterOf('Pair x'), '')).toMatchObject({ texts: ['', ''], isOpen: false })
})

test('what is written as JSON has the same fields, at every depth, and means the same', () => {
  const parameter = parameterOf('Pair[] x')
  const json = JSON.stringify([{ to: ALICE, amounts: [1, '2'] }, [ALICE, ['3', 4]]])
  const fields = fieldsOf(parameter, json)
  expect(fields?.parameters.map(({ type }) => type)).toEqual(['tuple', 'tuple'])
  const text = textOfFields(fields?.texts ?? [])
  const inner = fieldsOf(fields?.parameters[0] ?? parameter, fields?.texts[0] ?? '')
  expect(inner?.texts).toEqual([ALICE, '["1","2"]'])
  expect(parseArguments([parameter], [text])).toEqual(parseArguments([parameter], [json]))
  expect(parseArguments([parameter], [text])).toMatchObject({
    ok: true,
    values: [
      [
        [ALICE, [1n, 2n]],
        [ALICE, [3n, 4n]],
      ],
    ],
  })
})

test('an open list without items is an empty list, and a fixed one without is not complete', () => {
  expect(parseArguments([parameterOf('uint256[] x')], [''])).toEqual({ ok: true, values: [[]] })
  expect(parseArguments([parameterOf('uint256[2] x')], [''])).toMatchObject({ ok: false })
})

test('JSON with members that the struct does not have stays a text, so that none is dropped', () => {
  expect(fieldsOf(parameterOf('Pair x'), JSON.stringify({ to: ALICE, amounts: [1, 2], more: 3 }))).toBeUndefined()
  expect(fieldsOf(parameterOf('Pair x'), JSON.stringify([ALICE, [1, 2], 3]))).toBeUndefined()
  expect(fieldsOf(parameterOf('Pair[] x'), JSON.stringify([[ALICE, [1, 2], 3]]))?.texts).toEqual([
    JSON.stringify([ALICE, [1, 2], 3]),
  ])
})

test('what is no such JSON, or too long for fields, stays a text', () => {
  const parameter = parameterOf('uint256[] x')
  expect(fieldsOf(parameter, '[1,')).toBeUndefined()
  expect(fieldsOf(parameter, '7')).toBeUndefined()
  expect(fieldsOf(parameter, JSON.stringify(Array.from({ length: MAX_ITEM_FIELDS + 1 }, () => '0')))).toBeUndefined()
  expect(fieldsOf(parameterOf('uint256[2] x'), '["1"]')).toBeUndefined()
  expect(fieldsOf(parameterOf('uint256[1000000000] x'), '')).toBeUndefined()
})
