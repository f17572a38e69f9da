import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AtomicStatus } from '#rpc-types/node-options.ts'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { SelectField } from '#ui/components/form/SelectField.tsx'
import { useProvider } from '#ui/page/session.ts'
import { statusQuery, useStatus } from '#ui/queries/status.ts'

/** What the wallet for dapps does with bundles of calls, in words. */
const WORDS: Readonly<Record<AtomicStatus, string>> = {
  unsupported: 'A transaction for each call (unsupported)',
  ready: 'One transaction, once the account is upgraded (ready)',
  supported: 'One transaction (supported)',
}

/** Chooses what the wallet tells dapps that batch their calls (EIP-5792), and so which of their branches they take. */
export function AtomicField() {
  const provider = useProvider()
  const client = useQueryClient()
  const { queryKey } = statusQuery(provider)
  const status = useStatus(({ atomic = 'unsupported' }) => atomic)
  const choosing = useMutation({
    mutationFn: (chosen: AtomicStatus) => provider.request({ method: 'devnet_setAtomicBundles', params: [chosen] }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  if (status === undefined) return null
  return (
    <>
      <SelectField
        label="Bundles of calls"
        hint="What a dapp that batches is told (EIP-5792), and what the wallet does then."
        value={choosing.isPending ? choosing.variables : status}
        onChange={(chosen) => choosing.mutate(chosen as AtomicStatus)}
      >
        {Object.entries(WORDS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
      {choosing.error && <ErrorNote error={choosing.error} />}
    </>
  )
}
