import { AccountOptions } from '#ui/chain/AccountOptions.tsx'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { editDraft, useDraft } from '#ui/compose/draft.ts'
import type { DraftErrors } from '#ui/compose/read-draft.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Composer.module.css'
import { DraftField } from './DraftField.tsx'

const css = classNames(styles)

/** The authorization of a type 4 transaction: which account delegates to which contract. */
export function DelegationFields({ errors }: { errors: DraftErrors }) {
  const authority = useDraft((draft) => draft.authority)
  return (
    <>
      <div className={css('wide')}>
        <Field
          label="Account that gets the code"
          hint="It signs an authorization, here in the page."
          error={errors.authority}
        >
          {(props) => (
            <select
              {...props}
              className={fieldClass}
              value={authority}
              onChange={({ target }) => editDraft({ authority: target.value })}
            >
              <option value="">The sender</option>
              <AccountOptions />
            </select>
          )}
        </Field>
      </div>
      <DraftField
        name="delegate"
        label="Contract whose code it runs"
        look="address"
        hint="The zero address removes the code again."
        error={errors.delegate}
      />
    </>
  )
}
