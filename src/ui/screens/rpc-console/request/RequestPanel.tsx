import { Pin, Play } from 'lucide-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { DEV_ACCOUNTS, findDevAccount } from '#client/signing/dev-accounts.ts'
import { type Address, toWord } from '#primitives/hex.ts'
import { isPinnable } from '#rpc-types/effects.ts'
import type { ExampleContext } from '#rpc-types/method.ts'
import type { OpenRpcDocument, OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { AccountField } from '#ui/chain/AccountField.tsx'
import { Button } from '#ui/components/Button.tsx'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useSender } from '#ui/own/sender.ts'
import { checkParams, readParams } from '#ui/screens/rpc-console/schema/check-params.ts'
import { exampleParams } from '#ui/screens/rpc-console/schema/example-params.ts'
import { ParameterHelp } from '#ui/screens/rpc-console/schema/ParameterHelp.tsx'
import { Prose } from '#ui/screens/rpc-console/schema/Prose.tsx'
import { chooseMethod, editParams, pin, useConsole } from '#ui/screens/rpc-console/store/console-store.ts'
import { MAX_PINS } from '#ui/screens/rpc-console/store/pinned-reducer.ts'
import { CopyAs } from '#ui/screens/rpc-console/values/CopyAs.tsx'
import type { SnippetTarget } from '#ui/screens/rpc-console/values/copy-as.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { accountPlace, namedAccount, withAccount } from './named-account.ts'
import styles from './RequestPanel.module.css'
import { TagChoice } from './TagChoice.tsx'
import type { Runner } from './use-run.ts'

const css = classNames(styles)

/** The least and the most lines that the editor shows. */
const MIN_ROWS = 4
const MAX_ROWS = 18

/** The chosen method: its parameters, and an editor for them. */
export function RequestPanel({
  document,
  runner,
  target,
}: {
  document: OpenRpcDocument | undefined
  runner: Pick<Runner, 'run' | 'running'>
  target: SnippetTarget
}) {
  const name = useConsole((state) => state.method)
  const typed = useConsole((state) => state.text)
  const pinCount = useConsole((state) => state.pins.length)
  const method = document?.methods.find((known) => known.name === name)
  const table = document?.components.schemas ?? {}
  const example = useExample(method, document)
  const { run, running } = runner

  const text = typed ?? example
  const read = readParams(text)
  const params = read.ok ? read.params : undefined
  const complaints = method && params ? checkParams(method, params, table) : []

  const edit = (next: readonly unknown[]) => editParams(JSON.stringify(next, undefined, 2))

  const place = method && accountPlace(method)
  const account = place && params && namedAccount(place, params)
  const [chosen, setChosen] = useState<Address>()
  const isImpersonating = place?.needsKey === true && account !== undefined && account === chosen

  function submit(): void {
    if (!params || running) return
    run({ method: name, params, impersonates: isImpersonating ? account : undefined })
  }

  function choose(from: Address | undefined): void {
    setChosen(from && !findDevAccount(from) ? from : undefined)
    if (place && params && from) edit(withAccount(place, params, from))
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    submit()
  }

  return (
    <Panel title={name}>
      <form
        className={css('request')}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p className={css('summary')}>
          <Prose text={method ? summaryOf(method) : 'The endpoint has no description of this method.'} />
        </p>
        {method && <ParameterHelp method={method} table={table} />}
        <Field
          label="Parameters"
          hint="A JSON array. ⌘ or Ctrl with Enter runs the request."
          error={read.ok ? undefined : read.why}
        >
          {(props) => (
            <textarea
              {...props}
              className={`${fieldClass} ${css('editor')}`}
              rows={Math.max(MIN_ROWS, Math.min(text.split('\n').length, MAX_ROWS))}
              value={text}
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="off"
              onChange={(event) => editParams(event.target.value)}
              onKeyDown={onKeyDown}
            />
          )}
        </Field>
        {complaints.length > 0 && (
          <ul className={css('complaints')} aria-label="Problems with the parameters">
            {complaints.map((complaint) => (
              <li key={complaint}>{complaint}</li>
            ))}
          </ul>
        )}
        {place && params && (
          <div className={css('from')}>
            <AccountField key={name} value={account} onChange={choose} none="No account of this list" />
            {isImpersonating && (
              <p className="note">Run first asks the chain to impersonate it: anvil_impersonateAccount.</p>
            )}
          </div>
        )}
        {method && <TagChoice method={method} params={params} onChange={edit} />}
        <div className="row">
          <Button
            look="primary"
            type="submit"
            disabled={!params || running}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            <Play size={15} aria-hidden="true" />
            Run
          </Button>
          <Button
            disabled={!params || !isPinnable(name) || pinCount >= MAX_PINS}
            title={pinTitle(isPinnable(name), pinCount)}
            onClick={() => params && pin(name, params)}
          >
            <Pin size={15} aria-hidden="true" />
            Pin
          </Button>
          <Button disabled={!params} onClick={() => params && edit(params)}>
            Format
          </Button>
          <Button disabled={typed === undefined} onClick={() => chooseMethod(name)}>
            Example
          </Button>
        </div>
        {params && <CopyAs method={name} params={params} target={target} />}
      </form>
    </Panel>
  )
}

function summaryOf({ summary, description }: OpenRpcMethod): string {
  return description === undefined ? summary : `${summary} ${description}`
}

function pinTitle(pinnable: boolean, pinned: number): string {
  if (!pinnable) return 'Only requests that read can be pinned'
  if (pinned >= MAX_PINS) return `${MAX_PINS} requests are pinned already`
  return 'Runs it again at every new partial block'
}

/** The editor's initial text: an example with what exists on the chain when the method is chosen. */
function useExample(method: OpenRpcMethod | undefined, document: OpenRpcDocument | undefined): string {
  return useMemo(() => {
    if (!method || !document) return '[]'
    return JSON.stringify(exampleParams(method, document.components.schemas, presentContext()), undefined, 2)
  }, [method, document])
}

/** Read once, since the example must not change while a person edits it. */
function presentContext(): ExampleContext {
  const { sealed, transactions } = useFeed.getState()
  const { index } = useSender.getState()
  const nobody = `0x${'00'.repeat(20)}` as const
  return {
    account: DEV_ACCOUNTS[index]?.address ?? nobody,
    other: DEV_ACCOUNTS[(index + 1) % DEV_ACCOUNTS.length]?.address ?? nobody,
    blockHash: sealed[0]?.hash ?? toWord(0),
    transactionHash: useOwnTransactions.getState().sent[0]?.hash ?? [...transactions.keys()].at(-1) ?? toWord(0),
  }
}
