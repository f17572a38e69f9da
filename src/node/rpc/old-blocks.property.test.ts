// Longer than most: what is known of every parameter stands beside the walk that uses it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hash, Hex } from '#primitives/hex.ts'
import { changesChain } from '#rpc-types/effects.ts'
import { signLogger } from '#testing/node/rpc/log-contract.ts'
import { createTestNode, devAccount, RpcError, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { createdAddress } from '../evm/contract-address.ts'
import { BlockUnreadableError, listPlaces, type RecordShelf, type StoredBytes } from '../storage/journal.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import document from './openrpc.json' with { type: 'json' }

// Every method of the contract is asked about old blocks: of a chain that has all of them in memory, and of one that has
// only the newest and reads the others from its journal.

/** A budget that no chain here reaches. */
const IN_MEMORY = 2 ** 30
const TOPIC = `0x${'7a'.repeat(32)}` as const
const WORD = `0x${'07'.repeat(32)}` as const
const PAYEE = `0x${'aa'.repeat(20)}` as const
/** Account 0 sends to itself. */
const CALL = { from: devAccount(0).address, to: devAccount(0).address, value: '0x1' }

/** What a method is asked about. */
interface Sample {
  readonly number: Hex
  readonly hash: Hash
  readonly transaction: Hash
  readonly raw: Hex
  readonly rawBlock: Hex
  /** With code. */
  readonly contract: Hex
  readonly later: number
}

/** One chain, twice. */
type Pair = readonly [inMemory: TestNode, inJournal: TestNode]

/** Methods whose answers are about the process, or that wait for a clock that stands still. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  devnet_getStorage: 'tells how much is in memory',
  devnet_getTransactionTimeline: 'is not stored',
  eth_sendRawTransactionSync: 'waits',
  eth_sendTransactionSync: 'waits',
  devnet_importChain: 'is refused: these nodes cannot be replaced',
  devnet_startChain: 'is refused: these nodes cannot be replaced',
}

const span = ({ number }: Sample) => ({ fromBlock: '0x0', toBlock: number })

/** Values of the parameters with a name; the first that suits the others is taken. */
const VALUES: Readonly<Record<string, (sample: Sample) => readonly unknown[]>> = {
  account: () => [devAccount(1).address],
  accountOrHash: ({ hash }) => [hash],
  address: ({ contract }) => [contract, devAccount(0).address],
  after: () => [PAYEE],
  amount: () => ['0x5'],
  asset: () => [{ type: 'ERC20', options: { address: PAYEE, symbol: 'T', decimals: 18 } }],
  at: ({ number }) => [{ blockNumber: number }],
  baseFee: () => ['0x3b9aca00'],
  before: () => [{ blockNumber: '0x4' }],
  block: ({ number, hash, rawBlock }) => [number, { blockHash: hash }, rawBlock],
  blockCount: () => ['0x400'],
  blocks: () => ['0x2'],
  bundle: () => [
    {
      version: '2.0.0',
      chainId: '0x7a69',
      from: devAccount(3).address,
      atomicRequired: false,
      calls: [{ to: PAYEE, value: '0x1' }],
    },
  ],
  bundles: () => [[{ transactions: [CALL] }]],
  call: () => [CALL],
  calls: () => [[[CALL, ['trace']]]],
  chain: () => [
    {
      chainId: '0x7a69',
      chainName: 'T',
      rpcUrls: ['http://127.0.0.1:1'],
      nativeCurrency: { name: 'E', symbol: 'E', decimals: 18 },
    },
  ],
  chainId: () => ['0x7a69'],
  chainIds: () => [['0x7a69']],
  code: () => ['0x00'],
  codeHash: () => [WORD],
  config: () => [{ tracer: 'callTracer' }, {}],
  count: () => ['0x40'],
  data: ({ raw }) => [raw],
  depth: ({ later }) => [later],
  enabled: () => [false],
  env: () => [{}],
  factor: () => [1],
  failure: () => [{ methods: ['eth_chainId'], times: 0 }],
  fate: () => ['requeue'],
  file: () => ['0x'],
  filter: ({ number }) => [span({ number } as Sample), { toBlock: number }, {}],
  first: () => [0],
  from: ({ number }) => [number],
  fullTransactions: () => [true],
  gasLimit: () => ['0x1c9c380'],
  gasPrice: () => ['0x77359400'],
  hash: ({ transaction, hash }) => [transaction, hash],
  id: () => ['0x1'],
  index: () => ['0x0'],
  input: () => [{}],
  interval: () => [0],
  intervalSeconds: () => ['0x1'],
  kept: () => [[]],
  keyStart: () => ['0x'],
  kind: () => ['newHeads'],
  maxResult: () => [10],
  message: () => ['0x1234'],
  mode: () => [],
  moment: () => [0],
  ms: () => [1_000],
  n: () => [1],
  newestBlock: ({ number }) => [number],
  nonce: () => ['0x0', '0x20'],
  of: ({ transaction }) => [transaction],
  options: () => [],
  output: () => [{}],
  owner: () => [devAccount(1).address],
  page: () => [0],
  pageSize: () => [20],
  password: () => [''],
  prefer: () => [[]],
  preserveHistoricalStates: () => [false],
  query: (sample) => [{ ...span(sample), topics: [TOPIC] }, span(sample), { blockHash: sample.hash }],
  raw: ({ raw }) => [raw],
  requested: () => [{ eth_accounts: {} }],
  rewardPercentiles: () => [[10, 90]],
  seconds: () => ['0x5'],
  sender: () => [devAccount(0).address],
  signature: () => [`0x${'11'.repeat(64)}1b`],
  simulation: () => [{ blockStateCalls: [{ calls: [CALL] }] }],
  slot: () => ['0x0'],
  slots: () => [['0x0'], { [PAYEE]: ['0x0'] }, {}],
  snapshot: () => [],
  solcVersion: () => ['0.8.30'],
  spender: () => [PAYEE],
  state: () => [{}],
  status: () => ['ready'],
  subject: ({ transaction }) => [transaction],
  ticks: () => [1],
  time: () => ['0x1'],
  timeoutMs: () => [],
  timestamp: () => [],
  timing: () => [{ partialMs: 200 }],
  token: () => [PAYEE],
  traceAddress: () => [[]],
  transaction: () => [CALL],
  transactions: () => [[]],
  txIndex: () => [0],
  typedData: () => [{ types: { EIP712Domain: [] }, primaryType: 'EIP712Domain', domain: {}, message: {} }],
  types: () => [['trace', 'stateDiff']],
  url: () => ['http://127.0.0.1:1'],
  value: () => [WORD],
  versionedHash: () => [WORD],
  wei: () => ['0x1'],
}

/** All ways to call a method: each parameter with its values, the others with their first. */
function callsOf(name: string, names: readonly string[], sample: Sample): (readonly unknown[])[] {
  const values = names.map((each) => {
    const known = VALUES[each]
    if (!known) throw new Error(`${name} has the parameter ${each}, of which no value is known here`)
    return known(sample)
  })
  const given = values.slice(0, values.findIndex((each) => each.length === 0) >>> 0)
  const calls = given.flatMap((own, at) => own.map((value) => given.map((each, i) => (i === at ? value : each[0]))))
  return calls.length === 0 ? [[]] : calls
}

async function answer({ requestLoosely }: TestNode, name: string, params: readonly unknown[]): Promise<unknown> {
  const ask = requestLoosely as (method: string, given: readonly unknown[]) => Promise<unknown>
  try {
    return { result: await ask(name, params) }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { refused: error.message }
  }
}

/** Asks both. Returns the answer, and how many of them were results. */
async function askBoth([inMemory, inJournal]: Pair, name: string, params: readonly unknown[]): Promise<number> {
  const [expected, found] = [await answer(inMemory, name, params), await answer(inJournal, name, params)]
  expect(found, `${name} ${JSON.stringify(params)}`).toEqual(expected)
  const { result } = expected as { result?: unknown }
  return result === undefined || result === null ? 0 : 1
}

type Step =
  | 'contract'
  | 'transfer'
  | 'logger'
  | 'failing'
  | 'faucet'
  | 'seal'
  | 'snapshot'
  | 'revert'
  | 'reorg'
  | 'restart'
const step = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Step>('transfer', 'logger', 'failing', 'faucet') },
  { weight: 6, arbitrary: fc.constant<Step>('seal') },
  { weight: 2, arbitrary: fc.constantFrom<Step>('snapshot', 'revert', 'reorg', 'restart') },
)

