import { useMutation } from '@tanstack/react-query'
import { devSigner } from '#client/dev-accounts.ts'
import { invariant } from '#primitives/invariant.ts'
import { useProvider } from '#ui/session.ts'
import { sendBatch } from './send-composed.ts'
import type { Composed } from './use-composition.ts'

/** Signs and sends what stands in the form. */
export function useSendComposed() {
  const provider = useProvider()
  return useMutation({
    mutationFn: ({ account, tx, composition }: Pick<Composed, 'account' | 'tx' | 'composition'>) => {
      invariant(tx && composition, 'only what is complete is sent')
      return sendBatch(provider, {
        sender: devSigner(account.index),
        tx,
        automaticNonce: composition.nonce === undefined,
        copies: composition.copies,
      })
    },
  })
}
