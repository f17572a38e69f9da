import {
  Box,
  Bug,
  CircleUserRound,
  GraduationCap,
  Keyboard,
  Monitor,
  Moon,
  PackageCheck,
  Presentation,
  Snowflake,
  Split,
  Sun,
} from 'lucide-react'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { toggleFreeze } from '#ui/chain/clock-shortcuts.ts'
import { useFeed, useFrozenView } from '#ui/feed/store.ts'
import { shortHex } from '#ui/format/hex.ts'
import { useCanResume, useTourControls } from '#ui/learn/use-tour.ts'
import { chooseTheme } from '#ui/page/appearance.ts'
import { LISTS } from '#ui/page/lists.ts'
import { NAV_ROUTES, useGo, useView } from '#ui/page/navigation.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { useOpenView } from '#ui/page/view-address.ts'
import { useChainCommands } from './chain-commands.ts'
import type { Command } from './command.ts'
import { useFaultCommands } from './fault-commands.ts'
import { useGoToScreen } from './go-to-screen.ts'
import { useContractCommands, useMethodCommands, useSettingCommands } from './named-commands.ts'

/**
 * All commands of the palette.
 *
 * @param searching - Whether something is typed: then also what is found only by name.
 */
export function useCommands(searching: boolean): readonly Command[] {
  return [
    ...useScreenCommands(),
    ...useChainCommands(),
    ...useFaultCommands(),
    ...useTourCommand(),
    ...PAGE_COMMANDS,
    useFreezeCommand(),
    useViewCommand(),
    ...useContractCommands(),
    ...useSettingCommands(searching),
    ...useAccountCommands(),
    ...useMethodCommands(searching),
  ]
}

/** Everyday words for the screens and lists, besides those that the page itself has for them; by their addresses. */
const WORDS: Readonly<Record<string, string>> = {
  '/': 'mempool pool sequencer partial latency preconfirmation pre-confirmation flashblocks',
  '/explore': 'explorer etherscan history',
  '/explore/transactions': 'txs receipts hash pool finalized',
  '/explore/accounts': 'tokens erc20 nft',
  '/explore/contracts': 'bytecode source verify sourcify tokens',
  '/explore/events': 'topics approve mint swap bridge',
  '/send': 'transfer tip fees gwei signature eip-1559 eip-7702 delegation batch',
  '/contracts': 'tokens erc20 nft mint bytecode source remix import openzeppelin',
  '/rpc-console': 'curl cast request api method playground',
  '/settings': 'configuration version about preferences',
}

function useScreenCommands(): readonly Command[] {
  const go = useGoToScreen()
  const debugged = useFeed(({ transactions }) => [...transactions.keys()].at(-1))
  const screens = NAV_ROUTES.map(
    ({ path, label, icon, keywords }): Command => ({
      id: path,
      group: 'Screens',
      icon,
      label,
      keywords: `${keywords} ${WORDS[path] ?? ''}`,
      run: () => go(path),
    }),
  )
  const lists = LISTS.map(
    ({ path, label, detail, icon, keywords }): Command => ({
      id: `list-${path}`,
      group: 'Screens',
      icon,
      label,
      detail,
      keywords: `${keywords} ${WORDS[path] ?? ''}`,
      run: () => go(path),
    }),
  )
  return [
    ...screens,
    ...lists,
    {
      id: 'break',
      group: 'Screens',
      icon: Split,
      label: 'Break the promise',
      detail: 'every history of a payment',
      keywords: 'faults fates histories tree withdrawn lost replaced reorg stream stalls answer careless careful dapp',
      run: () => go('/break'),
    },
    {
      id: 'pending',
      group: 'Screens',
      icon: Box,
      label: 'Pending block',
      keywords: 'live open next unsealed',
      run: () => go('/block/pending'),
    },
    {
      id: 'latest',
      group: 'Screens',
      icon: PackageCheck,
      label: 'Latest block',
      keywords: 'newest sealed head finalized',
      run: () => go('/block/latest'),
    },
    {
      id: 'debugger',
      group: 'Screens',
      icon: Bug,
      label: 'Debugger',
      // Without a transaction there is nothing to step through: the lists say how to get one.
      detail: debugged === undefined ? 'of a transaction' : `the newest transaction, ${shortHex(debugged)}`,
      keywords: 'step through breakpoint opcode stack memory trace profiler coverage solidity line',
      run: () => go(debugged === undefined ? '/explore/transactions' : `/tx/${debugged}/debug`),
    },
  ]
}

const PAGE_COMMANDS: readonly Command[] = [
  ...(
    [
      ['system', 'System theme', Monitor],
      ['light', 'Light theme', Sun],
      ['dark', 'Dark theme', Moon],
    ] as const
  ).map(
    ([theme, label, icon]): Command => ({
      id: `theme-${theme}`,
      group: 'Page',
      icon,
      label,
      keywords: 'appearance colours mode',
      run: () => chooseTheme(theme),
    }),
  ),
  {
    id: 'shortcuts',
    group: 'Page',
    icon: Keyboard,
    label: 'Keyboard shortcuts',
    keywords: 'keys help docs documentation',
    shortcut: '?',
    run: () => openDialog('shortcuts'),
  },
]

function useFreezeCommand(): Command {
  const frozen = useFrozenView((view) => view.sinceMs !== undefined)
  return {
    id: 'freeze',
    group: 'Page',
    icon: Snowflake,
    label: frozen ? 'Follow the chain again' : 'Freeze the view',
    detail: frozen ? 'the view is frozen' : 'the chain runs on',
    keywords: 'freeze view stop hold still',
    shortcut: 'F',
    run: toggleFreeze,
  }
}

/** Opens or leaves the stage. */
function useViewCommand(): Command {
  const open = useOpenView()
  const isProjector = useView() === 'projector'
  return {
    id: 'projector',
    group: 'Page',
    icon: Presentation,
    label: isProjector ? 'Leave the stage' : 'Present',
    ...(!isProjector && { detail: 'the stage, for a projector' }),
    keywords:
      'projector view present stage room beamer talk slides scenes large full screen audience join record video exit',
    run: () => open(isProjector ? 'page' : 'projector'),
  }
}

function useTourCommand(): readonly Command[] {
  const { devnet, accounts } = useCapabilities()
  const { prepare } = useTourControls()
  const canResume = useCanResume()
  if (!devnet || accounts.length === 0) return []
  const start: Command = {
    id: 'tour',
    group: 'Page',
    icon: GraduationCap,
    label: 'Start the tour',
    detail: 'two minutes',
    keywords: 'learn help guide begin introduction tutorial docs documentation preconfirmation',
    run: { later: () => prepare('start') },
  }
  const resume: Command = {
    ...start,
    id: 'tour-resume',
    label: 'Resume the tour',
    detail: 'where you left it',
    run: { later: () => prepare('where-left') },
  }
  return canResume ? [resume, start] : [start]
}

function useAccountCommands(): readonly Command[] {
  const go = useGo()
  const { accounts } = useCapabilities()
  return DEV_ACCOUNTS.filter(({ address }) => accounts.includes(address)).map(
    ({ name, address }): Command => ({
      id: address,
      group: 'Accounts',
      icon: CircleUserRound,
      label: name,
      detail: shortHex(address),
      keywords: `development address ${address}`,
      run: () => go(`/address/${address}`),
    }),
  )
}
