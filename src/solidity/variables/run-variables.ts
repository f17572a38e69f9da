import type { Address, Hash } from '#primitives/hex.ts'
import { type RpcExecutionTrace, type RpcStorageTrace, storageAddress } from '#rpc-types/execution-trace.ts'
import type { CodeIndex, RecognisedCode } from '#solidity/code/code-index.ts'
import { createFrameCodes, type FrameCode } from '#solidity/stack/traced-code.ts'
import { layoutOf, transientLayoutOf } from '#solidity/storage/contract-layout.ts'
import { fixedSlots, type NamedStorage, nameStorage } from '#solidity/storage/describe-slots.ts'
import { storageHistory } from '#solidity/storage/storage-history.ts'
import type { StorageLayout } from '#solidity/storage/storage-layout.ts'
import { type ParsedTrace, parseTrace } from '#solidity/trace/parsed-trace.ts'
import { type FixedVariable, fixedVariables } from './fixed-variables.ts'
import { type Locals, localsOf, type StepData } from './locals.ts'
import { FrameWalk } from './running-function.ts'

/** A variable of a contract, or part of one. */
export interface ContractVariable {
  readonly kind: 'stored' | 'transient' | FixedVariable['kind']
  /** `balances[0x…]`, `items[2].name`. */
  readonly path: string
  /** As written in the source. */
  readonly type: string
  /** As text; `undefined` if unknown, as nothing has read or written it. */
  readonly value: string | undefined
}

/** Variables of the contract whose storage is in use, or why they are unknown. */
export type State =
  | {
      readonly known: true
      readonly contract: string
      readonly variables: readonly ContractVariable[]
      /** Number of variables that are left out. */
      readonly more: number
    }
  /** `no layout`: the build has none; `too many uses`: the uses of storage were cut off before this step. */
  | { readonly known: false; readonly reason: 'no source' | 'no layout' | 'too many uses' }

/** What a debugger shows at a step. */
export interface StepVariables {
  /** Index of its frame in the trace. */
  readonly frame: number
  readonly locals: Locals
  readonly state: State
}

/** The variables before a step. */
export type VariablesAt = (step: number, data: StepData) => StepVariables

/** Most slots to ask for, over all accounts; `devnet_traceStorage` takes no more. */
const ASKED_LIMIT = 4_096
/** Most variables shown of one contract. */
const TOLD_LIMIT = 500

/**
 * The slots that a debugger asks for besides those that the execution uses: the slots of its contracts' variables, by account.
 */
export function variableSlots(trace: RpcExecutionTrace, index: CodeIndex): Record<Address, Hash[]> {
  const codeOf = createFrameCodes(parseTrace(trace), index)
  const asked = new Map<Address, Set<Hash>>()
  let left = ASKED_LIMIT
  const seen = new Set<string>()
  for (const [frame, made] of trace.frames.entries()) {
    const account = storageAddress(made)
    const key = `${account} ${made.code}`
    if (seen.has(key)) continue
    seen.add(key)
    const layout = layoutOf(codeOf(frame)?.recognised)
    if (!layout) continue
    const slots = asked.get(account) ?? new Set()
    for (const slot of fixedSlots(layout)) {
      if (slots.has(slot) || left <= 0) continue
      slots.add(slot)
      left--
    }
    asked.set(account, slots)
  }
  return Object.fromEntries([...asked].map(([account, slots]) => [account, [...slots]]))
}

/**
 * Prepares an execution for looking up the variables at its steps.
 *
 * @param storage - The answer of `devnet_traceStorage` for it.
 * @param index - Code of all known builds.
 * @throws {TraceError} If trace and storage are inconsistent.
 */
