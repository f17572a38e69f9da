// Longer than most files: the examples of all methods and the walks over them are only read together.
import { beforeAll, describe, expect, test } from 'vitest'
import { type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { METHOD_FACTS } from '#rpc-types/facts.ts'
import type { MethodSubject } from '#rpc-types/method.ts'
import type { MethodName, ParamsOf } from '#rpc-types/methods.ts'
import { type ChangeAnswer, forkOf, WITHOUT_PROOFS } from '#testing/node/fork-of.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import openRpc from '../rpc/openrpc.json' with { type: 'json' }
import { ForkError } from './fork-error.ts'
import { type RoutedMethod, subjectOf } from './routes.ts'
import { STAND_INS } from './stand-ins.ts'

/** Counts its calls in slot 0, logs nothing under no topic, and returns the count. */
const COUNTER = '0x60015f54015f555f5fa05f545f5260205ff3'
const counter: Hex = `0x${'51'.repeat(20)}`
/** Returns one byte of code. */
const CREATION = '0x600160005360016000f3'
const HOLDER: Hex = `0x${'99'.repeat(20)}`
const NOWHERE: Hex = `0x${'98'.repeat(20)}`
/** Hashes of nothing. */
const UNKNOWN = { blockHash: `0x${'12'.repeat(32)}`, txHash: `0x${'34'.repeat(32)}` } as const
/** Above every head. */
const FAR = '0x64'

/** What a block of the other chain has, for parameters. */
interface Moment {
  readonly number: Hex
  readonly blockHash: Hash
  /** The first of its transactions, which calls the counter. */
  readonly txHash: Hash
  readonly sender: Hex
  readonly nonce: Hex
  /** A contract that it creates. */
  readonly created: Hex
}

/** Parameters for a moment. `ref` is its block, in each way in which the method takes one. */
type Example = (moment: Moment, ref: unknown) => readonly unknown[]

const call = { to: counter, gas: '0x30000' }
const onState: Example = (_moment, ref) => [call, ref]
const ofHolder: Example = (_moment, ref) => [HOLDER, ref]
const inBlock: Example = (_moment, ref) => [ref, '0x0']

/** What most methods about such a thing take. */
const USUAL: { readonly [About in MethodSubject['about']]?: Example } = {
  block: (_moment, ref) => [ref],
  state: ({ created }, ref) => [created, ref],
  transaction: ({ txHash }) => [txHash],
}
/** Methods that take something else: their calls fail until their examples stand here. */
const OTHERS: { readonly [Name in RoutedMethod]?: Example } = {
  debug_traceTransaction: ({ txHash }) => [txHash, { tracer: 'flatCallTracer' }],
  debug_traceBlockByNumber: (_moment, ref) => [ref, { tracer: 'callTracer' }],
  debug_traceBlockByHash: (_moment, ref) => [ref, { tracer: 'callTracer' }],
  debug_traceCall: (_moment, ref) => [call, ref, { tracer: 'callTracer' }],
  debug_storageRangeAt: (_moment, ref) => [ref, 0, counter, '0x', 10],
  eth_feeHistory: ({ number }) => ['0x2', number, [50]],
  eth_getBlockByNumber: (_moment, ref) => [ref, true],
  eth_getBlockByHash: (_moment, ref) => [ref, true],
  eth_getUncleByBlockNumberAndIndex: inBlock,
  eth_getUncleByBlockHashAndIndex: inBlock,
  eth_getTransactionBySenderAndNonce: ({ sender, nonce }) => [sender, nonce],
  eth_getTransactionByBlockNumberAndIndex: inBlock,
  eth_getTransactionByBlockHashAndIndex: inBlock,
  eth_getRawTransactionByBlockNumberAndIndex: inBlock,
  eth_getRawTransactionByBlockHashAndIndex: inBlock,
  eth_getBalance: ofHolder,
  eth_getTransactionCount: ({ sender }, ref) => [sender, ref],
  eth_getStorageAt: (_moment, ref) => [counter, '0x0', ref],
  eth_getStorageValues: (_moment, ref) => [
    { [counter]: ['0x0', `0x${'0'.repeat(64)}`, '0x1'], [HOLDER]: ['0x5'] },
    ref,
  ],
  eth_getProof: (_moment, ref) => [counter, ['0x0', `0x${'0'.repeat(64)}`, '0x01'], ref],
  eth_call: onState,
  eth_callMany: (_moment, ref) => [[{ transactions: [call] }], { blockNumber: ref }],
  eth_estimateGas: onState,
  eth_createAccessList: onState,
  eth_simulateV1: (_moment, ref) => [{ blockStateCalls: [{ calls: [call] }] }, ref],
  eth_getLogs: ({ number }, ref) => [typeof ref === 'object' ? ref : { fromBlock: '0x1', toBlock: number }],
  ots_getBlockTransactions: (_moment, ref) => [ref, 0, 5],
  ots_searchTransactionsBefore: ({ sender, number }) => [sender, Number(number) + 1, 2],
  ots_searchTransactionsAfter: ({ sender, number }) => [sender, Number(number) - 1, 1],
  ots_getTransactionBySenderAndNonce: ({ sender, nonce }) => [sender, nonce],
  ots_getContractCreator: ({ created }) => [created],
  trace_call: (_moment, ref) => [call, ['trace'], ref],
  trace_callMany: (_moment, ref) => [[[call, ['trace']]], ref],
  trace_get: ({ txHash }) => [txHash, []],
  trace_filter: ({ number }) => [{ fromBlock: '0x1', toBlock: number }],
  trace_replayTransaction: ({ txHash }) => [txHash, ['trace', 'stateDiff']],
  trace_replayBlockTransactions: (_moment, ref) => [ref, ['trace']],
}
const NAMES = Object.keys(METHOD_FACTS).filter(
  (name): name is RoutedMethod => !['nothing', 'own'].includes(subjectOf(name as MethodName).about),
)

/** The ways in which a method takes a block. */
function refsOf(name: RoutedMethod, { number, blockHash }: Moment): readonly unknown[] {
  const route = subjectOf(name)
  if (route.about === 'logs') return [number, { blockHash }]
  if (route.about === 'block' && route.by === 'number') return [number]
  if (route.about === 'block' && route.by === 'hash') return [blockHash]
  if (name === 'debug_traceBlockByHash') return [blockHash]
  const isEither = route.about === 'block' || route.about === 'state'
  if (!isEither) return [undefined]
  return [number, blockHash, { blockHash, requireCanonical: true }, { blockNumber: number }]
}

function exampleOf(name: RoutedMethod): Example {
  const example = OTHERS[name] ?? USUAL[subjectOf(name).about]
  invariant(example, `${name} has an example`)
  return example
}

/** All calls of a method about a moment. */
const callsOf = (name: RoutedMethod, moment: Moment) =>
  refsOf(name, moment).map((ref) => exampleOf(name)(moment, ref) as ParamsOf<MethodName>)

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

async function answerOf(node: TestNode, method: string, params: readonly unknown[]): Promise<Answer> {
  const { result, error } = JSON.parse(
    (await node.raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) ?? '{}',
  ) as Answer
  return error ? { error } : { result }
}

let original: TestNode
/** Blocks up to the fork's. */
const before: Moment[] = []
/** A later one; the transaction of the last moment waits in the pool. */
let after: readonly Moment[]
let fork: Awaited<ReturnType<typeof forkOf>>

const nonces = [0, 0]

/** Signs a call of the counter, a creation and a transfer. */
async function signBlock(): Promise<readonly Hex[]> {
  const fees = { chainId: 31337, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n, gas: 200_000n } as const
  const [first, second] = [nonces[0] ?? 0, nonces[1] ?? 0]
  nonces[0] = first + 1
  nonces[1] = second + 2
  return [
    await devAccount(0).signTransaction({ ...fees, type: 'eip1559', nonce: first, to: counter }),
    await devAccount(1).signTransaction({ ...fees, type: 'eip1559', nonce: second, data: CREATION }),
    await signTransfer(1, second + 1, { to: HOLDER }),
  ]
}

async function mine(node: TestNode): Promise<Moment> {
  const hashes: Hash[] = []
  const nonce = toQuantity(nonces[0] ?? 0)
  for (const raw of await signBlock()) hashes.push(await node.request('eth_sendRawTransaction', [raw]))
  const { number, hash: blockHash } = await node.request('devnet_seal')
  const receipt = await node.request('eth_getTransactionReceipt', [hashes[1] as Hash])
  const sender = devAccount(0).address.toLowerCase() as Hex
  const [txHash] = hashes as [Hash]
  return { number, blockHash, txHash, sender, nonce, created: receipt?.contractAddress as Hex }
}

beforeAll(async () => {
  original = await createTestNode({ mode: 'manual', genesis: { [counter]: { code: COUNTER } } })
  for (let i = 0; i < 3; i++) before.push(await mine(original))
  fork = await forkOf(original)
  const later = [await mine(original), await mine(original)]
  const [waiting] = await signBlock()
  const pooled = await original.request('eth_sendRawTransaction', [waiting as Hex])
  const [newest] = later.slice(-1) as [Moment]
  after = [...later, { ...newest, txHash: pooled, nonce: toQuantity(Number(newest.nonce) + 1) }]
})

test('no method that is about nothing takes a block, a transaction or a state', () => {
  const isAbout = (schema: unknown) => /Hash"|BlockSelector|BlockNumberOrTag|RpcLogQuery/.test(JSON.stringify(schema))
  const aliases = openRpc.methods.filter(({ name }) => !(name in METHOD_FACTS)).map(({ name }) => name)
  const found = openRpc.methods
    .filter(({ name }) => !aliases.includes(name) && subjectOf(name as MethodName).about === 'nothing')
    .filter(({ params }) => params.some(({ schema }) => isAbout(schema)))
    .map(({ name }) => name)
  // Random values, codes, and blobs, which no chain of this kind has.
  expect(found).toEqual([
    'anvil_getBlobByHash',
    'anvil_getBlobsByTransactionHash',
    'anvil_setNextBlockPrevRandao',
    'debug_codeByHash',
    'hardhat_setPrevRandao',
  ])
})

describe('what was up to the fork is answered as the other chain answers it', () => {
  test.each(NAMES)('%s', async (name) => {
    for (const moment of before) {
      for (const params of callsOf(name, moment)) {
        const there = await answerOf(original, name, params)
        expect(await answerOf(fork.node, name, params), JSON.stringify(params)).toEqual(there)
        // If both refuse, nothing is compared.
        expect(there.error, JSON.stringify(params)).toBeUndefined()
      }
    }
  })

  const standIns = Object.keys(STAND_INS) as readonly (keyof typeof STAND_INS & RoutedMethod)[]
  test.each([...standIns, 'eth_getStorageValues' as const, 'eth_getTransactionBySenderAndNonce' as const])(
    '%s, if the endpoint lacks the method',
    async (name) => {
      const withoutMethod: ChangeAnswer = (method, _params, answer) => {
        if (method !== name) return answer
        const message = `the method ${method} does not exist/is not available`
        throw new ForkError(message, { answered: { code: -32601, message, data: undefined } })
      }
      const { node } = await forkAt3(withoutMethod)
      for (const moment of before) {
        for (const params of callsOf(name, moment)) {
          expect(await answerOf(node, name, params), JSON.stringify(params)).toEqual(
            await answerOf(original, name, params),
          )
        }
      }
    },
  )
})

test('slots with short keys are asked for by their 32 bytes, which every endpoint takes', async () => {
  const isWhole = (key: unknown) => typeof key === 'string' && key.length === 66
  const { node } = await forkAt3((method, [first, second], answer) => {
    const keys =
      method === 'eth_getStorageAt'
        ? [second]
        : method === 'eth_getProof'
          ? (second as readonly unknown[])
          : method === 'eth_getStorageValues'
            ? Object.values(first as Readonly<Record<string, unknown>>).flat()
            : []
    if (keys.every(isWhole)) return answer
    const message = 'odd number of digits'
    throw new ForkError(message, { answered: { code: -32602, message, data: undefined } })
  })
  for (const name of ['eth_getStorageAt', 'eth_getProof', 'eth_getStorageValues'] as const) {
    for (const moment of before) {
      for (const params of callsOf(name, moment)) {
        const there = await answerOf(original, name, params)
        expect(await answerOf(node, name, params), JSON.stringify(params)).toEqual(there)
      }
    }
  }
})

/** The fork of the other chain after its third block, although it has gone on. */
function forkAt3(change: ChangeAnswer) {
  const number = before.at(-1)?.number
  let isOpen = false
  const opening = forkOf(
    original,
    (method, params, answer) => {
      if (isOpen) return change(method, params, answer)
      if (method === 'eth_blockNumber') return number
      return method === 'eth_getProof' && change === WITHOUT_PROOFS ? change(method, params, answer) : answer
    },
    'manual',
    undefined,
    Number(number),
  )
  return opening.then((opened) => {
    isOpen = true
    return opened
  })
}

/** Hashes that only the other chain's later blocks have. */
function laterHashes(): readonly Hash[] {
  return after.flatMap(({ blockHash, txHash }) => [blockHash, txHash])
}

/** A moment that exists nowhere, to compare answers with. */
const nothingOf = (moment: Moment): Moment => ({ ...moment, ...UNKNOWN, number: FAR, nonce: FAR, created: NOWHERE })

/** Calls about the later blocks that are answered otherwise than those about nothing, or with something of them. */
async function told(node: TestNode, name: RoutedMethod): Promise<readonly string[]> {
  const { about } = subjectOf(name)
  const found: string[] = []
  for (const moment of after) {
    const [calls, unknown] = [callsOf(name, moment), callsOf(name, nothingOf(moment))]
    for (const [i, params] of calls.entries()) {
      const answer = await answerOf(node, name, params)
      const text = JSON.stringify(answer.result ?? null)
      const what = `${name} ${JSON.stringify(params)}: ${JSON.stringify(answer)}`
      if (laterHashes().some((hash) => text.includes(hash))) found.push(what)
      const isOfBoth = ['logs', 'fees', 'both'].includes(about) && !/SenderAndNonce|Creator/.test(name)
      // The name of the other chain's block is taken by one of this chain.
      const isByNumber = JSON.stringify(params).includes(`"${moment.number}"`)
      if (isOfBoth || (isByNumber && Number(await node.request('eth_blockNumber')) >= Number(moment.number))) continue
      const same = await answerOf(node, name, unknown[i] ?? [])
      const shown = (each: Answer, of: Moment) =>
        JSON.stringify(each)
          .replaceAll(of.blockHash, 'block')
          .replaceAll(of.txHash, 'transaction')
          .replace(`#${Number(of.number)} `, '')
      if (shown(answer, moment) !== shown(same, nothingOf(moment))) found.push(what)
    }
  }
  return found
}

describe('what the other chain did after the fork does not exist', () => {
  test.each(NAMES)('%s', async (name) => {
    expect(await told(fork.node, name)).toEqual([])
  })

  test('once this chain has blocks of its own, either', async () => {
    const { node } = await forkAt3((_method, _params, answer) => answer)
    await node.request('devnet_seal', [3])
    for (const name of NAMES) expect(await told(node, name)).toEqual([])
  })

  test('if the endpoint is taken at its word, either', async () => {
    const { node } = await forkAt3(WITHOUT_PROOFS)
    // There is nothing to prove with.
    const names = NAMES.filter((name) => name !== 'eth_getProof')
    for (const name of names) expect(await told(node, name)).toEqual([])
  })

  test('a transaction of it is this chain’s own once it is sent here', async () => {
    const { node } = await forkAt3((_method, _params, answer) => answer)
    const [{ txHash }] = after as [Moment]
    const raw = await original.request('eth_getRawTransactionByHash', [txHash])
    expect(await node.request('eth_getTransactionReceipt', [txHash])).toBeNull()
    await node.request('eth_sendRawTransaction', [raw])
    expect(await node.request('eth_getTransactionByHash', [txHash])).toMatchObject({ blockHash: null })
    await node.request('devnet_seal')
    const { hash } = (await node.request('eth_getBlockByNumber', ['latest', false])) ?? {}
    expect(await node.request('eth_getTransactionReceipt', [txHash])).toMatchObject({ blockHash: hash })
  })
})

describe('an endpoint that says what makes no sense is refused, and harms nothing', () => {
  const item = (blockNumber: unknown) => ({ blockNumber, number: blockNumber })
  const wrong: readonly unknown[] = [
    undefined,
    5,
    true,
    '',
    '0x',
    'nonsense',
    [],
    [null],
    [[]],
    {},
    item(null),
    item({}),
    item('zz'),
    item(-1),
    item('0xffffffffffffffffffff'),
    [item('0xffff')],
    { block: item('0xffff') },
    { fullblock: 7, receipts: 7 },
    { txs: [null], receipts: [null] },
    { storageProof: [null, 1, 'x'], hash: 7 },
    { gasUsedRatio: 1e9 },
  ]
  test.each(wrong.map((answer) => [JSON.stringify(answer), answer]))('%s', async (_text, answer) => {
    const { node } = await forkAt3(() => answer)
    for (const name of NAMES) {
      for (const moment of [...before, ...after]) {
        for (const params of callsOf(name, moment)) {
          const { error } = await answerOf(node, name, params)
          expect(error?.code, `${name} ${JSON.stringify(params)}: ${error?.message} ${node.logged.join()}`).not.toBe(
            -32603,
          )
        }
      }
    }
    await node.request('devnet_seal')
    expect(node.logged).toEqual([])
  })

  test('an answer about a later block, for one before the fork', async () => {
    const [later] = after as [Moment]
    const { node } = await forkAt3((_method, _params, answer) => {
      if (Array.isArray(answer)) return [item(later.number)]
      return typeof answer === 'object' && answer !== null ? item(later.number) : answer
    })
    for (const name of NAMES) {
      const { about } = subjectOf(name)
      // Nothing in what these answer is of one block, or says of which.
      if (about === 'state' || about === 'fees' || /^(?:ots_|debug_)/.test(name)) continue
      for (const moment of before) {
        for (const params of callsOf(name, moment)) {
          const { result } = await answerOf(node, name, params)
          expect(JSON.stringify(result ?? null), name).not.toContain(`"${later.number}"`)
        }
      }
    }
  })
})
