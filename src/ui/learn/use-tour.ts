import { useQueryClient } from '@tanstack/react-query'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useShow } from '#ui/page/navigation.ts'
import { useProvider, useSession } from '#ui/page/session.ts'
import { statusQuery } from '#ui/queries/status.ts'
import { type ClockBefore, clockBefore, giveClockBack, holdClock, runClock } from './tour-clock.ts'
import { answerOffer, forgetClock, forgottenClock, rememberClock } from './tour-memory.ts'
import { closeTour, openTour, useTour } from './tour-store.ts'

/** Begins and ends the tour, with the chain's clock in its hand meanwhile. */
export function useTourControls() {
  const { chain } = useSession()
  const provider = useProvider()
  const queries = useQueryClient()
  const show = useShow()
  const { queryKey } = statusQuery(provider)

  return {
    /**
     * Takes the clock.
     *
     * @returns What then opens the tour.
     * @throws {ProviderRpcError} If the node does not let go of its clock.
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
    /** @throws {ProviderRpcError} If the clock could not be given back. */
    leave: async (): Promise<void> => {
      await giveClockBack(provider, useTour.getState().clock)
      forgetClock()
      closeTour()
      await queries.invalidateQueries({ queryKey })
    },
    /** Lets ticks come at that speed, or looks at what they brought. */
    setClock: async (speed: number | 'held'): Promise<void> => {
      const { clock } = useTour.getState()
      await (speed === 'held' ? holdClock(provider, clock) : runClock(provider, clock, speed))
      await queries.invalidateQueries({ queryKey })
    },
  }
}

/** The clock of a tour that is on, here or in another tab: as the node has it now, that tour has set it. */
function takenBefore(chain: string | undefined): ClockBefore | undefined {
  const { open, clock } = useTour.getState()
  if (open) return clock
  const kept = forgottenClock()
  return kept !== undefined && kept.chain === chain ? kept.clock : undefined
}

/** Whether there is a step to go back to: the tour was left, and what it followed is still known. */
export function useCanResume(): boolean {
  const { open, step, hash } = useTour()
  const known = useOwnTransactions(({ sent }) => sent.some((tx) => tx.hash === hash))
  return !open && step !== 'send' && known
}