export function createRunVariables(trace: RpcExecutionTrace, storage: RpcStorageTrace, index: CodeIndex): VariablesAt {
  const parsed = parseTrace(trace)
  const codeOf = createFrameCodes(parsed, index)
  const history = storageHistory(parsed, codeOf, storage)
  const walks = new Map<number, FrameWalk | undefined>()
  const named = new Map<string, NamedStorage>()
  const passing = new Map<string, NamedStorage>()
  const fixed = new Map<string, readonly FixedVariable[]>()

  function walkOf(frame: number, code: FrameCode): FrameWalk | undefined {
    if (!walks.has(frame)) walks.set(frame, FrameWalk.of(parsed, frame, code))
    return walks.get(frame)
  }
  function namesOf(owner: Owner): NamedStorage | undefined {
    const { account, layout } = owner
    const key = keyOf(owner)
    const known = named.get(key)
    if (known || !layout) return known
    const made = nameStorage(layout, history.of(account).slots, { preimages: storage.hashed })
    named.set(key, made)
    return made
  }
  function transientOf(owner: Owner): NamedStorage {
    const key = keyOf(owner)
    const layout = transientLayoutOf(owner.code)
    const made = passing.get(key) ?? nameStorage(layout, fixedSlots(layout))
    passing.set(key, made)
    return made
  }
  function fixedOf(owner: Owner): readonly FixedVariable[] {
    const key = `${keyOf(owner)} ${parsed.trace.frames[owner.frame]?.code}`
    const made = fixed.get(key) ?? fixedVariables(owner.code, codeOf(owner.frame)?.bytes)
    fixed.set(key, made)
    return made
  }
  function stateAt(owner: Owner | undefined, step: number): State {
    if (!owner) return { known: false, reason: 'no source' }
    const names = namesOf(owner)
    if (!names) return { known: false, reason: 'no layout' }
    if (step > history.lastKnown) return { known: false, reason: 'too many uses' }
    const { valueAt } = history.of(owner.account)
    const stored = names.valuesIn({ get: (slot) => valueAt(slot, step) }, TOLD_LIMIT)
    const { valueAt: transientAt } = history.transientOf(owner.account)
    const transient = transientOf(owner).valuesIn({ get: (slot) => transientAt(slot, step) }, TOLD_LIMIT)
    const variables: readonly ContractVariable[] = [
      ...stored.variables.map((each) => ({ kind: 'stored' as const, ...each })),
      ...transient.variables.map((each) => ({ kind: 'transient' as const, ...each })),
      ...fixedOf(owner).map(({ kind, path, type, value }) => ({ kind, path, type, value })),
    ]
    const more = stored.count - stored.variables.length + transient.count - transient.variables.length
    return { known: true, contract: owner.code.contract.name, variables, more }
  }
  return (step, data) => {
    const frame = frameAt(parsed, step)
    const code = codeOf(frame)
    const owner = ownerOf(parsed, frame, codeOf)
    const pathAt = (slot: bigint) => owner && namesOf(owner)?.pathAt(slot)
    const locals: Locals =
      code?.recognised === undefined
        ? { known: false, reason: 'no source' }
        : localsOf(code.recognised, () => walkOf(frame, code)?.runningAt(step), data, pathAt)
    return { frame, locals, state: stateAt(owner, step) }
  }
}

/** A contract, and the account that holds its variables. */
interface Owner {
  /** The frame that runs its code. */
  readonly frame: number
  readonly account: Address
  readonly code: RecognisedCode
  readonly layout: StorageLayout | undefined
}

function keyOf({ account, code: { build, contract } }: Owner): string {
  return `${account} ${build.id} ${contract.path}:${contract.name}`
}

/** The contract whose variables a frame works on; for a library that is the contract that called it. */
function ownerOf(
  { trace: { frames } }: ParsedTrace,
  frame: number,
  codeOf: (frame: number) => FrameCode | undefined,
): Owner | undefined {
  let found: Owner | undefined
  const made = frames[frame]
  if (!made) return undefined
  const account = storageAddress(made)
  for (let at: number | null = frame; at !== null; at = frames[at]?.parent ?? null) {
    const outer = frames[at]
    if (!outer || storageAddress(outer) !== account) break
    const code = codeOf(at)?.recognised
    if (!code) break
    const layout = layoutOf(code)
    found ??= { frame: at, account, code, layout }
    if (layout && layout.variables.length > 0) return { frame: at, account, code, layout }
  }
  return found
}

/** The innermost frame around a step. */
function frameAt({ trace: { frames }, children }: ParsedTrace, step: number): number {
  let frame = 0
  for (;;) {
    const inner = children[frame]?.find((child) => (frames[child]?.endStep ?? 0) > step)
    if (inner === undefined || (frames[inner]?.firstStep ?? 0) > step) return frame
    frame = inner
  }
}
