import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import type { TransactionStage } from '#rpc-types/transaction-stage.ts'
import type { StorageKey } from '#solidity/storage/read-variable.ts'
import { checkWanted, type DecodedItem, decodeLog, decodeRevert, hasArguments, showDecoded } from './abi-coding.ts'
import type { AbiArguments, AbiLike, AbiNames, ErrorNames } from './abi-types.ts'
import { describeTimeline } from './describe-timeline.ts'
import { type AskChain, askOf, type ChainLike, reaches } from './expected-chain.ts'
import { readStorage } from './read-storage.ts'
import { isWantedValue, showValue } from './same-value.ts'
import type { LayoutSource, StoragePlace, StorageValueOf, VariableNames } from './storage-types.ts'

/** What a matcher may be given beside what it looks at. */
export interface MatcherOptions {
  /** Milliseconds to wait for the transaction; default that of `expect`. */
  readonly timeout?: number
}

/** An event that a transaction is expected to have emitted. */
export interface ExpectedEvent<Abi extends AbiLike, Name extends AbiNames<Abi, 'event'>> extends MatcherOptions {
  readonly abi: Abi
  readonly event: Name
  /** Some of the arguments by their names, or all in their order; `undefined` is anything. */
  readonly args?: AbiArguments<Abi, 'event', Name>
  /** The contract that emits it; default any. */
  readonly address?: Address
  /** How many of them there are; default at least one. */
  readonly count?: number
}

/** A custom error that a transaction is expected to have reverted with. */
export interface ExpectedRevert<Abi extends AbiLike, Name extends ErrorNames<Abi>> extends MatcherOptions {
  readonly abi: Abi
  readonly error: Name
  /** Some of the arguments by their names, or all in their order; `undefined` is anything. */
  readonly args?: AbiArguments<Abi, 'error', Name>
}

/** What is counted in balances. */
export interface BalanceOptions {
  /** An ERC-20; default ether. */
  readonly token?: Address
}

/** An allowance of an ERC-20. */
export interface TokenAllowance {
  readonly token: Address
  readonly owner: Address
  readonly spender: Address
}

/** What a test runner tells a matcher. */
export interface MatcherState {
  readonly isNot: boolean
  readonly timeout?: number
}

/** What a matcher answers. */
export interface MatcherResult {
  readonly pass: boolean
  readonly name: string
  readonly message: () => string
  readonly expected?: unknown
  readonly actual?: unknown
}

const DEFAULT_TIMEOUT_MS = 5_000
/** How many events, at most, a failure shows. */
const SHOWN_EVENTS = 20

const ERC20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
])

async function timelineOf(ask: AskChain, hash: Hash): Promise<string> {
  return describeTimeline(hash, await ask('devnet_getTransactionTimeline', [hash]))
}

async function toHaveStage(
  state: MatcherState,
  chain: ChainLike,
  hash: Hash,
  stage: TransactionStage,
  { timeout = state.timeout ?? DEFAULT_TIMEOUT_MS }: MatcherOptions,
): Promise<MatcherResult> {
  const name = stage === 'sealed' ? 'toHaveSealed' : 'toHavePreconfirmed'
  const ask = askOf(chain, name)
  const words = stage === 'sealed' ? 'sealed' : 'pre-confirmed'
  // What must not happen is looked at once.
  const pass = await reaches(chain, ask, hash, stage, state.isNot ? 0 : timeout)
  const what = await timelineOf(ask, hash)
  const hint = pass || state.isNot ? '' : `\n${await describeClock(ask)}`
  return {
    pass,
    name,
    message: () =>
      state.isNot
        ? `the transaction was expected not to be ${words}\n${what}`
        : `the transaction was not ${words} within ${timeout} ms\n${what}${hint}`,
  }
}

async function describeClock(ask: AskChain): Promise<string> {
  const { mode, live, pool } = await ask('devnet_status', [])
  const clock = mode === 'manual' ? 'the clock is manual: chain.tick() and chain.seal() move it' : 'the clock runs'
  return `block ${Number(live.number)} is pending at partial block ${live.index}; ${pool.pending} wait in the mempool, ${pool.queued} behind a nonce gap; ${clock}`
}

/** A line about what still waits, and so has changed nothing yet; empty if nothing waits. */
async function describeWaiting(ask: AskChain): Promise<string> {
  const { pool } = await ask('devnet_status', [])
  return pool.pending + pool.queued === 0 ? '' : `\n${await describeClock(ask)}`
}

