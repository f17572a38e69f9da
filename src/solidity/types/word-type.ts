import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex } from '#primitives/hex.ts'
import type { Build } from '#solidity/build/build.ts'
import { enumNames } from '#solidity/build/enum-names.ts'
import { type JsonObject, optionalText } from '#solidity/build/json.ts'
import { checksumAddress } from '#solidity/keccak.ts'
import { declarationNode, nodeIn } from '#solidity/source/ast-nodes.ts'

/** A type whose value is one word. */
export interface WordType {
  /** `function`: a pointer to one, external or internal. */
  readonly kind: 'address' | 'bool' | 'enum' | 'int' | 'uint' | 'bytes' | 'function'
  /** In bits; in bytes for `bytes` and `function`. */
  readonly size: number
  /** Names of an enum's values; empty if they are not known. */
  readonly names: readonly string[]
}

const EXTERNAL_FUNCTION: WordType = { kind: 'function', size: 24, names: [] }
const INTERNAL_FUNCTION: WordType = { kind: 'function', size: 8, names: [] }

/**
 * What a type's values are: those of a user-defined value type are those of the type under it.
 *
 * @param typeId - As the AST has it (`t_enum$_State_$12`), or a storage layout (`t_enum(State)12`).
 * @returns `undefined` if the type has no value of one word, or if the build does not tell what it is.
 */
export function wordTypeOf(build: Build | undefined, typeId: string): WordType | undefined {
  if (/^t_(?:address|contract)/.test(typeId)) return { kind: 'address', size: 160, names: [] }
  if (typeId === 't_bool') return { kind: 'bool', size: 1, names: [] }
  const [, kind, size] = /^t_(u?int|bytes)(\d{1,3})$/.exec(typeId) ?? []
  if (kind !== undefined) return { kind: kind as 'int' | 'uint' | 'bytes', size: Number(size), names: [] }
  if (typeId.startsWith('t_function_external')) return EXTERNAL_FUNCTION
  if (typeId.startsWith('t_function_internal')) return INTERNAL_FUNCTION
  const node = build && typeNode(build, typeId)
  if (node?.['nodeType'] === 'UserDefinedValueTypeDefinition') {
    const underlying = optionalText(
      nodeIn(nodeIn(node, 'underlyingType') ?? {}, 'typeDescriptions')?.['typeIdentifier'],
    )
    // Only an AST that no compiler wrote nests them.
    return underlying === undefined || underlying.startsWith('t_userDefined')
      ? undefined
      : wordTypeOf(build, underlying)
  }
  if (!typeId.startsWith('t_enum')) return undefined
  const names = enumNames(node)
  return { kind: 'enum', size: names.length > 256 ? 16 : 8, names }
}

/** The declaration of a struct, an enum or a user-defined value type. */
export function typeNode(build: Build, typeId: string): JsonObject | undefined {
  const ofAst = /^t_(?:struct|enum|userDefinedValueType)\$_.*_\$(\d{1,15})(?:_(?:memory|storage|calldata)(?:_ptr)?)?$/
  const ofLayout = /^t_(?:struct|enum|userDefinedValueType)\(.*\)(\d{1,15})(?:_storage)?$/
  const id = (ofAst.exec(typeId) ?? ofLayout.exec(typeId))?.[1]
  return id === undefined ? undefined : declarationNode(build, Number(id))
}

/**
 * The value of a word on the stack as text. Only the value's own bits count: the compiler cleans the others when it uses a
 * word, and no earlier.
 */
export function wordText({ kind, size, names }: WordType, word: Uint8Array): string {
  if (kind === 'address') return checksumAddress(bytesToHex(word.subarray(12)))
  if (kind === 'bytes') return bytesToHex(word.subarray(0, size))
  if (kind === 'function') return bytesToHex(word.subarray(32 - size))
  const value = bytesToBigInt(word)
  if (kind === 'bool') return value === 0n ? 'false' : 'true'
  if (kind === 'int') return BigInt.asIntN(size, value).toString()
  const clean = BigInt.asUintN(size, value)
  return (kind === 'enum' ? names[Number(clean)] : undefined) || clean.toString()
}
