import { useRef, useState } from 'react'
import { SHIPPED_VERSION } from '#client/solidity-compiler.ts'
import type { Diagnostic, MessagePlace } from '#compiler/messages.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panes } from '#ui/components/panes/Panes.tsx'
import { formatCount } from '#ui/format/numbers.ts'
import { openArtifacts } from '#ui/screens/contracts/artifacts/artifacts-dialog.ts'
import { areArtifacts, findArtifacts } from '#ui/screens/contracts/artifacts/find-artifacts.ts'
import { FilePanel } from '#ui/screens/contracts/files/FilePanel.tsx'
import { Opened } from '#ui/screens/contracts/files/Opened.tsx'
import { type Dropped, useFileDrop } from '#ui/screens/contracts/files/use-file-drop.ts'
import { allowCompiler } from '#ui/screens/contracts/project/allow-compiler.ts'
import type { FoundProject } from '#ui/screens/contracts/project/found-files.ts'
import { type Project, problemWithFiles } from '#ui/screens/contracts/project/project.ts'
import { MAX_PROJECTS } from '#ui/screens/contracts/project/project-table.ts'
import { editProject, forgetDeleted, undoDelete } from '#ui/screens/contracts/project/projects.ts'
import { type Unkept, useWorkbench } from '#ui/screens/contracts/project/workbench.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { CompilerOptions } from './CompilerOptions.tsx'
import { CompilerStanding } from './CompilerStanding.tsx'
import { compileNow } from './compile-now.ts'
import { Editor, type EditorHandle } from './Editor.tsx'
import { Problems } from './Problems.tsx'
import styles from './SourcePanel.module.css'

const css = classNames(styles)
const NO_DIAGNOSTICS: readonly Diagnostic[] = []

const NO_STORAGE = 'This browser does not save data for this page, so your projects are lost when you close the page.'

function wordsFor(why: Unkept, { files }: Project): string {
  return why === 'too many'
    ? `Not saved: this chain has ${MAX_PROJECTS} projects, the most that the page keeps. Delete one to save this one.`
    : `Your last changes are not saved: ${problemWithFiles(files) ?? 'the project was too large'}.`
}

/** The project's files, the editor of one, and the compiler's messages. */
export function SourcePanel() {
  const { project, library, chain } = useWorkbench()
  const diagnostics = useDiagnostics()
  const editor = useRef<EditorHandle>(null)
  const drop = useProjectDrop()
  const shown = library ?? { path: project.current, text: project.files[project.current] }
  const problems = new Set(
    diagnostics.flatMap(({ severity, place }) => (severity === 'error' && place ? [place.file] : [])),
  )
  if (chain === undefined) {
    return (
      <p role="status" className={css('waiting')}>
        Opening your projects…
      </p>
    )
  }
  const file = (
    <div className={css('file')}>
      <p className={css('path')}>
        <span className="mono">{shown.path === '' ? 'No file' : shown.path}</span>
        {library && (
          <>
            <span className="muted"> of a library, read-only</span>
            <Button size="small" onClick={() => useWorkbench.setState({ library: undefined })}>
              Close
            </Button>
          </>
        )}
        <Saved />
      </p>
      <Editor
        ref={editor}
        file={`${library ? 'library' : project.id}:${shown.path}`}
        value={shown.text ?? ''}
        readOnly={library !== undefined || shown.text === undefined}
        onChange={(text) =>
          editProject((before) => ({ ...before, files: { ...before.files, [before.current]: text } }))
        }
        onSubmit={compileNow}
        path={shown.path}
        diagnostics={diagnostics}
      />
    </div>
  )
  const compiler = (
    <section aria-label="Compiler" className={css('output')}>
      {drop.error !== undefined && <ErrorNote error={drop.error} />}
      {drop.found && <Opened found={drop.found} />}
      <Deleted />
      <CompilerStanding />
      <AllowCompiler diagnostics={diagnostics} />
      <Problems diagnostics={diagnostics} onGoTo={(place) => goTo(place, editor.current)} />
      <CompilerOptions />
      <p className="note">Tab indents; Esc and then Tab leaves the editor. Ctrl or ⌘ with Enter compiles.</p>
    </section>
  )
  const code = (
    <Panes
      name="contract source"
      direction="column"
      panes={[
        { label: 'editor', content: file, share: 0.76, least: 160, scrolls: false },
        { label: 'compiler', content: compiler, share: 0.24, least: 64 },
      ]}
    />
  )
  return (
    // The file fields of Open… are the way for the keyboard.
    <section aria-label="Source files" className={css('source', drop.isOver && 'over')} {...drop.handlers}>
      <Panes
        name="contract files"
        direction="row"
        panes={[
          { label: 'files', content: <FilePanel problems={problems} />, share: 0.24, least: 140 },
          { label: 'code', content: code, share: 0.76, least: 220, scrolls: false },
        ]}
      />
    </section>
  )
}

