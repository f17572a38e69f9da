import type { Page } from '@playwright/test'
import { expect } from './playground.ts'

/** Windows in which screens are looked at: 400 % and 200 % zoom of laptops, a phone, laptops, a wall. */
const WINDOWS = [
  [320, 180],
  [320, 640],
  [390, 844],
  [720, 450],
  [1280, 720],
  [1440, 900],
  [1920, 1080],
] as const

/** Expects that nothing looks wrong on the page in any window; see `wrongLooks`. */
export async function expectToLookRight(page: Page, what: string): Promise<void> {
  for (const [width, height] of WINDOWS) {
    await page.setViewportSize({ width, height })
    // Until the parts that fit themselves to the window have done so.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    expect.soft(await page.evaluate(wrongLooks), `${what}, ${width} × ${height}`).toEqual([])
  }
  await page.emulateMedia({ forcedColors: 'active' })
  expect.soft(await page.evaluate(missingLines), `${what}, in forced colours`).toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
}

/** Runs in the page, in forced colours, which leave out grounds and shadows: tables without lines between their rows. */
function missingLines(): readonly string[] {
  const hasLine = (row: Element | undefined) =>
    row !== undefined && [row, ...row.children].some((box) => parseFloat(getComputedStyle(box).borderBottomWidth) > 0)
  return [...document.querySelectorAll('main table')].flatMap((table) => {
    if (!(table instanceof HTMLTableElement) || !table.checkVisibility()) return []
    const rows = [...(table.tBodies[0]?.rows ?? [])].filter((row) => row.cells.length > 0)
    const label = table.getAttribute('aria-label') ?? ''
    const head = table.tHead?.rows[0]
    return [
      ...(head && !table.tHead?.matches('.visually-hidden') && !hasLine(head)
        ? [`no line below the heads of “${label}”`]
        : []),
      ...(rows.length > 1 && !hasLine(rows[0]) ? [`no lines between the rows of “${label}”`] : []),
    ]
  })
}

/**
 * Runs in the page. Finds texts that are cut without a title that has all of them, texts that lie over others, sizes of type
 * that are not of the scale, targets of less than 24 px, and a page that scrolls sideways. Then what does not line up:
 * lines that end beside the page's edges, things in a row that stand on two lines or are buttons of two heights, text of a table's row on two
 * baselines, a number that is parted from its unit,
 * prose of too wide a measure, a box in a box in a box, and tables that are mostly a gap.
 */
