import { useMutation } from '@tanstack/react-query'
import { sendingAccount } from '#ui/own/sending-account.ts'
import { useProvider } from '#ui/page/session.ts'
import { editDraft, useDraft } from './draft.ts'
import type { Composition } from './read-draft.ts'
import { sendBatch } from './send-composed.ts'
import type { Composed } from './use-composition.ts'

type Submission = Pick<Composed, 'sender' | 'complete'> & { readonly composition: Composition }

/** Hands in the form's transaction. */
export function useSendComposed() {
  const provider = useProvider()
  return useMutation({
    mutationFn: async ({ sender, composition, complete }: Submission) => {
      return sendBatch(provider, {
        sender: sendingAccount(sender),
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
