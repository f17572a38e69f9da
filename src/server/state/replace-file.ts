import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'

/** What a name stands for; `undefined` if there is nothing. @throws {Error} If that cannot be told. */
export async function statIfThere(name: string): Promise<Stats | undefined> {
  try {
    return await stat(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a file as a whole, or not at all. Only this user can read it, whoever could read the one before: keys are in it. */
export async function replaceFile(target: string, content: Uint8Array | string): Promise<void> {
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', 0o600)
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
