import { useMutation } from '@tanstack/react-query'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { useProvider } from '#ui/page/session.ts'
import { useSender } from './sender.ts'

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
/** The same, with what sends a transfer. */
export const loadSending = () => Promise.all([loadSigner(), import('./send-transfer.ts')])

/** Signs and sends transfers from the chosen development account. */
export function useSend() {
  const provider = useProvider()
  return useMutation({
    mutationFn: async ({ to, value }: { to: Address; value: bigint }) => {
      const { index } = useSender.getState()
      const [{ devSigner }, { sendTransfer }] = await loadSending()
      return sendTransfer(provider, { sender: devSigner(index), senderName: `Account ${index}`, to, value })
    },
  })
}
