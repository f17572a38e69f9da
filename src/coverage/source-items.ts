import { isObject, type JsonObject } from '#primitives/json-object.ts'
import { isCount, optionalText } from '#solidity/build/json.ts'
import { AST_NODE_LIMIT } from '#solidity/source/ast-outline.ts'
import type { SourceRange } from '#solidity/source/outline.ts'

/** A statement. What an `if`, a loop or a `try` executes by itself is its condition, or its call. */
export interface StatementItem extends SourceRange {
  /** Where it is shown: an `if` from its word on. */
  readonly shown: SourceRange
  /** Index of the function that it is in. */
  readonly owner: number
  /** Whether it may do nothing but fail: `revert`, `require`, `assert`. */
  readonly fails: boolean
}

/** A function, constructor or modifier with a body. */
export interface FunctionItem extends SourceRange {
  /** `Ledger.pay`, `Ledger.constructor`. */
  readonly name: string
  /** AST id of its contract; `undefined` for what any contract may use: functions of libraries, and those without a contract. */
  readonly contract: number | undefined
  readonly isConstructor: boolean
  /** Whether it may run inside of others: it is internal, private, or in no contract. */
  readonly isInternal: boolean
  /** From its word to its body. */
  readonly head: SourceRange
  /** Index of the first statement that its body executes. */
  readonly first: number | undefined
}

export type BranchKind = 'if' | 'require' | 'loop' | 'ternary'

/** A decision with two ways on. Its jump has exactly its place. */
export interface BranchItem extends SourceRange {
  readonly kind: BranchKind
  readonly owner: number
  /** Index of the statement that decides. */
  readonly statement: number
  /** Where the ways are shown: that of the condition that holds, then the other. */
  readonly ways: readonly [SourceRange, SourceRange]
  /** Whether the jump is made when the condition holds. */
  readonly jumpsIfTrue: boolean
  /** What is executed when the condition of an `if` holds. */
  readonly body: SourceRange | undefined
}

/** A contract, and AST ids of itself and its bases. */
export interface ContractItem {
  readonly name: string
  readonly bases: ReadonlySet<number>
}

/** What of a source can be executed. */
export interface SourceItems {
  readonly contracts: readonly ContractItem[]
  readonly statements: readonly StatementItem[]
  readonly functions: readonly FunctionItem[]
  readonly branches: readonly BranchItem[]
  /** Whether a statement stands for all that begins on a line. */
  readonly isByLine?: boolean
}

const ITEMS = new WeakMap<object, SourceItems>()

/** Reads the AST of a source, without what is missing or malformed. Cached as long as the AST lives. */
export function itemsOfAst(ast: unknown): SourceItems {
  if (!isObject(ast)) return { contracts: [], statements: [], functions: [], branches: [] }
  const known = ITEMS.get(ast)
  if (known) return known
  const read = readItems(ast)
  ITEMS.set(ast, read)
  return read
}

interface Pending {
  readonly node: JsonObject
  readonly contract: { readonly name: string; readonly id: number | undefined }
  /** `-1` outside of functions. */
  readonly owner: number
  /** Whether it stands where a statement stands; otherwise it is searched for decisions. */
  readonly isStatement: boolean
}

/** Statements that are more than themselves, with what they execute first and the fields that have further statements. */
const COMPOUND: Readonly<Record<string, { readonly own?: string; readonly inner: readonly string[] }>> = {
  Block: { inner: ['statements'] },
  UncheckedBlock: { inner: ['statements'] },
  IfStatement: { own: 'condition', inner: ['trueBody', 'falseBody'] },
  WhileStatement: { own: 'condition', inner: ['body'] },
  DoWhileStatement: { own: 'condition', inner: ['body'] },
  ForStatement: { own: 'condition', inner: ['initializationExpression', 'loopExpression', 'body'] },
  TryStatement: { own: 'externalCall', inner: ['clauses'] },
  TryCatchClause: { inner: ['block'] },
  InlineAssembly: { inner: ['AST'] },
  YulBlock: { inner: ['statements'] },
  YulIf: { own: 'condition', inner: ['body'] },
  YulForLoop: { own: 'condition', inner: ['pre', 'post', 'body'] },
  YulSwitch: { own: 'expression', inner: ['cases'] },
  YulCase: { inner: ['body'] },
  YulFunctionDefinition: { inner: ['body'] },
}

/** The words of a loop in the AST. */
const LOOPS: ReadonlySet<string> = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement', 'YulForLoop'])
/** Loops in which something else runs before the condition. */
const LATER: ReadonlySet<string> = new Set(['DoWhileStatement', 'ForStatement', 'YulForLoop'])
/** Statements that no instruction stands for. */
const SILENT: ReadonlySet<string> = new Set(['PlaceholderStatement', 'PlaceholderStatement_'])

