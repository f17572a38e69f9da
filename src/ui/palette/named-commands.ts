import { useQuery } from '@tanstack/react-query'
import { FileCode, Settings, Terminal } from 'lucide-react'
import { useKnownContracts } from '#ui/decode/known-contracts.ts'
import { shortHex } from '#ui/format/hex.ts'
import { useGo } from '#ui/page/navigation.ts'
import { useProvider } from '#ui/page/session.ts'
import { openRpcQuery } from '#ui/queries/open-rpc.ts'
import { chooseMethod } from '#ui/screens/rpc-console/store/console-store.ts'
import type { Command } from './command.ts'
import { useGoToScreen } from './go-to-screen.ts'

/** Opens each contract that the page knows by its name. */
export function useContractCommands(): readonly Command[] {
  const go = useGo()
  const known = useKnownContracts()
  return [...known].map(
    ([address, { name }]): Command => ({
      id: `contract-${address}`,
      group: 'Contracts',
      icon: FileCode,
      label: name,
      detail: shortHex(address),
      keywords: `contract ${address} ${wordsIn(name)}`,
      run: () => go(`/address/${address}`),
    }),
  )
}

/**
 * Opens each of the node's methods in the RPC console.
 *
 * @param wanted - Whether to ask the node for them.
 */
export function useMethodCommands(wanted: boolean): readonly Command[] {
  const go = useGo()
  const { data } = useQuery({ ...openRpcQuery(useProvider()), enabled: wanted })
  if (!wanted || !data) return []
  return data.methods.map(
    ({ name }): Command => ({
      id: `method-${name}`,
      group: 'RPC methods',
      icon: Terminal,
      label: name,
      keywords: wordsIn(name),
      run: () => {
        chooseMethod(name)
        go('/rpc-console')
      },
    }),
  )
}

/** The panels of the settings, by what can be set there. */
const SETTINGS: readonly (readonly [name: string, keywords: string])[] = [
  ['Chain options', 'gas limit chain id seed block time partial base fee basefee hardfork l1 optimism network setting'],
  ['Time and clock', 'speed pause slow fast automine interval warp travel timestamp date setting'],
  ['Storage and snapshots', 'save revert export import quota setting'],
  ['Appearance', 'theme motion dark light setting'],
  ['Single-key shortcuts', 'keyboard keys letters off setting accessibility'],
  ['Development accounts', 'private keys mnemonic balance impersonate setting'],
]

/**
 * Opens the settings by the name of what is set there.
 *
 * @param wanted - Whether something is searched for: without, the list has its screen.
 */
export function useSettingCommands(wanted: boolean): readonly Command[] {
  const go = useGoToScreen()
  if (!wanted) return []
  return SETTINGS.map(
    ([label, keywords]): Command => ({
      id: `setting-${label}`,
      group: 'Settings',
      icon: Settings,
      label,
      keywords,
      run: () => go('/settings'),
    }),
  )
}

/** `anvil_impersonateAccount` as “anvil impersonate account”. */
export function wordsIn(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
}
