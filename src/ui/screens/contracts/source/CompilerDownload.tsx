import type { CompilerError, CompilerState } from '#client/solidity-compiler.ts'
import type { ErrorWords } from '#ui/format/explain-error.ts'
import { formatBytes } from '#ui/storage/format-bytes.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CompilerStanding.module.css'

const css = classNames(styles)

/** Progress of downloading the compiler or a package of sources. */
export function CompilerDownload({
  state: { what, loadedBytes, totalBytes },
}: {
  state: Extract<CompilerState, { status: 'loading' }>
}) {
  return (
    <div className={css('loading')}>
      <progress
        className={css('bar')}
        aria-label={`Download of ${what}`}
        value={totalBytes === undefined ? 0 : loadedBytes}
        max={totalBytes ?? 1}
      />
      <p className={css('words')}>
        {totalBytes === undefined || loadedBytes === 0
          ? `Downloading ${what}…`
          : `Downloading ${what}: ${formatBytes(loadedBytes)} of ${formatBytes(totalBytes)}`}
      </p>
    </div>
  )
}

/** Why nothing was compiled. */
export function explainCompilerFailure({ code, message }: CompilerError): ErrorWords {
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