function readItems(ast: JsonObject): SourceItems {
  const contracts: ContractItem[] = []
  const statements: StatementItem[] = []
  const functions: (Omit<FunctionItem, 'first'> & { first: number | undefined })[] = []
  const branches: BranchItem[] = []
  /** The next one is the last: nodes come in the order of the source. */
  const pending: Pending[] = [{ node: ast, contract: { name: '', id: undefined }, owner: -1, isStatement: false }]

  function push(value: unknown, from: Pending, isStatement: boolean): void {
    const nodes = Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : []
    for (const node of nodes.toReversed()) pending.push({ ...from, node, isStatement })
  }

  function addStatement(
    range: SourceRange | undefined,
    shown: SourceRange,
    owner: number,
    isFirst = true,
    fails = false,
  ): void {
    const holder = functions[owner]
    if (!range || !holder) return
    if (isFirst) holder.first ??= statements.length
    statements.push({ ...range, shown, owner, fails })
  }

  function addBranch(
    item: Omit<BranchItem, 'ways' | 'body' | 'statement'>,
    holds: unknown,
    otherwise: unknown,
    isBody = false,
  ): void {
    const whole = { start: item.start, end: item.end }
    const [first, second] = [rangeIn(holds), rangeIn(otherwise)]
    const statement = statements.length - 1
    branches.push({ ...item, statement, ways: [first ?? whole, second ?? whole], body: isBody ? first : undefined })
  }

  for (let read = 0; pending.length > 0 && read < AST_NODE_LIMIT; read++) {
    const at = pending.pop() as Pending
    const { node, owner } = at
    const type = optionalText(node['nodeType'])
    const range = rangeIn(node)
    if (type === undefined || !range) continue
    if (owner < 0) {
      if (type === 'SourceUnit') push(node['nodes'], at, false)
      else if (type === 'ContractDefinition') {
        const contract = optionalText(node['name']) ?? ''
        const bases = Array.isArray(node['linearizedBaseContracts'])
          ? node['linearizedBaseContracts'].filter(isCount)
          : []
        contracts.push({ name: contract, bases: new Set(bases) })
        const id = node['contractKind'] !== 'library' && isCount(node['id']) ? node['id'] : undefined
        push(node['nodes'], { ...at, contract: { name: contract, id } }, false)
      } else if ((type === 'FunctionDefinition' || type === 'ModifierDefinition') && isObject(node['body'])) {
        const name = optionalText(node['name']) || (optionalText(node['kind']) ?? 'function')
        const head = { start: range.start, end: rangeIn(node['body'])?.start ?? range.end }
        const { name: holder, id } = at.contract
        functions.push({
          ...range,
          head,
          name: holder === '' ? name : `${holder}.${name}`,
          contract: id,
          isConstructor: node['kind'] === 'constructor',
          isInternal: node['visibility'] !== 'external' && node['visibility'] !== 'public',
          first: undefined,
        })
        push(node['body'], { ...at, owner: functions.length - 1 }, true)
      }
      continue
    }
    const compound = at.isStatement ? COMPOUND[type] : undefined
    if (compound) {
      const { own, inner } = compound
      if (own !== undefined) {
        const condition = rangeIn(node[own])
        const from = type === 'DoWhileStatement' ? condition : range
        const shown = { start: from?.start ?? range.start, end: condition?.end ?? range.end }
        addStatement(condition, shown, owner, !LATER.has(type))
        const jump = { ...range, owner, jumpsIfTrue: false } as const
        if (type === 'IfStatement') addBranch({ ...jump, kind: 'if' }, node['trueBody'], node['falseBody'], true)
        else if (type === 'YulIf') addBranch({ ...jump, kind: 'if' }, node['body'], undefined, true)
        else if (LOOPS.has(type) && condition) addBranch({ ...jump, kind: 'loop' }, node['body'], node[own])
      }
      for (const field of inner.toReversed()) push(node[field], at, true)
      if (own !== undefined) push(node[own], at, false)
    } else if (at.isStatement) {
      if (SILENT.has(type)) continue
      const fails = type === 'RevertStatement' || isCheck(node['expression'], FAILING)
      addStatement(range, range, owner, true, fails)
      push(Object.values(node).flat(), at, false)
    } else {
      if (type === 'Conditional') {
        const jump = { ...range, owner, kind: 'ternary', jumpsIfTrue: true } as const
        addBranch(jump, node['trueExpression'], node['falseExpression'])
      } else if (isCheck(node, DECIDING)) {
        const [condition] = node['arguments'] as readonly unknown[]
        addBranch({ ...range, owner, kind: 'require', jumpsIfTrue: true }, condition, undefined)
      }
      push(Object.values(node).flat(), at, false)
    }
  }
  return { contracts, statements, functions, branches }
}

const DECIDING: ReadonlySet<string> = new Set(['require', 'assert'])
const FAILING: ReadonlySet<string> = new Set([...DECIDING, 'revert'])

/** Whether it calls one of the functions that the compiler brings: their ids are negative, or wrapped around. */
function isCheck(node: unknown, names: ReadonlySet<string>): boolean {
  if (!isObject(node)) return false
  const { nodeType, expression } = node
  if (nodeType !== 'FunctionCall' || !isObject(expression) || !Array.isArray(node['arguments'])) return false
  const { nodeType: type, name, referencedDeclaration: id } = expression
  if (type !== 'Identifier' || !names.has(optionalText(name) ?? '')) return false
  return typeof id === 'number' && (id < 0 || id >= 2 ** 31)
}

/** `start:length:source`. */
function rangeIn(node: unknown): SourceRange | undefined {
  if (!isObject(node)) return undefined
  const [start, length] = (optionalText(node['src']) ?? '').split(':', 2).map(Number)
  return isCount(start) && isCount(length) ? { start, end: start + length } : undefined
}
