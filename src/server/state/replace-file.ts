import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'

/**
 * The status of a file or folder; `undefined` if there is none of that name.
 *
 * @throws {Error} If it cannot be read.
 */
export async function statIfThere(name: string): Promise<Stats | undefined> {
  try {
    return await stat(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Writes a whole file, or nothing.
 *
 * @param mode - Who may read it. By default only this user, whatever the old file allowed: a chain contains keys.
 */
export async function replaceFile(target: string, content: Uint8Array | string, mode = 0o600): Promise<void> {
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
