/**
 * What Blinknet and anvil answer differently by design, taken out in one place. DIFFERENCES.md gives the reason for each.
 */

type Json = Readonly<Record<string, unknown>>

function without(value: unknown, fields: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value as Json).filter(([field]) => !fields.includes(field)))
}

/** Hashes of blocks differ, for so do their roots; anvil adds fields that execution-apis does not have. */
const PLACE = ['blockHash', 'blockTimestamp'] as const

/** A receipt without what depends on the chain that has it. */
export function comparableReceipt(receipt: unknown): Json {
  const { logs, ...rest } = without(receipt, [...PLACE, 'blobGasPrice', 'blobGasUsed']) as { logs: unknown[] }
  return { ...rest, logs: logs.map((log) => without(log, PLACE)) }
}

/** A transaction without what depends on the chain that has it. */
export function comparableTransaction(transaction: unknown): Json {
  return without(transaction, PLACE)
}

/** A block: what its transactions make of it, and what the test sets for both chains. */
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

/** The nonce of a contract that anvil has from the start is 0 there; deployed in earnest, as it is here, it is 1. */
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
 * A result of `callTracer`. Of the outermost frame anvil leaves the intrinsic gas out of `gas`, and counts in `gasUsed` what
 * the transactions before it in the block have used; it numbers logs by transaction rather than by block, keeps those of
 * failed calls, and says of every precompiled contract that it failed rather than why.
 */
export function comparableCalls(trace: unknown): Json {
  const { gas: _gas, gasUsed: _gasUsed, ...outermost } = comparableFrame(trace as CallFrame)
  return outermost
}

/** What a frame failed of, for the words of anvil and for Blinknet's, which are geth's. */
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

/** anvil knows those of the next fork by name. */
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
 * The steps of the struct logger: what each does and costs, on which stack. To the cost of a creation anvil adds the gas
 * that it hands on; of a step that cannot be paid it tells what there was; it names no undefined opcode, and shows a STOP
 * where a call or a creation has no code at all.
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
 * A list of frames in Parity's format, without what depends on the chain that has it. anvil shows calls of precompiled
 * contracts in some answers and leaves them out in others; a test has them last, so that nobody's position differs.
 */
export function comparableTraces(traces: unknown): unknown[] {
  return (traces as readonly FlatTrace[])
    .filter(({ action }) => !PRECOMPILED.test(String(action.to)))
    .map(({ blockHash: _hash, subtraces: _count, ...trace }) => ({
      ...trace,
      ...(trace['error'] !== undefined && { error: failureOf(trace) }),
    }))
}

/** What a transaction changes in Parity's format: of an account that is new anvil says that it was empty. */
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

/** A block as Otterscan has it; anvil keeps its bloom. */
export function comparableOtsBlock(block: unknown): Json {
  return without(comparableBlock(block), ['logsBloom'])
}

/** Frames as Otterscan has them: anvil shows neither creations nor self-destructions, and a value where none can be sent. */
export function comparableOtsFrames(frames: unknown): unknown[] {
  return (frames as readonly (Json & { readonly type: string; readonly to: string })[])
    .filter(({ type, to }) => !/^(CREATE2?|SELFDESTRUCT)$/.test(type) && !PRECOMPILED.test(to))
    .map(({ value, ...frame }) => ({ ...frame, value: /^(STATIC|DELEGATE)CALL$/.test(frame.type) ? 'none' : value }))
}

/**
 * Operations within a transaction. anvil has what the transaction itself sends or creates as well, and not what is sent to a
 * contract that then destroys itself.
 */
export function comparableOperations(operations: unknown, caller: string): readonly Json[] {
  const all = operations as readonly (Json & { readonly type: number; readonly from: string; readonly to: string })[]
  const destroyed = new Set(all.filter(({ type }) => type === 1).map(({ from }) => from))
  return all.filter(({ type, from, to }) => from !== caller && !(type === 0 && destroyed.has(to)))
}

/** A page of a search: transactions and receipts. Looking forwards, anvil has those of a block the other way around. */
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

/** A page of a block; anvil keeps logs and counts the transactions of the page. */
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
