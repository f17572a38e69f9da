import { useQuery } from '@tanstack/react-query'
import { FolderInput } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { PROJECT_PREFIX, unpackProject } from '#ui/screens/contracts/project/project-link.ts'
import { addProject } from '#ui/screens/contracts/project/projects.ts'

/** Most file names shown. */
const NAMES_SHOWN = 6

function packedInAddress(): string | undefined {
  return location.hash.startsWith(PROJECT_PREFIX) ? location.hash.slice(PROJECT_PREFIX.length) : undefined
}

/** If the page's address has a project, asks whether to open it as a new one. */
export function SharedProjectNotice() {
  const [packed, setPacked] = useState(packedInAddress)
  useEffect(() => {
    // Opening a link in a tab that already shows the page changes only the hash.
    const onHash = () => setPacked(packedInAddress())
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  const { data, error } = useQuery({
    queryKey: ['shared project', packed],
    queryFn: () => unpackProject(packed ?? ''),
    enabled: packed !== undefined,
    retry: false,
    gcTime: 0,
  })
  if (packed === undefined || (!data && !error)) return null

  /** Closes the notice and removes the project from the address, so that a reload does not ask again. */
  function close(): void {
    history.replaceState(history.state, '', location.pathname + location.search)
    setPacked(undefined)
  }

  if (!data) {
    return (
      <Notice
        label="Shared project"
        icon={FolderInput}
        look="failed"
        actions={
          <Button size="small" onClick={close}>
            Close
          </Button>
        }
      >
        <FailureNote
          what={`The project in this link cannot be read: ${error?.message}.`}
          why="Ask for a new link. Nothing has been changed."
        />
      </Notice>
    )
  }
  const paths = Object.keys(data.files)
  const more = paths.length > NAMES_SHOWN ? ', …' : ''
  return (
    <Notice
      label="Shared project"
      title="This link contains a project"
      icon={FolderInput}
      look="attention"
      actions={
        <>
          <Button size="small" onClick={close}>
            Not now
          </Button>
          <Button
            size="small"
            onClick={() => {
              addProject(data)
              close()
            }}
          >
            Open as a new project
          </Button>
        </>
      }
    >
      <p className="muted">
        “{othersText(data.name)}”, {formatCount(paths.length, 'file')}:{' '}
        {paths
          .slice(0, NAMES_SHOWN)
          .map((path) => othersText(path))
          .join(', ')}
        {more}. Your own projects stay as they are. Nothing runs before you compile and deploy it.
      </p>
    </Notice>
  )
}
