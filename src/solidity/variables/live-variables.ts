import type { JsonObject } from '#primitives/json-object.ts'
import type { Build } from '#solidity/build/build.ts'
import { isDeclaration, optionalText } from '#solidity/build/json.ts'
import { declarationNode, nodeIn, nodesIn, rangeOfNode } from '#solidity/source/ast-nodes.ts'

/** A variable of a function, and where it is on the stack. */
export interface LiveVariable {
  readonly kind: 'argument' | 'return value' | 'local'
  readonly name: string
  /** As in the source. */
  readonly type: string
  /** The AST's type identifier: `t_uint256`, `t_string_memory_ptr`. */
  readonly typeId: string
  /** In words, from the return address upwards. */
  readonly index: number
  /** In words. */
  readonly slots: number
}

/**
 * The variables of a function at a place in it, as the legacy pipeline without optimizer lays them out: arguments, return
 * values, those of modifiers, then locals in the order of their declarations.
 *
 * @param at - Byte offset in the source; `undefined` before the function's body.
 * @returns `undefined` if it is not certain.
 */
export function liveVariables(build: Build, functionId: number, at: number | undefined): LiveVariable[] | undefined {
  const node = declarationNode(build, functionId)
  if (!node || node['kind'] === 'constructor') return undefined
  const variables: LiveVariable[] = []
  let next = 0
  const add = (declaration: JsonObject, kind: LiveVariable['kind']) => {
    const types = nodeIn(declaration, 'typeDescriptions') ?? {}
    const typeId = optionalText(types['typeIdentifier']) ?? ''
    const type = optionalText(types['typeString']) ?? ''
    const slots = slotsOf(typeId)
    variables.push({ kind, name: optionalText(declaration['name']) ?? '', type, typeId, index: next, slots })
    next += slots
  }
  for (const each of parametersOf(node, 'parameters')) add(each, 'argument')
  for (const each of parametersOf(node, 'returnParameters')) add(each, 'return value')
  const body = nodeIn(node, 'body')
  const range = body && rangeOfNode(body)
  if (!body || !range || at === undefined || at < range.start || at >= range.end) return variables
  const around = slotsOfModifiers(build, node)
  if (around === undefined) return undefined
  next += around
  for (const declaration of declaredBefore(body, at)) add(declaration, 'local')
  return variables
}

function parametersOf(node: JsonObject, key: string): JsonObject[] {
  const list = nodeIn(node, key)
  return list ? nodesIn(list, 'parameters') : []
}

/** Words taken by the arguments and locals of a function's modifiers; `undefined` if it is not certain. */
function slotsOfModifiers(build: Build, node: JsonObject): number | undefined {
  let slots = 0
  for (const invocation of nodesIn(node, 'modifiers')) {
    if (invocation['kind'] === 'baseConstructorSpecifier') continue
    const target = nodeIn(invocation, 'modifierName')?.['referencedDeclaration']
    const modifier = isDeclaration(target) ? declarationNode(build, target) : undefined
    const body = modifier && nodeIn(modifier, 'body')
    // A virtual modifier may be overridden.
    if (!modifier || !body || modifier['virtual'] === true) return undefined
    const placeholder = placeholderIn(body)
    if (placeholder === undefined) return undefined
    const declared = [...parametersOf(modifier, 'parameters'), ...declaredBefore(body, placeholder)]
    for (const declaration of declared) {
      slots += slotsOf(optionalText(nodeIn(declaration, 'typeDescriptions')?.['typeIdentifier']) ?? '')
    }
  }
  return slots
}

/** The position of `_`, if there is exactly one at the outermost level. */
function placeholderIn(body: JsonObject): number | undefined {
  const found = nodesIn(body, 'statements').filter(({ nodeType }) => nodeType === 'PlaceholderStatement')
  return found.length === 1 ? rangeOfNode(found[0] as JsonObject).start : undefined
}

/** Statements that leave blocks. */
const LEAVING: ReadonlySet<string> = new Set(['Break', 'Continue', 'Return'])

/** Declarations before a place, in the blocks around it, outermost first; none while the stack is being cleared. */
function declaredBefore(block: JsonObject, at: number): JsonObject[] {
  const declared: JsonObject[] = []
  let statements = nodesIn(block, 'statements')
  for (let i = 0; i < statements.length; i++) {
    const statement = statements[i] as JsonObject
    const { start, end } = rangeOfNode(statement)
    if (end <= at) {
      if (statement['nodeType'] === 'VariableDeclarationStatement') declared.push(...nodesIn(statement, 'declarations'))
      continue
    }
    if (start > at) break
    // Code at the whole statement clears the stack; a returned expression begins after the keyword.
    if (start === at && LEAVING.has(optionalText(statement['nodeType']) ?? '')) return []
    statements = [...statementsAround(statement, at)]
    i = -1
  }
  return declared
}

/** The parts of a statement to search next: declarations before a place, then the inner block around it. */
function* statementsAround(statement: JsonObject, at: number): Generator<JsonObject> {
  const initialization = nodeIn(statement, 'initializationExpression')
  if (initialization && rangeOfNode(initialization).end <= at) yield initialization
  for (const clause of nodesIn(statement, 'clauses')) {
    const { start, end } = rangeOfNode(clause)
    if (start > at || end <= at) continue
    const declarations = parametersOf(clause, 'parameters')
    // The clause's parameters count as declared before its block.
    if (declarations.length > 0) yield { nodeType: 'VariableDeclarationStatement', src: `${start}:0:0`, declarations }
  }
  const inner = ['body', 'trueBody', 'falseBody'].map((key) => nodeIn(statement, key))
  const blocks = nodesIn(statement, 'clauses').map((clause) => nodeIn(clause, 'block'))
  if (statement['nodeType'] === 'Block' || statement['nodeType'] === 'UncheckedBlock')
    yield* nodesIn(statement, 'statements')
  for (const block of [...inner, ...blocks]) {
    if (!block) continue
    const { start, end } = rangeOfNode(block)
    if (start <= at && at < end) yield block
  }
}

/** Words on the stack: two for dynamic calldata (offset, length) and external functions (address, selector), else one. */
function slotsOf(typeId: string): number {
  if (/^t_(?:string|bytes)_calldata/.test(typeId) || /^t_array.*\$dyn_calldata/.test(typeId)) return 2
  return typeId.startsWith('t_function_external') ? 2 : 1
}
