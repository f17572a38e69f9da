import { expect, test } from 'vitest'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { conduct } from './conduct.ts'
import { AFTER_SCENES, type Beat, SCENES } from './scenes.ts'

/** A chain that only has a clock, and everything that scenes asked of it. */
function setUp(mode: 'auto' | 'manual') {
  const asked: string[] = []
  const paces: number[] = []
  let paused = false
  const provider = {
    request: ({ method }: { method: string }) => {
      if (method === 'devnet_status') return Promise.resolve({ mode, paused })
      asked.push(method)
      if (method === 'devnet_pause') paused = true
      if (method === 'devnet_resume') paused = false
      return Promise.resolve(null)
    },
  } as BlinknetProvider
  const act = (name: string) => () => {
    asked.push(name)
    return Promise.resolve()
  }
  const show = async (beat: Parameters<typeof conduct>[0], direction: 'forward' | 'back' = 'forward') => {
    asked.length = 0
    await conduct(beat, direction, {
      provider,
      send: act('send'),
      cause: (kind) => act(kind)(),
      notePace: (speed) => paces.push(speed),
    })
    return [...asked]
  }
  return { show, paces }
}

function beatsOf(title: string): readonly Beat[] {
  const scene = SCENES.find((candidate) => candidate.title === title)
  if (!scene) throw new Error(`there is no scene “${title}”`)
  return scene.beats
}

async function askedFor(title: string, mode: 'auto' | 'manual'): Promise<readonly string[][]> {
  const { show } = setUp(mode)
  const asked: string[][] = []
  for (const beat of beatsOf(title)) asked.push(await show(beat))
  return asked
}

test('a transaction waits, is pre-confirmed and is sealed, one press each', async () => {
  expect(await askedFor('One transaction', 'auto')).toEqual([
    ['devnet_pause', 'send'],
    ['devnet_tick'],
    ['devnet_resume'],
    ['send'],
  ])
})

test('on a chain with a manual clock the scenes seal the blocks', async () => {
  expect(await askedFor('One transaction', 'manual')).toEqual([
    ['send'],
    ['devnet_tick'],
    ['devnet_seal'],
    ['send', 'devnet_seal'],
  ])
})

test('a broken promise and a reorg happen while the chain is paused', async () => {
  expect(await askedFor('A broken promise', 'auto')).toEqual([
    ['devnet_pause', 'send', 'devnet_tick'],
    ['drop'],
    ['devnet_resume'],
  ])
  expect(await askedFor('A reorg', 'auto')).toEqual([
    ['devnet_pause', 'send', 'devnet_seal'],
    ['reorg'],
    ['devnet_resume'],
  ])
})

test('going back shows the earlier beat and changes nothing but the clock', async () => {
  const { show } = setUp('auto')
  const [waits, takes, seals] = beatsOf('One transaction')
  if (!waits || !takes || !seals) throw new Error('the scene has other beats')
  await show(seals)
  expect(await show(takes, 'back')).toEqual(['devnet_pause'])
  expect(await show(waits, 'back')).toEqual([])
})

test('a chain that a scene has paused runs again when the scenes end', async () => {
  const { show } = setUp('auto')
  const [waits] = beatsOf('One transaction')
  if (!waits) throw new Error('the scene has other beats')
  await show(waits)
  expect(await show(AFTER_SCENES, 'back')).toEqual(['devnet_resume'])
})

test('each beat notes whether the chain’s time runs, which a manual clock has not', async () => {
  const auto = setUp('auto')
  for (const beat of beatsOf('One transaction')) await auto.show(beat)
  expect(auto.paces).toEqual([0, 0, 1, 1])
  const manual = setUp('manual')
  for (const beat of beatsOf('One transaction')) await manual.show(beat)
  expect(manual.paces).toEqual([])
})
