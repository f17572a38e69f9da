import type { Tab } from '#ui/components/Tabs.tsx'

export type AccountTab = 'transactions' | 'logs' | 'code' | 'storage'

/** The parts of an account's screen. */
export const ACCOUNT_TABS: readonly Tab<AccountTab>[] = [
  { id: 'transactions', label: 'Transactions' },
  { id: 'logs', label: 'Logs' },
  { id: 'code', label: 'Code' },
  { id: 'storage', label: 'Storage' },
]
