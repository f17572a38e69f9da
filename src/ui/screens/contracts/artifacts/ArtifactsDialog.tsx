import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { SolidityError } from '#client/solidity-reader.ts'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { useSession } from '#ui/page/session.ts'
import { FileField } from '#ui/screens/contracts/files/FileField.tsx'
import { Added } from './Added.tsx'
import { addArtifacts } from './add-artifacts.ts'
import { closeArtifacts, type FindFiles, useArtifactsDialog } from './artifacts-dialog.ts'
import { findChosenArtifacts } from './find-artifacts.ts'

/** Adds contracts that were compiled elsewhere, from chosen or dropped artifacts. */
export function ArtifactsDialog() {
  const chain = chainKeyOf(useSession())
  const dropped = useArtifactsDialog((dialog) => dialog.dropped)
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>()
  const abort = useRef<AbortController>(undefined)
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: (find: FindFiles) => {
      abort.current?.abort()
      abort.current = new AbortController()
      setProgress(undefined)
      return addArtifacts(chain, find, (done, total) => setProgress({ done, total }), abort.current.signal)
    },
  })
  useEffect(() => {
    if (dropped) mutate(dropped)
  }, [dropped, mutate])
  useEffect(() => () => abort.current?.abort(), [])
  const isCancelled =
    (error instanceof SolidityError && error.code === 'cancelled') ||
    (error instanceof DOMException && error.name === 'AbortError')
  return (
    <Dialog
      title="Add artifacts"
      onDismiss={closeArtifacts}
      actions={
        <>
          {isPending && <Button onClick={() => abort.current?.abort()}>Cancel</Button>}
          {data && <Button onClick={reset}>Add more</Button>}
          <Button onClick={closeArtifacts}>Close</Button>
        </>
      }
    >
      {data ? (
        <Added added={data} />
      ) : isPending ? (
        <>
          <p role="status">Reading the artifacts…</p>
          <progress aria-label="Files read" {...(progress && { value: progress.done, max: progress.total })} />
          {progress && (
            <p className="note">
              {progress.done} of {progress.total} files
            </p>
          )}
        </>
      ) : (
        <>
          <p>
            With the compiler’s output the page knows the sources of contracts that something else deploys, such as a
            script: for stack traces, the debugger, gas by line and the Source tab. It all stays in this browser.
          </p>
          <FileField
            label="A folder: the project, or its out (Foundry) or artifacts (Hardhat)"
            folder
            onChoose={(files) => mutate(() => findChosenArtifacts(files))}
          />
          <FileField
            label="Single files: artifacts of Foundry, or build-info"
            accept=".json"
            onChoose={(files) => mutate(() => findChosenArtifacts(files))}
          />
          <p className="note">Or drop them on the editor or on the panel “Use”.</p>
        </>
      )}
      {isCancelled && <p role="status">Cancelled.</p>}
      {error && !isCancelled && <ErrorNote error={error} />}
    </Dialog>
  )
}
