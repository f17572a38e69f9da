import { type Abi, encodeFunctionData } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { type ContractScenario, ScenarioChain, VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import { explainFailure } from './explain-failure.ts'
import { describeFrame } from './stack-frame.ts'

const ZERO = '0x0000000000000000000000000000000000000000'
const BOB = devAccount(1).address
const HASH = `0x${'12'.repeat(32)}`

/** Calls that fail. */
function failing(stage: ScenarioChain): (ContractScenario & { readonly name: string })[] {
  const token = stage.addresses.get('Token')
  const vault = stage.addresses.get('Vault')
  const inner = (name: string, functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: stage.contract(name).abi as unknown as Abi, functionName, args })
  const of = (contract: string, call: string, args: readonly unknown[] = [], more: Partial<ContractScenario> = {}) => ({
    name: `${contract}.${call}(${args.join()})`,
    contract,
    call,
    args,
    ...more,
  })
  return [
    of('Token', 'transfer', [BOB, 5000n]),
    of('Token', 'transfer', [ZERO, 1n]),
    of('Token', 'transferFrom', [BOB, BOB, 1n]),
    of('Token', 'approve', [ZERO, 1n]),
    of('Token', 'mint', [BOB, 1n], { from: 1 }),
    of('Token', 'mint', [ZERO, 1n]),
    of('Token', 'mint', [BOB, 2n ** 256n - 1n]),
    of('Token', 'mint', [BOB, 2n ** 250n]),
    of('Token', 'pause', [], { from: 2 }),
    of('Token', 'unpause'),
    of('Token', 'careful', [BOB]),
    of('Token', 'permit', [BOB, BOB, 1n, 0n, 27, HASH, HASH]),
    of('Token', 'permit', [BOB, BOB, 1n, 2n ** 40n, 27, HASH, HASH]),
    of('Token', 'permit', [BOB, BOB, 1n, 2n ** 40n, 27, HASH, `0x${'ff'.repeat(32)}`]),
    of('Token', 'delegateBySig', [BOB, 0n, 0n, 27, HASH, HASH]),
    of('Token', 'getPastVotes', [BOB, 10_000n]),
    of('Token', 'transferOwnership', [ZERO]),
    of('Token', 'checkpoints', [BOB, 3]),
    of('Things', 'mint', [BOB, 2n]),
    of('Things', 'safe', [ZERO, 2n]),
    of('Things', 'safe', [BOB, 1n]),
    of('Things', 'safe', [token, 7n]),
    of('Things', 'ownerOf', [9n]),
    of('Things', 'transferFrom', [BOB, BOB, 1n]),
    of('Things', 'transferFrom', [devAccount(0).address, BOB, 1n], { from: 3 }),
    of('Things', 'approve', [BOB, 1n], { from: 1 }),
    of('Things', 'grantRole', [HASH, BOB], { from: 1 }),
    of('Things', 'renounceRole', [HASH, BOB]),
    of('Things', 'balanceOf', [ZERO]),
    of('Things', 'setApprovalForAll', [ZERO, true]),
    of('Vault', 'deposit', [5n]),
    of('Vault', 'withdraw', [1n]),
    of('Vault', 'again'),
    of('Vault', 'at', [0n]),
    of('Vault', 'send', [BOB]),
    of('Vault', 'forward', [BOB, '0x1234']),
    of('Vault', 'forward', [token, inner('Token', 'transfer', [BOB, 1n])]),
    of('Vault', 'forward', [vault, inner('Vault', 'again', [])]),
    of('Vault', 'forward', [vault, '0x12345678']),
    { name: 'proxied transfer', contract: 'Upgradeable', data: inner('Token', 'transfer', [BOB, 1n]) },
    { name: 'proxied mint', contract: 'Upgradeable', data: inner('Token', 'mint', [BOB, 1n]) },
    { name: 'proxied nothing', contract: 'Upgradeable', data: '0x12345678' },
    { name: 'new Upgradeable', contract: 'Upgradeable', args: [BOB] },
  ]
}

interface Told {
  readonly message: string
  readonly frames: readonly string[]
  /** File and line of each frame; `undefined` where unknown. */
  readonly lines: readonly (string | undefined)[]
}

