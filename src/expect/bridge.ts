import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { toQuantity } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { checkWanted, decodeLog, decodeRevert, hasArguments, showDecoded, topicsOf } from './abi-coding.ts'
import type { AbiArguments, AbiLike, AbiNames, EventArguments } from './abi-types.ts'
import { type AskChain, askOf, type ChainLike } from './expected-chain.ts'

/** An event of a contract, each of which is a message to another chain. */
export interface BridgedEvent<Abi extends AbiLike, Name extends AbiNames<Abi, 'event'>> {
  readonly address: Address
  readonly abi: Abi
  readonly name: Name
  /** Only events with these arguments: some by their names, or all in their order. */
  readonly args?: AbiArguments<Abi, 'event', Name>
}

/** What a message becomes on the other chain. */
export interface BridgeCall {
  readonly to: Address
  readonly data?: Hex
  /** Wei; default 0. */
  readonly value?: bigint
  /** Who sends it there; nobody needs its key. It is given ether for gas if it has none. */
  readonly from: Address
  /** Names the errors that the call may revert with. */
  readonly abi?: AbiLike
}

/** A bridge: events of one chain become calls on another, when the test says so. */
export interface BridgeOptions<Abi extends AbiLike, Name extends AbiNames<Abi, 'event'>> {
  readonly from: ChainLike
  readonly event: BridgedEvent<Abi, Name>
  readonly to: ChainLike
  readonly call: (args: EventArguments<Abi, Name>, message: BridgeMessage<EventArguments<Abi, Name>>) => BridgeCall
  /** Whether events are messages as soon as they are pre-confirmed; default once their block is sealed. */
  readonly preconfirmed?: boolean
  /** The first block whose events count; default the one that is pending when the bridge is made. */
  readonly since?: number
}

/** An event that is to be delivered. */
export interface BridgeMessage<Args = unknown> {
  /** Stays when the event's transaction is executed again after a reorganisation. */
  readonly id: string
  readonly args: Args
  readonly transaction: Hash
  readonly block: number
  readonly stage: 'preconfirmed' | 'sealed'
  /** Why the last delivery failed; it waits again. */
  readonly failure?: string
}

/** A call that a bridge has sent. */
export interface BridgeDelivery<Args = unknown> {
  readonly message: BridgeMessage<Args>
  /** The transaction on the other chain. */
  readonly hash: Hash
  /** `sent`: it is in no block yet; `lost`: its chain no longer has it. */
  readonly outcome: 'sent' | 'succeeded' | 'reverted' | 'lost'
  /** Whether the event is gone: its pre-confirmation was withdrawn, or its block reorganised. */
  readonly isOrphan: boolean
}

/** One of the messages that wait, by its place in the list, or any that the bridge has told of. */
export type WhichMessage = number | Pick<BridgeMessage, 'id'>

/** Messages between two chains of a test. */
export interface Bridge<Args = unknown> {
  /**
   * The messages that are to be delivered, in the order of their events. One whose event is gone, because its
   * pre-confirmation was withdrawn or its block reorganised, is gone as well; one whose delivery failed is back.
   */
  waiting(): Promise<readonly BridgeMessage<Args>[]>
  /**
   * Sends the call of a message, by default the first that waits, and resolves with its hash; the other chain executes it at
   * its next tick. A message that was delivered before is delivered twice, one that was lost comes late.
   *
   * @throws {Error} If there is no such message, or the call would revert, with why: it waits on.
   */
  deliver(which?: WhichMessage): Promise<Hash>
  /** Delivers all that wait, in order, until one fails. */
  deliverAll(): Promise<readonly Hash[]>
  /** Has a message never arrive; it no longer waits. */
  lose(which?: WhichMessage): Promise<void>
  /** What was sent, oldest first, and what became of it. */
  deliveries(): Promise<readonly BridgeDelivery<Args>[]>
}

/** How many messages a bridge reads, and how many it delivers and loses, at most. */
const MAX_MESSAGES = 10_000
/** Ether that a sender has for gas at least, in wei: 0.1. */
const GAS_MONEY = 10n ** 17n

/** A message that was sent. */
interface Sent<Args> {
  readonly message: BridgeMessage<Args>
  readonly hash: Hash
}

/**
 * Makes events of one chain calls on another, when the test says so.
 *
 * @throws {TypeError} If the ABI has no such event.
 */
