import { encodeDeployData, encodeEventTopics, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { PartialBlockDiff, PreconfirmedTransaction } from '#rpc-types/subscriptions.ts'
import { onBlinknet } from './support/on-every-node.ts'
import { SOCKETS } from './support/sockets.ts'
import { VAULT_ABI as abi, VAULT_BYTECODE as bytecode } from './support/vault-contract.ts'
import { devAccount, walletClient } from './support/viem-clients.ts'

const NO_HASH: Hex = `0x${'00'.repeat(32)}`
const LIBRARIES = [
  ['viem', 0],
  ['ethers', 1],
  ['web3.js', 2],
] as const

// On a manual clock: tests decide when transactions are pre-confirmed and sealed.
onBlinknet(
  'pre-confirmations',
  (node) => {
    const tick = (n = 1) => node().rpc('devnet_tick', n)

    async function connect(library: keyof typeof SOCKETS) {
      const socket = await SOCKETS[library](node())
      onTestFinished(() => socket.close())
      /** What the subscription has told so far. */
      const hear = async <Payload>(...params: [kind: string, ...rest: unknown[]]): Promise<Payload[]> => {
        const heard: Payload[] = []
        await socket.subscribe(params, (payload) => void heard.push(payload as Payload))
        return heard
      }
      return { ...socket, hear }
    }

    /** A vault of the account, pre-confirmed, and the bytes of a transaction that writes to it. */
    async function vaultAndWrite(index: number, number: bigint) {
      const client = walletClient(node(), index)
      const { address: from } = devAccount(index)
      const nonce = await client.getTransactionCount({ address: from, blockTag: 'pending' })
      const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1n, gas: 2_000_000n, type: 'eip1559' } as const
      const sign = (request: { to?: Hex; data: Hex; nonce: number }) => client.signTransaction({ ...request, ...fees })
      await node().rpc(
        'eth_sendRawTransaction',
        await sign({ data: encodeDeployData({ abi, bytecode, args: [5n] }), nonce }),
      )
      await tick()
      const vault = getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Hex
      const data = encodeFunctionData({ abi, functionName: 'set', args: [number, 'early'] })
      return { vault, raw: await sign({ to: vault, data, nonce: nonce + 1 }) }
    }

    describe.each(LIBRARIES)('over the WebSocket of %s', (library, index) => {
      test('a transaction is announced in every form once it is pre-confirmed', async () => {
        const { hear, request } = await connect(library)
        const { vault, raw } = await vaultAndWrite(index, 9n)
        const hashes = await hear<Hex>('newPartialBlockTransactions')
        const full = await hear<PreconfirmedTransaction>('newPartialBlockTransactions', true)
        const ofVault = await hear<PreconfirmedTransaction>('newPartialBlockTransactions', { address: vault })
        const ofNobody = await hear('newPartialBlockTransactions', { address: `0x${'0f'.repeat(20)}` })
        const logs = await hear<RpcLog>('pendingLogs', { address: vault })
        const noted = await hear<RpcLog>('pendingLogs', { topics: encodeEventTopics({ abi, eventName: 'Changed' }) })
        const hash = (await request('eth_sendRawTransaction', [raw])) as Hex
        expect(await request('base_transactionStatus', [hash])).toEqual({ status: 'Known' })
        expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()

        await tick()
        const receipt = (await request('eth_getTransactionReceipt', [hash])) as RpcReceipt
        expect(receipt).toMatchObject({ status: '0x1', blockHash: NO_HASH })
        const { logsBloom, gasUsed, cumulativeGasUsed, status, contractAddress } = receipt
        const outcome = { logsBloom, gasUsed, cumulativeGasUsed, status, contractAddress, logs: receipt.logs }
        const transaction = (await request('eth_getTransactionByHash', [hash])) as RpcTransaction
        await expect.poll(() => noted).toEqual(receipt.logs)
        expect({ hashes, full, ofVault, ofNobody, logs }).toEqual({
          hashes: [hash],
          full: [{ ...transaction, ...outcome }],
          ofVault: [{ ...transaction, ...outcome }],
          ofNobody: [],
          logs: receipt.logs,
        })
        expect(receipt.logs).toMatchObject([{ address: vault, blockHash: NO_HASH, removed: false }])
      })

      test('every partial block is announced, as a delta and in full', async () => {
        const { hear, request } = await connect(library)
        const { raw } = await vaultAndWrite(index, 9n)
        const allDiffs = await hear<PartialBlockDiff>('newPartialBlocks')
        const allBlocks = await hear<RpcBlock<RpcTransaction>>('newPartialBlocks', 'block')
        const heads = await hear<RpcBlock>('newHeads')
        // A seal cuts the last partial block of the live block, seals it, and opens the next one.
        await node().rpc('devnet_seal')
        await expect.poll(() => allDiffs.at(-1)?.index).toBe(0)
        const hash = (await request('eth_sendRawTransaction', [raw])) as Hex
        await tick()
        await expect.poll(() => allBlocks.at(-1)?.transactions.length).toBe(1)
        const diffs = allDiffs.slice(-2)
        const blocks = allBlocks.slice(-2)
        expect(diffs).toMatchObject([
          { index: 0, base: { number: blocks[0]?.number }, diff: { transactions: [], receipts: [] } },
          { index: 1, diff: { transactions: [{ hash }], receipts: [{ transactionHash: hash, status: '0x1' }] } },
        ])
        expect(diffs[1]).not.toHaveProperty('base')
        expect(diffs[1]?.payloadId).toBe(diffs[0]?.payloadId)
        const pending = await request('eth_getBlockByNumber', ['pending', true])
        expect(blocks[1]).toEqual(pending)
        expect(diffs[1]?.diff).toMatchObject({ blockHash: blocks[1]?.hash, stateRoot: blocks[1]?.stateRoot })

        await tick(9)
        await expect.poll(() => heads.length).toBe(2)
        // What was said of the last partial block holds for the sealed one.
        const last = allBlocks.findLast(({ number }) => number === heads[1]?.number)
        expect(heads[1]?.hash).toBe(last?.hash)
      })

      test("the names of Base's nodes do the same", async () => {
        const { hear, request } = await connect(library)
        const { raw } = await vaultAndWrite(index, 9n)
        const hashes = await hear<Hex>('newFlashblockTransactions')
        const blocks = await hear<RpcBlock<RpcTransaction>>('newFlashblocks')
        const hash = (await request('eth_sendRawTransaction', [raw])) as Hex
        await tick()
        await expect.poll(() => blocks.length).toBe(1)
        expect(hashes).toEqual([hash])
        expect(blocks[0]).toEqual(await request('eth_getBlockByNumber', ['pending', true]))
        expect(blocks[0]?.transactions.at(-1)).toMatchObject({ hash, blockHash: null })
        expect(await request('base_transactionStatus', [hash])).toEqual({ status: 'Known' })
        expect(await request('base_transactionStatus', [NO_HASH])).toEqual({ status: 'Unknown' })
      })
    })

    test('pre-confirmed changes are visible at pending, and at latest once they are sealed', async () => {
      const client = walletClient(node(), 3)
      const { vault, raw } = await vaultAndWrite(3, 11n)
      await client.sendRawTransaction({ serializedTransaction: raw })
      await tick()
      const read = { address: vault, abi, functionName: 'number' } as const
      expect(await client.readContract({ ...read, blockTag: 'pending' })).toBe(11n)
      expect(await client.getCode({ address: vault, blockTag: 'latest' })).toBeUndefined()
      await node().rpc('devnet_seal')
      expect(await client.readContract({ ...read, blockTag: 'latest' })).toBe(11n)
    })
  },
  { mode: 'manual' },
)
