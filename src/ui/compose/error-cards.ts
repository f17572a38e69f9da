// Longer than most files: the table of section 4 of the protocol, row by row, in order.
import type { Hex } from '#primitives/hex.ts'
import { dynamicFeeFields, GWEI, type Offence, type OffenceContext, signDynamicFee, submitWaiting } from './offence.ts'
import { fillMempool, spendNonce } from './offence-preparations.ts'
import { envelope, integer, signEnvelope } from './sign-envelope.ts'

/** One error message of `eth_sendRawTransaction`, with a way to trigger it. */
export interface ErrorCard {
  /** Row of the table: the order in which the node checks. */
  readonly check: number
  readonly title: string
  /** One sentence. */
  readonly cause: string
  /** The node's message; N, X and so on stand for numbers. */
  readonly message: string
  /** What the card prepares first, if anything. */
  readonly preparation?: string
  /** Why it cannot happen on a chain with that block gas limit; `undefined` if it can. */
  readonly impossible?: (blockGasLimit: bigint) => string | undefined
  readonly build: (context: OffenceContext) => Promise<Offence>
}

const zeros = (count: number): Hex => `0x${'00'.repeat(count)}`
const sizeOf = (raw: Hex) => raw.length / 2 - 1
const MAX_NONCE = 2n ** 64n - 1n
/** EIP-7825. */
const MAX_GAS = 2n ** 24n

