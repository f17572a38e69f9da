import type { Address, Hash } from '#primitives/hex.ts'
import { isObject, parsedJson } from '#primitives/json-object.ts'
import type { RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'

/** A transaction that probes look for. */
export interface ProbedTransaction {
  readonly hash: Hash
  readonly from: Address
  readonly nonce: number
}

/** What was seen of all transactions, a letter each, and what was odd about it. */
export interface Seen {
  /** Stages of the transactions, in order; each differs from the one before. */
  readonly stages: readonly string[]
  /** What was odd: events that came twice, reads that differ. */
  readonly oddities: readonly string[]
}

type Stream = 'heads' | 'partials'

/**
 * A client of a chain that looks at all that a dapp can look at: receipts, transactions, nonces and the block number, asked
 * twice each, and the streams of blocks and partial blocks. Tells what it saw without hashes, times and repetitions.
 */
export class FateProbe {
  readonly #connection: RpcConnection
  readonly #watched: readonly ProbedTransaction[]
  readonly #kinds = new Map<unknown, Stream>()
  /** Stages of the transactions by the newest look: {@link stageOf}. */
  #stages: string[]
  #head: number | undefined
  #isListening = false
  /** Since the newest look: how often each block was told, and each transaction. */
  #told = new Map<string, number>()
  #newStages: string[] = []
  readonly #oddities = new Set<string>()
  #closed = false

  /** @param watched - The dapp's transactions, in the order in which it sent them. */
  constructor(endpoint: RpcEndpoint, watched: readonly ProbedTransaction[]) {
    this.#watched = watched
    this.#stages = watched.map(() => '-')
    this.#connection = endpoint.connect((body) => this.#note(body))
  }

  /** What later looks depend on. */
  get state(): string {
    return `${this.#stages.join('')} ${this.#head} ${this.#isListening}`
  }

  async subscribe(): Promise<void> {
    for (const [method, kind] of [
      ['newHeads', 'heads'],
      ['newPartialBlocks', 'partials'],
    ] as const) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: [method] })
      const answer = parsedJson((await this.#connection.handle(body)) ?? '')
      if (isObject(answer)) this.#kinds.set(answer['result'], kind)
    }
    this.#isListening = true
  }

  /** Whether a stream has told anything since the newest look. */
  get hasNews(): boolean {
    return this.#told.size > 0 || this.#oddities.size > 0
  }

  /** Looks at the chain. @returns What is new since the look before. */
  async look(): Promise<Seen> {
    const [head, ...looks] = await this.#ask()
    const heads = (head ?? []).map(Number)
    if (new Set(heads).size > 1) this.#oddities.add('nodes-differ')
    const newest = Math.max(...heads)
    const hasNewBlock = this.#head !== undefined && newest > this.#head
    if (hasNewBlock) this.#compareTold('block', `${newest}`)
    this.#head = newest
    const stages = this.#watched.map((tx, index) => {
      const [first = '-', second = '-'] = [0, 1].map((turn) => {
        const [found, receipt, pending] = looks.slice(index * 3, index * 3 + 3).map((both) => both?.[turn])
        return stageOf(found, receipt, Number(pending) > tx.nonce)
      })
      if (first !== second) this.#oddities.add('nodes-differ')
      const stage = RANK.indexOf(first) > RANK.indexOf(second) ? first : second
      const before = this.#stages[index]
      if (stage === 'p' && before !== 'p') this.#compareTold('tx', tx.hash)
      if ('-wx'.includes(stage) && this.#told.has(`tx ${tx.hash}`)) this.#oddities.add('event-denied')
      // A block has passed without it.
      return stage === 'w' && (before === 'W' || (before === 'w' && hasNewBlock)) ? 'W' : stage
    })
    this.#see(stages)
    const seen = { stages: this.#newStages, oddities: [...this.#oddities].sort() }
    this.#newStages = []
    this.#oddities.clear()
    this.#told.clear()
    return seen
  }

  close(): void {
    this.#closed = true
    this.#connection.close()
  }

  /** Asks everything twice in a row: of a balancer's two nodes, each answers once. @returns Both answers of each read. */
  async #ask(): Promise<readonly (readonly unknown[])[]> {
    const reads: (readonly [string, readonly unknown[]])[] = [
      ['eth_blockNumber', []],
      ...this.#watched.flatMap(
        ({ hash, from }) =>
          [
            ['eth_getTransactionByHash', [hash]],
            ['eth_getTransactionReceipt', [hash]],
            ['eth_getTransactionCount', [from, 'pending']],
          ] as const,
      ),
    ]
    const calls = reads.flatMap(([method, params]) => [
      { jsonrpc: '2.0', id: 1, method, params },
      { jsonrpc: '2.0', id: 2, method, params },
    ])
    const answers = parsedJson((await this.#connection.handle(JSON.stringify(calls))) ?? '')
    if (!Array.isArray(answers)) throw new Error('a batch of reads was not answered')
    const results = answers.map((answer: unknown) => (isObject(answer) ? answer['result'] : undefined))
    return reads.map((_, index) => results.slice(2 * index, 2 * index + 2))
  }

  #see(stages: readonly string[]): void {
    const text = stages.join('')
    if (text !== this.#stages.join('')) this.#newStages.push(text)
    this.#stages = [...stages]
  }

  /** Compares what the streams have told of something new with what reads say. */
  #compareTold(what: 'block' | 'tx', which: string): void {
    if (!this.#isListening) return
    if (!this.#told.has(`${what} ${which}`)) this.#oddities.add('event-missed')
  }

  #note(body: string): void {
    if (this.#closed) return
    const message = parsedJson(body)
    const params = isObject(message) && isObject(message['params']) ? message['params'] : {}
    const { result, subscription } = params
    if (!isObject(result)) {
      this.#isListening = false
      this.#oddities.add('stream-ended')
      return
    }
    if (this.#kinds.get(subscription) === 'heads') this.#tell(`block ${Number(result['number'])}`)
    else this.#notePartial(result as unknown as PartialEvent)
  }

  #notePartial({ diff }: PartialEvent): void {
    for (const { hash } of diff.transactions) {
      const index = this.#watched.findIndex((each) => each.hash === hash)
      if (index === -1) continue
      this.#tell(`tx ${hash}`)
      // Who is told sees it, even if reads say otherwise a moment later.
      if (this.#stages[index] !== 's') this.#see(this.#stages.with(index, 'p'))
    }
  }

  #tell(what: string): void {
    const times = (this.#told.get(what) ?? 0) + 1
    this.#told.set(what, times)
    if (times > 1) this.#oddities.add('event-twice')
  }
}

/** What the probe needs of a partial block's event. */
interface PartialEvent {
  readonly diff: { readonly transactions: readonly { readonly hash: Hash }[] }
}

/** Later stages come later. */
const RANK = ['-', 'w', 'p', 'x', 'f', 's']

/**
 * `-` unknown, `w` waits (`W`: a block has passed without it), `p` pre-confirmed, `s` sealed, `f` sealed and reverted, `x`
 * unknown, and its nonce is taken.
 */
function stageOf(tx: unknown, receipt: unknown, isNonceTaken: boolean): string {
  if (isObject(receipt)) {
    const isSealed = Number(receipt['blockHash']) !== 0
    return isSealed ? (Number(receipt['status']) === 1 ? 's' : 'f') : 'p'
  }
  return isObject(tx) ? 'w' : isNonceTaken ? 'x' : '-'
}
