/** Recognizes headings of sectors between the rows of a table: `CONSUMER STAPLES`, `Oil & Gas:`. */

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

/**
 * Returns the positions of lines that are headings of sectors: at the margin, below a blank line, a rule, a tag or
 * another heading. One such line may also begin a name (`HEALTH CARE` above `PROPERTY INVS INC`), so lines count as
 * headings only if at least two different ones occur.
 */
export function sectorsIn(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const [at, line] of lines.entries()) {
    const above = lines[at - 1]
    if (SECTOR.test(line) && (above === undefined || BORDER.test(above) || found.has(at - 1))) found.add(at)
  }
  const distinct = new Set([...found].map((at) => lines[at]!.trim().toLowerCase()))
  return distinct.size >= SECTORS_MIN ? found : new Set()
}
const SECTORS_MIN = 2
