import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from '#ui/components/Button.tsx'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { MAX_LINK_CHARACTERS } from '#ui/format/link-text.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { pageBase } from '#ui/page/page-base.ts'
import type { Project } from '#ui/screens/contracts/project/project.ts'
import { PROJECT_PREFIX, packProject } from '#ui/screens/contracts/project/project-link.ts'
import { download } from '#ui/storage/download.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ShareProjectDialog.module.css'

const css = classNames(styles)

/** Shares the project as a link, if it is small enough, or as a file. */
export function ShareProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['project link', project.id, project],
    queryFn: async () => (await packProject(project)) ?? null,
    gcTime: 0,
  })
  const saving = useMutation({ mutationFn: () => saveArchive(project) })
  const address = data && `${location.origin}${pageBase()}contracts${PROJECT_PREFIX}${data}`
  return (
    <Dialog
      title="Share this project"
      onDismiss={onClose}
      actions={
        <>
          <Button disabled={saving.isPending} onClick={() => saving.mutate()}>
            Download as a zip file
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {error && <ErrorNote error={error} />}
      {data === undefined && !error && <p role="status">Packing the project…</p>}
      {data === null && (
        <p role="status">
          The project is too large for a link of at most {formatInteger(MAX_LINK_CHARACTERS)} characters. Share the zip
          file; whoever gets it can drop it on this page’s editor.
        </p>
      )}
      {address && (
        <>
          <p role="status">
            This link contains the project: its files and its compiler options, not your chain. Whoever opens it is
            asked first, and gets a project of their own.
          </p>
          <p className={css('address')}>
            <code>{address}</code>
          </p>
          <div>
            <CopyTextButton value={address}>the link</CopyTextButton>
          </div>
        </>
      )}
      {saving.error && <ErrorNote error={saving.error} />}
    </Dialog>
  )
}

async function saveArchive(project: Project): Promise<void> {
  const { zipProject } = await import('#ui/screens/contracts/project/archive.ts')
  download(zipProject(project), `${project.name.replace(/[^\w.-]+/g, '-')}.zip`)
}
