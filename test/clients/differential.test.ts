import {
  type Abi,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  pad,
  parseEther,
  sha256,
  stringToHex,
  toHex,
} from 'viem'
import { expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import { describeWith } from './support/describe-with.ts'
import { useNodePair } from './support/node-pair.ts'
import { observeBlock } from './support/observe-block.ts'
import { type Request, sender } from './support/sender.ts'
import { VAULT_ABI, VAULT_BYTECODE } from './support/vault-contract.ts'
import { devAccount } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'
const CREATE2_DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/**
 * Calls the address in the first word of its input with the rest, and logs success and return data:
 *
 * PUSH1 32 CALLDATASIZE SUB DUP1 PUSH1 32 PUSH0 CALLDATACOPY · PUSH0 PUSH0 DUP3 PUSH0 PUSH0 CALLDATALOAD GAS STATICCALL ·
 * RETURNDATASIZE PUSH0 PUSH1 32 RETURNDATACOPY PUSH0 MSTORE · RETURNDATASIZE PUSH1 32 ADD PUSH0 LOG0 STOP
 */
const PROBE_INIT_CODE = '0x601f8060095f395ff3602036038060205f375f5f825f5f355afa3d5f60203e5f523d6020015fa000'

/** Without the types of its arguments, which come in lists here. */
const ANY_ABI: Abi = VAULT_ABI
const inVault = (functionName: 'set' | 'burst' | 'needEven' | 'needOwner' | 'spawn', args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: ANY_ABI, functionName, args })
const deployVault = (first: bigint): Hex =>
  encodeDeployData({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [first] })

