import { keep, readKept } from '#ui/page/kept-text.ts'
import { createProject, EXAMPLES, newId } from './examples.ts'
import { fileNameFor, forgetOldDraft, readOldDraft } from './old-draft.ts'
import { DEFAULT_SETTINGS, MAX_NAME_CHARACTERS, type Project, problemWithFiles } from './project.ts'
import { openProjectTable, type ProjectRow, type ProjectTable } from './project-table.ts'
import { type ProjectContent, ProjectError, readProject } from './read-project.ts'
import { type ListedProject, type Unkept, useWorkbench } from './workbench.ts'

/** Milliseconds without typing after which a project is stored. */
const WRITE_AFTER_MS = 400

/** Storage key for the project that was last open. */
const lastKey = (chain: string) => `blinknet.project:${chain}`

let table: Promise<ProjectTable> | undefined
/** Revisions that this tab has of the projects. */
const revisions = new Map<string, number>()
/** Newer revisions that other tabs have stored. This tab takes them over once it opens the project. */
const others = new Map<string, number>()
/** The chain's stored projects, to open another one. */
const stored = new Map<string, Project>()
let timer: ReturnType<typeof setTimeout> | undefined
/** The chain whose projects to show. */
let wanted: string | undefined
/** Whether the open project has changes that are not yet being written. */
let changed = false
/** Writes take turns. */
let writing: Promise<void> = Promise.resolve()
let writes = 0

function openTable(): Promise<ProjectTable> {
  table ??= openProjectTable()
  return table
}

/** Reads a chain's projects and opens the one that was last open. A second call for the same chain does nothing. */
export async function openProjects(chain: string): Promise<void> {
  if (wanted === chain) return
  wanted = chain
  await saveNow()
  const rows = await readRows(chain)
  // Another chain was chosen in the meantime.
  if (wanted !== chain) return
  revisions.clear()
  others.clear()
  stored.clear()
  changed = false
  for (const { id, revision, project } of rows) {
    try {
      stored.set(id, { ...readProject(project), id })
      revisions.set(id, revision)
    } catch (error) {
      // From a later version of the page: leave it as it is.
      if (!(error instanceof ProjectError)) throw error
    }
  }
  const last = readKept(lastKey(chain))
  const newest = [...stored.values()][0]
  const project = stored.get(last ?? '') ?? (last === null ? undefined : exampleProject(last)) ?? newest
  useWorkbench.setState({
    chain,
    project: project ?? createProject(),
    projects: [...stored.values()].map(listed),
    unkept: new Map(),
    deleted: undefined,
    library: undefined,
    compilation: undefined,
    failure: undefined,
    saved: true,
  })
  await takeOverOldDraft()
}

async function readRows(chain: string): Promise<readonly ProjectRow[]> {
  try {
    const rows = await againIfClosed(async () => (await openTable()).list(chain))
    useWorkbench.setState({ keeping: 'kept' })
    return rows.toSorted((a, b) => b.savedAtMs - a.savedAtMs)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    useWorkbench.setState({ keeping: 'none' })
    return []
  }
}

/** Makes a project of the draft of an earlier version of the page. */
async function takeOverOldDraft(): Promise<void> {
  try {
    const draft = readOldDraft(localStorage)
    if (!draft) return
    const example = EXAMPLES.find(({ files }) => Object.values(files).join() === draft.source)
    if (example) openProject(createProject(example, draft.settings))
    else {
      const file = fileNameFor(draft.source)
      addProject({
        name: 'My contract',
        files: { [file]: draft.source },
        folders: [],
        settings: draft.settings,
        current: file,
      })
    }
    await saveNow()
    const { keeping, unkept, project } = useWorkbench.getState()
    if (keeping === 'kept' && !unkept.has(project.id)) forgetOldDraft(localStorage)
  } catch (error) {
    // With some browser settings even access to the property throws.
    if (!(error instanceof DOMException)) throw error
  }
}

function listed({ id, name }: Project): ListedProject {
  return { id, name }
}

