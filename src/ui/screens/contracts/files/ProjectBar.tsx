import { lazy, useId, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { LazyDialog } from '#ui/components/dialog/LazyDialog.tsx'
import { fieldClass } from '#ui/components/form/Field.tsx'
import { EXAMPLES, exampleOf } from '#ui/screens/contracts/project/examples.ts'
import {
  addEmptyProject,
  deleteProject,
  openExample,
  openListed,
  renameProject,
} from '#ui/screens/contracts/project/projects.ts'
import { useWorkbench } from '#ui/screens/contracts/project/workbench.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { PathForm } from './PathForm.tsx'
import styles from './ProjectBar.module.css'

const css = classNames(styles)

const OpenDialog = lazy(async () => ({ default: (await import('./OpenDialog.tsx')).OpenDialog }))
const ShareDialog = lazy(async () => ({ default: (await import('./ShareProjectDialog.tsx')).ShareProjectDialog }))

const EXAMPLE = 'example:'

/** Selects a project, one's own or an example. */
export function ProjectField() {
  const fieldId = useId()
  const project = useWorkbench((workbench) => workbench.project)
  const projects = useWorkbench((workbench) => workbench.projects)
  const isOwn = projects.some(({ id }) => id === project.id)
  const example = isOwn ? undefined : exampleOf(project)
  return (
    <div className={css('project')}>
      <label htmlFor={fieldId} className="visually-hidden">
        Project or example
      </label>
      <select
        id={fieldId}
        title={example?.about ?? 'Your projects stay as they are when you open another one.'}
        className={fieldClass}
        value={example ? EXAMPLE + example.title : project.id}
        onChange={({ target: { value } }) => {
          if (value.startsWith(EXAMPLE)) openExample(value.slice(EXAMPLE.length))
          else openListed(value)
        }}
      >
        <optgroup label="Examples">
          {EXAMPLES.map(({ title }) => (
            <option key={title} value={EXAMPLE + title}>
              {title}
            </option>
          ))}
        </optgroup>
        {projects.length > 0 && (
          <optgroup label="Your projects">
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </div>
  )
}

/** The actions on the project as a whole. */
export function ProjectActions() {
  const project = useWorkbench((workbench) => workbench.project)
  const isOwn = useWorkbench(({ projects }) => projects.some(({ id }) => id === project.id))
  const [shown, setShown] = useState<'open' | 'share' | 'rename'>()
  const close = () => setShown(undefined)
  return (
    <>
      <div className="row" role="group" aria-label="Project">
        <Button onClick={addEmptyProject}>New project</Button>
        <Button onClick={() => setShown('open')}>Open…</Button>
        <Button onClick={() => setShown('share')}>Share…</Button>
        {isOwn && (
          <>
            <Button onClick={() => setShown('rename')}>Rename project</Button>
            <Button onClick={deleteProject}>Delete project</Button>
          </>
        )}
      </div>
      {shown === 'rename' && (
        <PathForm
          key={project.id}
          label="Name of the project"
          action="Rename"
          initial={project.name}
          problemWith={(name) => (name === '' ? 'Enter a name.' : undefined)}
          onDone={(name) => {
            renameProject(name)
            close()
          }}
          onCancel={close}
        />
      )}
      {shown === 'open' && (
        <LazyDialog onClose={close}>
          <OpenDialog onClose={close} />
        </LazyDialog>
      )}
      {shown === 'share' && (
        <LazyDialog onClose={close}>
          <ShareDialog project={project} onClose={close} />
        </LazyDialog>
      )}
    </>
  )
}
