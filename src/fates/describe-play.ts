import { formatFault } from './fault.ts'
import type { Play } from './play.ts'

/** Most transactions whose history is told, and most sends. */
const MOST_TOLD = 20

/**
 * What has happened while a fate was played, a line each: sends and faults by their ticks, then what became of transactions.
 *
 * @param names - Of its chains.
 */
export async function describePlay(play: Play, names: readonly string[]): Promise<string> {
  const several = names.length > 1
  const lines: { readonly tick: number; readonly text: string }[] = []
  const ticks = new Map<string, number>()
  let begun = false
  for (const act of play.recording.acts) {
    if (act.kind === 'tick') {
      if (begun) ticks.set(act.chain, (ticks.get(act.chain) ?? 0) + 1)
      continue
    }
    if (act.kind !== 'send') continue
    begun = true
    lines.push({
      tick: ticks.get(act.chain) ?? 0,
      text: `the dapp calls ${act.method}${several ? ` on ${act.chain}` : ''}`,
    })
  }
  const sends = lines.slice(0, MOST_TOLD)
  const faults = play.happened.map(({ fault, tick, effect, what }) => ({
    tick: tick ?? Number.POSITIVE_INFINITY,
    text: `${formatFault(fault)}: ${effect ? what : `without effect, ${what}`}`,
  }))
  const told = [...sends, ...faults].sort((one, other) => one.tick - other.tick)
  const happened = told.map(({ tick, text }) => `  ${Number.isFinite(tick) ? `tick ${tick}` : 'never'}: ${text}`)
  const histories: string[] = []
  for (const name of names) {
    for (const hash of play.sentOn(name).slice(-MOST_TOLD)) {
      const events = (await play.eventsOf(name, hash)).map((event) => {
        if (event.kind === 'preconfirmed') return `pre-confirmed in block ${Number(event.blockNumber)}:${event.index}`
        if (event.kind === 'sealed') return `sealed in block ${Number(event.blockNumber)}`
        if (event.kind === 'withdrawn') return event.requeued ? 'withdrawn, waits again' : 'withdrawn, lost'
        return event.kind
      })
      histories.push(`  ${several ? `${name} ` : ''}${hash}: ${events.slice(0, MOST_TOLD).join(', ')}`)
    }
  }
  return [...happened, ...histories].join('\n')
}
