import { packForLink, unpackFromLink } from '#ui/format/link-text.ts'
import type { Project } from './project.ts'
import { type ProjectContent, ProjectError, readProject } from './read-project.ts'

/** Prefix of a project in the hash of the page's address. */
export const PROJECT_PREFIX = '#p='

/** Longest unpacked project, in bytes. */
const MAX_BYTES = 512 * 1024
const VERSION = 1

/**
 * Packs a project as text for an address: deflated JSON, in URL-safe Base64.
 *
 * @returns `undefined` if it is too long for a link.
 */
export async function packProject({ name, files, settings, current }: Project): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify([VERSION, { name, files, settings, current }]))
  if (bytes.length > MAX_BYTES) return undefined
  return packForLink(bytes)
}

/**
 * Unpacks a result of {@link packProject}.
 *
 * @throws {ProjectError} If it is invalid or too long.
 */
export async function unpackProject(text: string): Promise<ProjectContent> {
  const value = parse(await unpackFromLink(text, MAX_BYTES, (why, options) => new ProjectError(why, options)))
  if (!Array.isArray(value) || value[0] !== VERSION) throw new ProjectError('it is of another version of this page')
  // A link cannot claim that the project was compiled, or that it is one of the page's examples.
  return { ...readProject(value[1]), compiler: undefined, example: undefined }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new ProjectError('it is damaged', { cause: error })
  }
}
