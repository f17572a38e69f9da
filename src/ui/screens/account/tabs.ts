import type { Tab } from '#ui/components/Tabs.tsx'

export type AccountTab = 'transactions' | 'contract' | 'logs' | 'code' | 'storage'

/** The parts of an account's screen; only a contract has the one of that name. */
export const ACCOUNT_TABS: readonly Tab<AccountTab>[] = [
  { id: 'transactions', label: 'Transactions' },
  { id: 'contract', label: 'Contract' },
  { id: 'logs', label: 'Logs' },
  { id: 'code', label: 'Code' },
  { id: 'storage', label: 'Storage' },
]
