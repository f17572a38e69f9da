import { isGuest } from '#client/session/capabilities.ts'
import { MissingFeatures } from '#ui/connect/MissingFeatures.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { useCapabilities, useSession } from '#ui/page/session.ts'
import { useAnswer } from '#ui/queries/answer.ts'
import { watchWords } from './watch-words.ts'

/** What the live screen says of a chain that is not the page's own, and what that chain lacks. */
export function Elsewhere() {
  return (
    <>
      <p className="muted">{useLead()}</p>
      <MissingFeatures />
    </>
  )
}

function useLead(): string {
  const { remote, fork } = useSession()
  const capabilities = useCapabilities()
  const answer = useAnswer()
  if (fork) {
    return `Your own copy of the chain at ${othersText(fork.endpoint.host)}, with its accounts and contracts, and pre-confirmations on top. What you send stays in this browser.`
  }
  if (capabilities.film || !remote) {
    return 'A recorded chain. Move the slider to see it after any partial block; nothing can be changed.'
  }
  const host = othersText(remote.endpoint.host)
  if (!remote.served) return `This page shows the chain at ${host} instead of its own.`
  if (isGuest(capabilities))
    return `The chain of this room. Send a transaction with your button and watch it ${watchWords(answer)}.`
  return `The chain of the server at ${host}. Send a transaction and watch it ${watchWords(answer)}.`
}
