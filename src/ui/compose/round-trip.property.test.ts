import fc from 'fast-check'
import type { AbiParameter } from 'viem'
import { expect, test } from 'vitest'
import { type Hex, hexToBytes } from '#primitives/hex.ts'
import { decodeValues as decodeTexts } from '#solidity/abi/decode.ts'
import { decodeParameters } from '#ui/decode/decode-values.ts'
import type { ShownValue } from '#ui/decode/decoded.ts'
import { encodeValues } from '#ui/decode/encode-values.ts'
import { parseArguments } from './call-data.ts'
import { fieldsOf, textOfFields } from './field-texts.ts'

/** A parameter, and a value of it as a person writes it: JSON for lists and structs. */
interface Case {
  readonly parameter: AbiParameter
  readonly json: unknown
}

const ENUM = ['none', 'open', 'closed']
const names = fc.constantFrom('a', 'b', 'to', 'toString', '__proto__', 'length', 'then', '')
const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(textOfBytes)

function textOfBytes(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.boolean().map((json): Case => ({ parameter: { type: 'bool' }, json })),
  hex(20).map((json): Case => ({ parameter: { type: 'address' }, json })),
  hex(24).map((json): Case => ({ parameter: { type: 'function' }, json })),
  fc.string().map((json): Case => ({ parameter: { type: 'string' }, json })),
  fc.uint8Array({ maxLength: 70 }).map((bytes): Case => ({ parameter: { type: 'bytes' }, json: textOfBytes(bytes) })),
  fc
    .integer({ min: 1, max: 32 })
    .chain((size) => hex(size).map((json): Case => ({ parameter: { type: `bytes${size}` }, json }))),
  fc.integer({ min: 1, max: 32 }).chain((size) =>
    fc.bigInt(0n, 2n ** BigInt(8 * size) - 1n).chain((value) =>
      fc.boolean().map(
        (isSigned): Case => ({
          parameter: { type: `${isSigned ? '' : 'u'}int${8 * size}` },
          json: String(isSigned ? BigInt.asIntN(8 * size, value) : value),
        }),
      ),
    ),
  ),
  fc.constantFrom(...ENUM).map((json): Case => {
    const parameter = { type: 'uint8', internalType: 'enum Shop.State', enumNames: ENUM }
    return { parameter, json }
  }),
)

const cases = fc.letrec<{ any: Case }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    // A list of one value several times: its items have one type.
    fc.tuple(tie('any'), fc.integer({ min: 0, max: 3 }), fc.boolean()).map(([of, count, isFixed]): Case => {
      const type = `${of.parameter.type}[${isFixed && count > 0 ? count : ''}]`
      return {
        parameter: { ...of.parameter, type },
        json: Array.from({ length: count }, () => of.json),
      }
    }),
    fc.array(fc.tuple(names, tie('any')), { minLength: 1, maxLength: 4 }).map((members): Case => {
      const components = members.map(([name, { parameter }]) => ({ ...parameter, name }))
      return { parameter: { type: 'tuple', components }, json: members.map(([, { json }]) => json) }
    }),
  ),
})).any

/** As the person wrote it. */
function plain(value: ShownValue): unknown {
  switch (value.kind) {
    case 'address':
      return value.address
    case 'function':
      return `${value.address}${value.selector.slice(2)}`
    case 'integer':
      return value.name ?? String(value.integer)
    case 'boolean':
      return value.boolean
    case 'bytes':
      return value.bytes
    case 'text':
      return value.text
    case 'list':
      return value.items.map(plain)
    case 'tuple':
      return value.members.map((member) => plain(member.value))
    case 'hashed':
      return value.hash
  }
}

/** What a text field holds. */
function textOf({ parameter, json }: Case): string {
  return parameter.type.endsWith(']') || parameter.type === 'tuple' ? JSON.stringify(json) : String(json)
}

test('what is typed for any types is encoded, and decoded as it was typed', () => {
  fc.assert(
    fc.property(fc.array(cases, { maxLength: 4 }), (all) => {
      const parameters = all.map(({ parameter }) => parameter)
      const parsed = parseArguments(parameters, all.map(textOf))
      if (!parsed.ok) throw new Error(parsed.argumentErrors.join(' '))
      const data = encodeValues(parameters, parsed.values)
      const decoded = decodeParameters(parameters, data)
      expect(decoded?.exact).toBe(true)
      expect(decoded?.args.map(({ value }) => plain(value))).toEqual(all.map(({ json }) => json))
      // The decoder of the server knows the same types.
      expect(decodeTexts(parameters as never, hexToBytes(data))).toHaveLength(all.length)
    }),
    { numRuns: 300 },
  )
})

test('fields of lists and structs mean what the same JSON means', () => {
  const throughFields = (parameter: AbiParameter, text: string): string => {
    const fields = parameter.type.endsWith(']') || parameter.type === 'tuple' ? fieldsOf(parameter, text) : undefined
    if (!fields) return text
    return textOfFields(fields.texts.map((each, i) => throughFields(fields.parameters[i] ?? parameter, each)))
  }
  fc.assert(
    fc.property(cases, (each) => {
      const { parameter } = each
      expect(parseArguments([parameter], [throughFields(parameter, textOf(each))])).toEqual(
        parseArguments([parameter], [textOf(each)]),
      )
    }),
    { numRuns: 300 },
  )
})
