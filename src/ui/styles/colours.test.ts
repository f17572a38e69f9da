import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const UI = path.join(import.meta.dirname, '..')

/** What draws something that is sealed. */
const DRAWS_SEALED = [
  'chain/Glyph.module.css',
  'chain/squares/square-sprite.ts',
  'learn/OutcomeTable.module.css',
  'room/GuestScreen.module.css',
  'screens/block/BlockView.module.css',
  'screens/break/HistoryTree.module.css',
  'screens/break/PlaceMark.module.css',
  'screens/break/Strip.module.css',
  'screens/explore/BlockList.module.css',
  'screens/live/Race.module.css',
  'screens/live/latency/LatencyPanel.module.css',
  'screens/live/ribbon/SealFlight.module.css',
  'screens/live/ribbon/SealedTiles.module.css',
  'screens/stage/',
  'screens/tx/ReceiptTab.module.css',
  'screens/tx/Steps.module.css',
  'screens/tx/TransactionScreen.module.css',
  'styles/tokens.css',
]

test('the blue of what is sealed stands for nothing else', () => {
  const blue = readdirSync(UI, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:css|tsx?)$/.test(file) && !file.endsWith('.test.ts'))
    .filter((file) => /--sealed(?:-tint)?\b/.test(readFileSync(path.join(UI, file), 'utf8')))
  expect(DRAWS_SEALED.filter((known) => !blue.some((file) => file.startsWith(known)))).toEqual([])
  expect(blue.filter((file) => !DRAWS_SEALED.some((known) => file.startsWith(known)))).toEqual([])
})