async function explained(variant: Variant): Promise<ReadonlyMap<string, Told>> {
  const stage = await ScenarioChain.open('openzeppelin.sol', VARIANTS[variant])
  const token = await stage.deploy('Token')
  await stage.deploy('Things')
  await stage.deploy('Vault', [token])
  await stage.deploy('Upgradeable', [token])
  const index = createCodeIndex([stage.build])
  const all = new Map<string, Told>()
  for (const scenario of failing(stage)) {
    const explanation = explainFailure(await stage.trace(scenario), index)
    if (!explanation) throw new Error(`${scenario.name} did not fail`)
    const { failure, frames } = explanation
    all.set(scenario.name, {
      message: failure.message,
      frames: frames.map(describeFrame),
      lines: frames.map(({ file, line }) => (line === undefined ? undefined : `${file}:${line}`)),
    })
  }
  return all
}

let plain: ReadonlyMap<string, Told>

beforeAll(async () => {
  plain = await explained('plain')
})

const OZ = '@openzeppelin/contracts'

test('without the optimizer no line is missing, through bases, modifiers, libraries, proxies and calls', () => {
  const unknown = [...plain].filter(([, { lines }]) => lines.includes(undefined)).map(([name]) => name)
  expect(unknown).toEqual([])
  expect(plain.get('proxied mint')).toMatchObject({
    message: 'OwnableUnauthorizedAccount(account: 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266)',
    frames: [
      `Ownable._checkOwner (${OZ}/access/Ownable.sol:65:20)`,
      `Ownable.onlyOwner (${OZ}/access/Ownable.sol:49:9)`,
      'Token.mint (openzeppelin.sol:24:56)',
      `Proxy._delegate (${OZ}/proxy/Proxy.sol:31:27)`,
      `Proxy._fallback (${OZ}/proxy/Proxy.sol:59:9)`,
      `Proxy.fallback (${OZ}/proxy/Proxy.sol:67:9)`,
    ],
  })
  expect(plain.get('Vault.deposit(5)')?.frames).toEqual([
    `ERC20._spendAllowance (${OZ}/token/ERC20/ERC20.sol:298:24)`,
    `ERC20.transferFrom (${OZ}/token/ERC20/ERC20.sol:144:9)`,
    `SafeERC20._safeTransferFrom (${OZ}/token/ERC20/utils/SafeERC20.sol:239:24)`,
    `SafeERC20.safeTransferFrom (${OZ}/token/ERC20/utils/SafeERC20.sol:45:14)`,
    'Vault.deposit (openzeppelin.sol:84:9)',
  ])
  expect(plain.get('new Upgradeable')?.frames).toEqual([
    `ERC1967Utils._setImplementation (${OZ}/proxy/ERC1967/ERC1967Utils.sol:55:20)`,
    `ERC1967Utils.upgradeToAndCall (${OZ}/proxy/ERC1967/ERC1967Utils.sol:68:9)`,
    `ERC1967Proxy.constructor (${OZ}/proxy/ERC1967/ERC1967Proxy.sol:38:9)`,
    'Upgradeable.constructor (openzeppelin.sol:111:41)',
  ])
})

/** Whether the known lines are a subsequence of the right ones. */
function isWithin(lines: readonly (string | undefined)[], right: readonly (string | undefined)[]): boolean {
  let at = 0
  return lines.every((line) => {
    if (line === undefined) return true
    at = right.indexOf(line, at) + 1
    return at > 0
  })
}

test.each([
  ['optimized', { all: 38, innermost: 40 }],
  ['ir, optimized', { all: 24, innermost: 39 }],
] as const)('compiled %s, no line and no reason contradicts them, and most lines are known', async (variant, least) => {
  const others = await explained(variant)
  const contradicting = [...others].filter(([name, { lines, message }]) => {
    const right = plain.get(name)
    return right?.message !== message || !isWithin(lines, right.lines)
  })
  expect(contradicting).toEqual([])
  const complete = [...others].filter(([name, { lines }]) => lines.join() === plain.get(name)?.lines.join())
  expect(complete.length).toBeGreaterThanOrEqual(least.all)
  const innermost = [...others.values()].filter(({ lines }) => lines[0] !== undefined)
  expect(innermost.length).toBeGreaterThanOrEqual(least.innermost)
})
