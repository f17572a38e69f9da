import { useMutation } from '@tanstack/react-query'
import { devSigner } from '#client/signing/dev-signer.ts'
import { useProvider } from '#ui/page/session.ts'
import { editDraft, useDraft } from './draft.ts'
import type { Composition } from './read-draft.ts'
import { sendBatch } from './send-composed.ts'
import type { Composed } from './use-composition.ts'

type Submission = Pick<Composed, 'account' | 'complete'> & { readonly composition: Composition }

/** Signs and sends the form's transaction. */
export function useSendComposed() {
  const provider = useProvider()
  return useMutation({
    mutationFn: async ({ account, composition, complete }: Submission) => {
      return sendBatch(provider, {
        sender: devSigner(account.index),
        tx: await complete(),
        automaticNonce: composition.nonce === undefined,
        copies: composition.copies,
      })
    },
    onSuccess: ({ hashes }, { composition }) => {
      // The nonce just used would be refused next time, so the field returns to the suggestion.
      const isUnchanged = Number(useDraft.getState().nonce) === composition.nonce
      if (hashes.length > 0 && isUnchanged) editDraft({ nonce: '' })
    },
  })
}
