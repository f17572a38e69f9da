import { JsonRpcProvider } from 'ethers'
import {
  createPublicClient,
  type Hash,
  http,
  InternalRpcError,
  pad,
  parseEther,
  TimeoutError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { onBlinknet } from './support/on-every-node.ts'
import { SOCKETS } from './support/sockets.ts'
import { VAULT_ABI as abi, VAULT_BYTECODE as bytecode } from './support/vault-contract.ts'
import { CHAIN, devAccount, POLLING_MS, walletClient, webSocketClient } from './support/viem-clients.ts'

const NO_HASH: Hash = `0x${'00'.repeat(32)}`
const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'

// On a manual clock: tests control everything that happens.
onBlinknet(
  'faults',
  (node) => {
    const tick = (n = 1) => node().rpc('devnet_tick', n)
    const seal = () => node().rpc('devnet_seal')

    function ethersProvider(): JsonRpcProvider {
      const provider = new JsonRpcProvider(node().http, 31337, { staticNetwork: true, cacheTimeout: -1 })
      onTestFinished(() => provider.destroy())
      return provider
    }

    /** What both libraries tell of a transfer and its sender. */
    async function seen(index: number, hash: Hash) {
      const viem = walletClient(node(), index)
      const ethers = ethersProvider()
      const { address } = devAccount(index)
      const receipt = await viem.getTransactionReceipt({ hash }).then(
        ({ status }) => status,
        (error: unknown) => (error instanceof TransactionReceiptNotFoundError ? undefined : Promise.reject(error)),
      )
      expect((await ethers.getTransactionReceipt(hash))?.status).toBe(receipt === 'success' ? 1 : undefined)
      const balance = await viem.getBalance({ address: SOMEBODY })
      expect(await ethers.getBalance(SOMEBODY, 'pending')).toBe(balance)
      const nonce = await viem.getTransactionCount({ address, blockTag: 'pending' })
      expect(await ethers.getTransactionCount(address, 'pending')).toBe(nonce)
      return { receipt, balance, nonce }
    }

    /** A transfer of 1 ETH, pre-confirmed; what was seen before it and after it. */
    async function preconfirmed(index: number) {
      const viem = walletClient(node(), index)
      const before = await seen(index, NO_HASH)
      const hash = await viem.sendTransaction({ to: SOMEBODY, value: parseEther('1') })
      await tick()
      const after = await seen(index, hash)
      expect(after).toEqual({ receipt: 'success', balance: before.balance + parseEther('1'), nonce: before.nonce + 1 })
      return { hash, before, after }
    }

    test('a withdrawn pre-confirmation leaves no trace until it comes again', async () => {
      const { hash, before, after } = await preconfirmed(0)
      expect(await node().rpc('devnet_dropPartialBlocks', 1)).toMatchObject({ withdrawn: [hash] })
      // The transaction waits in the mempool, where it counts for the nonce.
      expect(await seen(0, hash)).toEqual({ ...before, nonce: after.nonce })
      expect(await walletClient(node(), 0).getTransaction({ hash })).toMatchObject({ blockNumber: null })
      expect(await ethersProvider().getTransaction(hash)).toMatchObject({ blockNumber: null })
      await tick()
      expect(await seen(0, hash)).toEqual(after)
    })

    test('a withdrawn and lost transaction is gone, and its nonce is free', async () => {
      const viem = walletClient(node(), 1)
      const { hash, before } = await preconfirmed(1)
      await node().rpc('devnet_dropPartialBlocks', 1, 'lose')
      expect(await seen(1, hash)).toEqual(before)
      await expect(viem.getTransaction({ hash })).rejects.toThrow(TransactionNotFoundError)
      expect(await ethersProvider().getTransaction(hash)).toBeNull()
      // Waiting for it goes on, to the end that the caller has set.
      const waiting = viem.waitForTransactionReceipt({ hash, timeout: 3 * POLLING_MS, retryCount: 1 })
      await expect(waiting).rejects.toThrow(/Timed out/)
      const again = await viem.sendTransaction({ to: SOMEBODY, value: 1n })
      await tick()
      expect(await viem.getTransactionReceipt({ hash: again })).toMatchObject({ status: 'success' })
    })

    test('a reorg sends logs with `removed`, then sends them again from the block that follows', async () => {
      const viem = walletClient(node(), 2)
      const deployed = await viem.deployContract({ abi, bytecode, args: [5n] })
      await seal()
      const { contractAddress } = await viem.getTransactionReceipt({ hash: deployed })
      const address = contractAddress ?? expect.fail('no contract')

      type Listener = 'pushed' | 'polled' | 'ethers'
      const ready = new Set<Listener>()
      const heard: Record<Listener, boolean[]> = { pushed: [], polled: [], ethers: [] }
      const hear = (listener: Listener, { topics, removed }: { topics: readonly unknown[]; removed: boolean }) => {
        if (topics[2] === pad('0x6')) heard[listener].push(removed)
        else ready.add(listener)
      }
      const watched = { address, abi, eventName: 'Changed' } as const
      const tell = (listener: Listener) => (logs: readonly { topics: readonly unknown[]; removed: boolean }[]) => {
        for (const log of logs) hear(listener, log)
      }
      onTestFinished(webSocketClient(node()).watchContractEvent({ ...watched, onLogs: tell('pushed') }))
      onTestFinished(viem.watchContractEvent({ ...watched, onLogs: tell('polled') }))
      // ethers makes events of its own of removed logs, which reach nobody: here is what its socket gets.
      const socket = await SOCKETS.ethers(node())
      onTestFinished(() => socket.close())
      await socket.subscribe(['logs', { address }], (log) => hear('ethers', log as RpcLog))
      const write = async (number: bigint) => {
        const hash = await viem.writeContract({ ...watched, functionName: 'set', args: [number, 'written'] })
        await seal()
        return hash
      }
      // viem tells nobody when its filter or subscription stands; so it is written until all have heard.
      const warmUp = async () => {
        await write(1n)
        return ready.size
      }
      await expect.poll(warmUp).toBe(3)

      const heardByAll = (...removed: boolean[]) =>
        expect.poll(() => heard).toEqual({ pushed: removed, polled: removed, ethers: removed })
      const hash = await write(6n)
      const { blockHash } = await viem.getTransactionReceipt({ hash })
      await heardByAll(false)
      const head = await viem.getBlockNumber()
      expect(await node().rpc('devnet_reorg', 1)).toMatchObject({ removed: [blockHash] })
      expect(await viem.getBlockNumber()).toBe(head - 1n)
      await expect(viem.getBlock({ blockHash })).rejects.toThrow(/could not be found/)
      await heardByAll(false, true)
      await seal()
      expect(await viem.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
      await heardByAll(false, true, false)
    })

    test('while partial blocks are stalled, a transaction waits', async () => {
      const viem = walletClient(node(), 3)
      await node().rpc('devnet_stallPartialBlocks', 3)
      const hash = await viem.sendTransaction({ to: SOMEBODY, value: 1n })
      for (let ticks = 0; ticks < 3; ticks++) {
        await tick()
        expect((await seen(3, hash)).receipt).toBeUndefined()
        expect((await ethersProvider().getTransaction(hash))?.blockNumber).toBeNull()
      }
      await tick()
      expect((await seen(3, hash)).receipt).toBe('success')
    })

    test('viem retries temporary failures if configured to', async () => {
      const client = (retryCount: number) =>
        createPublicClient({ chain: CHAIN, transport: http(node().http, { retryCount, retryDelay: 1 }) })
      const fail = (code: number, times: number) =>
        node().rpc('devnet_failNext', {
          methods: ['eth_getBalance'],
          error: { code, message: 'as was asked' },
          times,
        })
      const ask = { address: SOMEBODY } as const
      await fail(-32603, 2)
      expect(await client(2).getBalance(ask)).toBeTypeOf('bigint')
      await fail(-32603, 2)
      await expect(client(1).getBalance(ask)).rejects.toThrow(InternalRpcError)
      // What the node says of the call itself is not tried again: one of two failures is left.
      await fail(-32602, 2)
      await expect(client(5).getBalance(ask)).rejects.toThrow(/as was asked/)
      expect(await node().rpc('devnet_status')).toMatchObject({ faults: { failNext: [{ times: 1 }] } })
      // ethers does not try again.
      await expect(ethersProvider().getBalance(SOMEBODY)).rejects.toMatchObject({ error: { code: -32602 } })
      expect(await node().rpc('devnet_status')).toMatchObject({ faults: { failNext: [] } })
    })

    test('a late answer is a timeout, and later calls still work', async () => {
      const transport = http(node().http, { retryCount: 0, timeout: 50 })
      const client = createPublicClient({ chain: CHAIN, transport })
      await node().rpc('devnet_failNext', { methods: ['eth_getBalance'], delayMs: 500 })
      await expect(client.getBalance({ address: SOMEBODY })).rejects.toThrow(TimeoutError)
      expect(await walletClient(node(), 0).getBalance({ address: SOMEBODY })).toBeTypeOf('bigint')
    })

    test('a transaction that the node loses while it is sent is sent again', async () => {
      const viem = walletClient(node(), 5)
      const error = { code: -32603, message: 'as was asked' }
      await node().rpc('devnet_failNext', { methods: ['eth_sendRawTransaction'], error })
      const request = await viem.prepareTransactionRequest({ to: SOMEBODY, value: 1n })
      const serializedTransaction = await viem.signTransaction(request)
      await expect(viem.sendRawTransaction({ serializedTransaction })).rejects.toThrow(/as was asked/)
      const hash = await viem.sendRawTransaction({ serializedTransaction })
      await tick()
      expect((await seen(5, hash)).receipt).toBe('success')
    })
  },
  { mode: 'manual' },
)

onBlinknet('faults in time', (node) => {
  test('transactions stay pre-confirmed while the seal is delayed', async () => {
    const viem = walletClient(node(), 0)
    const status = () => node().rpc('devnet_status') as Promise<DevnetStatus>
    // Slow enough that even a busy machine sends within the block that has begun.
    await node().rpc('devnet_setSpeed', 0.05)
    await node().rpc('devnet_seal')
    const { sealsAtMs } = (await status()).live
    await node().rpc('devnet_delaySeal', 600_000)
    const head = await viem.getBlockNumber()
    const hash = await viem.sendTransaction({ to: SOMEBODY, value: 1n })
    await node().rpc('devnet_setSpeed', 1)
    await expect.poll(async () => (await status()).chainTimeMs).toBeGreaterThan(sealsAtMs)
    expect(await viem.getTransactionReceipt({ hash })).toMatchObject({ blockHash: NO_HASH, blockNumber: head + 1n })
    expect(await viem.getBalance({ address: SOMEBODY, blockTag: 'latest' })).toBe(0n)
    expect(await viem.getBlockNumber()).toBe(head)
    await node().rpc('devnet_delaySeal', 0)
    await expect.poll(() => viem.getBlockNumber()).toBeGreaterThan(head)
    const { blockHash } = await viem.getTransactionReceipt({ hash })
    expect(blockHash).toBe((await viem.getBlock({ blockNumber: head + 1n })).hash)
  })
})