export const ERROR_CARDS: readonly ErrorCard[] = [
  {
    check: 1,
    title: 'Too short',
    cause: 'A transaction needs more than one byte.',
    message: 'typed transaction too short',
    build: async () => ({ raw: '0x02' }),
  },
  {
    check: 2,
    title: 'Unknown type',
    cause: 'Type 3 is for blobs, which this chain does not have. The node rejects undefined types, too.',
    message: 'transaction type not supported',
    build: async () => ({ raw: '0x03c0' }),
  },
  {
    check: 3,
    title: 'Bad RLP',
    cause: 'The bytes after the type must be an RLP list with all the fields of that type.',
    message: 'rlp: …',
    build: async () => ({ raw: '0x02c0', message: 'rlp: too few elements for types.DynamicFeeTx' }),
  },
  {
    check: 3,
    title: 'Bad signature',
    cause: 'No key can produce a signature whose r is 0.',
    message: 'invalid transaction v, r, s values',
    build: async (context) => ({
      raw: envelope(2, [...dynamicFeeFields(context), '0x', '0x', integer(1)]),
    }),
  },
  {
    check: 4,
    title: 'No replay protection',
    cause: 'A legacy transaction without a chain id could be replayed on any other chain.',
    message: 'only replay-protected (EIP-155) transactions allowed over RPC',
    build: async ({ signer, address }) => ({
      raw: await signer.signTransaction({ type: 'legacy', nonce: 0, to: address, gas: 21_000n, gasPrice: GWEI }),
    }),
  },
  {
    check: 5,
    title: 'Already known',
    cause: 'Exactly this transaction is already in the mempool or in the pending block.',
    message: 'already known',
    preparation: 'First sends it once with a nonce far ahead, so that it stays in the mempool.',
    async build(context) {
      const raw = await signDynamicFee(context)
      await submitWaiting(context, raw)
      return { raw }
    },
  },
  {
    check: 6,
    title: 'Too large',
    cause: 'A transaction can have at most 131,072 bytes in total.',
    message: 'oversized data: transaction size N, limit 131072',
    async build(context) {
      const raw = await signDynamicFee(context, { data: zeros(131_072), gas: MAX_GAS })
      return { raw, message: `oversized data: transaction size ${sizeOf(raw)}, limit 131072` }
    },
  },
  {
    check: 7,
    title: 'Too much initcode',
    cause: 'The initcode that deploys a contract can have at most 49,152 bytes (EIP-3860).',
    message: 'max initcode size exceeded: code size N limit 49152',
    build: async (context) => ({
      raw: await signDynamicFee(context, { to: '0x', data: zeros(49_153), gas: MAX_GAS }),
      message: 'max initcode size exceeded: code size 49153 limit 49152',
    }),
  },
  {
    check: 8,
    title: 'Gas over the cap',
    cause: 'The gas limit of a transaction can be at most 2^24 (EIP-7825).',
    message: 'transaction gas limit too high (cap: 16777216, tx: N)',
    build: async (context) => ({
      raw: await signDynamicFee(context, { gas: MAX_GAS + 1n }),
      message: 'transaction gas limit too high (cap: 16777216, tx: 16777217)',
    }),
  },
  {
    check: 9,
    title: 'Gas over the block limit',
    cause: 'The gas limit of a transaction cannot exceed that of the block.',
    message: 'exceeds block gas limit',
    impossible: (blockGasLimit) =>
      blockGasLimit < MAX_GAS
        ? undefined
        : 'On this chain, the block gas limit is higher than the cap for a transaction, so check 8 comes first. To see this error, open a chain with ?gasLimit=15000000 in the address.',
    build: async (context) => ({
      raw: await signDynamicFee(context, { gas: MAX_GAS }),
    }),
  },
  {
    check: 10,
    title: 'Tip over the fee cap',
    cause: 'The fee cap includes the tip, so the tip cannot be higher.',
    message: 'max priority fee per gas higher than max fee per gas',
    build: async (context) => ({
      raw: await signDynamicFee(context, { tip: 11n * GWEI }),
    }),
  },
  {
    check: 11,
    title: 'Wrong chain',
    cause: 'The transaction was signed for a different chain.',
    message: 'invalid sender: invalid chain id for signer: have X want Y',
    async build(context) {
      const have = context.chainId + 1
      const fields = dynamicFeeFields(context, { chainId: have })
      return {
        raw: await signEnvelope(context.signer, 2, fields, have),
        message: `invalid sender: invalid chain id for signer: have ${have} want ${context.chainId}`,
      }
    },
  },
  {
    check: 12,
    title: 'Highest nonce',
    cause: 'There is no nonce after 2^64 − 1, so it cannot be used (EIP-2681).',
    message: 'nonce has max value',
    build: async (context) => ({
      raw: await signDynamicFee(context, { nonce: MAX_NONCE }),
    }),
  },
  {
    check: 13,
    title: 'Intrinsic gas',
    cause: 'A transaction costs 21,000 gas before it does anything, and more for its data.',
    message: 'intrinsic gas too low: gas X, minimum needed Y',
    build: async (context) => ({
      raw: await signDynamicFee(context, { gas: 20_999n }),
      message: 'intrinsic gas too low: gas 20999, minimum needed 21000',
    }),
  },
  {
    check: 13,
    title: 'Floor for data',
    cause:
      'Data has a minimum price, however little the transaction does: here 40 gas for each of 1,000 bytes (EIP-7623).',
    message: 'insufficient gas for floor data gas cost: gas X, minimum needed Y',
    build: async (context) => ({
      raw: await signDynamicFee(context, { data: `0x${'11'.repeat(1_000)}`, gas: 40_000n }),
      message: 'insufficient gas for floor data gas cost: gas 40000, minimum needed 61000',
    }),
  },
  {
    check: 14,
    title: 'No authorization',
    cause: 'A type 4 transaction needs at least one authorization (EIP-7702).',
    message: 'set code tx must have at least one authorization tuple',
    build: async (context) => ({
      raw: await signEnvelope(context.signer, 4, [...dynamicFeeFields(context), []], context.chainId),
    }),
  },
  {
    check: 15,
    title: 'Nonce too low',
    cause: 'The account has already used this nonce in a pre-confirmed or sealed transaction.',
    message: 'nonce too low',
    preparation:
      'If the account has not sent anything yet, it first sends itself 0\u00a0ETH and waits for the pre-confirmation.',
    async build(context) {
      await spendNonce(context)
      return { raw: await signDynamicFee(context, { nonce: 0n, data: '0x01', gas: 30_000n }) }
    },
  },
  {
    check: 16,
    title: 'Insufficient funds',
    cause:
      'The balance must cover the value, the whole gas limit at the fee cap, and the account’s transactions in the mempool.',
    message: 'insufficient funds for gas * price + value',
    async build(context) {
      const { provider, address } = context
      const balance = await provider.request({ method: 'eth_getBalance', params: [address, 'pending'] })
      return {
        raw: await signDynamicFee(context, { value: BigInt(balance) }),
      }
    },
  },
  {
    check: 17,
    title: 'Mempool full',
    cause: 'The mempool takes at most 2,000 transactions from one account, and 2,000 behind nonce gaps.',
    message: 'txpool is full',
    preparation:
      'First has the node sign transactions with nonces far ahead until one is refused, and removes them afterwards.',
    async build(context) {
      const nonce = await fillMempool(context)
      return { raw: await signDynamicFee(context, { nonce, tip: 1n, feeCap: GWEI }) }
    },
  },
  {
    check: 18,
    title: 'Underpriced replacement',
    cause: 'To replace a transaction in the mempool, raise both its fee cap and its tip by at least 10%.',
    message: 'replacement transaction underpriced',
    preparation:
      'First sends one with a nonce far ahead, so that it stays in the mempool. The second one offers only 9% more.',
    async build(context) {
      await submitWaiting(context, await signDynamicFee(context, { feeCap: 100n * GWEI, tip: 100n * GWEI }))
      return {
        raw: await signDynamicFee(context, { feeCap: 109n * GWEI, tip: 109n * GWEI }),
      }
    },
  },
]
