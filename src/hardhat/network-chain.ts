import { EventEmitter } from 'node:events'
import { type Chain, type ChainOptions, createChain } from '#library/chain.ts'
import type { RpcConsoleLogs } from '#rpc-types/console.ts'
import { linesOf } from '#server/console-lines.ts'
import { miningCalls, optionsOf, type SimulatedNetwork } from './network-config.ts'

/** A call of EIP-1193, as Hardhat's own code makes them: its methods may have any name. */
export interface NetworkCall {
  readonly method: string
  readonly params?: unknown
}

type AnyCall = (call: NetworkCall) => Promise<unknown>

/** The chain of one connection to a network, in this process. It begins with the first call. Emits `message`, as EIP-1193 has it. */
export class NetworkChain extends EventEmitter {
  readonly #network: SimulatedNetwork
  readonly #own: ChainOptions
  readonly #print: (line: string) => void
  #chain: Promise<Chain> | undefined
  /** The accounts that the chain began with. */
  #accounts: readonly unknown[] = []
  #isClosed = false

  /** @param print - Takes each line that contracts write with `console.log`. */
  constructor(network: SimulatedNetwork, own: ChainOptions, print = printLine) {
    super()
    this.#network = network
    this.#own = own
    this.#print = print
  }

  /** @throws {ProviderRpcError} If the chain refuses the call. @throws {Error} If there can be no such chain. */
  async request(call: NetworkCall): Promise<unknown> {
    if (this.#isClosed) throw new Error('the connection to the network is closed')
    // What Hardhat 2 asks its own node after the tests: how often it could not tell where in the sources a call failed.
    if (call.method === 'hardhat_getStackTraceFailuresCount') return 0
    this.#chain ??= this.#open()
    const answer = await callsOf(await this.#chain)(call)
    // Hardhat's node does not name those that are impersonated, and suites take all that are named for funded.
    if (call.method !== 'eth_accounts') return answer
    return (answer as readonly unknown[]).filter((account) => this.#accounts.includes(account))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.removeAllListeners()
    // Whoever asked for a chain that could not begin has been told.
    const [chain] = await Promise.allSettled([this.#chain])
    if (chain.status === 'fulfilled') await chain.value?.close()
  }

  async #open(): Promise<Chain> {
    const chain = await createChain(await optionsOf(this.#network, this.#own))
    const call = callsOf(chain)
    try {
      for (const each of miningCalls(this.#network)) await call(each)
      this.#accounts = (await call({ method: 'eth_accounts' })) as readonly unknown[]
      const console = await call({ method: 'eth_subscribe', params: ['consoleLogs'] })
      chain.on('message', (message) => {
        const { data } = message
        if (data.subscription === console && 'result' in data) this.#tell(data.result as RpcConsoleLogs)
        else this.emit('message', message)
      })
      return chain
    } catch (error) {
      await chain.close()
      throw error
    }
  }

  /** Prints what Hardhat's own node would: what estimates of gas log, their transactions log again. */
  #tell({ method, lines }: RpcConsoleLogs): void {
    if (method === 'eth_estimateGas') return
    for (const { text } of lines) for (const line of linesOf(text)) this.#print(line)
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

function callsOf(chain: Chain): AnyCall {
  return chain.request as AnyCall
}
