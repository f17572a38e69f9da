import { expect, test } from 'vitest'
import { watchPageLife } from './open-node.ts'

function setUp() {
  const told: string[] = []
  const page = Object.assign(new EventTarget(), { document: new EventTarget() })
  const hear = (what: string) => () => void told.push(what)
  const session = {
    suspend: hear('suspend'),
    resume: hear('resume'),
    putAside: hear('putAside'),
    comeBack: hear('comeBack'),
  }
  watchPageLife(session, page as never)
  const transition = (type: string, persisted: boolean) =>
    page.dispatchEvent(Object.assign(new Event(type), { persisted }))
  return { told, page, transition }
}

test('a frozen page suspends its node, and a page in the back/forward cache ends its worker', () => {
  const { told, page, transition } = setUp()
  page.document.dispatchEvent(new Event('freeze'))
  page.document.dispatchEvent(new Event('resume'))
  transition('pagehide', true)
  transition('pageshow', true)
  expect(told).toEqual(['suspend', 'resume', 'putAside', 'comeBack'])
})

test('loading or leaving a page needs no action: its worker starts or ends with it', () => {
  const { told, transition } = setUp()
  transition('pageshow', false)
  transition('pagehide', false)
  expect(told).toEqual([])
})
