import { useMutation, useQueryClient } from '@tanstack/react-query'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { editDraft } from '#ui/compose/draft.ts'
import { chooseSender } from '#ui/own/sender.ts'
import { useGo } from '#ui/page/navigation.ts'
import { useCapabilities, useProvider, useReadOnly } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './AccountActions.module.css'

const css = classNames(styles)

/** Actions on an account: the faucet, and transactions from or to it. */
export function AccountActions({ address }: { address: Address }) {
  const provider = useProvider()
  const queries = useQueryClient()
  const { devnet, accounts } = useCapabilities()
  const readOnly = useReadOnly()
  const go = useGo()
  const account = accounts.includes(address) ? findDevAccount(address) : undefined
  const faucet = useMutation({
    mutationFn: () => provider.request({ method: 'devnet_faucet', params: [address] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['standing', address] }),
  })
  return (
    <div className={css('actions')}>
      {devnet && !readOnly && (
        <Button disabled={faucet.isPending} onClick={() => faucet.mutate()}>
          Faucet: +100 ETH
        </Button>
      )}
      {account && (
        <Button
          onClick={() => {
            chooseSender(account.index)
            go('/send')
          }}
        >
          Send from this account
        </Button>
      )}
      {accounts.length > 0 && (
        <Button
          onClick={() => {
            editDraft({ to: address })
            go('/send')
          }}
        >
          Send to this account
        </Button>
      )}
      {faucet.error && <ErrorNote error={faucet.error} />}
    </div>
  )
}
