/**
 * Recognizes lines between the rows of a table that are not parts of names. They are headings of sectors (`CONSUMER
 * STAPLES`, `Oil & Gas:`), headings of kinds of securities (`U.S. COMMON STOCKS`), and lines that a page repeats (`AS
 * OF DECEMBER 31, 1999`).
 */
import { ANY_DAY } from '../../../../read/prose/dates.ts'

const AND = '(?:\\s(?:&|and)\\s|\\s?\\/\\s?)'
const SECTOR = new RegExp(
  `^ {0,4}(?:${[
    `aerospace(?:${AND}defense)?|automobiles?|autos?|banks?|banking|basic\\s(?:industries|materials)|biotech(?:nology)?`,
    'business\\s(?:equipment|services)|capital\\s(?:goods|equipment)|chemicals?|commercial\\sservices',
    'communications?(?:\\s(?:services|equipment))?|computers?(?:\\s(?:hardware|software|services))?|conglomerates?|construction',
    'consumer(?:\\s(?:cyclicals?|non-?\\s?cyclicals?|discretionary|staples|durables|non-?\\s?durables|goods|products|services))?',
    `diversified(?:\\sfinancials?)?|drugs?|electronics?|energy|entertainment|financials?(?:\\sservices)?|finance|foods?(?:${AND}beverages?)?`,
    `health\\s?care|hotels?|industrials?(?:\\s(?:products|services|goods))?|information\\stechnology|insurance|leisure|machinery`,
    `materials|media|medical(?:\\s(?:products|services|devices))?|metals?(?:${AND}mining)?|misc(?:ellaneous|\\.)?|oils?(?:${AND}gas)?`,
    `paper(?:${AND}forest\\sproducts)?|pharmaceuticals?|producer\\sdurables|publishing|railroads?|real\\sestate|restaurants?|retail(?:ing|ers)?`,
    'semiconductors?|services|software|technology|tele-?communications?(?:\\sservices)?|tobacco|transportation|utilit(?:y|ies)',
  ].join('|')})\\s?:?\\s*$`,
  'i',
)

const BORDER = /^[\s\-=_]*$|^\s*</

const ADJECTIVE =
  '(?:u\\.?s\\.?|domestic|foreign|international|common|preferred|convertible|corporate|government|municipal|(?:large|mid|small)[ -]?cap|listed|other|miscellaneous)'
/**
 * Matches the name of a kind of securities (`COMMON STOCKS`). At the margin it is a heading, since such a line is
 * neither the title of a class nor the end of a name.
 */
const KIND = new RegExp(
  `^(?:${ADJECTIVE}(?:\\s|\\s?/\\s?)){0,3}(?:stocks?|shares|equity|equities|bonds|notes|debentures|warrants|rights|units|reits|adr'?s|options|mutual\\sfunds|etfs?|preferreds|convertibles|securities|cash(?:\\s(?:&|and)\\scash\\sequivalents)?)\\s?:?$`,
  'i',
)
/** A line that pages repeat, or that marks the end of a page. */
const REPEATED = new RegExp(
  `^(?:(?:(?:form|schedule)\\s)?13f(?:-hr)?(?:\\s(?:information|holdings)\\s(?:table|report))?|information\\stable|name\\sof\\sissuer(?:\\stitle\\sof\\sclass.{0,80})?|(?:item|column)\\s\\d(?:\\s{1,20}(?:item|column)\\s\\d){0,9}|[-–]\\s?\\d{1,4}\\s?[-–]|(?:end|bottom|top)\\sof\\spage|(?:balance\\s)?(?:carried|brought)\\sforward|[^\\d]{0,20}\\bas\\sof:?\\s(?:${ANY_DAY}|\\d{1,2}[/-]\\d{1,2}[/-]\\d{2,4}))$`,
  'i',
)
/** A heading that a page repeats: `COMMON STOCK (CONTINUED)`, `SCHEDULE 13F - CONT'D`. */
const CONTINUED = /(?:^|[\s(-])(?:continued|cont['’]?d)\.?\)?$/i
/** Maximum length of a heading. Rows with values, and lines of text, are longer. */
const HEADING_MAX = 70

/**
 * Returns the positions of lines that are headings, and therefore not parts of names. The name of a kind of securities
 * counts as a heading only at the margin, and only below a blank line, a rule, a tag or another heading.
 */
export function headingsIn(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set(sectorsIn(lines))
  for (const [at, line] of lines.entries()) {
    const text = line.trim()
    if (text.length > HEADING_MAX || text === '') continue
    const above = lines[at - 1]
    const isBelow = above === undefined || BORDER.test(above) || found.has(at - 1)
    const isKind = isBelow && line.search(/\S/) <= 4 && KIND.test(text)
    if (isKind || REPEATED.test(text) || CONTINUED.test(text)) found.add(at)
  }
  return found
}

/**
 * Returns the positions of lines that are headings of sectors: at the margin, below a blank line, a rule, a tag or
 * another heading. One such line may also begin a name (`HEALTH CARE` above `PROPERTY INVS INC`), so lines count as
 * headings only if at least two different ones occur.
 */
function sectorsIn(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const [at, line] of lines.entries()) {
    const above = lines[at - 1]
    if (SECTOR.test(line) && (above === undefined || BORDER.test(above) || found.has(at - 1))) found.add(at)
  }
  const distinct = new Set([...found].map((at) => lines[at]!.trim().toLowerCase()))
  return distinct.size >= SECTORS_MIN ? found : new Set()
}
const SECTORS_MIN = 2
