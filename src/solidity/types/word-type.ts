import type { JsonObject } from '#primitives/json-object.ts'
import type { Build } from '#solidity/build/build.ts'
import { enumNames } from '#solidity/build/enum-names.ts'
import { optionalText } from '#solidity/build/json.ts'
import { declarationNode, nodeIn } from '#solidity/source/ast-nodes.ts'
import { elementaryType, type WordType } from '#solidity/value-words.ts'

const EXTERNAL_FUNCTION: WordType = { kind: 'function', size: 24, names: [] }
const INTERNAL_FUNCTION: WordType = { kind: 'function', size: 8, names: [] }

/**
 * What a type's values are: those of a user-defined value type are those of the type under it.
 *
 * @param typeId - As the AST has it (`t_enum$_State_$12`), or a storage layout (`t_enum(State)12`).
 * @returns `undefined` if the type has no value of one word, or if the build does not tell what it is.
 */
export function wordTypeOf(build: Build | undefined, typeId: string): WordType | undefined {
  const elementary = elementaryType(
    /^t_(?:address|contract)/.test(typeId) ? 'address' : (/^t_(bool|u?int\d+|bytes\d+)$/.exec(typeId)?.[1] ?? ''),
  )
  if (elementary) return elementary
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
