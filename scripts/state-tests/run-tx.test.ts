import { keccak256, toRlp } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { HARDFORKS, type HardforkName } from '#node/spec/rules.ts'
import { type Address, type Hash, type Hex, toWord } from '#primitives/hex.ts'
import { ENGINE_NAMES } from '#rpc-types/option-tables.derived.ts'
import type { FixtureEnv, FixtureTransaction, StateTestResult } from './fixture.ts'
import { runTx } from './run-tx.ts'

const KEY: Hex = `0x${'45'.repeat(32)}`
type Found = Hash | undefined
/** All that give the same results. */
const ENGINES = [...ENGINE_NAMES, 'compiled'] as const

const account = privateKeyToAccount(KEY)
const SENDER = account.address
const CONTRACT: Address = `0x${'c0'.repeat(20)}`
const DELEGATE: Address = `0x${'d0'.repeat(20)}`
const NO_LOGS: Hash = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
const BLOB: Hash = `0x01${'ab'.repeat(31)}`

const env: FixtureEnv = {
  currentCoinbase: '0x2adc25665018aa1fe0e6bc666dac8fc2697ff9ba',
  currentGasLimit: '0x11e1a300',
  currentNumber: '0x1',
  currentTimestamp: '0x3e8',
  currentRandom: toWord(7),
  currentBaseFee: '0x7',
  currentExcessBlobGas: '0x0',
}
const call: FixtureTransaction = {
  nonce: '0x0',
  gasPrice: '0xa',
  gasLimit: '0x186a0',
  to: CONTRACT,
  value: '0x0',
  data: '0x',
  sender: SENDER,
}
const { gasPrice: _, ...withoutPrice } = call
const feeMarket = { ...withoutPrice, maxFeePerGas: '0xa', maxPriorityFeePerGas: '0x1' } as const
const blobs = (...blobVersionedHashes: readonly Hash[]): FixtureTransaction => ({
  ...feeMarket,
  maxFeePerBlobGas: '0x1',
  blobVersionedHashes,
})
const authorization = { chainId: '0x0', address: DELEGATE, nonce: '0x0', v: '0x0', r: '0x1', s: '0x1' } as const

interface World {
  readonly code?: Hex
  readonly senderCode?: Hex
  readonly balance?: Hex
  readonly nonce?: Hex
}

function preOf({ code = '0x', senderCode = '0x', balance = '0xde0b6b3a7640000', nonce = '0x0' }: World) {
  return {
    [SENDER]: { nonce, balance, code: senderCode, storage: {} },
    [CONTRACT]: { nonce: '0x1', balance: '0x0', code, storage: {} },
  } as const
}

function run(hardfork: HardforkName, tx: FixtureTransaction | Hex, world: World = {}): Promise<StateTestResult> {
  return runTx({ hardfork, chainId: 1, pre: preOf(world), env, tx })
}

/** keccak256 of the RLP of one log of the contract, without topics and with a word as data. */
const hashOfLog = (word: Hash) => keccak256(toRlp([[CONTRACT, [], word]]))

