import { readFileSync } from 'node:fs'
import { encodeFunctionData, getContractAddress, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { BATCH_DELEGATE } from '#rpc-types/batch-delegate.ts'
import { DEPLOY_GATE } from '#testing/node/rpc/gate-contracts.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { BATCH_DELEGATE_INITCODE, CREATE2_DEPLOYER, deploymentInput, executeInput } from './batch-delegate.ts'

const ABI = parseAbi([
  'function execute((address to, uint256 value, bytes data)[] calls) payable',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
  'function supportsInterface(bytes4 id) pure returns (bool)',
  'function onERC721Received(address, address, uint256, bytes) returns (bytes4)',
  'function onERC1155Received(address, address, uint256, uint256, bytes) returns (bytes4)',
  'function onERC1155BatchReceived(address, address, uint256[], uint256[], bytes) returns (bytes4)',
])
const FROM = devAccount(0).address.toLowerCase() as Hex
const TO = devAccount(1).address.toLowerCase() as Hex
const NOBODY = `0x${'99'.repeat(20)}` as const
const NO = `0xffffffff${'0'.repeat(56)}`

let request: TestNode['request']
beforeEach(async () => {
  const node = await createTestNode({ mode: 'manual' })
  request = node.request
  await request('eth_sendTransaction', [{ from: FROM, to: CREATE2_DEPLOYER, data: bytesToHex(deploymentInput()) }])
  await request('devnet_tick')
  await request('anvil_setCode', [FROM, `0xef0100${BATCH_DELEGATE.slice(2)}`])
})

const call = (data: Hex, fields: object = {}) =>
  request('eth_call', [{ to: FROM, from: TO, data, ...fields }, 'pending'])
const ask = (...how: Parameters<typeof encodeFunctionData<typeof ABI>>) => call(encodeFunctionData(...how))
const balance = async (account: Hex) => BigInt(await request('eth_getBalance', [account, 'pending']))

test('the code is compiled from the source beside it, and its address is where the CREATE2 deployer puts it', async () => {
  const content = readFileSync(new URL('BatchDelegate.sol', import.meta.url), 'utf8')
  const settings = {
    evmVersion: 'prague',
    optimizer: { enabled: true, runs: 200 },
    metadata: { bytecodeHash: 'none', appendCBOR: false },
  }
  const { output } = compileStandard({ 'BatchDelegate.sol': content }, settings)
  const { bytecode, deployedBytecode } = output.contracts['BatchDelegate.sol']?.['BatchDelegate']?.evm ?? {}
  expect(`0x${bytecode?.object}`).toBe(BATCH_DELEGATE_INITCODE)
  const made = { from: CREATE2_DEPLOYER, salt: toHex(0, { size: 32 }), bytecode: BATCH_DELEGATE_INITCODE } as const
  expect(getContractAddress({ opcode: 'CREATE2', ...made }).toLowerCase()).toBe(BATCH_DELEGATE)
  expect(await request('eth_getCode', [BATCH_DELEGATE, 'pending'])).toBe(`0x${deployedBytecode?.object}`)
})

test('calls are encoded as the ABI has them', () => {
  const calls = [
    { to: TO, value: 5n, data: '0x' },
    { to: FROM, value: 2n ** 200n, data: '0x01' },
    { to: NOBODY, value: 0n, data: `0x${'ab'.repeat(32)}` },
    { to: NOBODY, value: 0n, data: `0x${'cd'.repeat(33)}` },
  ] as const
  const encoded = executeInput(calls.map(({ data, ...rest }) => ({ ...rest, data: hexToBytes(data) })))
  expect(bytesToHex(encoded)).toBe(encodeFunctionData({ abi: ABI, functionName: 'execute', args: [calls] }))
  expect(bytesToHex(executeInput([]))).toBe(encodeFunctionData({ abi: ABI, functionName: 'execute', args: [[]] }))
})

test('only the account itself makes calls, not one that it has called either', async () => {
  const data = encodeFunctionData({ abi: ABI, functionName: 'execute', args: [[{ to: TO, value: 1n, data: '0x' }]] })
  const refused = { error: { code: 3, data: expect.stringMatching(/^0x4ada2e6c/) as unknown } }
  await expect(call(data)).rejects.toMatchObject(refused)
  await expect(call(data, { from: NOBODY })).rejects.toMatchObject(refused)
  expect(await call(data, { from: FROM })).toBe('0x')
  // A contract that passes on what it is called with, to whoever calls it.
  const back = '0x365f5f375f5f365f5f335af13d5f5f3e6016573d5ffd5b00'
  await request('anvil_setCode', [NOBODY, back])
  const through = [{ to: NOBODY, value: 0n, data }]
  const outer = encodeFunctionData({ abi: ABI, functionName: 'execute', args: [through] })
  await expect(call(outer, { from: FROM })).rejects.toMatchObject({
    error: { code: 3, data: `0x4ada2e6c${NOBODY.slice(2).padStart(64, '0')}` },
  })
})

test('one call that fails undoes all, and its revert data is that of the whole', async () => {
  const before = await balance(NOBODY)
  // Reverts with `Error("no")`, and with nothing.
  const error = `08c379a0${toHex(32, { size: 32 }).slice(2)}${toHex(2, { size: 32 }).slice(2)}6e6f${'0'.repeat(60)}`
  const loud = `0x6064600c60003960646000fd${error}` as Hex
  await request('anvil_setCode', ['0x00000000000000000000000000000000000000e1', loud])
  const calls = (to: Hex) => [
    { to: NOBODY, value: 7n, data: '0x' } as const,
    { to, value: 0n, data: '0x' } as const,
    { to: NOBODY, value: 7n, data: '0x' } as const,
  ]
  const batch = (to: Hex) => encodeFunctionData({ abi: ABI, functionName: 'execute', args: [calls(to)] })
  await expect(call(batch('0x00000000000000000000000000000000000000e1'), { from: FROM })).rejects.toMatchObject({
    error: { code: 3, data: `0x${error}`, message: 'execution reverted: no' },
  })
  const { contractAddress } = await deploy(DEPLOY_GATE)
  await expect(call(batch(contractAddress), { from: FROM })).rejects.toMatchObject({ error: { code: 3, data: '0x' } })
  await request('eth_sendTransaction', [{ from: FROM, to: FROM, data: batch(contractAddress), gas: '0x100000' }])
  await request('devnet_tick')
  expect(await balance(NOBODY)).toBe(before)
})

async function deploy(data: Hex): Promise<{ contractAddress: Hex }> {
  const hash = await request('eth_sendTransaction', [{ from: TO, data }])
  await request('devnet_tick')
  const receipt = await request('eth_getTransactionReceipt', [hash])
  return { contractAddress: receipt?.contractAddress as Hex }
}

test('the account takes ether, tokens that ask first, and any other call, as without code', async () => {
  const before = await balance(FROM)
  await request('eth_sendTransaction', [{ from: TO, to: FROM, value: '0x5', data: '0x12345678' }])
  await request('eth_sendTransaction', [{ from: TO, to: FROM, value: '0x2' }])
  await request('devnet_tick')
  expect(await balance(FROM)).toBe(before + 7n)
  expect(await call('0x123456')).toBe('0x')
  const one = { abi: ABI, functionName: 'onERC721Received', args: [TO, TO, 1n, '0x'] } as const
  expect(await ask(one)).toBe(`0x150b7a02${'0'.repeat(56)}`)
  const many = { abi: ABI, functionName: 'onERC1155Received', args: [TO, TO, 1n, 2n, '0x'] } as const
  expect(await ask(many)).toBe(`0xf23a6e61${'0'.repeat(56)}`)
  const several = { abi: ABI, functionName: 'onERC1155BatchReceived', args: [TO, TO, [1n], [2n], '0x'] } as const
  expect(await ask(several)).toBe(`0xbc197c81${'0'.repeat(56)}`)
})

test.each([
  ['0x01ffc9a7', true],
  ['0x150b7a02', true],
  ['0x4e2312e0', true],
  ['0x1626ba7e', true],
  ['0xffffffff', false],
  ['0x80ac58cd', false],
] as const)('whether it supports the interface %s: %s', async (id, isSupported) => {
  const answer = await ask({ abi: ABI, functionName: 'supportsInterface', args: [id] })
  expect(answer).toBe(toHex(isSupported ? 1 : 0, { size: 32 }))
})

test('contracts take what the account’s key has signed, and nothing else', async () => {
  const hash = keccak256('0x1234')
  const signature = await devAccount(0).sign({ hash })
  const check = (signed: Hex, of: Hex = hash) => ask({ abi: ABI, functionName: 'isValidSignature', args: [of, signed] })
  expect(await check(signature)).toBe(`0x1626ba7e${'0'.repeat(56)}`)
  expect(await check(signature, keccak256('0x'))).toBe(NO)
  expect(await check(await devAccount(1).sign({ hash }))).toBe(NO)
  expect(await check(signature.slice(0, -2) as Hex)).toBe(NO)
  expect(await check(`${signature}00`)).toBe(NO)
  // The other signature of the same key for the same hash.
  const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = N - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  expect(await check(`0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v}`)).toBe(NO)
  // `ecrecover` answers 0 for what is no signature.
  expect(await check(`0x${'0'.repeat(130)}`)).toBe(NO)
})
