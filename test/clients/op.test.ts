import { createConfig, getTransactionReceipt, waitForTransactionReceipt } from '@wagmi/core'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  parseEther,
  parseGwei,
  publicActions,
  toHex,
  zeroAddress,
} from 'viem'
import { base } from 'viem/chains'
import { getWithdrawals, publicActionsL1, publicActionsL2, walletActionsL2 } from 'viem/op-stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StartedNode, startBlinknet } from './support/running-node.ts'
import { VAULT_ABI, VAULT_BYTECODE } from './support/vault-contract.ts'
import { devAccount, POLLING_MS } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const CHAIN = defineChain({ ...base, id: 31337, sourceId: 1, rpcUrls: { default: { http: [] } } })

let node: StartedNode
beforeAll(async () => {
  node = await startBlinknet({ op: true, partialMs: 20, partialsPerBlock: 5 })
})
afterAll(() => node.close())

const wallet = (index: number) =>
  createWalletClient({
    account: devAccount(index),
    chain: CHAIN,
    transport: http(node.http),
    pollingInterval: POLLING_MS,
  })
    .extend(publicActions)
    .extend(publicActionsL2())
    .extend(walletActionsL2())

async function mined(client: ReturnType<typeof wallet>, hash: `0x${string}`) {
  const receipt = await client.waitForTransactionReceipt({ hash, confirmations: 1 })
  expect(receipt.status).toBe('success')
  return receipt
}

test('viem estimates what a transfer then costs, for L1, the operator and in all', async () => {
  const client = wallet(0)
  const request = { account: client.account, to: SOMEBODY, value: parseEther('1') } as const
  const [l1Fee, l1Gas, operatorFee, totalGas] = await Promise.all([
    client.estimateL1Fee(request),
    client.estimateL1Gas(request),
    client.estimateOperatorFee(request),
    client.estimateTotalGas(request),
  ])
  const total = await client.estimateTotalFee(request)
  const before = await client.getBalance({ address: client.account.address, blockTag: 'pending' })
  const receipt = await mined(client, await client.sendTransaction(request))
  const after = await client.getBalance({ address: client.account.address, blockTag: 'pending' })
  expect(receipt).toMatchObject({ l1Fee, l1GasUsed: l1Gas, l1GasPrice: parseGwei('20'), l1FeeScalar: null })
  expect({ operatorFee, totalGas }).toEqual({ operatorFee: 0n, totalGas: 21_000n + l1Gas })
  const spent = before - after - request.value
  expect(spent).toBe(receipt.gasUsed * receipt.effectiveGasPrice + l1Fee)
  // The price may have moved since, by little.
  expect(Number(spent) / Number(total)).toBeCloseTo(1, 1)
})

test('the L1 base fee is the one that contracts read, and it can be changed', async () => {
  const client = wallet(1)
  expect(await client.getL1BaseFee()).toBe(parseGwei('20'))
  await node.rpc('anvil_setStorageAt', L1_BLOCK, toHex(1, { size: 32 }), toHex(parseGwei('50'), { size: 32 }))
  await expect.poll(() => client.getL1BaseFee()).toBe(parseGwei('50'))
  const request = { account: client.account, to: SOMEBODY, value: 1n } as const
  const l1Fee = await client.estimateL1Fee(request)
  expect(await mined(client, await client.sendTransaction(request))).toMatchObject({
    l1Fee,
    l1GasPrice: parseGwei('50'),
  })
})

test('for more data, the estimate adds 68 bytes for a signature, as on every OP chain', async () => {
  const client = wallet(2)
  const data = toHex(Uint8Array.from({ length: 1_000 }, (_, i) => (i * i * 31 + (i >> 3)) % 251))
  const request = { account: client.account, to: SOMEBODY, data } as const
  const estimate = await client.estimateL1Fee(request)
  const { l1Fee } = await mined(client, await client.sendTransaction(request))
  expect(Number(l1Fee) / Number(estimate)).toBeCloseTo(1, 1)
  expect(l1Fee).toBeLessThanOrEqual(estimate)
})

test('a contract call costs what its estimates say', async () => {
  const client = wallet(3)
  const deployed = await mined(
    client,
    await client.deployContract({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [1n] }),
  )
  const call = {
    abi: VAULT_ABI,
    address: deployed.contractAddress ?? expect.fail('no contract'),
    functionName: 'set',
    args: [7n, 'mine'],
  } as const
  const total = await client.estimateContractTotalFee({ ...call, account: client.account })
  const l1Fee = await client.estimateContractL1Fee({ ...call, account: client.account })
  const receipt = await mined(client, await client.writeContract(call))
  expect(Number(receipt.l1Fee) / Number(l1Fee)).toBeCloseTo(1, 1)
  expect(total).toBeGreaterThan(l1Fee)
})

