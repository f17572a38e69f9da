import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTalkPaces } from '#ui/learn/chain-time.ts'
import { useSender } from '#ui/own/sender.ts'
import { QUICK_VALUE, quickRecipient, useSend } from '#ui/own/use-send.ts'
import { useProvider, useSession } from '#ui/page/session.ts'
import { viewAddress } from '#ui/page/view-address.ts'
import { statusQuery, useAutomine, useClockState } from '#ui/queries/status.ts'
import { dismissFault, useCauseFault, useFaultState } from '#ui/screens/live/faults/fault-control.ts'
import { conduct } from './conduct.ts'
import { AFTER_SCENES, BEATS } from './scenes.ts'
import {
  beatAfter,
  Moves,
  openStageChannel,
  parseStageMessage,
  type StageMessage,
  type StageMove,
  useStage,
} from './stage-store.ts'

/** The talk's name among the windows of this browser: by the chain that it is about. */
export function useTalkName(): string {
  const { chain, remote } = useSession()
  return chain ?? remote?.endpoint.url ?? 'memory'
}

/** Walks the scenes from the stage's own window, and lets the speaker's notes do so. */
export function useTalk(): { readonly go: (move: StageMove) => void; readonly openNotes: () => void } {
  const provider = useProvider()
  const queries = useQueryClient()
  const name = useTalkName()
  const { mutateAsync } = useSend()
  const cause = useCauseFault()

  async function move(wanted: StageMove): Promise<void> {
    const from = useStage.getState().at
    const to = beatAfter(from, wanted)
    if (to === from) return
    const isForward = to !== undefined && (from === undefined || to > from)
    const beat = to === undefined ? undefined : BEATS[to]?.beat
    useStage.setState({ at: to, error: undefined, curtain: undefined })
    try {
      await conduct(beat ?? AFTER_SCENES, isForward ? 'forward' : 'back', {
        provider,
        send: () => mutateAsync({ to: quickRecipient(useSender.getState().index), value: QUICK_VALUE }),
        notePace,
        cause: async (kind) => {
          await cause(kind)
          // The scene's own sentence says what happened.
          if (useFaultState.getState().report) dismissFault()
        },
      })
    } catch (error) {
      useStage.setState({ error })
    }
    await queries.invalidateQueries({ queryKey: statusQuery(provider).queryKey })
  }
  const [moves] = useState(() => new Moves())
  const go = (wanted: StageMove) => void moves.take(() => move(wanted))

  const hear = useEffectEvent((message: StageMessage, tell: () => void) => {
    if (message.kind === 'asks') tell()
    else if (message.kind === 'moves') go(message.move)
  })
  // The speaker can also press Pause.
  const stands = useClockState() === 'paused'
  const automine = useAutomine()
  useEffect(() => notePace(stands && !automine ? 0 : 1), [stands, automine])
  // Whoever leaves the stage in the middle of a scene finds the chain running.
  const end = useEffectEvent(() => go('end'))
  useEffect(() => {
    const channel = openStageChannel(name)
    const tell = () => channel.postMessage({ kind: 'shows', at: useStage.getState().at } satisfies StageMessage)
    channel.onmessage = ({ data }) => {
      const message = parseStageMessage(data)
      if (message) hear(message, tell)
    }
    const leave = () => channel.postMessage({ kind: 'leaves' } satisfies StageMessage)
    const unsubscribe = useStage.subscribe(tell)
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', tell)
    tell()
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', tell)
      leave()
      channel.close()
      end()
      notePace(1)
    }
  }, [name])

  return { go, openNotes }
}

/** Notes that the chain's time runs from now on, or stands still. */
function notePace(speed: 0 | 1): void {
  useTalkPaces.setState(({ paces }) =>
    (paces.at(-1)?.speed ?? 1) === speed ? {} : { paces: [...paces, { fromMs: Date.now(), speed }] },
  )
}

function openNotes(): void {
  window.open(viewAddress('notes'), 'blinknet-notes', 'popup,width=900,height=700')
}
