import { addLogs } from '#node/evm/bloom.ts'
import type { Block, IncludedTransaction, Log, PartialBlock, SealedBlock } from '#node/payload/block.ts'
import { createGenesis } from '#node/payload/genesis.ts'
import { createSpec } from '#node/spec/create-spec.ts'
import type { ChainReader } from '#node/storage/chain-reader.ts'
import { toWord } from '#primitives/hex.ts'
import { testTransaction } from '#testing/node/txpool/transaction.ts'

const genesis = createGenesis(createSpec({}), 0)

/**
 * A sealed block for tests that only look at numbers, hashes and logs.
 *
 * @param logs - The logs of each transaction.
 */
export function testBlock(number: number, logs: readonly (readonly Log[])[] = []): SealedBlock {
  const bloom = genesis.header.logsBloom.slice()
  let firstLogIndex = 0
  const transactions = logs.map((own, transactionIndex): IncludedTransaction => {
    const receipt = {
      type: 2,
      status: 1,
      gasUsed: 21_000n,
      cumulativeGasUsed: 21_000n * BigInt(transactionIndex + 1),
      logs: own,
      contractAddress: null,
      effectiveGasPrice: 1n,
    } as const
    addLogs(bloom, own)
    firstLogIndex += own.length
    const included = { tx: testTransaction(), receipt, transactionIndex, partialIndex: 1 }
    return { ...included, firstLogIndex: firstLogIndex - own.length }
  })
  return { ...genesis, header: { ...genesis.header, number, logsBloom: bloom }, hash: toWord(number + 1), transactions }
}

/** A block before it is sealed, with all transactions new. */
export function asPartial(block: SealedBlock): PartialBlock {
  const live = { index: 1, payloadId: '0x01', firstNew: 0, restarts: false, cutAtMs: 0, tookMs: 0 } as const
  return { ...block, ...live, opening: block.state, kind: 'partial' }
}

/** A chain of those blocks, block 0 first; the last one is live. Changes to the list change the chain. */
export function testChain(blocks: readonly SealedBlock[]): ChainReader {
  const last = (back: number) => blocks[blocks.length - back] as SealedBlock
  const sealed = (block: SealedBlock | undefined) => (block === last(1) ? undefined : block)
  return {
    first: () => blocks[0] as SealedBlock,
    head: () => last(2),
    pending: () => asPartial(last(1)),
    blockByNumber: (number) => sealed(blocks[number]),
    blockByHash: (hash) => sealed(blocks.find((block) => block.hash === hash)),
    blocksWithLogs: (from, to) =>
      blocks.slice(0, -1).filter(({ header: { number } }) => number >= from && number <= to),
    findTransaction: (hash) => find(blocks, hash),
  }
}

function find(blocks: readonly Block[], hash: string) {
  for (const block of blocks) {
    const included = block.transactions.find(({ tx }) => tx.hash === hash)
    if (included) return { included, block }
  }
  return undefined
}
