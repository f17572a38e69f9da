import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'
import type { Address } from '#primitives/hex.ts'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'
import type { CompiledJson } from '#testing/solidity/solc.ts'
import type { LookAlikes } from './generate.ts'

const FROM = devAccount(0).address

/** Deploys compiled contracts on a new node, and traces each of the calls. */
export async function playCalls(
  { deployed, calls }: Pick<LookAlikes, 'deployed' | 'calls'>,
  { output }: CompiledJson,
): Promise<RpcExecutionTrace[]> {
  const node = await createTestNode()
  const contractOf = (name: string) => {
    const found = Object.values(output.contracts).find((contracts) => contracts[name])?.[name]
    if (!found) throw new Error(`no contract ${name}`)
    return { abi: found.abi as unknown as Abi, bytecode: `0x${found.evm.bytecode.object}` as const }
  }
  const addresses = new Map<string, Address>()
  for (const { name, args } of deployed) {
    const given = args.map((arg) => (arg.startsWith('$') ? addresses.get(arg.slice(1)) : arg))
    const data = encodeDeployData({ ...contractOf(name), args: given })
    const hash = await node.request('eth_sendTransaction', [{ from: FROM, data, gas: '0xf00000' }])
    await node.clock.advance(2_000)
    const receipt = await node.request('eth_getTransactionReceipt', [hash])
    if (!receipt?.contractAddress || receipt.status !== '0x1') throw new Error(`${name} was not created`)
    addresses.set(name, receipt.contractAddress)
  }
  const traces: RpcExecutionTrace[] = []
  for (const { contract, call, args } of calls) {
    const data = encodeFunctionData({ abi: contractOf(contract).abi, functionName: call, args })
    const to = addresses.get(contract) as Address
    traces.push(await node.request('devnet_traceExecution', [{ call: { from: FROM, to, data, gas: '0xf4240' } }]))
  }
  return traces
}
