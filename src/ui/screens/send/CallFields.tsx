import { Segmented } from '#ui/components/form/Segmented.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { parameterLabel, parseSignature } from '#ui/compose/call-data.ts'
import { editDraft, useDraft } from '#ui/compose/draft.ts'
import type { DraftErrors } from '#ui/compose/read-draft.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Composer.module.css'
import { DraftField } from './DraftField.tsx'

const css = classNames(styles)

const WAYS = [
  { value: 'signature', label: 'Function' },
  { value: 'bytes', label: 'Raw data' },
] as const

/** The contract, and a function with arguments, or bytes. */
export function CallFields({ errors }: { errors: DraftErrors }) {
  const dataBy = useDraft((draft) => draft.dataBy)
  return (
    <>
      <DraftField
        name="contract"
        label="Contract"
        look="address"
        hint="0x0000…8ba3 is Permit2, which manages token allowances. It exists from block 0 on."
        error={errors.contract}
      />
      <div className={css('wide', 'group')}>
        <span className={css('caption')} aria-hidden="true">
          Call data by
        </span>
        <Segmented
          legend="Call data by"
          options={WAYS}
          value={dataBy}
          onChange={(value) => editDraft({ dataBy: value })}
        />
      </div>
      {dataBy === 'bytes' ? (
        <DraftField name="data" label="Data" look="area" hint="In hex; 0x for none." error={errors.data} />
      ) : (
        <FunctionFields errors={errors} />
      )}
      <DraftField name="callValue" label="Amount in ETH" error={errors.callValue} />
    </>
  )
}

function FunctionFields({ errors }: { errors: DraftErrors }) {
  const signature = useDraft((draft) => draft.signature)
  const args = useDraft((draft) => draft.args)
  const parsed = parseSignature(signature)
  return (
    <>
      <DraftField
        name="signature"
        label="Function"
        look="mono"
        hint="Name and parameter types, such as transfer(address,uint256)."
        error={errors.signature}
      />
      {parsed.ok &&
        parsed.abi.inputs.map((input, i) => (
          // A parameter may have no name or share it with another, so its index is the key.
          <div key={i} className={css('wide')}>
            <TextField
              label={parameterLabel(input, i)}
              look={input.type === 'address' ? 'address' : 'mono'}
              error={errors.args?.[i]}
              value={args[i] ?? ''}
              onChange={(text) => editDraft({ args: replaced(args, i, text) })}
            />
          </div>
        ))}
    </>
  )
}

/** Text typed for later parameters is kept. */
function replaced(args: readonly string[], position: number, text: string): readonly string[] {
  return Array.from({ length: Math.max(args.length, position + 1) }, (_, i) =>
    i === position ? text : (args[i] ?? ''),
  )
}
