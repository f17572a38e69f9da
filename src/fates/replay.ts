import { isObject, parsedJson } from '#primitives/json-object.ts'
import { ask } from '#rpc-types/ask.ts'
import type { RpcConnection } from '#rpc-types/connection.ts'
import type { ResultOf } from '#rpc-types/methods.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import type { Schedule } from './fault.ts'
import { type Play, playFate } from './play.ts'
import type { FateChain } from './played-chain.ts'
import { FateProbe, type ProbedTransaction } from './probe.ts'
import type { RecordedAct, Recording } from './recording.ts'

/** A chain that a recording is played on again and again. */
export interface ReplayedChain extends FateChain {
  /** Makes the chain what it was when the recording began. */
  startOver(): Promise<void>
}

/** Calls of a test that go back in time or arrange faults of their own: they are not played again. */
const NOT_REPLAYED =
  /^(devnet_(snapshot|revert|reset|forgetSnapshots|importChain|startChain|failNext)|(evm|anvil)_(snapshot|revert|reset)|hardhat_reset)$/

/** A moment of a play: what a client sees until its end, and where the chains stand then. */
export interface CourseStep {
  readonly stages: readonly string[]
  readonly oddities: readonly string[]
  /** Plays that stand alike here go on alike. */
  readonly standing: string
  /** What there is on each chain that faults can act on. */
  readonly ground: ReadonlyMap<string, Ground>
}

/**
 * Whether a chain has transactions in its mempool, some that wait for the next tick, pre-confirmed ones, or blocks that were
 * sealed since the beginning.
 */
export interface Ground {
  readonly pooled: boolean
  readonly waiting: boolean
  readonly preconfirmed: boolean
  readonly sealed: boolean
}

/** How a schedule goes, step by step: step 0 ends before the first tick, step 2 after the second. */
export interface Course {
  readonly schedule: Schedule
  readonly steps: readonly CourseStep[]
  /** How often the dapp sends, by chain. */
  readonly sends: ReadonlyMap<string, number>
  /** Whether the last fault took effect. */
  readonly effect: boolean
}

/** The dapp's transactions, as they are without faults. */
export async function findTransactions(
  chains: readonly ReplayedChain[],
  recording: Recording,
): Promise<ReadonlyMap<string, readonly ProbedTransaction[]>> {
  const watched = new Map(chains.map(({ name }) => [name, [] as ProbedTransaction[]]))
  await run(chains, recording, [], {
    async ended(play) {
      for (const { name, node } of chains) {
        for (const hash of play.sentOn(name)) {
          const tx = (await ask(node, 'eth_getTransactionByHash', hash)) as RpcTransaction | null
          if (tx) watched.get(name)?.push({ hash, from: tx.from, nonce: Number(tx.nonce) })
        }
      }
    },
  })
  return watched
}

/** Plays what was recorded under a schedule, with probes that look. */
export async function replay(
  chains: readonly ReplayedChain[],
  recording: Recording,
  schedule: Schedule,
  watched: ReadonlyMap<string, readonly ProbedTransaction[]>,
): Promise<Course> {
  const probes: { readonly chain: ReplayedChain; readonly probe: FateProbe; readonly prefix: string }[] = []
  const steps: { stages: string[]; oddities: string[]; standing: string; ground: ReadonlyMap<string, Ground> }[] = []
  const heads = new Map<string, number>()
  const sends = new Map<string, number>()
  let happened: Play['happened'] = []
  let oddities: string[] = []
  let lookedAt = ''
  await run(chains, recording, schedule, {
    async begun(play) {
      for (const chain of chains) {
        const probe = new FateProbe(play.endpointOf(chain.name), watched.get(chain.name) ?? [])
        probes.push({ chain, probe, prefix: chains.length > 1 ? `${chain.name}:` : '' })
        if (recording.listens) await probe.subscribe()
      }
    },
    sent: (name) => void sends.set(name, (sends.get(name) ?? 0) + 1),
    async answered(name, answer, number, isLate) {
      const message = parsedJson(answer ?? '')
      const error = isObject(message) && isObject(message['error']) ? message['error'] : undefined
      const what = error ? String(error['message']) : isLate ? 'late' : ''
      if (what !== '') oddities.push(`${chains.length > 1 ? `${name}:` : ''}send${number}-${what}`)
    },
    async looks(play) {
      const at = play.tickOf(chains[0]?.name ?? '') ?? 0
      const step = (steps[at] ??= { stages: [], oddities: [], standing: '', ground: new Map() })
      step.oddities.push(...oddities)
      oddities = []
      const truth: string[] = []
      const ground = new Map<string, Ground>()
      for (const { chain } of probes) {
        const { text, head, ...found } = await standingOf(chain)
        const firstHead = heads.get(chain.name) ?? head
        heads.set(chain.name, firstHead)
        ground.set(chain.name, { ...found, sealed: head > firstHead })
        truth.push(play.standingOf(chain.name), text)
      }
      step.ground = ground
      // Nothing has changed but the time.
      const visible = truth.map((text) => text.replaceAll(TIMES, '')).join()
      if (visible !== lookedAt || probes.some(({ probe }) => probe.hasNews)) {
        lookedAt = visible
        for (const { probe, prefix } of probes) {
          const seen = await probe.look()
          step.stages.push(...seen.stages.map((stage) => prefix + stage))
          step.oddities.push(...seen.oddities.map((oddity) => prefix + oddity))
        }
      }
      step.standing = [...truth, ...probes.map(({ probe }) => probe.state)].join('\n')
    },
    ended(play) {
      happened = play.happened
      for (const { probe } of probes) probe.close()
    },
  })
  // Ticks that have passed in one go stand as the last of them, but for how far the live block is.
  for (let at = steps.length - 2; at >= 0; at--) {
    const standing = steps[at + 1]?.standing.replaceAll(INDEX, (_, index: string) => `"index":${Number(index) - 1}`)
    steps[at] ??= { stages: [], oddities: [], standing: standing ?? '', ground: steps[at + 1]?.ground ?? new Map() }
  }
  return { schedule, steps, sends, effect: happened.at(-1)?.effect ?? true }
}

