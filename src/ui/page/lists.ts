import { ArrowRightLeft, Boxes, CircleUserRound, FileCode, type LucideIcon, Zap } from 'lucide-react'

export type ListName = 'blocks' | 'transactions' | 'accounts' | 'contracts' | 'events'

export interface ListEntry {
  readonly name: ListName
  readonly path: string
  readonly label: string
  /** Told apart from other commands and screens of that name. */
  readonly detail: string
  readonly icon: LucideIcon
  /** Other words to find it by. */
  readonly keywords: string
}

/** The lists of the explorer, in order; the first is that at `/explore`. */
export const LISTS: readonly ListEntry[] = [
  {
    name: 'blocks',
    path: '/explore',
    label: 'Blocks',
    detail: 'all blocks',
    icon: Boxes,
    keywords: 'explore list sealed empty height',
  },
  {
    name: 'transactions',
    path: '/explore/transactions',
    label: 'Transactions',
    detail: 'all transactions',
    icon: ArrowRightLeft,
    keywords: 'explore list filter sender method failed reverted waiting mempool',
  },
  {
    name: 'accounts',
    path: '/explore/accounts',
    label: 'Accounts',
    detail: 'all accounts',
    icon: CircleUserRound,
    keywords: 'explore list balances holders addresses',
  },
  {
    name: 'contracts',
    path: '/explore/contracts',
    label: 'Contracts of the chain',
    detail: 'all contracts',
    icon: FileCode,
    keywords: 'explore list deployed code',
  },
  {
    name: 'events',
    path: '/explore/events',
    label: 'Events',
    detail: 'all events',
    icon: Zap,
    keywords: 'explore list logs filter topics emitted',
  },
]
