import { type CompilerSettings, EVM_VERSIONS, type Files, METADATA_HASHES } from '#compiler/messages.ts'
import { othersText } from '#ui/format/contract-text.ts'
import {
  DEFAULT_SETTINGS,
  firstFile,
  MAX_FILES,
  MAX_NAME_CHARACTERS,
  type Project,
  problemWithFiles,
  problemWithPath,
} from './project.ts'

/** The content of a stored or shared project, without its id. */
export type ProjectContent = Omit<Project, 'id'>

/** A project that cannot be opened. `message` is for people and says why. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
}

/**
 * Checks a project that comes from another version of the page, or from another person.
 *
 * @throws {ProjectError} If it is not a project, or exceeds a limit.
 */
export function readProject(value: unknown): ProjectContent {
  const { name, files, folders, settings, current, example, compiler } = fieldsOf(value)
  if (!isFiles(files)) throw new ProjectError('it has no files')
  const problem = problemWithFiles(files)
  if (problem !== undefined) throw new ProjectError(problem)
  const isPath = (path: unknown): path is string => typeof path === 'string' && problemWithPath(path) === undefined
  return {
    name: readName(name) ?? 'Project',
    files: { ...files },
    folders: Array.isArray(folders) ? folders.filter(isPath).slice(0, MAX_FILES) : [],
    settings: readSettings(settings),
    current: typeof current === 'string' && Object.hasOwn(files, current) ? current : firstFile(files),
    example: typeof example === 'string' ? example.slice(0, MAX_NAME_CHARACTERS) : undefined,
    compiler: typeof compiler === 'string' ? compiler.slice(0, MAX_NAME_CHARACTERS) : undefined,
  }
}

/** A project's name that is safe to show; `undefined` if there is none. */
export function readName(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.trim() : ''
  return name === '' ? undefined : othersText(name, MAX_NAME_CHARACTERS)
}

/** Compiler settings; anything unknown becomes the default, as another version of the page may have other settings. */
export function readSettings(value: unknown): CompilerSettings {
  const { optimizer, runs, evmVersion, viaIR, metadata, withTests } = fieldsOf(value)
  return {
    optimizer: typeof optimizer === 'boolean' ? optimizer : DEFAULT_SETTINGS.optimizer,
    runs: isRuns(runs) ? runs : DEFAULT_SETTINGS.runs,
    evmVersion: EVM_VERSIONS.find((version) => version === evmVersion) ?? DEFAULT_SETTINGS.evmVersion,
    viaIR: typeof viaIR === 'boolean' ? viaIR : DEFAULT_SETTINGS.viaIR,
    ...readMetadata(metadata),
    ...(withTests === true && { withTests }),
  }
}

/** Settings of metadata that are not the compiler's defaults. */
function readMetadata(value: unknown): Pick<CompilerSettings, 'metadata'> {
  const { bytecodeHash, appendCBOR } = fieldsOf(value)
  // The compiler refuses a hash where nothing is appended.
  if (appendCBOR === false) return { metadata: { appendCBOR } }
  const hash = METADATA_HASHES.find((each) => each === bytecodeHash)
  return hash === undefined || hash === 'ipfs' ? {} : { metadata: { bytecodeHash: hash } }
}

/** Whether it is a valid number of optimizer runs. */
export function isRuns(runs: unknown): runs is number {
  return typeof runs === 'number' && Number.isInteger(runs) && runs >= 1 && runs <= 0xffff_ffff
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function isFiles(value: unknown): value is Files {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  )
}
