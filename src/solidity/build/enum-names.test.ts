import { expect, test } from 'vitest'
import { decodeValues } from '#solidity/abi/decode.ts'
import { enumsIn, withEnumNames } from './enum-names.ts'

const enumNode = (canonicalName: string, ...names: readonly string[]) => ({
  nodeType: 'EnumDefinition',
  canonicalName,
  members: names.map((name) => ({ name })),
})
const file = (...nodes: readonly object[]) => ({ nodeType: 'SourceUnit', nodes })
const parameter = (internalType: string, type = 'uint8') => ({ name: '', type, internalType })

test('enums of files and of contracts are found, and those of one name that differ are left out', () => {
  const contract = { nodeType: 'ContractDefinition', nodes: [enumNode('A.E', 'x', 'y')] }
  const enums = enumsIn([
    file(enumNode('Top', 'a'), contract),
    file(enumNode('Top', 'a', 'b')),
    file(contract),
    undefined,
    { nodes: 'none' },
  ])
  expect([...enums]).toEqual([['A.E', ['x', 'y']]])
})

test('an enum with a name that no compiler takes is left out', () => {
  expect(enumsIn([file(enumNode('E', 'ok', 'a\u202eb')), file(enumNode('F', 'ok'))]).has('E')).toBe(false)
})

test('values of enums are told by name, also in lists and structs, and unknown ones by number', () => {
  const enums = enumsIn([file(enumNode('A.E', 'x', 'y'))])
  const inputs = [
    parameter('enum A.E'),
    parameter('enum A.E[2]', 'uint8[2]'),
    { name: '', type: 'tuple', internalType: 'struct A.S', components: [parameter('enum A.E'), parameter('uint8')] },
    parameter('enum B.E'),
  ]
  const abi = [{ type: 'function', name: 'f', inputs }]
  const [named] = withEnumNames(abi, enums)
  const words = [1, 0, 9, 1, 1, 1]
  const bytes = Uint8Array.from(words.flatMap((word) => [...new Uint8Array(31), word]))
  expect(decodeValues(named?.inputs ?? [], bytes)?.map(({ text }) => text)).toEqual(['y', '[x, 9]', '(y, 1)', '1'])
  expect(abi[0]?.inputs).toBe(inputs)
})

test('an ABI without enums stays the same object', () => {
  const abi = [{ type: 'function', inputs: [parameter('uint8')], outputs: [parameter('enum B.E')] }]
  expect(withEnumNames(abi, enumsIn([file(enumNode('A.E', 'x'))]))).toBe(abi)
})
