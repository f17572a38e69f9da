import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

/** EIP-2935: the parent's hash is in slot (number − 1) mod 8191. */
const HISTORY = '0x0000f90827f1c53a10cb7a02335b175320002935'
const SENDER = devAccount(0).address

test('the nonce at latest counts sealed transactions, at pending also pre-confirmed and pooled ones', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const counts = async () => [
    await request('eth_getTransactionCount', [SENDER]),
    await request('eth_getTransactionCount', [SENDER, 'pending']),
  ]
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  await request('eth_sendRawTransaction', [await signTransfer(0, 5)])
  expect(await counts()).toEqual(['0x0', '0x2'])
  await request('devnet_tick')
  expect(await counts()).toEqual(['0x0', '0x2'])
  await request('devnet_tick', [9])
  expect(await counts()).toEqual(['0x2', '0x2'])
  expect(await request('eth_getTransactionCount', [SENDER, '0x0'])).toBe('0x0')
})

test('the value of a slot is 32 bytes, however its key is written', async () => {
  const { request, requestLoosely } = await createTestNode({ mode: 'manual', partialsPerBlock: 1 })
  await request('devnet_tick', [3])
  const parent = (await request('eth_getBlockByNumber', ['0x1', false]))?.hash
  for (const key of ['0x1', '0x01', '1', `0x${'1'.padStart(64, '0')}`]) {
    expect(await requestLoosely('eth_getStorageAt', [HISTORY, key, 'latest'])).toBe(parent)
  }
  expect(await request('eth_getStorageAt', [HISTORY, '0x1fff'])).toBe(`0x${'0'.repeat(64)}`)
})

test('an account without code has none', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  expect(await request('eth_getCode', [SENDER])).toBe('0x')
  expect((await request('eth_getCode', [HISTORY])).length).toBeGreaterThan(100)
})

test('a proof has short keys as quantities and full ones in full', async () => {
  const { request } = await createTestNode({ mode: 'manual', partialsPerBlock: 1 })
  await request('devnet_tick', [3])
  const full = `0x${'1'.padStart(64, '0')}`
  const proof = await request('eth_getProof', [HISTORY, ['0x01', full, '0x'], 'latest'])
  expect(proof).toMatchObject({ address: HISTORY, balance: '0x0', nonce: '0x1' })
  expect(proof.storageProof.map(({ key }) => key)).toEqual(['0x1', full, '0x0'])
  const shortByOneDigit = await request('eth_getProof', [HISTORY, [`0x${'1'.padStart(63, '0')}`]])
  expect(shortByOneDigit.storageProof[0]?.key).toBe(full)
  const parent = (await request('eth_getBlockByNumber', ['0x1', false]))?.hash
  expect(BigInt(proof.storageProof[0]?.value ?? 0)).toBe(BigInt(parent ?? 0))
  expect(proof.storageProof[0]?.proof).toEqual(proof.storageProof[1]?.proof)
})

test('a proof of absence has the hashes of an empty account', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  expect(await request('eth_getProof', [`0x${'99'.repeat(20)}`, ['0x0']])).toMatchObject({
    balance: '0x0',
    nonce: '0x0',
    codeHash: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    storageHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    storageProof: [{ key: '0x0', value: '0x0', proof: [] }],
  })
})

test('slots of several accounts read together equal those read one by one, at any block', async () => {
  const { request } = await createTestNode({ mode: 'manual', partialsPerBlock: 1 })
  await request('devnet_tick', [3])
  const stranger = `0x${'99'.repeat(20)}` as const
  for (const block of ['latest', 'pending', '0x1', '0x0'] as const) {
    const parent = await request('eth_getStorageAt', [HISTORY, '0x0', block])
    expect(await request('eth_getStorageValues', [{ [HISTORY]: ['0x0', '0x01'], [stranger]: ['0x0'] }, block])).toEqual(
      {
        [HISTORY]: [parent, await request('eth_getStorageAt', [HISTORY, '0x1', block])],
        [stranger]: [`0x${'0'.repeat(64)}`],
      },
    )
  }
  const genesis = (await request('eth_getBlockByNumber', ['0x0', false]))?.hash
  expect(await request('eth_getStorageValues', [{ [HISTORY]: ['0x0'] }])).toEqual({ [HISTORY]: [genesis] })
})

test.each([
  [{}, 'empty request'],
  [{ [HISTORY]: [] }, 'empty request'],
  [{ [HISTORY]: ['0xasdf'] }, 'invalid hex in storage key: "0xasdf"'],
  [
    { [HISTORY]: Array(1000).fill('0x0'), [SENDER]: Array(25).fill('0x0') },
    'invalid argument 0: too many slots (max 1024)',
  ],
  [
    [HISTORY],
    'invalid argument 0: json: cannot unmarshal array into Go value of type map[common.Address][]common.Hash',
  ],
])('eth_getStorageValues %# is refused', async (slots, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('eth_getStorageValues', [slots])).rejects.toMatchObject({ error: { code: -32602, message } })
})
