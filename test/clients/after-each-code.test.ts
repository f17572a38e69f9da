import {
  call as callWithWagmi,
  connect,
  createConfig,
  estimateGas,
  getTransactionReceipt,
  injected,
  sendTransaction,
} from '@wagmi/core'
import { JsonRpcProvider } from 'ethers'
import { createPublicClient, createWalletClient, type EIP1193Provider, type Hex, http } from 'viem'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Web3 } from 'web3'
import type { JsonRpcErrorObject, JsonRpcRequest } from '#rpc-types/envelope.ts'
import { ERROR_CODES, type ErrorName } from '#rpc-types/error-codes.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { madeSection, markdownTable } from '#testing/primitives/made-section.ts'
import { serveChain } from '#testing/server/served-chain.ts'
import { CHAIN, devAccount } from './support/viem-clients.ts'
import { useWindow } from './support/wagmi-config.ts'

// What each library does next after each code that we send: over HTTP with the library's own settings, with wagmi's sends
// through a wallet. A send may not be made twice, because its first answer may be all that was lost, and the node signs
// anew for its accounts. The dapp has to see the node's reason.

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'
const NO_HASH: Hex = `0x${'00'.repeat(31)}01`
const REASON = 'the first reason'
/** `Error("the first reason")`. */
const REVERT_DATA = `0x08c379a0${'20'.padStart(64, '0')}${'10'.padStart(64, '0')}${Buffer.from(REASON).toString('hex').padEnd(64, '0')}`

const READS = ['eth_call', 'eth_estimateGas', 'eth_getTransactionReceipt'] as const
const METHODS = ['eth_sendRawTransaction', 'eth_sendTransaction', ...READS] as const
type Method = (typeof METHODS)[number]

/** How a library makes the call of each method; a method that it has no function for is missing. */
type Operations = { readonly [M in Method]?: () => Promise<unknown> }

const NAMES = Object.keys(ERROR_CODES) as readonly ErrorName[]
const transfer = { to: SOMEBODY, gas: 21_000n } as const
const account = devAccount(0)

/** What the node in front of the chain is told to refuse, and what it was asked. */
let refusing: { readonly method: Method; readonly error: JsonRpcErrorObject }
let asked: string[] = []
let url: string
let raw: Hex

beforeAll(async () => {
  const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1n }
  raw = await account.signTransaction({ ...transfer, ...fees, chainId: CHAIN.id, nonce: 0 })
  const node = await createTestNode({ mode: 'manual' })
  const served = await serveChain({
    raw(body) {
      const { id, method } = JSON.parse(body) as JsonRpcRequest
      asked.push(method)
      if (method !== refusing.method) return node.raw(body)
      return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, error: refusing.error }))
    },
  })
  url = served.url
  return () => served.close()
})

function errorOf(name: ErrorName): JsonRpcErrorObject {
  const code = ERROR_CODES[name]
  return code === ERROR_CODES.reverted
    ? { code, message: `execution reverted: ${REASON}`, data: REVERT_DATA }
    : { code, message: REASON }
}

const LIBRARIES = {
  viem() {
    // As many attempts as viem makes, without the pauses between them.
    const settings = { chain: CHAIN, transport: http(url, { retryDelay: 1 }) }
    const client = createPublicClient(settings)
    const wallet = createWalletClient({ ...settings, account: account.address })
    return {
      eth_sendRawTransaction: () => client.sendRawTransaction({ serializedTransaction: raw }),
      eth_sendTransaction: () => wallet.sendTransaction(transfer),
      eth_call: () => client.call({ to: SOMEBODY }),
      eth_estimateGas: () => client.estimateGas({ to: SOMEBODY }),
      eth_getTransactionReceipt: () => client.getTransactionReceipt({ hash: NO_HASH }),
    }
  },
  ethers() {
    const provider = new JsonRpcProvider(url, CHAIN.id, { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1 })
    onTestFinished(() => provider.destroy())
    return {
      eth_sendRawTransaction: () => provider.broadcastTransaction(raw),
      eth_sendTransaction: async () =>
        (await provider.getSigner(0)).sendTransaction({ to: SOMEBODY, gasLimit: 21_000 }),
      eth_call: () => provider.call({ to: SOMEBODY }),
      eth_estimateGas: () => provider.estimateGas({ to: SOMEBODY }),
      eth_getTransactionReceipt: () => provider.getTransactionReceipt(NO_HASH),
    }
  },
  'web3.js'() {
    const { eth } = new Web3(url)
    return {
      eth_sendRawTransaction: async () => eth.sendSignedTransaction(raw),
      eth_sendTransaction: async () => eth.sendTransaction({ ...transfer, from: account.address }),
      eth_call: () => eth.call({ to: SOMEBODY }),
      eth_estimateGas: () => eth.estimateGas({ to: SOMEBODY }),
      eth_getTransactionReceipt: () => eth.getTransactionReceipt(NO_HASH),
    }
  },
  wagmi() {
    const direct = createPublicClient({ chain: CHAIN, transport: http(url, { retryCount: 0 }) })
    const provider = { request: direct.request, on: () => provider, removeListener: () => provider }
    const config = createConfig({
      chains: [CHAIN],
      connectors: [
        injected({ target: { id: 'node', name: 'node', provider: provider as unknown as EIP1193Provider } }),
      ],
      storage: null,
      multiInjectedProviderDiscovery: false,
      transports: { [CHAIN.id]: http(url, { retryDelay: 1 }) },
    })
    const [connector] = config.connectors
    if (!connector) throw new TypeError('wagmi made no connector')
    return {
      async eth_sendTransaction() {
        await connect(config, { connector })
        return sendTransaction(config, transfer)
      },
      eth_call: () => callWithWagmi(config, { to: SOMEBODY }),
      eth_estimateGas: () => estimateGas(config, { to: SOMEBODY, account: account.address }),
      eth_getTransactionReceipt: () => getTransactionReceipt(config, { hash: NO_HASH }),
    }
  },
} as const satisfies Readonly<Record<string, () => Operations>>

