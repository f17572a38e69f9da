/** Width of the column with a test, in pixels, as ReportView.module.css has it. */
const COLUMN_PX = 360
/** The widest window, in pixels, where the test stands above the chain, not beside it. */
const NARROW_PX = 1_120
/** Rules for windows up to this width stay as they are: less is never left beside the column. */
const KEPT_PX = NARROW_PX - COLUMN_PX

/** The page's rules for windows of a width, for what the column beside the page leaves of it. */
export function besideColumn(styles: string): string {
  return styles.replaceAll(/@media[^{]+/g, (query) =>
    query.replaceAll(/(width:\s*|width\s*[<>]=?\s*)(\d+)px/g, (rule, what: string, px: string) =>
      Number(px) > KEPT_PX + 1 ? `${what}${Number(px) + COLUMN_PX}px` : rule,
    ),
  )
}
