import type { Pace } from '#ui/feed/selectors.ts'
import { formatPace } from '#ui/format/numbers.ts'

/** A panel that the spotlight leaves bright; `own`: the page's newest transaction, and the panel that has it. */
export type Spot = 'mempool' | 'live' | 'sealed' | 'race' | 'own'

/** What a beat does to the chain when the speaker goes on to it. */
export type Act = 'send' | 'step' | 'seal' | 'withdraw' | 'reorg'

/** One press of the clicker: a sentence on the stage, and what the chain does meanwhile. */
export interface Beat {
  /** For the audience. */
  readonly caption: string
  /** For the speaker alone. */
  readonly notes: string
  /** The caption once there are measurements. @param time - The median until a pre-confirmation, such as `104 ms`. */
  readonly measured?: (time: string) => string
  /** Caption and notes where guests join a room. */
  readonly inRoom?: Pick<Beat, 'caption' | 'notes'>
  /** Whether the chain's time runs while the beat is shown. */
  readonly clock: 'running' | 'paused'
  /** In order, after the clock is set. */
  readonly acts: readonly Act[]
  /** Transactions a second that the page sends while the beat is shown. */
  readonly load: number
  /** What the sentence speaks of; `undefined`: all of the stage. */
  readonly spot: readonly Spot[] | undefined
}

export interface Scene {
  readonly title: string
  readonly beats: readonly Beat[]
  /** What fills the stage instead of the chain: the audience's address, three histories of a payment, or the closing picture. */
  readonly fills?: 'invitation' | 'histories' | 'closing'
}

const RUNNING = { clock: 'running', acts: [], load: 0, spot: undefined } as const
const PAUSED = { ...RUNNING, clock: 'paused' } as const
const BURST_RATE = 100

/** How the chain is left when the scenes end, wherever that is. */
export const AFTER_SCENES: Pick<Beat, 'clock' | 'acts' | 'load'> = { clock: 'running', acts: [], load: 0 }

