import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hex, hexToBytes, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcExecutionWitness } from '#rpc-types/methods/debug.ts'
import { executeStateless } from '#testing/node/rpc/stateless.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { keccak256Hex } from '../../../crypto/keccak.ts'

const at = (digits: string): Hex => `0x${digits.repeat(20)}`
/** Stores the second word of the input in the slot of the first. */
const STORE = '0x6020355f355500'
/** Stores the hash of the block of that number, and the code size of the address in the second word. */
const LOOK = '0x5f3540600155602035 3b600255'.replaceAll(' ', '')
const words = (...values: readonly (number | Hex)[]): Hex =>
  `0x${values.map((each) => toWord(BigInt(each)).slice(2)).join('')}`

const OPTIONS = {
  mode: 'manual',
  genesis: {
    [at('a1')]: {
      code: STORE,
      storage: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [toWord(i), toWord(i + 1)])),
    },
    [at('a2')]: { code: LOOK },
    [at('a3')]: { code: '0x5f5ffd' },
    [at('a4')]: { balance: 5 },
    // A balance alone, in a storage of one slot.
    [at('a5')]: { code: STORE, storage: { [toWord(7)]: toWord(9) } },
  },
} as const

type Send = { readonly from?: number; readonly to?: Hex; readonly data?: Hex; readonly value?: bigint }

/** Sends transactions, and seals the block. */
async function sealed({ request }: TestNode, sends: readonly Send[]): Promise<Hex> {
  for (const { from = 0, to, data, value = 0n } of sends) {
    const sender = devAccount(from)
    const nonce = Number(await request('eth_getTransactionCount', [sender.address, 'pending']))
    const raw = await sender.signTransaction({
      type: 'eip1559',
      chainId: 31337,
      nonce,
      gas: 300_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      ...(to && { to }),
      ...(data && { data }),
      value,
    })
    await request('eth_sendRawTransaction', [raw])
  }
  await request('devnet_seal')
  return request('eth_blockNumber')
}

async function witnessOf({ request }: TestNode, number: Hex): Promise<{ rlp: Hex; witness: RpcExecutionWitness }> {
  return {
    rlp: await request('debug_getRawBlock', [number]),
    witness: await request('debug_executionWitness', [number]),
  }
}

/** What each of the blocks does, by the block's transactions. */
const BLOCKS: Readonly<Record<string, readonly Send[]>> = {
  nothing: [],
  'a transfer to an account that comes into being': [{ to: at('c1'), value: 5n }],
  'a creation, and a call that reverts': [{ data: '0x67602a5f5260205ff35f52600860185ff3' }, { from: 1, to: at('a3') }],
  'slots that are set, changed and cleared': [
    { to: at('a1'), data: words(3, 0) },
    { from: 1, to: at('a1'), data: words(50, 1) },
    { from: 2, to: at('a1'), data: words(4, 77) },
  ],
  'the last slot of a storage that is cleared': [{ to: at('a5'), data: words(7, 0) }],
  'all slots but one that are cleared': Array.from({ length: 39 }, (_, i) => ({
    from: i % 5,
    to: at('a1'),
    data: words(i, 0),
  })),
  'a slot that is cleared, and set again by a later transaction': [
    { to: at('a1'), data: words(7, 0) },
    { from: 1, to: at('a1'), data: words(7, 1) },
  ],
  'a look at an old hash and at code': [{ to: at('a2'), data: words(1, at('a1')) }],
}

test.each(Object.entries(BLOCKS))(
  'a block of %s is executed by its RLP and its witness alone',
  async (_what, sends) => {
    const node = await createTestNode(OPTIONS)
    for (let blocks = 0; blocks < 4; blocks++) await sealed(node, [{ to: devAccount(5).address, value: 1n }])
    const { rlp, witness } = await witnessOf(node, await sealed(node, sends))
    const { stateRoot, wanted } = await executeStateless(rlp, witness)
    expect(stateRoot).toBe(wanted)
    // Nothing is there twice.
    for (const list of Object.values<readonly Hex[]>({ ...witness })) expect(new Set(list).size).toBe(list.length)
  },
)

