import { useQueryClient } from '@tanstack/react-query'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useShow } from '#ui/page/navigation.ts'
import { useProvider, useSession } from '#ui/page/session.ts'
import { statusQuery } from '#ui/queries/status.ts'
import { type ClockBefore, clockBefore, giveClockBack, holdClock, runClock } from './tour-clock.ts'
import { answerOffer, forgetClock, forgottenClock, rememberClock } from './tour-memory.ts'
import { closeTour, finishTour, notePace, openTour, useTour } from './tour-store.ts'

/** Starts and ends the tour, which controls the chain's clock meanwhile. */
export function useTourControls() {
  const { chain } = useSession()
  const provider = useProvider()
  const queries = useQueryClient()
  const show = useShow()
  const { queryKey } = statusQuery(provider)

  return {
    /**
     * Takes control of the clock.
     *
     * @returns Opens the tour.
     * @throws {ProviderRpcError} If the node refuses.
     */
    prepare: async (from: 'start' | 'where-left'): Promise<() => void> => {
      const status = await provider.request({ method: 'devnet_status' })
      const clock = takenBefore(chain) ?? clockBefore(status)
      if (clock && chain !== undefined) rememberClock({ chain, clock })
      await holdClock(provider, clock)
      await queries.invalidateQueries({ queryKey })
      answerOffer()
      return () => {
        show('/')
        openTour(from, clock)
      }
    },
    /**
     * Closes the tour: in the middle, or at its end.
     *
     * @throws {ProviderRpcError} If the clock could not be restored.
     */
    leave: async (where: 'here' | 'end'): Promise<void> => {
      await giveClockBack(provider, useTour.getState().clock)
      forgetClock()
      if (where === 'end') finishTour()
      else closeTour()
      await queries.invalidateQueries({ queryKey })
    },
    /** Runs the clock at that speed, or stops it. */
    setClock: async (speed: number | 'held'): Promise<void> => {
      const { clock } = useTour.getState()
      await (speed === 'held' ? holdClock(provider, clock) : runClock(provider, clock, speed))
      notePace(speed === 'held' ? 0 : speed)
      await queries.invalidateQueries({ queryKey })
    },
  }
}

/** The original clock of a tour that is running here or in another tab: the node's current one was set by that tour. */
function takenBefore(chain: string | undefined): ClockBefore | undefined {
  const { open, clock } = useTour.getState()
  if (open) return clock
  const kept = forgottenClock()
  return kept !== undefined && kept.chain === chain ? kept.clock : undefined
}

/** Whether the tour can be resumed: it was left, and its transaction is still known. */
export function useCanResume(): boolean {
  const { open, step, hash } = useTour()
  const known = useOwnTransactions(({ sent }) => sent.some((tx) => tx.hash === hash))
  return !open && step !== 'send' && known
}
