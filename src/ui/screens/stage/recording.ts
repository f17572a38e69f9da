import { create } from 'zustand'
import type { NodeSession } from '#client/session/session.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { performChainAction } from '#ui/storage/chain-actions.ts'
import { download } from '#ui/storage/download.ts'
import { formatBytes } from '#ui/storage/format-bytes.ts'

/** In order of preference. Safari before 18.4 has only MP4. */
const TYPES = ['video/webm;codecs=vp9', 'video/webm', 'video/mp4'] as const
/** Enough for text and squares at 1080p. */
const BITS_PER_SECOND = 4_000_000
/** Milliseconds of video that are handed over at a time; the browser may keep these parts on disk. */
const PART_MS = 500
/** A video of no more bytes is only a header, without a picture. */
const HEAD_BYTES = 100
/** A longer recording ends by itself, and is saved. */
export const MAX_VIDEO_BYTES = 1_000_000_000

/** The recording of the stage. */
export type RecordingState =
  /** `outcome`: what was saved, for people. `error`: why nothing, or not everything, was. */
  | { readonly kind: 'off'; readonly outcome?: string; readonly error?: unknown }
  /** The browser asks the person what the page may record. */
  | { readonly kind: 'asks' }
  /** `hasPicture`: the first picture has arrived, which can take seconds on a busy machine. */
  | { readonly kind: 'records'; readonly hasPicture: boolean; readonly stop: () => void }

export const useRecording = create<RecordingState>()(() => ({ kind: 'off' }))
const setState = (state: RecordingState) => useRecording.setState(state, true)

/**
 * Records this tab as a video until it is stopped, here or in the browser's own bar. Then the video is saved, and the
 * chain as a file, which plays again as a film. Failures are in the state.
 */
export async function startRecording(session: NodeSession): Promise<void> {
  if (useRecording.getState().kind !== 'off') return
  const asking = { kind: 'asks' } as const
  setState(asking)
  let stream: MediaStream | undefined
  try {
    stream = await askForTab()
    if (useRecording.getState() === asking) record(stream, (video, tookMs) => void save(session, video, tookMs))
    else endCapture(stream)
  } catch (error) {
    // The browser says that the tab is captured for as long as a track runs.
    if (stream) endCapture(stream)
    if (useRecording.getState() !== asking) return
    setState({ kind: 'off', error: error instanceof ExplainedError ? error : refused(error) })
  }
}

/** Ends the recording, if there is one, and saves it. If the browser still asks, its answer is not used. */
export function stopRecording(): void {
  const state = useRecording.getState()
  if (state.kind === 'records') state.stop()
  else if (state.kind === 'asks') setState({ kind: 'off' })
}

function endCapture(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

export function dismissOutcome(): void {
  if (useRecording.getState().kind === 'off') setState({ kind: 'off' })
}

/** @throws {ExplainedError} If the browser cannot record a tab. */
async function askForTab(): Promise<MediaStream> {
  const { mediaDevices } = navigator as { readonly mediaDevices?: Partial<MediaDevices> }
  if (!mediaDevices?.getDisplayMedia || typeof MediaRecorder === 'undefined') {
    throw new ExplainedError(
      'This page cannot record the stage.',
      window.isSecureContext
        ? 'This browser has no screen capture. Chromium, Firefox and Safari have it on computers, not on phones.'
        : 'Browsers allow it only over https or on the machine that serves the page.',
    )
  }
  return mediaDevices.getDisplayMedia({
    video: { frameRate: 30 },
    audio: false,
    // Chromium then asks for this tab alone; other browsers let the person choose a window.
    ...{ preferCurrentTab: true, selfBrowserSurface: 'include' },
  })
}

function record(stream: MediaStream, done: (video: Blob, tookMs: number) => void): void {
  const type = TYPES.find((candidate) => MediaRecorder.isTypeSupported(candidate))
  const recorder = new MediaRecorder(stream, { ...(type && { mimeType: type }), videoBitsPerSecond: BITS_PER_SECOND })
  const parts: Blob[] = []
  const since = performance.now()
  let bytes = 0
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop()
  }
  recorder.ondataavailable = ({ data }) => {
    parts.push(data)
    bytes += data.size
    if (bytes > HEAD_BYTES && recorder.state !== 'inactive') setState({ kind: 'records', hasPicture: true, stop })
    if (bytes > MAX_VIDEO_BYTES) stop()
  }
  recorder.onstop = () => {
    removeEventListener('beforeunload', askBeforeLeaving)
    endCapture(stream)
    done(new Blob(parts, { type: recorder.mimeType.replace(/;.*/, '') }), performance.now() - since)
  }
  // A recording also ends by the browser's own “Stop sharing”.
  for (const track of stream.getTracks()) track.addEventListener('ended', stop)
  recorder.start(PART_MS)
  addEventListener('beforeunload', askBeforeLeaving)
  setState({ kind: 'records', hasPicture: false, stop })
}

function askBeforeLeaving(event: Event): void {
  event.preventDefault()
}

async function save(session: NodeSession, video: Blob, tookMs: number): Promise<void> {
  if (video.size <= HEAD_BYTES) {
    const why = 'The browser gave no picture of this tab. Record for longer, and keep the tab in front.'
    return setState({ kind: 'off', error: new ExplainedError('Nothing was recorded.', why) })
  }
  const name = `blinknet-stage.${video.type.endsWith('mp4') ? 'mp4' : 'webm'}`
  const recorded = `Recorded ${(tookMs / 1000).toFixed(1)} s as ${name}, ${formatBytes(video.size)}.`
  download(video, name)
  setState({ kind: 'off', outcome: recorded })
  try {
    setState({ kind: 'off', outcome: `${recorded} ${await performChainAction(session, { kind: 'export' })}` })
  } catch (error) {
    setState({ kind: 'off', outcome: recorded, error })
  }
}

function refused(error: unknown): ExplainedError {
  const isDenied = error instanceof DOMException && error.name === 'NotAllowedError'
  return new ExplainedError(
    'Nothing is recorded.',
    isDenied
      ? 'The browser was not allowed to show this tab to the page. Press Record again, and choose this tab, or its window.'
      : `The browser cannot record this tab: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  )
}
