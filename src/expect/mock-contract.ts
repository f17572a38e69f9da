import {
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionData,
  encodeFunctionResult,
  keccak256,
  parseAbi,
  stringToHex,
  toFunctionSelector,
  type Abi as ViemAbi,
} from 'viem'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { itemsNamed } from './abi-coding.ts'
import type { AbiArguments, AbiItemLike, AbiLike, AbiNames, AbiReturns } from './abi-types.ts'
import { type AskChain, askOf, type ChainLike } from './expected-chain.ts'
import { type MockAnswer, mockCode } from './mock-code.ts'

/** The contract that is mocked, or the address where there is none yet. */
export interface MockedContract<Abi extends AbiLike> {
  readonly address: Address
  readonly abi: Abi
}

/** An error that a mock reverts with: a text, or one of its ABI. */
export type MockRevert = string | { readonly error: string; readonly args?: readonly unknown[] }

/** What a function of a mock does. */
export type MockBehaviour<Abi extends AbiLike, Name extends AbiNames<Abi, 'function'>> = {
  /** Only for calls with these arguments, all in their order; default all calls of the function. */
  readonly args?: Extract<AbiArguments<Abi, 'function', Name>, readonly unknown[]>
} & (
  | { readonly returns: AbiReturns<Abi, Name>; readonly reverts?: undefined }
  | { readonly reverts: MockRevert; readonly returns?: undefined }
)

/** A call that a transaction has made to a mock. */
export interface MockCall {
  readonly transaction: Hash
  readonly from: Address
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
  /** Absent if the data is not the function's arguments. */
  readonly args?: readonly unknown[]
}

/** A contract some of whose functions answer as a test says. */
export interface Mock<Abi extends AbiLike> {
  readonly address: Address
  /**
   * Sets what a function does from now on, instead of what was said before for the same calls. Seals the pending block, as
   * `anvil_setCode` does.
   */
  answers<Name extends AbiNames<Abi, 'function'>>(name: Name, behaviour: MockBehaviour<Abi, Name>): Promise<void>
  /**
   * The calls that transactions have made to a function since the first answer, pending ones among them. What only reads
   * (`eth_call`) is in no block, and does not count.
   */
  calls(name: AbiNames<Abi, 'function'>): Promise<readonly MockCall[]>
  /** Ends it: the contract is what it was. */
  restore(): Promise<void>
}

/** How many answers a mock has at most. */
const MAX_ANSWERS = 200
/** How often a mock may change its answers. */
const MAX_WRITTEN = 10_000
/** How many transactions are looked through at most. */
const MAX_TRANSACTIONS = 10_000

const ERROR = parseAbi(['error Error(string)'])

const textError = (text: string): Hex => encodeErrorResult({ abi: ERROR, errorName: 'Error', args: [text] })

/** What waits where there is no contract: it tells that there is a mock. */
const NO_CONTRACT: Hex = '0xfe'

/** Where the code of a mocked contract waits. */
const placeOf = (address: Address): Address =>
  `0x${keccak256(stringToHex(`blinknet mock ${address.toLowerCase()}`)).slice(-40)}`

/**
 * Has some functions of a contract answer as a test says; all others run as before, on the same storage. Where there is no
 * contract, they revert.
 */
export function mockContract<const Abi extends AbiLike>(
  chain: ChainLike,
  { address, abi }: MockedContract<Abi>,
): Mock<Abi> {
  const ask = askOf(chain, 'mockContract')
  if (typeof address !== 'string' || !/^0x[\da-f]{40}$/i.test(address)) {
    throw new TypeError('mockContract takes the address of a contract')
  }
  const place = placeOf(address)
  /** What each code that it has written stands for: the chain may have gone back to an earlier one. */
  const written = new Map<Hash, MockState>()
  const codeOf = (account: Address) => ask('eth_getCode', [account, 'pending'])
  let last: Promise<unknown> = Promise.resolve()

  /** One change after the other: each begins with what the one before has left. */
  function inTurn(change: () => Promise<void>): Promise<void> {
    const turn = last.then(change)
    last = turn.catch(() => {})
    return turn
  }

  /** @throws {Error} If another mock is on the contract. */
  async function present(): Promise<MockState> {
    const code = await codeOf(address)
    const own = written.get(keccak256(code))
    if (own) return own
    if ((await codeOf(place)) === '0x') return { answers: [], original: code, firstBlock: undefined }
    throw new Error(`another mock is on ${address}: use that one, or restore it first`)
  }

  async function write({ original, firstBlock }: MockState, answers: readonly MockAnswer[]): Promise<void> {
    if (written.size >= MAX_WRITTEN) throw new RangeError(`a mock changes its answers ${MAX_WRITTEN} times at most`)
    const refusal = textError(`the mock of ${address} has no answer`)
    const stub = mockCode(answers, original === '0x' ? undefined : place, refusal)
    if (firstBlock === undefined) await ask('anvil_setCode', [place, original === '0x' ? NO_CONTRACT : original])
    await ask('anvil_setCode', [address, stub])
    const begins = firstBlock ?? Number(await ask('eth_blockNumber', [])) + 1
    written.set(keccak256(stub), { answers, original, firstBlock: begins })
  }

  return {
    address,
    async answers(name, behaviour) {
      const answer = answerOf(abi, name, behaviour as Behaviour)
      await inTurn(async () => {
        const state = await present()
        const others = state.answers.filter(
          ({ selector, calldataHash }) => selector !== answer.selector || calldataHash !== answer.calldataHash,
        )
        if (others.length >= MAX_ANSWERS) throw new RangeError(`a mock has at most ${MAX_ANSWERS} answers`)
        const all = [answer, ...others]
        const isSpecific = ({ calldataHash }: MockAnswer) => calldataHash !== undefined
        await write(state, [...all.filter(isSpecific), ...all.filter((each) => !isSpecific(each))])
      })
    },
    async calls(name) {
      const items = itemsNamed(abi, 'function', name)
      const { firstBlock } = await present()
      return firstBlock === undefined ? [] : callsOf(ask, address, items, firstBlock)
    },
    restore: () =>
      inTurn(async () => {
        const { original, firstBlock } = await present()
        if (firstBlock === undefined) return
        await ask('anvil_setCode', [address, original])
        await ask('anvil_setCode', [place, '0x'])
      }),
  }
}

