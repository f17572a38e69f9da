import { createBlock } from '@ethereumjs/block'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createTxFromRLP } from '@ethereumjs/tx'
import { Account, Address as EthereumjsAddress, hexToBytes as toBytes } from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Address, bytesToHex, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { EngineName } from '#rpc-types/node-options.ts'
import { ENGINE_NAMES } from '#rpc-types/option-tables.derived.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { EMPTY_CODE_HASH, emptyState } from '../../state/state-snapshot.ts'
import { WorldState } from '../../state/world-state.ts'
import { createPacer } from '../../turns/pacer.ts'
import { decodeTransaction } from '../../tx/decode.ts'
import type { BlockEnv } from '../block-env.ts'
import { logsBloom } from '../bloom.ts'
import { applyTransaction } from '../transactions/apply-transaction.ts'
import { createEngine } from './create-engine.ts'

// What is independent here: transaction processing, fees, refunds, delegations, state, journal, trie and bloom are
// Blinknet's on one side and @ethereumjs/vm's on the other. The reference engine shares its interpreter with
// @ethereumjs/vm.

const CHAIN_ID = 31337
const BASE_FEE = 1_000_000_000n
const COINBASE: Address = '0x4200000000000000000000000000000000000011'
const BALANCE = 10n ** 21n

const accounts = DEV_KEYS.slice(0, 4).map(({ privateKey }) => privateKeyToAccount(privateKey))
const addresses = DEV_KEYS.slice(0, 4).map(({ address }) => address)

/** Contracts with every kind of state change, chosen by their first calldata byte. */
const contracts: readonly { readonly address: Address; readonly code: Hex }[] = [
  // Slot word 0 = word 1, then LOG1 and LOG2 of word 1 with word 0 as topics.
  { address: `0x${'c0'.repeat(20)}`, code: '0x6020355f35556020355f525f3560205fa15f355f3560205fa2' },
  // Toggles slot 1 (clearing it earns a refund), and reverts where word 0 is odd.
  { address: `0x${'c1'.repeat(20)}`, code: '0x600154156001555f35600116601057005b5f5ffd' },
  // CREATE of calldata as initcode with the value that came along; the address goes to slot 0.
  { address: `0x${'c2'.repeat(20)}`, code: '0x365f5f37365f34f05f55' },
  // SELFDESTRUCT to the address in word 0.
  { address: `0x${'c3'.repeat(20)}`, code: '0x5f35ff' },
  // CALL of the address in word 0 with half of the balance and word 1 as input; the outcome goes to slot word 0.
  { address: `0x${'c4'.repeat(20)}`, code: '0x6020355f525f5f60205f600247045f355af15f3555' },
  // Counts in transient storage; EXTCODEHASH and BALANCE of word 0 to slots 2 and 3; the parent's hash to slot 4.
  { address: `0x${'c5'.repeat(20)}`, code: '0x5f5c6001015f5d5f353f6002555f3531600355436001900340600455' },
  // DELEGATECALL of the address in word 0 with word 1 and 2 as input.
  { address: `0x${'c6'.repeat(20)}`, code: '0x6040356020526020355f525f5f60405f5f355af4' },
]
const targets: readonly Address[] = [
  ...addresses,
  ...contracts.map(({ address }) => address),
  `0x${'00'.repeat(19)}01`,
  `0x${'00'.repeat(19)}04`,
  `0x${'ee'.repeat(20)}`,
]

