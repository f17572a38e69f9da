import { encodeFunctionData, parseAbi } from 'viem'
import type { Hex } from '#primitives/hex.ts'
import { type ContractScenario, contractText, marksOf, type ScenarioChain } from './scenarios.ts'

const FILE = 'failures.sol'

/** A failure with the words that it is told in. The marks in the source have its name. */
export type FailureScenario = ContractScenario & { readonly name: string; readonly message: string | RegExp }

const MAX = 2n ** 256n - 1n

function of(
  name: string,
  args: readonly unknown[],
  message: string | RegExp,
  more: Partial<ContractScenario> = {},
): FailureScenario {
  return { name, contract: 'Failures', call: name, args, message, ...more }
}

const called = (name: string, call: string, args: readonly unknown[], message: string): FailureScenario => ({
  name,
  contract: 'Failures',
  call,
  args,
  message,
})

const BARE = 'reverted without a reason'
const OVERFLOW = 'arithmetic overflow or underflow'
const NO_CODE = 'an account without code was called as a contract'

export const FAILURES: readonly FailureScenario[] = [
  of('requireText', [1n], 'too small'),
  of('requireBare', [1n], BARE),
  of('requireSecond', [6n], BARE),
  of('revertText', [], 'no reason to go on'),
  of('revertBare', [0n], BARE),
  of('revertCustom', [1n], /^Freestanding\(who: 0xf39F.*, amount: 1\)$/),
  called(
    'revertCustomOther',
    'revertCustom',
    [2n],
    'Freestanding(who: 0x0000000000000000000000000000000000000000, amount: 7)',
  ),
  of('requireCustom', [1n], /^Freestanding\(.*amount: 1\)$/),
  of('longCondition', [9n, 1n], 'both'),
  called('twinsFirst', 'twins', [4n], BARE),
  called('twinsSecond', 'twins', [14n], BARE),
  called('sameTextFirst', 'sameText', [4n, true], 'same'),
  called('sameTextSecond', 'sameText', [4n, false], 'same'),
  of('assertion', [4n], 'assertion failed'),
  of('overflow', [MAX], OVERFLOW),
  of('overflowSecond', [MAX - 1n], OVERFLOW),
  of('underflow', [1n], OVERFLOW),
  of('division', [1n], 'division or modulo by zero'),
  of('modulo', [1n], 'division or modulo by zero'),
  of('outOfBounds', [1n], 'array index out of bounds'),
  of('outOfBoundsMemory', [2n], 'array index out of bounds'),
  of('outOfBoundsCalldata', [[1n], 1n], 'array index out of bounds'),
  of('emptyPop', [], 'pop on an empty array'),
  of('badEnum', [2n], 'a number outside the enum was converted to it'),
  of('nullPointer', [], 'a variable with an internal function was called before it was set'),
  of('tooMuchMemory', [MAX], /^too much memory/),
  of('increment', [255], OVERFLOW),
  of('internalCalls', [200n], 'second'),
  called('sharedHelperFirst', 'sharedHelper', [0n, true], 'zero'),
  called('sharedHelperSecond', 'sharedHelper', [0n, false], 'zero'),
  of('recursive', [2n], 'bottom'),
  of('modifierCustom', [], /^NotBoss\(who: 0x7099.*\)$/, { from: 1 }),
  of('modifierArgument', [100n], 'limit'),
  of('modifierAfter', [1n], 'after'),
  of('modifiedBody', [5n], 'five'),
  called('modifiedCall', 'modifiedBody', [0n], 'zero'),
  of('caughtSame', [], 'Refused(why: "never")'),
  of('caughtAndWentOn', [3n], BARE),
  of('twoModifiers', [100n], 'limit'),
  called('superCall', 'inherited', [1n], 'one'),
  called('inheritedUnderflow', 'inherited', [101n], OVERFLOW),
  of('libraryInternal', [6n], 'TooLarge(value: 6, limit: 5)'),
  of('libraryExternal', [10n], 'größer als zehn'),
  of('freeFunction', [3n], 'odd'),
  of('copyOne', [4n], 'copy'),
  of('copyTwo', [4n], 'copy'),
  of('bareOne', [4n], BARE),
  of('bareTwo', [4n], BARE),
  called('overflowTwo', 'bareTwo', [MAX], OVERFLOW),
  of('innerOne', [1n], 'inner'),
  of('innerTwo', [1n], 'inner'),
  of('nested', [], 'Refused(why: "never")'),
  of('nestedEmpty', [], BARE),
  of('caughtThenOwn', [], 'own'),
  of('rethrown', [], 'Refused(why: "never")'),
  of('caughtRethrown', [], 'Refused(why: "never")'),
  of('caughtReworded', [], 'reworded'),
  of('delegated', [], 'Refused(why: "never")'),
  of('lowLevel', [], BARE),
  of('lowLevelText', [], 'call failed'),
  of('noContract', [], NO_CODE),
  of('noContractReturn', [], NO_CODE),
  of('shortReturn', [], 'the called contract returned data of another type than expected'),
  of('noFunction', [], /^the contract has no function 0x\w{8} and no fallback function$/),
  of('sendsValue', [], 'the contract has neither a receive nor a fallback function', { value: 1n }),
  of('notEnough', [], 'the balance is too low for the value that is sent'),
  of('creates', [3n], 'not three'),
  of('burnsGas', [], 'out of gas', { gas: 200_000n }),
  of('notPayable', [], 'the function notPayable is not payable, but value was sent', { value: 1n }),
  {
    name: 'badArguments',
    contract: 'Failures',
    data: `${encodeFunctionData({ abi: parseAbi(['function takesStruct((uint256,string),uint8)']), args: [[1n, 'x'], 5] }).slice(0, 74)}${'ff'.repeat(64)}` as Hex,
    message: 'the arguments of takesStruct do not match its types',
  },
  { name: 'receives', contract: 'Failures', data: '0x', value: 3n, message: 'three' },
  { name: 'constructorFails', contract: 'Picky', args: [3n], message: 'not three' },
  { name: 'constructorInternal', contract: 'Picky', args: [4n], message: 'not four' },
  {
    name: 'constructorValue',
    contract: 'Picky',
    args: [5n],
    value: 1n,
    message: 'the constructor is not payable, but value was sent',
  },
  { name: 'baseConstructor', contract: 'Unlucky', args: [10n], message: 'unlucky' },
  { name: 'baseArgument', contract: 'Unlucky', args: [MAX], message: OVERFLOW },
  {
    name: 'noReceive',
    contract: 'NoReceive',
    data: '0x',
    value: 1n,
    message: 'the contract has neither a receive nor a fallback function',
  },
  {
    name: 'noSuchFunction',
    contract: 'NoReceive',
    data: '0x12345678',
    message: 'the contract has no function 0x12345678 and no fallback function',
  },
  { name: 'fallbackFails', contract: 'WithFallback', data: '0x12', message: 'fell' },
  { name: 'proxied', contract: 'Proxy', data: '0x6d5433e6', message: /no function 0x6d5433e6/ },
  {
    name: 'tooLarge',
    contract: 'Factory',
    call: 'make',
    gas: 12_000_000n,
    message: 'the code of the new contract is too large',
  },
]

/** Deploys what the scenarios call. */
export async function deployFailures(stage: ScenarioChain): Promise<void> {
  const callee = await stage.deploy('Callee')
  await stage.deploy('Maths')
  await stage.deploy('Failures', [callee])
  await stage.deploy('NoReceive')
  await stage.deploy('WithFallback')
  await stage.deploy('Factory')
  await stage.deploy('Proxy', [callee])
}

const MARKS = marksOf(contractText(FILE))

/** How the lines of a stack trace, innermost first, stand to the marked ones. */
export type Verdict = 'whole' | 'in part' | 'wrong'

/** `wrong` if a line that is told is not a right one, or out of order; `whole` if none is missing. */
export function verdictOf(name: string, lines: readonly (number | null | undefined)[]): Verdict {
  const right: (number | undefined)[] = [MARKS.get(name)]
  for (let i = 1; MARKS.has(`${name}#${i}`); i++) right.push(MARKS.get(`${name}#${i}`))
  const told = lines.filter((line) => typeof line === 'number')
  let at = 0
  for (const line of told) {
    at = right.indexOf(line, at) + 1
    if (at === 0) return 'wrong'
  }
  return right.every((line) => line === undefined || told.includes(line)) ? 'whole' : 'in part'
}