describeWith('anvil', 'the same raw transactions at Blinknet and at anvil', (binary) => {
  const pair = useNodePair(binary)

  test('transfers of every type', async () => {
    const { sign, address } = sender(0)
    const accessList = [{ address: SOMEBODY, storageKeys: [pad('0x1'), pad('0x2')] }] as const
    const block = await pair().mine([
      await sign({ type: 'legacy', to: SOMEBODY, value: 1n, gas: 21_000n }),
      await sign({ type: 'eip2930', to: SOMEBODY, value: 2n, accessList }),
      await sign({ type: 'eip1559', to: SOMEBODY, value: 3n, accessList }),
      await sign({ to: address, value: parseEther('1') }),
      await sign({ to: `0x${'99'.repeat(20)}`, value: 0n }),
      await sign({ to: SOMEBODY, data: `0x${'00ff'.repeat(100)}` }),
      await sign({ to: SOMEBODY, data: `0x${'ff'.repeat(10_000)}` }),
    ])
    const seen = await observeBlock(pair(), block)
    expect(seen.blinknet).toEqual(seen.anvil)
  })

  test('contracts are made, written, and fail', async () => {
    const from = sender(1)
    const vault = from.nextContract()
    const call = (data: Hex, more: Request = {}) => from.sign({ to: vault, data, ...more })
    const block = await pair().mine([
      await from.sign({ data: deployVault(5n), value: 9n }),
      await call(inVault('set', [9n, 'nine'])),
      await call(inVault('set', [10n, 'a note that is longer than one word of storage, '.repeat(3)]), { value: 5n }),
      // Slots are cleared: gas comes back.
      await call(inVault('set', [0n, ''])),
      await call(inVault('burst', [12n])),
      await call(inVault('needEven', [3n])),
      await call(inVault('needOwner', [4n])),
      await call(inVault('spawn', [4n]), { value: 2n }),
      await call(inVault('spawn', [7n]), { type: 'legacy' }),
      // Out of gas, on its way and at its start.
      await call(inVault('burst', [100n]), { gas: 60_000n }),
      await call(inVault('spawn', [8n]), { gas: 60_000n }),
      // No such function, and value for one that takes none.
      await call('0x12345678'),
      await call(inVault('needEven', [8n]), { value: 1n }),
    ])
    const seen = await observeBlock(pair(), block)
    expect(seen.blinknet).toEqual(seen.anvil)
    const stranger = sender(2)
    const denied = await pair().mine([
      await stranger.sign({ to: vault, data: inVault('needOwner', [1n]), type: 'eip2930' }),
    ])
    const seenLater = await observeBlock(pair(), denied)
    expect(seenLater.blinknet).toEqual(seenLater.anvil)

    for (const data of [inVault('needEven', [7n]), inVault('needOwner', [7n]), inVault('spawn', [3n])]) {
      const request = { from: stranger.address, to: vault, data }
      const [mine, theirs] = await pair().outcomes('eth_call', request, denied.number)
      // anvil's message spells out the arguments of a custom error.
      const reverted = { message: expect.stringMatching(/^execution reverted/) as unknown }
      expect(mine).toEqual('code' in theirs ? { ...theirs, ...reverted } : theirs)
    }
  })

  test('creations succeed and fail', async () => {
    const from = sender(3)
    const salt = pad('0x5a17')
    const block = await pair().mine([
      // Nothing, one byte, code that may not be (EIP-3541), a revert, an invalid opcode, a bad jump, code longer than allowed.
      await from.sign({ data: '0x' }),
      await from.sign({ data: '0x60015ff3' }),
      await from.sign({ data: '0x60ef5f5360015ff3' }),
      await from.sign({ data: '0x5f5ffd' }),
      await from.sign({ data: '0xfe' }),
      await from.sign({ data: '0x5f56' }),
      await from.sign({ data: '0x6160015ff3', gas: 16_000_000n }),
      // As long as allowed, and with too little gas to keep it.
      await from.sign({ data: '0x6160005ff3', gas: 16_000_000n }),
      await from.sign({ data: '0x6160005ff3', gas: 100_000n }),
      // SELFDESTRUCT in the creation itself, with value.
      await from.sign({ data: concatHex(['0x73', SOMEBODY, '0xff']), value: 77n }),
      await from.sign({ to: CREATE2_DEPLOYER, data: concatHex([salt, deployVault(1n)]) }),
      // The address is taken.
      await from.sign({ to: CREATE2_DEPLOYER, data: concatHex([salt, deployVault(1n)]) }),
    ])
    const seen = await observeBlock(pair(), block)
    expect(seen.blinknet).toEqual(seen.anvil)
  })

  test('a contract destructs itself later and keeps its code (EIP-6780)', async () => {
    const from = sender(4)
    const contract = from.nextContract()
    const runtime = concatHex(['0x73', SOMEBODY, '0xff'])
    const first = await pair().mine([
      await from.sign({ data: concatHex(['0x60168060095f395ff3', runtime]), value: 123n }),
    ])
    const seen = await observeBlock(pair(), first)
    expect(seen.blinknet).toEqual(seen.anvil)
    const second = await pair().mine([await from.sign({ to: contract, value: 5n }), await from.sign({ to: contract })])
    const seenLater = await observeBlock(pair(), second)
    expect(seenLater.blinknet).toEqual(seenLater.anvil)
    expect(await pair().blinknet.rpc('eth_getCode', contract, 'latest')).toBe(runtime)
  })

  test('accounts sign over their code (type 4)', async () => {
    const from = sender(5)
    const vault = from.nextContract()
    const authority = devAccount(6)
    const other = devAccount(7)
    const authorize = (account: typeof authority, contractAddress: Address, nonce: number, chainId = 31337) =>
      account.signAuthorization({ contractAddress, nonce, chainId })
    const set = inVault('set', [42n, 'mine'])
    const block = await pair().mine([
      await from.sign({ data: deployVault(1n) }),
      await from.sign({
        type: 'eip7702',
        to: authority.address,
        data: set,
        authorizationList: [await authorize(authority, vault, 0)],
      }),
      // Another chain, a nonce that is not next, one that holds for all chains, and the same again.
      await from.sign({
        type: 'eip7702',
        to: other.address,
        data: set,
        authorizationList: [
          await authorize(other, vault, 0, 1),
          await authorize(other, vault, 3),
          await authorize(other, vault, 0, 0),
          await authorize(other, vault, 0, 0),
        ],
      }),
      // To itself; the nonce is counted up by the transaction before.
      await from.sign({
        type: 'eip7702',
        to: from.address,
        data: inVault('burst', [1n]),
        authorizationList: [await authorize(from.account, vault, from.nonce() + 1)],
      }),
    ])
    const seen = await observeBlock(pair(), block)
    expect(seen.blinknet).toEqual(seen.anvil)
    from.skipNonce()
    const later = await pair().mine([
      await from.sign({ to: authority.address, data: inVault('needEven', [3n]) }),
      await from.sign({
        type: 'eip7702',
        to: authority.address,
        value: 1n,
        authorizationList: [await authorize(authority, `0x${'00'.repeat(20)}`, 1)],
      }),
    ])
    const seenLater = await observeBlock(pair(), later)
    expect(seenLater.blinknet).toEqual(seenLater.anvil)
    expect(await pair().blinknet.rpc('eth_getCode', authority.address, 'latest')).toBe('0x')
  })

  test('every precompiled contract, with good input and bad', async () => {
    const from = sender(8)
    const probe = from.nextContract()
    const word = (value: bigint | number) => toHex(value, { size: 32 })
    const g1 = concatHex([word(1), word(2)])
    const blake = concatHex([
      '0x0000000c48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b',
      `0x616263${'00'.repeat(125)}`,
      '0x03000000000000000000000000000000',
      '0x01',
    ])
    // ecrecover of a signature by development account 0 over sha256('abc').
    const digest = sha256(stringToHex('abc'))
    const signature = await devAccount(0).sign({ hash: digest })
    const recover = concatHex([digest, word(BigInt(`0x${signature.slice(130)}`)), `0x${signature.slice(2, 130)}`])
    const modexp = (base: Hex, exponent: Hex, modulus: Hex) =>
      concatHex([...[base, exponent, modulus].map((hex) => word((hex.length - 2) / 2)), base, exponent, modulus])
    // A signature of RFC 6979, A.2.5: P-256 with SHA-256 over "sample".
    const p256 = concatHex([
      sha256(stringToHex('sample')),
      '0xefd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716',
      '0xf7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
      '0x60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6',
      '0x7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299',
    ])
    const inputs: readonly (readonly [address: number, input: Hex])[] = [
      [1, recover],
      [1, '0x1234'],
      [2, '0x616263'],
      [3, '0x616263'],
      [4, '0x0102030405'],
      [5, modexp('0x03', '0x05', '0x07')],
      [5, modexp(`0x${'ab'.repeat(96)}`, '0x010001', `0x${'cd'.repeat(96)}`)],
      [5, modexp(`0x${'01'.repeat(1025)}`, '0x01', '0x07')],
      [5, '0x'],
      [6, concatHex([g1, g1])],
      [6, word(5)],
      [7, concatHex([g1, word(7)])],
      [8, '0x'],
      [8, concatHex([g1, word(1)])],
      [9, blake],
      [9, '0x01'],
      [10, '0x'],
      [10, pad('0x01', { size: 192 })],
      [11, pad('0x', { size: 256 })],
      [11, pad('0x01', { size: 256 })],
      [12, pad('0x', { size: 160 })],
      [13, pad('0x', { size: 512 })],
      [14, pad('0x', { size: 288 })],
      [15, pad('0x', { size: 384 })],
      [16, pad('0x01', { size: 64 })],
      [17, pad('0x01', { size: 128 })],
      [0x100, p256],
      [0x100, `${p256.slice(0, -2)}00` as Hex],
      [0x101, '0x01'],
    ]
    const raws = [await from.sign({ data: PROBE_INIT_CODE })]
    for (const [address, input] of inputs) {
      raws.push(await from.sign({ to: probe, data: concatHex([word(address), input]) }))
    }
    const block = await pair().mine(raws)
    const seen = await observeBlock(pair(), block)
    expect(seen.blinknet).toEqual(seen.anvil)
  })
})
