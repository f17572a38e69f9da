import { useEffect, useRef } from 'react'
import { SendFailure } from '#ui/chain/failure/SendFailure.tsx'
import { Button } from '#ui/components/Button.tsx'
import { Term } from '#ui/components/Term.tsx'
import { formatEth } from '#ui/format/numbers.ts'
import { type OwnTransaction, useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useSender } from '#ui/own/sender.ts'
import { QUICK_VALUE, quickRecipient, useSend } from '#ui/own/use-send.ts'
import { StepLayout } from './StepLayout.tsx'
import { followTransaction, goToStep, useTour } from './tour-store.ts'

/**
 * Waits for a transaction of this page, sent here or on any other screen.
 *
 * @param followed - The one that the tour follows already, if the person came back to this step.
 */
export function SendStep({ followed }: { followed: OwnTransaction | undefined }) {
  const sender = useSender((state) => state.index)
  const newest = useOwnTransactions((own) => own.sent[0]?.hash)
  const before = useRef(newest)
  const held = useTour(({ clock }) => clock !== undefined)
  const { mutate, error, isPending } = useSend()
  useEffect(() => {
    if (newest !== undefined && newest !== before.current) followTransaction(newest)
  }, [newest])
  return (
    <StepLayout
      title="Send a transaction"
      region="Mempool"
      said={
        isPending
          ? 'Signing and sending…'
          : followed
            ? 'You have sent one. Go on, or send another.'
            : 'Waiting for your transaction.'
      }
      reached={followed !== undefined}
      actions={
        <>
          {followed && <Button onClick={() => goToStep('mempool')}>Next</Button>}
          <Button
            look="primary"
            disabled={isPending}
            onClick={() => mutate({ to: quickRecipient(sender), value: QUICK_VALUE })}
          >
            Send {formatEth(QUICK_VALUE, 2)}
          </Button>
        </>
      }
    >
      <p>
        A transaction is a signed instruction. This one moves {formatEth(QUICK_VALUE, 2)} from Account {sender} to the
        next account. The page signs it with a public test key and sends it to the node, which also runs in this page.
      </p>
      <p>
        {held ? (
          <>
            The tour has stopped the chain’s clock so that you can watch each step. Nothing happens until the next{' '}
            <Term of="tick" then=".">
              tick
            </Term>
          </>
        ) : (
          <>
            This chain has a manual clock: a <Term of="tick">tick</Term> comes only when you press Step.
          </>
        )}
      </p>
      {error && <SendFailure error={error} />}
    </StepLayout>
  )
}
