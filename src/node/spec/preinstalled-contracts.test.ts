import { concatHex, domainSeparator, encodeFunctionData, erc20Abi, getContractAddress, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hexToBytes, toWord } from '#primitives/hex.ts'
import { viemWallet } from '#testing/node/rpc/viem-client.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { PREINSTALLED_CONTRACTS } from './preinstalled-contracts.ts'

let node: TestNode
let client: ReturnType<typeof viemWallet>

beforeAll(async () => {
  node = await createTestNode({ mode: 'manual' })
  client = viemWallet(node, devAccount(0).address)
})
afterAll(() => node.node.close())

function addressOf(name: string) {
  const contract = PREINSTALLED_CONTRACTS.find((candidate) => candidate.name === name)
  if (!contract) throw new RangeError(`no contract ${name}`)
  return contract.address
}

test('the contracts have the same code as on Ethereum', () => {
  const hashes = PREINSTALLED_CONTRACTS.map(({ name, code }) => [name, keccak256Hex(hexToBytes(code))])
  expect(Object.fromEntries(hashes)).toEqual({
    'CREATE2 deployer': '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
    'Safe singleton factory': '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
    Multicall3: '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891',
    Permit2: '0xc67d1657868aa5146eaf24fb879fb1fdec3d2d493b3683a61c9c2f4fb2851131',
  })
})

test('the node has them in block 0, each with nonce 1', async () => {
  for (const { address, code } of PREINSTALLED_CONTRACTS) {
    expect(await node.request('eth_getCode', [address, 'earliest'])).toBe(code)
    expect(await node.request('eth_getTransactionCount', [address, 'earliest'])).toBe('0x1')
  }
})

/** Initcode that deploys the 10 bytes after it: a contract that returns 42 for every call. */
const ANSWER_42 = '0x600a600c600039600a6000f3602a60005260206000f3'

test.each(['CREATE2 deployer', 'Safe singleton factory'])(
  'a contract deployed by the %s is at the address computed by viem',
  async (name) => {
    const salt = toWord(7)
    const to = addressOf(name)
    const hash = await client.sendTransaction({ to, data: concatHex([salt, ANSWER_42]), gas: 200_000n })
    await node.request('devnet_tick')
    const address = getContractAddress({ opcode: 'CREATE2', from: to, salt, bytecode: ANSWER_42 })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await client.getCode({ address, blockTag: 'pending' })).toBe(`0x${ANSWER_42.slice(-20)}`)
    expect(await client.call({ to: address, blockTag: 'pending' })).toEqual({ data: toWord(42) })
  },
)

test('viem batches reads through Multicall3, at pending', async () => {
  const [to, multicallAddress] = [devAccount(1).address, addressOf('Multicall3')]
  await client.sendTransaction({ to, value: 5n, gas: 21_000n })
  await node.request('devnet_tick')
  const abi = parseAbi([
    'function getEthBalance(address) view returns (uint256)',
    'function getBlockNumber() view returns (uint256)',
    'function getChainId() view returns (uint256)',
  ])
  const call = { address: multicallAddress, abi } as const
  const results = await client.multicall({
    multicallAddress,
    blockTag: 'pending',
    contracts: [
      { ...call, functionName: 'getEthBalance', args: [to] },
      { ...call, functionName: 'getBlockNumber' },
      { ...call, functionName: 'getChainId' },
      { address: to, abi: erc20Abi, functionName: 'totalSupply' },
    ],
  })
  expect(results.map(({ result }) => result)).toEqual([
    10_000n * 10n ** 18n + 5n,
    await client.getBlock({ blockTag: 'pending' }).then(({ number }) => number),
    31337n,
    undefined,
  ])
})

test('Permit2 has the domain of this chain', async () => {
  const abi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])
  const address = addressOf('Permit2')
  const domain = { name: 'Permit2', chainId: 31337, verifyingContract: address }
  expect(await client.readContract({ address, abi, functionName: 'DOMAIN_SEPARATOR' })).toBe(
    domainSeparator({ domain }),
  )
})

test('Permit2 accepts a permit signed by the owner, and refuses it a second time', async () => {
  const address = addressOf('Permit2')
  const [owner, token, spender] = [devAccount(2), `0x${'70'.repeat(20)}`, devAccount(3).address] as const
  const abi = parseAbi([
    'function permit(address owner, PermitSingle permitSingle, bytes signature)',
    'function allowance(address, address, address) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
    'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
    'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
  ])
  const details = { token, amount: 1_000n, expiration: 2 ** 40, nonce: 0 }
  const message = { details, spender, sigDeadline: 2n ** 40n }
  const signature = await owner.signTypedData({
    domain: { name: 'Permit2', chainId: 31337, verifyingContract: address },
    types: {
      PermitSingle: [
        { name: 'details', type: 'PermitDetails' },
        { name: 'spender', type: 'address' },
        { name: 'sigDeadline', type: 'uint256' },
      ],
      PermitDetails: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint160' },
        { name: 'expiration', type: 'uint48' },
        { name: 'nonce', type: 'uint48' },
      ],
    },
    primaryType: 'PermitSingle',
    message,
  })
  const data = encodeFunctionData({ abi, functionName: 'permit', args: [owner.address, message, signature] })
  await client.sendTransaction({ to: address, data, gas: 200_000n })
  await node.request('devnet_tick')
  const allowance = { address, abi, functionName: 'allowance', args: [owner.address, token, spender] } as const
  expect(await client.readContract({ ...allowance, blockTag: 'pending' })).toEqual([1_000n, 2 ** 40, 1])
  const again = await client.sendTransaction({ to: address, data, gas: 200_000n })
  await node.request('devnet_tick')
  expect(await client.getTransactionReceipt({ hash: again })).toMatchObject({ status: 'reverted' })
})
