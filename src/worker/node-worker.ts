import { createNode } from '#node/node.ts'
import { createSystemClock } from '#primitives/system-clock.ts'
import { serveHost } from '#transport/serve-host.ts'

// The dedicated module worker in which the chain runs; the page starts it by its URL. Everything that this module
// imports has been evaluated when `serveHost` says `ready`, so no message of the page is lost to a top-level await.
const host = serveHost(self, async (options) => {
  const node = await createNode(options, {
    clock: createSystemClock(self),
    log: (level, message, details) =>
      console[level](`[blinknet] ${message}`, ...(details === undefined ? [] : [details])),
  })
  node.start()
  return node
})

self.addEventListener('error', (event) => host.fail(event.error ?? event.message))
self.addEventListener('unhandledrejection', (event) => host.fail(event.reason))
