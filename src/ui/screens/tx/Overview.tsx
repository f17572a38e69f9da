import { useQuery } from '@tanstack/react-query'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { isSentWithoutKey } from '#rpc-types/impersonation.ts'
import { Address } from '#ui/chain/Address.tsx'
import { DecodedView } from '#ui/chain/decoded/DecodedView.tsx'
import { RevertView } from '#ui/chain/decoded/RevertView.tsx'
import { Arguments } from '#ui/chain/decoded/Value.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { Impersonated } from '#ui/chain/Impersonated.tsx'
import { Amount } from '#ui/components/Amount.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { LongText } from '#ui/components/CodeBlock.tsx'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { callSnippets } from '#ui/decode/call-snippets.ts'
import { decodeCall } from '#ui/decode/decode-call.ts'
import { decodeFailure } from '#ui/decode/decode-revert.ts'
import { decodeParameters } from '#ui/decode/decode-values.ts'
import { isAbi } from '#ui/decode/parse-abi.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { NO_PORT } from '#ui/format/elsewhere.ts'
import { describeCall } from '#ui/format/hex.ts'
import { formatEth, formatGwei, formatInteger } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { loadSigner } from '#ui/own/use-send.ts'
import { useProvider, useSession } from '#ui/page/session.ts'
import { useCreation } from '#ui/queries/contract-source.ts'
import { traceQuery } from '#ui/queries/traces.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Overview.module.css'
import type { PartProps } from './part-props.ts'

const css = classNames(styles)

/** Names of the transaction types; other chains may have more. */
const TYPES: Readonly<Record<string, string>> = {
  '0x0': '0, legacy',
  '0x1': '1, access list',
  '0x2': '2, dynamic fee',
  '0x4': '4, set code',
}

/** A transaction's fields and a summary of its outcome. */
export function Overview({ tx, receipt, progress }: PartProps) {
  return (
    <>
      <FieldList>
        <FieldRow name="Hash" raw={tx.hash} mono wide>
          {tx.hash}
        </FieldRow>
        {receipt && (
          <FieldRow name="Outcome" wide={receipt.status === '0x0'}>
            {receipt.status === '0x1' ? 'success' : <Reverted tx={tx} receipt={receipt} progress={progress} />}
          </FieldRow>
        )}
        <FieldRow name="Block">
          {progress.blockNumber === undefined ? (
            progress.status === 'dropped' || progress.status === 'replaced' ? (
              'none'
            ) : (
              'none yet'
            )
          ) : (
            <>
              <AppLink to={`/block/${progress.blockNumber}`}>#{progress.blockNumber}</AppLink>
              {progress.partialIndex !== undefined && `, partial block ${partialNumber(progress.partialIndex)}`}
              {tx.transactionIndex && `, position ${Number(tx.transactionIndex)}`}
            </>
          )}
        </FieldRow>
        <FieldRow name="From" raw={tx.from}>
          <Address address={tx.from} full says={!isSentWithoutKey(tx)} /> {isSentWithoutKey(tx) && <Impersonated />}
        </FieldRow>
        {tx.to ? (
          <FieldRow name="To" raw={tx.to}>
            <Address address={tx.to} full />
          </FieldRow>
        ) : (
          <FieldRow name="To">
            a new contract
            {receipt?.contractAddress && (
              <>
                {' at '}
                <Address address={receipt.contractAddress} full />
              </>
            )}
          </FieldRow>
        )}
        <FieldRow name="Value" raw={tx.value}>
          <Amount wei={BigInt(tx.value)}>{formatEth(BigInt(tx.value), 6)}</Amount>
        </FieldRow>
        <FieldRow name="Method" wide={tx.input !== '0x'}>
          {tx.to ? <Method tx={tx} /> : <Creation tx={tx} address={receipt?.contractAddress ?? ZERO_ADDRESS} />}
        </FieldRow>
        {receipt && (
          <FieldRow name="Fee paid">
            <Amount wei={BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)}>
              {formatEth(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice), 9)}
            </Amount>
            {`, for ${formatInteger(BigInt(receipt.gasUsed))} gas`}
          </FieldRow>
        )}
        {receipt?.l1Fee !== undefined && (
          <FieldRow name="Fee for L1" raw={receipt.l1Fee}>
            <Amount wei={BigInt(receipt.l1Fee)}>{formatEth(BigInt(receipt.l1Fee), 9)}</Amount>, besides
          </FieldRow>
        )}
        <FieldRow name="Nonce" term="nonce" raw={tx.nonce}>
          {formatInteger(BigInt(tx.nonce))}
        </FieldRow>
        <FieldRow name="Type" raw={tx.type}>
          {TYPES[tx.type] ?? Number(tx.type)}
        </FieldRow>
        <FieldRow name="Gas limit" term="gas" raw={tx.gas}>
          {formatInteger(BigInt(tx.gas))}
        </FieldRow>
        <FieldRow name="Gas price" raw={tx.gasPrice}>
          <Fee perGas={BigInt(tx.gasPrice)} />
        </FieldRow>
        {'maxFeePerGas' in tx && (
          <FieldRow name="Max fee" raw={tx.maxFeePerGas}>
            <Fee perGas={BigInt(tx.maxFeePerGas)} />, of which at most <Fee perGas={BigInt(tx.maxPriorityFeePerGas)} />{' '}
            as a tip
          </FieldRow>
        )}
        {'authorizationList' in tx && (
          <FieldRow name="Authorizations" wide>
            <Authorizations list={tx.authorizationList} />
          </FieldRow>
        )}
        <FieldRow name="Input" raw={tx.input} mono wide={tx.input.length > 60}>
          {tx.input.length > 600 ? <LongText label="Input">{tx.input}</LongText> : tx.input}
        </FieldRow>
      </FieldList>
      <CopyCall tx={tx} />
    </>
  )
}

