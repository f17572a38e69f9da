import { serializeTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { ACCESS_LIST, FEES, OTHER, rejection, SENDER, samples, sign } from '#testing/node/tx/signed-samples.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { SECP256K1_ORDER } from '../crypto/secp256k1.ts'
import { decodeTransaction } from './decode.ts'

describe('decoding', () => {
  test('a protected legacy transaction has the chain id of its v', async () => {
    const raw = await sign((await samples()).protected)
    expect(decodeTransaction(raw)).toMatchObject({
      type: 0,
      chainId: 31_337n,
      nonce: 5n,
      gasPrice: 300n,
      gas: 90_000n,
      to: OTHER,
      value: 7n,
      input: Uint8Array.of(0, 255),
      sender: SENDER,
      hash: keccak256Hex(raw),
      raw,
    })
  })

  test('an unprotected legacy transaction has no chain id', async () => {
    const raw = await sign({ type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: 1n, to: OTHER })
    expect(decodeTransaction(raw)).toMatchObject({ type: 0, chainId: null, sender: SENDER })
  })

  test('the transaction in EIP-155 has the sender given there', () => {
    const raw = hexToBytes(
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
    )
    expect(decodeTransaction(raw)).toMatchObject({
      chainId: 1n,
      nonce: 9n,
      sender: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
    })
  })

  test('an access list keeps the order of its addresses and keys', async () => {
    const tx = decodeTransaction(await sign((await samples()).accessList))
    expect(tx).toMatchObject({ type: 1, gasPrice: 300n, accessList: ACCESS_LIST, sender: SENDER })
  })

  test('a fee market transaction has a fee cap and a tip', async () => {
    const tx = decodeTransaction(await sign((await samples()).feeMarket))
    expect(tx).toMatchObject({ type: 2, ...FEES, accessList: ACCESS_LIST, sender: SENDER })
  })

  test('authorizations keep their own chain id, nonce and signature', async () => {
    const { setCode } = await samples()
    const { r, s, yParity } = setCode.authorizationList[0]
    const authorization = { chainId: 0n, address: OTHER, nonce: 3n, yParity: BigInt(yParity ?? 0) }
    const decoded = { ...authorization, r: BigInt(r), s: BigInt(s) }
    expect(decodeTransaction(await sign(setCode))).toMatchObject({
      type: 4,
      ...FEES,
      authorizationList: [decoded, decoded],
      sender: SENDER,
    })
  })

  test('a transaction without a target creates a contract', async () => {
    const raw = await sign({ type: 'eip1559', chainId: 1, nonce: 0, gas: 60_000n, data: '0x60', ...FEES })
    expect(decodeTransaction(raw).to).toBeNull()
  })
})

describe('invalid input', () => {
  test.each(['0x', '0x02', '0xc0', '0x7f'])('%s is too short', (hex) => {
    expect(rejection(hexToBytes(hex))).toMatchObject({ code: 'too-short', message: 'typed transaction too short' })
  })

  test.each(['0x00c0', '0x03c0', '0x05c0', '0x7fc0'])('the type of %s is not supported', (hex) => {
    expect(rejection(hexToBytes(hex))).toMatchObject({
      code: 'type-not-supported',
      message: 'transaction type not supported',
    })
  })

  const list = (...items: string[]) => {
    const payload = items.join('')
    const length = payload.length / 2
    return `${length < 56 ? (0xc0 + length).toString(16) : `f8${length.toString(16).padStart(2, '0')}`}${payload}`
  }
  const to = `94${'ab'.repeat(20)}`
  const legacy = (changes: Record<number, string>) =>
    `0x${list(...['05', '01', '825208', to, '80', '80', '1b', '01', '01'].map((item, i) => changes[i] ?? item))}`
  const setCode = (changes: Record<number, string>) =>
    `0x04${list(...['01', '80', '01', '01', '825208', to, '80', '80', 'c0', 'c0', '80', '01', '01'].map((item, i) => changes[i] ?? item))}`

  test.each([
    ['no list', '0x8101', 'rlp: non-canonical size information for types.LegacyTx'],
    ['a string', '0x8180', 'rlp: expected input list for types.LegacyTx'],
    ['a type byte and a string', '0x0205', 'rlp: expected input list for types.DynamicFeeTx'],
    ['an empty list', '0x02c0', 'rlp: too few elements for types.DynamicFeeTx'],
    ['less than it announces', '0xc382', 'rlp: value size exceeds available input length'],
    ['a member longer than the list', '0xc183', 'rlp: element is larger than containing list'],
    [
      'a size with leading zeros',
      `0xf90038${'05'.repeat(56)}`,
      'rlp: non-canonical size information for types.LegacyTx',
    ],
    ['a long size for a short list', '0xf80105', 'rlp: non-canonical size information for types.LegacyTx'],
    [
      'a nonce with a leading zero',
      legacy({ 0: '820005' }),
      'rlp: non-canonical integer (leading zero bytes) for uint64, decoding into (types.LegacyTx).Nonce',
    ],
    [
      'a nonce of one zero byte',
      legacy({ 0: '00' }),
      'rlp: non-canonical integer (leading zero bytes) for uint64, decoding into (types.LegacyTx).Nonce',
    ],
    [
      'a nonce in a needless string',
      legacy({ 0: '8105' }),
      'rlp: non-canonical size information for uint64, decoding into (types.LegacyTx).Nonce',
    ],
    [
      'a nonce of 9 bytes',
      legacy({ 0: '89010000000000000000' }),
      'rlp: input string too long for uint64, decoding into (types.LegacyTx).Nonce',
    ],
    [
      'a value of 33 bytes',
      legacy({ 4: `a1${'11'.repeat(33)}` }),
      'rlp: input string too long for *big.Int, decoding into (types.LegacyTx).Value',
    ],
    [
      'a list in place of a gas price',
      legacy({ 1: 'c0' }),
      'rlp: expected input string or byte for *big.Int, decoding into (types.LegacyTx).GasPrice',
    ],
    [
      'a target of 19 bytes',
      legacy({ 3: `93${'ab'.repeat(19)}` }),
      'rlp: input string too short for common.Address, decoding into (types.LegacyTx).To',
    ],
    [
      'a target of 21 bytes',
      legacy({ 3: `95${'ab'.repeat(21)}` }),
      'rlp: input string too long for common.Address, decoding into (types.LegacyTx).To',
    ],
    ['one field more', legacy({ 8: '0101' }), 'rlp: input list has too many elements for types.LegacyTx'],
    ['one field less', legacy({ 8: '' }), 'rlp: too few elements for types.LegacyTx'],
    ['a byte behind it', `${legacy({})}00`, 'rlp: input contains more than one value'],
    [
      'a set code transaction that creates',
      setCode({ 5: '80' }),
      'rlp: input string too short for common.Address, decoding into (types.SetCodeTx).To',
    ],
    [
      'an access list that is a string',
      setCode({ 8: '80' }),
      'rlp: expected input list for types.AccessList, decoding into (types.SetCodeTx).AccessList',
    ],
    [
      'an access tuple without keys',
      setCode({ 8: list(list(to)) }),
      'rlp: too few elements for types.AccessTuple, decoding into (types.SetCodeTx).AccessList[0]',
    ],
    [
      'a storage key of 31 bytes',
      setCode({ 8: list(list(to, 'c0'), list(to, list(`9f${'01'.repeat(31)}`))) }),
      'rlp: input string too short for common.Hash, decoding into (types.SetCodeTx).AccessList[1].StorageKeys[0]',
    ],
    [
      'an authorization with one field more',
      setCode({ 9: list(list('80', to, '80', '80', '01', '01', '01')) }),
      'rlp: input list has too many elements for types.SetCodeAuthorization, decoding into (types.SetCodeTx).AuthList[0]',
    ],
    [
      'an authorization with a parity of 2 bytes',
      setCode({ 9: list(list('80', to, '80', '820100', '01', '01')) }),
      'rlp: input string too long for uint8, decoding into (types.SetCodeTx).AuthList[0].V',
    ],
  ])('%s is refused with geth’s message', (_what, hex, message) => {
    expect(rejection(hexToBytes(hex))).toMatchObject({ code: 'invalid-rlp', message })
  })

  const word = (value: bigint) => `a0${value.toString(16).padStart(64, '0')}`
  test.each([
    ['v of 0', legacy({ 6: '80' })],
    ['v of 29', legacy({ 6: '1d' })],
    ['v of 34', legacy({ 6: '22' })],
    ['a typed parity of 2', setCode({ 10: '02' })],
    ['a typed v of 27', setCode({ 10: '1b' })],
    ['r of 0', legacy({ 7: '80' })],
    ['s of 0', legacy({ 8: '80' })],
    ['r of the order', legacy({ 7: word(SECP256K1_ORDER) })],
    ['s of the order', legacy({ 8: word(SECP256K1_ORDER) })],
    ['s just above half the order', legacy({ 8: word(SECP256K1_ORDER / 2n + 1n) })],
    // x = 5 is not on the curve.
    ['r that is no point’s', legacy({ 7: '05' })],
  ])('a signature with %s is refused', (_what, hex) => {
    expect(rejection(hexToBytes(hex))).toMatchObject({
      code: 'invalid-signature',
      message: 'invalid transaction v, r, s values',
    })
  })

  test('s of half the order is accepted', () => {
    const s = SECP256K1_ORDER / 2n
    expect(decodeTransaction(hexToBytes(legacy({ 8: word(s) })))).toMatchObject({ s })
  })

  test('the mirrored signature of a valid transaction is refused (EIP-2)', async () => {
    const tx = decodeTransaction(await sign((await samples()).feeMarket))
    const mirrored = serializeTransaction((await samples()).feeMarket, {
      r: bytesToHex(tx.raw.slice(-65, -33)),
      s: `0x${(SECP256K1_ORDER - tx.s).toString(16).padStart(64, '0')}`,
      yParity: 1 - tx.yParity,
    })
    expect(rejection(hexToBytes(mirrored)).code).toBe('invalid-signature')
  })

  test('a valid transaction that is cut short or followed by bytes is invalid', async () => {
    for (const sample of Object.values(await samples())) {
      const raw = await sign(sample)
      for (let length = 0; length < raw.length; length++) {
        expect(['too-short', 'invalid-rlp']).toContain(rejection(raw.subarray(0, length)).code)
      }
      for (const extra of [0x00, 0x01, 0x80, 0xc0, 0xff]) {
        expect(rejection(Uint8Array.of(...raw, extra))).toMatchObject({
          code: 'invalid-rlp',
          message: 'rlp: input contains more than one value',
        })
      }
    }
  })
})
