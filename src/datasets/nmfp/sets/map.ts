/**
 * The maps of the SEC's data sets of Form N-MFP (since 2010 Q4). `*.tsv` next to this file say which element of the
 * form each column becomes. The first Form N-MFP has a schema of its own (`original.tsv`): its values are in the
 * columns of the later forms, and in columns that end in _L. The sets cut names at 30 characters.
 *
 * The sets lack three values, so rows from them have null: the registrant's name, which before 2024 is only in EDGAR's
 * header; the name of a merged fund; the mark of a paper copy.
 */
import { readFileSync } from 'node:fs'
import type { Branch, Plan } from '../../../read/made.ts'
import { type More, once, SetMap } from '../../../read/set-map.ts'

const ORIGINAL = new URL('original.tsv', import.meta.url)
const REPORT = new URL('report.tsv', import.meta.url)
const ROOT = 'edgarSubmission'

type Reading = NonNullable<Branch['more']>

/** Reads a map when it is first needed. */
const mapOf = (file: URL, name: string) => new SetMap([[name, readFileSync(file, 'utf8')]])

const original = once(() => {
  const map = mapOf(ORIGINAL, 'nmfp/sets/original.tsv')
  const rated = ratedBy(map)
  return map.branches(ROOT, {
    NMFP_ADMINISTRATOR: (made, row) => made.setText(row.text('ADMINISTRATORNAME')),
    ...rated({
      security: 'designatedNRSROList/designatedNRSRO',
      demand: 'NRSRORatingList/NRSROSRating',
      guarantor: 'NRSRORatingList/NRSRORating',
      enhancement: 'enhancementProviderList/Provider/NRSRORatingList/NRSRORating',
    }),
  })
})

const report = once(() => {
  const map = mapOf(REPORT, 'nmfp/sets/report.tsv')
  const rated = ratedBy(map)
  return map.branches(ROOT, {
    // One element of the form has words before N-MFP3, and an amount since N-MFP3.
    NMFP_CLASSLEVELINFO: (made, row) =>
      made.put('nameOfPersonDescExpensePay', row.text('NAMEOFPERSONDESCEXPENSEPAY_AMOUNT')),
    ...rated({
      security: 'assigningNRSRORating',
      demand: 'demandFeatureRatingOrNRSRO',
      guarantor: 'guarantorRatingOrNRSRO',
      enhancement: 'enhancementRatingOrNRSRO',
    }),
  })
})

/** Some lists have a value for each Friday. In these lists, the elements of N-MFP1 say `week` in place of `Day`. */
const firstReport = once(() =>
  report().map((branch) =>
    branch.member === 'NMFP_SERIESLEVELINFO' ? { ...branch, texts: withWeeks(branch.texts!) } : branch,
  ),
)

const withWeeks = (texts: Plan): Plan =>
  Object.fromEntries(
    Object.entries(texts).map(([path, column]) => [path.replace(/\/fridayDay(?=\d$)/, '/fridayWeek'), column]),
  )

/**
 * Returns the branches for a filing of this form. Each line of a member belongs to the filing, or to the line that it
 * names.
 */
export function branchesOf(type: string): readonly Branch[] {
  if (/^N-MFP(\/A)?$/.test(type)) return original()
  return type.startsWith('N-MFP1') ? firstReport() : report()
}

/**
 * Returns the code that puts the ratings of a security, or of a firm that supports it, into their element. A line with
 * a rating of a firm names the firm.
 */
function ratedBy(map: SetMap) {
  const plan = map.member('rating', 'NMFP_NRSRO').texts
  const rated =
    (type: RegExp, at: string, identity?: string): Reading =>
    (made, row, lines) => {
      const firm = identity === undefined ? null : row.text(identity)
      for (const one of lines.where('NMFP_NRSRO', 'SECURITY_ID', row.text('SECURITY_ID'))) {
        // If two firms have one name, the first gets all ratings: a set has no other link.
        if (lines.placed.has(one) || !type.test(one.text('TYPE') ?? '')) continue
        if (identity !== undefined && one.text('IDENTITY') !== firm) continue
        made.child(at).fill(one, plan)
        lines.placed.add(one)
      }
    }
  return (at: Record<'security' | 'demand' | 'guarantor' | 'enhancement', string>): More => ({
    NMFP_SCHPORTFOLIOSECURITIES: rated(/^security/i, at.security),
    NMFP_DEMANDFEATURE: rated(/^demand/i, at.demand, 'IDENTITYOFDEMANDFEATUREISSUER'),
    NMFP_GUARANTOR: rated(/^guarant/i, at.guarantor, 'IDENTITYOFTHEGUARANTOR'),
    NMFP_ENHANCEMENTPROVIDER: rated(/^enhance/i, at.enhancement, 'IDENTITYOFENHANCEMENTPROVIDER'),
  })
}