const hexOf = (bytes: Uint8Array) => bytesToHex(bytes)
const word = fc.oneof(
  fc.bigInt({ min: 0n, max: 4n }).map(toWord),
  fc.constantFrom(...targets).map((address) => toWord(BigInt(address))),
)
const initcode = fc.constantFrom<Hex>(
  '0x',
  '0x60015f5560205ff3', // stores and deploys 32 zero bytes
  '0x33ff', // self-destructs at once: created and gone in one transaction
  '0x5f5ffd',
  '0xfe',
  '0x60ef5f5360015ff3', // code that begins with 0xef
  '0x600a600c600039600a6000f3602a60005260206000f3',
)
const input = fc.oneof(
  fc.array(word, { maxLength: 3 }).map((words): Hex => `0x${words.map((w) => w.slice(2)).join('')}`),
  initcode,
  fc.uint8Array({ maxLength: 80 }).map(hexOf),
)
const accessList = fc.array(
  fc.record({ address: fc.constantFrom(...targets), storageKeys: fc.array(word, { maxLength: 2 }) }),
  { maxLength: 2 },
)
const transaction = fc.record({
  type: fc.constantFrom('legacy', 'eip2930', 'eip1559', 'eip7702'),
  sender: fc.nat(3),
  to: fc.option(fc.constantFrom(...targets), { nil: null, freq: 5 }),
  value: fc.constantFrom(0n, 1n, 10n ** 18n),
  gas: fc.constantFrom(100_000n, 150_000n, 1_000_000n),
  tip: fc.constantFrom(0n, 1n, 2_000_000_000n),
  input,
  accessList,
  authorizations: fc.array(
    fc.record({
      authority: fc.nat(3),
      delegate: fc.constantFrom(...targets, `0x${'00'.repeat(20)}`),
      chainId: fc.constantFrom(0, CHAIN_ID, 5),
      nonceOffset: fc.constantFrom(0, 0, 0, 1),
    }),
    { minLength: 1, maxLength: 3 },
  ),
})
type Plan = typeof transaction extends fc.Arbitrary<infer T> ? T : never

const env: BlockEnv = {
  number: 5,
  timestamp: 1_700_000_000,
  coinbase: COINBASE,
  prevRandao: toWord(99),
  gasLimit: 400_000_000n,
  baseFee: BASE_FEE,
  blockHash: (number) => toWord(number + 1_000),
}

async function sign(plan: Plan, nonceOf: (address: Address) => number): Promise<Hex> {
  const account = accounts[plan.sender]
  const sender = addresses[plan.sender]
  if (!account || !sender) throw new RangeError('no such account')
  const common = { chainId: CHAIN_ID, nonce: nonceOf(sender), gas: plan.gas, value: plan.value, data: plan.input }
  const to = plan.to === null ? {} : { to: plan.to }
  const fees = { maxFeePerGas: 2n * BASE_FEE + plan.tip, maxPriorityFeePerGas: plan.tip }
  switch (plan.type) {
    case 'legacy':
      return account.signTransaction({ type: 'legacy', ...common, ...to, gasPrice: BASE_FEE + plan.tip })
    case 'eip2930':
      return account.signTransaction({
        type: 'eip2930',
        ...common,
        ...to,
        gasPrice: BASE_FEE + plan.tip,
        accessList: plan.accessList,
      })
    case 'eip1559':
      return account.signTransaction({ type: 'eip1559', ...common, ...to, ...fees, accessList: plan.accessList })
    default: {
      const authorizationList = await Promise.all(
        plan.authorizations.map(({ authority, delegate, chainId, nonceOffset }) => {
          const signer = accounts[authority]
          const address = addresses[authority]
          if (!signer || !address) throw new RangeError('no such account')
          const own = address === sender ? 1 : 0
          return signer.signAuthorization({ address: delegate, chainId, nonce: nonceOf(address) + own + nonceOffset })
        }),
      )
      return account.signTransaction({
        type: 'eip7702',
        ...common,
        to: plan.to ?? (addresses[0] as Address),
        ...fees,
        accessList: plan.accessList,
        authorizationList,
      })
    }
  }
}

