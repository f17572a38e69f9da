import type { RpcTransaction } from '#rpc-types/objects.ts'
import { Address } from '#ui/components/Address.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { describeCall } from '#ui/format/hex.ts'
import { formatEth, formatGwei, formatInteger } from '#ui/format/numbers.ts'
import type { Progress } from '#ui/own/progress.ts'

/** Other chains have other types. */
const TYPES: Readonly<Record<string, string>> = {
  '0x0': '0, legacy',
  '0x1': '1, access list',
  '0x2': '2, dynamic fee',
  '0x4': '4, set code',
}

/** What a transaction says of itself. */
export function Overview({ tx, progress }: { tx: RpcTransaction; progress: Progress }) {
  return (
    <FieldList>
      <FieldRow name="Hash" raw={tx.hash} mono>
        {tx.hash}
      </FieldRow>
      <FieldRow name="Block">
        {progress.blockNumber === undefined ? (
          'none yet'
        ) : (
          <>
            <AppLink to={`/block/${progress.blockNumber}`}>#{progress.blockNumber}</AppLink>
            {progress.partialIndex !== undefined && `, partial block ${progress.partialIndex}`}
            {tx.transactionIndex && `, position ${Number(tx.transactionIndex)}`}
          </>
        )}
      </FieldRow>
      <FieldRow name="From" raw={tx.from}>
        <Address address={tx.from} full />
      </FieldRow>
      {tx.to ? (
        <FieldRow name="To" raw={tx.to}>
          <Address address={tx.to} full />
        </FieldRow>
      ) : (
        <FieldRow name="To">a new contract</FieldRow>
      )}
      <FieldRow name="Value" raw={tx.value}>
        <span title={`${BigInt(tx.value)} wei`}>{formatEth(BigInt(tx.value), 6)}</span>
      </FieldRow>
      <FieldRow name="Method">{describeCall(tx)}</FieldRow>
      <FieldRow name="Nonce" raw={tx.nonce}>
        {formatInteger(BigInt(tx.nonce))}
      </FieldRow>
      <FieldRow name="Type" raw={tx.type}>
        {TYPES[tx.type] ?? Number(tx.type)}
      </FieldRow>
      <FieldRow name="Gas limit" raw={tx.gas}>
        {formatInteger(BigInt(tx.gas))}
      </FieldRow>
      <FieldRow name="Gas price" raw={tx.gasPrice}>
        {formatGwei(BigInt(tx.gasPrice))}
      </FieldRow>
      {'maxFeePerGas' in tx && (
        <FieldRow name="Max fee" raw={tx.maxFeePerGas}>
          {formatGwei(BigInt(tx.maxFeePerGas))}, of which at most {formatGwei(BigInt(tx.maxPriorityFeePerGas))} as a tip
        </FieldRow>
      )}
      <FieldRow name="Input" raw={tx.input} mono>
        {tx.input}
      </FieldRow>
    </FieldList>
  )
}
