import type { Address, Hex } from '#primitives/hex.ts'

/** What a mocked contract answers to some calls. */
export interface MockAnswer {
  /** The whole calldata that it is for, by its hash; without it all calls with the selector. */
  readonly calldataHash?: Hex
  readonly selector: Hex
  readonly reverts: boolean
  /** What it returns or reverts with. */
  readonly output: Hex
}

/** The most bytes of code that are made: offsets have two. */
const MAX_BYTES = 0xffff

const OP = {
  eq: '14',
  shr: '1c',
  keccak256: '20',
  calldataload: '35',
  calldatasize: '36',
  calldatacopy: '37',
  codecopy: '39',
  returndatasize: '3d',
  returndatacopy: '3e',
  jumpi: '57',
  gas: '5a',
  jumpdest: '5b',
  push0: '5f',
  push1: '60',
  push2: '61',
  push4: '63',
  push20: '73',
  push32: '7f',
  return: 'f3',
  delegatecall: 'f4',
  revert: 'fd',
  invalid: 'fe',
} as const

const two = (value: number): string => value.toString(16).padStart(4, '0')
const sizeOf = (digits: string): number => digits.length / 2

/** Copies the calldata to memory, at 0. */
const COPY_CALLDATA = OP.calldatasize + OP.push0 + OP.push0 + OP.calldatacopy

/**
 * Code that gives these answers, the first that fits, and does with every other call what `original` does with it.
 *
 * @param original - An account with the code that is behind it, which runs as this one; without it other calls revert.
 * @param refusal - What such a call reverts with.
 * @throws {RangeError} If it is too long.
 */
export function mockCode(answers: readonly MockAnswer[], original: Address | undefined, refusal: Hex): Hex {
  const rest = original === undefined ? undefined : passesOn(original)
  const outputs = answers.map(({ output }) => output.slice(2))
  const refusalData = refusal.slice(2)
  // The sizes do not depend on the offsets: a first pass with zeros tells where everything is.
  const assemble = (places: readonly number[], dataAt: number): { code: string; starts: number[]; data: string } => {
    let code = answers.map((answer, i) => test(answer) + OP.push2 + two(places[i] ?? 0) + OP.jumpi).join('')
    let data = ''
    const at = () => dataAt + sizeOf(data)
    if (rest === undefined) {
      code += ends(refusalData, at(), true)
      data += refusalData
    } else {
      code += rest(places.at(-1) ?? 0)
    }
    const starts: number[] = []
    for (const [i, { reverts }] of answers.entries()) {
      const output = outputs[i] ?? ''
      starts.push(sizeOf(code))
      code += OP.jumpdest + ends(output, at(), reverts)
      data += output
    }
    if (rest !== undefined) {
      starts.push(sizeOf(code))
      code += OP.jumpdest + OP.returndatasize + OP.push0 + OP.return
    }
    return { code: code + OP.invalid, starts, data }
  }
  const first = assemble([], 0)
  const length = sizeOf(first.code) + sizeOf(first.data)
  if (length > MAX_BYTES) throw new RangeError(`a mock's answers have ${length} bytes, and ${MAX_BYTES} at most`)
  const { code, data } = assemble(first.starts, sizeOf(first.code))
  return `0x${code}${data}`
}

/** Leaves whether the call is the answer's. */
function test({ calldataHash, selector }: MockAnswer): string {
  if (calldataHash === undefined) {
    return OP.push0 + OP.calldataload + OP.push1 + 'e0' + OP.shr + OP.push4 + selector.slice(2) + OP.eq
  }
  return COPY_CALLDATA + OP.calldatasize + OP.push0 + OP.keccak256 + OP.push32 + calldataHash.slice(2) + OP.eq
}

/** Returns data of the code, or reverts with it. */
function ends(data: string, at: number, reverts: boolean): string {
  const size = OP.push2 + two(sizeOf(data))
  return size + OP.push2 + two(at) + OP.push0 + OP.codecopy + size + OP.push0 + (reverts ? OP.revert : OP.return)
}

/** Runs another account's code as this one. */
function passesOn(original: Address): (returns: number) => string {
  return (returns) =>
    [
      COPY_CALLDATA,
      OP.push0,
      OP.push0,
      OP.calldatasize,
      OP.push0,
      OP.push20,
      original.slice(2),
      OP.gas,
      OP.delegatecall,
      OP.returndatasize,
      OP.push0,
      OP.push0,
      OP.returndatacopy,
      OP.push2,
      two(returns),
      OP.jumpi,
      OP.returndatasize,
      OP.push0,
      OP.revert,
    ].join('')
}
