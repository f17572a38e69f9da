import type { NodeSession } from '#client/session/session.ts'
import { spawnNode } from './spawn-node.ts'
import { startNodeWorker } from './start-node-worker.ts'

/**
 * Opens a chain file as a film in a worker of its own.
 *
 * @throws {Error} If no node can run its chain; the message says why.
 */
export function openFilm(file: Uint8Array): Promise<NodeSession> {
  const node = spawnNode({}, undefined, startNodeWorker, false, file)
  return new Promise((resolve, reject) => {
    const stop = node.state.subscribe(() => {
      const state = node.state.get()
      if (state.status === 'starting') return
      stop()
      if (state.status === 'ready') resolve(node)
      else reject(new Error(state.message))
    })
  })
}
