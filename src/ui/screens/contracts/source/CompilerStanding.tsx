import { useSyncExternalStore } from 'react'
import { solidityCompiler } from '#client/solidity-compiler.ts'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import { formatCount, formatDuration } from '#ui/format/numbers.ts'
import { useWorkbench, type WorkbenchCompilation } from '#ui/screens/contracts/project/workbench.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { CompilerDownload, explainCompilerFailure } from './CompilerDownload.tsx'
import styles from './CompilerStanding.module.css'

const css = classNames(styles)

/** State of the compiler, and the outcome of the last compilation. */
export function CompilerStanding() {
  const state = useSyncExternalStore(solidityCompiler.state.subscribe, solidityCompiler.state.get)
  const compilation = useWorkbench((workbench) => workbench.compilation)
  const failure = useWorkbench((workbench) => workbench.failure)
  const buildKept = useWorkbench((workbench) => workbench.buildKept)
  if (failure) {
    return (
      <div role="alert">
        <FailureNote {...explainCompilerFailure(failure)} />
      </div>
    )
  }
  if (state.status === 'loading') return <CompilerDownload state={state} />
  const busy = state.status === 'starting' || state.status === 'compiling'
  return (
    <>
      {!busy && !compilation && (
        // Not announced: for a moment it stands between “Compiling…” and what was compiled.
        <p className={css('words')}>
          Compiling turns the source into bytecode that the chain can run. The compiler runs in this page and is
          downloaded when you first use it.
        </p>
      )}
      <p role="status" className={css('words')}>
        {wordsFor(state.status, compilation)}
        {'version' in state && (
          <span className="muted">
            {' '}
            solc {state.version.replace(/\.Emscripten.*/, '')} (GPL-3.0),{' '}
            {state.kept
              ? 'saved in this browser, so it works offline.'
              : 'not saved: your next visit downloads it again.'}
          </span>
        )}
        {!buildKept && (
          <span className="muted">
            {' '}
            This browser has no room to keep this build, so later traces of its contracts cannot show the source.
          </span>
        )}
      </p>
    </>
  )
}

function wordsFor(
  status: 'off' | 'starting' | 'compiling' | 'idle',
  compilation: WorkbenchCompilation | undefined,
): string | undefined {
  if (status === 'starting') return 'Starting the compiler…'
  if (status === 'compiling') return 'Compiling…'
  if (!compilation) return undefined
  const { output, tookMs } = compilation
  const errors = output.diagnostics.filter(({ severity }) => severity === 'error').length
  if (errors > 0) return `${formatCount(errors, 'error')}: nothing was compiled.`
  return `Compiled ${formatCount(output.contracts.filter(({ isOwn }) => isOwn).length, 'contract')} in ${formatDuration(tookMs)}.`
}
