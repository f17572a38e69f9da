import { encodeDeployData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { createTestNode, devAccount, type RpcError, type TestNode } from '#testing/node/test-node.ts'
import { compileStandard } from '#testing/solidity/solc.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault {
  error TooMuch(uint256 asked);
  uint256 public left = 5;
  function take(uint256 amount) external {
    check(amount);
    left -= amount;
  }
  function check(uint256 amount) internal view {
    if (amount > left) revert TooMuch(amount);
  }
}`
const ABI = parseAbi(['function take(uint256)', 'function left() view returns (uint256)'])
const from = devAccount(0).address.toLowerCase() as Hex
const take = encodeFunctionData({ abi: ABI, functionName: 'take', args: [9n] })
const json = compileStandard({ 'src/Vault.sol': SOURCE }, {})
const initcode = encodeDeployData({
  abi: [],
  bytecode: `0x${json.output.contracts['src/Vault.sol']?.['Vault']?.evm.bytecode.object ?? ''}`,
})

async function withVault(options: NodeOptions = {}): Promise<{ node: TestNode; vault: Hex }> {
  const node = await createTestNode({ mode: 'manual', ...options })
  const hash = await node.request('eth_sendTransaction', [{ from, data: initcode, gas: '0x100000' }])
  await node.request('evm_mine')
  const receipt = await node.request('eth_getTransactionReceipt', [hash])
  return { node, vault: receipt?.contractAddress as Hex }
}

const give = (node: TestNode) => node.request('hardhat_addCompilationResult', ['0.8.30', json.input, json.output])

async function errorOf(asked: Promise<unknown>): Promise<JsonRpcErrorObject | undefined> {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown as RpcError,
  )
  return error?.error
}
const dataOf = async (asked: Promise<unknown>) => (await errorOf(asked))?.data
const stackTraceOf = async (asked: Promise<unknown>) => (await errorOf(asked))?.stackTrace

const STACK = [
  { contract: 'Vault', function: 'check', file: 'src/Vault.sol', line: 11 },
  { contract: 'Vault', function: 'take', file: 'src/Vault.sol', line: 7 },
]
const message = 'execution reverted: TooMuch(asked: 9)'

test('with a build, failed calls and estimates have their stack trace beside the revert data and in the log', async () => {
  const { node, vault } = await withVault()
  const call = { from, to: vault, data: take }
  const plain = await dataOf(node.request('eth_call', [call]))
  expect(plain).toMatch(/^0x[0-9a-f]{72}$/)
  expect(node.logged).toEqual([])
  expect(await give(node)).toBe(true)
  for (const method of ['eth_call', 'eth_estimateGas'] as const) {
    const error = (await node.request(method, [call]).catch((thrown: unknown) => thrown)) as RpcError
    expect(error.error).toMatchObject({
      code: 3,
      message: 'execution reverted',
      data: plain,
      stackTrace: { message, stack: STACK },
    })
  }
  expect(node.logged).toEqual(
    ['eth_call', 'eth_estimateGas'].map(
      (method) =>
        `${method} failed: ${message}\n    at Vault.check (src/Vault.sol:11:31)\n    at Vault.take (src/Vault.sol:7:5)`,
    ),
  )
  expect(await node.request('devnet_getStackTrace', [{ call }])).toMatchObject({ data: plain, message, stack: STACK })
  // Calls that no build explains keep plain data.
  const stranger = await dataOf(
    node.request('eth_call', [{ to: from, data: '0x' }, 'latest', { [from]: { code: '0x5f5ffd' } }]),
  )
  expect(stranger).toBe('0x')
})

test('a sent transaction that fails is explained as well: in automine by the error, later by its hash', async () => {
  const { node, vault } = await withVault({ throwOnTransactionFailures: true })
  await give(node)
  await node.request('evm_setAutomine', [true])
  const send = { from, to: vault, data: take, gas: '0x30000' }
  const error = await errorOf(node.request('eth_sendTransaction', [send]))
  expect(error?.stackTrace).toMatchObject({ message, stack: STACK })
  const block = await node.request('eth_getBlockByNumber', ['latest', false])
  const [hash] = (block?.transactions ?? []) as readonly Hex[]
  expect(await node.request('devnet_getStackTrace', [hash])).toEqual({ data: error?.data, ...error?.stackTrace })
  expect(node.logged).toEqual([expect.stringContaining(`transaction ${hash} failed: ${message}`)])
})

test('a transaction that fails at a tick has its stack trace in the log, once, and the tick does not wait for it', async () => {
  const { node, vault } = await withVault()
  await give(node)
  const send = { from, to: vault, data: take, gas: '0x30000' }
  const hash = await node.request('eth_sendTransaction', [send])
  const fine = { ...send, data: encodeFunctionData({ abi: ABI, functionName: 'left' }) }
  await node.request('eth_sendTransaction', [fine])
  await node.request('devnet_tick', [1])
  const told = `transaction ${hash} failed: ${message}\n    at Vault.check (src/Vault.sol:11:31)\n    at Vault.take (src/Vault.sol:7:5)`
  await expect.poll(() => node.logged).toEqual([told])
  await node.request('devnet_tick', [12])
  await node.request('evm_mine')
  expect(node.logged).toEqual([told])
})

test('of many transactions that fail at once the log has the first ones, and the number of the others', async () => {
  const { node, vault } = await withVault()
  await give(node)
  const send = { from, to: vault, data: take, gas: '0x30000' }
  const hashes = await Promise.all(Array.from({ length: 40 }, () => node.request('eth_sendTransaction', [send])))
  await node.request('devnet_tick', [1])
  expect(node.logged).toEqual(['24 more transactions of block 2 failed: too many at once to say where'])
  await expect.poll(() => node.logged).toHaveLength(17)
  for (const hash of hashes.slice(0, 16)) {
    expect(node.logged).toContainEqual(expect.stringContaining(`transaction ${hash} failed: ${message}`))
  }
})

test('a failed call does not wait for the transactions that are explained for the log', async () => {
  const { node, vault } = await withVault()
  await give(node)
  const send = { from, to: vault, data: take, gas: '0x30000' }
  await Promise.all(Array.from({ length: 16 }, () => node.request('eth_sendTransaction', [send])))
  await node.request('devnet_tick', [1])
  expect(await stackTraceOf(node.request('eth_call', [send]))).toMatchObject({ message, stack: STACK })
  expect(node.logged.length).toBeLessThan(16)
  await expect.poll(() => node.logged).toHaveLength(17)
})

test('the same transaction, executed again at the same height, is explained again', async () => {
  const { node, vault } = await withVault({ throwOnTransactionFailures: true })
  await give(node)
  await node.request('evm_setAutomine', [true])
  const send = { from, to: vault, data: take, gas: '0x30000', gasPrice: '0x77359400' }
  const hashOf = async () => (await node.request('eth_getBlockByNumber', ['latest', false]))?.transactions[0]
  const snapshot = await node.request('evm_snapshot')
  expect(await stackTraceOf(node.request('eth_sendTransaction', [send]))).toMatchObject({ message, stack: STACK })
  const hash = await hashOf()
  await node.request('evm_revert', [snapshot])
  await node.request('anvil_setCode', [vault, '0x60076000526001601ffd'])
  // Code of no build.
  expect(await dataOf(node.request('eth_sendTransaction', [send]))).toBe('0x07')
  expect(await hashOf()).toBe(hash)
})

test('a build is found by the code of an account, and without one there is nothing', async () => {
  const { node, vault } = await withVault()
  expect(await node.request('devnet_getBuild', [vault])).toBeNull()
  expect(await node.request('devnet_getStackTrace', [{ call: { from, to: vault, data: take } }])).toBeNull()
  await give(node)
  expect(await node.request('devnet_getBuild', [vault])).toMatchObject({
    ...{ contract: 'Vault', path: 'src/Vault.sol', compiler: '0.8.30', isExact: true },
    input: { language: 'Solidity', sources: { 'src/Vault.sol': { content: SOURCE } } },
    output: JSON.parse(JSON.stringify(json.output)) as object,
  })
  expect(await node.request('devnet_getBuild', [from])).toBeNull()
  const fine = encodeFunctionData({ abi: ABI, functionName: 'left' })
  expect(await node.request('devnet_getStackTrace', [{ call: { to: vault, data: fine } }])).toBeNull()
})

const CREATION = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Part {
  uint256 immutable size;
  constructor(uint256 size_) {
    require(size_ < 10, "too large");
    size = size_;
  }
}
contract Maker {
  Part part;
  constructor(uint256 size) payable {
    part = new Part(size);
  }
}`

