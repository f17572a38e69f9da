import { useRef, useSyncExternalStore } from 'react'
import type { Diagnostic } from '#compiler/messages.ts'
import { Button } from '#ui/components/Button.tsx'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { CompilerOptions } from './CompilerOptions.tsx'
import { CompilerStanding } from './CompilerStanding.tsx'
import { Editor, type EditorHandle } from './Editor.tsx'
import { EXAMPLES, exampleOf } from './examples.ts'
import { Problems } from './Problems.tsx'
import styles from './SourcePanel.module.css'
import { compileDraft, compiler, editDraft, useWorkbench } from './workbench.ts'

const css = classNames(styles)
const NO_DIAGNOSTICS: readonly Diagnostic[] = []
/** The entry of the list of examples for a person's own source. */
const OWN = ''

/** The source, and the compiler's messages. */
export function SourcePanel() {
  const source = useWorkbench(({ draft }) => draft.source)
  const kept = useWorkbench((state) => state.kept)
  const diagnostics = useWorkbench(({ draft, compilation }) =>
    compilation?.draft.source === draft.source ? compilation.output.diagnostics : NO_DIAGNOSTICS,
  )
  const isMade = useWorkbench(
    ({ draft, compilation }) => compilation?.draft === draft && compilation.output.contracts.length > 0,
  )
  const { status } = useSyncExternalStore(compiler.state.subscribe, compiler.state.get)
  const editor = useRef<EditorHandle>(null)
  const busy = status !== 'off' && status !== 'idle'
  return (
    <Panel title="1. Write" aside="Solidity">
      <div className={css('body')}>
        <div className={css('toolbar')}>
          <ExampleField source={source} />
          <div className={css('actions')}>
            {busy && <Button onClick={compiler.cancel}>Cancel</Button>}
            <Button look={isMade ? 'plain' : 'primary'} disabled={busy} onClick={() => void compileDraft()}>
              {busy ? 'Compiling …' : 'Compile'}
            </Button>
          </div>
        </div>
        <Editor
          ref={editor}
          value={source}
          onChange={(text) => editDraft({ source: text })}
          onSubmit={() => void compileDraft()}
          diagnostics={diagnostics}
        />
        <p className="note">
          Tab indents; Esc and then Tab leaves the editor. Ctrl or ⌘ with Enter compiles.
          {kept ? '' : ' This browser does not save data for this page, so your source is lost when you close it.'}
        </p>
        <CompilerStanding />
        <Problems source={source} diagnostics={diagnostics} onGoTo={(position) => editor.current?.goTo(position)} />
        <CompilerOptions />
      </div>
    </Panel>
  )
}

function ExampleField({ source }: { source: string }) {
  const example = exampleOf(source)
  return (
    <Field
      label="Example"
      hint={example?.about ?? 'Choosing an example replaces your source. Ctrl or ⌘ with Z brings it back.'}
    >
      {(props) => (
        <select
          {...props}
          className={fieldClass}
          value={example?.title ?? OWN}
          onChange={(event) => {
            const chosen = EXAMPLES.find(({ title }) => title === event.target.value)
            if (chosen) editDraft({ source: chosen.source })
          }}
        >
          {!example && <option value={OWN}>Your own source</option>}
          {EXAMPLES.map(({ title }) => (
            <option key={title}>{title}</option>
          ))}
        </select>
      )}
    </Field>
  )
}
