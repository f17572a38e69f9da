import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NodeSession } from '#client/session/session.ts'
import { startRecording, stopRecording, useRecording } from './recording.ts'

const SESSION = {} as NodeSession

/** A browser whose person answers when the test does. */
function setUp() {
  const stop = vi.fn<() => void>()
  const stream = { getTracks: () => [{ stop, addEventListener: () => {} }] } as unknown as MediaStream
  let allow = () => {}
  const answer = new Promise<MediaStream>((resolve) => {
    allow = () => resolve(stream)
  })
  vi.stubGlobal('navigator', { mediaDevices: { getDisplayMedia: () => answer } })
  return { allow, stop }
}

beforeEach(() => {
  vi.stubGlobal(
    'MediaRecorder',
    class {
      static isTypeSupported = () => false
      constructor() {
        throw new DOMException('no codec', 'NotSupportedError')
      }
    },
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  useRecording.setState({ kind: 'off' }, true)
})

test('a tab that cannot be recorded is not captured any longer', async () => {
  const { allow, stop } = setUp()
  const started = startRecording(SESSION)
  allow()
  await started
  expect(stop).toHaveBeenCalledOnce()
  const state = useRecording.getState()
  expect(state.kind === 'off' && state.error).toMatchObject({ why: 'The browser cannot record this tab: no codec' })
})

test('leaving the stage while the browser still asks records nothing', async () => {
  const { allow, stop } = setUp()
  const started = startRecording(SESSION)
  stopRecording()
  allow()
  await started
  expect(stop).toHaveBeenCalledOnce()
  expect(useRecording.getState()).toEqual({ kind: 'off' })
})