test('a creation that fails is explained: as a call, at a tick and with automine, by its constructor and those within', async () => {
  const made = compileStandard({ 'src/Maker.sol': CREATION }, {})
  const code = made.output.contracts['src/Maker.sol']?.['Maker']?.evm.bytecode.object ?? ''
  const abi = parseAbi(['constructor(uint256 size) payable'])
  const data = encodeDeployData({ abi, bytecode: `0x${code}`, args: [12n] })
  const stack = [
    { contract: 'Part', function: 'constructor', file: 'src/Maker.sol', line: 6 },
    { contract: 'Maker', function: 'constructor', file: 'src/Maker.sol', line: 13 },
  ]
  const told = { message: 'execution reverted: too large', stack }
  const node = await createTestNode({ mode: 'manual', throwOnTransactionFailures: true })
  expect(await node.request('devnet_getBuild', [{ initcode: data }])).toBeNull()
  await node.request('hardhat_addCompilationResult', ['0.8.30', made.input, made.output])
  const send = { from, data, gas: '0x100000' }
  for (const method of ['eth_call', 'eth_estimateGas'] as const)
    expect(await stackTraceOf(node.request(method, [send]))).toMatchObject(told)
  const hash = await node.request('eth_sendTransaction', [send])
  await node.request('devnet_tick', [1])
  await expect
    .poll(() => node.logged.at(-1))
    .toMatch(/^transaction 0x\w+ failed: .*\n {4}at Part.constructor \(src\/Maker.sol:6:5\)/)
  expect(await node.request('devnet_getStackTrace', [hash])).toMatchObject(told)
  await node.request('evm_setAutomine', [true])
  expect(await stackTraceOf(node.request('eth_sendTransaction', [send]))).toMatchObject(told)

  // A page asks for its sources by the initcode, arguments included: the account has no code.
  const receipt = await node.request('eth_getTransactionReceipt', [hash])
  expect(receipt).toMatchObject({ status: '0x0' })
  const account = receipt?.contractAddress ?? from
  expect(await node.request('devnet_getBuild', [account])).toBeNull()
  expect(await node.request('devnet_getBuild', [{ initcode: data }])).toMatchObject({
    ...{ contract: 'Maker', path: 'src/Maker.sol' },
    input: { sources: { 'src/Maker.sol': { content: CREATION } } },
  })
  expect(await node.request('devnet_getBuild', [{ initcode: '0x' }])).toBeNull()
})