function exampleProject(key: string): Project | undefined {
  const example = EXAMPLES.find(({ title }) => key === `example:${title}`)
  return example && createProject(example)
}

/** Whether the project is in the chain's list. An unchanged example is not. */
export function isListed(project: Project): boolean {
  return useWorkbench.getState().projects.some(({ id }) => id === project.id)
}

function openProject(project: Project): void {
  const { chain } = useWorkbench.getState()
  useWorkbench.setState({ project, library: undefined })
  if (chain !== undefined) keep(lastKey(chain), isListed(project) ? project.id : `example:${project.example}`)
}

/** Opens a project of the list. */
export function openListed(id: string): void {
  flush()
  const project = stored.get(id)
  if (!project) return
  revisions.set(id, others.get(id) ?? revisions.get(id) ?? 0)
  others.delete(id)
  openProject(project)
}

/** Opens an example as it is. */
export function openExample(title: string): void {
  flush()
  const example = exampleProject(`example:${title}`)
  if (example) openProject(example)
}

/** Adds a project and opens it. */
export function addProject(content: ProjectContent): void {
  flush()
  const project = { ...content, id: newId(), name: freeName(content.name) }
  enlist(project)
  openProject(project)
  scheduleSave()
}

/** A project with one empty contract. */
export function addEmptyProject(): void {
  const current = 'Contract.sol'
  const text = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\ncontract Contract {}\n'
  addProject({ name: 'New project', files: { [current]: text }, folders: [], settings: DEFAULT_SETTINGS, current })
}

/** Changes the open project. An example becomes one of the chain's projects with its first change. */
export function editProject(change: (project: Project) => Project): void {
  const before = useWorkbench.getState().project
  const after = change(before)
  if (after === before) return
  const isMove = after.files === before.files && after.settings === before.settings && after.name === before.name
  if (isMove && !isListed(before)) return useWorkbench.setState({ project: after, library: undefined })
  if (isListed(before)) {
    useWorkbench.setState(({ projects }) => ({
      project: after,
      library: undefined,
      projects: projects.map((each) => (each.id === after.id ? listed(after) : each)),
    }))
    stored.set(after.id, after)
  } else {
    const project = { ...after, name: freeName(after.name) }
    enlist(project)
    openProject(project)
  }
  scheduleSave()
}

/** Renames the open project. */
export function renameProject(name: string): void {
  editProject((project) => ({ ...project, name: name.trim().slice(0, MAX_NAME_CHARACTERS) || project.name }))
}

/** Deletes the open project; `undoDelete` brings it back. */
export function deleteProject(): void {
  flush()
  const { project, projects, chain } = useWorkbench.getState()
  const rest = projects.filter(({ id }) => id !== project.id)
  stored.delete(project.id)
  useWorkbench.setState({ projects: rest, deleted: { what: `the project ${project.name}`, before: project } })
  const next = rest[0] && stored.get(rest[0].id)
  openProject(next ?? createProject())
  if (chain === undefined) return
  void enqueue(async () => {
    revisions.delete(project.id)
    await (await openTable()).delete(chain, project.id)
    setUnkept(project.id, undefined)
    await writeTheUnkept(chain)
  })
}

/** Deletes a file or folder of the open project, by a given change; `undoDelete` brings it back. */
export function deleteFromProject(what: string, change: (project: Project) => Project): void {
  const before = useWorkbench.getState().project
  editProject(change)
  useWorkbench.setState({ deleted: { what, before } })
}

/** Undoes the last deletion. */
export function undoDelete(): void {
  const { deleted, project } = useWorkbench.getState()
  if (!deleted) return
  const { before } = deleted
  useWorkbench.setState({ deleted: undefined })
  if (before.id === project.id) return editProject(() => ({ ...before, name: project.name }))
  flush()
  if (!stored.has(before.id)) enlist(before)
  else stored.set(before.id, before)
  openProject(before)
  scheduleSave()
}

export function forgetDeleted(): void {
  useWorkbench.setState({ deleted: undefined })
}

