import { factsOf, type Schedule } from '#fates/fault.ts'
import { type Play, playFate } from '#fates/play.ts'
import type { Recording } from '#fates/recording.ts'
import type { ReplayedChain } from '#fates/replay.ts'
import type { Hash } from '#primitives/hex.ts'
import type { RpcConnection } from '#rpc-types/connection.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { DappRun, type Said, type Shown } from './dapp-run.ts'
import type { Dapp, Order } from './dapp-tools.ts'

/** Where the payment is on the chain itself, whatever the dapp was told. */
export type PaymentPlace = 'unsent' | 'mempool' | 'preconfirmed' | 'sealed' | 'replaced' | 'gone'

/** Where the payment is from a tick on. */
export interface PaymentStanding {
  readonly tick: number
  readonly place: PaymentPlace
  /** How often it has been paid. */
  readonly payments: number
  /** How much had been said by then. */
  readonly after: number
}

/** A fault that has struck. */
export interface Strike {
  readonly tick: number
  /** What it has done, in words. */
  readonly what: string
  /** How much had been said by then. */
  readonly after: number
}

/** How a dapp fared under a fate. */
export interface DappOutcome {
  /** How many ticks were played. */
  readonly ticks: number
  /** Each differs from the one before; several may have the same tick. */
  readonly truths: readonly PaymentStanding[]
  readonly said: readonly Said[]
  readonly shown: readonly Shown[]
  readonly strikes: readonly Strike[]
  readonly recording: Recording
}

/** Ticks that are played at least: two blocks, and a little more. */
const LEAST_TICKS = 22
/** Ticks that are played at most, whatever happens. */
const MOST_TICKS = 90
/** Ticks without anything new after which the rest would be the same. */
const CALM_TICKS = 12

/**
 * Runs a dapp on a chain under a fate, from the chain's beginning.
 *
 * @throws What the dapp's code throws beyond refusals of its chain, and if the signal is aborted.
 */
export async function runDapp(
  chain: ReplayedChain,
  schedule: Schedule,
  dapp: Dapp,
  order: Order,
  signal?: AbortSignal,
): Promise<DappOutcome> {
  await chain.startOver()
  let run: DappRun | undefined
  /** A tick is asked for `settled` before it and after it. */
  let phase: 'ahead' | 'passed' | 'over' = 'over'
  const truths: PaymentStanding[] = []
  /** Strikes by their faults' places in the schedule. */
  const struck = new Map<number, Pick<Strike, 'tick' | 'after'>>()
  const play = await playFate([chain], schedule, {
    async settled() {
      // The chain has it before the dapp can be told.
      if (phase === 'passed') await look()
      await run?.pump(phase === 'passed' ? 1 : 0)
      phase = phase === 'ahead' ? 'passed' : 'over'
    },
    onSend: (what) => {
      if (what === 'held') run?.noteHeld()
    },
  })
  const truth = chain.node.connect()
  let tick = 0

  async function look(): Promise<void> {
    const after = run?.said.length ?? 0
    for (const [i, happening] of play.happened.entries()) {
      const { fault, tick: began } = happening
      if (began === undefined || struck.has(i)) continue
      const met = factsOf(fault.kind).moment === 'send' ? sendIn(run?.said ?? [], fault.at) : undefined
      struck.set(i, { tick, after: met ?? after })
    }
    const found = await placeOf(truth, play.sentOn(chain.name), order)
    const last = truths.at(-1)
    if (last?.place !== found.place || last.payments !== found.payments) truths.push({ tick, after, ...found })
  }

  try {
    run = new DappRun(play.endpointOf(chain.name))
    run.begin((tools) => dapp(tools, order))
    await run.pump(0)
    await look()
    let calmSince = 0
    for (let news = 0; tick < MOST_TICKS && (tick < LEAST_TICKS || tick - calmSince < CALM_TICKS); ) {
      signal?.throwIfAborted()
      tick++
      phase = 'ahead'
      await play.tick(chain.name)
      await look()
      if (run.failure !== undefined) throw run.failure
      const now = truths.length + run.shown.length
      if (now !== news || play.held > 0 || isBusy(play, chain.name)) calmSince = tick
      news = now
    }
    const { said, shown } = run
    const { happened, recording } = play
    const strikes = [...struck].map(([i, strike]) => ({ ...strike, what: happened[i]?.what ?? '' }))
    return { ticks: tick, truths, said, shown, strikes, recording }
  } finally {
    run?.close()
    truth.close()
    play.close()
  }
}

/** How much has been said with a send of the dapp; `undefined` if there is no such send. @param number - From 1. */
function sendIn(said: readonly Said[], number: number): number | undefined {
  const sends = said.flatMap((each, i) => (each.kind === 'call' && each.method.startsWith('eth_send') ? [i + 1] : []))
  return sends[number - 1]
}

/** Whether a fault is still to come, or lasts. */
function isBusy(play: Play, name: string): boolean {
  const now = play.tickOf(name)
  return now !== undefined && play.happened.some(({ fault, tick }) => tick === undefined && fault.at > now)
}

/** Where the payment is: by the balance of who is paid, then by the transactions that were sent. */
async function placeOf(
  connection: RpcConnection,
  sent: readonly Hash[],
  { from, to, value }: Order,
): Promise<Pick<PaymentStanding, 'place' | 'payments'>> {
  const calls = [
    ['eth_getBalance', [to, 'pending']],
    ['eth_getBalance', [to, 'latest']],
    ['eth_getBalance', [to, 'earliest']],
    ['eth_getTransactionCount', [from, 'pending']],
    ...sent.map((hash) => ['eth_getTransactionByHash', [hash]] as const),
  ].map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const answers = JSON.parse((await connection.handle(JSON.stringify(calls))) ?? '[]') as readonly JsonRpcResponse[]
  const [pending, latest, first, nonce, ...known] = answers.map((answer) => {
    if ('error' in answer) throw new Error(answer.error.message)
    return answer.result
  })
  const paidAt = (balance: unknown) => Number((BigInt(String(balance)) - BigInt(String(first))) / BigInt(value))
  const payments = paidAt(pending)
  const waits = known.some((tx) => tx !== null)
  const place: PaymentPlace =
    paidAt(latest) > 0
      ? 'sealed'
      : payments > 0
        ? 'preconfirmed'
        : waits
          ? 'mempool'
          : sent.length === 0
            ? 'unsent'
            : Number(nonce) > 0
              ? 'replaced'
              : 'gone'
  return { place, payments }
}
