import { isObject, type JsonObject } from '#primitives/json-object.ts'
import { isCount, isDeclaration, optionalText } from '#solidity/build/json.ts'
import type {
  Callable,
  CallableKind,
  ContractOutline,
  Invocation,
  SourceCall,
  SourceOutline,
  SourceRange,
  Statement,
  StateVariable,
} from './outline.ts'

/** Most nodes read of one AST. */
export const AST_NODE_LIMIT = 5_000_000

const KINDS: ReadonlySet<string> = new Set(['function', 'constructor', 'fallback', 'receive', 'modifier'])
/** Statements whose `nodeType` does not end in `Statement`. */
const STATEMENTS: ReadonlySet<string> = new Set([
  'Block',
  'UncheckedBlock',
  'InlineAssembly',
  'Return',
  'Break',
  'Continue',
  'Throw',
  'TryCatchClause',
])
/** Nodes that contain nothing of interest. */
const CLOSED: ReadonlySet<string> = new Set([
  'InlineAssembly',
  'StructuredDocumentation',
  'PragmaDirective',
  'ImportDirective',
])

interface Pending {
  readonly node: JsonObject
  readonly contract: ContractOutline | undefined
}

/** Reads the AST of one source, without what is missing or malformed. Not recursive, as it may be nested to any depth. */
export function outlineOfAst(ast: unknown): SourceOutline {
  const contracts: ContractOutline[] = []
  const callables: Callable[] = []
  const variables: StateVariable[] = []
  const statements: Statement[] = []
  const calls: SourceCall[] = []
  const callees = new Set<unknown>()
  const taken = new Set<number>()
  const pending: Pending[] = isObject(ast) ? [{ node: ast, contract: undefined }] : []
  for (let read = 0; pending.length > 0 && read < AST_NODE_LIMIT; read++) {
    const { node, contract: outer } = pending.pop() as Pending
    let contract = outer
    const type = optionalText(node['nodeType'])
    const range = type === undefined ? undefined : rangeOf(node)
    if (type !== undefined && range) {
      if (type === 'ContractDefinition') {
        contract = readContract(node, range)
        contracts.push(contract)
      } else if (type === 'FunctionDefinition' || type === 'ModifierDefinition') {
        callables.push(readCallable(node, type, range, contract))
      } else if (type === 'VariableDeclaration' && node['stateVariable'] === true) {
        const isPublic = node['visibility'] === 'public'
        const selector = optionalText(node['functionSelector'])
        variables.push({ name: nameOf(node), contract, isPublic, id: idOf(node), selector, ...range })
      } else if (type === 'FunctionCall') {
        callees.add(calleeOf(node))
        const call = readCall(node, range)
        if (call) calls.push(call)
      } else if ((type === 'Identifier' || type === 'MemberAccess') && !callees.has(node)) {
        const target = node['referencedDeclaration']
        if (isDeclaration(target) && typeOf(node).startsWith('t_function_internal')) taken.add(target)
      } else if (isCount(node['function'])) {
        // An operator bound to a function (`using {add as +} for T`).
        const bound = { target: node['function'], isPointer: false, dispatch: 'exact', isExternal: false } as const
        calls.push({ name: '', kind: 'call', ...bound, ...range })
      } else if (STATEMENTS.has(type) || type.endsWith('Statement')) {
        statements.push({ type, ...range })
      }
    }
    if (type !== undefined && CLOSED.has(type)) continue
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) {
        for (const item of value) if (isObject(item)) pending.push({ node: item, contract })
      } else if (isObject(value)) pending.push({ node: value, contract })
    }
  }
  return { contracts, callables, variables, statements, calls, taken: [...taken], isComplete: pending.length === 0 }
}

/** `start:length:source`. */
function rangeOf({ src }: JsonObject): SourceRange | undefined {
  const [start, length] = (optionalText(src) ?? '').split(':').map(Number)
  if (!isCount(start) || !isCount(length)) return undefined
  return { start, end: start + length }
}

function nameOf({ name }: JsonObject): string {
  return optionalText(name) ?? ''
}

function idOf({ id }: JsonObject): number | undefined {
  return isCount(id) ? id : undefined
}

function readContract(node: JsonObject, range: SourceRange): ContractOutline {
  const kind = optionalText(node['contractKind'])
  return {
    name: nameOf(node),
    kind: kind === 'library' || kind === 'interface' ? kind : 'contract',
    id: idOf(node),
    bases: (Array.isArray(node['linearizedBaseContracts']) ? node['linearizedBaseContracts'] : []).filter(isCount),
    ...range,
  }
}

function readCallable(
  node: JsonObject,
  type: string,
  range: SourceRange,
  contract: ContractOutline | undefined,
): Callable {
  const kind = type === 'ModifierDefinition' ? 'modifier' : optionalText(node['kind'])
  const invocations = (Array.isArray(node['modifiers']) ? node['modifiers'] : [])
    .filter(isObject)
    .flatMap(readInvocation)
  return {
    kind: kind !== undefined && KINDS.has(kind) ? (kind as CallableKind) : 'function',
    name: nameOf(node),
    contract,
    body: isObject(node['body']) ? rangeOf(node['body']) : undefined,
    invocations,
    id: idOf(node),
    selector: optionalText(node['functionSelector']),
    overrides: [node['baseFunctions'], node['baseModifiers']].flatMap((ids) =>
      Array.isArray(ids) ? ids.filter(isDeclaration) : [],
    ),
    ...range,
  }
}

function readInvocation(node: JsonObject): Invocation[] {
  const range = rangeOf(node)
  const name = isObject(node['modifierName']) ? node['modifierName'] : {}
  const target = name['referencedDeclaration']
  return range ? [{ name: nameOf(name), target: isDeclaration(target) ? target : undefined, ...range }] : []
}

/** In `f{value: 1}(…)` the options come between the call and the function. */
function calleeOf({ expression }: JsonObject): unknown {
  const isOptions = isObject(expression) && expression['nodeType'] === 'FunctionCallOptions'
  return isOptions ? expression['expression'] : expression
}

function readCall(node: JsonObject, range: SourceRange): SourceCall | undefined {
  const callee = calleeOf(node)
  if (!isObject(callee)) return undefined
  const target = callee['referencedDeclaration']
  const kind = node['kind']
  const type = typeOf(callee)
  return {
    name: optionalText(callee['memberName']) ?? nameOf(callee),
    kind: kind === 'typeConversion' ? 'conversion' : kind === 'structConstructorCall' ? 'struct' : 'call',
    target: isDeclaration(target) ? target : undefined,
    isPointer: type.startsWith('t_function_internal'),
    dispatch: callee['nodeType'] === 'Identifier' ? 'virtual' : isSuper(callee['expression']) ? 'super' : 'exact',
    isExternal: EXTERNAL.test(type),
    ...range,
  }
}

/** Types of functions that run in a frame of their own. */
const EXTERNAL = /^t_function_(?:external|delegatecall|creation|bare|send|transfer)/

function typeOf(node: unknown): string {
  const types = isObject(node) ? node['typeDescriptions'] : undefined
  return (isObject(types) ? optionalText(types['typeIdentifier']) : undefined) ?? ''
}

function isSuper(node: unknown): boolean {
  return isObject(node) && node['nodeType'] === 'Identifier' && node['name'] === 'super'
}
