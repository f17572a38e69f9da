import { expect, test, vi } from 'vitest'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { type PortLike, PROTOCOL } from './messages.ts'
import { type HostedNode, serveHost } from './serve-host.ts'

test('the page tells the node that it is suspended, resumed, or that its chain should be stored', async () => {
  const posted: unknown[] = []
  const port: PortLike = { postMessage: (message) => posted.push(message), onmessage: null, onmessageerror: null }
  const told: string[] = []
  const endpoint = new FakeEndpoint({})
  const node: HostedNode = {
    connect: (push) => endpoint.connect(push),
    suspend: () => told.push('suspend'),
    resume: () => told.push('resume'),
    keep: () => told.push('keep'),
  }
  serveHost(port, async () => node)
  const say = (message: object) => (port.onmessage as ((event: { data: object }) => void) | null)?.({ data: message })
  say({ kind: 'boot', protocol: PROTOCOL, options: {}, chainName: 'main' })
  await vi.waitFor(() => expect(posted).toContainEqual({ kind: 'booted' }))
  for (const kind of ['suspend', 'resume', 'keep']) say({ kind })
  expect(told).toEqual(['suspend', 'resume', 'keep'])
  expect(posted).not.toContainEqual(expect.objectContaining({ kind: 'failed' }))
})