const INDEX = /"index":(\d+)/g

/** In what stands: how much longer, and how far the live block is. */
const TIMES = / \d+|"index":\d+|"stalledTicks":\d+/g

/** Where a chain stands: its live block, its mempool and what stalls it. */
async function standingOf({ node }: FateChain) {
  const calls = [
    ['devnet_status', []],
    ['eth_getBlockByNumber', ['pending', false]],
    ['txpool_content', []],
  ].map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const connection = node.connect()
  const answers = parsedJson((await connection.handle(JSON.stringify(calls))) ?? '') as readonly {
    readonly result: unknown
  }[]
  connection.close()
  const [status, block, pool] = answers.map(({ result }) => result) as [
    ResultOf<'devnet_status'>,
    RpcBlock | null,
    ResultOf<'txpool_content'>,
  ]
  const waiting = Object.values(pool).map((part) =>
    Object.entries(part).map(([from, txs]) => [from, Object.keys(txs), Object.values(txs).map(({ hash }) => hash)]),
  )
  const { index, transactionsByPartial } = status.live
  const { stalledTicks } = status.faults
  return {
    text: JSON.stringify([block?.hash, { index, stalledTicks }, transactionsByPartial, waiting]),
    head: Number(status.head.number),
    pooled: Object.values(pool).some((part) => Object.keys(part).length > 0),
    waiting: Object.keys(pool.pending).length > 0,
    preconfirmed: status.live.transactionCount > 0,
  }
}

/** What is told while a recording is played. */
interface Listeners {
  begun?(play: Play): Promise<void>
  /** The dapp sends on a chain. */
  sent?(chain: string): void
  /** @param number - Of the send on that chain, from 1. @param isLate - Whether other things happened before. */
  answered?(chain: string, answer: string | undefined, number: number, isLate: boolean): Promise<void>
  /** Something may be new. */
  looks?(play: Play): Promise<void>
  ended?(play: Play): Promise<void> | void
}

/** Plays what was recorded, from the beginning, until all has settled. */
async function run(
  chains: readonly ReplayedChain[],
  recording: Recording,
  schedule: Schedule,
  on: Listeners,
): Promise<void> {
  for (const chain of chains) await chain.startOver()
  const signals = { taken: () => {}, held: () => {} }
  const goesOn = (what: keyof typeof signals) =>
    new Promise<void>((resolve) => {
      signals[what] = resolve
    })
  const play = await playFate(chains, schedule, { leaps: true, onSend: (what) => signals[what]() })
  const connections = new Map<string, RpcConnection>()
  const sending: Promise<unknown>[] = []
  const numbers = new Map<string, number>()
  /** How many acts are over. */
  let passed = 0
  try {
    for (const { name } of chains) connections.set(name, play.endpointOf(name).connect())
    await on.begun?.(play)
    for (const [index, act] of recording.acts.entries()) {
      if (index < passed) continue
      const chain = chains.find((each) => each.name === act.chain)
      const connection = connections.get(act.chain)
      if (!chain || !connection) continue
      if (act.kind === 'tick') {
        if (play.tickOf(act.chain) === 0) {
          await play.act()
          await on.looks?.(play)
        }
        passed = index
        while (isTickOf(recording.acts[passed], act.chain)) passed++
        await play.tick(act.chain, passed - index, () => on.looks?.(play) ?? Promise.resolve())
      } else if (act.kind === 'change') {
        if (NOT_REPLAYED.test(act.method)) continue
        const { method, params } = act
        const truth = chain.node.connect()
        await truth.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
        truth.close()
      } else {
        const number = (numbers.get(act.chain) ?? 0) + 1
        numbers.set(act.chain, number)
        on.sent?.(act.chain)
        let isLate = false
        const { ended } = await begin(goesOn, connection, act, (answer) =>
          on.answered?.(act.chain, answer, number, isLate),
        )
        isLate = true
        sending.push(ended)
      }
      await on.looks?.(play)
    }
    await play.act()
    await on.looks?.(play)
    await play.settle(() => on.looks?.(play) ?? Promise.resolve())
    await Promise.all(sending)
    await on.looks?.(play)
    await on.ended?.(play)
  } finally {
    for (const connection of connections.values()) connection.close()
    play.close()
  }
}

function isTickOf(act: RecordedAct | undefined, chain: string): boolean {
  return act?.kind === 'tick' && act.chain === chain
}

/**
 * Sends. Resolves once the node has answered, even if the answer is held; a call that waits for its receipt is not waited
 * for.
 */
async function begin(
  goesOn: (what: 'taken' | 'held') => Promise<void>,
  connection: RpcConnection,
  { method, params }: { readonly method: string; readonly params: readonly unknown[] },
  answered: (answer: string | undefined) => Promise<void> | undefined,
): Promise<{ readonly ended: Promise<unknown> }> {
  const signal = goesOn(method.endsWith('Sync') ? 'taken' : 'held')
  const answer = connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const ended = answer.then(answered)
  await Promise.race([signal, ended])
  return { ended }
}
