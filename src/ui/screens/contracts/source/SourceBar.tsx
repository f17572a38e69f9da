import { useSyncExternalStore } from 'react'
import { solidityCompiler } from '#client/solidity-compiler.ts'
import { Button } from '#ui/components/Button.tsx'
import { HeldBack } from '#ui/components/HeldBack.tsx'
import { ProjectActions, ProjectField } from '#ui/screens/contracts/files/ProjectBar.tsx'
import { isCompiled, useWorkbench } from '#ui/screens/contracts/project/workbench.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { compileNow } from './compile-now.ts'
import styles from './SourceBar.module.css'

const css = classNames(styles)

/** Chooses a project, and compiles it. */
export function SourceBar() {
  const chain = useWorkbench((workbench) => workbench.chain)
  const isMade = useWorkbench(
    (workbench) => isCompiled(workbench) && (workbench.compilation?.output.contracts.length ?? 0) > 0,
  )
  const { status } = useSyncExternalStore(solidityCompiler.state.subscribe, solidityCompiler.state.get)
  const isBusy = status !== 'off' && status !== 'idle'
  return (
    <div className={css('bar')}>
      <ProjectField />
      {/* A project of one's own has more actions. */}
      <HeldBack isHeld={chain === undefined}>
        <ProjectActions />
        <div className={css('compile')}>
          {/* Always there, so that nothing moves when a compilation begins. */}
          <span className={css(!isBusy && 'idle')}>
            <Button disabled={!isBusy} onClick={solidityCompiler.cancel}>
              Cancel
            </Button>
          </span>
          <Button
            look={isMade ? 'plain' : 'primary'}
            disabled={isBusy || chain === undefined}
            title="Compile (Ctrl or ⌘ with Enter, in the editor)"
            onClick={compileNow}
          >
            {isBusy ? 'Compiling…' : 'Compile'}
          </Button>
        </div>
      </HeldBack>
    </div>
  )
}
