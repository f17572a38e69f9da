import { keccak256, pad, parseEther, toHex } from 'viem'
import { expect, test } from 'vitest'
import { onEveryNode } from './support/on-every-node.ts'
import { VAULT_ABI, VAULT_BYTECODE } from './support/vault-contract.ts'
import { testClient, walletClient } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'
/** Code that returns the number 42. */
const RETURNS_42 = '0x602a5f5260205ff3'

onEveryNode('viem, test client,', (node) => {
  const client = () => testClient(node(), 'anvil')

  test('accounts are edited at once', async () => {
    const address = `0x${'a1'.repeat(20)}` as const
    await client().setBalance({ address, value: parseEther('3') })
    await client().setNonce({ address, nonce: 9 })
    await client().setCode({ address, bytecode: RETURNS_42 })
    await client().setStorageAt({ address, index: 2, value: pad('0xbeef') })
    for (const blockTag of ['latest', 'pending'] as const) {
      expect(await client().getBalance({ address, blockTag })).toBe(parseEther('3'))
      expect(await client().getTransactionCount({ address, blockTag })).toBe(9)
      expect(await client().getCode({ address, blockTag })).toBe(RETURNS_42)
      expect(await client().getStorageAt({ address, slot: toHex(2), blockTag })).toBe(pad('0xbeef'))
      expect((await client().call({ to: address, blockTag })).data).toBe(pad('0x2a'))
    }
  })

  test('the state goes back to a snapshot, once', async () => {
    const sender = walletClient(node(), 0)
    const before = await sender.getBalance({ address: SOMEBODY })
    const nonce = await sender.getTransactionCount({ address: sender.account.address, blockTag: 'pending' })
    const id = await client().snapshot()
    const hash = await sender.sendTransaction({ to: SOMEBODY, value: 5n })
    await sender.waitForTransactionReceipt({ hash })
    expect(await sender.getBalance({ address: SOMEBODY })).toBe(before + 5n)
    await client().revert({ id })
    expect(await sender.getBalance({ address: SOMEBODY })).toBe(before)
    expect(await sender.getTransactionCount({ address: sender.account.address, blockTag: 'pending' })).toBe(nonce)
    expect(await node().rpc('eth_getTransactionReceipt', hash)).toBeNull()
    expect(await node().rpc('evm_revert', id)).toBe(false)
  })

  test('time travels', async () => {
    const { timestamp } = await client().getBlock({ blockTag: 'latest' })
    await client().increaseTime({ seconds: 86_400 })
    await client().mine({ blocks: 1 })
    const travelled = await client().getBlock({ blockTag: 'latest' })
    expect(travelled.timestamp).toBeGreaterThanOrEqual(timestamp + 86_400n)
    expect(travelled.timestamp).toBeLessThan(timestamp + 86_600n)
    const wanted = travelled.timestamp + 1_000_000n
    await client().setNextBlockTimestamp({ timestamp: wanted })
    await client().mine({ blocks: 1 })
    const stamps: bigint[] = []
    for (let number = travelled.number; stamps.at(-1) !== wanted; number++) {
      stamps.push((await client().getBlock({ blockNumber: number })).timestamp)
    }
    expect(stamps).toEqual([...new Set(stamps)].sort((a, b) => Number(a - b)))
  })

  test('blocks are mined on demand, a given number of seconds apart', async () => {
    const before = await client().getBlockNumber()
    await client().mine({ blocks: 3, interval: 60 })
    const after = await client().getBlockNumber()
    expect(after).toBeGreaterThanOrEqual(before + 3n)
    const stamps: bigint[] = []
    for (let number = before; number <= after; number++) {
      stamps.push((await client().getBlock({ blockNumber: number })).timestamp)
    }
    const steps = stamps.slice(1).map((timestamp, index) => timestamp - (stamps[index] ?? 0n))
    expect(steps.filter((step) => step === 60n).length).toBeGreaterThanOrEqual(2)
  })

  test('the base fee of the next block is set', async () => {
    await client().setNextBlockBaseFeePerGas({ baseFeePerGas: 7_000_000_123n })
    const before = await client().getBlockNumber()
    await client().mine({ blocks: 1 })
    const fees: (bigint | null)[] = []
    for (let number = before; number <= (await client().getBlockNumber()); number++) {
      fees.push((await client().getBlock({ blockNumber: number })).baseFeePerGas)
    }
    expect(fees).toContain(7_000_000_123n)
  })

  test('an account without a key sends while it is impersonated', async () => {
    const address = `0x${'b2'.repeat(20)}` as const
    await client().setBalance({ address, value: parseEther('1') })
    const send = () => client().sendTransaction({ account: address, chain: null, to: SOMEBODY, value: 1n })
    await expect(send()).rejects.toThrow(/unknown account|No Signer available/i)
    await client().impersonateAccount({ address })
    const hash = await send()
    const receipt = await client().waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'success', from: address })
    await client().stopImpersonatingAccount({ address })
    await expect(send()).rejects.toThrow(/unknown account|No Signer available/i)
  })

  test('a waiting transaction is seen in the pool and dropped from it', async () => {
    await client().setAutomine(false)
    const sender = walletClient(node(), 1)
    const hash = await sender.sendTransaction({ to: SOMEBODY, value: 1n })
    expect(await client().getTxpoolStatus()).toEqual({ pending: 1, queued: 0 })
    const { pending } = await client().getTxpoolContent()
    const bySender = Object.entries(pending).find(
      ([address]) => address.toLowerCase() === sender.account.address.toLowerCase(),
    )
    expect(bySender?.[1]).toMatchObject({ 0: { hash } })
    await client().dropTransaction({ hash })
    expect(await client().getTxpoolStatus()).toEqual({ pending: 0, queued: 0 })
    await expect(client().getTransaction({ hash })).rejects.toThrow(/could not be found/)
    await client().setAutomine(true)
  })

  test('mining stops and resumes', async () => {
    await client().setAutomine(false)
    const sender = walletClient(node(), 2)
    const hash = await sender.sendTransaction({ to: SOMEBODY, value: 1n })
    expect(await client().getAutomine()).toBe(false)
    expect(await node().rpc('eth_getTransactionReceipt', hash)).toBeNull()
    await client().mine({ blocks: 1 })
    expect(await client().getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    const { hash: sealed } = await client().getBlock({ blockTag: 'latest' })
    expect((await client().getTransactionReceipt({ hash })).blockHash).toBe(sealed)
    await client().setAutomine(true)
    expect(await client().getAutomine()).toBe(true)
  })

  test('the state is dumped and loaded again', async () => {
    const sender = walletClient(node(), 3)
    const deployed = await sender.deployContract({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [77n] })
    const { contractAddress } = await sender.waitForTransactionReceipt({ hash: deployed })
    const address = contractAddress ?? expect.fail('no contract')
    await client().mine({ blocks: 1 })
    const code = await sender.getCode({ address, blockTag: 'pending' })
    const state = await client().dumpState()
    await client().setStorageAt({ address, index: 1, value: pad('0x1') })
    await client().loadState({ state })
    expect(await sender.readContract({ address, abi: VAULT_ABI, functionName: 'number' })).toBe(77n)
    expect(keccak256((await sender.getCode({ address, blockTag: 'pending' })) ?? '0x')).toBe(keccak256(code ?? '0x'))
  })

  test("Hardhat's names edit and impersonate too", async () => {
    const hardhat = testClient(node(), 'hardhat')
    const address = `0x${'c3'.repeat(20)}` as const
    await hardhat.setBalance({ address, value: 123_456n })
    await hardhat.setNonce({ address, nonce: 4 })
    await hardhat.setCode({ address, bytecode: RETURNS_42 })
    await hardhat.setStorageAt({ address, index: 0, value: pad('0x5') })
    expect(await hardhat.getBalance({ address })).toBe(123_456n)
    expect(await hardhat.getTransactionCount({ address, blockTag: 'pending' })).toBe(4)
    expect((await hardhat.call({ to: address })).data).toBe(pad('0x2a'))
    expect(await hardhat.getStorageAt({ address, slot: '0x0', blockTag: 'pending' })).toBe(pad('0x5'))
    const before = await hardhat.getBlockNumber()
    await hardhat.mine({ blocks: 2 })
    expect(await hardhat.getBlockNumber()).toBeGreaterThanOrEqual(before + 2n)
  })
})
