import { useState } from 'react'
import type { Hex } from '#primitives/hex.ts'
import type { Locals, LocalVariable } from '#solidity/variables/locals.ts'
import type { ContractVariable, State } from '#solidity/variables/run-variables.ts'
import type { Looked } from '#solidity/worker/messages.ts'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import type { Subject } from '#ui/execution/subject.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { type ShownVariables, useStepVariables } from '#ui/queries/step-variables.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { changedVariables, NONE_CHANGED } from './changed-variables.ts'
import type { Debugger } from './use-debugger.ts'
import styles from './VariablesPane.module.css'

const css = classNames(styles)

/** State variables that are drawn at first. */
const SHOWN = 20

const WHY_NO_LOCALS: Readonly<Record<Extract<Locals, { known: false }>['reason'], string>> = {
  'no source': 'The page has no source for this code.',
  optimised: 'Its other variables are not known: the optimizer moves them. Compile without it to see them.',
  IR: 'Its other variables are not known: code compiled via IR keeps them anywhere. Compile without it to see them.',
  'no function': 'No function is running yet: the contract is finding out which one was called.',
  leaving: 'The function is returning, and its variables are being cleared.',
  other: 'Not known: the compiler’s output does not say where they are.',
}

const WHY_NO_STATE: Readonly<Record<Extract<State, { known: false }>['reason'], string>> = {
  'no source': 'The page has no source for this code.',
  'no layout': 'Not known: the build came without a storage layout.',
  'too many uses': 'Not known: the run has used storage more often than the page follows.',
}

/** The variables before the step: those of the running function, and those of the contract. */
export function VariablesPane({
  debug,
  looked,
  subject,
  version,
}: {
  debug: Debugger
  looked: Looked
  subject: Subject
  version: string
}) {
  const { run, at, step } = debug
  const { shown, error, isMissing } = useStepVariables({ run, subject, version }, looked, at, step)
  const changed = useChanges(shown)
  const { locals, state } = shown?.variables ?? {}
  return (
    <Panel title="Variables">
      {error && <ErrorNote error={error} />}
      {isMissing && <p className="muted">This endpoint does not tell what a run does to storage.</p>}
      {!shown && !error && !isMissing && <p className="muted">Looking for them…</p>}
      {locals && (
        <Group title={functionTitle(locals)}>
          {locals.known ? (
            <List
              key={locals.function}
              label={`Variables of ${othersText(locals.function)}`}
              none="It has none here."
              rows={localRows(locals.variables, changed.locals)}
            />
          ) : (
            <>
              {locals.called && (
                <List
                  label={`Arguments of ${othersText(locals.called.function)}, as they were passed`}
                  none="It takes no arguments."
                  rows={localRows(locals.called.arguments, NONE_CHANGED.locals)}
                />
              )}
              <p className="muted">{WHY_NO_LOCALS[locals.reason]}</p>
            </>
          )}
        </Group>
      )}
      {state && (
        <Group title={state.known ? `Contract ${othersText(state.contract)}` : 'Contract'}>
          {state.known ? (
            <List
              key={state.contract}
              label={`State variables of ${othersText(state.contract)}`}
              none="It has none."
              rows={state.variables.map(({ kind, path, type, value }) => ({
                name: path,
                about: kind === 'stored' ? type : `${type}, ${kind}`,
                value,
                unknown: whyUnknown(kind, type),
                isChanged: changed.state.has(path),
              }))}
              more={state.more}
            />
          ) : (
            <p className="muted">{WHY_NO_STATE[state.reason]}</p>
          )}
        </Group>
      )}
    </Panel>
  )
}

function whyUnknown(kind: ContractVariable['kind'], type: string): string {
  if (kind !== 'stored') return 'not known'
  return type.startsWith('mapping') ? 'no keys used in this run' : 'not read in this run'
}

function functionTitle(locals: Locals): string {
  if (locals.known) return `Function ${othersText(locals.function)}`
  return locals.called ? `Call of ${othersText(locals.called.function)}` : 'Function'
}

function localRows(variables: readonly LocalVariable[], changed: ReadonlySet<string>): Row[] {
  return variables.map(({ name, kind, type, value }) => ({
    name,
    about: kind === 'local' ? type : `${type}, ${kind}`,
    value,
    unknown: 'not known',
    isChanged: changed.has(name),
  }))
}

/** What changed since the step that was shown before this one. */
function useChanges(shown: ShownVariables | undefined) {
  const [pair, setPair] = useState({ before: shown, now: shown })
  const now = pair.now
  if (shown && now !== shown) setPair({ before: now?.step === shown.step ? pair.before : now, now: shown })
  const { before } = pair
  return shown && before && pair.now === shown ? changedVariables(before.variables, shown.variables) : NONE_CHANGED
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className={css('group')}>
      <h3 className={css('title')}>{title}</h3>
      {children}
    </section>
  )
}

/** Addresses and hashes among the keys of a path, as short as elsewhere. */
function shortKeys(path: string): string {
  return path.replaceAll(/0x[0-9a-f]{40,64}/gi, (hex) => shortHex(hex as Hex))
}

/** A whole number with thousands separators; every other value as it is. */
function groupedNumber(value: string): string {
  return /^-?\d+$/.test(value) ? formatInteger(BigInt(value)) : value
}

interface Row {
  readonly name: string
  /** Type of the variable, and what kind of variable it is. */
  readonly about: string
  readonly value: string | undefined
  /** Said in place of a value that is not known. */
  readonly unknown: string
  readonly isChanged: boolean
}

function List({ label, none, rows, more = 0 }: { label: string; none: string; rows: readonly Row[]; more?: number }) {
  const [shown, setShown] = useState(SHOWN)
  if (rows.length === 0) return <p className="muted">{none}</p>
  return (
    <>
      <ul className={css('list')} aria-label={label}>
        {rows.slice(0, shown).map(({ name, about, value, unknown, isChanged }) => (
          <li key={name} className={css('row', isChanged && 'changed')}>
            <span className={css('head')}>
              <code className={css('name')} title={othersText(name)}>
                {shortKeys(othersText(name))}
              </code>
              <span className={css('about')}>{othersText(about)}</span>
            </span>
            <span className={css('value')}>
              {value === undefined ? (
                <span className="muted">{unknown}</span>
              ) : (
                <code>{groupedNumber(othersText(value))}</code>
              )}
              {isChanged && <span className={css('mark')}>changed</span>}
            </span>
          </li>
        ))}
      </ul>
      <ShowMore left={rows.length - shown} onMore={() => setShown(shown + 5 * SHOWN)} />
      {more > 0 && <p className="note">and {formatCount(more, 'more variable')}</p>}
    </>
  )
}
