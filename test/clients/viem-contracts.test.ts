import { createMPTFromProof, verifyMerkleProof } from '@ethereumjs/mpt'
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  decodeErrorResult,
  decodeEventLog,
  encodeFunctionData,
  getContractAddress,
  type Hash,
  keccak256,
  pad,
  parseEther,
  type RpcTransactionReceipt,
  toRlp,
  trim,
} from 'viem'
import { expect, test } from 'vitest'
import { onEveryNode } from './support/on-every-node.ts'
import { VAULT_ABI, VAULT_BYTECODE } from './support/vault-contract.ts'
import { publicClient, walletClient, webSocketClient } from './support/viem-clients.ts'

type Wallet = ReturnType<typeof walletClient>

/** The revert that viem found in an error. */
async function revertOf(promise: Promise<unknown>): Promise<ContractFunctionRevertedError> {
  const error: unknown = await promise.then(
    () => expect.fail('it did not revert'),
    (reason: unknown) => reason,
  )
  const revert =
    error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : null
  if (revert instanceof ContractFunctionRevertedError) return revert
  throw error
}

async function deployVault(
  client: Wallet,
  first = 5n,
): Promise<{ address: Address; abi: typeof VAULT_ABI; hash: Hash }> {
  const hash = await client.deployContract({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [first] })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  return { address: contractAddress ?? expect.fail('no contract'), abi: VAULT_ABI, hash }
}

