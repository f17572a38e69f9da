import type { Hex, TransactionSerializable } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWith } from './support/describe-with.ts'
import { type StartedNode, startAnvil, startBlinknet } from './support/running-node.ts'
import { devAccount } from './support/viem-clients.ts'

// What suites count on that were written for anvil. The same calls go to anvil and to a chain with `as: 'anvil'`; each answer
// and each refusal is equal, but for what a chain cannot share with another (hashes, times, signatures).

const [first, second] = [devAccount(0), devAccount(1)]
const SOMEBODY = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const POOR = '0x00000000000000000000000000000000000c0ffe'
const from = first.address.toLowerCase()

const word = (value: number) => value.toString(16).padStart(64, '0')
const address = (value: number): Hex => `0x${value.toString(16).padStart(40, '0')}`
/** Reverts with its call data. */
const REVERTS = address(0xbad)
const CODES: Readonly<Record<Hex, Hex>> = {
  [REVERTS]: '0x366000600037366000fd',
  [address(0xfe)]: '0xfe',
  [address(0x100)]: '0x5b600056',
  [address(0x101)]: '0x00',
  [address(0x102)]: '0x01',
  [address(0x103)]: '0x600456',
  [address(0x104)]: '0x0c',
  // Writes a slot.
  [address(0x105)]: '0x6001600055',
}
const text = (words: string) => Buffer.from(words).toString('hex')
const string = (words: string) => `${word(32)}${word(words.length)}${text(words).padEnd(64, '0')}`
const UNKNOWN = `0x${'77'.repeat(32)}`

const signed = (request: Partial<TransactionSerializable>, by = second): Promise<Hex> =>
  by.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    to: SOMEBODY,
    gas: 21_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...request,
  } as TransactionSerializable)

type Params = readonly unknown[]
type Call = readonly [method: string, ...params: Params]

const calls = (...fields: readonly object[]): readonly Call[] =>
  fields.flatMap((field): Call[] => [
    ['eth_call', { from, ...field }, 'latest'],
    ['eth_estimateGas', { from, ...field }],
  ])
const sends = (...fields: readonly object[]): readonly Call[] => fields.map((field) => ['eth_sendTransaction', field])

/** Which answers are compared, by what they are about. `RECEIPT` and `TRANSACTION` are of the newest transaction sent. */
const RECEIPT: Call = ['eth_getTransactionReceipt']
const TRANSACTION: Call = ['eth_getTransactionByHash']

const REVERT_DATA = [
  '',
  `08c379a0${string('no way')}`,
  `08c379a0${string('')}`,
  '08c379a0ffff',
  ...[0, 1, 0x11, 0x12, 0x21, 0x22, 0x31, 0x32, 0x41, 0x51].map((code) => `4e487b71${word(code)}`),
  'deadbeef',
  `deadbeef${word(7)}`,
  `f9006398${string('bugger')}`,
  `db731cf4${word(0x80)}`,
  text('hello world'),
  string('hello'),
  '010203',
]

