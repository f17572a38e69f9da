import { useQueryClient } from '@tanstack/react-query'
import {
  Download,
  Droplets,
  Gauge,
  HardDrive,
  PackageCheck,
  Pause,
  Play,
  Plug,
  Share2,
  StepForward,
} from 'lucide-react'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatEth, formatInteger } from '#ui/format/numbers.ts'
import { useSender } from '#ui/own/sender.ts'
import { useCapabilities, useProvider, useReadOnly, useSession } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { statusQuery, useClockActions, useClockState } from '#ui/queries/status.ts'
import { performChainAction } from '#ui/storage/chain-actions.ts'
import type { Command } from './command.ts'

const SPEEDS = [0.1, 1, 5]
/** The page itself shows the result. */
const nothingLeft = () => {}

/** Commands for the chain; on one that is not Blinknet's, only the one to leave it. */
export function useChainCommands(): readonly Command[] {
  const session = useSession()
  const { devnet } = useCapabilities()
  const readOnly = useReadOnly()
  const clock = useClockCommands()
  const faucet = useFaucetCommand()
  const endpoint: Command = {
    id: 'endpoint',
    group: 'Chain',
    icon: Plug,
    label: 'Endpoint…',
    keywords: 'rpc remote attach connect node url built-in network websocket http host',
    run: () => openDialog('endpoint'),
  }
  const fork: Command = {
    id: 'fork',
    group: 'Chain',
    icon: Share2,
    label: 'Fork a chain…',
    keywords: 'continue mainnet ethereum base optimism live real state url archive proof',
    run: () => openDialog('fork'),
  }
  if (session.film) return []
  if (!devnet || readOnly) return [endpoint, fork]
  if (session.remote) return [...clock, faucet, endpoint, fork]
  return [
    ...clock,
    faucet,
    {
      id: 'export',
      group: 'Chain',
      icon: Download,
      label: 'Export the chain',
      detail: 'one file',
      keywords: 'download save snapshot backup',
      run: { later: () => performChainAction(session, { kind: 'export' }) },
    },
    {
      id: 'share',
      group: 'Chain',
      icon: Share2,
      label: 'Share…',
      keywords: 'link url address qr code permalink scenario film record video picture image screenshot phone',
      run: () => openDialog('share'),
    },
    {
      id: 'connect',
      group: 'Chain',
      icon: Plug,
      label: 'Connect a dapp…',
      keywords:
        'wallet metamask viem wagmi ethers hardhat foundry forge cast curl playwright test rpc url snippet network websocket',
      run: () => openDialog('connect'),
    },
    {
      id: 'storage',
      group: 'Chain',
      icon: HardDrive,
      label: 'Chain storage…',
      keywords: 'import upload open start over fresh reset restart clear delete erase snapshots quota',
      run: () => openDialog('storage'),
    },
    endpoint,
    fork,
  ]
}

function useClockCommands(): readonly Command[] {
  const queries = useQueryClient()
  const clock = useClockState()
  const { togglePause, step: cutOne, seal: sealNow, setSpeed } = useClockActions()
  const { queryKey } = statusQuery(useProvider())
  const doing = (act: () => Promise<unknown>) => ({
    later: async () => {
      try {
        await act()
      } finally {
        await queries.invalidateQueries({ queryKey })
      }
      return nothingLeft
    },
  })
  if (!clock) return []
  const paused = clock === 'paused'
  const pause: Command = {
    id: 'pause',
    group: 'Chain',
    icon: paused ? Play : Pause,
    label: paused ? 'Resume the chain' : 'Pause the chain',
    keywords: 'stop start clock time',
    shortcut: 'P',
    run: doing(togglePause),
  }
  const step: Command = {
    id: 'step',
    group: 'Chain',
    icon: StepForward,
    label: 'Step',
    detail: 'one partial block',
    keywords: 'tick clock time',
    shortcut: '.',
    run: doing(cutOne),
  }
  const seal: Command = {
    id: 'seal',
    group: 'Chain',
    icon: PackageCheck,
    label: 'Seal the pending block',
    detail: 'at once',
    keywords: 'mine miner tick close finalize clock time',
    run: doing(sealNow),
  }
  if (clock === 'manual') return [step, seal]
  const speeds = SPEEDS.map(
    (speed): Command => ({
      id: `speed-${speed}`,
      group: 'Chain',
      icon: Gauge,
      label: `Speed ${speed}×`,
      ...(speed === 1 && { detail: 'real time' }),
      keywords: speed < 1 ? 'slow motion clock time' : 'fast clock time',
      run: doing(() => setSpeed(speed)),
    }),
  )
  return [pause, step, seal, ...speeds]
}

function useFaucetCommand(): Command {
  const provider = useProvider()
  const { index, other } = useSender()
  const isOther = other !== undefined && other !== 'undecided'
  const { name = '', address = '0x' } = isOther
    ? { name: shortHex(other), address: other }
    : (DEV_ACCOUNTS[index] ?? {})
  return {
    id: 'faucet',
    group: 'Chain',
    icon: Droplets,
    label: `Faucet for ${name}`,
    keywords: 'money fund ether balance give mint',
    run: {
      later: async () => {
        const balance = BigInt(await provider.request({ method: 'devnet_faucet', params: [address] }))
        const block = Number(await provider.request({ method: 'eth_blockNumber' })) + 1
        return `${name} now has ${formatEth(balance, 2)} in pending block #${formatInteger(block)}.`
      },
    },
  }
}
