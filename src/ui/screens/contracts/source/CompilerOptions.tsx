import { useState } from 'react'
import { type CompilerSettings, EVM_VERSIONS } from '#compiler/messages.ts'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CompilerOptions.module.css'
import { isRuns } from './draft-storage.ts'
import { editDraft, useWorkbench } from './workbench.ts'

const css = classNames(styles)

/** Options for compiling the source. */
export function CompilerOptions() {
  const settings = useWorkbench(({ draft }) => draft.settings)
  const edit = (change: Partial<CompilerSettings>) => editDraft({ settings: { ...settings, ...change } })
  return (
    <details>
      <summary>
        Compiler options: {settings.optimizer ? `optimizer for ${settings.runs} runs` : 'no optimizer'}, EVM version{' '}
        {settings.evmVersion}
      </summary>
      <div className={css('fields')}>
        <div>
          <CheckField checked={settings.optimizer} onChange={(optimizer) => edit({ optimizer })}>
            Optimizer
          </CheckField>
          <p className="note">Makes the code cheaper to run. Compiling takes longer.</p>
        </div>
        {settings.optimizer && <RunsField runs={settings.runs} onChange={(runs) => edit({ runs })} />}
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
