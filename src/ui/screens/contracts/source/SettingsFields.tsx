import { useState } from 'react'
import { type CompilerSettings, EVM_VERSIONS } from '#compiler/messages.ts'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { SelectField } from '#ui/components/form/SelectField.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { isRuns } from '#ui/screens/contracts/project/read-project.ts'

/** Fields for the compiler's settings. Give each project fields of its own by a `key`: an invalid number stays in its field. */
export function SettingsFields({
  settings,
  onChange,
}: {
  settings: CompilerSettings
  onChange: (change: Partial<CompilerSettings>) => void
}) {
  return (
    <>
      <div>
        <CheckField checked={settings.optimizer} onChange={(optimizer) => onChange({ optimizer })}>
          Optimizer
        </CheckField>
        <p className="note">Makes the code cheaper to run. Compiling takes longer.</p>
      </div>
      {settings.optimizer && <RunsField runs={settings.runs} onChange={(runs) => onChange({ runs })} />}
      <SelectField
        label="EVM version"
        hint="The instructions that the code may use. This chain supports Osaka."
        value={settings.evmVersion}
        onChange={(value) => {
          const evmVersion = EVM_VERSIONS.find((version) => version === value)
          if (evmVersion) onChange({ evmVersion })
        }}
      >
        {EVM_VERSIONS.map((version) => (
          <option key={version}>{version}</option>
        ))}
      </SelectField>
      <div>
        <CheckField checked={settings.viaIR} onChange={(viaIR) => onChange({ viaIR })}>
          Compile via Yul (viaIR)
        </CheckField>
        <p className="note">
          Avoids “stack too deep” errors and often saves gas. Compiling takes several times as long.
        </p>
      </div>
    </>
  )
}

/** An invalid number stays in the field, with an error, while the last valid one is used. */
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
