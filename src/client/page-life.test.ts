import { expect, test } from 'vitest'
import { watchPageLife } from './page-life.ts'

function setUp() {
  const told: string[] = []
  const page = Object.assign(new EventTarget(), { document: new EventTarget() })
  watchPageLife({ suspend: () => told.push('suspend'), resume: () => told.push('resume') }, page as never)
  const transition = (type: string, persisted: boolean) =>
    page.dispatchEvent(Object.assign(new Event(type), { persisted }))
  return { told, page, transition }
}

test('a page that is frozen, or kept for the back button, steps aside until it is back', () => {
  const { told, page, transition } = setUp()
  page.document.dispatchEvent(new Event('freeze'))
  page.document.dispatchEvent(new Event('resume'))
  transition('pagehide', true)
  transition('pageshow', true)
  expect(told).toEqual(['suspend', 'resume', 'suspend', 'resume'])
})

test('a page that is loaded or left for good does nothing: its worker begins or ends with it', () => {
  const { told, transition } = setUp()
  transition('pageshow', false)
  transition('pagehide', false)
  expect(told).toEqual([])
})
