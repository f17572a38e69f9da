import type { RpcReceipt } from '#rpc-types/objects.ts'
import type { Tab } from '#ui/components/Tabs.tsx'

export type TransactionTab = 'overview' | 'logs' | 'calls' | 'raw' | 'receipt'

/** The parts of a transaction's screen. */
export function transactionTabs(receipt: RpcReceipt | null | undefined): readonly Tab<TransactionTab>[] {
  return [
    { id: 'overview', label: 'Overview' },
    { id: 'logs', label: 'Logs', count: receipt?.logs.length },
    { id: 'calls', label: 'Calls' },
    { id: 'raw', label: 'Raw' },
    { id: 'receipt', label: 'Receipt' },
  ]
}