/** Whether what was typed is kept, and why not. */
function Saved() {
  const { project, keeping, unkept, saved } = useWorkbench()
  const why = unkept.get(project.id)
  return (
    <span className={css('saved')}>
      {keeping === 'none' ? NO_STORAGE : why ? wordsFor(why, project) : saved ? 'Saved in this browser.' : 'Saving…'}
    </span>
  )
}

/** Offers to change pragmas that only name another version of the page's compiler. */
function AllowCompiler({ diagnostics }: { diagnostics: readonly Diagnostic[] }) {
  const files = useWorkbench(({ project }) => project.files)
  const changed = allowCompiler(files, diagnostics, SHIPPED_VERSION)
  const count = Object.keys(changed).length
  if (count === 0) return null
  return (
    <div className={css('deleted')}>
      <span>
        {formatCount(count, 'file')} {count === 1 ? 'asks' : 'ask'} for another solc 0.8 than the page has. Its bytecode
        differs, also from what is deployed elsewhere.
      </span>
      <Button
        size="small"
        onClick={() => editProject((before) => ({ ...before, files: { ...before.files, ...changed } }))}
      >
        Allow solc {SHIPPED_VERSION} in {count === 1 ? 'its pragma' : 'their pragmas'}
      </Button>
    </div>
  )
}

/** The compiler's messages about files that are still as they were compiled. */
function useDiagnostics(): readonly Diagnostic[] {
  const files = useWorkbench(({ project }) => project.files)
  const compilation = useWorkbench((workbench) => workbench.compilation)
  if (!compilation) return NO_DIAGNOSTICS
  const { project, output } = compilation
  if (project.files === files) return output.diagnostics
  return output.diagnostics.filter(
    ({ place }) => place && files[place.file] !== undefined && files[place.file] === project.files[place.file],
  )
}

/** Opens the place's file, which may be a library's, and goes there. */
function goTo({ file, from }: MessagePlace, editor: EditorHandle | null): void {
  const { project, compilation } = useWorkbench.getState()
  const text = compilation?.output.libraries[file]
  if (Object.hasOwn(project.files, file)) editProject((before) => ({ ...before, current: file }))
  else if (text !== undefined) useWorkbench.setState({ library: { path: file, text } })
  editor?.goTo(from)
}

function Deleted() {
  const deleted = useWorkbench((workbench) => workbench.deleted)
  if (!deleted) return null
  return (
    <div role="status" className={css('deleted')}>
      <span>Deleted {deleted.what}.</span>
      <Button size="small" onClick={undoDelete}>
        Undo
      </Button>
      <Button size="small" onClick={forgetDeleted}>
        Close
      </Button>
    </div>
  )
}

async function openDropped({ entries, files }: Dropped): Promise<FoundProject> {
  const { importDropped } = await import('#ui/screens/contracts/project/import-project.ts')
  return importDropped(entries, files)
}

/** Takes a folder or an archive that is dropped on the panel; artifacts go to their dialog. */
function useProjectDrop() {
  const [found, setFound] = useState<FoundProject>()
  const [error, setError] = useState<unknown>()
  const drop = useFileDrop((dropped) => {
    setFound(undefined)
    setError(undefined)
    if (areArtifacts(dropped)) openArtifacts(() => findArtifacts(dropped))
    else openDropped(dropped).then(setFound, (problem: unknown) => setError(problem))
  })
  return { ...drop, found, error }
}
