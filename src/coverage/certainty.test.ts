import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { ExecutedCode } from '#node/evm/coverage/executed-code.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { createTestNode, devAccount, RpcError } from '#testing/node/test-node.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { FAILURES } from '#testing/solidity/failure-scenarios.ts'
import { byHand } from '#testing/solidity/look-alikes/by-hand.ts'
import { lookAlikes } from '#testing/solidity/look-alikes/generate.ts'
import { contractText, VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import { compileStandard, everythingOf } from '#testing/solidity/solc.ts'
import { recognise } from './code-hits.ts'
import { type CoveredFile, coverSources } from './coverage-map.ts'

const FROM = devAccount(0).address
const SEEDS = runsOf(2)

interface Played {
  readonly text: string
  readonly deployed: readonly { readonly name: string; readonly args: readonly unknown[] }[]
  readonly calls: readonly { readonly contract: string; readonly call: string; readonly args: readonly unknown[] }[]
}

/** What of a source is told after each of the calls, by itself. */
async function tell(played: Played, variant: Variant): Promise<readonly CoveredFile[]> {
  const file = 'src/Played.sol'
  const json = compileStandard({ [file]: played.text }, VARIANTS[variant], everythingOf(file))
  const build = readStandardJson(json)
  const index = createCodeIndex([build])
  const executed = new ExecutedCode()
  const node = await createTestNode({}, { executed })
  const contractOf = (name: string) => {
    const found = json.output.contracts[file]?.[name] ?? expect.fail(`no contract ${name}`)
    const object = found.evm.bytecode.object
    return { abi: found.abi as unknown as Abi, object }
  }
  const addresses = new Map<string, Address>()
  const told: CoveredFile[] = []
  const take = () => {
    const { hits } = recognise(executed.take().codes, index)
    const [covered] = coverSources([build], hits).files
    told.push(covered ?? expect.fail('nothing is told'))
  }
  for (const { name, args } of played.deployed) {
    const { abi, object } = contractOf(name)
    const linked = object.replaceAll(/__\$.{34}\$__/g, addresses.get('Maths')?.slice(2) ?? '')
    const given = args.map((arg) =>
      typeof arg === 'string' && arg.startsWith('$') ? addresses.get(arg.slice(1)) : arg,
    )
    const data = encodeDeployData({ abi, bytecode: `0x${linked}`, args: given })
    const hash = await node.request('eth_sendTransaction', [{ from: FROM, data, gas: '0xf00000' }])
    await node.clock.advance(2_000)
    const receipt = await node.request('eth_getTransactionReceipt', [hash])
    addresses.set(name, receipt?.contractAddress ?? expect.fail(`${name} was not created`))
    take()
  }
  for (const { contract, call, args } of played.calls) {
    const data: Hex = encodeFunctionData({ abi: contractOf(contract).abi, functionName: call, args })
    const to = addresses.get(contract) ?? expect.fail(`${contract} is not there`)
    const called = node.request('eth_call', [{ from: FROM, to, data, gas: '0x2dc6c0' }])
    await called.catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error
    })
    take()
  }
  return told
}

/** Whether each item ran, where that is told. */
function ran({ data }: CoveredFile): ReadonlyMap<string, boolean> {
  const { s, f, b, statementMap, fnMap, branchMap } = data
  const told = new Map<string, boolean>()
  for (const [id, { start }] of Object.entries(statementMap))
    told.set(`line ${start.line}, statement ${id}`, (s[id] ?? 0) > 0)
  for (const [id, { name }] of Object.entries(fnMap)) told.set(`function ${name} ${id}`, (f[id] ?? 0) > 0)
  for (const [id, { line }] of Object.entries(branchMap)) {
    b[id]?.forEach((hits, way) => told.set(`line ${line}, branch ${id}, way ${way}`, hits > 0))
  }
  return told
}

const FAILING: Played = {
  text: contractText('failures.sol'),
  deployed: [
    { name: 'Callee', args: [] },
    { name: 'Maths', args: [] },
    { name: 'Failures', args: ['$Callee'] },
    { name: 'NoReceive', args: [] },
    { name: 'WithFallback', args: [] },
    { name: 'Factory', args: [] },
  ],
  calls: FAILURES.flatMap(({ contract, call, args = [] }) =>
    call === undefined || contract === 'Proxy' ? [] : { contract, call, args },
  ),
}

const PLAYED: readonly (readonly [string, Played])[] = [
  ['failures', FAILING],
  ...byHand().map((each) => [each.file, each] as const),
  ...Array.from({ length: SEEDS }, (_, seed) => [`look-alikes ${seed}`, lookAlikes(seed)] as const),
]

test.each(PLAYED)('what optimised code tells of %s is what plain code tells', async (_name, played) => {
  const right = (await tell(played, 'plain')).map(ran)
  for (const variant of ['optimized', 'ir', 'ir, optimized'] as const) {
    const told = (await tell(played, variant)).map(ran)
    const wrong = told.flatMap((items, step) =>
      [...items].flatMap(([item, value]) => {
        const known = right[step]?.get(item)
        return known === undefined || known === value ? [] : `${variant}, step ${step}: ${item} is told as ${value}`
      }),
    )
    expect(wrong).toEqual([])
    if (variant === 'optimized') expect(told.some((items) => [...items.values()].includes(true))).toBe(true)
  }
})