function enlist(project: Project): void {
  stored.set(project.id, project)
  useWorkbench.setState(({ projects }) => ({ projects: [listed(project), ...projects] }))
}

/** A name that no other project of the chain has. */
function freeName(name: string): string {
  const names = new Set(useWorkbench.getState().projects.map((each) => each.name))
  const candidates = [name, ...Array.from({ length: names.size }, (_, i) => `${name} ${i + 2}`)]
  return candidates.find((candidate) => !names.has(candidate)) ?? name
}

function scheduleSave(): void {
  changed = true
  useWorkbench.setState({ saved: false })
  clearTimeout(timer)
  timer = setTimeout(flush, WRITE_AFTER_MS)
}

function flush(): void {
  void saveNow()
}

/** Stores the open project, if it has changed. */
export function saveNow(): Promise<void> {
  clearTimeout(timer)
  const { project, chain } = useWorkbench.getState()
  if (!changed || chain === undefined || !isListed(project)) return writing
  changed = false
  return enqueue(() => write(chain, project))
}

function enqueue(act: () => Promise<void>): Promise<void> {
  writes++
  const done = writing
    .then(() => againIfClosed(act))
    .catch((error: unknown) => {
      // Out of space, or storage is forbidden.
      if (!(error instanceof DOMException)) throw error
      useWorkbench.setState({ keeping: 'none' })
    })
    .finally(() => {
      if (--writes === 0 && !changed) useWorkbench.setState({ saved: true })
    })
  writing = done.catch(() => undefined)
  return done
}

/** Retries once with a new connection, as some browsers close the storage of a page in the background. */
async function againIfClosed<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    table = undefined
    return act()
  }
}

async function write(chain: string, project: Project): Promise<void> {
  // A later visit would refuse to read it.
  if (problemWithFiles(project.files) !== undefined) return setUnkept(project.id, 'too large')
  if (await put(chain, project, revisions.get(project.id) ?? 0)) return
  // Another tab has changed it: keep both versions.
  const copy = { ...project, id: newId(), name: freeName(project.name) }
  useWorkbench.setState((state) => ({
    project: state.project.id === project.id ? { ...state.project, id: copy.id, name: copy.name } : state.project,
  }))
  enlist(copy)
  if (useWorkbench.getState().project.id === copy.id) keep(lastKey(chain), copy.id)
  await put(chain, copy, 0)
  await takeOther(chain, project.id)
}

/** Shows the version of a project that another tab has stored. */
async function takeOther(chain: string, id: string): Promise<void> {
  const row = (await (await openTable()).list(chain)).find((each) => each.id === id)
  if (!row || wanted !== chain) return
  try {
    const other = { ...readProject(row.project), id }
    stored.set(id, other)
    others.set(id, row.revision)
    useWorkbench.setState(({ projects }) => ({
      projects: projects.map((each) => (each.id === id ? listed(other) : each)),
    }))
  } catch (error) {
    // From a later version of the page.
    if (!(error instanceof ProjectError)) throw error
  }
}

/** @returns Whether no other tab has changed it in the meantime. */
async function put(chain: string, project: Project, before: number): Promise<boolean> {
  const row = { chain, id: project.id, revision: before + 1, savedAtMs: Date.now(), project }
  const answer = await (await openTable()).put(row, before)
  if (answer === 'changed') return false
  if (answer === 'stored') revisions.set(project.id, before + 1)
  setUnkept(project.id, answer === 'stored' ? undefined : answer)
  useWorkbench.setState({ keeping: 'kept' })
  return true
}

/** Tries again once there is room. */
async function writeTheUnkept(chain: string): Promise<void> {
  for (const id of useWorkbench.getState().unkept.keys()) {
    const project = stored.get(id)
    if (project) await write(chain, project)
  }
}

function setUnkept(id: string, why: Unkept | undefined): void {
  const unkept = new Map(useWorkbench.getState().unkept)
  if (why === undefined) unkept.delete(id)
  else unkept.set(id, why)
  useWorkbench.setState({ unkept })
}
