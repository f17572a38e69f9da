import { Fragment } from 'react'
import { isMac } from '#ui/page/use-shortcut.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ShortcutList.module.css'

/** A keyboard shortcut and its effect. */
export interface Shortcut {
  /** Key labels; several keys are pressed together. */
  readonly keys: readonly string[]
  readonly what: string
  /** Where it works, if not everywhere. */
  readonly where?: string
}

/** All keyboard shortcuts of the page. */
export function allShortcuts(): readonly Shortcut[] {
  return [
    { keys: [isMac() ? '⌘' : 'Ctrl', 'K'], what: 'Search, or run a command' },
    { keys: ['/'], what: 'Search' },
    { keys: ['?'], what: 'This list' },
    { keys: ['P'], what: 'Pause or resume the chain', where: 'automatic clock' },
    { keys: ['.'], what: 'Step: add one partial block', where: 'pauses a running chain' },
    { keys: ['F'], what: 'Freeze the view; the chain keeps running' },
    { keys: ['S'], what: 'Send a transaction', where: 'Live' },
    { keys: ['J'], what: 'Next transaction in a table; Enter opens it' },
    { keys: ['K'], what: 'Previous transaction in a table' },
    { keys: ['N'], what: 'Step over', where: 'debugger; with Shift, this and those below go back' },
    { keys: ['I'], what: 'Step into', where: 'debugger' },
    { keys: ['O'], what: 'Step out', where: 'debugger' },
    { keys: ['L'], what: 'Next log', where: 'debugger' },
    { keys: ['W'], what: 'Next storage write', where: 'debugger' },
    { keys: ['C'], what: 'Next call', where: 'debugger' },
    { keys: ['R'], what: 'Next revert', where: 'debugger' },
    { keys: ['B'], what: 'Next breakpoint', where: 'debugger' },
    { keys: ['PgDn'], what: 'Next step of the presentation (PgUp back, Esc ends)', where: 'stage' },
    { keys: ['N'], what: 'Speaker’s notes in a window of their own', where: 'stage' },
    { keys: ['V'], what: 'Record the stage, or stop recording', where: 'stage' },
    { keys: ['L'], what: 'Spotlight on your last transaction', where: 'stage' },
    { keys: ['Q'], what: 'The code for phones, as large as the wall', where: 'stage' },
    { keys: ['B'], what: 'A black wall', where: 'stage' },
    { keys: ['1'], what: 'Cause a fault: 1 to 5, in the order of their buttons', where: 'stage' },
    { keys: ['Esc'], what: 'Close a dialog or a definition, leave the tour' },
  ]
}

const css = classNames(styles)

/** The page's keyboard shortcuts. */
export function ShortcutList() {
  return (
    <dl className={css('list')}>
      {allShortcuts().map(({ keys, what, where }) => (
        <div key={what} className={css('row')}>
          <dt className={css('keys')}>
            {keys.map((key, i) => (
              <Fragment key={key}>
                {i > 0 && <span className="visually-hidden"> and </span>}
                <kbd className={css('key')}>{key}</kbd>
              </Fragment>
            ))}
          </dt>
          <dd>
            {what}
            {where !== undefined && <span className="muted"> · {where}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
