import type { RpcReceipt } from '#rpc-types/objects.ts'
import { Address } from '#ui/components/Address.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { Glyph } from '#ui/components/Glyph.tsx'
import { formatEth, formatGwei, formatInteger } from '#ui/format/numbers.ts'

/** What came of a transaction. */
export function Receipt({ receipt }: { receipt: RpcReceipt }) {
  const gasUsed = BigInt(receipt.gasUsed)
  const price = BigInt(receipt.effectiveGasPrice)
  const sealed = BigInt(receipt.blockHash) !== 0n
  return (
    <FieldList>
      <FieldRow name="Outcome" raw={receipt.status}>
        {receipt.status === '0x1' ? (
          'success'
        ) : (
          <>
            <Glyph sign="reverted" /> reverted: its effects were undone, its gas was paid
          </>
        )}
      </FieldRow>
      <FieldRow name="Block hash" raw={receipt.blockHash} mono={sealed}>
        {sealed ? receipt.blockHash : '32 zero bytes until the block is sealed'}
      </FieldRow>
      <FieldRow name="Gas used" raw={receipt.gasUsed}>
        {formatInteger(gasUsed)}
      </FieldRow>
      <FieldRow name="Gas used in the block" raw={receipt.cumulativeGasUsed}>
        {formatInteger(BigInt(receipt.cumulativeGasUsed))} up to here
      </FieldRow>
      <FieldRow name="Effective price" raw={receipt.effectiveGasPrice}>
        {formatGwei(price)}
      </FieldRow>
      <FieldRow name="Fee paid">
        <span title={`${gasUsed * price} wei`}>{formatEth(gasUsed * price, 9)}</span>
      </FieldRow>
      {receipt.contractAddress && (
        <FieldRow name="New contract" raw={receipt.contractAddress}>
          <Address address={receipt.contractAddress} full />
        </FieldRow>
      )}
    </FieldList>
  )
}