interface MockState {
  /** The newest first, those for certain arguments before all others. */
  readonly answers: readonly MockAnswer[]
  /** The contract's own code. */
  readonly original: Hex
  /** The first block with the mock; `undefined` without one. */
  readonly firstBlock: number | undefined
}

interface Behaviour {
  readonly args?: readonly unknown[]
  readonly returns?: unknown
  readonly reverts?: MockRevert
}

function answerOf(abi: AbiLike, name: string, { args, returns, reverts }: Behaviour): MockAnswer {
  const named = itemsNamed(abi, 'function', name)
  const fitting = args === undefined ? named : named.filter(({ inputs = [] }) => inputs.length === args.length)
  const [item] = fitting
  if (!item) throw new TypeError(`no function ${name} takes ${args?.length ?? 0} arguments`)
  if (fitting.length > 1)
    throw new TypeError(`the function ${name} is overloaded: give the mock an abi with one of them`)
  const one = [item] as unknown as ViemAbi
  const output = reverts === undefined ? resultOf(item, name, returns) : errorOf(abi, reverts)
  return {
    selector: toFunctionSelector(item as never),
    reverts: reverts !== undefined,
    output,
    ...(args !== undefined && { calldataHash: keccak256(encodeFunctionData({ abi: one, functionName: name, args })) }),
  }
}

function resultOf(item: AbiItemLike, name: string, returns: unknown): Hex {
  const { outputs = [] } = item
  if (outputs.length === 0) {
    if (returns === undefined || returns === null) return '0x'
    throw new TypeError(`the function ${name} returns nothing`)
  }
  return encodeFunctionResult({ abi: [item] as unknown as ViemAbi, functionName: name, result: returns })
}

function errorOf(abi: AbiLike, reverts: MockRevert): Hex {
  if (typeof reverts === 'string') return textError(reverts)
  const { error, args = [] } = reverts
  itemsNamed(abi, 'error', error)
  return encodeErrorResult({ abi: abi as unknown as ViemAbi, errorName: error, args })
}

interface TracedCall {
  readonly type: string
  readonly from: Address
  readonly to?: Address
  readonly input: Hex
  readonly value?: Hex
  readonly calls?: readonly TracedCall[]
}

async function callsOf(
  ask: AskChain,
  address: Address,
  items: readonly AbiItemLike[],
  firstBlock: number,
): Promise<readonly MockCall[]> {
  const found: MockCall[] = []
  const selectors = new Set(items.map((item) => toFunctionSelector(item as never)))
  const abi = items as unknown as ViemAbi
  const collect = (transaction: Hash, { type, from, to, input, value = '0x0', calls = [] }: TracedCall): void => {
    // A delegated call of another contract would run the mock's code as that contract.
    if (to?.toLowerCase() === address.toLowerCase() && selectors.has(input.slice(0, 10) as Hex) && type !== 'CREATE') {
      found.push({ transaction, from, value: BigInt(value), data: input, ...argumentsIn(abi, input) })
    }
    for (const call of calls) collect(transaction, call)
  }
  let left = MAX_TRANSACTIONS
  const head = Number(await ask('eth_blockNumber', []))
  for (let number = firstBlock; number <= head + 1; number++) {
    const which = number > head ? 'pending' : (`0x${number.toString(16)}` as const)
    const block = await ask('eth_getBlockByNumber', [which, false])
    for (const transaction of (block?.transactions ?? []) as readonly Hash[]) {
      if (left-- === 0) throw new RangeError(`calls of a mock are counted in ${MAX_TRANSACTIONS} transactions at most`)
      const frame = await ask('debug_traceTransaction', [transaction, { tracer: 'callTracer' }] as never)
      collect(transaction, frame as TracedCall)
    }
  }
  return found
}

function argumentsIn(abi: ViemAbi, data: Hex): Pick<MockCall, 'args'> {
  try {
    const { args = [] } = decodeFunctionData({ abi, data })
    return { args }
  } catch {
    // A caller may send anything; the call is told with its data.
    return {}
  }
}
