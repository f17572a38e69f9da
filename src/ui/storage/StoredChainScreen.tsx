import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { CHAIN_NAME_RULE, isChainName } from '#client/node/node-options-from-url.ts'
import type { StartFailure } from '#client/session/connection-state.ts'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { ReloadButton } from '#ui/components/RetryButton.tsx'
import { formatCount } from '#ui/format/numbers.ts'
import { useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { eraseAndRestart, saveRescued, saveSalvaged } from './chain-actions.ts'
import { FAILURE_WORDS } from './failure-words.ts'
import { addressInMemory, addressOfChain, addressWithoutOptions } from './page-address.ts'
import styles from './StoredChainScreen.module.css'

const css = classNames(styles)

/** Shown instead of a stored chain that cannot be opened: why, and what to do. */
export function StoredChainScreen({ failure, message }: { failure: StartFailure; message: string }) {
  const { chain } = useSession()
  const { title, what, mayBeStored, byAddress, mayBeDamaged } = FAILURE_WORDS[failure]
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
            {mayBeStored && <Rescue chain={chain} mayBeDamaged={mayBeDamaged === true} />}
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

/** Saves what is good of the stored chain, or a copy of it, or erases it and starts fresh. */
function Rescue({ chain, mayBeDamaged }: { chain: string; mayBeDamaged: boolean }) {
  const session = useSession()
  const [asking, setAsking] = useState(false)
  const copy = useMutation({ mutationFn: () => saveSalvaged(chain) })
  const rescue = useMutation({ mutationFn: () => saveRescued(chain) })
  const erasing = useMutation({ mutationFn: () => eraseAndRestart(session, chain) })
  const busy = copy.isPending || rescue.isPending || erasing.isPending
  const failed = erasing.error ?? rescue.error ?? copy.error
  const doing = copy.isPending
    ? 'Reading the stored chain…'
    : rescue.isPending
      ? 'Checking every block of the stored chain…'
      : erasing.isPending
        ? 'Erasing the chain…'
        : undefined
  const { missing = 0, missingLines = [] } = rescue.data ?? {}
  return (
    <div className={css('rescue')}>
      <div className={css('actions')}>
        {mayBeDamaged && (
          <Button
            disabled={busy}
            onClick={() => {
              copy.reset()
              rescue.mutate()
            }}
          >
            Save what is good
          </Button>
        )}
        <Button
          disabled={busy}
          onClick={() => {
            rescue.reset()
            copy.mutate()
          }}
        >
          Save a copy
        </Button>
        <Button disabled={busy} onClick={() => setAsking(true)}>
          Start fresh…
        </Button>
      </div>
      <p role="status" className="muted">
        {doing ?? (failed ? `That did not work: ${failed.message}` : (rescue.data?.outcome ?? copy.data))}
      </p>
      {missing > 0 && (
        <details>
          <summary>{formatCount(missing, 'block')} missing</summary>
          <ul className={css('missing')}>
            {missingLines.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </details>
      )}
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
          {!copy.isSuccess && !rescue.isSuccess && <p>You have not saved a copy of it from this screen.</p>}
        </Dialog>
      )}
    </div>
  )
}

/** Opens another chain of this browser by name; an unknown one is started. */
function OtherChainForm() {
  const [name, setName] = useState('')
  const [checked, setChecked] = useState(false)
  const isName = isChainName(name)

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    if (isName) location.assign(addressOfChain(location, import.meta.env.BASE_URL, name))
  }

  return (
    <form onSubmit={submit} noValidate className={css('other')}>
      <TextField
        label="Open another chain"
        hint="Its name. If there is no such chain, a new one is started."
        error={checked && !isName ? `A name has ${CHAIN_NAME_RULE}.` : undefined}
        look="mono"
        autoCapitalize="none"
        value={name}
        onChange={setName}
      />
      <div className={css('open')}>
        <Button type="submit">Open</Button>
      </div>
    </form>
  )
}
