/** Rollups of companies of private securities, and of prices that funds put on securities, by period. */
import { accession, boolean, confidence, count, date, decimal, rollup, text, texts, usd } from '../../declare/table.ts'

const sec_id = text('Id of the security', { entity: 'cusip' })

export const issuer_name = rollup(
  'securities.issuer_name',
  'One row per private security and a name, or an LEI, that its lines say of its issuer',
  ['sec_id', 'role', 'key', 'form'],
  {
    sec_id,
    role: text(
      'name: its own. vehicle: it is a vehicle of this name. exposure: what the vehicle holds. aka: another name that is stated. title: the title names it. lei: the LEI',
      {
        values: ['name', 'vehicle', 'exposure', 'aka', 'title', 'lei'],
      },
    ),
    key: text('The name without class, legal form, blanks and signs; or the LEI'),
    form: text('Kind of legal form: inc, llc, ltd …; empty if none is stated'),
    name: text('The name as filed, without class'),
    accession: accession('The first filing, by its number, that says so and counts'),
    near: texts(
      'The key with each letter left out, by which names one letter apart are found; of role name',
    ).nullable(),
  },
  { inner: true, indexes: ['(key)', 'using gin (near)'] },
)

export const alias = rollup(
  'securities.alias',
  'One row per private security: the company whose securities it is one of, and why',
  ['sec_id'],
  {
    sec_id,
    issuer: text('The company: the key of one of its names, the same for all its securities'),
    company_id: text(
      'Lasting id of the company, from its name: company~spacex. Each other name of the company is an id too and leads to it. Null if no text names a company',
      { entity: 'cusip' },
    ).nullable(),
    company_name: text('Name of the company'),
    reason: text(
      'name: the same name without class and legal form. exposure: a vehicle that says it holds the company. vehicle: the same vehicle. aka: another name that a filer states. title: the title of one names the other. lei: the same LEI. misspelling: one letter apart, and one fund has the same balance under both. override: a reviewer says so',
      {
        values: ['name', 'vehicle', 'exposure', 'aka', 'title', 'lei', 'misspelling', 'override'],
      },
    ),
    basis: text('Evidence of the reason'),
    accession: accession('A filing that says so; null if a reviewer does').nullable(),
    confidence: confidence(
      '0 to 1: 1 for a reviewer, 0.95 for an LEI, 0.9 for a name, 0.7 for a title, 0.6 for a misspelling',
    ),
  },
  { indexes: ['(issuer)'] },
)

export const company_id = rollup(
  'securities.company_id',
  'One row per company of private securities and name of it: the ids that lead to the company',
  ['id', 'issuer'],
  {
    id: text('company~ with the key of the name, and the kind of its legal form: company~spacex, company~discord-inc'),
    issuer: alias.columns.issuer,
    key: text('The name without class, legal form, blanks and signs'),
    form: text('Kind of legal form: inc, llc, ltd …; empty if the name has none'),
    is_renamed: boolean('Only a reviewer gives the company this name'),
  },
  { indexes: ['(key)', '(issuer)'] },
)

const price_ = (meaning: string) => decimal(meaning, { unit: 'USD' }).nullable()

export const price = rollup(
  'securities.price',
  'One row per security, or a company of private ones, a class and a period: the prices that the values of funds imply. A price is value by balance of a long line in shares',
  ['id', 'class', 'period'],
  {
    id: text('Id of the security; of a company issuer~ and its key'),
    class: text(
      'Class that name and title of a private security state: series c preferred, common; for a vehicle, its name. Empty if a CUSIP or ISIN states the class',
    ),
    period: date('Day that the reports of the funds are about'),
    quarter: date('Last day of its quarter'),
    fund_count: count('Funds whose price counts'),
    mark_count: count('Lines whose price counts'),
    low: price_('Lowest price'),
    median: price_('Median of the prices'),
    high: price_('Highest price'),
    mean: price_('Total value divided by total balance'),
    total_value: usd('Value of the lines whose price counts'),
    total_balance: decimal('Shares of these lines', { unit: 'shares' }),
    held_value: usd('Value of all lines, also of those without a price'),
    held_count: count('Number of all lines'),
    outliers: count('Lines whose price is left out: it is below lower or above upper'),
    written_off: count('Lines of shares held long whose value is zero: the funds have written the security off'),
    lower: price_('Lowest price that counts; null if there are fewer than three'),
    upper: price_('Highest price that counts'),
    largest: texts('Accessions of the reports of up to three of the largest lines'),
  },
  { indexes: ['(id, period)'] },
)
