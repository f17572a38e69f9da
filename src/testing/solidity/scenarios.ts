import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'
import type { Address, Hex } from '#primitives/hex.ts'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { Build } from '#solidity/build/build.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { type CompiledJson, compileStandard, everythingOf, type SolcSettings } from './solc.ts'
import { withImports } from './sources.ts'

const ZERO_ADDRESS: Address = `0x${'00'.repeat(20)}`

/** How code is compiled in the tests. */
export const VARIANTS = {
  plain: {},
  optimized: { optimizer: { enabled: true, runs: 200 } },
  ir: { viaIR: true },
  'ir, optimized': { viaIR: true, optimizer: { enabled: true, runs: 200 } },
} satisfies Record<string, SolcSettings>

export type Variant = keyof typeof VARIANTS

/** Text of a contract beside this file. */
export function contractText(name: string): string {
  return readFileSync(path.join(import.meta.dirname, 'contracts', name), 'utf8')
}

/** Lines of a text by the marks behind them: `//@ name name#1`. */
export function marksOf(text: string): ReadonlyMap<string, number> {
  const marks = new Map<string, number>()
  text.split('\n').forEach((line, index) => {
    for (const mark of line.split('//@')[1]?.trim().split(/\s+/) ?? []) marks.set(mark, index + 1)
  })
  return marks
}

/** A call of a deployed contract, or a creation. */
export interface ContractScenario {
  readonly contract: string
  /** A function's name; left out, it is created. */
  readonly call?: string
  /** Raw input in place of a function's. */
  readonly data?: Hex
  readonly args?: readonly unknown[]
  readonly value?: bigint
  readonly from?: number
  readonly gas?: bigint
}

/** Contracts of one file, compiled in one way and deployed on a node. */
export class ScenarioChain {
  readonly node: TestNode
  readonly json: CompiledJson
  readonly build: Build
  readonly addresses = new Map<string, Address>()
  /** Initcode of what was deployed, by the first development account, in this order. */
  readonly creations: Hex[] = []
  readonly #file: string

  private constructor(node: TestNode, json: CompiledJson, file: string) {
    this.node = node
    this.json = json
    this.#file = file
    this.build = readStandardJson(json)
  }

  /** @param text - By default that of the file beside this one. */
  static async open(file: string, settings: SolcSettings, text = contractText(file)): Promise<ScenarioChain> {
    const json = compileStandard(withImports(file, text), settings, everythingOf(file))
    return new ScenarioChain(await createTestNode(), json, file)
  }

  contract(name: string) {
    const contract = this.json.output.contracts[this.#file]?.[name]
    if (!contract) throw new Error(`no contract ${name}`)
    return contract
  }

  /** Initcode with the addresses of libraries and its arguments. */
  initcode(name: string, args: readonly unknown[] = []): Hex {
    const { abi, evm } = this.contract(name)
    const linked = evm.bytecode.object.replaceAll(
      /__\$.{34}\$__/g,
      (this.addresses.get('Maths') ?? ZERO_ADDRESS).slice(2),
    )
    return encodeDeployData({ abi: abi as unknown as Abi, bytecode: `0x${linked}`, args })
  }

  /** Puts what the constructor returns at an address of its own. */
  async deploy(name: string, args: readonly unknown[] = []): Promise<Address> {
    const { node } = this
    const from = devAccount(0).address
    const data = this.initcode(name, args)
    this.creations.push(data)
    const hash = await node.request('eth_sendTransaction', [{ from, data, gas: '0xf00000' }])
    await node.clock.advance(2_000)
    const receipt = await node.request('eth_getTransactionReceipt', [hash])
    if (!receipt?.contractAddress || receipt.status !== '0x1') throw new Error(`${name} was not created`)
    this.addresses.set(name, receipt.contractAddress)
    return receipt.contractAddress
  }

  /** The call object of a scenario. */
  callOf({ contract, call, data, args = [], value = 0n, from = 0, gas = 3_000_000n }: ContractScenario) {
    const to = this.addresses.get(contract)
    const abi = this.contract(contract).abi as unknown as Abi
    const input =
      data ??
      (call === undefined ? this.initcode(contract, args) : encodeFunctionData({ abi, functionName: call, args }))
    const target = call === undefined && data === undefined ? {} : { to: to as Address }
    const sender = devAccount(from).address.toLowerCase() as Address
    return {
      from: sender,
      ...target,
      data: input,
      value: `0x${value.toString(16)}`,
      gas: `0x${gas.toString(16)}`,
    } as const
  }

  async trace(scenario: ContractScenario): Promise<RpcExecutionTrace> {
    return this.node.request('devnet_traceExecution', [{ call: this.callOf(scenario) }])
  }
}