/** Two nodes that are told the same, each with a journal of its own. */
class Twins {
  readonly #clock = new FakeClock()
  readonly #journals: [MemoryJournal, MemoryJournal]
  readonly #budget: number
  #nodes: Pair | undefined
  #snapshots = 0

  constructor(budget: number, inJournal = new MemoryJournal()) {
    this.#budget = budget
    this.#journals = [new MemoryJournal(), inJournal]
  }

  get nodes(): Pair {
    if (!this.#nodes) throw new Error('the nodes are not open')
    return this.#nodes
  }

  async open(): Promise<void> {
    const [inMemory, inJournal] = this.#journals
    const clock = this.#clock
    this.#nodes = [
      await createTestNode({ mode: 'manual' }, { journal: inMemory, clock, memoryBytes: IN_MEMORY }),
      await createTestNode({ mode: 'manual' }, { journal: inJournal, clock, memoryBytes: this.#budget }),
    ]
  }

  async tell(name: string, ...params: readonly unknown[]): Promise<number> {
    return askBoth(this.nodes, name, params)
  }

  async #nonce(): Promise<number> {
    const [{ request }] = this.nodes
    return Number(await request('eth_getTransactionCount', [devAccount(0).address, 'pending']))
  }

  async take(what: Step): Promise<void> {
    switch (what) {
      case 'transfer':
        await this.tell('eth_sendRawTransaction', await signTransfer(0, await this.#nonce(), { to: PAYEE }))
        return
      case 'logger':
        await this.tell('eth_sendRawTransaction', await signLogger(0, await this.#nonce(), TOPIC, WORD))
        return
      case 'failing':
        await this.tell('eth_sendTransaction', { from: devAccount(2).address, input: '0xfe', gas: '0x20000' })
        return
      case 'contract':
        // The code is 01.
        await this.tell('eth_sendTransaction', {
          from: devAccount(2).address,
          input: '0x60015f5360015ff3',
          gas: '0x20000',
        })
        return
      case 'faucet':
        await this.tell('devnet_faucet', PAYEE, '0x5')
        return
      case 'seal':
        await this.tell('evm_mine')
        return
      case 'snapshot':
        await this.tell('evm_snapshot')
        this.#snapshots++
        return
      case 'revert':
        await this.tell('evm_revert', `0x${Math.max(1, this.#snapshots--).toString(16)}`)
        return
      case 'reorg':
        await this.tell('devnet_reorg', 3)
        return
      case 'restart':
        this.#journals[0] = this.#journals[0].afterCrash()
        this.#journals[1] = this.#journals[1].afterCrash()
        await this.open()
    }
  }

  /** Blocks with transactions and logs that are old by now. */
  async sample(): Promise<Sample> {
    const [{ request }] = this.nodes
    const head = Number(await request('eth_blockNumber'))
    for (let number = 1; number <= head - 6; number++) {
      const tag = `0x${number.toString(16)}` as const
      const block = await request('eth_getBlockByNumber', [tag, false])
      const [transaction] = (block?.transactions ?? []) as readonly Hash[]
      if (!block || transaction === undefined) continue
      const raw = await request('eth_getRawTransactionByHash', [transaction])
      const rawBlock = await request('debug_getRawBlock', [tag])
      const contract = createdAddress(devAccount(2).address.toLowerCase() as Hex, 0n)
      return { number: tag, hash: block.hash, transaction, raw: raw ?? '0x', rawBlock, contract, later: 2 }
    }
    throw new Error('the chain has no old transactions')
  }
}

const methods = document.methods.map(({ name, params }) => ({ name, names: params.map((each) => each.name) }))

/** A chain of those steps, its oldest blocks with transactions and logs, none but its newest blocks in memory. */
async function grow(steps: readonly Step[], budget: number): Promise<Twins> {
  const twins = new Twins(budget)
  await twins.open()
  for (const each of ['contract', 'logger', 'transfer', 'failing', 'seal', 'logger', 'seal'] as const)
    await twins.take(each)
  for (const each of steps) await twins.take(each)
  for (let i = 0; i < 8; i++) await twins.take('seal')
  return twins
}

/** Asks all methods of which `suits` holds. Returns the names of those that answered with something. */
async function walk(twins: Twins, suits: (name: string) => boolean): Promise<Set<string>> {
  const answered = new Set<string>()
  const sample = await twins.sample()
  for (const { name, names } of methods) {
    if (!suits(name) || name in NOT_ASKED) continue
    for (const params of callsOf(name, names, sample)) {
      if ((await twins.tell(name, ...params)) > 0) answered.add(name)
    }
  }
  return answered
}

async function residentBytes({ request }: TestNode): Promise<number> {
  return (await request('devnet_getStorage')).blockMemory.used
}

test('every method answers about blocks that are read from the journal as about those in memory', async () => {
  const twins = await grow(['transfer', 'seal', 'faucet', 'logger', 'seal', 'restart'], 0)
  expect(await residentBytes(twins.nodes[0])).toBeGreaterThan(1_000)
  expect(await residentBytes(twins.nodes[1])).toBe(0)
  const answered = await walk(twins, (name) => !changesChain(name))
  // What answers with nothing proves nothing.
  const needed = methods
    .map(({ name }) => name)
    .filter((name) =>
      /^(eth_get(Block|Transaction|Raw|Header|Logs)|debug_(getRaw|trace)|trace_|devnet_(list|trace|export)|ots_get)/.test(
        name,
      ),
    )
  expect(needed.length).toBeGreaterThan(40)
  expect(needed.filter((name) => !answered.has(name) && !(name in NOT_ASKED))).toEqual([])
  expect(await residentBytes(twins.nodes[1])).toBe(0)
})

test('every method that changes the chain does the same to one that is read from the journal', async () => {
  const startsOver = (name: string) => name.endsWith('_reset')
  const twins = await grow(['snapshot', 'transfer', 'seal', 'logger', 'seal'], 0)
  let changed = 0
  for (const suits of [(name: string) => !startsOver(name), startsOver]) {
    for (const { name, names } of methods.filter((each) => changesChain(each.name) && suits(each.name))) {
      if (name in NOT_ASKED) continue
      const sample = {
        number: '0x1',
        hash: WORD,
        transaction: WORD,
        raw: '0x',
        rawBlock: '0x',
        contract: PAYEE,
        later: 9,
      } as const
      for (const params of callsOf(name, names, sample)) {
        changed += await twins.tell(name, ...params)
        await twins.tell('eth_getBlockByNumber', 'latest', true)
        await twins.tell('eth_getBlockByNumber', '0x2', true)
      }
      for (const each of ['transfer', 'seal', 'logger', 'seal'] as const) await twins.take(each)
    }
  }
  expect(changed).toBeGreaterThan(60)
})

test('whatever was mined, saved, taken back and restarted, old blocks are the same with any budget', async () => {
  const budgets = fc.constantFrom(0, 1, 700, 2_000, 10_000)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), budgets, async (steps, budget) => {
      const twins = await grow(steps, budget)
      expect(await residentBytes(twins.nodes[1])).toBeLessThanOrEqual(budget)
      const [{ request }] = twins.nodes
      for (let number = Number(await request('eth_blockNumber')); number >= 0; number--) {
        const tag = `0x${number.toString(16)}`
        await twins.tell('eth_getBlockByNumber', tag, true)
        await twins.tell('eth_getBlockReceipts', tag)
        await twins.tell('eth_getHeaderByNumber', tag)
        await twins.tell('debug_traceBlockByNumber', tag, { tracer: 'callTracer' })
      }
      await twins.tell('eth_getLogs', { fromBlock: '0x0', topics: [TOPIC] })
      await twins.tell('devnet_listTransactions', {})
      await twins.tell('devnet_exportChain')
    }),
    { numRuns: runsOf(15) },
  )
})

/** Counts the places that are packed. */
class PackingJournal extends MemoryJournal {
  packed = 0

  override get shelf(): RecordShelf {
    const shelf = super.shelf
    return {
      ...shelf,
      pack: (places) => {
        this.packed += places.length
        return shelf.pack(places)
      },
    }
  }
}

test('blocks that are so old that hundreds share an object are the same as others, also behind a restart, a reorg and a revert', async () => {
  const inJournal = new PackingJournal()
  const twins = new Twins(0, inJournal)
  await twins.open()
  const mine = (count: number) => twins.tell('anvil_mine', `0x${count.toString(16)}`)
  await mine(300)
  for (const each of ['contract', 'logger', 'transfer', 'seal', 'logger', 'seal', 'snapshot'] as const)
    await twins.take(each)
  await mine(300)
  await twins.take('snapshot')
  await mine(500)
  expect(inJournal.packed).toBeGreaterThan(500)
  const check = async () => {
    const [{ request }] = twins.nodes
    const head = Number(await request('eth_blockNumber'))
    for (let number = 0; number <= head; number++) {
      const tag = `0x${number.toString(16)}`
      await twins.tell('eth_getBlockByNumber', tag, true)
      await twins.tell('eth_getBlockReceipts', tag)
      const block = await request('eth_getBlockByNumber', [tag as Hex, false])
      if (block) await twins.tell('eth_getHeaderByHash', block.hash)
    }
    expect(await twins.tell('eth_getLogs', { fromBlock: '0x0', topics: [TOPIC] })).toBe(1)
    for (const hash of await loggedBy(twins)) await twins.tell('eth_getTransactionReceipt', hash)
    await twins.tell('devnet_exportChain')
  }
  await check()
  await twins.take('reorg')
  await mine(5)
  await check()
  await twins.take('restart')
  await check()
  // To where no block was packed that is now, and then to below those that are.
  for (const head of [602, 302]) {
    await twins.take('revert')
    expect(Number(await twins.nodes[0].request('eth_blockNumber'))).toBe(head)
    await check()
    await mine(300)
    await check()
  }
})

/** Hashes of the transactions that have logged. */
async function loggedBy({ nodes: [{ request }] }: Twins): Promise<readonly Hash[]> {
  const logs = await request('eth_getLogs', [{ fromBlock: '0x0', topics: [TOPIC] }])
  return logs.flatMap(({ transactionHash }) => (transactionHash ? [transactionHash] : []))
}

/** A journal on a disk that can fail. */
class FailingJournal extends MemoryJournal {
  isFailing = false

  override get shelf(): RecordShelf {
    const shelf = super.shelf
    return {
      ready: () => shelf.ready(),
      pack: listPlaces,
      shelve: (key, record) => {
        const place = shelf.shelve(key, record)
        return place && { length: place.length, read: (...part) => this.#read(place, part) }
      },
    }
  }

  #read(place: StoredBytes, part: Parameters<StoredBytes['read']>): Uint8Array {
    if (this.isFailing) throw new BlockUnreadableError('A block cannot be read from the journal.')
    return place.read(...part)
  }
}

test('where the disk fails, a call is refused before it has changed anything, and the chain goes on', async () => {
  const journal = new FailingJournal()
  const node = await createTestNode({ mode: 'manual' }, { journal })
  const { request } = node
  const snapshot = await request('evm_snapshot')
  for (let nonce = 0; nonce < 20; nonce++) {
    await request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
    await request('evm_mine')
  }
  const state = async () => [
    await request('eth_getBlockByNumber', ['latest', true]),
    await request('eth_getBlockByNumber', ['pending', true]),
    await request('txpool_content'),
  ]
  const before = await state()
  const refused = { refused: 'A block cannot be read from the journal.' }
  journal.isFailing = true
  // Nothing of them is cached by now: heads and transactions of other chains are.
  for (let i = 0; i < 3; i++) await otherChain()
  const calls: [string, ...unknown[]][] = [
    ['eth_getBlockByNumber', '0x2', true],
    ['eth_getBlockReceipts', '0x3'],
    ['debug_traceBlockByNumber', '0x5'],
    ['devnet_exportChain'],
    ['devnet_reorg', 15],
    ['anvil_rollback', 12],
    ['evm_revert', snapshot],
  ]
  for (const [name, ...params] of calls) {
    expect(await answer(node, name, params), name).toEqual(refused)
    expect(await state(), name).toEqual(before)
  }
  await request('eth_sendRawTransaction', [await signTransfer(0, 20)])
  await request('evm_mine')
  journal.isFailing = false
  expect(await request('eth_blockNumber')).toBe('0x15')
  expect((await request('eth_getBlockByNumber', ['0x2', true]))?.transactions).toHaveLength(1)
  const again = await createTestNode({}, { journal: journal.afterCrash() })
  expect(await again.request('eth_blockNumber')).toBe('0x15')
  expect(await request('devnet_reorg', [15])).toBeDefined()
  expect(await request('eth_blockNumber')).toBe('0x6')
})

/** A chain whose blocks take the place of all that is cached of others. */
async function otherChain(): Promise<void> {
  const { request } = await createTestNode({ mode: 'manual' }, { journal: new MemoryJournal() })
  await request('anvil_mine', ['0x110'])
  for (let number = 0; number <= 0x110; number++) {
    await request('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
    await request('eth_getBlockReceipts', [`0x${number.toString(16)}`])
  }
}
