import { useMemo } from 'react'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { toWord } from '#primitives/hex.ts'
import type { ExampleContext } from '#rpc-types/method.ts'
import type { OpenRpcDocument, OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useSender } from '#ui/own/sender.ts'
import { exampleParams } from '#ui/screens/rpc-console/schema/example-params.ts'

/** The editor's initial text: an example with what exists on the chain when the method is chosen. */
export function useExample(method: OpenRpcMethod | undefined, document: OpenRpcDocument | undefined): string {
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
