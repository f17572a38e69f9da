import { lazy, useSyncExternalStore } from 'react'
import type { WalletRequests } from '#client/wallet/wallet-requests.ts'
import { LazyDialog } from '#ui/components/dialog/LazyDialog.tsx'

const WalletQuestion = lazy(async () => ({ default: (await import('./WalletQuestion.tsx')).WalletQuestion }))

/** Questions of dapps to the person at the page: one at a time, the oldest first. */
export function WalletDialog({ requests }: { requests: WalletRequests }) {
  const { subscribe, get } = requests.pending
  const [first, ...others] = useSyncExternalStore(subscribe, get)
  if (!first) return null
  return (
    <LazyDialog key={first.id} onClose={() => requests.answer(first.id, { approved: false })}>
      <WalletQuestion pending={first} others={others.length} onAnswer={(answer) => requests.answer(first.id, answer)} />
    </LazyDialog>
  )
}
