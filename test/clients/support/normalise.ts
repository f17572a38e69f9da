/** Removes what Blinknet and anvil answer differently by design. DIFFERENCES.md gives the reasons. */

type Json = Readonly<Record<string, unknown>>

function without(value: unknown, fields: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value as Json).filter(([field]) => !fields.includes(field)))
}

/** Block hashes differ because state roots do; anvil also adds fields that execution-apis lacks. */
const PLACE = ['blockHash', 'blockTimestamp'] as const

/** A receipt without the values that differ between the chains. */
export function comparableReceipt(receipt: unknown): Json {
  const { logs, ...rest } = without(receipt, [...PLACE, 'blobGasPrice', 'blobGasUsed']) as { logs: unknown[] }
  return { ...rest, logs: logs.map((log) => without(log, PLACE)) }
}

/** A transaction without the values that differ between the chains. */
export function comparableTransaction(transaction: unknown): Json {
  return without(transaction, PLACE)
}

/** The parts of a block that its transactions determine, and those that the test sets on both chains. */
export function comparableBlock(block: unknown): Json {
  return without(block, [
    'hash',
    'parentHash',
    'stateRoot',
    'mixHash',
    'parentBeaconBlockRoot',
    'extraData',
    'size',
    'totalDifficulty',
  ])
}

/** A contract that anvil has from the start has nonce 0 there; here it has nonce 1, as after a real deployment. */
const PREINSTALLED = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** An account at a block. */
export function comparableAccount(account: Json & { readonly address: string }): Json {
  return without(account, account.address === PREINSTALLED ? ['nonce'] : [])
}

interface CallFrame {
  readonly calls?: readonly CallFrame[]
  readonly logs?: readonly unknown[]
  readonly [field: string]: unknown
}

/**
 * A result of `callTracer`. In the outermost frame, anvil's `gas` lacks the intrinsic gas, and its `gasUsed` includes
 * that of the block's earlier transactions. anvil numbers logs by transaction instead of by block, keeps the logs of
 * failed calls, and gives no reason when a precompiled contract fails.
 */
export function comparableCalls(trace: unknown): Json {
  const { gas: _gas, gasUsed: _gasUsed, ...outermost } = comparableFrame(trace as CallFrame)
  return outermost
}

/** The kind of a frame's failure, from anvil's words or from geth's, which Blinknet uses. */
const FAILURES: readonly (readonly [words: RegExp, failure: string])[] = [
  [/^(CreateContractStartingWithEF|invalid code: must not begin with 0xef)$/, 'code begins with 0xef'],
  [/^(CreateContractSizeLimit|max code size exceeded)$/, 'code too long'],
  [/^(CreateCollision|contract address collision)$/, 'address taken'],
  [/^(Out of stack|StackUnderflow|stack underflow( .*)?)$/, 'stack underflow'],
  [/^(StateChangeDuringStaticCall|CallNotAllowedInsideStatic|write protection)$/, 'write protection'],
  [/^(OutOfFunds|insufficient balance for transfer)$/, 'insufficient balance'],
  [/^(InvalidJump|invalid jump destination)$/, 'invalid jump'],
  [/^(StackOverflow|stack limit reached .*)$/, 'stack overflow'],
  [/^(CallTooDeep|max call depth exceeded)$/, 'too deep'],
  [/^NotActivated$/, 'invalid opcode'],
  [/^invalid opcode(: opcode .* not defined)?$/, 'invalid opcode'],
  [/^(OutOfOffset|return data out of bounds)$/, 'return data out of bounds'],
  [/^(out of gas|out of gas: .*|contract creation code storage out of gas)$/, 'out of gas'],
]

const PRECOMPILED = /^0x0{36}(00(0[1-9a-f]|1[01])|0100)$/

function failureOf({ error }: Json): unknown {
  return FAILURES.find(([words]) => words.test(String(error)))?.[1] ?? error
}

function comparableFrame({ calls, logs, ...frame }: CallFrame, withinFailed = false): Json {
  const failed = frame['error'] !== undefined
  const undone = withinFailed || failed
  return {
    ...frame,
    ...(failed && { error: PRECOMPILED.test(String(frame['to'])) ? 'failed' : failureOf(frame) }),
    ...(calls && { calls: calls.map((call) => comparableFrame(call, undone)) }),
    ...(logs && !undone && { logs: logs.map((log) => without(log, ['index'])) }),
  }
}

/** anvil already knows the opcodes of the next fork by name. */
const UNDEFINED_OPCODE = /^(Unknown|SLOTNUM|DUPN|SWAPN|EXCHANGE|opcode 0x\w+ not defined)$/

interface Step {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly stack: readonly string[]
}

/**
 * The steps of the struct logger: opcode, cost and stack. anvil adds forwarded gas to the cost of a creation, and shows
 * the remaining gas for a step that cannot be paid. It does not name undefined opcodes, and shows a STOP for a call or
 * creation without code.
 */
