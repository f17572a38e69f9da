import {
  createPublicClient,
  encodeFunctionData,
  getAddress,
  type Hash,
  http,
  InsufficientFundsError,
  NonceTooLowError,
  parseEther,
  parseGwei,
  recoverTypedDataAddress,
  TransactionReceiptNotFoundError,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { onEveryNode } from './support/on-every-node.ts'
import { VAULT_ABI, VAULT_BYTECODE } from './support/vault-contract.ts'
import { devAccount, publicClient, remoteWalletClient, walletClient, webSocketClient } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'

onEveryNode('viem, transactions,', (node) => {
  const mined = async (hash: Hash) => {
    const receipt = await publicClient(node()).waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'success', transactionHash: hash })
    return receipt
  }

  test.each(['legacy', 'eip2930', 'eip1559'] as const)('a %s transaction moves its value', async (type) => {
    const client = walletClient(node(), 0)
    const before = await client.getBalance({ address: SOMEBODY })
    const nonce = await client.getTransactionCount({ address: client.account.address, blockTag: 'pending' })
    const hash = await client.sendTransaction(
      type === 'eip2930'
        ? {
            type,
            to: SOMEBODY,
            value: 7n,
            gasPrice: parseGwei('5'),
            accessList: [{ address: SOMEBODY, storageKeys: [] }],
          }
        : { type, to: SOMEBODY, value: 7n },
    )
    const receipt = await mined(hash)
    expect(receipt).toMatchObject({ type, gasUsed: type === 'eip2930' ? 23_400n : 21_000n, contractAddress: null })
    expect(await client.getBalance({ address: SOMEBODY })).toBe(before + 7n)
    expect(await client.getTransactionCount({ address: client.account.address, blockTag: 'pending' })).toBe(nonce + 1)
    expect(await client.getTransaction({ hash })).toMatchObject({ type, value: 7n, nonce, chainId: 31337 })
  })

  test('an account signs over its code to a contract and back (type 4)', async () => {
    const client = walletClient(node(), 1)
    const deployed = await mined(await client.deployContract({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [1n] }))
    const contractAddress = deployed.contractAddress ?? expect.fail('no contract')
    const self = privateKeyToAccount(generatePrivateKey())

    const authorization = await client.signAuthorization({ account: self, contractAddress })
    const hash = await client.sendTransaction({
      to: self.address,
      data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'set', args: [42n, 'mine'] }),
      authorizationList: [authorization],
    })
    expect(await mined(hash)).toMatchObject({ type: 'eip7702', status: 'success' })
    expect(await client.getCode({ address: self.address, blockTag: 'pending' })).toBe(
      `0xef0100${contractAddress.slice(2)}`,
    )
    expect(await client.getDelegation({ address: self.address, blockTag: 'pending' })).toBe(getAddress(contractAddress))
    expect(await client.readContract({ address: self.address, abi: VAULT_ABI, functionName: 'number' })).toBe(42n)
    expect(await client.readContract({ address: contractAddress, abi: VAULT_ABI, functionName: 'number' })).toBe(1n)
    const { authorizationList } = await client.getTransaction({ hash })
    expect(authorizationList).toMatchObject([{ chainId: 31337, nonce: 0 }])
    // A quantity on the wire: its leading zeros are gone.
    expect(authorizationList?.map(({ r }) => BigInt(r))).toEqual([BigInt(authorization.r)])
  })

  test('a transaction is filled in, signed here and sent raw', async () => {
    const client = walletClient(node(), 2)
    const request = await client.prepareTransactionRequest({ to: SOMEBODY, value: 1n })
    expect(request).toMatchObject({ type: 'eip1559', gas: 21_000n, chainId: 31337 })
    expect(request.maxFeePerGas).toBeGreaterThan(request.maxPriorityFeePerGas)
    const hash = await client.sendRawTransaction({ serializedTransaction: await client.signTransaction(request) })
    await mined(hash)
  })

  test('the node signs for a development account', async () => {
    const client = remoteWalletClient(node(), 3)
    expect(await client.getAddresses()).toContain(client.account.address)
    const hash = await client.sendTransaction({ to: SOMEBODY, value: 3n })
    await mined(hash)
    expect(await client.getTransaction({ hash })).toMatchObject({
      from: client.account.address.toLowerCase(),
      value: 3n,
    })
  })

  test('the node signs messages and typed data as the account itself would', async () => {
    const remote = remoteWalletClient(node(), 4)
    const local = devAccount(4)
    expect(await remote.signMessage({ message: 'hello' })).toBe(await local.signMessage({ message: 'hello' }))
    const typed = {
      domain: { name: 'Mail', version: '1', chainId: 31337, verifyingContract: SOMEBODY },
      types: {
        Person: [
          { name: 'name', type: 'string' },
          { name: 'wallets', type: 'address[]' },
        ],
        Mail: [
          { name: 'from', type: 'Person' },
          { name: 'amount', type: 'uint256' },
        ],
      },
      primaryType: 'Mail',
      message: { from: { name: 'Ann', wallets: [SOMEBODY] }, amount: 2n ** 200n },
    } as const
    const signature = await remote.signTypedData(typed)
    expect(signature).toBe(await local.signTypedData(typed))
    expect(await recoverTypedDataAddress({ ...typed, signature })).toBe(local.address)
    expect(await remote.verifyTypedData({ ...typed, signature, address: local.address })).toBe(true)
  })

  test('gas is estimated to the unit and fees come from the history', async () => {
    const client = walletClient(node(), 5)
    expect(await client.estimateGas({ to: SOMEBODY, value: 1n })).toBe(21_000n)
    const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
    expect(maxFeePerGas).toBeGreaterThanOrEqual(maxPriorityFeePerGas)
    await mined(await client.sendTransaction({ to: SOMEBODY, value: 1n, maxFeePerGas, maxPriorityFeePerGas }))
    await expect.poll(() => client.getBlockNumber()).toBeGreaterThanOrEqual(1n)
    const history = await client.getFeeHistory({ blockCount: 1, rewardPercentiles: [25, 75], blockTag: 'latest' })
    expect(history.baseFeePerGas).toHaveLength(2)
    expect(history.gasUsedRatio).toHaveLength(1)
    expect(history.reward).toHaveLength(1)
    expect(history.reward?.[0]).toHaveLength(2)
  })

  test('many calls go out as one batch and come back each to its caller', async () => {
    const client = createPublicClient({ transport: http(node().http, { batch: { wait: 5 }, retryCount: 0 }) })
    const [chainId, balance, refused, code] = await Promise.allSettled([
      client.getChainId(),
      client.getBalance({ address: devAccount(9).address }),
      client.getTransactionReceipt({ hash: `0x${'12'.repeat(32)}` }),
      client.getCode({ address: SOMEBODY }),
    ])
    expect(chainId).toMatchObject({ value: 31337 })
    expect(balance).toMatchObject({ value: parseEther('10000') })
    expect(refused).toMatchObject({ reason: expect.any(TransactionReceiptNotFoundError) as unknown })
    expect(code).toMatchObject({ status: 'fulfilled', value: undefined })
  })

  test('a spent nonce is a NonceTooLowError', async () => {
    const client = walletClient(node(), 6)
    await mined(await client.sendTransaction({ to: SOMEBODY, value: 1n }))
    const spent = client.sendTransaction({ to: SOMEBODY, value: 2n, nonce: 0, gas: 21_000n })
    await expect(spent).rejects.toMatchObject({ cause: expect.any(NonceTooLowError) as unknown })
  })

  test('more than the balance is an InsufficientFundsError', async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    const client = walletClient(node(), 7)
    const sent = client.sendTransaction({ account: poor, to: SOMEBODY, value: 1n, gas: 21_000n })
    await expect(sent).rejects.toMatchObject({ cause: expect.any(InsufficientFundsError) as unknown })
    const estimated = client.estimateGas({ account: poor, to: SOMEBODY, value: 1n })
    // DIFFERENCES.md, 6.
    if (node().name === 'anvil') return expect(await estimated).toBe(21_000n)
    await expect(estimated).rejects.toMatchObject({ cause: expect.any(InsufficientFundsError) as unknown })
  })

  test('a receipt that is awaited comes over WebSocket too', async () => {
    const client = walletClient(node(), 8)
    const overSocket = webSocketClient(node())
    const hash = await client.sendTransaction({ to: SOMEBODY, value: 1n })
    const receipt = await overSocket.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    // The receipt may be the pre-confirmed one, which viem keeps while it counts confirmations: DIFFERENCES.md, 2.
    await expect.poll(() => overSocket.getBlockNumber()).toBeGreaterThanOrEqual(receipt.blockNumber)
    const block = await overSocket.getBlock({ blockNumber: receipt.blockNumber })
    expect(block.transactions).toContain(hash)
    expect((await overSocket.getTransactionReceipt({ hash })).blockHash).toBe(block.hash)
  })
})