const SUBJECTS: Readonly<Record<string, readonly Call[]>> = {
  'its name and its prices': [
    ['web3_clientVersion'],
    ['eth_accounts'],
    ['eth_gasPrice'],
    ['eth_maxPriorityFeePerGas'],
    ['eth_coinbase'],
    ['eth_getBlockByNumber', '0x0', false],
    ['eth_getBlockByNumber', 'pending', false],
  ],
  'what the node fills in': [
    ['eth_fillTransaction', { to: SOMEBODY, value: '0x1' }],
    ['eth_fillTransaction', { from, to: SOMEBODY, maxFeePerGas: '0x77359400' }],
    ['eth_fillTransaction', { from, to: SOMEBODY, maxPriorityFeePerGas: '0x5' }],
    ['eth_fillTransaction', { from, to: SOMEBODY, maxFeePerGas: '0x1' }],
    ['eth_fillTransaction', { from, to: SOMEBODY, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }],
    ['eth_fillTransaction', { from, to: SOMEBODY, type: '0x0' }],
    ['eth_fillTransaction', { from: POOR, to: SOMEBODY, value: '0x1' }],
    ['eth_signTransaction', { from, to: SOMEBODY, gas: '0x5208', nonce: '0x5' }],
    ['eth_signTransaction', { from, type: '0x2', chainId: '0x7a69', gas: '0x5208', nonce: '0x5' }],
    ['eth_signTransaction', { from: POOR, to: SOMEBODY }],
  ],
  'a send, its transaction and its receipt': [
    ...sends({ to: SOMEBODY, value: '0x1' }),
    TRANSACTION,
    RECEIPT,
    ['eth_getBlockByNumber', 'latest', true],
    ...sends({ from, to: SOMEBODY, gasPrice: '0x3b9aca00' }),
    TRANSACTION,
    RECEIPT,
    ...sends({ from, to: REVERTS, data: `0x08c379a0${string('no way')}`, gas: '0x186a0' }),
    RECEIPT,
    ...sends({ from, to: address(0xfe), gas: '0x186a0' }),
    RECEIPT,
    ...sends({ from, to: SOMEBODY, gas: '0x1312d00' }, { from, to: address(0xfe) }),
    TRANSACTION,
    RECEIPT,
    ['eth_getBlockReceipts', 'latest'],
  ],
  'sends that are refused': [
    ...sends(
      { from, to: SOMEBODY, gasPrice: '0x1' },
      { from, to: SOMEBODY, maxFeePerGas: '0x1' },
      { from, to: SOMEBODY, maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x2540be401' },
      { from, to: SOMEBODY, value: '0xffffffffffffffffffffffff' },
      { from, to: SOMEBODY, gasPrice: '0x8ac7230489e80000' },
      { from: POOR, to: SOMEBODY, value: '0x1' },
      { from, to: SOMEBODY, gas: '0x64' },
      { from, to: SOMEBODY, gas: '0x17d78401' },
      { from, to: SOMEBODY, nonce: '0x0' },
      { from, to: SOMEBODY, chainId: '0x5' },
    ),
  ],
  'reverts in calls and estimates': REVERT_DATA.flatMap((data) => calls({ to: REVERTS, data: `0x${data}` })),
  'exceptions in calls and estimates': [0xfe, 0x102, 0x103, 0x104].flatMap((code) => calls({ to: address(code) })),
  'calls that could be no transaction': [
    ['eth_call', { from, to: SOMEBODY, value: '0xffffffffffffffffffffffff' }, 'latest'],
    ['eth_call', { from, to: SOMEBODY, gas: '0x64' }, 'latest'],
    ['eth_call', { from, to: SOMEBODY, maxFeePerGas: '0x1' }, 'latest'],
    ['eth_call', { from, to: SOMEBODY, gasPrice: '0x1' }, 'latest'],
    ['eth_call', { from, to: SOMEBODY, data: '0x01', input: '0x02' }, 'latest'],
  ],
  'exact estimates': [
    ['eth_estimateGas', { from, to: SOMEBODY, value: '0xffffffffffffffffffffffff' }],
    ['eth_estimateGas', { from: POOR, to: SOMEBODY, value: '0x1' }],
    ['eth_estimateGas', { from, to: SOMEBODY, maxPriorityFeePerGas: '0x1' }],
    ['eth_estimateGas', { from, to: SOMEBODY, maxFeePerGas: '0x1' }],
    ['eth_estimateGas', { from, to: SOMEBODY, data: `0x${word(1)}` }],
    ['eth_estimateGas', { from, to: address(0x101), data: '0x01' }],
    ['eth_estimateGas', { from, to: address(0x105) }],
    ['eth_estimateGas', { from, data: '0x600a600c600039600a6000f3602a60005260206000f3' }],
  ],
  'raw transactions that are refused': [],
  'ranges of logs': [
    ['eth_getLogs', { fromBlock: '0x0', toBlock: '0x9999' }],
    ['eth_getLogs', { toBlock: '0x1' }],
    ['eth_getLogs', { fromBlock: '0x2', toBlock: '0x1' }],
    ['eth_getLogs', { blockHash: UNKNOWN }],
    ['eth_getFilterChanges', '0x99'],
  ],
  'what is not there': [
    ['eth_getTransactionByHash', UNKNOWN],
    ['eth_getTransactionReceipt', UNKNOWN],
    ['eth_getRawTransactionByHash', UNKNOWN],
    ['eth_getBlockByNumber', '0x99999', false],
    ['eth_getBlockByHash', '0x0', false],
    ['eth_getBlockByHash', '0x12', false],
    ['eth_getTransactionByHash', `${UNKNOWN}00`],
    ['eth_getBalance', '0x123', 'latest'],
    ['eth_call', { to: '0x1234' }, 'latest'],
    ['eth_getBalance', from, { blockHash: UNKNOWN }],
    ['nothing_here'],
    [''],
    ['eth_sign', POOR, '0x00'],
    ['wallet_sendCalls', [{}]],
    ['wallet_getCapabilities'],
    ['wallet_switchEthereumChain', { chainId: '0x1' }],
  ],
}

/** Differs from chain to chain; compared by its type. */
const OWN = new Set(
  (
    'hash parentHash mixHash timestamp stateRoot size blockHash transactionsRoot receiptsRoot r s v yParity raw ' +
    'transactionHash blockTimestamp extraData parentBeaconBlockRoot'
  ).split(' '),
)

/** An answer with the type of what is a chain's own in its place. A hash that is all of it is one as well. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return /^0x([0-9a-f]{64}|02[0-9a-f]{150,})$/.test(value) ? 'own' : value
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, OWN.has(name) ? typeof each : comparable(each)]),
  )
}

describeWith('anvil', 'a chain as anvil answers as anvil', (binary) => {
  let nodes: readonly StartedNode[] = []
  /** The hash of the newest transaction sent on each. */
  const sent = new Map<StartedNode, unknown>()

  beforeAll(async () => {
    nodes = [
      await startAnvil(binary, ['--code-size-limit', '24576']),
      await startBlinknet({ as: 'anvil', gasLimit: 400_000_000 }),
    ]
    await nodes[1]?.rpc('evm_setAutomine', true)
    for (const node of nodes) for (const [at, code] of Object.entries(CODES)) await node.rpc('anvil_setCode', at, code)
    // Here each edit seals a block.
    await nodes[0]?.rpc('anvil_mine', Object.keys(CODES).length)
  })
  afterAll(async () => {
    for (const node of nodes) await node.close()
  })

  async function answerOf(node: StartedNode, [method, ...params]: Call): Promise<unknown> {
    const ofNewest = params.length === 0 && (method === RECEIPT[0] || method === TRANSACTION[0])
    try {
      const result = await node.rpc(method, ...(ofNewest ? [sent.get(node)] : params))
      if (method === 'eth_sendTransaction') {
        sent.set(node, result)
        // anvil answers before its block is there.
        for (let i = 0; i < 100 && !(await node.rpc('eth_getTransactionReceipt', result)); i++);
      }
      return { result: comparable(result) }
    } catch (error) {
      const { code, message, data } = error as { code?: number; message: string; data?: unknown }
      return { code, message, ...(typeof data === 'string' && { data }) }
    }
  }

  /** The answers of both, with the call that they are to. */
  async function answersTo(call: Call) {
    const answers: object[] = []
    for (const node of nodes) answers.push({ call, ...((await answerOf(node, call)) as object) })
    const [anvil, blinknet] = answers
    return { anvil, blinknet }
  }

  describe.each(Object.entries(SUBJECTS).filter(([, list]) => list.length > 0))('%s', (_, list) => {
    test('are equal', async () => {
      for (const call of list) {
        const { anvil, blinknet } = await answersTo(call)
        expect(blinknet).toEqual(anvil)
      }
    })
  })

  test('raw transactions that are refused are so in the same words', async () => {
    const check = async (raw: Hex) => {
      const { anvil, blinknet } = await answersTo(['eth_sendRawTransaction', raw])
      expect(blinknet).toEqual(anvil)
    }
    for (const raw of ['0x', '0x02c0', '0x7ec0', await signed({ nonce: 0 })] as const) await check(raw)
    await nodes[0]?.rpc('evm_mine')
    for (const request of [
      { nonce: 0 },
      { chainId: 1 },
      { value: 10n ** 30n },
      { gas: 20_000n },
      { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
      { to: null, gas: 10_000_000n, data: `0x${'00'.repeat(49_153)}` },
    ] as const) {
      await check(await signed({ nonce: 1, ...request }))
    }
  })

  test('while automine is off, any higher price replaces what waits, under the address in lower case', async () => {
    const third = devAccount(2)
    for (const call of [
      ['evm_setAutomine', false],
      ['eth_sendRawTransaction', await signed({ nonce: 0 }, third)],
      ['eth_sendRawTransaction', await signed({ nonce: 0 }, third)],
      ['eth_sendRawTransaction', await signed({ nonce: 0, value: 1n }, third)],
      ['eth_sendRawTransaction', await signed({ nonce: 0, value: 1n, maxFeePerGas: 10_000_000_001n }, third)],
      ['txpool_status'],
    ] as readonly Call[]) {
      const { anvil, blinknet } = await answersTo(call)
      expect(blinknet).toEqual(anvil)
    }
    for (const node of nodes) {
      const { pending } = (await node.rpc('txpool_content')) as { readonly pending: object }
      expect(Object.keys(pending), node.name).toEqual([third.address.toLowerCase()])
    }
    for (const node of nodes) await node.rpc('evm_setAutomine', true)
  })

  test('a block drops what waits below its base fee, with its sender’s later transactions', async () => {
    const [fifth, sixth] = [devAccount(4), devAccount(5)]
    const price = (gwei: bigint) => ({ maxFeePerGas: gwei * 1_000_000_000n })
    const cheap = await signed({ nonce: 0, ...price(3n) }, fifth)
    for (const call of [
      ['evm_setAutomine', false],
      ['anvil_setNextBlockBaseFeePerGas', '0x3b9aca00'],
      ['evm_mine'],
      ['eth_sendRawTransaction', cheap],
      ['eth_sendRawTransaction', await signed({ nonce: 1, ...price(50n) }, fifth)],
      ['eth_sendRawTransaction', await signed({ nonce: 0, ...price(50n) }, sixth)],
      ['eth_sendRawTransaction', await signed({ nonce: 2, ...price(3n) }, sixth)],
      ['anvil_setNextBlockBaseFeePerGas', '0x2540be400'],
      ['txpool_status'],
      ['evm_mine'],
      ['txpool_status'],
      ['eth_getBlockTransactionCountByNumber', 'latest'],
      ['eth_getTransactionCount', fifth.address, 'pending'],
      ['anvil_setNextBlockBaseFeePerGas', '0x3b9aca00'],
      ['eth_sendRawTransaction', cheap],
      ['evm_mine'],
      ['eth_getBlockTransactionCountByNumber', 'latest'],
      ['txpool_status'],
      ['evm_setAutomine', true],
    ] as readonly Call[]) {
      const { anvil, blinknet } = await answersTo(call)
      expect(blinknet).toEqual(anvil)
    }
  })

  test('the first poll of a filter from a block of the past has the logs since then, and the next poll none', async () => {
    // LOG0 of nothing.
    const code = '0x60006000a0'
    for (const node of nodes) {
      await node.rpc('anvil_setCode', address(0x200), code)
      const hash = await node.rpc('eth_sendTransaction', { from, to: address(0x200) })
      while (!(await node.rpc('eth_getTransactionReceipt', hash)));
      const filter = await node.rpc('eth_newFilter', { fromBlock: '0x0', address: address(0x200) })
      expect(await node.rpc('eth_getFilterChanges', filter), node.name).toHaveLength(1)
      expect(await node.rpc('eth_getFilterChanges', filter), node.name).toEqual([])
      const past = await node.rpc('eth_newFilter', { toBlock: '0x1' })
      expect(await node.rpc('eth_getFilterChanges', past), node.name).toEqual([])
    }
  })

  test('the first block by the clock after a send has it', async () => {
    for (const node of nodes) {
      await node.rpc('evm_setIntervalMining', 1)
      const hash = await node.rpc('eth_sendTransaction', { from, to: SOMEBODY, value: '0x1' })
      const next = Number(await node.rpc('eth_blockNumber')) + 1
      let receipt: unknown = null
      while (!receipt) receipt = await node.rpc('eth_getTransactionReceipt', hash)
      const { blockNumber, blockHash } = receipt as { readonly blockNumber: Hex; readonly blockHash: Hex }
      expect(Number(blockNumber), node.name).toBe(next)
      const block = await node.rpc('eth_getBlockByHash', blockHash, false)
      expect(block, node.name).toMatchObject({ transactions: [hash] })
      await node.rpc('evm_setIntervalMining', 0)
    }
  })

  test('a block by the clock has no partial blocks: what is sent has no receipt until then, and can be replaced', async () => {
    const fourth = devAccount(3)
    for (const node of nodes) {
      await node.rpc('evm_setAutomine', false)
      await node.rpc('evm_setIntervalMining', 600)
      const hash = await node.rpc('eth_sendRawTransaction', await signed({ nonce: 0 }, fourth))
      expect(await node.rpc('eth_getTransactionReceipt', hash), node.name).toBeNull()
      const dearer = await signed({ nonce: 0, maxFeePerGas: 10_000_000_001n }, fourth)
      expect(await node.rpc('eth_sendRawTransaction', dearer), node.name).toMatch(/^0x/)
    }
  })
})