test.each([[[7]], [[{}]], [[{ initcode: 'code' }]]])('devnet_getBuild %j is refused', async (params) => {
  const { requestLoosely } = await createTestNode({ mode: 'manual' })
  const refused = (await requestLoosely('devnet_getBuild', params).catch((thrown: unknown) => thrown)) as RpcError
  expect(refused.error.code).toBe(-32602)
})

test.each([
  [[7, {}, {}], 'invalid argument 0: json: cannot unmarshal number into Go value of type string'],
  [['0.8.30', [], {}], 'invalid argument 1: json: cannot unmarshal array into Go value of type object'],
  [['0.8.30', {}, { contracts: 7 }], /^this is no compilation: /],
  [['0.8.30', {}, { sources: [], contracts: {} }], /^this is no compilation: /],
])('hardhat_addCompilationResult %j is refused', async (params, refused) => {
  const { requestLoosely } = await createTestNode({ mode: 'manual' })
  const error = (await requestLoosely('hardhat_addCompilationResult', params).catch(
    (thrown: unknown) => thrown,
  )) as RpcError
  expect(error.error.code).toBe(-32602)
  expect(error.error.message).toMatch(refused)
})

test('texts of a stack trace have an end, however long the line is', async () => {
  const { node, vault } = await withVault()
  const long = { 'src/Vault.sol': SOURCE.replace('if (amount', `/*${' '.repeat(100_000)}*/ if (amount`) }
  const { input, output } = compileStandard(long, {})
  await node.request('hardhat_addCompilationResult', ['0.8.30', input, output])
  const trace = await node.request('devnet_getStackTrace', [{ call: { from, to: vault, data: take } }])
  expect(trace?.stack[0]).toMatchObject({ function: 'check', line: 11 })
  expect(trace?.stack[0]?.text).toHaveLength(4_097)
})

test('failures at the same time are explained one after the other, each with its stack', async () => {
  const { node, vault } = await withVault()
  await give(node)
  const calls = Array.from({ length: 20 }, () =>
    stackTraceOf(node.request('eth_call', [{ from, to: vault, data: take }])),
  )
  for (const trace of await Promise.all(calls)) expect(trace).toMatchObject({ message, stack: STACK })
})

const TELLING = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Telling {
  error Told(address who, uint256 count, string words, bytes4 id, bool yes, uint256[] list, bytes data);
  constructor() {
    uint256[] memory list = new uint256[](2);
    list[1] = 7;
    revert Told(address(0xBEEF), 5, unicode'0xab: "it"', 0x01020304, true, list, hex"c0de");
  }
}`

test('as Hardhat, a custom error is told without the names of its arguments, addresses and bytes in quotes', async () => {
  const made = compileStandard({ 'src/Telling.sol': TELLING }, {})
  const code = made.output.contracts['src/Telling.sol']?.['Telling']?.evm.bytecode.object ?? ''
  const node = await createTestNode({ as: 'hardhat' })
  await node.request('hardhat_addCompilationResult', ['0.8.30', made.input, made.output])
  const args = '"0x000000000000000000000000000000000000bEEF", 5, "0xab: \\"it\\"", "0x01020304", true, [0, 7], "0xc0de"'
  expect(await errorOf(node.requestLoosely('eth_call', [{ from, data: `0x${code}` }]))).toMatchObject({
    message: `VM Exception while processing transaction: reverted with custom error 'Told(${args})'`,
  })
})
