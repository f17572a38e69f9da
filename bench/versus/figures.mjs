/** @param {readonly number[]} values @param {number} share */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** @param {readonly number[]} values */
export const median = (values) => percentile(values, 0.5)

/** @param {readonly number[]} values */
export const geometricMean = (values) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)

/** @param {number} value */
export const count = (value) => (value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en'))
/** @param {number} value */
export const ms = (value) => `${value < 0.1 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
/** @param {number} value */
export const times = (value) => `${value.toFixed(value < 0.1 ? 3 : value < 10 ? 2 : 0)}×`

/**
 * @typedef {'worker' | 'node' | 'anvil' | 'hardhat' | 'bare' | 'reference' | 'ethereumjs'} System
 * @typedef {{ readonly [Key in System]?: number | undefined }} Values
 */

/** In the order of the table. @type {Readonly<Record<System, string>>} */
const HEADS = {
  worker: 'Blinknet, Chromium',
  node: 'Blinknet, Node.js',
  anvil: 'anvil',
  hardhat: 'Hardhat',
  bare: 'bare `node:http`',
  reference: 'ethereumjs tuned',
  ethereumjs: 'ethereumjs',
}

/** A table whose rows are printed as they are measured. */
export class Report {
  /** @type {string[]} */
  #lines = []
  #systems

  /** @param {readonly System[]} measured */
  constructor(measured) {
    this.#systems = /** @type {System[]} */ (Object.keys(HEADS)).filter((system) => measured.includes(system))
    this.#print(['', 'ratio', 'goal', ...this.#systems.map((system) => HEADS[system])])
    this.#print(Array.from({ length: 3 + this.#systems.length }, () => '---'))
  }

  /** @returns {string} Markdown. */
  text() {
    return this.#lines.join('\n')
  }

  /**
   * @param {string} what
   * @param {Values} values
   * @param {{ format: (value: number) => string, ratio?: string, goal?: string, met?: boolean }} options
   */
  row(what, values, { format, ratio = '', goal = '', met = true }) {
    const cells = this.#systems.map((system) => {
      const value = values[system]
      return value === undefined ? '' : format(value)
    })
    this.#print([what, ratio, goal && (met ? goal : `${goal}: **not met**`), ...cells])
  }

  /**
   * A row whose figures of Blinknet are compared with another system's. A goal is for the browser, where it is measured,
   * or one for each.
   *
   * @param {string} what
   * @param {Values} values
   * @param {{ format: (value: number) => string, to?: System, least?: number | readonly [worker: number | undefined, node: number],
   * most?: number }} options - The goal.
   */
  compare(what, values, { format, to = 'anvil', least, most }) {
    const other = values[to]
    /** @type {number[]} */
    const ratios = []
    for (const system of /** @type {const} */ (['worker', 'node'])) {
      const own = values[system]
      if (own !== undefined && other !== undefined) ratios.push(own / other)
    }
    const leasts = least === undefined || typeof least === 'number' ? [least] : least
    const told = leasts[0] === undefined && leasts.length > 1 ? 'Node.js ' : ''
    const asked = leasts.filter((each) => each !== undefined)
    const goal = asked.length > 0 ? `${told}≥ ${asked.join('×, ')}×` : most !== undefined ? `≤ ${most}×` : ''
    const met =
      leasts.every((each, i) => each === undefined || (ratios[i] ?? Number.NaN) >= each) &&
      (most === undefined || (ratios[0] ?? Number.NaN) <= most)
    this.row(what, values, { format, ratio: ratios.map(times).join(', '), goal, met })
  }

  /** @param {readonly string[]} cells */
  #print(cells) {
    const line = `| ${cells.join(' | ')} |`
    this.#lines.push(line)
    console.log(line)
  }
}
