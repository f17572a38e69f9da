import { useSyncExternalStore } from 'react'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import type { Explanation } from '#ui/format/explain-error.ts'
import { formatCount, formatDuration } from '#ui/format/numbers.ts'
import { formatBytes } from '#ui/storage/format-bytes.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CompilerStanding.module.css'
import { type Compilation, compiler, useWorkbench } from './workbench.ts'

const css = classNames(styles)

/** State of the compiler, and the outcome of the last compilation. */
export function CompilerStanding() {
  const state = useSyncExternalStore(compiler.state.subscribe, compiler.state.get)
  const compilation = useWorkbench((workbench) => workbench.compilation)
  const failure = useWorkbench((workbench) => workbench.failure)
  if (failure) {
    return (
      <div role="alert">
        <FailureNote {...explain(failure.code, failure.message)} />
      </div>
    )
  }
  if (state.status === 'loading') {
    const { loadedBytes, totalBytes } = state
    return (
      <div className={css('loading')}>
        <progress
          className={css('bar')}
          aria-label="Download of the compiler"
          value={totalBytes === undefined ? 0 : loadedBytes}
          max={totalBytes ?? 1}
        />
        <p className={css('words')}>
          {totalBytes === undefined || loadedBytes === 0
            ? 'Downloading the compiler …'
            : `Downloading the compiler: ${formatBytes(loadedBytes)} of ${formatBytes(totalBytes)}`}
        </p>
      </div>
    )
  }
  return (
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
    </p>
  )
}

function wordsFor(status: 'off' | 'starting' | 'compiling' | 'idle', compilation: Compilation | undefined): string {
  if (status === 'starting') return 'Starting the compiler …'
  if (status === 'compiling') return 'Compiling …'
  if (!compilation)
    return 'Compiling turns the source into bytecode that the chain can run. The compiler runs in this page and is downloaded when you first use it.'
  const { output, tookMs } = compilation
  const errors = output.diagnostics.filter(({ severity }) => severity === 'error').length
  if (errors > 0) return `${formatCount(errors, 'error')}: nothing was compiled.`
  return `Compiled ${formatCount(output.contracts.length, 'contract')} in ${formatDuration(tookMs)}.`
}

function explain(code: 'network' | 'broken' | 'cancelled', message: string): Explanation {
  if (code === 'network') {
    return {
      what: `The compiler could not be downloaded: ${message}.`,
      why: 'It comes from the same server as this page. Check the connection, then compile again.',
    }
  }
  return {
    what: `The compiler crashed: ${message}.`,
    why: 'Nothing was compiled. Compile again to restart it.',
  }
}
