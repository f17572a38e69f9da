import type { Hash } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { Address } from '#ui/components/Address.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { DataTable } from '#ui/components/DataTable.tsx'
import { StateChip } from '#ui/components/StateChip.tsx'
import type { PartialSlot } from '#ui/feed/feed-state.ts'
import { describeCall, shortHex } from '#ui/format/hex.ts'
import { formatEth, formatInteger } from '#ui/format/numbers.ts'
import type { FullBlock } from '#ui/queries/blocks.ts'
import { useCapabilities } from '#ui/session.ts'

/** Rows drawn; a block of thousands would cost more than it tells. */
const SHOWN = 200

/** A block's transactions in their order, each with the partial block that brought it where that is known. */
export function BlockTransactions({
  block,
  receipts,
  slots,
  isLive,
}: {
  block: FullBlock
  receipts: readonly RpcReceipt[]
  slots: readonly PartialSlot[] | undefined
  isLive: boolean
}) {
  const { preconfirms } = useCapabilities()
  const receiptOf = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  const partialOf = new Map<Hash, number>()
  for (const slot of slots ?? []) for (const { hash } of slot.transactions) partialOf.set(hash, slot.index)
  const left = block.transactions.length - SHOWN
  return (
    <>
      <DataTable
        name="Transactions"
        columns={[
          { name: 'State' },
          { name: 'Hash' },
          { name: 'Partial' },
          { name: 'Method', detail: true },
          { name: 'From', detail: true },
          { name: 'To', detail: true },
          { name: 'Gas used', numeric: true, detail: true },
          { name: 'Value', numeric: true },
        ]}
        empty={isLive ? 'No transactions in this block so far.' : 'This block is empty.'}
      >
        {block.transactions.slice(0, SHOWN).map((tx) => {
          const receipt = receiptOf.get(tx.hash)
          const stage = isLive ? (preconfirms ? 'preconfirmed' : 'mempool') : 'sealed'
          const partial = partialOf.get(tx.hash)
          return (
            <tr key={tx.hash} data-testid="tx-row" data-hash={tx.hash} data-state={stage} data-partial={partial}>
              <td>
                <StateChip stage={stage} outcome={receipt && (receipt.status === '0x0' ? 'reverted' : 'success')} />
              </td>
              <td>
                <AppLink to={`/tx/${tx.hash}`} className="mono">
                  {shortHex(tx.hash)}
                </AppLink>
              </td>
              <td>{partial ?? '–'}</td>
              <td>{describeCall(tx)}</td>
              <td>
                <Address address={tx.from} />
              </td>
              <td>{tx.to ? <Address address={tx.to} /> : 'new contract'}</td>
              <td>{receipt ? formatInteger(BigInt(receipt.gasUsed)) : '–'}</td>
              <td>{formatEth(BigInt(tx.value))}</td>
            </tr>
          )
        })}
      </DataTable>
      {left > 0 && <p>And {formatInteger(left)} more, which this page does not list.</p>}
    </>
  )
}
