import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { MAX_FILE_BYTES } from '#client/node/chain-file.ts'
import { UnpackError } from '#client/node/unpack.ts'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { useGo } from '#ui/page/navigation.ts'
import { useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { AskDialog } from './AskDialog.tsx'
import type { ChainAction } from './chain-actions.ts'
import { formatBytes } from './format-bytes.ts'
import { ImportProgress } from './ImportProgress.tsx'
import styles from './StorageDialog.module.css'
import { StorageStanding } from './StorageStanding.tsx'
import { type FoundFile, sniffFile } from './sniff-file.ts'
import { useStorage } from './storage-query.ts'
import { useChainActions } from './use-chain-actions.ts'

const css = classNames(styles)

const DOING: Readonly<Record<ChainAction['kind'], string>> = {
  export: 'Exporting the chain…',
  import: 'Checking the file and importing it…',
  'start-fresh': 'Starting a new chain…',
  'forget-snapshots': 'Deleting snapshots…',
}

/**
 * Shows where the chain is stored, and actions on the whole chain.
 *
 * @param asks - An action to confirm at once, if opened for it.
 * @param file - A file to import or to watch, if opened for it; it asks first.
 */
export function StorageDialog({
  asks,
  file: dropped,
  onClose,
}: {
  asks?: ChainAction
  file?: File
  onClose: () => void
}) {
  const { chain, fork, watch } = useSession()
  const go = useGo()
  const actions = useChainActions()
  const [asking, setAsking] = useState(asks)
  const [isCancelled, setIsCancelled] = useState(false)
  // An import may have been started before the dialog was closed, or in another tab.
  const isImporting = useStorage()?.importing !== undefined
  const chooser = useRef<HTMLInputElement>(null)
  const reading = useMutation({
    async mutationFn(file: File) {
      const found = await readFile(file)
      if (!fork || found.kind !== 'genesis') return found
      const why = 'Go back to the built-in chain, and import the file there. Nothing was changed.'
      throw new ExplainedError('A genesis cannot be imported into a fork.', why)
    },
    onSuccess: (found) => setAsking({ kind: 'import', found }),
  })
  const name = reading.variables?.name ?? ''
  const watching = useMutation({
    mutationFn: async (film: Uint8Array) => watch?.(film, name),
    onSuccess() {
      onClose()
      go('/')
    },
  })
  const busy = actions.isPending || reading.isPending || watching.isPending || isImporting
  const { mutate: read } = reading
  useEffect(() => {
    if (dropped) read(dropped)
  }, [dropped, read])

  function run(action: ChainAction): void {
    reading.reset()
    watching.reset()
    setIsCancelled(false)
    actions.mutate(action)
  }

  function watchFile({ file }: FoundFile & { kind: 'chain' }): void {
    setAsking(undefined)
    actions.reset()
    watching.mutate(file)
  }

  if (asking) {
    return (
      <AskDialog
        action={asking}
        onCancel={() => setAsking(undefined)}
        {...(watch &&
          asking.kind === 'import' &&
          asking.found.kind === 'chain' && { onWatch: () => watchFile(asking.found as FoundFile & { kind: 'chain' }) })}
        onAgree={() => {
          setAsking(undefined)
          run(asking)
        }}
      />
    )
  }
  const error = isCancelled ? reading.error : (actions.error ?? watching.error ?? reading.error)
  const { variables: action } = actions
  const importsHere = actions.isPending && action?.kind === 'import' && action.found.kind === 'chain'
  const said = actions.isPending
    ? DOING[actions.variables.kind]
    : reading.isPending
      ? 'Reading the file…'
      : watching.isPending
        ? 'Checking the file and opening it as a film…'
        : isImporting
          ? DOING.import
          : isCancelled && !error
            ? 'The import was cancelled. Nothing was changed.'
            : fork && action?.kind === 'start-fresh' && actions.isSuccess
              ? 'Started the fork over, after its block.'
              : actions.data
  return (
    <Dialog
      title="Chain storage"
      onDismiss={onClose}
      actions={
        <>
          <div className={css('outcome')}>
            <p role="status">{said}</p>
            {(importsHere || isImporting) && <ImportProgress onCancelled={() => setIsCancelled(true)} />}
            {error && !busy && <ErrorNote error={error} />}
          </div>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <StorageStanding />
      <ul className={css('actions')}>
        <Action
          what={`Saves blocks, state, pending block and mempool in one file, without snapshots${fork ? '; with what was fetched, so that it opens elsewhere without the endpoint' : ''}.`}
        >
          <Button size="small" disabled={busy} onClick={() => run({ kind: 'export' })}>
            Export chain
          </Button>
        </Action>
        <Action what="Open a Blinknet chain (or watch it as a film), an anvil state dump or a genesis file. It asks before it replaces anything.">
          <Button size="small" disabled={busy} onClick={() => chooser.current?.click()}>
            Import…
          </Button>
          <input
            ref={chooser}
            type="file"
            hidden
            aria-label="File to import"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              // Lets the same file be chosen again.
              target.value = ''
              actions.reset()
              watching.reset()
              if (file) reading.mutate(file)
            }}
          />
        </Action>
        <Action what="Frees the space used by evm_snapshot. Old states are deleted automatically; blocks are kept.">
          <Button size="small" disabled={busy} onClick={() => run({ kind: 'forget-snapshots' })}>
            Delete snapshots
          </Button>
        </Action>
        <Action
          what={
            fork
              ? 'Takes back everything since the block that is forked.'
              : `Erases ${chain === undefined ? 'this chain' : `the chain “${chain}”`} and starts a new one at block 0.`
          }
        >
          <Button size="small" disabled={busy} onClick={() => setAsking({ kind: 'start-fresh' })}>
            Start fresh…
          </Button>
        </Action>
      </ul>
    </Dialog>
  )
}

function Action({ what, children }: { what: string; children: ReactNode }) {
  return (
    <li className={css('action')}>
      <p className={css('what')}>{what}</p>
      {children}
    </li>
  )
}

/**
 * Detects the kind of a chosen file.
 *
 * @throws {ExplainedError} If it cannot be imported.
 */
export async function readFile(file: File): Promise<FoundFile> {
  if (file.size > MAX_FILE_BYTES) {
    const limit = `Files up to ${formatBytes(MAX_FILE_BYTES)} can be imported. Nothing was changed.`
    throw new ExplainedError(`${file.name} is too large: ${formatBytes(file.size)}.`, limit)
  }
  try {
    return await sniffFile(new Uint8Array(await file.arrayBuffer()))
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error
    throw new ExplainedError(`${file.name} cannot be unpacked: ${error.message}.`, 'Nothing was changed.', {
      cause: error,
    })
  }
}
