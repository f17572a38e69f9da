import type { DraftErrors } from '#ui/compose/read-draft.ts'
import { CallFields } from './CallFields.tsx'
import { DraftField } from './DraftField.tsx'

/** The transaction's target. */
export function TargetFields({ kind, errors }: { kind: 'transfer' | 'call' | 'deploy'; errors: DraftErrors }) {
  if (kind === 'transfer') {
    return (
      <>
        <DraftField name="to" label="To" look="address" error={errors.to} />
        <DraftField name="value" label="Amount in ETH" error={errors.value} />
      </>
    )
  }
  if (kind === 'call') return <CallFields errors={errors} />
  return (
    <>
      <DraftField
        name="bytecode"
        label="Bytecode"
        look="area"
        hint="The compiler’s output, including the constructor. The example deploys a contract that returns 42."
        error={errors.bytecode}
      />
      <DraftField
        name="constructorArgs"
        label="Constructor arguments"
        look="mono"
        hint="ABI-encoded, in hex; 0x for none. They are appended to the bytecode."
        error={errors.constructorArgs}
      />
      <DraftField name="callValue" label="Amount in ETH" error={errors.callValue} />
    </>
  )
}
