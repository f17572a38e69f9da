import { JsonRpcProvider, Wallet } from 'ethers'
import { createPublicClient, custom, encodeFunctionData } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { onBlinknet, onEveryNode } from './support/on-every-node.ts'
import { VAULT_ABI as abi, VAULT_BYTECODE as bytecode } from './support/vault-contract.ts'
import { CHAIN, walletClient } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'

// EIP-7966: the answer to sending is the receipt.
onEveryNode('transactions sent and awaited in one call', (node) => {
  async function deployVault(index: number) {
    const client = walletClient(node(), index)
    const hash = await client.deployContract({ abi, bytecode, args: [5n] })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    return { client, address: contractAddress ?? expect.fail('no contract') }
  }

  test('viem gets the receipt, and reads at pending what it did', async () => {
    const { client, address } = await deployVault(0)
    const before = await client.getBalance({ address: SOMEBODY })
    const sent = await client.sendTransactionSync({ to: SOMEBODY, value: 7n })
    expect(sent).toMatchObject({ status: 'success', gasUsed: 21_000n, type: 'eip1559' })
    expect(await client.getBalance({ address: SOMEBODY })).toBe(before + 7n)

    const written = await client.writeContractSync({ address, abi, functionName: 'set', args: [9n, 'nine'] })
    expect(written.logs).toMatchObject([{ address, transactionHash: written.transactionHash }])
    expect(await client.readContract({ address, abi, functionName: 'number' })).toBe(9n)

    const data = encodeFunctionData({ abi, functionName: 'set', args: [10n, 'ten'] })
    const request = await client.prepareTransactionRequest({ to: address, data })
    const serializedTransaction = await client.signTransaction(request)
    // anvil takes no time limit.
    const limit = node().name === 'Blinknet' ? { timeout: 3_000 } : {}
    const raw = await client.sendRawTransactionSync({ serializedTransaction, ...limit })
    expect(raw).toMatchObject({ status: 'success', logs: [{ address }] })
    expect(await client.readContract({ address, abi, functionName: 'number' })).toBe(10n)
  })

  test('viem throws for a reverted receipt if configured to', async () => {
    const { client, address } = await deployVault(1)
    const data = encodeFunctionData({ abi, functionName: 'needEven', args: [3n] })
    const odd = { to: address, data, gas: 100_000n } as const
    expect(await client.sendTransactionSync({ ...odd, throwOnReceiptRevert: false })).toMatchObject({
      status: 'reverted',
    })
    const sent = client.sendTransactionSync({ ...odd, throwOnReceiptRevert: true })
    await expect(sent).rejects.toMatchObject({ cause: { name: 'TransactionReceiptRevertedError' } })
  })

  test('the node signs, sends and answers with the receipt', async () => {
    const from = DEV_KEYS[3]?.address ?? expect.fail('no such account')
    const receipt = await node().rpc('eth_sendTransactionSync', { from, to: SOMEBODY, value: '0x1' })
    expect(receipt).toMatchObject({ status: '0x1', from: from.toLowerCase(), to: SOMEBODY, gasUsed: '0x5208' })
    const { transactionHash: hash } = receipt as { transactionHash: string }
    // anvil may have it in its pool for a moment yet.
    const found = await node().rpc('eth_getTransactionBySenderAndNonce', from, '0x0')
    expect(found).toMatchObject({ hash, from: from.toLowerCase(), nonce: '0x0' })
    expect(await node().rpc('eth_getTransactionBySenderAndNonce', from, '0x1')).toBeNull()
  })

  test('ethers gets the same receipt as it would later', async () => {
    const provider = new JsonRpcProvider(node().http, 31337, { staticNetwork: true })
    onTestFinished(() => provider.destroy())
    const signer = new Wallet(DEV_KEYS[2]?.privateKey ?? expect.fail('no such account'), provider)
    const raw = await signer.signTransaction(await signer.populateTransaction({ to: SOMEBODY, value: 1n }))
    const receipt = (await provider.send('eth_sendRawTransactionSync', [raw])) as { transactionHash: string }
    expect(receipt).toMatchObject({ status: '0x1', from: signer.address.toLowerCase() })
    const found = await provider.getTransactionReceipt(receipt.transactionHash)
    expect(found).toMatchObject({ hash: receipt.transactionHash, status: 1, from: signer.address })
  })
})

onBlinknet(
  'waiting for a receipt',
  (node) => {
    const isWaiting = async () => ((await node().rpc('txpool_status')) as { pending: string }).pending !== '0x0'

    test('a call that sends and waits is answered at the next tick', async () => {
      const client = walletClient(node(), 0)
      const sent = client.sendTransactionSync({ to: SOMEBODY, value: 1n })
      await expect.poll(isWaiting).toBe(true)
      await node().rpc('devnet_tick')
      expect(await sent).toMatchObject({ status: 'success', blockHash: `0x${'00'.repeat(32)}` })
    })

    test('viem looks for a receipt at once and then with each sealed block, also where it knows of pre-confirmations', async () => {
      const answered: string[] = []
      const request = async (call: { method: string; params?: unknown[] }) => {
        const result = await node().request(call)
        answered.push(call.method)
        return result
      }
      const chain = { ...CHAIN, experimental_preconfirmationTime: 10 }
      const client = createPublicClient({ chain, transport: custom({ request }), cacheTime: 0 })
      const hash = await walletClient(node(), 1).sendTransaction({ to: SOMEBODY, value: 1n })
      const receipt = client.waitForTransactionReceipt({ hash })
      /** viem has looked for a replacement in the block, the last thing it does before it waits for the next one. */
      const isIdle = () => answered.lastIndexOf('eth_blockNumber') > answered.indexOf('eth_getBlockByNumber')
      await expect.poll(() => answered.includes('eth_getBlockByNumber') && isIdle()).toBe(true)
      await node().rpc('devnet_tick')
      expect(await node().rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
      const polls = () => answered.filter((method) => method === 'eth_blockNumber').length
      const before = polls()
      await expect.poll(polls).toBeGreaterThan(before + 1)
      expect(answered.filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(2)

      await node().rpc('devnet_seal')
      const { hash: blockHash } = await client.getBlock({ blockTag: 'latest' })
      expect(await receipt).toMatchObject({ status: 'success', blockHash })
    })
  },
  { mode: 'manual' },
)