export function comparableSteps(trace: unknown): unknown[] {
  const { structLogs } = trace as { structLogs: readonly Step[] }
  const isStopAlone = ({ op, pc, depth }: Step, index: number) =>
    op === 'STOP' && pc === 0 && (structLogs[index + 1]?.depth ?? 0) < depth
  const steps = structLogs.filter((step, index) => !isStopAlone(step, index))
  return steps.map(({ pc, op, gas, gasCost, depth, stack }, index) => {
    const isLastOfFrame = (steps[index + 1]?.depth ?? 0) < depth
    const isCreation = op === 'CREATE' || op === 'CREATE2'
    return {
      pc,
      op: UNDEFINED_OPCODE.test(op) ? 'undefined' : op,
      gas,
      gasCost: isLastOfFrame || isCreation ? 'not compared' : gasCost,
      depth,
      stack,
    }
  })
}

interface FlatTrace {
  readonly action: Json & { readonly callType?: string; readonly to?: string }
  readonly traceAddress: readonly number[]
  readonly subtraces: number
  readonly [field: string]: unknown
}

/**
 * A list of frames in Parity's format, without the values that differ between the chains. anvil includes calls of
 * precompiled contracts in some answers only; tests make them last, so that they shift no other frame.
 */
export function comparableTraces(traces: unknown): unknown[] {
  return (traces as readonly FlatTrace[])
    .filter(({ action }) => !PRECOMPILED.test(String(action.to)))
    .map(({ blockHash: _hash, subtraces: _count, ...trace }) => ({
      ...trace,
      ...(trace['error'] !== undefined && { error: failureOf(trace) }),
    }))
}

/** The state diff in Parity's format; for a new account, anvil shows changes from an empty one. */
function comparableDiff(diff: unknown): Json {
  const accounts = Object.entries(diff as Record<string, Json>).map(([address, account]) => [
    address,
    Object.fromEntries(
      Object.entries(account).map(([field, delta]) => {
        const added = (delta as Readonly<Record<string, unknown>>)['+']
        if (field === 'storage' || added === undefined) return [field, delta]
        const from = field === 'code' ? '0x' : '0x0'
        return [field, added === from ? '=' : { '*': { from, to: added } }]
      }),
    ),
  ])
  return Object.fromEntries(accounts) as Json
}

/** Replays of the transactions of a block. */
export function comparableReplays(replays: unknown): unknown[] {
  return (replays as readonly Json[]).map(({ trace, stateDiff, ...replay }) => ({
    ...replay,
    trace: comparableTraces(trace),
    stateDiff: comparableDiff(stateDiff),
  }))
}

/** A block of an `ots_` method; anvil keeps its bloom. */
export function comparableOtsBlock(block: unknown): Json {
  return without(comparableBlock(block), ['logsBloom'])
}

/**
 * Frames of `ots_traceTransaction`. anvil leaves out creations and self-destructions, and shows a value for calls that
 * cannot send one.
 */
export function comparableOtsFrames(frames: unknown): unknown[] {
  return (frames as readonly (Json & { readonly type: string; readonly to: string })[])
    .filter(({ type, to }) => !/^(CREATE2?|SELFDESTRUCT)$/.test(type) && !PRECOMPILED.test(to))
    .map(({ value, ...frame }) => ({ ...frame, value: /^(STATIC|DELEGATE)CALL$/.test(frame.type) ? 'none' : value }))
}

/**
 * Operations of `ots_getInternalOperations`. anvil includes the transaction's own transfer or creation, and leaves out
 * transfers to a contract that then destroys itself.
 */
export function comparableOperations(operations: unknown, caller: string): readonly Json[] {
  const all = operations as readonly (Json & { readonly type: number; readonly from: string; readonly to: string })[]
  const destroyed = new Set(all.filter(({ type }) => type === 1).map(({ from }) => from))
  return all.filter(({ type, from, to }) => from !== caller && !(type === 0 && destroyed.has(to)))
}

/** A page of a search: transactions and receipts. Looking forwards, anvil reverses the order within a block. */
export function comparableOtsPage(page: unknown): Json {
  const { txs, receipts, ...ends } = page as Readonly<Record<'txs' | 'receipts', readonly Json[]>>
  const inOrder = (items: readonly Json[], hash: string) =>
    items.toSorted((a, b) => (String(a[hash]) < String(b[hash]) ? -1 : 1))
  return {
    ...ends,
    txs: inOrder(txs, 'hash').map(comparableTransaction),
    receipts: inOrder(receipts, 'transactionHash').map(comparableReceipt),
  }
}

/** A page of a block; anvil keeps logs and counts only the page's transactions. */
export function comparableOtsTransactions(page: unknown): Json {
  const { fullblock, receipts } = page as {
    fullblock: { transactions: readonly unknown[] }
    receipts: readonly unknown[]
  }
  return {
    block: without(comparableOtsBlock(fullblock), ['transactions']),
    transactions: fullblock.transactions.map(comparableTransaction),
    receipts: receipts.map((receipt) => without(comparableReceipt({ ...(receipt as Json), logs: [] }), ['logsBloom'])),
  }
}
