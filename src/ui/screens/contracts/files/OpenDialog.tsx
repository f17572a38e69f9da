import { useMutation } from '@tanstack/react-query'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import type { FoundProject } from '#ui/screens/contracts/project/found-files.ts'
import { importArchive, importProject, isArchive } from '#ui/screens/contracts/project/import-project.ts'
import { findInChosen } from '#ui/screens/contracts/project/read-folder.ts'
import { FileField } from './FileField.tsx'
import { Opened } from './Opened.tsx'

/** Opens a folder, files or an archive as a new project. */
export function OpenDialog({ onClose }: { onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: openChosen })
  return (
    <Dialog title="Open a project" onDismiss={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      {data ? (
        <Opened found={data} />
      ) : (
        <>
          <p>
            It becomes a new project; your others stay as they are. You can also drop a folder or a zip file on the
            editor.
          </p>
          <FileField label="A folder, such as a Foundry or Hardhat project" folder onChoose={mutate} />
          <FileField
            label="Solidity files, or one zip file"
            accept=".sol,.zip,.txt,.toml,.md,.json"
            onChoose={mutate}
          />
          <p className="note">
            Folders that tools make, such as node_modules, out and artifacts, are left out. Of lib, the files that your
            sources import are taken. OpenZeppelin’s contracts and the consoles that you do not have are the page’s.
          </p>
        </>
      )}
      {isPending && <p role="status">Reading…</p>}
      {error && <ErrorNote error={error} />}
    </Dialog>
  )
}

async function openChosen(chosen: readonly File[]): Promise<FoundProject> {
  const [only] = chosen
  if (chosen.length === 1 && only && isArchive(only)) return importArchive(only)
  return importProject('Project', () => findInChosen(chosen))
}
