import { type ReactNode, useState } from 'react'
import type { Hex } from '#primitives/hex.ts'
import type { Explanation } from '#solidity/stack/explain-failure.ts'
import type { Failure, FailureKind } from '#solidity/stack/failure.ts'
import type { StackFrame } from '#solidity/stack/stack-frame.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { shortHex } from '#ui/format/hex.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './StackTrace.module.css'

const css = classNames(styles)

/** Names the error of revert data; `undefined` if it is not known either. */
export type Guess = (data: Hex) => ReactNode | undefined

/** Frames that are drawn at first. */
const SHOWN = 12
/** Characters of a line, and of a message. */
const LONGEST_LINE = 300

/**
 * Why an execution failed, in words, and where: the lines of its sources, innermost first.
 *
 * @param told - The kind of reason that is on the screen already, and is not said again.
 * @param debugAt - Address of its debugger at a step.
 * @param guess - Names an error that the sources do not explain.
 */
export function StackTrace({
  explanation,
  told,
  debugAt,
  guess,
}: {
  explanation: Explanation
  told: FailureKind | undefined
  debugAt: (step: number) => string
  guess: Guess | undefined
}) {
  const { failure, frames, rethrownAt } = explanation
  const [shown, setShown] = useState(SHOWN)
  const hasSource = frames.some(({ file }) => file !== undefined)
  return (
    <div className={css('trace')}>
      {failure.kind !== told && <FailureWords failure={failure} guess={guess} />}
      <ol className={css('frames')} aria-label="Stack trace, innermost first">
        {frames.slice(0, shown).map((frame, i) => (
          <Frame key={i} frame={frame} debugAt={debugAt} />
        ))}
      </ol>
      <ShowMore left={frames.length - shown} onMore={() => setShown(shown + 8 * SHOWN)} />
      {rethrownAt && (
        <p className="note">
          The same error was thrown again at {rethrownAt.file && othersText(rethrownAt.file)}:{rethrownAt.line}.
        </p>
      )}
      {!hasSource && (
        <p className="note">
          The page has no source for this code. Compile it on the Contracts screen, or add its artifacts there, to see
          its lines here.
        </p>
      )}
    </div>
  )
}

/** The reason in one line. */
function FailureWords({ failure, guess }: { failure: Failure; guess: Guess | undefined }) {
  const { message, error, kind, panicCode, data } = failure
  return (
    <p className={css('what')}>
      <Glyph sign="reverted" />
      {error ? (
        <span className={css('words')}>
          <code>{othersText(error.name, LONGEST_NAME)}</code>(
          {error.args.map(({ name, text }, i) => (
            <span key={i}>
              {i > 0 && ', '}
              {name !== '' && `${othersText(name, LONGEST_NAME)}: `}
              <code>{othersText(text, LONGEST_LINE)}</code>
            </span>
          ))}
          )
        </span>
      ) : (
        <span className={css('words')}>
          {kind === 'reason' ? (
            <bdi>“{othersText(message, LONGEST_LINE)}”</bdi>
          ) : (
            ((kind === 'unknown-error' ? guess?.(data) : undefined) ?? othersText(message, LONGEST_LINE))
          )}
          {panicCode !== undefined && <span className="muted"> (panic 0x{panicCode.toString(16)})</span>}
        </span>
      )}
    </p>
  )
}

function Frame({ frame, debugAt }: { frame: StackFrame; debugAt: (step: number) => string }) {
  const { step, address, code, contract, function: name, kind, file, line, text } = frame
  const owner = contract ?? code
  const words = owner === undefined ? shortHex(address) : [owner, name || kind].filter(Boolean).join('.')
  return (
    <li className={css('frame')}>
      <p className={css('line')}>
        <code className={css('function')}>{othersText(words, LONGEST_NAME)}</code>
        {file !== undefined && (
          <span className={css('file')}>
            {othersText(file)}
            {line === undefined ? ', line not known' : `:${line}`}
          </span>
        )}
        <span className={css('address')}>
          <Address address={address} />
        </span>
        {step !== undefined && (
          <AppLink
            to={debugAt(step)}
            aria-label={`Debug ${othersText(words, LONGEST_NAME)}${line === undefined ? '' : `, line ${line}`}`}
          >
            debug
          </AppLink>
        )}
      </p>
      {text !== undefined && (
        <code className={css('text')} title={othersText(text, LONGEST_LINE)}>
          {othersText(text, LONGEST_LINE)}
        </code>
      )}
    </li>
  )
}
