import { useMutation, useQueryClient } from '@tanstack/react-query'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import { LOAD_ACCOUNTS } from '#client/signing/load-accounts.ts'
import type { Address as AddressHex } from '#primitives/hex.ts'
import type { DevKey } from '#rpc-types/dev-keys.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { fillNonceGap } from '#ui/own/fill-nonce-gap.ts'
import { useImpersonated } from '#ui/own/impersonated.ts'
import { fillable, type NonceGap, nonceWords } from '#ui/own/nonce-gap.ts'
import { loadSigner } from '#ui/own/use-send.ts'
import { useProvider } from '#ui/page/session.ts'
import { NONCE_GAPS } from '#ui/queries/nonce-gaps.ts'

/** The public test key of an address, if the page has it. */
function findKey(address: AddressHex): DevKey | undefined {
  return findDevAccount(address) ?? LOAD_ACCOUNTS.find((key) => key.address === address)
}

/**
 * How to close a nonce gap: a button that sends the missing nonces, or who has to send them.
 *
 * @param below - Only the gap before this nonce; the account's whole gap by default.
 * @param brief - A short form for places that already show the nonces.
 */
export function FillNonceGap({
  gap,
  below,
  brief = false,
}: {
  gap: NonceGap
  below?: number | undefined
  brief?: boolean
}) {
  const key = findKey(gap.address)
  const isImpersonated = useImpersonated((all) => all.has(gap.address))
  if (!key && !isImpersonated) {
    return <p className="note">Only its owner can send the missing ones: this page does not have the key.</p>
  }
  return <Fill gap={gap} below={below} brief={brief} account={key} />
}

function Fill({
  gap,
  below,
  brief,
  account,
}: {
  gap: NonceGap
  below: number | undefined
  brief: boolean
  /** Without it the account is impersonated. */
  account: DevKey | undefined
}) {
  const provider = useProvider()
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      if (!account) return fillNonceGap(provider, { source: 'impersonated', address: gap.address }, below)
      const { signerFor } = await loadSigner()
      return fillNonceGap(provider, signerFor(account), below)
    },
    onSettled: () => client.invalidateQueries({ queryKey: NONCE_GAPS }),
  })
  const words = nonceWords(fillable(gap.missing))
  return (
    <>
      <Button
        size="small"
        disabled={isPending}
        aria-label={brief ? `Send them: ${words}` : undefined}
        title="With each of these nonces, 0 ETH goes from the account to itself."
        onClick={() => mutate()}
      >
        Send {brief ? 'them' : words}
      </Button>
      {error && <ErrorNote error={error} />}
    </>
  )
}
