import { type Address, hexToBytes, toWord } from '#primitives/hex.ts'
import type { EngineLog } from '../../evm/message.ts'
import type { FrameExit, FrameStart, TransactionTracer } from '../../evm/tracer.ts'
import type { SimulatedLog } from './simulation.ts'

/**
 * The address of pseudo logs for ETH transfers.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-7528 | ERC-7528}
 */
const ETH_ADDRESS: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** keccak256('Transfer(address,address,uint256)'). */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Collects the logs of a block's calls, call by call, and ETH transfers as if they were logs. */
export class LogCollector implements TransactionTracer {
  readonly #transfers: boolean
  /** Logs of the open frames; finally those of the call itself. */
  readonly #open: SimulatedLog[][] = []
  #finished: readonly SimulatedLog[] = []
  /** Keeps counting through failures, as in geth. */
  #nextIndex = 0

  constructor(transfers: boolean) {
    this.#transfers = transfers
  }

  enter({ type, from, to, value }: FrameStart): void {
    this.#open.push([])
    const transfers = type !== 'DELEGATECALL' && type !== 'CALLCODE' && value !== undefined && value > 0n
    if (!transfers || !this.#transfers) return
    const topics = [TRANSFER_TOPIC, toWord(BigInt(from)), toWord(BigInt(to))] as const
    this.log({ address: ETH_ADDRESS, topics, data: wordBytes(value) })
  }

  log(log: EngineLog): void {
    this.#open.at(-1)?.push({ ...log, index: this.#nextIndex++ })
  }

  exit({ failure }: FrameExit): void {
    const written = this.#open.pop() ?? []
    const logs = failure ? [] : written
    const parent = this.#open.at(-1)
    if (parent) parent.push(...logs)
    else this.#finished = logs
  }

  /** Logs of the last finished call. */
  logs(): readonly SimulatedLog[] {
    return this.#finished
  }
}

function wordBytes(value: bigint): Uint8Array {
  return hexToBytes(toWord(value))
}
