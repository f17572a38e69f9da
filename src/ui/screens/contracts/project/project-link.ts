import { UnpackError, unpack } from '#client/node/unpack.ts'
import { fromBase64, toBase64 } from '#primitives/base64.ts'
import type { Project } from './project.ts'
import { type ProjectContent, ProjectError, readProject } from './read-project.ts'

/** Prefix of a project in the hash of the page's address. */
export const PROJECT_PREFIX = '#p='

/** Longest packed project, in characters. Browsers and chat programs accept addresses of this length. */
export const MAX_LINK_CHARACTERS = 16_000
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
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const packed = toBase64(new Uint8Array(await new Response(stream).arrayBuffer()))
  const text = packed.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return text.length > MAX_LINK_CHARACTERS ? undefined : text
}

/**
 * Unpacks a result of {@link packProject}.
 *
 * @throws {ProjectError} If it is invalid or too long.
 */
export async function unpackProject(text: string): Promise<ProjectContent> {
  if (text.length > MAX_LINK_CHARACTERS) throw new ProjectError('it is too long')
  if (!/^[\w-]+$/.test(text)) throw new ProjectError('it contains invalid characters')
  const value = parse(await inflate(text))
  if (!Array.isArray(value) || value[0] !== VERSION) throw new ProjectError('it is of another version of this page')
  // A link cannot claim that the project was compiled, or that it is one of the page's examples.
  return { ...readProject(value[1]), compiler: undefined, example: undefined }
}

async function inflate(text: string): Promise<Uint8Array> {
  try {
    return await unpack(fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')), 'deflate-raw', MAX_BYTES)
  } catch (error) {
    const isTooLong = error instanceof UnpackError && error.code === 'too-long'
    throw new ProjectError(isTooLong ? 'it is too long when unpacked' : 'it is damaged', { cause: error })
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new ProjectError('it is damaged', { cause: error })
  }
}
