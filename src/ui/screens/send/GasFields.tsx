import { formatGwei } from 'viem'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { Term } from '#ui/components/Term.tsx'
import { type DraftType, editDraft, useDraft } from '#ui/compose/draft.ts'
import { type DraftErrors, hasTip, MAX_COPIES } from '#ui/compose/read-draft.ts'
import type { Composed } from '#ui/compose/use-composition.ts'
import { explainError } from '#ui/format/explain-error.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Composer.module.css'
import { DelegationFields } from './DelegationFields.tsx'
import { DraftField } from './DraftField.tsx'

const css = classNames(styles)

const TYPES = [
  { value: '2', label: 'Type 2' },
  { value: '4', label: 'Type 4' },
  { value: '1', label: 'Type 1' },
  { value: '0', label: 'Type 0' },
] as const

const TYPE_NOTES: Readonly<Record<DraftType, string>> = {
  '2': 'Dynamic fee (EIP-1559): a fee cap that includes a tip.',
  '4': 'Set code (EIP-7702): an account agrees to run a contract’s code as its own.',
  '1': 'Access list (EIP-2930), left empty here. Its gas price is both fee cap and tip.',
  '0': 'Legacy. Its gas price is both fee cap and tip.',
}

/** Nonce, gas and fees; empty fields use the page's suggestions, shown in grey. */
export function GasFields({ composed, errors }: { composed: Composed; errors: DraftErrors }) {
  const type = useDraft((draft) => draft.type)
  const { facts, estimate, estimateError, tx } = composed
  const refused = estimateError ? explainError(estimateError).what : undefined
  return (
    <>
      <hr className={css('rule')} />
      <div className={css('wide', 'group')}>
        <span className={css('caption')} aria-hidden="true">
          Type
        </span>
        <Segmented
          legend="Transaction type"
          options={TYPES}
          value={type}
          onChange={(value) => editDraft({ type: value })}
        />
        <p className="note">{TYPE_NOTES[type]}</p>
        {errors.type && <p role="alert">{errors.type}</p>}
      </div>
      {type === '4' && <DelegationFields errors={errors} />}
      <p className={`${css('wide')} note`}>
        Leave a field empty to use the grey value: the next{' '}
        <Term of="nonce" then=",">
          nonce
        </Term>{' '}
        the estimated{' '}
        <Term of="gas" then=",">
          gas
        </Term>{' '}
        and a fee cap that covers twice the{' '}
        <Term of="base-fee" then=".">
          base fee
        </Term>
      </p>
      <DraftField
        name="nonce"
        label="Nonce"
        look="number"
        placeholder={facts ? `${facts.nextNonce}, the next one` : ''}
        error={errors.nonce}
      />
      <DraftField
        name="gas"
        label="Gas limit"
        look="number"
        placeholder={estimate === undefined ? '' : `${estimate}, estimated`}
        error={errors.gas ?? (refused && `The estimate failed. ${refused} To send it anyway, enter a gas limit.`)}
      />
      <DraftField
        name="feeCap"
        label={hasTip(type) ? 'Fee cap in gwei' : 'Gas price in gwei'}
        look="number"
        placeholder={tx ? formatGwei(tx.feeCap) : ''}
        error={errors.feeCap}
      />
      {hasTip(type) && (
        <DraftField
          name="tip"
          label="Tip in gwei"
          look="number"
          placeholder={tx ? formatGwei(tx.tip) : ''}
          error={errors.tip}
        />
      )}
      <DraftField
        name="copies"
        label="Repeat"
        look="number"
        hint={`Up to ${MAX_COPIES} times. The signed bytes shown are of the first one.`}
        error={errors.copies}
      />
    </>
  )
}
