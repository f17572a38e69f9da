import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type DevAddress, findDevAccount } from '#client/signing/dev-accounts.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import { isSentWithoutKey } from '#rpc-types/impersonation.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { waitsFor } from '#ui/compose/consequences.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatGwei } from '#ui/format/numbers.ts'
import type { Progress } from '#ui/own/progress.ts'
import { type ReplacementKind, replaceTransaction } from '#ui/own/replace-transaction.ts'
import { replacementOffer } from '#ui/own/replacement-offer.ts'
import { useCapabilities, useProvider, useReadOnly } from '#ui/page/session.ts'
import type { SenderFacts } from '#ui/queries/sender.ts'
import { offerOf, senderQuery } from '#ui/queries/sender.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ReplacePanel.module.css'

const css = classNames(styles)

/** Replaces or cancels a waiting transaction of a development account, or of an impersonated one. */
export function ReplacePanel({ tx, progress }: { tx: RpcTransaction; progress: Progress }) {
  const { accounts } = useCapabilities()
  const readOnly = useReadOnly()
  const own = accounts.includes(tx.from) ? findDevAccount(tx.from) : undefined
  if (!own && (readOnly || !isSentWithoutKey(tx))) return null
  switch (progress.status) {
    case 'mempool':
      return <Waiting tx={tx} own={own} />
    case 'preconfirmed':
      return (
        <Panel title="Speed up or cancel">
          <p className={css('text')}>
            It is too late for both: the transaction is pre-confirmed in block #{progress.blockNumber}, so its nonce is
            used and nothing can replace it.
          </p>
        </Panel>
      )
    case 'sealed':
    case 'dropped':
    case 'replaced':
      return null
  }
}

/** @param own - The sender, if the page has its key; otherwise it is impersonated. */
function Waiting({ tx, own }: { tx: RpcTransaction; own: DevAddress | undefined }) {
  const provider = useProvider()
  const { devnet } = useCapabilities()
  const version = useFeed((feed) => feed.live?.hash)
  const { data: facts, error: factsError } = useQuery(senderQuery(provider, tx.from, version ?? '', devnet))
  const old = offerOf(tx)
  const offer = facts && replacementOffer(old, { feeCap: 2n * facts.baseFee + facts.tip, tip: facts.tip })
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (kind: ReplacementKind) =>
      offer &&
      replaceTransaction(provider, {
        ...{ tx, kind, offer },
        signer: own ? devSigner(own.index) : { source: 'impersonated', address: tx.from },
      }),
  })
  const name = own?.name ?? 'the account'
  const canRepeat = tx.type !== '0x4'
  const nonce = Number(tx.nonce)
  return (
    <Panel title="Speed up or cancel">
      <div className={css('text')}>
        {facts && <p>{whyItWaits(tx, facts)}</p>}
        {offer && (
          <p>
            Either button sends another transaction with nonce {nonce} that replaces this one, with higher fees: fee cap{' '}
            <Fee wei={old.feeCap} /> → <Fee wei={offer.feeCap} />, tip <Fee wei={old.tip} /> → <Fee wei={offer.tip} />.
            The node requires at least 10% more for each.
          </p>
        )}
        <p>
          {canRepeat
            ? '“Speed up” sends the same transaction. '
            : 'The page cannot sign type 4 authorizations for somebody else, so it cannot speed this one up. '}
          “Cancel” sends 0 ETH from {name} to itself, which only uses up the nonce.{' '}
          {own
            ? `${name} signs either, with its public test key.`
            : 'No key signs either: the account is impersonated.'}
        </p>
      </div>
      <div className={css('actions')}>
        {canRepeat && (
          <Button disabled={!offer || isPending} onClick={() => mutate('speed-up')}>
            Speed up
          </Button>
        )}
        <Button disabled={!offer || isPending} onClick={() => mutate('cancel')}>
          Cancel
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
      {factsError && <ErrorNote error={factsError} />}
    </Panel>
  )
}

function whyItWaits(tx: RpcTransaction, facts: SenderFacts): ReactNode {
  const { text, term } = waitsFor(Number(tx.nonce), offerOf(tx), facts)
  return (
    <>
      It {text}.{term === 'nonce-gap' && ' Higher fees do not help here: only the missing transactions do.'}
    </>
  )
}

/** In gwei, on one line. */
function Fee({ wei }: { wei: bigint }) {
  return <span className={css('fee')}>{formatGwei(wei)}</span>
}
