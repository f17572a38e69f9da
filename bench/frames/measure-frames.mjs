// Frame times of a page, and their figures.
const FRAME_MS = 1_000 / 60

/** Runs in the page: milliseconds between frames. @param {number} durationMs @returns {Promise<number[]>} */
export function measureFrames(durationMs) {
  return new Promise((resolve) => {
    /** @type {number[]} */
    const frames = []
    const endsAt = performance.now() + durationMs
    let before = performance.now()
    /** @param {number} now */
    function onFrame(now) {
      frames.push(now - before)
      before = now
      if (now < endsAt) requestAnimationFrame(onFrame)
      else resolve(frames.slice(1))
    }
    requestAnimationFrame(onFrame)
  })
}

/**
 * @param {readonly number[]} frames - Milliseconds.
 * @returns {{ p50: number, p95: number, p99: number, dropped: number, due: number }} `dropped` of `due` frames at 60 a
 * second were left out.
 */
export function frameFigures(frames) {
  const dropped = frames.reduce((sum, time) => sum + Math.max(0, Math.round(time / FRAME_MS) - 1), 0)
  const [p50 = Number.NaN, p95 = Number.NaN, p99 = Number.NaN] = [0.5, 0.95, 0.99].map((share) =>
    percentile(frames, share),
  )
  return { p50, p95, p99, dropped, due: frames.length + dropped }
}

/** @param {readonly number[]} values @param {number} share */
function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
