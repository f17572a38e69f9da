import type { DraftErrors } from '#ui/compose/read-draft.ts'
import { CallFields } from './CallFields.tsx'
import { DraftField } from './DraftField.tsx'

/** What the transaction does. */
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
        hint="As a compiler gives it: the code that leaves the contract’s code behind. The one given makes a contract that answers 42."
        error={errors.bytecode}
      />
      <DraftField
        name="constructorArgs"
        label="Constructor arguments"
        look="mono"
        hint="ABI-encoded, in hex; 0x for none. They go behind the bytecode."
        error={errors.constructorArgs}
      />
      <DraftField name="callValue" label="Amount in ETH" error={errors.callValue} />
    </>
  )
}