type Library = keyof typeof LIBRARIES
const NAMES_OF_LIBRARIES = Object.keys(LIBRARIES) as readonly Library[]

/** All that an error says: in its causes, and where ethers puts the node's answer. */
function saidBy(error: unknown): string {
  const said: string[] = []
  for (let each = error; each !== undefined && each !== null && said.length < 30; ) {
    const { message, details, cause, info } = each as { [name in 'message' | 'details' | 'cause' | 'info']?: unknown }
    said.push(String(message), String(details), JSON.stringify(info) ?? '')
    each = cause
  }
  return said.join('\n')
}

/** What a dapp branches on: viem's outermost class with a code, the code of ethers, the class of web3.js. */
function kindOf(library: Library, error: unknown): string {
  if (!(error instanceof Error)) throw new TypeError(`${library} threw no error, but ${String(error)}`)
  if (library === 'ethers') return String((error as { readonly code?: unknown }).code)
  if (library === 'web3.js') return error.constructor.name
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'number') return each.name
  }
  throw new TypeError(`no error of ${library} has a code: ${error.message}`)
}

interface Seen {
  readonly library: Library
  readonly method: Method
  /** What the library asked after its call was refused. */
  readonly next: readonly string[]
  readonly kind: string
  readonly said: string
}

async function see(library: Library, method: Method, name: ErrorName): Promise<Seen | undefined> {
  refusing = { method, error: errorOf(name) }
  const operation = (LIBRARIES[library]() as Operations)[method]
  if (!operation) return undefined
  asked = []
  const error: unknown = await operation().then(
    (answer) => expect.fail(`${library} answers ${String(answer)}`),
    (thrown: unknown) => thrown,
  )
  const first = asked.indexOf(method)
  expect(first, `${library} asks ${method}`).toBeGreaterThanOrEqual(0)
  return { library, method, next: asked.slice(first + 1), kind: kindOf(library, error), said: saidBy(error) }
}

const seen = new Map<ErrorName, readonly Seen[]>()

/** What all libraries do after one code: one call after the other, as the node refuses one method at a time. */
async function seeAll(name: ErrorName): Promise<readonly Seen[]> {
  const known = seen.get(name)
  if (known) return known
  const all: Seen[] = []
  for (const library of NAMES_OF_LIBRARIES) {
    for (const method of METHODS) {
      const one = await see(library, method, name)
      if (one) all.push(one)
    }
  }
  seen.set(name, all)
  return all
}

const isRead = (method: Method) => READS.some((read) => read === method)

/** What was seen of some libraries and methods, each thing once. */
function told(
  all: readonly Seen[],
  libraries: readonly Library[],
  methods: readonly Method[],
  tell: (one: Seen) => string,
) {
  const chosen = all.filter(({ library, method }) => libraries.includes(library) && methods.includes(method))
  return [...new Set(chosen.map(tell))].join(', ')
}

const VIEM: readonly Library[] = ['viem', 'wagmi']
const inCode = ({ kind }: Seen) => `\`${kind}\``

describe('what libraries do next', () => {
  useWindow()

  test.each(NAMES)('after the code of %s no library sends twice, and the dapp sees the reason', async (name) => {
    const all = await seeAll(name)
    expect(all).toHaveLength(19)
    for (const { library, method, next, said } of all) {
      const which = `${library}, ${method}`
      expect(said, which).toContain(REASON)
      // The node has no `wallet_sendTransaction`: nothing comes of it.
      if (!isRead(method)) expect(['', 'wallet_sendTransaction'], which).toContain(next.join())
      // A read may be tried again, and leads to nothing else.
      else expect(new Set([method, ...next]), which).toEqual(new Set([method]))
    }
  })

  test('docs/json-rpc.md has what was seen', async () => {
    const rows = new Map<string, string[]>()
    for (const name of NAMES) {
      const all = await seeAll(name)
      const afterSend = told(all, VIEM, ['eth_sendTransaction'], ({ next }) =>
        next.length > 0 ? `tries \`${next.join()}\`` : 'tells',
      )
      const afterRead = told(all, VIEM, READS, ({ next }) =>
        next.length > 0 ? `asks ${next.length} more times` : 'tells',
      )
      const cells = [
        told(all, VIEM, METHODS, inCode),
        afterSend,
        afterRead,
        told(all, ['ethers'], ['eth_call', 'eth_estimateGas'], inCode),
        told(all, ['ethers'], ['eth_sendRawTransaction', 'eth_sendTransaction', 'eth_getTransactionReceipt'], inCode),
        told(all, ['web3.js'], METHODS, inCode),
      ]
      const key = JSON.stringify(cells)
      rows.set(key, [...(rows.get(key) ?? []), String(ERROR_CODES[name]).replace('-', '−')])
    }
    const head = [
      'codes',
      'viem, wagmi',
      '`eth_sendTransaction`',
      'a read',
      'ethers: a call, an estimate',
      'ethers: others',
      'web3.js',
    ]
    const made = markdownTable(
      head,
      [...rows].map(([cells, codes]) => [codes.join(', '), ...(JSON.parse(cells) as string[])]),
    )
    expect(madeSection('docs/json-rpc.md', 'after-each-code', made)).toBe(made)
  })
})