export function bridge<const Abi extends AbiLike, Name extends AbiNames<Abi, 'event'>>(
  options: BridgeOptions<Abi, Name>,
): Bridge<EventArguments<Abi, Name>> {
  type Args = EventArguments<Abi, Name>
  const { event, call, preconfirmed = false } = options
  const here = askOf(options.from, 'bridge')
  const there = askOf(options.to, 'bridge')
  if (typeof call !== 'function') throw new TypeError('call is a function that says what a message becomes')
  checkWanted(event.abi, 'event', event.name, event.args)
  const topics = topicsOf(event.abi, event.name)
  const lost = new Set<string>()
  const sent: Sent<Args>[] = []
  let since = startOf(here, options.since)
  // The first look awaits it, and says what went wrong.
  since.catch(() => {})

  /** All messages that the chain has now, in the order of their events. */
  async function messages(): Promise<readonly BridgeMessage<Args>[]> {
    const head = Number(await here('eth_blockNumber', []))
    // The chain may have gone back to a snapshot.
    const start = Math.min(await since, head + 1)
    since = Promise.resolve(start)
    if (start > head && !preconfirmed) return []
    const logs = await here('eth_getLogs', [
      {
        address: event.address,
        topics: [topics],
        fromBlock: toQuantity(start),
        toBlock: preconfirmed ? 'pending' : 'latest',
      },
    ])
    if (logs.length > MAX_MESSAGES) throw new RangeError(`a bridge has at most ${MAX_MESSAGES} messages`)
    return readMessages<Abi, Name>(event, logs)
  }

  async function outcomeOf({ hash }: Sent<Args>): Promise<BridgeDelivery['outcome']> {
    const receipt = await there('eth_getTransactionReceipt', [hash])
    if (receipt) return receipt.status === '0x1' ? 'succeeded' : 'reverted'
    return (await there('eth_getTransactionByHash', [hash])) ? 'sent' : 'lost'
  }

  async function waiting(): Promise<readonly BridgeMessage<Args>[]> {
    const all = await messages()
    const list: BridgeMessage<Args>[] = []
    for (const message of all) {
      if (lost.has(message.id)) continue
      const last = sent.findLast((each) => each.message.id === message.id)
      const outcome = last && (await outcomeOf(last))
      if (outcome === 'sent' || outcome === 'succeeded') continue
      list.push(outcome === undefined ? message : { ...message, failure: failureWords(outcome, last?.hash) })
    }
    return list
  }

  async function find(which: WhichMessage): Promise<BridgeMessage<Args>> {
    if (typeof which === 'number') {
      const list = await waiting()
      const found = list[which]
      if (found) return found
      throw new RangeError(`the bridge has ${list.length} messages that wait, and none at ${which}`)
    }
    const found = (await messages()).find(({ id }) => id === which.id)
    if (found) return found
    throw new Error(`the message ${which.id} is gone: its pre-confirmation was withdrawn, or its block reorganised`)
  }

  async function deliver(which: WhichMessage = 0): Promise<Hash> {
    const message = await find(which)
    if (sent.length >= MAX_MESSAGES) throw new RangeError(`a bridge delivers at most ${MAX_MESSAGES} messages`)
    const hash = await sendCall(there, call(message.args, message), message.id)
    lost.delete(message.id)
    sent.push({ message, hash })
    return hash
  }

  return {
    waiting,
    deliver,
    async deliverAll() {
      const hashes: Hash[] = []
      for (const message of await waiting()) hashes.push(await deliver(message))
      return hashes
    },
    async lose(which = 0) {
      if (lost.size >= MAX_MESSAGES) throw new RangeError(`a bridge loses at most ${MAX_MESSAGES} messages`)
      lost.add((await find(which)).id)
    },
    async deliveries() {
      const present = new Set((await messages()).map(({ id }) => id))
      return Promise.all(
        sent.map(async (each) => ({
          ...each,
          outcome: await outcomeOf(each),
          isOrphan: !present.has(each.message.id),
        })),
      )
    },
  }
}

async function startOf(ask: AskChain, since: number | undefined): Promise<number> {
  return since ?? Number(await ask('eth_blockNumber', [])) + 1
}

function readMessages<Abi extends AbiLike, Name extends AbiNames<Abi, 'event'>>(
  event: BridgedEvent<Abi, Name>,
  logs: readonly RpcLog[],
): readonly BridgeMessage<EventArguments<Abi, Name>>[] {
  const counts = new Map<Hash, number>()
  return logs.flatMap((log) => {
    const nth = counts.get(log.transactionHash) ?? 0
    counts.set(log.transactionHash, nth + 1)
    const decoded = decodeLog(event.abi, log)
    if (decoded?.name !== event.name || !hasArguments(decoded, event.args)) return []
    return {
      id: `${log.transactionHash}:${nth}`,
      args: decoded.args as EventArguments<Abi, Name>,
      transaction: log.transactionHash,
      block: Number(log.blockNumber),
      stage: BigInt(log.blockHash) === 0n ? 'preconfirmed' : 'sealed',
    }
  })
}

function failureWords(outcome: 'reverted' | 'lost', hash: Hash | undefined): string {
  return outcome === 'reverted'
    ? `its delivery ${hash} reverted`
    : `its delivery ${hash} is lost: the other chain no longer has it`
}

/** Sends a call of an account without its key. What would revert is not sent. */
async function sendCall(ask: AskChain, { to, data = '0x', value = 0n, from, abi }: BridgeCall, id: string) {
  for (const [name, address] of Object.entries({ to, from })) {
    if (typeof address === 'string' && /^0x[\da-f]{40}$/i.test(address)) continue
    throw new TypeError(`the call of a message has no address as ${name}`)
  }
  const balance = BigInt(await ask('eth_getBalance', [from, 'pending']))
  if (balance < value + GAS_MONEY) await ask('devnet_faucet', [from, toQuantity(value + GAS_MONEY)])
  const call = { from, to, input: data, value: toQuantity(value) }
  let gas: bigint
  try {
    gas = BigInt(await ask('eth_estimateGas', [call, 'pending']))
  } catch (error) {
    throw new Error(`the message ${id} cannot be delivered: ${revertWords(error, abi)}. It waits on.`, { cause: error })
  }
  // Earlier transactions of the block may change what the call does.
  return ask('eth_sendUnsignedTransaction', [{ ...call, gas: toQuantity((gas * 3n) / 2n) }])
}

function revertWords(error: unknown, abi: AbiLike | undefined): string {
  const { message = String(error), data } = error as { readonly message?: string; readonly data?: unknown }
  const isBytes = typeof data === 'string' && /^0x([\da-f]{2})+$/i.test(data)
  const decoded = isBytes && abi ? decodeRevert(abi, data as Hex) : undefined
  if (decoded) return `the call reverts with ${showDecoded(decoded)}`
  return isBytes ? `${message} (${data})` : message
}
