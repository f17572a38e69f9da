import type { CompilerSettings } from '#compiler/messages.ts'
import { REMAPPINGS_FILE } from '#compiler/project/resolve-import.ts'
import { Button } from '#ui/components/Button.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { addFile } from '#ui/screens/contracts/project/project.ts'
import { editProject } from '#ui/screens/contracts/project/projects.ts'
import { settingsWords } from '#ui/screens/contracts/project/settings-words.ts'
import { useWorkbench } from '#ui/screens/contracts/project/workbench.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CompilerOptions.module.css'
import { SettingsFields } from './SettingsFields.tsx'

const css = classNames(styles)

/** Options for compiling the source. */
export function CompilerOptions() {
  const { settings, files, compiler, id } = useWorkbench((workbench) => workbench.project)
  const edit = (change: Partial<CompilerSettings>) =>
    editProject((project) => ({ ...project, settings: { ...project.settings, ...change } }))
  return (
    <details>
      <summary>Compiler options: {settingsWords(settings)}</summary>
      <div className={css('fields')}>
        <SettingsFields key={id} settings={settings} onChange={edit} />
        <div>
          <CheckField checked={settings.withTests === true} onChange={(withTests) => edit({ withTests })}>
            Compile tests and scripts, too
          </CheckField>
          <p className="note">
            Otherwise only those that a contract imports. A test that needs forge’s cheatcodes compiles, but does not
            run here.
          </p>
        </div>
        <div>
          <p className="note">
            {Object.hasOwn(files, REMAPPINGS_FILE)
              ? 'The file remappings.txt says where imports are found, one rule per line: prefix=target. Those for the folders in lib are inferred, as in Foundry.'
              : 'Imports are found in lib as in Foundry. The file remappings.txt can redirect them.'}
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
