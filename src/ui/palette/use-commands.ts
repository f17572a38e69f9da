import {
  Box,
  CircleUserRound,
  GraduationCap,
  Keyboard,
  Monitor,
  Moon,
  PackageCheck,
  Presentation,
  Split,
  Sun,
} from 'lucide-react'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { shortHex } from '#ui/format/hex.ts'
import { useCanResume, useTourControls } from '#ui/learn/use-tour.ts'
import { chooseTheme } from '#ui/page/appearance.ts'
import { LISTS } from '#ui/page/lists.ts'
import { NAV_ROUTES, useGo } from '#ui/page/navigation.ts'
import { parsePageOptions } from '#ui/page/page-options.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { viewAddress } from '#ui/page/view-address.ts'
import { useChainCommands } from './chain-commands.ts'
import type { Command } from './command.ts'
import { useFaultCommands } from './fault-commands.ts'
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
    viewCommand(),
    ...useContractCommands(),
    ...useSettingCommands(searching),
    ...useAccountCommands(),
    ...useMethodCommands(searching),
  ]
}

function useScreenCommands(): readonly Command[] {
  const go = useGo()
  const screens = NAV_ROUTES.map(
    ({ path, label, icon, keywords }): Command => ({
      id: path,
      group: 'Screens',
      icon,
      label,
      keywords,
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
      keywords,
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
      keywords: 'newest sealed head',
      run: () => go('/block/latest'),
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
    keywords: 'keys help',
    shortcut: '?',
    run: () => openDialog('shortcuts'),
  },
]

/** Opens or leaves the stage: the same chain in a page with another address. */
function viewCommand(): Command {
  const isProjector = parsePageOptions(location.search).view === 'projector'
  return {
    id: 'projector',
    group: 'Page',
    icon: Presentation,
    label: isProjector ? 'Leave the stage' : 'Present',
    ...(!isProjector && { detail: 'the stage, for a projector' }),
    keywords: 'projector view present stage room beamer talk slides scenes large full screen',
    run: () => location.assign(viewAddress(isProjector ? 'page' : 'projector')),
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
    keywords: 'learn help guide begin introduction',
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