export function wrongLooks(): readonly string[] {
  const SCALE = [12, 13, 14, 16, 20, 28, 44]
  const LEAST_TARGET = 24
  const HIDDEN = '.visually-hidden, [hidden], [inert]'
  /** What lies over the page on purpose. */
  const LAYERS = 'dialog, [popover], header, nav, [data-layer]'
  const found = new Set<string>()
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent).trim().replaceAll(/\s+/g, ' ').slice(0, 40)}”`
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
    !element.closest(HIDDEN)

  const kept = [...document.querySelectorAll('header, nav')].filter(
    (part) => isShown(part) && /fixed|sticky/.test(getComputedStyle(part).position),
  )
  const keptHeight = kept.reduce((sum, part) => sum + part.getBoundingClientRect().height, 0)
  if (keptHeight > innerHeight / 3) found.add(`${Math.round(keptHeight)} px of ${innerHeight} px never scroll away`)
  if (document.documentElement.scrollWidth > innerWidth) {
    found.add(`the page is ${document.documentElement.scrollWidth} px wide in a window of ${innerWidth} px`)
  }

  const modal = document.querySelector('dialog:modal')
  const root = modal ?? document.body
  interface Line {
    readonly element: Element
    readonly left: number
    readonly top: number
    readonly right: number
    readonly bottom: number
  }
  const lines: Line[] = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    const element = node.parentElement
    if (!element || !node.textContent?.trim() || element.closest('script, style, option, textarea')) continue
    if (!isShown(element)) continue
    const style = getComputedStyle(element)
    const size = Math.round(parseFloat(style.fontSize) * 100) / 100
    // The headline of the live screen grows with the window.
    const isHeadline = element.matches('h1') && size > 28 && size < 44
    if (!SCALE.includes(size) && !isHeadline) found.add(`${name(element)} has type of ${size} px`)
    // For readers alone.
    if (element.clientWidth === 1) continue
    const isCut = /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1
    if (isCut && !element.closest('[title]')) found.add(`${name(element)} is cut, without a title`)
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) {
      const line = clipped(element, box)
      if (line) lines.push({ element, ...line })
    }
  }

  /** What of a line is seen: boxes that scroll or hide what is too much cut it. */
  function clipped(element: Element, box: DOMRect): Omit<Line, 'element'> | undefined {
    let { left, top, right, bottom } = box
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY, position, clipPath } = getComputedStyle(at)
      if (clipPath.startsWith('inset(50%')) return undefined
      if (overflowX !== 'visible' || overflowY !== 'visible') {
        const outer = at.getBoundingClientRect()
        left = Math.max(left, outer.left)
        top = Math.max(top, outer.top)
        right = Math.min(right, outer.right)
        bottom = Math.min(bottom, outer.bottom)
      }
      if (position === 'fixed') break
    }
    return right - left > 2 && bottom - top > 2 ? { left, top, right, bottom } : undefined
  }

  const layerOf = (element: Element) => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      if (at.matches(LAYERS) || /fixed|sticky/.test(getComputedStyle(at).position)) return at
    }
    return undefined
  }
  lines.sort((a, b) => a.top - b.top)
  for (const [i, a] of lines.entries()) {
    for (let j = i + 1; j < lines.length; j++) {
      const b = lines[j]
      if (!b || b.top >= a.bottom - 3) break
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const down = Math.min(a.bottom, b.bottom) - b.top
      // Lines of one height of type may share their leading.
      if (across <= 3 || down <= 5 || a.element === b.element) continue
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue
      if (layerOf(a.element) === layerOf(b.element)) found.add(`${name(a.element)} lies over ${name(b.element)}`)
    }
  }

  const targets = [
    ...root.querySelectorAll('a[href], button, select, summary, input, textarea, [role="tab"], [role="slider"]'),
  ].flatMap((target) => {
    if (!isShown(target) || target.matches(':disabled, input[type="file"], input[type="hidden"]')) return []
    // What is hidden from screen readers has its like elsewhere on the screen, as large as it has to be.
    if (target.closest('[aria-hidden="true"]')) return []
    const label = target.matches('input[type="radio"], input[type="checkbox"]') ? target.closest('label') : undefined
    const box = (label ?? target).getBoundingClientRect()
    return box.width > 1 && box.height > 1 ? [{ target, box }] : []
  })
  for (const { target, box } of targets) {
    if (Math.min(box.width, box.height) >= LEAST_TARGET - 0.5) continue
    // A word or a link in a text is as high as its line. It may be, if a circle of 24 px around it meets no other target.
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    const isText = target.matches('a, button') && !/^(?:inline-)?(?:flex|grid)$/.test(getComputedStyle(target).display)
    const near = targets.find((other) => {
      if (other.target.contains(target) || target.contains(other.target)) return false
      if (layerOf(other.target) !== layerOf(target)) return false
      // Words of one sentence stand as its lines have them.
      if (isText && other.target.closest('p, dd, li') === target.closest('p, dd, li') && target.closest('p, dd, li'))
        return false
      const across = Math.max(other.box.left - x, 0, x - other.box.right)
      const down = Math.max(other.box.top - y, 0, y - other.box.bottom)
      return Math.hypot(across, down) < LEAST_TARGET / 2 - 0.5
    })
    if (isText && !near) continue
    const size = `${Math.round(box.width)} × ${Math.round(box.height)} px`
    found.add(`${name(target)} is a target of ${size}${near ? `, beside ${name(near.target)}` : ''}`)
  }

  for (const line of outside()) found.add(line)
  for (const row of uneven()) found.add(row)
  for (const row of baselines()) found.add(row)
  for (const prose of proseFaults()) found.add(prose)
  for (const box of nested()) found.add(box)
  for (const table of gappy()) found.add(table)
  return [...found]

  /** Lines and boxes that begin or end beyond the edges of the page's content. */
  function outside(): readonly string[] {
    const main = document.querySelector('main')
    if (!main || modal || document.documentElement.hasAttribute('data-fills')) return []
    const { paddingLeft, paddingRight } = getComputedStyle(main)
    const outer = main.getBoundingClientRect()
    const [left, right] = [outer.left + parseFloat(paddingLeft), outer.right - parseFloat(paddingRight)]
    return [...main.querySelectorAll('*')].flatMap((element) => {
      const style = getComputedStyle(element)
      const isDrawn = [style.borderTopWidth, style.borderBottomWidth].some((width) => parseFloat(width) > 0)
      if (!isDrawn || !isShown(element) || /fixed|sticky|absolute/.test(style.position)) return []
      const box = element.getBoundingClientRect()
      const shown = clipped(element, box)
      if (!shown || (shown.left >= left - 1 && shown.right <= right + 1)) return []
      return [`${name(element)} is drawn beyond the edge of the page`]
    })
  }

  /** Where the last line that is drawn in an item is, and its last button. */
  function feetOf(item: Element): ReadonlyMap<string, { readonly bottom: number; readonly name: string }> {
    const feet = new Map<string, { bottom: number; name: string }>()
    for (const element of item.querySelectorAll('*')) {
      if (!isShown(element) || element.closest('svg')) continue
      const { borderBottomWidth, borderTopWidth } = getComputedStyle(element)
      const [above, below] = [parseFloat(borderTopWidth), parseFloat(borderBottomWidth)]
      const isLine = below > above
      if (!isLine && !(element.matches('button') && below > 0)) continue
      const kind = isLine ? 'line' : 'button'
      feet.set(kind, { bottom: element.getBoundingClientRect().bottom, name: name(element) })
    }
    return feet
  }

  /** Things side by side that stand on two lines: lines and buttons of list items that are as high as each other, and buttons. */
  function uneven(): readonly string[] {
    const all: string[] = []
    for (const list of root.querySelectorAll('ol, ul')) {
      const items = [...list.children]
        .filter(isShown)
        .map((item) => ({ box: item.getBoundingClientRect(), feet: feetOf(item) }))
      for (const [i, { box, feet }] of items.entries()) {
        const next = items[i + 1]
        if (!next || Math.abs(box.top - next.box.top) > 1 || Math.abs(box.bottom - next.box.bottom) > 1) continue
        for (const [kind, foot] of feet) {
          const beside = next.feet.get(kind)
          if (beside && Math.abs(beside.bottom - foot.bottom) > 1)
            all.push(`${foot.name} ends ${Math.round(Math.abs(beside.bottom - foot.bottom))} px beside ${beside.name}`)
        }
      }
    }
    for (const button of root.querySelectorAll('button + button, a + button, button + a')) {
      const before = button.previousElementSibling
      if (!before || !isShown(button) || !isShown(before)) continue
      const [a, b] = [before.getBoundingClientRect(), button.getBoundingClientRect()]
      if (b.left < a.right || Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) < a.height / 2) continue
      const apart = Math.abs(a.top + a.bottom - b.top - b.bottom) / 2
      if (apart > 1.5) all.push(`${name(button)} stands ${apart} px beside ${name(before)}`)
    }
    const pressed = [...root.querySelectorAll('button')].filter((button) => {
      const { borderTopWidth, position } = getComputedStyle(button)
      return isShown(button) && parseFloat(borderTopWidth) > 0 && position !== 'absolute'
    })
    for (const [i, button] of pressed.entries()) {
      const before = pressed[i - 1]
      // A bar is at most what is around the part that a button stands in.
      const bar = button.parentElement?.parentElement
      if (!before || !bar?.contains(before) || layerOf(before) !== layerOf(button)) continue
      const [a, b] = [before.getBoundingClientRect(), button.getBoundingClientRect()]
      if (Math.abs(a.top + a.bottom - b.top - b.bottom) > 4 || Math.abs(a.height - b.height) <= 1) continue
      all.push(
        `${name(button)} is ${Math.round(b.height)} px high, beside ${name(before)} of ${Math.round(a.height)} px`,
      )
    }
    return all
  }

  /** Rows of tables in which texts of one line each, of one face and size, do not stand on one baseline. */
  function baselines(): readonly string[] {
    const context = document.createElement('canvas').getContext('2d')
    if (!context) return ['no canvas measures text']
    const all: string[] = []
    for (const row of root.querySelectorAll('tr')) {
      const firsts = new Map<string, { readonly text: string; readonly at: number }>()
      for (const cell of row.cells) {
        const nodes = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        const node = nodes.nextNode()
        const element = node?.parentElement
        if (!node?.textContent?.trim() || !element || !isShown(element) || cell.querySelector('input, select')) continue
        const range = document.createRange()
        range.selectNodeContents(cell)
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 1)
        const [top, bottom] = [Math.max(...boxes.map((box) => box.top)), Math.min(...boxes.map((box) => box.bottom))]
        range.selectNodeContents(node)
        const box = range.getClientRects()[0]
        // Cells of several lines stand in the middle of their row.
        if (!box || top > bottom || !clipped(element, box)) continue
        const { font, fontFamily, fontSize } = getComputedStyle(element)
        context.font = font
        const at = box.top + context.measureText('0').fontBoundingBoxAscent
        const text = node.textContent.slice(0, 20)
        const kind = `${fontSize} ${fontFamily}`
        const first = firsts.get(kind) ?? { text, at }
        firsts.set(kind, first)
        const apart = Math.round(10 * Math.abs(first.at - at)) / 10
        if (apart > 0.6) all.push(`“${text}” stands ${apart} px beside the line of “${first.text}” in ${name(row)}`)
      }
    }
    return all
  }

  /** Lines that part a number from its unit, and paragraphs whose lines are too long to be read. */
  function proseFaults(): readonly string[] {
    const all: string[] = []
    const topsOf = (range: Range) => new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4)))
    for (const paragraph of root.querySelectorAll('p, li, dd')) {
      if (!isShown(paragraph)) continue
      const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const text = walker.currentNode
        for (const match of (text.textContent ?? '').matchAll(/\d (?:ms|s|gwei|ETH|wei|kB|MB)\b/g)) {
          const range = document.createRange()
          range.setStart(text, match.index)
          range.setEnd(text, match.index + match[0].length)
          if (topsOf(range).size > 1) all.push(`${name(paragraph)} parts “${match[0]}”`)
        }
      }
      if (!paragraph.matches('p') || /mono/i.test(getComputedStyle(paragraph).fontFamily)) continue
      const range = document.createRange()
      range.selectNodeContents(paragraph)
      const height = parseFloat(getComputedStyle(paragraph).lineHeight)
      const rows = Math.round(paragraph.getBoundingClientRect().height / height)
      const length = paragraph.textContent.trim().length
      if (rows >= 2 && length / rows > 110)
        all.push(`${name(paragraph)} has ${Math.round(length / rows)} characters a line`)
    }
    return all
  }

  /** Boxes in boxes in boxes; what one fills in or presses is none of them. */
  function nested(): readonly string[] {
    const isBox = (element: Element) => {
      const { borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth } = getComputedStyle(element)
      return [borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth].every(
        (width) => parseFloat(width) > 0,
      )
    }
    const CONTROLS = 'button, a, input, select, textarea, fieldset, kbd, label'
    const boxes = [...root.querySelectorAll(`:not(${CONTROLS})`)].filter(
      (element) => isShown(element) && isBox(element),
    )
    return boxes.flatMap((box) => {
      const around = boxes.filter((other) => other !== box && other.contains(box))
      return around.length >= 2 ? [`${name(box)} is a box in ${around.length} boxes`] : []
    })
  }

  /** Tables with a gap between two columns that is more than half of them. */
  function gappy(): readonly string[] {
    return [...root.querySelectorAll('table')].flatMap((table) => {
      const row = table.tBodies[0]?.rows[0]
      if (!row || !isShown(table)) return []
      const width = table.getBoundingClientRect().width
      if (width < 700) return []
      const drawn = [...row.querySelectorAll('*')].filter(
        (element) => !/, 0\)$|transparent/.test(getComputedStyle(element).backgroundColor),
      )
      const spans = [
        ...lines.filter((line) => row.contains(line.element)),
        ...drawn.map((element) => element.getBoundingClientRect()),
      ].toSorted((a, b) => a.left - b.left)
      let end = spans[0]?.right ?? 0
      for (const span of spans) {
        if (span.left - end > 0.55 * width) return [`${name(table)} has a gap of ${Math.round(span.left - end)} px`]
        end = Math.max(end, span.right)
      }
      return []
    })
  }
}
