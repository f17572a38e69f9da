import { ForkError } from '#node/fork/fork-error.ts'
import { isObject } from '#primitives/json-object.ts'
import { wholeName } from './fork-files.ts'

/** The environment variable in which a command finds the recordings that it is part of: addresses by files, as JSON. */
const VARIABLE = 'BLINKNET_RECORDINGS'

type Environment = Readonly<Record<string, string | undefined>>

/** The environment of a command that is part of a recording, and of those around it. */
export async function withRecording(file: string, url: string, env: Environment): Promise<Environment> {
  return { ...env, [VARIABLE]: JSON.stringify(Object.fromEntries([...readAll(env), [await wholeName(file), url]])) }
}

/** The address of the recording of a file; `undefined` if it is not being recorded. @throws {ForkError} */
export async function recordingOf(file: string, env: Environment = process.env): Promise<string | undefined> {
  const all = readAll(env)
  return all.size === 0 ? undefined : all.get(await wholeName(file))
}

/** @throws {ForkError} If something else has written the variable. */
function readAll(env: Environment): ReadonlyMap<string, string> {
  const text = env[VARIABLE]
  if (text === undefined || text === '') return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Refused below.
  }
  const entries = isObject(value) ? Object.entries(value) : [['', undefined] as const]
  const read = entries.map(([file, url]) => {
    if (typeof url === 'string' && /^http:\/\/127\.0\.0\.1:\d{1,5}\/?$/.test(url)) return [file, url] as const
    throw new ForkError(`${VARIABLE} is set by blinknet record, and not as it is: unset it`)
  })
  return new Map(read)
}
