import { readFileSync } from 'node:fs'
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'
import type { ChainOptions } from '#library/chain.ts'
import { createChain } from '#library/chain.ts'
import { ExecutedCode } from '#node/evm/coverage/executed-code.ts'
import { type ExecutionCounts } from '#node/evm/coverage/execution-counts.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import type { Build } from '#solidity/build/build.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { compileStandard, type SolcSettings } from '#testing/solidity/solc.ts'

const FOLDER = 'src/testing/coverage/contracts'

/** The sources that coverage is tested with, by the path that they have in a project. */
export const SOURCES = {
  'src/Amounts.sol': readFileSync(`${FOLDER}/Amounts.sol`, 'utf8'),
  'src/Ledger.sol': readFileSync(`${FOLDER}/Ledger.sol`, 'utf8'),
}

/** What {@link callLedger} calls, as a test for forge. */
export const FORGE_TEST = readFileSync(`${FOLDER}/Ledger.t.sol`, 'utf8')

export interface CompiledLedger {
  readonly build: Build
  /** Input and output of the compiler. */
  readonly json: object
  readonly abi: Abi
  readonly bytecode: Hex
}

export function compileLedger(settings: SolcSettings = {}): CompiledLedger {
  const compiled = compileStandard(SOURCES, settings)
  const contract = compiled.output.contracts['src/Ledger.sol']?.['Ledger']
  if (!contract) throw new Error('the ledger was not compiled')
  return {
    build: readStandardJson(compiled),
    json: compiled,
    abi: contract.abi as unknown as Abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
  }
}

/** A ledger on a chain of its own, whose executions are counted. */
export interface CountedLedger {
  readonly executed: ExecutedCode
  readonly from: Address
  readonly address: Address
  readonly send: (data: Hex, value?: bigint) => Promise<RpcReceipt>
  readonly call: (data: Hex) => Promise<Hex>
  readonly encode: (name: string, ...args: readonly unknown[]) => Hex
  readonly close: () => Promise<void>
}

export async function openLedger(
  { abi, bytecode }: CompiledLedger,
  options: ChainOptions = {},
): Promise<CountedLedger> {
  const executed = new ExecutedCode()
  const chain = await createChain({ clock: 'manual', executed, ...options })
  const [from] = await chain.request({ method: 'eth_accounts' })
  if (!from) throw new Error('a chain has accounts')
  const sendTo = async (to: Address | undefined, data: Hex, value = 0n): Promise<RpcReceipt> => {
    const tx = { from, data, value: `0x${value.toString(16)}` as const, gas: '0x5b8d80' as const, ...(to && { to }) }
    const hash = await chain.request({ method: 'eth_sendTransaction', params: [tx] })
    await chain.tick()
    const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (!receipt) throw new Error('a tick executes what waits')
    return receipt
  }
  const { contractAddress } = await sendTo(undefined, encodeDeployData({ abi, bytecode, args: [5n] }))
  if (!contractAddress) throw new Error('the ledger was not made')
  return {
    executed,
    from,
    address: contractAddress,
    send: (data, value) => sendTo(contractAddress, data, value),
    call: (data) => chain.request({ method: 'eth_call', params: [{ from, to: contractAddress, data }, 'pending'] }),
    encode: (functionName, ...args) => encodeFunctionData({ abi, functionName, args }),
    close: () => chain.close(),
  }
}

/** Calls the ledger as the test for forge does. @returns What was executed. */
export async function callLedger(compiled: CompiledLedger, options?: ChainOptions): Promise<ExecutionCounts> {
  const ledger = await openLedger(compiled, options)
  const { from, address, encode, send, call } = ledger
  try {
    await send(encode('pay'), 20n)
    await send('0x', 5_000n)
    await send(encode('pay'))
    await call(encode('sum', 2n))
    await call(encode('sum', 20n))
    await call(encode('grade', 5_000n))
    await call(encode('grade', 5n))
    await send(encode('close', from))
    await call(encode('tryGrade', address, 200n))
    await call(encode('mix', 7n, 3n))
    await send(encode('spawn'))
    await call(encode('entries', from))
    await call(encode('owner'))
    return ledger.executed.take()
  } finally {
    await ledger.close()
  }
}
