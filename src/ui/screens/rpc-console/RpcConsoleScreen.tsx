import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { RpcRoute } from '#client/register-service-worker.ts'
import type { CallLog } from '#client/session/call-log.ts'
import type { Observable } from '#client/session/connection-state.ts'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { Workbench } from '#ui/components/layout/Workbench.tsx'
import { Panes } from '#ui/components/panes/Panes.tsx'
import { useTitle } from '#ui/page/navigation.ts'
import { useProvider, useReadOnly, useSession } from '#ui/page/session.ts'
import { openRpcQuery } from '#ui/queries/open-rpc.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { CallLogPanel } from './log/CallLogPanel.tsx'
import { PinsPanel } from './pins/PinsPanel.tsx'
import styles from './RpcConsoleScreen.module.css'
import { MethodPicker } from './request/MethodPicker.tsx'
import { RequestPanel } from './request/RequestPanel.tsx'
import { RunResult } from './request/RunResult.tsx'
import { useRun } from './request/use-run.ts'
import { useConsole } from './store/console-store.ts'

const css = classNames(styles)

const NONE: readonly OpenRpcMethod[] = []

/** The page's services for the console. */
export interface ConsoleTools {
  /** The calls of the page, from all sources. */
  readonly log: CallLog
  /** The provider whose calls are logged as the console's. */
  readonly provider: BlinknetProvider
  /** The provider whose calls are not logged. */
  readonly quietProvider: BlinknetProvider
}

/** Sends any request to the node, and shows all calls of this page. */
export function RpcConsoleScreen({ tools, route }: { tools: ConsoleTools; route: Observable<RpcRoute> }) {
  useTitle('RPC console')
  const { remote } = useSession()
  const isGuest = useReadOnly()
  const { data: document, error } = useQuery(openRpcQuery(useProvider()))
  const method = useConsole((state) => state.method)
  const rpc = useSyncExternalStore(route.subscribe, route.get)
  const target = {
    pageUrl: rpc.status === 'ready' && !remote ? rpc.url : undefined,
    remoteUrl: remote?.endpoint.url,
  }
  const runner = useRun(tools.provider)
  const methods = (
    <div className={css('methods')}>
      {document || error ? (
        <MethodPicker methods={document?.methods ?? NONE} />
      ) : (
        <Panel title="Methods">
          <p className={css('loading')}>Asking the node which methods it has…</p>
        </Panel>
      )}
      {error && (
        <p className="note">
          {isGuest
            ? 'A room does not show its guests the list of methods. If you know a method’s name, type it to call it.'
            : `The node does not list its methods (${error.message}). Type a method’s name to call it.`}
        </p>
      )}
    </div>
  )
  const request = (
    <div className={css('part')}>
      {document || error ? (
        <RequestPanel document={document} runner={runner} target={target} />
      ) : (
        <Panel title={method}>
          <p className={css('loading')}>Reading its description…</p>
        </Panel>
      )}
    </div>
  )
  const answer = (
    <div className={css('part')}>
      <RunResult outcome={runner.outcome} running={runner.running} />
    </div>
  )
  const calls = (
    <div className={css('part')}>
      <PinsPanel provider={tools.quietProvider} />
      <CallLogPanel log={tools.log} target={target} />
    </div>
  )
  const right = (
    <Panes
      name="console answer"
      direction="column"
      panes={[
        { label: 'answer', content: answer, share: 0.5, least: 120 },
        { label: 'calls', content: calls, share: 0.5, least: 120 },
      ]}
    />
  )
  return (
    <Workbench
      title="RPC console"
      beside={
        <p className={css('lead')}>Send any request to the node, and see the requests of this page and its scripts.</p>
      }
    >
      <Panes
        name="console"
        direction="row"
        panes={[
          { label: 'methods', content: methods, share: 0.2, least: 200 },
          { label: 'request', content: request, share: 0.36, least: 340 },
          { label: 'answer', content: right, share: 0.44, least: 360, scrolls: false },
        ]}
      />
    </Workbench>
  )
}
