import { formatDuration } from '#ui/format/numbers.ts'

const WIDTH = 1200
const HEIGHT = 630
const EDGE = 80
const TRACK = { left: 380, right: 880, height: 64 }
const COLORS = { background: '#0d1117', text: '#e6edf3', muted: '#97a1ae', track: '#1d2430' }
const AMBER = '#ffb224'
const SEALED = '#4c9aff'

/** The two times of a transaction, in milliseconds from when the node received it. */
export interface StopwatchTimes {
  readonly preconfirmedMs: number
  readonly sealedMs: number
}

/**
 * Puts a picture of the stopwatch into the clipboard; where the browser takes none there, saves it as a file.
 *
 * @returns What became of it.
 */
export async function copyStopwatch(times: StopwatchTimes): Promise<'copied' | 'saved'> {
  await document.fonts.ready
  const picture = await drawStopwatch(times).convertToBlob({ type: 'image/png' })
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
    return 'copied'
  } catch {
    // Without permission, or without pictures in the clipboard: the file is the same picture.
    const url = URL.createObjectURL(picture)
    Object.assign(document.createElement('a'), { href: url, download: 'blinknet-stopwatch.png' }).click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
    return 'saved'
  }
}

/** Explains itself: name, mark, both bars to scale, both times. Dark in every theme, and always of one size. */
function drawStopwatch({ preconfirmedMs, sealedMs }: StopwatchTimes): OffscreenCanvas {
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser has no canvas to draw on')
  const face = getComputedStyle(document.body).fontFamily
  const write = (text: string, x: number, y: number, font: string, color: string) => {
    context.font = `${font} ${face}`
    context.fillStyle = color
    context.fillText(text, x, y)
  }
  context.fillStyle = COLORS.background
  context.fillRect(0, 0, WIDTH, HEIGHT)
  drawMark(context, EDGE + 22, 102)
  write('Blinknet', EDGE + 62, 114, '650 36px', COLORS.text)
  write('A chain that answers before it confirms', EDGE, 224, '650 54px', COLORS.text)
  const most = Math.max(preconfirmedMs, sealedMs)
  const lanes = [
    ['Pre-confirmed', preconfirmedMs, AMBER, 300],
    ['Sealed', sealedMs, SEALED, 410],
  ] as const
  for (const [name, ms, color, top] of lanes) {
    const width = TRACK.right - TRACK.left
    write(name, EDGE, top + 44, '500 36px', COLORS.text)
    context.fillStyle = COLORS.track
    bar(context, TRACK.left, top, width, TRACK.height)
    context.fillStyle = color
    bar(context, TRACK.left, top, Math.max(8, (width * ms) / most), TRACK.height)
    write(formatDuration(ms), TRACK.right + 36, top + 50, '650 52px', COLORS.text)
  }
  write('One transaction, measured in the node, to scale', EDGE, 560, '400 28px', COLORS.muted)
  return canvas
}

function bar(context: OffscreenCanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  context.beginPath()
  context.roundRect(x, y, width, height, 10)
  context.fill()
}

/** The half-moon. */
function drawMark(context: OffscreenCanvasRenderingContext2D, x: number, y: number): void {
  context.strokeStyle = AMBER
  context.fillStyle = AMBER
  context.lineWidth = 5
  context.beginPath()
  context.arc(x, y, 19, 0, 2 * Math.PI)
  context.stroke()
  context.beginPath()
  context.arc(x, y, 19, -Math.PI / 2, Math.PI / 2)
  context.fill()
}
