import type { BlinknetProvider } from '#client/session/provider.ts'
import type { ChainMoment, PinnedAnswer, PinnedRequest } from '#ui/screens/rpc-console/store/pinned-reducer.ts'

/** What {@link followPins} needs to keep pinned requests up to date. */
export interface PinHost {
  readonly provider: BlinknetProvider
  readonly pins: () => readonly PinnedRequest[]
  /** The newest partial block; `undefined` while there is none. */
  readonly moment: () => ChainMoment | undefined
  /** Calls `listener` at every new partial block and when a request is pinned. */
  readonly subscribe: (listener: () => void) => () => void
  /** Stores the answers of a round together. */
  readonly commit: (answers: ReadonlyMap<number, PinnedAnswer>, at: ChainMoment) => void
}

/**
 * Runs the pinned requests at every new partial block. A round that takes longer delays the next one, so nothing piles
 * up.
 *
 * @returns Stops that.
 */
export function followPins(host: PinHost): () => void {
  let running = false
  let due = false
  let stopped = false

  async function run(): Promise<void> {
    running = true
    due = false
    const at = host.moment()
    const pins = host.pins()
    if (at && pins.length > 0) {
      const answers = await askAll(host.provider, pins)
      if (!stopped) host.commit(answers, at)
    }
    running = false
    if (due && !stopped) void run()
  }

  function notice(): void {
    due = true
    if (!running) void run()
  }

  const unsubscribe = host.subscribe(notice)
  notice()
  return () => {
    stopped = true
    unsubscribe()
  }
}

async function askAll(
  provider: BlinknetProvider,
  pins: readonly PinnedRequest[],
): Promise<ReadonlyMap<number, PinnedAnswer>> {
  return new Map(
    await Promise.all(
      pins.map(async ({ id, method, params }): Promise<readonly [number, PinnedAnswer]> => {
        try {
          return [id, { ok: true, result: await provider.request({ method, params }) }]
        } catch (error) {
          // A refusal is an answer like any other, and may change.
          return [id, { ok: false, message: error instanceof Error ? error.message : String(error) }]
        }
      }),
    ),
  )
}