test('a withdrawal that is built for L1 is initiated on this chain, and found in its receipt', async () => {
  const client = wallet(4)
  // viem builds it with a client of L1, of which it asks nothing.
  const l1 = createPublicClient({ chain: CHAIN, transport: http(node.http) }).extend(publicActionsL1())
  const { request } = await l1.buildInitiateWithdrawal({ to: SOMEBODY, value: 5n, gas: 50_000n, data: '0x1234' })
  const withdrawal = { account: client.account, request }
  expect(await client.estimateInitiateWithdrawalGas(withdrawal)).toBeGreaterThan(21_000n)
  const receipt = await mined(client, await client.initiateWithdrawal(withdrawal))
  expect(getWithdrawals(receipt)).toMatchObject([
    {
      sender: client.account.address,
      target: expect.stringMatching(/c0ffe$/i) as unknown,
      value: 5n,
      gasLimit: 50_000n,
    },
  ])
  const plain = await mined(
    client,
    await client.sendTransaction({ to: '0x4200000000000000000000000000000000000016', value: 3n }),
  )
  expect(getWithdrawals(plain)).toMatchObject([{ target: client.account.address, value: 3n, gasLimit: 100_000n }])
})

test('blocks and transactions are read with the formatters of an OP chain; there is no deposit among them', async () => {
  const client = wallet(5)
  const receipt = await mined(client, await client.sendTransaction({ to: SOMEBODY, value: 1n }))
  await expect.poll(() => client.getBlockNumber({ cacheTime: 0 })).toBeGreaterThanOrEqual(receipt.blockNumber)
  const block = await client.getBlock({ blockNumber: receipt.blockNumber, includeTransactions: true })
  const found = block.transactions.find(({ hash }) => hash === receipt.transactionHash)
  expect(found).toMatchObject({ type: 'eip1559', typeHex: '0x2', value: 1n })
  expect(block.transactions.map(({ type }) => type)).not.toContain('deposit')
})

test('all but what L1 costs can be sent, and not a wei more', async () => {
  const client = wallet(6)
  const request = { account: client.account, to: zeroAddress, value: 1n } as const
  const l1Fee = await client.estimateL1Fee(request)
  const balance = await client.getBalance({ address: client.account.address, blockTag: 'pending' })
  const fees = { gas: 21_000n, maxFeePerGas: parseGwei('5'), maxPriorityFeePerGas: 0n }
  const most = balance - fees.gas * fees.maxFeePerGas
  await expect(client.sendTransaction({ ...request, ...fees, value: most })).rejects.toThrow(/exceeds the balance/)
  await expect(client.sendTransaction({ ...request, ...fees, value: most - l1Fee + 1n })).rejects.toThrow(/balance/)
  await mined(client, await client.sendTransaction({ ...request, ...fees, value: most - l1Fee }))
})

test('wagmi has the fee for L1 in the receipt of a chain that it takes for Base', async () => {
  const client = wallet(7)
  const config = createConfig({
    chains: [CHAIN],
    transports: { [CHAIN.id]: http(node.http) },
    pollingInterval: POLLING_MS,
  })
  const hash = await client.sendTransaction({ to: SOMEBODY, value: 1n })
  const { status, l1Fee } = await waitForTransactionReceipt(config, { hash })
  expect(status).toBe('success')
  expect(l1Fee).toBeGreaterThan(0n)
  expect(await getTransactionReceipt(config, { hash })).toMatchObject({ l1Fee })
})

test('on a chain without --op, nothing is paid for L1, and who asks what it costs is told that nobody knows', async () => {
  const plain = await startBlinknet({ partialMs: 20, partialsPerBlock: 5 })
  try {
    const transport = http(plain.http)
    const client = createWalletClient({ account: devAccount(0), chain: CHAIN, transport, pollingInterval: POLLING_MS })
      .extend(publicActions)
      .extend(publicActionsL2())
    const hash = await client.sendTransaction({ to: SOMEBODY, value: 1n })
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success', l1Fee: null })
    const asked = client.estimateL1Fee({ account: client.account, to: SOMEBODY, value: 1n })
    await expect(asked).rejects.toThrow('returned no data')
  } finally {
    await plain.close()
  }
})
