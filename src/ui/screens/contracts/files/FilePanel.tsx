import { FilePlus, FileX, FolderPlus, Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  addFile,
  addFolder,
  allFolders,
  deleteEntry,
  type Project,
  problemWithNewPath,
  problemWithRename,
  renameEntry,
  treeOf,
} from '#ui/screens/contracts/project/project.ts'
import { deleteFromProject, editProject } from '#ui/screens/contracts/project/projects.ts'
import { useWorkbench } from '#ui/screens/contracts/project/workbench.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FilePanel.module.css'
import { FileTree } from './FileTree.tsx'
import { PathForm } from './PathForm.tsx'

const css = classNames(styles)

/** What a person is naming. */
type Naming = 'file' | 'folder' | 'entry'

const WORDS: Readonly<Record<Naming, { readonly label: string; readonly action: string }>> = {
  file: { label: 'Name of the new file', action: 'Add' },
  folder: { label: 'Name of the new folder', action: 'Add' },
  entry: { label: 'New name', action: 'Rename' },
}

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

/** The project's files as a tree, with buttons for adding, renaming and deleting. */
export function FilePanel({ problems }: { problems: ReadonlySet<string> }) {
  const project = useWorkbench((workbench) => workbench.project)
  const [chosen, setChosen] = useState<string>()
  const [naming, setNaming] = useState<Naming>()
  const panel = useRef<HTMLElement>(null)
  const wasNaming = useRef(false)
  // The form has the focus, which would be lost when it closes.
  useEffect(() => {
    if (wasNaming.current && !naming)
      panel.current?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus()
    wasNaming.current = naming !== undefined
  }, [naming])
  const isThere = chosen !== undefined && (Object.hasOwn(project.files, chosen) || foldersOf(project).has(chosen))
  const active = isThere ? chosen : project.current
  const name = active.slice(active.lastIndexOf('/') + 1)
  const remove = () => {
    if (active !== '') deleteFromProject(active, (before) => deleteEntry(before, active))
  }

  function give(path: string): void {
    if (naming === 'file') editProject((before) => addFile(before, path, path.endsWith('.sol') ? HEAD : ''))
    else if (naming === 'folder') editProject((before) => addFolder(before, path))
    else if (path !== active) editProject((before) => renameEntry(before, active, path))
    setChosen(path)
    setNaming(undefined)
  }

  return (
    <section ref={panel} aria-label="Project files" className={css('panel')}>
      <div className={css('actions')} role="toolbar" aria-label="Files">
        <IconButton label="New file" onClick={() => setNaming('file')}>
          <FilePlus size={16} aria-hidden />
        </IconButton>
        <IconButton label="New folder" onClick={() => setNaming('folder')}>
          <FolderPlus size={16} aria-hidden />
        </IconButton>
        <IconButton label={`Rename ${name}`} disabled={active === ''} onClick={() => setNaming('entry')}>
          <Pencil size={16} aria-hidden />
        </IconButton>
        <IconButton label={`Delete ${name}`} disabled={active === ''} onClick={remove}>
          <FileX size={16} aria-hidden />
        </IconButton>
      </div>
      {naming && (
        <PathForm
          key={naming}
          {...WORDS[naming]}
          initial={naming === 'entry' ? active : prefixOf(project, active)}
          problemWith={(path) =>
            naming === 'entry' ? problemWithRename(project, active, path) : problemWithNewPath(project, path)
          }
          onDone={give}
          onCancel={() => setNaming(undefined)}
        />
      )}
      <FileTree
        nodes={treeOf(project)}
        active={active}
        current={project.current}
        problems={problems}
        onActivate={setChosen}
        onOpen={(path) => editProject((before) => ({ ...before, current: path }))}
        onRename={() => setNaming('entry')}
        onDelete={remove}
      />
      {Object.keys(project.files).length === 0 && <p className="empty">No files.</p>}
    </section>
  )
}

function foldersOf({ files, folders }: Project): ReadonlySet<string> {
  return allFolders(files, folders)
}

/** Where a new file goes: beside the active file, or into the active folder. */
function prefixOf(project: Project, active: string): string {
  const folder = foldersOf(project).has(active) ? active : active.slice(0, Math.max(0, active.lastIndexOf('/')))
  return folder === '' ? '' : `${folder}/`
}

function IconButton({
  label,
  disabled = false,
  onClick,
  children,
}: {
  label: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      className={css('icon')}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