test('without one of its nodes, codes and headers a witness is not enough', async () => {
  const node = await createTestNode(OPTIONS)
  for (let blocks = 0; blocks < 3; blocks++) await sealed(node, [{ to: devAccount(5).address, value: 1n }])
  const sends = [
    { to: at('a1'), data: words(3, 0) },
    { to: at('a2'), data: words(2, at('a1')) },
  ]
  const { rlp, witness } = await witnessOf(node, await sealed(node, sends))
  expect(witness.headers).toHaveLength(2)
  const code = (name: keyof typeof OPTIONS.genesis) => (OPTIONS.genesis[name] as { code: Hex }).code
  const { storageProof } = await node.request('eth_getProof', [at('a1'), [toWord(3)], '0x3'])
  const { accountProof } = await node.request('eth_getProof', [at('a2'), [], '0x3'])
  for (const part of [
    ...witness.headers,
    ...[code(at('a1')), code(at('a2'))],
    ...[storageProof[0]?.proof[0], storageProof[0]?.proof.at(-1), accountProof[0], accountProof.at(-1)],
  ]) {
    const less = Object.fromEntries(
      Object.entries<readonly Hex[]>({ ...witness }).map(([name, parts]) => [
        name,
        parts.filter((each) => each !== part),
      ]),
    ) as unknown as RpcExecutionWitness
    expect(less).not.toEqual(witness)
    const outcome = await executeStateless(rlp, less).catch(() => undefined)
    expect(outcome === undefined || outcome.stateRoot !== outcome.wanted).toBe(true)
  }
})

test('each node of a witness is the root of the state, or one that another of its nodes or accounts names', async () => {
  const node = await createTestNode(OPTIONS)
  const { rlp, witness } = await witnessOf(
    node,
    await sealed(node, BLOCKS['slots that are set, changed and cleared'] ?? []),
  )
  expect(rlp).toMatch(/^0xf9/)
  const genesis = await node.request('eth_getBlockByNumber', ['0x0', false])
  const all = witness.state.join('')
  for (const rlpOfNode of witness.state) {
    const hash = keccak256Hex(hexToBytes(rlpOfNode))
    expect(hash === genesis?.stateRoot || all.includes(hash.slice(2))).toBe(true)
  }
})

test('the keys are those of accounts and slots, each slot after its account', async () => {
  const node = await createTestNode(OPTIONS)
  const { witness } = await witnessOf(node, await sealed(node, [{ to: at('a1'), data: words(3, 0) }]))
  const { keys } = witness
  expect(keys[keys.indexOf(at('a1')) + 1]).toBe(toWord(3))
  expect(keys).toContain(devAccount(0).address.toLowerCase())
  for (const code of witness.codes) expect([STORE, expect.any(String)]).toContainEqual(code)
  expect(witness.codes.map((code) => keccak256Hex(hexToBytes(code)))).toContain(
    (await node.request('eth_getProof', [at('a1'), []])).codeHash,
  )
})

test('any block has a witness that is enough', async () => {
  const send = fc.record({
    from: fc.nat(3),
    to: fc.constantFrom(at('a1'), at('a5'), at('a2'), at('a4'), at('c7')),
    data: fc.tuple(fc.nat(8), fc.constantFrom(0, 0, 1)).map(([slot, value]) => words(slot, value)),
    value: fc.constantFrom(0n, 1n),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(send, { maxLength: 6 }), { minLength: 1, maxLength: 2 }), async (blocks) => {
      const node = await createTestNode(OPTIONS)
      for (const sends of blocks) {
        const { rlp, witness } = await witnessOf(node, await sealed(node, sends))
        const { stateRoot, wanted } = await executeStateless(rlp, witness)
        expect(stateRoot).toBe(wanted)
      }
      await node.node.close()
    }),
    { numRuns: runsOf(25) },
  )
})

test('the live block has a witness as well', async () => {
  const node = await createTestNode(OPTIONS)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.request('devnet_tick')
  const { rlp, witness } = await witnessOf(node, 'pending' as Hex)
  const { stateRoot, wanted } = await executeStateless(rlp, witness)
  expect(stateRoot).toBe(wanted)
})

test('blocks that nobody could execute by their RLP are refused with why, as is what is not there', async () => {
  const { request } = await createTestNode(OPTIONS)
  const refusal = (message: unknown) => ({ error: { code: -32000, message } })
  await expect(request('debug_executionWitness', ['0x0'])).rejects.toMatchObject(
    refusal('genesis was not executed, and needs no witness'),
  )
  await expect(request('debug_executionWitness', ['0x99'])).rejects.toMatchObject(refusal('block 153 not found'))
  await request('anvil_setBalance', [at('a4'), toQuantity(1)])
  await expect(request('debug_executionWitness', ['0x1'])).rejects.toMatchObject(
    refusal(expect.stringContaining('the state was edited in it')),
  )
  await request('anvil_impersonateAccount', [devAccount(3).address])
  await request('eth_sendUnsignedTransaction', [{ from: devAccount(3).address, to: at('a4'), gas: '0x5208' }])
  await request('devnet_seal')
  await expect(request('debug_executionWitness', ['latest'])).rejects.toMatchObject(
    refusal(expect.stringContaining('is of an impersonated account')),
  )
})
