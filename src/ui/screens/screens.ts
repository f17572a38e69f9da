import { type ComponentType, createElement, lazy, useState } from 'react'
import type { StringRouteParams } from 'wouter'
import type { RpcRoute } from '#client/register-service-worker.ts'
import type { Observable } from '#client/session/connection-state.ts'
import type { ConsoleTools } from './rpc-console/RpcConsoleScreen.tsx'

/** Props of every screen, besides the parameters of its path. */
export interface ScreenProps {
  readonly route: Observable<RpcRoute>
  readonly tools: ConsoleTools
}

/** A screen whose code is loaded when it is first opened. */
export interface LazyScreenEntry {
  readonly path: string
  /** The heading while its code is loading. */
  readonly title: string
  readonly Screen: ComponentType<ScreenProps>
}

const loads = new Map<string, () => Promise<unknown>>()

function screen<Path extends string>(
  path: Path,
  title: string,
  load: () => Promise<ComponentType<ScreenProps & StringRouteParams<Path>>>,
): LazyScreenEntry {
  // The router passes the parameters named in the path.
  let loaded: ComponentType<ScreenProps> | undefined
  const loadOnce = async () => {
    loaded ??= (await load()) as unknown as ComponentType<ScreenProps>
    return loaded
  }
  loads.set(path.replace(/\/:.*/, ''), loadOnce)
  const Lazy = lazy(async () => ({ default: await loadOnce() }))
  /** Once a screen waits, React shows what it waited for at the earliest 300 ms later. One that is loaded never waits. */
  function Screen(props: ScreenProps) {
    const [Shown] = useState<ComponentType<ScreenProps>>(() => loaded ?? Lazy)
    return createElement(Shown, props)
  }
  return { path, title, Screen }
}

/** The page's screens besides the live one. For a link in the header add a line in `page/navigation.ts`. */
export const SCREENS: readonly LazyScreenEntry[] = [
  screen('/explore/:list?', 'Explore', async () => (await import('./explore/ExploreScreen.tsx')).ExploreScreen),
  screen('/send/:view?', 'Send a transaction', async () => (await import('./send/SendScreen.tsx')).SendScreen),
  screen('/contracts', 'Contracts', async () => (await import('./contracts/ContractsScreen.tsx')).ContractsScreen),
  screen('/block/:id', 'Block', async () => (await import('./block/BlockScreen.tsx')).BlockScreen),
  screen('/:of/:id/debug', 'Debugger', async () => (await import('./debug/DebugScreen.tsx')).DebugScreen),
  screen('/tx/:hash/:tab?', 'Transaction', async () => (await import('./tx/TransactionScreen.tsx')).TransactionScreen),
  screen('/address/:address/:tab?', 'Account', async () => (await import('./account/AccountScreen.tsx')).AccountScreen),
  screen(
    '/rpc-console',
    'RPC console',
    async () => (await import('./rpc-console/RpcConsoleScreen.tsx')).RpcConsoleScreen,
  ),
  screen('/break/:way?/:fate?', 'Break the promise', async () => (await import('./break/BreakScreen.tsx')).BreakScreen),
  screen('/settings', 'Settings', async () => (await import('./settings/SettingsScreen.tsx')).SettingsScreen),
]

/** Loads a screen's code ahead, when its link is about to be followed. @param path - Without parameters. */
export function loadAhead(path: string): void {
  // If it fails, following the link tries again and shows the error.
  loads
    .get(path)?.()
    .catch(() => {})
}
