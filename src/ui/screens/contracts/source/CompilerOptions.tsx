import { useState } from 'react'
import { type CompilerSettings, EVM_VERSIONS } from '#compiler/messages.ts'
import { REMAPPINGS_FILE } from '#compiler/resolve-import.ts'
import { Button } from '#ui/components/Button.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { addFile } from '#ui/screens/contracts/project/project.ts'
import { editProject } from '#ui/screens/contracts/project/projects.ts'
import { isRuns } from '#ui/screens/contracts/project/read-project.ts'
import { useWorkbench } from '#ui/screens/contracts/project/workbench.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CompilerOptions.module.css'

const css = classNames(styles)

/** Options for compiling the source. */
export function CompilerOptions() {
  const { settings, files, compiler, id } = useWorkbench((workbench) => workbench.project)
  const edit = (change: Partial<CompilerSettings>) =>
    editProject((project) => ({ ...project, settings: { ...project.settings, ...change } }))
  return (
    <details>
      <summary>
        Compiler options: {settings.optimizer ? `optimizer for ${settings.runs} runs` : 'no optimizer'}, EVM version{' '}
        {settings.evmVersion}
        {settings.viaIR ? ', via Yul' : ''}
      </summary>
      <div className={css('fields')}>
        <div>
          <CheckField checked={settings.optimizer} onChange={(optimizer) => edit({ optimizer })}>
            Optimizer
          </CheckField>
          <p className="note">Makes the code cheaper to run. Compiling takes longer.</p>
        </div>
        {settings.optimizer && <RunsField key={id} runs={settings.runs} onChange={(runs) => edit({ runs })} />}
        <Field label="EVM version" hint="The instructions that the code may use. This chain supports Osaka.">
          {(props) => (
            <select
              {...props}
              className={fieldClass}
              value={settings.evmVersion}
              onChange={(event) => {
                const evmVersion = EVM_VERSIONS.find((version) => version === event.target.value)
                if (evmVersion) edit({ evmVersion })
              }}
            >
              {EVM_VERSIONS.map((version) => (
                <option key={version}>{version}</option>
              ))}
            </select>
          )}
        </Field>
        <div>
          <CheckField checked={settings.viaIR} onChange={(viaIR) => edit({ viaIR })}>
            Compile via Yul (viaIR)
          </CheckField>
          <p className="note">
            Avoids “stack too deep” errors and often saves gas. Compiling takes several times as long.
          </p>
        </div>
        <div>
          <p className="note">
            {Object.hasOwn(files, REMAPPINGS_FILE)
              ? 'The file remappings.txt says where imports are found, one rule per line: prefix=target.'
              : 'The file remappings.txt can redirect imports, as in Foundry.'}
          </p>
          {!Object.hasOwn(files, REMAPPINGS_FILE) && (
            <Button size="small" onClick={() => editProject((project) => addFile(project, REMAPPINGS_FILE, ''))}>
              Add remappings.txt
            </Button>
          )}
          {compiler !== undefined && <p className="note">Last compiled with solc {compiler}.</p>}
        </div>
      </div>
    </details>
  )
}

/** An invalid number stays in the field with an error, and the last valid one is used. */
function RunsField({ runs, onChange }: { runs: number; onChange: (runs: number) => void }) {
  const [text, setText] = useState(String(runs))
  const number = /^\d{1,10}$/.test(text) ? Number(text) : undefined
  return (
    <TextField
      label="Runs"
      look="number"
      hint="How often you expect a function to be called."
      error={isRuns(number) ? undefined : 'Enter a whole number from 1 to 4,294,967,295.'}
      value={text}
      onChange={(changed) => {
        setText(changed)
        if (/^\d{1,10}$/.test(changed) && isRuns(Number(changed))) onChange(Number(changed))
      }}
    />
  )
}