interface CallFrame {
  readonly error?: string
  readonly revertReason?: string
  readonly output?: Hex
}

/** The frame of a transaction that reverted; `undefined` if it did not. */
async function revertedFrame(ask: AskChain, receipt: RpcReceipt): Promise<CallFrame | undefined> {
  if (receipt.status === '0x1') return undefined
  const params = [receipt.transactionHash, { tracer: 'callTracer' }] as never
  return (await ask('debug_traceTransaction', params)) as CallFrame
}

/** Why it reverted: its text, else its data, else what went wrong. */
function reasonOf({ revertReason, output, error }: CallFrame): string {
  return revertReason ?? (output === undefined || output === '0x' ? error : output) ?? ''
}

async function executedReceipt(
  chain: ChainLike,
  ask: AskChain,
  hash: Hash,
  timeout: number,
): Promise<RpcReceipt | null> {
  const executed = await reaches(chain, ask, hash, 'preconfirmed', timeout)
  return executed ? ask('eth_getTransactionReceipt', [hash]) : null
}

/** Whether a matcher passes; if the transaction was not executed, neither it nor its contrary holds. */
function holds({ isNot }: MatcherState, receipt: RpcReceipt | null, pass: boolean): boolean {
  return receipt === null ? isNot : pass
}

const notExecuted = (timeout: number) => `was not executed within ${timeout} ms`
const expected = (isNot: boolean) => `was expected ${isNot ? 'not ' : ''}to`

