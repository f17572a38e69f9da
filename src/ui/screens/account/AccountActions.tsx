import { useMutation, useQueryClient } from '@tanstack/react-query'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { editDraft } from '#ui/compose/draft.ts'
import { stopImpersonating } from '#ui/own/impersonate.ts'
import { useImpersonated } from '#ui/own/impersonated.ts'
import { chooseAnySender } from '#ui/own/sender.ts'
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
  const isOwn = accounts.includes(address)
  const canSend = isOwn || (accounts.length > 0 && !readOnly && findDevAccount(address) === undefined)
  const isImpersonated = useImpersonated((all) => all.has(address))
  const faucet = useMutation({
    mutationFn: () => provider.request({ method: 'devnet_faucet', params: [address] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['standing', address] }),
  })
  const stopping = useMutation({ mutationFn: () => stopImpersonating(provider, address) })
  return (
    <div className={css('actions')}>
      {devnet && !readOnly && (
        <Button disabled={faucet.isPending} onClick={() => faucet.mutate()}>
          Faucet: +100 ETH
        </Button>
      )}
      {canSend && (
        <Button
          onClick={() => {
            chooseAnySender(address)
            go('/send')
          }}
        >
          {isOwn ? 'Send from this account' : 'Send from this account, impersonated'}
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
      {isImpersonated && !readOnly && (
        <Button disabled={stopping.isPending} onClick={() => stopping.mutate()}>
          Stop impersonating
        </Button>
      )}
      {(faucet.error ?? stopping.error) && <ErrorNote error={faucet.error ?? stopping.error} />}
    </div>
  )
}
