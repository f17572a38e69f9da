import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useId, useState } from 'react'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import type { ErrorCard } from '#ui/compose/error-cards.ts'
import { type CardResult, runCard } from '#ui/compose/run-card.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ErrorGallery.module.css'

const css = classNames(styles)

/** One error: its cause, the expected message, and a button to trigger it. */
export function ErrorCardView({ card, impossible }: { card: ErrorCard; impossible: string | undefined }) {
  const provider = useProvider()
  const id = useId()
  const [progress, setProgress] = useState<string>()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => runCard(provider, card, setProgress),
    onSettled: () => setProgress(undefined),
  })
  return (
    <article className={css('card')} aria-labelledby={id}>
      <div className={css('what')}>
        <div className={css('top')}>
          <h2 id={id} className={css('title')}>
            {card.title}
          </h2>
          <span className={css('check')}>check {card.check}</span>
        </div>
        <p>{card.cause}</p>
        <p className={css('expected')}>
          <span className={css('code')}>{ERROR_CODES.server}</span> <code>{card.message}</code>
        </p>
        {card.preparation && <p className={css('note')}>{card.preparation}</p>}
      </div>
      {impossible ? (
        <p className={css('note')}>{impossible}</p>
      ) : (
        <div className={css('actions')}>
          <Button size="small" disabled={isPending} onClick={() => mutate()} aria-describedby={id}>
            {isPending ? (progress ?? 'Triggering…') : 'Trigger'}
          </Button>
        </div>
      )}
      <div className={css('outcome')}>
        <div role="status" className={css('outcome')}>
          {data && !isPending && <Outcome result={data} />}
        </div>
        {error && <ErrorNote error={error} />}
      </div>
    </article>
  )
}

function Outcome({ result: { raw, answer, asExpected, expected } }: { result: CardResult }) {
  const Icon = asExpected ? Check : X
  return (
    <>
      <p className={css('mark', asExpected ? 'good' : 'bad')}>
        <Icon size={15} aria-hidden="true" />
        {asExpected ? 'As expected' : `Not as expected: ${expected}`}
      </p>
      <p className={css('answer')}>
        {answer.kind === 'accepted' ? `accepted: ${answer.hash}` : `${answer.code} ${othersText(answer.message)}`}
      </p>
      {answer.kind === 'refused' && answer.data !== undefined && (
        <p className={css('answer')}>data {JSON.stringify(answer.data)}</p>
      )}
      <p className={css('note')}>
        Sent {formatCount(raw.length / 2 - 1, 'byte')}: <code>{raw.length > 42 ? `${raw.slice(0, 42)}…` : raw}</code>
      </p>
    </>
  )
}