function showEvents(abi: AbiLike, receipt: RpcReceipt): string {
  const lines = receipt.logs.slice(0, SHOWN_EVENTS).map((log) => {
    const decoded = decodeLog(abi, log)
    return `  ${log.address} ${decoded ? showDecoded(decoded) : `an event that the abi does not have: ${log.topics[0] ?? 'without topics'}`}`
  })
  const more = receipt.logs.length - lines.length
  return lines.length === 0 ? '  none' : [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

async function read(ask: AskChain, token: Address, call: Parameters<typeof encodeFunctionData>[0]): Promise<bigint> {
  const data = encodeFunctionData(call)
  const answer = await ask('eth_call', [{ to: token, data }, 'pending'])
  if (answer === '0x')
    throw new TypeError(`${token} answers ${String(call.functionName)} with nothing: is it an ERC-20?`)
  return decodeFunctionResult({ abi: ERC20, functionName: call.functionName as 'balanceOf', data: answer })
}

function balanceOf(ask: AskChain, account: Address, { token }: BalanceOptions): Promise<bigint> {
  if (token !== undefined) return read(ask, token, { abi: ERC20, functionName: 'balanceOf', args: [account] })
  return ask('eth_getBalance', [account, 'pending']).then(BigInt)
}

const signed = (change: bigint) => (change > 0n ? `+${change}` : String(change))

async function changesOf(
  ask: AskChain,
  accounts: readonly Address[],
  action: () => Promise<unknown>,
  options: BalanceOptions,
): Promise<readonly bigint[]> {
  const all = () => Promise.all(accounts.map((account) => balanceOf(ask, account, options)))
  const before = await all()
  await action()
  return (await all()).map((after, i) => after - (before[i] ?? 0n))
}

/** Matchers of a chain, for any test runner whose `expect` can be extended: `expect.extend(matchers)`. */
export const matchers = {
  /** The transaction is pre-confirmed, or sealed already; waits for it. */
  toHavePreconfirmed(this: MatcherState, chain: ChainLike, hash: Hash, options: MatcherOptions = {}) {
    return toHaveStage(this, chain, hash, 'preconfirmed', options)
  },
  /** The transaction is in a sealed block; waits for it. */
  toHaveSealed(this: MatcherState, chain: ChainLike, hash: Hash, options: MatcherOptions = {}) {
    return toHaveStage(this, chain, hash, 'sealed', options)
  },
  /** The transaction was executed and reverted, for that reason if one is given: a text, or a pattern of it. Waits for it. */
  async toHaveReverted(
    this: MatcherState,
    chain: ChainLike,
    hash: Hash,
    reason?: string | RegExp,
    { timeout = this.timeout ?? DEFAULT_TIMEOUT_MS }: MatcherOptions = {},
  ): Promise<MatcherResult> {
    const ask = askOf(chain, 'toHaveReverted')
    const receipt = await executedReceipt(chain, ask, hash, timeout)
    const frame = receipt ? await revertedFrame(ask, receipt) : undefined
    const actual = frame && reasonOf(frame)
    // `search` begins at the start each time, also with a pattern that has the flag g.
    const isReason = (text: string) =>
      typeof reason === 'string' ? text.includes(reason) : text.search(reason ?? '') >= 0
    const what = await timelineOf(ask, hash)
    const did =
      receipt === null
        ? notExecuted(timeout)
        : actual === undefined
          ? 'succeeded'
          : `reverted with ${JSON.stringify(actual)}`
    const wanted = reason === undefined ? 'to revert' : `to revert with ${String(reason)}`
    return {
      pass: holds(this, receipt, actual !== undefined && isReason(actual)),
      name: 'toHaveReverted',
      message: () => `the transaction was expected ${this.isNot ? 'not ' : ''}${wanted}: it ${did}\n${what}`,
    }
  },
  /** The transaction was executed and reverted with that custom error. Waits for it. */
  async toHaveRevertedWith<const Abi extends AbiLike, Name extends ErrorNames<Abi>>(
    this: MatcherState,
    chain: ChainLike,
    hash: Hash,
    { abi, error, args, timeout = this.timeout ?? DEFAULT_TIMEOUT_MS }: ExpectedRevert<Abi, Name>,
  ): Promise<MatcherResult> {
    const ask = askOf(chain, 'toHaveRevertedWith')
    checkWanted(abi, 'error', error, args)
    const receipt = await executedReceipt(chain, ask, hash, timeout)
    const frame = receipt ? await revertedFrame(ask, receipt) : undefined
    const decoded = frame && decodeRevert(abi, frame.output ?? '0x')
    const what = await timelineOf(ask, hash)
    const did =
      receipt === null
        ? notExecuted(timeout)
        : frame === undefined
          ? 'succeeded'
          : `reverted with ${decoded ? showDecoded(decoded) : reasonOf(frame) || 'nothing'}`
    const wanted = args === undefined ? error : showDecoded({ name: error, args })
    return {
      pass: holds(this, receipt, decoded?.name === error && hasArguments(decoded, args)),
      name: 'toHaveRevertedWith',
      message: () => `the transaction ${expected(this.isNot)} revert with ${wanted}: it ${did}\n${what}`,
    }
  },
  /** The transaction was executed and has emitted that event. Waits for it. */
  async toHaveEmitted<const Abi extends AbiLike, Name extends AbiNames<Abi, 'event'>>(
    this: MatcherState,
    chain: ChainLike,
    hash: Hash,
    { abi, event, args, address, count, timeout = this.timeout ?? DEFAULT_TIMEOUT_MS }: ExpectedEvent<Abi, Name>,
  ): Promise<MatcherResult> {
    const ask = askOf(chain, 'toHaveEmitted')
    checkWanted(abi, 'event', event, args)
    const receipt = await executedReceipt(chain, ask, hash, timeout)
    const isWanted = (decoded: DecodedItem | undefined) => decoded?.name === event && hasArguments(decoded, args)
    const found = (receipt?.logs ?? []).filter(
      (log) =>
        (address === undefined || log.address.toLowerCase() === address.toLowerCase()) && isWanted(decodeLog(abi, log)),
    )
    const what = await timelineOf(ask, hash)
    const did = receipt ? `it emitted\n${showEvents(abi, receipt)}` : `it ${notExecuted(timeout)}`
    const times = count === undefined ? '' : `${count} times `
    const by = address === undefined ? '' : ` by ${address}`
    const wanted = args === undefined ? event : showDecoded({ name: event, args })
    return {
      pass: holds(this, receipt, count === undefined ? found.length > 0 : found.length === count),
      name: 'toHaveEmitted',
      message: () => `the transaction ${expected(this.isNot)} emit ${times}${wanted}${by}: ${did}\n${what}`,
    }
  },
  /** The transaction was executed and used less gas than that. Waits for it. */
  async toUseLessGasThan(
    this: MatcherState,
    chain: ChainLike,
    hash: Hash,
    gas: bigint | number,
    { timeout = this.timeout ?? DEFAULT_TIMEOUT_MS }: MatcherOptions = {},
  ): Promise<MatcherResult> {
    const ask = askOf(chain, 'toUseLessGasThan')
    const receipt = await executedReceipt(chain, ask, hash, timeout)
    const used = receipt ? BigInt(receipt.gasUsed) : undefined
    const what = await timelineOf(ask, hash)
    return {
      pass: holds(this, receipt, used !== undefined && used < BigInt(gas)),
      name: 'toUseLessGasThan',
      expected: BigInt(gas),
      actual: used,
      message: () =>
        `the transaction ${expected(this.isNot)} use less than ${gas} gas: it ${used === undefined ? notExecuted(timeout) : `used ${used}`}\n${what}`,
    }
  },
  /**
   * An account has that much more in the pending block after the action than before; a negative amount is that much less.
   * What it pays for gas counts as well.
   */
  async toChangeBalance(
    this: MatcherState,
    chain: ChainLike,
    account: Address,
    amount: bigint | number,
    action: () => Promise<unknown>,
    options: BalanceOptions = {},
  ): Promise<MatcherResult> {
    const wanted = BigInt(amount)
    const ask = askOf(chain, 'toChangeBalance')
    const [change = 0n] = await changesOf(ask, [account], action, options)
    const hint = change === wanted ? '' : await describeWaiting(ask)
    const unit = options.token === undefined ? 'wei' : `of ${options.token}`
    return {
      pass: change === wanted,
      name: 'toChangeBalance',
      expected: wanted,
      actual: change,
      message: () =>
        `the balance of ${account} was expected ${this.isNot ? 'not ' : ''}to change by ${amount} ${unit}; it changed by ${change}${hint}`,
    }
  },
  /** As `toChangeBalance`, of several accounts by one action: all of them change by their amounts. */
  async toChangeBalances(
    this: MatcherState,
    chain: ChainLike,
    changes: Readonly<Record<Address, bigint | number>>,
    action: () => Promise<unknown>,
    options: BalanceOptions = {},
  ): Promise<MatcherResult> {
    const wanted = Object.entries(changes).map(([account, amount]) => [account as Address, BigInt(amount)] as const)
    const accounts = wanted.map(([account]) => account)
    const ask = askOf(chain, 'toChangeBalances')
    const actual = await changesOf(ask, accounts, action, options)
    const pass = wanted.every(([, amount], i) => actual[i] === amount)
    const hint = pass ? '' : await describeWaiting(ask)
    const unit = options.token === undefined ? 'wei' : `of ${options.token}`
    const lines = wanted.map(([account, amount], i) => {
      const change = actual[i] ?? 0n
      return `  ${account} ${signed(change)}${change === amount ? '' : `, expected ${signed(amount)}`}`
    })
    return {
      pass,
      name: 'toChangeBalances',
      message: () =>
        `balances ${this.isNot ? 'were not expected to change so' : 'changed otherwise than expected'} (${unit}):\n${lines.join('\n')}${hint}`,
    }
  },
  /** In the pending block a spender may take that much of an owner's token. */
  async toHaveAllowance(
    this: MatcherState,
    chain: ChainLike,
    { token, owner, spender }: TokenAllowance,
    amount: bigint | number,
  ): Promise<MatcherResult> {
    const wanted = BigInt(amount)
    const ask = askOf(chain, 'toHaveAllowance')
    const actual = await read(ask, token, { abi: ERC20, functionName: 'allowance', args: [owner, spender] })
    return {
      pass: actual === wanted,
      name: 'toHaveAllowance',
      expected: wanted,
      actual,
      message: () =>
        `${spender} ${expected(this.isNot)} be allowed ${amount} of ${owner}'s ${token}; it is allowed ${showValue(actual)}`,
    }
  },
  /** In the pending block a variable of a contract, or a part of it, has that value. */
  async toHaveStorage<
    const Source extends LayoutSource,
    const Name extends VariableNames<Source>,
    const Keys extends readonly StorageKey[] = readonly [],
  >(
    this: MatcherState,
    chain: ChainLike,
    address: Address,
    { layout, variable, keys }: StoragePlace<Source, Name, Keys>,
    value: NoInfer<StorageValueOf<Source, Name, Keys>>,
  ): Promise<MatcherResult> {
    if (value === undefined) throw new TypeError('toHaveStorage needs the value that is expected')
    const place = { source: layout, variable, keys: keys ?? [] }
    const found = await readStorage(askOf(chain, 'toHaveStorage'), address, place, value)
    const isThere = found.value !== undefined
    const is = isThere ? showValue(found.value) : 'not there: its array is shorter'
    return {
      pass: isThere && isWantedValue(found.value, found.wanted),
      name: 'toHaveStorage',
      expected: value,
      actual: found.value,
      message: () =>
        `${found.path} (${found.type}) of ${address} ${expected(this.isNot)} be ${showValue(value)}: it is ${is}`,
    }
  },
}
