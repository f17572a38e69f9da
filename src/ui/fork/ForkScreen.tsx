import { useMutation } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { forkEndpoint } from '#client/fork/fork-endpoint.ts'
import { newestBlock } from '#client/fork/try-endpoint.ts'
import type { ForkView } from '#client/session/session.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { RetryButton } from '#ui/components/RetryButton.tsx'
import { LeaveButton } from '#ui/connect/LeaveButton.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { useConnection, useSession } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { eraseAndRestart } from '#ui/storage/chain-actions.ts'
import { allow, allowed, pageOfFork } from './fork-consent.ts'
import { inPlainWords, remedyFor } from './fork-words.ts'
import { TrialResult, useTrial } from './TrialResult.tsx'

/** Shown while a fork does not run: the question before its endpoint is asked, its progress, or why there is none. */
export function ForkScreen({ fork }: { fork: ForkView }) {
  const { agreed } = fork
  const isAgreed = useSyncExternalStore(agreed.subscribe, agreed.get)
  const connection = useConnection()
  if (!isAgreed) return <Question fork={fork} />
  if (connection.status === 'crashed') return <Failure fork={fork} message={connection.message} />
  return (
    <MessageScreen title={`Forking the chain at ${othersText(fork.endpoint.host)}`} actions={<LeaveButton />}>
      <p>Asking for {blockOf(fork)}, and for proofs of the accounts that this page uses.</p>
    </MessageScreen>
  )
}

function blockOf({ blockNumber }: ForkView): string {
  return blockNumber === undefined ? 'its newest block' : `its block ${formatInteger(blockNumber)}`
}

/**
 * Starts a fork, as a person has agreed. One after the newest block is named by that block first: other tabs, and a reload,
 * then have the same fork.
 */
async function startFork(fork: ForkView): Promise<void> {
  const blockNumber = fork.blockNumber ?? (await newestOf(fork))
  allow({ ...fork, blockNumber }, 'start')
  if (blockNumber === fork.blockNumber) return fork.agree()
  location.replace(pageOfFork(location, import.meta.env.BASE_URL, { ...fork, blockNumber }))
}

/** `undefined` if the endpoint does not say: then the fork starts with what was kept, or says what is wrong. */
async function newestOf({ endpoint }: ForkView): Promise<number | undefined> {
  const asked = forkEndpoint(endpoint, location.protocol, 0)
  try {
    return await newestBlock(asked)
  } catch {
    return undefined
  } finally {
    asked.close()
  }
}

/** Asks before anything is sent to a host that the page's address alone names. */
function Question({ fork }: { fork: ForkView }) {
  const trial = useTrial(fork)
  const { mutate } = trial
  const isChosen = allowed(fork) === 'try'
  // A person has just typed the address, or reloads the page.
  useEffect(() => {
    if (isChosen) mutate()
  }, [isChosen, mutate])
  const host = othersText(fork.endpoint.host)
  const starting = useMutation({ mutationFn: () => startFork(fork) })

  return (
    <MessageScreen
      title={`Fork the chain at ${host}?`}
      actions={
        <>
          <Button look="primary" disabled={starting.isPending} onClick={() => starting.mutate()}>
            {starting.isPending ? 'Starting…' : 'Start the fork'}
          </Button>
          <Button disabled={trial.isPending} onClick={() => mutate()}>
            Try the endpoint
          </Button>
          {trial.isError && <Button onClick={() => openDialog('fork')}>Another endpoint…</Button>}
          <LeaveButton />
        </>
      }
      more={<TrialResult trial={trial} />}
    >
      <p>
        A copy of that chain would go on in this browser after {blockOf(fork)}, with its accounts and contracts, and
        pre-confirmations on top. Your other chains stay as they are.
      </p>
      <p>
        {isChosen || !trial.isIdle
          ? `${host} is asked for blocks, accounts and contracts as you use them, and so sees what you look at.`
          : `The address of this page names ${host}, and nothing was sent there yet. It would see your IP address, and which accounts and contracts you look at.`}
      </p>
    </MessageScreen>
  )
}

function Failure({ fork, message }: { fork: ForkView; message: string }) {
  const session = useSession()
  const trial = useTrial(fork)
  const erasing = useMutation({ mutationFn: (chain: string) => eraseAndRestart(session, chain) })
  return (
    <MessageScreen
      title="The fork is not running"
      failed
      reason={inPlainWords(message)}
      actions={
        <>
          <RetryButton onClick={() => session.restart()}>Try again</RetryButton>
          <Button disabled={trial.isPending} onClick={() => trial.mutate()}>
            Try the endpoint
          </Button>
          <Button onClick={() => openDialog('fork')}>Another endpoint…</Button>
          {session.chain !== undefined && message.includes('stored chain') && (
            <Button onClick={() => erasing.mutate(session.chain ?? '')}>Erase what is stored, and start over</Button>
          )}
          <LeaveButton />
        </>
      }
      more={erasing.error ? <ErrorNote error={erasing.error} /> : <TrialResult trial={trial} />}
    >
      <p>
        <strong>{othersText(remedyFor(message, location.origin))}</strong>
      </p>
    </MessageScreen>
  )
}