describe('an invalid transaction is named, and changes nothing', () => {
  const nonzero: Hex = `0x${'01'.repeat(4_000)}`
  test.each<[string, HardforkName, string, FixtureTransaction, World]>([
    ['too little gas', 'Cancun', 'INTRINSIC_GAS_TOO_LOW', { ...call, gasLimit: '0x5207' }, {}],
    // 21,000 + 4,000 · 16 and 21,000 + 4,000 · 40.
    [
      'gas below the floor',
      'Prague',
      'INTRINSIC_GAS_BELOW_FLOOR_GAS_COST',
      { ...call, data: nonzero, gasLimit: '0x2c307' },
      {},
    ],
    ['gas above the cap', 'Osaka', 'GAS_LIMIT_EXCEEDS_MAXIMUM', { ...call, gasLimit: '0x1000001' }, {}],
    ['more gas than the block', 'Prague', 'GAS_ALLOWANCE_EXCEEDED', { ...call, gasLimit: '0x11e1a301' }, {}],
    ['a nonce that was used', 'Osaka', 'NONCE_MISMATCH_TOO_LOW', call, { nonce: '0x1' }],
    ['a nonce ahead', 'Osaka', 'NONCE_MISMATCH_TOO_HIGH', { ...call, nonce: '0x1' }, {}],
    [
      'the last nonce',
      'Osaka',
      'NONCE_IS_MAX',
      { ...call, nonce: '0xffffffffffffffff' },
      { nonce: '0xffffffffffffffff' },
    ],
    ['a contract that sends', 'Osaka', 'SENDER_NOT_EOA', call, { senderCode: '0x00' }],
    ['too little wei', 'Osaka', 'INSUFFICIENT_ACCOUNT_FUNDS', call, { balance: '0xf423f' }],
    ['a price below the base fee', 'Osaka', 'INSUFFICIENT_MAX_FEE_PER_GAS', { ...call, gasPrice: '0x6' }, {}],
    [
      'a tip above the fee',
      'Osaka',
      'PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS',
      { ...feeMarket, maxPriorityFeePerGas: '0xb' },
      {},
    ],
    [
      'initcode that is too long',
      'Osaka',
      'INITCODE_SIZE_EXCEEDED',
      { ...call, to: '', data: `0x${'00'.repeat(49_153)}`, gasLimit: '0xf4240' },
      {},
    ],
    ['a value beyond a word', 'Osaka', 'RLP_INVALID_VALUE', { ...call, value: `0x1${'00'.repeat(32)}` }, {}],
    ['no blobs', 'Cancun', 'TYPE_3_TX_ZERO_BLOBS', blobs(), {}],
    ['blobs that create', 'Cancun', 'TYPE_3_TX_CONTRACT_CREATION', { ...blobs(BLOB), to: '' }, {}],
    ['7 blobs', 'Cancun', 'TYPE_3_TX_BLOB_COUNT_EXCEEDED', blobs(...Array<Hash>(7).fill(BLOB)), {}],
    ['10 blobs', 'Prague', 'TYPE_3_TX_BLOB_COUNT_EXCEEDED', blobs(...Array<Hash>(10).fill(BLOB)), {}],
    ['7 blobs', 'Osaka', 'TYPE_3_TX_BLOB_COUNT_EXCEEDED', blobs(...Array<Hash>(7).fill(BLOB)), {}],
    ['a blob of version 2', 'Osaka', 'TYPE_3_TX_INVALID_BLOB_VERSIONED_HASH', blobs(`0x02${BLOB.slice(4)}`), {}],
    [
      'a blob that pays too little',
      'Osaka',
      'INSUFFICIENT_MAX_FEE_PER_BLOB_GAS',
      { ...blobs(BLOB), maxFeePerBlobGas: '0x0' },
      {},
    ],
    [
      'an authorization too early',
      'Cancun',
      'TYPE_4_TX_PRE_FORK',
      { ...feeMarket, authorizationList: [authorization] },
      {},
    ],
    ['no authorization', 'Prague', 'TYPE_4_EMPTY_AUTHORIZATION_LIST', { ...feeMarket, authorizationList: [] }, {}],
  ])('%s under %s: %s', async (_what, hardfork, name, tx, world) => {
    const { stateRoot, logsHash, exception } = await run(hardfork, tx, world)
    expect(exception).toBe(`TransactionException.${name}`)
    const other = await run(hardfork, { ...tx, nonce: '0x5' }, world)
    expect([stateRoot, logsHash]).toEqual([other.stateRoot, NO_LOGS])
  })

  test.each<[Hex, string]>([
    ['0x', 'RLP_INVALID_VALUE'],
    ['0xc0', 'RLP_INVALID_VALUE'],
    ['0x05c0', 'TYPE_NOT_SUPPORTED'],
    ['0x03c0', 'RLP_INVALID_VALUE'],
  ])('%s is no transaction: %s', async (raw, name) => {
    expect((await run('Osaka', raw)).exception).toBe(`TransactionException.${name}`)
  })

  test('a transaction for another chain is refused', async () => {
    const raw = await account.signTransaction({ type: 'eip1559', chainId: 2, nonce: 0, gas: 100_000n, to: CONTRACT })
    expect((await run('Osaka', raw)).exception).toBe('TransactionException.INVALID_CHAINID')
  })
})

