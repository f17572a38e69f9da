import { lazy, useState } from 'react'
import type { RpcExecutedCall } from '#rpc-types/execution-trace.ts'
import type { FailureKind } from '#solidity/stack/failure.ts'
import { ConsoleLines } from '#ui/chain/console/ConsoleLines.tsx'
import { Button } from '#ui/components/Button.tsx'
import { LoadedPart } from '#ui/components/LoadedPart.tsx'
import { refusedCallOf } from '#ui/execution/refused-call.ts'
import { debugAddressOf } from '#ui/execution/subject.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useGo } from '#ui/page/navigation.ts'
import { useCapabilities } from '#ui/page/session.ts'

const FailureTrace = lazy(async () => ({ default: (await import('./FailureTrace.tsx')).FailureTrace }))

/**
 * Where a call failed that was not sent, with the way into its debugger; nothing if the call is not known.
 *
 * @param told - The kind of reason that is on the screen already.
 */
export function RefusedCallTrace({ error, told }: { error: unknown; told?: FailureKind }) {
  const { devnet } = useCapabilities()
  const call = refusedCallOf(error)
  if (!devnet || !call) return null
  // A failure that is known of this call is not looked into again at every partial block.
  return <CallTrace key={`${JSON.stringify(call)} ${reasonOf(error)}`} call={call} {...(told && { told })} />
}

function reasonOf(error: unknown): string {
  const { message, data } = error as { readonly message?: string; readonly data?: unknown }
  return `${message} ${String(data)}`
}

function CallTrace({ call, told }: { call: RpcExecutedCall; told?: FailureKind }) {
  const go = useGo()
  const [debugAddress] = useState(() => debugAddressOf(call))
  const [version] = useState(() => useFeed.getState().live?.hash ?? '')
  const subject = { kind: 'call', id: debugAddress, call } as const
  return (
    <>
      <ConsoleLines subject={subject} version={version} />
      <LoadedPart waiting={<p className="muted">Loading…</p>}>
        <FailureTrace subject={subject} version={version} debugAddress={debugAddress} {...(told && { told })} />
      </LoadedPart>
      <div>
        <Button size="small" onClick={() => go(debugAddress)}>
          Debug this call
        </Button>
      </div>
    </>
  )
}