/** The scenes that a speaker walks through, in order. */
export const SCENES: readonly Scene[] = [
  {
    title: 'What a block is',
    beats: [
      {
        ...RUNNING,
        spot: ['sealed'],
        caption: 'A chain is a row of blocks. Here one is sealed every {block}.',
        notes: 'Let two or three blocks go by. Each new one comes from the pending block above it.',
      },
      {
        ...RUNNING,
        spot: ['live'],
        caption: 'The next block is built in plain view: every {tick} it gets a partial block.',
        notes: 'A cell for each partial block, then the seal. A wallet that waits for the seal waits up to {block}.',
      },
    ],
  },
  {
    title: 'One transaction',
    beats: [
      {
        ...PAUSED,
        acts: ['send'],
        spot: ['own'],
        caption: 'A signed transaction is sent. It waits in the mempool.',
        notes: 'The chain is paused, so take your time. Nobody has promised anything yet.',
      },
      {
        ...PAUSED,
        acts: ['step'],
        spot: ['own'],
        caption: 'The next partial block takes it: pre-confirmed. Its result is known, before any block is sealed.',
        notes:
          'This is the point of the talk. The receipt is there, with its logs and its gas; only the block hash is open.',
      },
      {
        ...RUNNING,
        spot: ['own'],
        caption: 'The block is sealed. The promise was kept.',
        notes: 'The chain runs again. Wait until the square turns blue.',
      },
      {
        ...RUNNING,
        acts: ['send'],
        spot: ['own'],
        caption: 'Once more at full speed: the answer comes in the blink of an eye.',
        notes: 'Point at the two times. Press S for another one.',
      },
    ],
  },
  {
    title: 'A burst',
    beats: [
      {
        ...RUNNING,
        load: BURST_RATE,
        caption: 'A burst: each square is one transaction.',
        notes: 'It starts within a second or two. Every square is signed, checked and executed in this browser tab.',
      },
      {
        ...RUNNING,
        caption: 'Each was pre-confirmed with the next partial block, and sealed with its block.',
        measured: (time) => `Half of them were pre-confirmed within ${time}, and all were sealed with their block.`,
        notes: 'The load has stopped. The mempool is empty after the next partial block.',
      },
    ],
  },
  {
    title: 'A broken promise',
    beats: [
      {
        ...PAUSED,
        acts: ['send', 'step'],
        spot: ['own'],
        caption: 'A pre-confirmation is a promise by whoever builds the blocks.',
        notes: 'The chain is paused again. The transaction is pre-confirmed and not sealed.',
      },
      {
        ...PAUSED,
        acts: ['withdraw'],
        spot: ['live', 'mempool', 'race'],
        caption: 'It can be broken: the partial block is withdrawn, and the transaction is back in the mempool.',
        notes: 'A dapp that showed “paid” has to take that back. Test for it: this is one call of the API.',
      },
      {
        ...RUNNING,
        spot: ['own'],
        caption: 'A later partial block takes it again.',
        notes: 'It could also have been lost; the page can show that, too.',
      },
    ],
  },
  {
    title: 'A reorg',
    beats: [
      {
        ...PAUSED,
        acts: ['send', 'seal'],
        spot: ['own'],
        caption: 'Another transaction, sealed in a block.',
        notes: 'Paused. Most people call this final.',
      },
      {
        ...PAUSED,
        acts: ['reorg'],
        // What it speaks of is in three places: the removed block, the mempool and the transaction.
        caption: 'Even a sealed block can be replaced: a reorg. Its transactions wait again.',
        notes: 'On a real chain this is rare; a dapp has to live through it all the same.',
      },
      {
        ...RUNNING,
        spot: ['own'],
        caption: 'They are sealed again, in another block.',
        notes: 'Same transaction, same hash, another block hash.',
      },
    ],
  },
  {
    title: 'Every way it can go',
    fills: 'histories',
    beats: [
      {
        ...RUNNING,
        caption: 'One payment, two dapps: one believes the first answer, one keeps looking.',
        notes:
          'They play in the same time, on a chain of their own. Press A to play them again. Choose which to show on the screen “Break the promise”.',
      },
    ],
  },
  {
    title: 'The same on your phone',
    fills: 'invitation',
    beats: [
      {
        ...RUNNING,
        caption: 'The same runs in a phone’s browser, as a chain of its own.',
        notes:
          'The address has to be one that phones can reach. Each phone runs a whole chain; nothing is sent to a server.',
        inRoom: {
          caption: 'Scan the code: your phone sends into this chain.',
          notes:
            'Each phone gets an account with test money and one button. Find your mark on the squares: it is pre-confirmed before you look up.',
        },
      },
    ],
  },
  {
    title: 'The evening in numbers',
    fills: 'closing',
    beats: [
      {
        ...RUNNING,
        caption: 'What you saw, as it was measured.',
        notes: 'The closing picture. Leave it on the wall while you answer questions.',
      },
    ],
  },
]

/** What a beat's words depend on. */
interface Occasion {
  /** Whether guests can join this chain. */
  readonly isRoom: boolean
  readonly pace: Pick<Pace, 'partialMs' | 'partialsPerBlock'>
  /** The median until a pre-confirmation, if it was measured. */
  readonly time?: string | undefined
}

/** A beat's words, with the times of this chain for `{tick}` and `{block}`. */
export function wordsOf(beat: Beat, { isRoom, pace, time }: Occasion): Pick<Beat, 'caption' | 'notes'> {
  const { caption, notes } = (isRoom ? beat.inRoom : undefined) ?? beat
  const { partialMs, partialsPerBlock } = pace
  const timed = (text: string) =>
    text.replaceAll('{tick}', formatPace(partialMs)).replaceAll('{block}', formatPace(partialMs * partialsPerBlock))
  return { caption: timed(time === undefined ? caption : (beat.measured?.(time) ?? caption)), notes: timed(notes) }
}

/** A beat with its place among all beats. */
export interface PlacedBeat {
  readonly beat: Beat
  readonly scene: Scene
  /** From 1. */
  readonly sceneNumber: number
  /** From 1, within the scene. */
  readonly beatNumber: number
}

/** All beats in the order of the clicker's presses. */
export const BEATS: readonly PlacedBeat[] = SCENES.flatMap((scene, i) =>
  scene.beats.map((beat, j) => ({ beat, scene, sceneNumber: i + 1, beatNumber: j + 1 })),
)

/** Index in {@link BEATS} of a scene's first beat. */
export function firstBeatOf(scene: Scene): number {
  return BEATS.findIndex((placed) => placed.scene === scene)
}
