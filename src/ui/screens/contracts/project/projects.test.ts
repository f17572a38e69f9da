import { beforeEach, expect, test, vi } from 'vitest'
import { installFakeIndexedDb } from '#testing/primitives/fake-indexed-db.ts'
import { FakeStorage } from '#testing/ui/fake-storage.ts'
import { MAX_FILE_CHARACTERS } from './project.ts'

installFakeIndexedDb()

beforeEach(() => {
  vi.stubGlobal('localStorage', new FakeStorage())
})

/** A freshly loaded page, in a tab of its own. */
async function openTab(chain = 'main') {
  vi.resetModules()
  const projects = await import('./projects.ts')
  const { useWorkbench } = await import('./workbench.ts')
  await projects.openProjects(chain)
  const state = () => useWorkbench.getState()
  const type = (text: string) =>
    projects.editProject((project) => ({ ...project, files: { ...project.files, [project.current]: text } }))
  return { ...projects, state, type }
}

test('an example becomes a project with its first change, which the next visit still has', async () => {
  const tab = await openTab()
  expect(tab.state()).toMatchObject({ projects: [], project: { name: 'Counter' } })
  tab.type('contract Mine {}')
  expect(tab.state()).toMatchObject({ saved: false, projects: [{ name: 'Counter' }] })
  await tab.saveNow()
  const next = await openTab()
  expect(next.state().project).toMatchObject({ name: 'Counter', files: { 'Counter.sol': 'contract Mine {}' } })
  next.openExample('Counter')
  expect(next.state().project.files['Counter.sol']).toContain('increment')
  expect(next.state().projects).toHaveLength(1)
  const other = await openTab('other chain')
  expect(other.state()).toMatchObject({ projects: [], project: { name: 'Counter' } })
})

test('projects of the same name get different names, and the one that was open is opened again', async () => {
  const tab = await openTab()
  tab.addEmptyProject()
  tab.addEmptyProject()
  expect(tab.state().projects.map(({ name }) => name)).toEqual(['New project 2', 'New project'])
  tab.openListed(tab.state().projects[1]?.id ?? '')
  tab.type('// first')
  await tab.saveNow()
  expect((await openTab()).state().project).toMatchObject({
    name: 'New project',
    files: { 'Contract.sol': '// first' },
  })
})

test('deleting a project can be undone', async () => {
  const tab = await openTab()
  tab.addEmptyProject()
  await tab.saveNow()
  tab.deleteProject()
  expect(tab.state()).toMatchObject({ projects: [], project: { example: 'Counter' } })
  await tab.saveNow()
  expect((await openTab()).state().projects).toEqual([])
  tab.undoDelete()
  await tab.saveNow()
  expect((await openTab()).state()).toMatchObject({
    projects: [{ name: 'New project' }],
    project: { name: 'New project' },
  })
})

test('deleting a file can be undone without losing other changes', async () => {
  const tab = await openTab()
  tab.addEmptyProject()
  const { project } = tab.state()
  tab.deleteFromProject('Contract.sol', (before) => ({ ...before, files: {}, current: '' }))
  expect(tab.state()).toMatchObject({ deleted: { what: 'Contract.sol' }, project: { files: {} } })
  tab.undoDelete()
  expect(tab.state()).toMatchObject({ deleted: undefined, project: { files: project.files } })
  await tab.saveNow()
})

test('nothing is lost if two tabs change the same project', async () => {
  const first = await openTab()
  first.addEmptyProject()
  await first.saveNow()
  const second = await openTab()
  first.type('// of the first tab')
  await first.saveNow()
  second.type('// of the second tab')
  await second.saveNow()
  const texts = new Set<string | undefined>()
  const third = await openTab()
  for (const { id } of third.state().projects) {
    third.openListed(id)
    texts.add(third.state().project.files['Contract.sol'])
  }
  expect(texts).toEqual(new Set(['// of the first tab', '// of the second tab']))
  // The second tab shows its own version as a copy, and that of the first under the old name.
  const [copy, original] = second.state().projects
  expect(second.state().project).toMatchObject({ id: copy?.id, files: { 'Contract.sol': '// of the second tab' } })
  second.openListed(original?.id ?? '')
  expect(second.state().project.files['Contract.sol']).toBe('// of the first tab')
  second.type('// of both')
  await second.saveNow()
  expect(second.state().projects).toHaveLength(2)
})

test('the draft of an earlier version of the page becomes a project, and is deleted only then', async () => {
  const settings = { optimizer: false, runs: 7, evmVersion: 'paris' }
  localStorage.setItem(
    'blinknet.solidity-draft',
    JSON.stringify({ source: 'contract A {}\ncontract Shop {}', settings }),
  )
  const tab = await openTab()
  expect(tab.state().project).toMatchObject({
    name: 'My contract',
    files: { 'Shop.sol': 'contract A {}\ncontract Shop {}' },
    settings: { optimizer: false, runs: 7, evmVersion: 'paris', viaIR: false },
  })
  expect(localStorage.getItem('blinknet.solidity-draft')).toBeNull()
  expect((await openTab()).state().projects).toHaveLength(1)
})

test('without storage everything works, the page says that nothing is saved, and the old draft stays', async () => {
  vi.stubGlobal('indexedDB', undefined)
  localStorage.setItem('blinknet.solidity-draft', JSON.stringify({ source: 'contract A {}' }))
  const tab = await openTab()
  expect(tab.state()).toMatchObject({ keeping: 'none', project: { files: { 'A.sol': 'contract A {}' } } })
  tab.addEmptyProject()
  await tab.saveNow()
  expect(tab.state().projects).toHaveLength(2)
  expect(localStorage.getItem('blinknet.solidity-draft')).not.toBeNull()
})

test('a project beyond the limit of a chain is stored once another one is deleted', async () => {
  const tab = await openTab()
  for (let i = 0; i < 61; i++) {
    tab.addEmptyProject()
    await tab.saveNow()
  }
  const { id } = tab.state().project
  expect([...tab.state().unkept]).toEqual([[id, 'too many']])
  tab.openListed(tab.state().projects.at(-1)?.id ?? '')
  tab.deleteProject()
  await tab.saveNow()
  expect([...tab.state().unkept]).toEqual([])
  const next = await openTab()
  expect(next.state().projects.map((each) => each.id)).toContain(id)
})

test('a project that a later visit would refuse is not stored, and the page says so', async () => {
  const tab = await openTab()
  tab.addEmptyProject()
  tab.type('// short')
  await tab.saveNow()
  const { id } = tab.state().project
  tab.type('x'.repeat(MAX_FILE_CHARACTERS + 1))
  await tab.saveNow()
  expect(tab.state().unkept.get(id)).toBe('too large')
  expect((await openTab()).state().project.files['Contract.sol']).toBe('// short')
  tab.type('// short again')
  await tab.saveNow()
  expect(tab.state().unkept.size).toBe(0)
})
