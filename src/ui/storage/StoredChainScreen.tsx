import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { StartFailure } from '#client/session/connection-state.ts'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { ReloadButton } from '#ui/components/RetryButton.tsx'
import { useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { eraseAndRestart, saveSalvaged } from './chain-actions.ts'
import { FAILURE_WORDS } from './failure-words.ts'
import { OtherChainForm } from './OtherChainForm.tsx'
import { addressInMemory, addressWithoutOptions } from './page-address.ts'
import styles from './StoredChainScreen.module.css'

const css = classNames(styles)

/** Shown instead of a stored chain that cannot be opened: why, and what to do. */
export function StoredChainScreen({ failure, message }: { failure: StartFailure; message: string }) {
  const { chain } = useSession()
  const { title, what, mayBeStored, byAddress } = FAILURE_WORDS[failure]
  return (
    <MessageScreen
      title={title}
      failed
      reason={message}
      actions={
        <>
          {byAddress ? (
            <Button look="primary" onClick={() => location.assign(addressWithoutOptions(location))}>
              {mayBeStored ? 'Open it as it is' : 'Open without these options'}
            </Button>
          ) : (
            <ReloadButton>Reload and try again</ReloadButton>
          )}
          <Button onClick={() => location.assign(addressInMemory(location, import.meta.env.BASE_URL))}>
            Use a chain in memory instead
          </Button>
        </>
      }
      more={
        chain !== undefined && (
          <>
            {mayBeStored && <Rescue chain={chain} />}
            <OtherChainForm />
          </>
        )
      }
    >
      {chain !== undefined && (
        <p>
          <strong>Chain “{chain}”</strong>
        </p>
      )}
      <p>{what}</p>
    </MessageScreen>
  )
}

/** Saves a copy of the stored chain, or erases it and starts fresh. */
function Rescue({ chain }: { chain: string }) {
  const session = useSession()
  const [asking, setAsking] = useState(false)
  const copy = useMutation({ mutationFn: () => saveSalvaged(chain) })
  const erasing = useMutation({ mutationFn: () => eraseAndRestart(session, chain) })
  const busy = copy.isPending || erasing.isPending
  const failed = erasing.error ?? copy.error
  const doing = copy.isPending ? 'Reading the stored chain …' : erasing.isPending ? 'Erasing the chain …' : undefined
  return (
    <div className={css('rescue')}>
      <div className={css('actions')}>
        <Button disabled={busy} onClick={() => copy.mutate()}>
          Save a copy
        </Button>
        <Button disabled={busy} onClick={() => setAsking(true)}>
          Start fresh…
        </Button>
      </div>
      <p role="status" className="muted">
        {doing ?? (failed ? `That did not work: ${failed.message}` : copy.data)}
      </p>
      {asking && (
        <Dialog
          title="Erase the stored chain?"
          onDismiss={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>Cancel</Button>
              <Button
                look="primary"
                onClick={() => {
                  setAsking(false)
                  erasing.mutate()
                }}
              >
                Erase and start fresh
              </Button>
            </>
          }
        >
          <p>
            The stored chain “{chain}” is deleted for good. A new chain starts at block 0, with the options in the
            page’s address.
          </p>
          {!copy.isSuccess && <p>You have not saved a copy of it from this screen.</p>}
        </Dialog>
      )}
    </div>
  )
}
