import { isObject, type JsonObject } from '#primitives/json-object.ts'
import { isCount, isDeclaration, optionalText } from '#solidity/build/json.ts'
import { AST_NODE_LIMIT } from './ast-outline.ts'
import type { SourceText } from './lines.ts'
import type { SourceRange } from './outline.ts'

/** A place in a source where execution can fail, and how. */
export type FailurePoint = SourceRange &
  (
    | {
        readonly kind: 'reason'
        /** `undefined` if it is computed. */
        readonly text: string | undefined
      }
    | { readonly kind: 'custom'; readonly error: string }
    /** `require` without a reason, `revert()`, and checks that revert without data, such as decoding and slices. */
    | { readonly kind: 'bare' }
    | { readonly kind: 'panic'; readonly code: number }
    /** A call of another contract, or its creation. */
    | { readonly kind: 'call' }
    /** A call that returns whether it succeeded. */
    | { readonly kind: 'low-level call' }
    /** Inline assembly, which may do anything. */
    | { readonly kind: 'assembly' }
  )

const OVERFLOWING: ReadonlySet<string> = new Set(['+', '-', '*', '**', '+=', '-=', '*=', '**=', '++', '--'])
const DIVIDING: ReadonlySet<string> = new Set(['/', '%', '/=', '%='])
/** Type prefixes of functions that call other contracts. */
const CALLING = /^t_function_(external|delegatecall|creation|transfer|setvalue|setgas)/

const LOW_LEVEL = /^t_function_(bare|send)/

/**
 * All failure points of an AST. Checks that the compiler adds, such as those of arguments, are not included.
 *
 * @param isFunction - Whether an AST id is that of a function; otherwise a call goes through a variable.
 */
export function failurePoints(ast: unknown, text: SourceText, isFunction: (id: number) => boolean): FailurePoint[] {
  const points: FailurePoint[] = []
  const pending: { node: JsonObject; unchecked: boolean }[] = isObject(ast) ? [{ node: ast, unchecked: false }] : []
  for (let read = 0; pending.length > 0 && read < AST_NODE_LIMIT; read++) {
    const next = pending.pop()
    if (!next) break
    const { node } = next
    const type = optionalText(node['nodeType'])
    const unchecked = next.unchecked || type === 'UncheckedBlock'
    const [start, length] = (optionalText(node['src']) ?? '').split(':').map(Number)
    if (type !== undefined && isCount(start) && isCount(length)) {
      const range = { start, end: start + length }
      points.push(...pointsOf(node, type, range, unchecked, { text, isFunction }))
    }
    if (type === 'InlineAssembly') continue
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) {
        for (const item of value) if (isObject(item)) pending.push({ node: item, unchecked })
      } else if (isObject(value)) pending.push({ node: value, unchecked })
    }
  }
  return points
}

function pointsOf(
  node: JsonObject,
  type: string,
  range: SourceRange,
  unchecked: boolean,
  { text, isFunction }: { readonly text: SourceText; readonly isFunction: (id: number) => boolean },
): FailurePoint[] {
  switch (type) {
    case 'FunctionCall':
      return callPoints(node, range, isFunction)
    case 'RevertStatement':
      return [{ kind: 'custom', error: calleeName(node['errorCall']), ...range }]
    case 'BinaryOperation':
    case 'Assignment':
    case 'UnaryOperation': {
      const operator = optionalText(node['operator']) ?? ''
      if (isCount(node['function']) || !/^t_u?int/.test(typeOf(node))) return []
      const negates = type === 'UnaryOperation' && operator === '-'
      const codes = [
        ...(!unchecked && (OVERFLOWING.has(operator) || negates || operator.startsWith('/')) ? [0x11] : []),
        ...(DIVIDING.has(operator) ? [0x12] : []),
      ]
      return codes.map((code) => ({ kind: 'panic', code, ...range }))
    }
    case 'IndexAccess':
      return /^t_(array|bytes)/.test(typeOf(node['baseExpression'])) ? [{ kind: 'panic', code: 0x32, ...range }] : []
    case 'IndexRangeAccess':
      return [{ kind: 'bare', ...range }]
    case 'InlineAssembly':
      return /\b(?:revert|invalid|call|callcode|delegatecall|staticcall|create2?)\b/.test(
        text.slice(range.start, range.end),
      )
        ? [{ kind: 'assembly', ...range }]
        : []
    default:
      return []
  }
}

function callPoints(node: JsonObject, range: SourceRange, isFunction: (id: number) => boolean): FailurePoint[] {
  const callee = isObject(node['expression']) ? node['expression'] : {}
  const calleeType = typeOf(callee)
  const args = Array.isArray(node['arguments']) ? (node['arguments'] as readonly unknown[]) : []
  if (node['kind'] === 'typeConversion') {
    return typeOf(node).startsWith('t_enum') ? [{ kind: 'panic', code: 0x21, ...range }] : []
  }
  const isBuiltIn = callee['nodeType'] === 'Identifier' && !isDeclaration(callee['referencedDeclaration'])
  switch (isBuiltIn ? optionalText(callee['name']) : undefined) {
    case 'assert':
      return [{ kind: 'panic', code: 1, ...range }]
    case 'require':
      return [messagePoint(args[1], range)]
    case 'revert':
      return [messagePoint(args[0], range)]
    case 'addmod':
    case 'mulmod':
      return [{ kind: 'panic', code: 0x12, ...range }]
    case undefined:
    default:
  }
  if (CALLING.test(calleeType)) return [{ kind: 'call', ...range }]
  if (LOW_LEVEL.test(calleeType)) return [{ kind: 'low-level call', ...range }]
  const target = callee['referencedDeclaration']
  const isPointer = calleeType.startsWith('t_function_internal') && !(isDeclaration(target) && isFunction(target))
  if (isPointer) return [{ kind: 'panic', code: 0x51, ...range }]
  if (calleeType.startsWith('t_function_arraypop')) return [{ kind: 'panic', code: 0x31, ...range }]
  if (calleeType.startsWith('t_function_abidecode')) return [{ kind: 'bare', ...range }]
  return []
}

function messagePoint(message: unknown, range: SourceRange): FailurePoint {
  if (!isObject(message)) return { kind: 'bare', ...range }
  if (message['nodeType'] === 'FunctionCall' && typeOf(message).startsWith('t_error')) {
    return { kind: 'custom', error: calleeName(message), ...range }
  }
  const text = message['nodeType'] === 'Literal' ? optionalText(message['value']) : undefined
  return { kind: 'reason', text, ...range }
}

function typeOf(node: unknown): string {
  const types = isObject(node) ? node['typeDescriptions'] : undefined
  return (isObject(types) ? optionalText(types['typeIdentifier']) : undefined) ?? ''
}

function calleeName(call: unknown): string {
  const callee = isObject(call) ? call['expression'] : undefined
  if (!isObject(callee)) return ''
  return optionalText(callee['memberName']) ?? (optionalText(callee['name']) ?? '').split('.').at(-1) ?? ''
}
