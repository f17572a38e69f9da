/** Width of the column with a test, in rem, as TestColumn.module.css has it. */
const COLUMN = 22.5
/** The widest window, in rem, where the test stands above the chain, not beside it. */
const NARROW = 70
/** Rules for windows up to this width stay as they are: less is never left beside the column. */
const KEPT = NARROW - COLUMN

/**
 * The page's rules for windows of a width, for what the column beside the page leaves of it. Widths in another unit than
 * rem stay as they are.
 */
export function besideColumn(styles: string): string {
  return styles.replaceAll(/@media[^{]+/g, (query) =>
    query.replaceAll(/(width:\s*|width\s*[<>]=?\s*)([\d.]+)rem/g, (rule, what: string, rem: string) =>
      Number(rem) > KEPT ? `${what}${Number(rem) + COLUMN}rem` : rule,
    ),
  )
}
