/**
 * A report is one HTML file: the page, with a record and chain files as Base64 in elements that no browser runs. Nothing in it
 * needs escaping, and whoever reads it without the page finds everything again.
 */

/** What every report begins with. */
export const REPORT_BEGINNING = '<!doctype html><!-- Blinknet report 1 -->'

/** The elements' type, which says that they are data. */
const HOLDS = 'type="application/octet-stream"'
const BEGIN = '<!-- data -->'
const END = '<!-- end of data -->'
/** Where the template takes the data. */
export const DATA_PLACE = `${BEGIN}${END}`

/** What a report holds, as Base64. */
export interface ReportParts {
  /** JSON of a record, compressed with gzip. */
  readonly record: string
  /** Chain files, in the order of the record's chains. */
  readonly chains: readonly string[]
  /** Compilations that the chains' contracts come from, each as JSON of a {@link PackedCompilation}, compressed with gzip. */
  readonly builds: readonly string[]
}

/** Arguments of `hardhat_addCompilationResult`: the compiler's version, its input and its output. */
export type PackedCompilation = [compiler: string, input: object, output: object]

/** The id of the element with the record. */
export const RECORD_ID = 'record'
/** The id of the element with a chain file, by its place in the record. */
export const chainId = (place: number): string => `chain-${place}`
/** The id of the element with a compilation. */
export const buildId = (place: number): string => `build-${place}`

/**
 * @param template - A page with {@link DATA_PLACE}.
 * @throws {Error} If the template has no such place.
 */
export function writeReport(template: string, { record, chains, builds }: ReportParts): string {
  const [before, after, more] = template.split(DATA_PLACE)
  if (before === undefined || after === undefined || more !== undefined) {
    throw new Error('the template of reports has no place for the data')
  }
  const elements = [
    [RECORD_ID, record] as const,
    ...chains.map((file, place) => [chainId(place), file] as const),
    ...builds.map((build, place) => [buildId(place), build] as const),
  ]
  const data = elements.map(([id, base64]) => `<script ${HOLDS} id="${id}">${base64}</script>\n`).join('')
  return `${before}${BEGIN}\n${data}${END}${after}`
}

/** Whether a file is a report, by its beginning. */
export function isReport(text: string): boolean {
  return text.startsWith(REPORT_BEGINNING)
}

/** What a report holds; `undefined` if the text is none. */
export function readReport(html: string): ReportParts | undefined {
  if (!isReport(html)) return undefined
  const begin = html.indexOf(BEGIN)
  const end = html.indexOf(END, begin)
  if (begin < 0 || end < 0) return undefined
  const data = html.slice(begin, end)
  const found = new Map<string, string>()
  for (const [, id = '', base64 = ''] of data.matchAll(/ id="([\w-]+)">([A-Za-z0-9+/=]*)<\/script>/g))
    found.set(id, base64)
  const record = found.get(RECORD_ID)
  if (record === undefined) return undefined
  return { record, chains: inOrder(found, chainId), builds: inOrder(found, buildId) }
}

function inOrder(found: ReadonlyMap<string, string>, idOf: (place: number) => string): readonly string[] {
  const parts: string[] = []
  for (let part = found.get(idOf(0)); part !== undefined; part = found.get(idOf(parts.length))) parts.push(part)
  return parts
}
