import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { MAX_TICKS, type Scenario, type ScenarioStep } from './scenario.ts'

/** A transaction and the tick before which it must be in the mempool, counted from the chain's start. */
interface Arrival {
  readonly raw: Hex
  readonly beforeTick: number
}

/** More do not fit into an address. */
const MAX_TRANSACTIONS = 150

/**
 * Records the steps that reproduce this chain's blocks on a fresh chain with a manual clock, from which transactions
 * each tick included.
 *
 * @throws {ExplainedError} If the chain cannot be reproduced, or is too long.
 * @throws {ProviderRpcError} If the node refuses a call.
 */
export async function recordScenario(provider: BlinknetProvider): Promise<Scenario> {
  const status = await provider.request({ method: 'devnet_status' })
  const { head, live, partialsPerBlock } = status
  const last = tickOf(Number(live.number), live.index, partialsPerBlock)
  requireRepeatable(status, last)
  const arrivals: Arrival[] = []
  for (let number = 1; number <= Number(live.number); number++) {
    const tag = number === Number(live.number) ? 'pending' : toQuantity(number)
    const block = await provider.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
    for (const [position, hash] of ((block?.transactions ?? []) as readonly Hash[]).entries()) {
      const index = (await indexOf(provider, hash)) ?? Math.min(position + 1, partialsPerBlock - 1)
      const raw = await provider.request({ method: 'eth_getRawTransactionByHash', params: [hash] })
      arrivals.push({ raw, beforeTick: tickOf(number, index, partialsPerBlock) })
      if (arrivals.length > MAX_TRANSACTIONS) {
        throw tooLong(`It has more than ${formatCount(MAX_TRANSACTIONS, 'transaction')}.`)
      }
    }
  }
  return { steps: stepsOf(arrivals, last), head: { number: Number(head.number), hash: head.hash } }
}

/** A chain starts at tick 0, which cuts index 0 of block 1. */
function tickOf(block: number, index: number, partialsPerBlock: number): number {
  return (block - 1) * partialsPerBlock + index
}

function requireRepeatable({ mode }: DevnetStatus, ticks: number): void {
  if (mode !== 'manual') {
    throw new ExplainedError(
      'Only a chain with a manual clock can be repeated exactly.',
      'With an automatic clock, block hashes depend on the time of day.',
    )
  }
  if (ticks > MAX_TICKS) throw tooLong(`It has ${formatCount(ticks, 'tick')}.`)
}

export function tooLong(why: string): ExplainedError {
  return new ExplainedError('The chain is too long for a link.', `${why} Save a film instead.`)
}

/** The partial block of a transaction, if the node remembers it. */
async function indexOf(provider: BlinknetProvider, hash: Hash): Promise<number | undefined> {
  const timeline = await provider.request({ method: 'devnet_getTransactionTimeline', params: [hash] })
  const inclusion = timeline?.events.findLast((event) => event.kind === 'preconfirmed')
  return inclusion?.index
}

/** Sends each transaction right before the tick that included it. */
export function stepsOf(arrivals: readonly Arrival[], lastTick: number): readonly ScenarioStep[] {
  const steps: ScenarioStep[] = []
  let now = 0
  const advance = (tick: number) => {
    if (tick > now) steps.push({ kind: 'ticks', count: tick - now })
    now = Math.max(now, tick)
  }
  for (const { raw, beforeTick } of arrivals) {
    advance(beforeTick - 1)
    steps.push({ kind: 'send', raw })
  }
  advance(lastTick)
  return steps
}