describe('the rules of a hardfork', () => {
  // Each logs a word: the result under the rules of Cancun, Prague and Osaka; without a word it halts.
  const tries: readonly (readonly [what: string, code: Hex, tx: FixtureTransaction, found: readonly Found[]])[] = [
    ['the hash of a blob', '0x5f495f5260205fa0', blobs(BLOB), [BLOB, BLOB, BLOB]],
    // RETURNDATASIZE after STATICCALL of BLS12_G1ADD with two points at infinity.
    ['addition on BLS12-381', '0x5f5f6101005f600b5afa503d5f5260205fa0', call, [toWord(0), toWord(128), toWord(128)]],
    ['leading zeros', '0x60011e5f5260205fa0', call, [undefined, undefined, toWord(255)]],
  ]
  test.each(tries)('%s', async (_what, code, tx, found) => {
    const hashes = await Promise.all(HARDFORKS.map(async (hardfork) => (await run(hardfork, tx, { code })).logsHash))
    expect(hashes).toEqual(found.map((word) => (word === undefined ? NO_LOGS : hashOfLog(word))))
  })

  test('a designator in the code is a delegation since Prague', async () => {
    const outcome = async (hardfork: HardforkName) => {
      const delegation: Hex = `0xef0100${DELEGATE.slice(2)}`
      const pre = {
        ...preOf({ code: delegation }),
        [DELEGATE]: { nonce: '0x1', balance: '0x0', code: '0x60015f5500', storage: {} },
      } as const
      return runTx({ hardfork, chainId: 1, pre, env, tx: call })
    }
    const [cancun, prague, osaka] = await Promise.all(HARDFORKS.map(outcome))
    expect(cancun?.stateRoot).not.toBe(prague?.stateRoot)
    expect(prague).toEqual(osaka)
  })
})

test('signed bytes and fields of the same transaction have the same effect, on both engines', async () => {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: 0,
    gas: 100_000n,
    to: CONTRACT,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
  })
  // LOG0 of 32 bytes, then SSTORE of the base fee.
  const pre = preOf({ code: '0x60205fa0485f5500' })
  const results = await Promise.all(
    ENGINES.flatMap((engine) =>
      [raw, { ...feeMarket, gasLimit: '0x186a0' } as const].map((tx) =>
        runTx({ hardfork: 'Osaka', chainId: 1, pre, env, tx, engine }),
      ),
    ),
  )
  for (const result of results) expect(result).toEqual(results[0])
  expect(results[0]?.logsHash).not.toBe(NO_LOGS)
})

test.each(ENGINES)(
  'a contract is not created at an account with storage (EIP-7610), with the %s engine',
  async (engine) => {
    // CREATE without initcode by a contract with nonce 1; logs the new address.
    const pre = preOf({ code: '0x5f5f5ff05f5260205fa0' })
    const created: Address = '0x3be81c45a890ffe09e821eae38f4721b543abf40'
    const taken = {
      ...pre,
      [created]: { nonce: '0x0', balance: '0x1', code: '0x', storage: { '0x1': '0x2' } },
    } as const
    const logsHash = async (alloc: typeof taken | typeof pre) =>
      (await runTx({ hardfork: 'Osaka', chainId: 1, pre: alloc, env, tx: call, engine })).logsHash
    expect(await logsHash(pre)).toBe(hashOfLog(toWord(BigInt(created))))
    expect(await logsHash(taken)).toBe(hashOfLog(toWord(0)))
  },
)