async function createOracle() {
  const common = createCustomCommon({ chainId: CHAIN_ID }, Mainnet, { hardfork: Hardfork.Osaka })
  const stateManager = new MerkleStateManager({ common })
  const vm = await createVM({
    common,
    stateManager,
    blockchain: {
      getBlock: async (number: number) => ({ hash: () => toBytes(env.blockHash(number) as Hex) }),
      putBlock: async () => {},
      shallowCopy() {
        return this
      },
    },
  })
  const at = (address: Address) => new EthereumjsAddress(toBytes(address))
  for (const address of addresses) await stateManager.putAccount(at(address), new Account(0n, BALANCE))
  for (const { address, code } of contracts) {
    await stateManager.putAccount(at(address), new Account(1n, 1000n))
    await stateManager.putCode(at(address), toBytes(code))
  }
  const block = createBlock(
    {
      header: {
        number: env.number,
        timestamp: env.timestamp,
        coinbase: at(COINBASE),
        mixHash: toBytes(env.prevRandao),
        gasLimit: env.gasLimit,
        baseFeePerGas: env.baseFee,
      },
    },
    { common, skipConsensusFormatValidation: true },
  )
  return {
    async run(raw: Hex) {
      const tx = createTxFromRLP(toBytes(raw), { common })
      const result = await runTx(vm, { tx, block, skipHardForkValidation: true })
      return {
        stateRoot: bytesToHex(await stateManager.getStateRoot()),
        gasUsed: result.totalGasSpent,
        status: result.execResult.exceptionError ? 0 : 1,
        bloom: bytesToHex(result.bloom.bitvector),
        logs: (result.execResult.logs ?? []).map(([address, topics, data]) => ({
          address: bytesToHex(address),
          topics: topics.map(hexOf),
          data: bytesToHex(data),
        })),
        created: result.execResult.exceptionError ? null : (result.createdAddress?.toString() ?? null),
      }
    },
  }
}

type Subject = Awaited<ReturnType<typeof createSubject>>

async function createSubject(name: EngineName) {
  const engine = await createEngine(CHAIN_ID, name)
  const state = new WorldState(emptyState())
  for (const address of addresses) {
    state.setAccount(address, { nonce: 0n, balance: BALANCE, codeHash: EMPTY_CODE_HASH })
  }
  for (const { address, code } of contracts) {
    state.setAccount(address, { nonce: 1n, balance: 1000n, codeHash: EMPTY_CODE_HASH })
    state.setCode(address, hexToBytes(code))
  }
  return {
    name,
    nonceOf: (address: Address) => Number(state.account(address)?.nonce ?? 0n),
    async run(raw: Hex) {
      const tx = decodeTransaction(hexToBytes(raw))
      const applied = await applyTransaction(engine, state, env, tx, CHAIN_ID, createPacer(new FakeClock()))
      return {
        stateRoot: state.snapshot().stateRoot(),
        gasUsed: applied.gasUsed,
        status: applied.failure ? 0 : 1,
        bloom: bytesToHex(logsBloom(applied.logs)),
        logs: applied.logs.map(({ address, topics, data }) => ({ address, topics, data: bytesToHex(data) })),
        created: applied.contractAddress,
      }
    },
  }
}

test('with any engine, any sequence of transactions has the same effect as with @ethereumjs/vm', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { minLength: 1, maxLength: 12 }), async (plans) => {
      const oracle = await createOracle()
      const subjects = await Promise.all(ENGINE_NAMES.map(createSubject))
      for (const plan of plans) {
        // The engines agree on all accounts, as their roots of the state have been the same.
        const raw = await sign(plan, (subjects[0] as Subject).nonceOf)
        const [theirs] = await Promise.allSettled([oracle.run(raw)])
        for (const subject of subjects) {
          const [ours] = await Promise.allSettled([subject.run(raw)])
          if (theirs.status === 'fulfilled') expect({ [subject.name]: ours }).toEqual({ [subject.name]: theirs })
          else expect({ [subject.name]: ours.status }).toEqual({ [subject.name]: 'rejected' })
        }
      }
    }),
    { numRuns: runsOf(60) },
  )
})