onEveryNode('viem, contracts,', (node) => {
  test('a contract is deployed, simulated, written and read', async () => {
    const client = walletClient(node(), 0)
    const vault = await deployVault(client)
    const { request } = await client.simulateContract({ ...vault, functionName: 'set', args: [9n, 'nine'], value: 3n })
    const receipt = await client.waitForTransactionReceipt({ hash: await client.writeContract(request) })
    expect(receipt).toMatchObject({ status: 'success', to: vault.address })
    const [log] = receipt.logs
    expect(log).toMatchObject({ address: vault.address, removed: false, blockNumber: receipt.blockNumber })
    expect(decodeEventLog({ abi: VAULT_ABI, ...(log ?? expect.fail('no log')) })).toEqual({
      eventName: 'Changed',
      args: { by: client.account.address, number: 9n, note: 'nine' },
    })
    expect(await client.readContract({ ...vault, functionName: 'number' })).toBe(9n)
    expect(await client.readContract({ ...vault, functionName: 'notes', args: [client.account.address] })).toBe('nine')
    expect(await client.getBalance({ address: vault.address })).toBe(3n)
    expect(await client.getStorageAt({ address: vault.address, slot: '0x1', blockTag: 'pending' })).toBe(pad('0x9'))
    expect((await client.getCode({ address: vault.address, blockTag: 'pending' }))?.length).toBeGreaterThan(1_000)
  })

  test('the receipt of a failed creation has the address where it would have been', async () => {
    const client = walletClient(node(), 0)
    const nonce = await client.getTransactionCount({ address: client.account.address, blockTag: 'pending' })
    const hash = await client.sendTransaction({ data: '0xfe', gas: 100_000n })
    const { status, contractAddress } = await client.waitForTransactionReceipt({ hash })
    expect(status).toBe('reverted')
    const expected = getContractAddress({ from: client.account.address, nonce: BigInt(nonce) })
    expect(contractAddress).toBe(expected.toLowerCase())
  })

  test('a call can override the state', async () => {
    const client = walletClient(node(), 0)
    const vault = await deployVault(client)
    const number = await client.readContract({
      ...vault,
      functionName: 'number',
      stateOverride: [{ address: vault.address, stateDiff: [{ slot: pad('0x1'), value: pad('0x63') }] }],
    })
    expect(number).toBe(0x63n)
  })

  test('reverts come back decoded', async () => {
    const owner = walletClient(node(), 1)
    const stranger = walletClient(node(), 2)
    const vault = await deployVault(owner)
    const odd = await revertOf(owner.simulateContract({ ...vault, functionName: 'needEven', args: [3n] }))
    expect(odd.reason).toBe('number must be even')
    const foreign = await revertOf(stranger.simulateContract({ ...vault, functionName: 'needOwner', args: [8n] }))
    expect(foreign.data).toMatchObject({ errorName: 'Unauthorized', args: [stranger.account.address, 8n] })
    const byZero = await revertOf(owner.readContract({ ...vault, functionName: 'divide', args: [0n] }))
    expect(byZero.data).toMatchObject({ errorName: 'Panic', args: [18n] })
    // The gas is estimated first.
    const written = await revertOf(stranger.writeContract({ ...vault, functionName: 'needOwner', args: [8n] }))
    expect(written.data).toMatchObject({ errorName: 'Unauthorized' })
    // Sent all the same, it fails on the chain.
    const hash = await stranger.writeContract({ ...vault, functionName: 'needOwner', args: [8n], gas: 100_000n })
    const receipt = await stranger.waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'reverted', logs: [] })
    expect(receipt.gasUsed).toBeLessThan(30_000n)
  })

  test('logs are found by event, argument and address', async () => {
    const client = walletClient(node(), 3)
    const vault = await deployVault(client)
    const hash = await client.writeContract({ ...vault, functionName: 'burst', args: [3n] })
    await client.waitForTransactionReceipt({ hash })
    const range = { fromBlock: 0n, toBlock: 'pending' } as const
    const all = await client.getContractEvents({ ...vault, eventName: 'Changed', ...range })
    expect(all.map(({ args }) => [args.number, args.note])).toEqual([
      [5n, 'made'],
      [0n, 'burst'],
      [1n, 'burst'],
      [2n, 'burst'],
    ])
    const burst = all.slice(1)
    const first = burst[0]?.logIndex ?? expect.fail('no log')
    expect(burst.map(({ logIndex, transactionHash }) => [logIndex, transactionHash])).toEqual([
      [first, hash],
      [first + 1, hash],
      [first + 2, hash],
    ])
    const some = await client.getContractEvents({
      ...vault,
      eventName: 'Changed',
      args: { by: client.account.address, number: [1n, 2n] },
      ...range,
    })
    expect(some.map(({ args }) => args.number)).toEqual([1n, 2n])
    expect(await client.getLogs({ address: `0x${'77'.repeat(20)}`, ...range })).toEqual([])
  })

  test('a filter returns the changes since the last poll', async () => {
    const client = walletClient(node(), 3)
    const vault = await deployVault(client)
    const deployed = await client.waitForTransactionReceipt({ hash: vault.hash })
    await expect.poll(() => client.getBlockNumber()).toBeGreaterThanOrEqual(deployed.blockNumber)
    const filter = await client.createContractEventFilter({ ...vault, eventName: 'Changed' })
    await client.writeContract({ ...vault, functionName: 'set', args: [1n, 'first'] })
    const heard: unknown[] = []
    const poll = async () => {
      for (const { args } of await client.getFilterChanges({ filter })) heard.push(args.note)
      return heard
    }
    await expect.poll(poll).toEqual(['first'])
    await client.writeContract({ ...vault, functionName: 'set', args: [2n, 'second'] })
    await expect.poll(poll).toEqual(['first', 'second'])
    expect(await client.uninstallFilter({ filter })).toBe(true)
    await expect(client.getFilterChanges({ filter })).rejects.toThrow(/filter/)
  })

  test.each(['http', 'webSocket'] as const)('events and blocks are watched over %s', async (kind) => {
    const client = walletClient(node(), 4)
    const vault = await deployVault(client)
    const watching = kind === 'http' ? publicClient(node()) : webSocketClient(node())
    const notes: unknown[] = []
    const numbers: bigint[] = []
    const errors: Error[] = []
    const onError = (error: Error) => errors.push(error)
    const stop = [
      watching.watchContractEvent({
        ...vault,
        eventName: 'Changed',
        onLogs: (logs) => notes.push(...logs.map(({ args }) => args.note)),
        onError,
      }),
      // Over HTTP viem asks now and then, and a busy machine seals two blocks meanwhile.
      watching.watchBlockNumber({ emitMissed: true, onBlockNumber: (number) => numbers.push(number), onError }),
    ]
    // viem tells nobody when its filter or subscription stands; so it is written until it is heard.
    const write = async () => {
      const hash = await client.writeContract({ ...vault, functionName: 'set', args: [1n, 'watched'] })
      await client.waitForTransactionReceipt({ hash })
      return [notes.includes('watched'), numbers.length > 1]
    }
    await expect.poll(write, { interval: 200 }).toEqual([true, true])
    for (const end of stop) end()
    expect(errors).toEqual([])
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0n) + BigInt(index)))
  })

  test('pending transactions are pushed over WebSocket', async () => {
    const client = walletClient(node(), 5)
    const overSocket = webSocketClient(node())
    const heard: Hash[] = []
    const stop = overSocket.watchPendingTransactions({ onTransactions: (hashes) => heard.push(...hashes) })
    // A round trip on the same socket: the subscription stands.
    await overSocket.getChainId()
    const hash = await client.sendTransaction({ to: client.account.address, value: 1n })
    await expect.poll(() => heard).toContain(hash)
    stop()
  })

  test('a proof leads from the state root of its block to the account and its storage', async () => {
    const client = walletClient(node(), 6)
    const vault = await deployVault(client, 0x1234n)
    const { blockNumber } = await client.waitForTransactionReceipt({ hash: vault.hash })
    await expect.poll(() => client.getBlockNumber()).toBeGreaterThanOrEqual(blockNumber)
    const { stateRoot } = await client.getBlock({ blockNumber })
    const proof = await client.getProof({ address: vault.address, storageKeys: [pad('0x1'), pad('0x7')], blockNumber })
    const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
    const options = { useKeyHashing: true, root: bytes(stateRoot) }
    const account = await verifyMerkleProof(bytes(vault.address), proof.accountProof.map(bytes), options)
    const storageRoot = proof.storageHash
    const leaf = toRlp(['0x1', '0x', storageRoot, proof.codeHash])
    expect(Buffer.from(account ?? []).toString('hex')).toBe(leaf.slice(2))
    const code = await client.getCode({ address: vault.address, blockNumber })
    expect(proof.codeHash).toBe(keccak256(code ?? '0x'))

    const storage = { useKeyHashing: true, root: bytes(storageRoot) }
    const [set, unset] = proof.storageProof
    const value = await verifyMerkleProof(bytes(pad('0x1')), (set?.proof ?? []).map(bytes), storage)
    expect(set?.value).toBe(0x1234n)
    expect(Buffer.from(value ?? []).toString('hex')).toBe(toRlp(trim('0x1234')).slice(2))
    expect(unset?.value).toBe(0n)
    const absent = await verifyMerkleProof(bytes(pad('0x7')), (unset?.proof ?? []).map(bytes), storage)
    expect(absent).toBeNull()
    await expect(createMPTFromProof((unset?.proof ?? []).map(bytes), storage)).resolves.toBeDefined()
  })

  test('an access list is made for a call', async () => {
    const client = walletClient(node(), 6)
    const vault = await deployVault(client)
    const data = encodeFunctionData({ abi: VAULT_ABI, functionName: 'needEven', args: [8n] })
    const { accessList, gasUsed } = await client.createAccessList({ to: vault.address, data, blockTag: 'pending' })
    expect(accessList).toEqual([{ address: vault.address, storageKeys: [pad('0x1')] }])
    expect(gasUsed).toBeGreaterThan(21_000n)
  })

  test('calls are simulated one after another', async () => {
    const client = walletClient(node(), 6)
    const vault = await deployVault(client)
    const { results } = await client.simulateCalls({
      account: client.account,
      calls: [
        { to: vault.address, abi: VAULT_ABI, functionName: 'needEven', args: [8n] },
        { to: vault.address, abi: VAULT_ABI, functionName: 'number' },
        { to: vault.address, abi: VAULT_ABI, functionName: 'needEven', args: [7n] },
        { to: `0x${'56'.repeat(20)}`, value: parseEther('1') },
      ],
    })
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'failure', 'success'])
    expect(results[1]?.result).toBe(8n)
    const failed = results[2]
    expect(decodeErrorResult({ data: failed?.data ?? '0x' })).toMatchObject({ args: ['number must be even'] })
    expect(await client.readContract({ ...vault, functionName: 'number' })).toBe(5n)
  })

  test('a trace shows the calls within a transaction', async () => {
    const client = walletClient(node(), 7)
    const vault = await deployVault(client)
    const hash = await client.writeContract({ ...vault, functionName: 'spawn', args: [7n], value: 11n })
    const receipt = await client.waitForTransactionReceipt({ hash })
    const trace = await node().rpc('debug_traceTransaction', hash, { tracer: 'callTracer' })
    const drawer = { to: expect.stringMatching(/^0x[0-9a-f]{40}$/) as unknown, from: vault.address }
    expect(trace).toMatchObject({
      type: 'CALL',
      from: client.account.address.toLowerCase(),
      to: vault.address,
      value: '0xb',
      gasUsed: `0x${receipt.gasUsed.toString(16)}`,
      calls: [
        { type: 'CREATE', value: '0xb', ...drawer },
        { type: 'CALL', error: 'execution reverted', revertReason: 'number must be even', ...drawer },
        { type: 'CALL', ...drawer },
      ],
    })
    expect((trace as { calls: { error?: string }[] }).calls[2]).not.toHaveProperty('error')
  })

  test('the receipts of a block are those of its transactions', async () => {
    const client = walletClient(node(), 8)
    const hash = await client.sendTransaction({ to: client.account.address, value: 1n })
    const { blockNumber } = await client.waitForTransactionReceipt({ hash })
    await expect.poll(() => client.getBlockNumber()).toBeGreaterThanOrEqual(blockNumber)
    const receipts = (await node().rpc(
      'eth_getBlockReceipts',
      `0x${blockNumber.toString(16)}`,
    )) as RpcTransactionReceipt[]
    expect(receipts.map(({ transactionHash }) => transactionHash)).toContain(hash)
    for (const receipt of receipts) {
      expect(await node().rpc('eth_getTransactionReceipt', receipt.transactionHash)).toEqual(receipt)
    }
  })
})