type AuthorizationList = Extract<PartProps['tx'], { authorizationList: unknown }>['authorizationList']

/**
 * Which accounts delegate to which contracts. A transaction does not name the signers; the page recognizes its own
 * accounts by their signatures.
 */
function Authorizations({ list }: { list: AuthorizationList }) {
  const { data: signers } = useQuery({
    queryKey: ['authorities', JSON.stringify(list)],
    queryFn: async () => {
      const { authorityOf } = await loadSigner()
      return Promise.all(list.map((one) => authorityOf(one)))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return list.map((one, i) => {
    const signer = signers?.[i]
    return (
      <p key={i}>
        {signer ? <Address address={signer} /> : 'The signer’s account'} runs the code of{' '}
        <Address address={one.address} />, signed for nonce {Number(one.nonce)}
      </p>
    )
  })
}

/** @param perGas - Wei. */
function Fee({ perGas }: { perGas: bigint }) {
  return <Amount wei={perGas}>{formatGwei(perGas)}</Amount>
}

const ZERO_ADDRESS: AddressHex = `0x${'00'.repeat(20)}`

/** The contract that is created, with the arguments of its constructor. */
function Creation({ tx, address }: Pick<PartProps, 'tx'> & { address: AddressHex }) {
  const { data } = useCreation(address, tx.input)
  if (!data) return describeCall(tx)
  const { contract, path, parameters, encoded } = data
  // A build may come from anyone, and the names in it may be anything.
  const isUsable = isAbi([{ type: 'constructor', inputs: parameters }])
  const decoded = isUsable ? decodeParameters(parameters, encoded) : undefined
  return (
    <div className={css('creation')}>
      <p>
        creates <strong>{othersText(contract, LONGEST_NAME)}</strong>{' '}
        <span className="note">by its build ({othersText(path)})</span>
      </p>
      {decoded && decoded.args.length > 0 && <Arguments args={decoded.args} />}
      {!decoded && <p className="note">What follows its code does not fit the constructor’s arguments.</p>}
      {decoded?.exact === false && <p className="note">The input has more bytes than these arguments need.</p>}
    </div>
  )
}

function Method({ tx }: Pick<PartProps, 'tx'>) {
  const contracts = useContracts()
  const call = tx.to && decodeCall(contracts, tx.to, tx.input)
  if (!call) return describeCall(tx)
  return (
    <>
      <DecodedView decoded={call} token={tx.to} />
      {!call.exact && <p className="note">The input has more bytes than these arguments need.</p>}
    </>
  )
}

/** The receipt does not have the reason, so the transaction is executed again to get it. */
function Reverted({ tx, receipt }: PartProps) {
  const contracts = useContracts()
  const trace = useQuery(traceQuery(useProvider(), tx.hash, receipt?.blockHash ?? ''))
  return (
    <div className={css('reverted')}>
      <p>
        <Glyph sign="reverted" /> reverted: its effects were undone, but the gas was paid
      </p>
      {trace.data && <RevertView revert={decodeFailure(contracts, trace.data)} />}
    </div>
  )
}

function CopyCall({ tx }: Pick<PartProps, 'tx'>) {
  const contracts = useContracts()
  const { remote } = useSession()
  const { inConsole, viem, cast } = callSnippets(
    tx,
    tx.to ? decodeCall(contracts, tx.to, tx.input) : undefined,
    remote?.endpoint.url,
  )
  return (
    <div className={css('copies')}>
      <span className="note">Make the same call without a transaction:</span>
      <CopyTextButton value={inConsole}>code for this page’s console</CopyTextButton>
      <CopyTextButton value={viem}>viem code</CopyTextButton>
      {remote ? (
        <CopyTextButton value={cast}>cast command</CopyTextButton>
      ) : (
        <details>
          <summary className="note">For a terminal</summary>
          <p className={css('copies')}>
            <CopyTextButton value={cast}>cast command</CopyTextButton>
            <span className="note">{NO_PORT}</span>
          </p>
        </details>
      )}
    </div>
  )
}
