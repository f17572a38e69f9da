import { type Hex, keccak256, parseEther, type TransactionSerializable } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { describeWith } from './support/describe-with.ts'
import { useNodePair } from './support/node-pair.ts'
import { devAccount } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'

const account = devAccount(0)
const poor = privateKeyToAccount(generatePrivateKey())
const transfer = {
  type: 'eip1559',
  chainId: 31337,
  nonce: 0,
  to: SOMEBODY,
  gas: 21_000n,
  maxFeePerGas: 10_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
} as const
const signed = (request: Partial<TransactionSerializable>, by = account): Promise<Hex> =>
  by.signTransaction({ ...transfer, ...request } as TransactionSerializable)

interface Refusal {
  readonly of: string
  readonly raw: () => Promise<Hex>
  /** Blinknet's words, which are geth's. */
  readonly words: string
  /** What anvil says in its own words, or does. */
  readonly anvil: { readonly code: number; readonly message: string } | 'accepts it'
}

const REJECTED = -32003
const BAD_PARAMS = -32602

const REFUSALS: readonly Refusal[] = [
  {
    of: 'a spent nonce',
    raw: () => signed({ nonce: 0, value: 2n }),
    words: 'nonce too low',
    anvil: { code: REJECTED, message: 'nonce too low' },
  },
  {
    of: 'more than the balance',
    raw: () => signed({ nonce: 1, value: parseEther('20000') }),
    words: 'insufficient funds for gas * price + value',
    anvil: { code: REJECTED, message: 'Insufficient funds for gas * price + value' },
  },
  {
    of: 'an account without any',
    raw: () => signed({}, poor),
    words: 'insufficient funds for gas * price + value',
    anvil: { code: REJECTED, message: 'Insufficient funds for gas * price + value' },
  },
  {
    of: 'too little gas',
    raw: () => signed({ nonce: 1, gas: 20_999n }),
    words: 'intrinsic gas too low: gas 20999, minimum needed 21000',
    anvil: { code: -32000, message: 'intrinsic gas too low' },
  },
  {
    of: 'another chain',
    raw: () => signed({ nonce: 1, chainId: 1 }),
    words: 'invalid sender: invalid chain id for signer: have 1 want 31337',
    anvil: { code: REJECTED, message: 'invalid chain id for signer' },
  },
  {
    of: 'gas above the cap of EIP-7825',
    raw: () => signed({ nonce: 1, gas: 16_777_217n }),
    words: 'transaction gas limit too high (cap: 16777216, tx: 16777217)',
    anvil: 'accepts it',
  },
  {
    of: 'long init code',
    raw: () => signed({ nonce: 2, to: null, gas: 10_000_000n, data: `0x${'00'.repeat(49_153)}` }),
    words: 'max initcode size exceeded: code size 49153 limit 49152',
    anvil: { code: REJECTED, message: 'max initcode size exceeded' },
  },
  {
    of: 'bad RLP',
    raw: async () => '0x02c0',
    words: 'rlp: too few elements for types.DynamicFeeTx',
    anvil: { code: BAD_PARAMS, message: 'Failed to decode transaction' },
  },
  {
    of: 'nothing',
    raw: async () => '0x',
    words: 'typed transaction too short',
    anvil: { code: BAD_PARAMS, message: 'Empty transaction data' },
  },
  {
    of: 'an unknown type',
    raw: async () => '0x7ec0',
    words: 'transaction type not supported',
    anvil: { code: BAD_PARAMS, message: 'Failed to decode transaction' },
  },
]

describeWith('anvil', 'what Blinknet and anvil refuse', (binary) => {
  const pair = useNodePair(binary)
  beforeAll(async () => {
    await pair().mine([await signed({ nonce: 0, value: 1n })])
  })

  test.each(REFUSALS)('$of', async ({ raw, words, anvil }) => {
    const [mine, theirs] = await pair().outcomes('eth_sendRawTransaction', await raw())
    expect(mine).toMatchObject({ code: -32000, message: words })
    expect(theirs).toMatchObject(anvil === 'accepts it' ? { result: expect.any(String) as unknown } : anvil)
  })

  test('a fee below the base fee is no error here: the transaction waits', async () => {
    const raw = await signed({ nonce: 1, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })
    const [mine, theirs] = await pair().outcomes('eth_sendRawTransaction', raw)
    expect(mine).toMatchObject({ result: keccak256(raw) })
    expect(theirs).toMatchObject({ code: REJECTED, message: 'max fee per gas less than block base fee' })
  })

  test('a replacement with a fee that is one percent higher is too cheap here', async () => {
    const other = devAccount(1)
    await pair().both('eth_sendRawTransaction', await signed({ maxFeePerGas: 10_000_000_000n }, other))
    const raw = await signed({ maxFeePerGas: 10_100_000_000n, maxPriorityFeePerGas: 1_010_000_000n }, other)
    const [mine, theirs] = await pair().outcomes('eth_sendRawTransaction', raw)
    expect(mine).toMatchObject({ code: -32000, message: 'replacement transaction underpriced' })
    expect(theirs).toMatchObject({ result: keccak256(raw) })
  })

  test('a call with less than the intrinsic gas has too little here, and too much there', async () => {
    const call = { from: account.address, to: SOMEBODY, gas: '0x64' }
    const [mine, theirs] = await pair().outcomes('eth_call', call, 'latest')
    expect(mine).toMatchObject({ message: expect.stringContaining('intrinsic gas too low') as unknown })
    expect(theirs).toMatchObject({ message: expect.stringContaining('intrinsic gas too high') as unknown })
  })

  test('an empty method name is an invalid request here', async () => {
    const [mine, theirs] = await pair().outcomes('')
    expect(mine).toMatchObject({ code: -32600 })
    expect(theirs).toMatchObject({ code: -32601 })
  })

  test('the bytes of an unknown transaction are empty here, and null there', async () => {
    const raws = await pair().both('eth_getRawTransactionByHash', `0x${'77'.repeat(32)}`)
    expect(raws).toEqual(['0x', null])
  })
})
