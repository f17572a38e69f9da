import { useMutation } from '@tanstack/react-query'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { useProvider } from '#ui/page/session.ts'
import { noSender, useSender } from './sender.ts'

/** Value sent by the primary button: 0.01 ETH, in wei. */
export const QUICK_VALUE = 10n ** 16n

/** The recipient of a quick transfer: the account after the sender. */
export function quickRecipient(sender: number): Address {
  const recipient = DEV_ACCOUNTS[(sender + 1) % DEV_ACCOUNTS.length]
  if (!recipient) throw new RangeError('there are no development accounts')
  return recipient.address
}

/** Signing is half of the third-party code of the page, so it is loaded after the first view. */
export const loadSigner = () => import('#client/signing/dev-signer.ts')

let sending: Promise<typeof import('./send-transfer.ts')> | undefined

/**
 * Loads what sends a transfer. Once loaded it is there at once: an `import` of loaded code would wait until the
 * thread has nothing else to do. If loading fails, the next call tries again.
 */
export function loadSending(): Promise<typeof import('./send-transfer.ts')> {
  sending ??= import('./send-transfer.ts').catch((error: unknown) => {
    sending = undefined
    throw error
  })
  return sending
}

/** Does ahead what the first press needs. If that fails, the press tries again and shows the error. */
export function prepareSending(): void {
  Promise.all([loadSigner(), loadSending()]).then(
    ([{ devSigner }]) => void devSigner(useSender.getState().index),
    () => {},
  )
}

/** A transfer to send. */
interface WantedTransfer {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  /** Whether it comes from the one chosen under From, whoever that is; otherwise from the chosen development account. */
  readonly fromAnyone?: boolean
}

/** Sends transfers. */
export function useSend() {
  const provider = useProvider()
  return useMutation({
    mutationFn: async ({ to, value, fromAnyone = false }: WantedTransfer) => {
      const { index, other } = useSender.getState()
      const sender = fromAnyone && other !== undefined ? strangerAt(other) : DEV_ACCOUNTS[index]
      invariant(sender, 'the chosen account is one of the development accounts')
      const { sendTransfer } = await loadSending()
      return sendTransfer(provider, { sender, to, value })
    },
  })
}

function strangerAt(other: Address | 'undecided') {
  if (other === 'undecided') return noSender()
  return { name: 'The account', address: other }
}
