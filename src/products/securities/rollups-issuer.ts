/** Rollups of companies of private securities, and of prices that funds put on securities, by period. */
import { accession, boolean, confidence, count, date, decimal, rollup, text, texts, usd } from '../../declare/table.ts'

const sec_id = text('Id of the security', { entity: 'cusip' })

export const issuer_name = rollup(
  'securities.issuer_name',
  'One row per private security and name or LEI that its lines state for the issuer',
  ['sec_id', 'role', 'key', 'form'],
  {
    sec_id,
    role: text(
      'Kind of evidence. name: the name of the issuer. vehicle: the security is an interest in a vehicle of this name. exposure: the company that the vehicle holds. aka: another name that a filer states. title: a company that the title names. lei: the LEI',
      {
        values: ['name', 'vehicle', 'exposure', 'aka', 'title', 'lei'],
      },
    ),
    key: text('Key for comparisons: the name without class, legal form, blanks and signs; or the LEI'),
    form: text('Legal form of the name: inc, llc, ltd …; empty if none is stated'),
    name: text('Name as filed, without the class of the security'),
    accession: accession('The filing with the smallest accession number, of those in use, that states the name or LEI'),
    near: texts(
      'The key with each letter left out in turn, to find names that differ by one letter; null unless role is name',
    ).nullable(),
  },
  { inner: true, indexes: ['(key)', 'using gin (near)'] },
)

export const alias = rollup(
  'securities.alias',
  'One row per private security: the company that issued it, and the evidence for this',
  ['sec_id'],
  {
    sec_id,
    issuer: text(
      'Key of the company that issued the security: the key of one of its names, the same for all securities of the company',
    ),
    company_id: text(
      'Permanent id of the company, made from its name: company~spacex. Ids made from other names of the company lead to it too. Null if no text names a company',
      { entity: 'cusip' },
    ).nullable(),
    company_name: text('Name of the company'),
    reason: text(
      'Why the security belongs to the company. name: its issuer has the name of the company, apart from class and legal form. exposure: it is an interest in a vehicle whose name states that it holds the company. vehicle: it is an interest in the same vehicle. aka: a filer states the name as another name of the company. title: its title names the company. lei: its issuer has the LEI of the company. misspelling: the names differ by one letter, and one fund has the same balance under both. override: a reviewer decided it',
      {
        values: ['name', 'vehicle', 'exposure', 'aka', 'title', 'lei', 'misspelling', 'override'],
      },
    ),
    basis: text('Evidence for the reason, as text'),
    accession: accession('A filing that shows the evidence; null if a reviewer decided').nullable(),
    confidence: confidence(
      'Confidence that the security belongs to the company, 0 to 1: 1 for override, 0.95 for lei, 0.9 for name, exposure and aka, 0.8 for vehicle, 0.7 for title, 0.6 for misspelling. If several steps lead from the security to the company, the lowest of their values',
    ),
  },
  { indexes: ['(issuer)'] },
)

export const company_id = rollup(
  'securities.company_id',
  'One row per company of private securities and name of the company, with the id made from the name',
  ['id', 'issuer'],
  {
    id: text(
      'Id of the company made from the name: company~, the key of the name, and the legal form if it has one: company~spacex, company~discord-inc',
    ),
    issuer: alias.columns.issuer,
    key: text('Key of the name for comparisons: without class, legal form, blanks and signs'),
    form: text('Legal form of the name: inc, llc, ltd …; empty if the name has none'),
    is_renamed: boolean('True if only a reviewer gives the company this name'),
  },
  { indexes: ['(key)', '(issuer)'] },
)

const price_ = (meaning: string) => decimal(meaning, { unit: 'USD' }).nullable()

export const price = rollup(
  'securities.price',
  'One row per security (or company of private securities), class and period: the prices that the values of funds imply. A price is value divided by balance, of a long line in shares',
  ['id', 'class', 'period'],
  {
    id: text('Id of the security; for a company, issuer~ and its key'),
    class: text(
      'Class that the name and title of a private security state: series c preferred, common; for a vehicle, its name. Empty for a security with a CUSIP or ISIN, and if no class is stated',
    ),
    period: date('Day as of which the funds report'),
    quarter: date('Last day of the quarter of the period'),
    fund_count: count('Number of funds whose price is used'),
    mark_count: count('Number of lines whose price is used'),
    low: price_('Lowest price used'),
    median: price_('Median of the prices used'),
    high: price_('Highest price used'),
    mean: price_('Average price: total_value divided by total_balance'),
    total_value: usd('Total value of the lines whose price is used'),
    total_balance: decimal('Total number of shares of the lines whose price is used', { unit: 'shares' }),
    held_value: usd('Total value of all lines, including lines without a price'),
    held_count: count('Number of all lines, including lines without a price'),
    outliers: count('Number of lines whose price is not used, because it is below `lower` or above `upper`'),
    written_off: count(
      'Number of lines in shares, held long, whose value is zero: the funds have written the security off',
    ),
    lower: price_('Lower limit of prices that are used; null if there are fewer than three prices'),
    upper: price_('Upper limit of prices that are used; null if there are fewer than three prices'),
    largest: texts('Accessions of the reports of the largest lines, at most three'),
  },
  { indexes: ['(id, period)'] },
)
