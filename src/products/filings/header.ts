/**
 * Combines the data about a filing as a whole: the filing's row of the spine, and the header of its submission if the
 * header was read.
 */
import { z } from 'zod'
import { momentOf } from '../../declare/moment.ts'
import { moment } from '../../declare/moment-type.ts'
import { cik, fileNumber } from '../../declare/table.ts'
import type { Address, Header, HeaderFiler } from '../../read/sgml/header.ts'
import { itemCodes } from '../../read/sgml/items.ts'
import { filingRow, HAS_TEXT } from '../../serve/filings-of.ts'
import { headerAddress } from '../../serve/header-address.ts'
import type { Filing } from './queries.ts'

const text = z.string().nullable()

const address = headerAddress.nullable()

const filer = z
  .object({
    cik: cik('CIK of the filer').nullable(),
    name: text.describe('Name of the filer'),
    role: text.describe(
      'Role of the filer in the filing: filer, subject company, filed by, issuer, reporting owner …; null until the header was read',
    ),
    sic: text.describe('Standard industrial classification, four digits'),
    sic_description: text.describe('Industry of the sic code in words'),
    irs_number: text.describe('Employer identification number (EIN) with the tax authority'),
    state_of_incorporation: text.describe('State or country of incorporation as an EDGAR code'),
    fiscal_year_end: text.describe('Last day of the fiscal year, MMDD'),
    form_type: text.describe('Form code under which the filing is listed for this filer'),
    act: text.describe(
      'Act under which the filing is made, by its year: 33 is the Securities Act of 1933, 34 the Securities Exchange Act of 1934',
    ),
    file_number: fileNumber('SEC file number under which the filer files').nullable(),
    film_number: text.describe('Number that the SEC gave the filing for this filer'),
    business_address: address,
    mail_address: address,
    former_names: z.array(
      z
        .object({
          name: z.string().describe('Former name of the filer'),
          changed_date: z.iso.date().nullable().describe('Day on which the filer gave up this name'),
        })
        .meta({ id: 'FilerFormerName' }),
    ),
  })
  .meta({ id: 'Filer' })

const series = z
  .object({
    status: z
      .string()
      .describe(
        'Status of the series in the filing: new, existing, new classes (of an existing series), or acquiring or target (in a merger)',
      ),
    owner_cik: cik('CIK of the registrant').nullable(),
    series_id: text.describe('Number of the series, S and nine digits'),
    name: text.describe('Name of the series'),
    classes: z.array(
      z
        .object({
          id: text.describe('Number of the class, C and nine digits'),
          name: text.describe('Name of the class'),
          ticker: text.describe('Ticker symbol'),
        })
        .meta({ id: 'FundClass' }),
    ),
  })
  .meta({ id: 'FundSeries' })

export const header = z
  .object({
    accession: filingRow.shape.accession,
    cik: cik('First filer'),
    company_name: z.string().describe('Name of the first filer'),
    form_type: filingRow.shape.form_type,
    filed_date: filingRow.shape.filed_date,
    period_of_report: filingRow.shape.period_of_report,
    accepted_at: moment.nullable().describe('When EDGAR accepted the filing'),
    first_seen_at: moment.describe('When this service learned of the filing'),
    changed_date: z.iso.date().nullable().describe('Day on which EDGAR changed the filing'),
    effective_date: z.iso.date().nullable().describe('Day on which the filing takes effect'),
    private_to_public: z
      .boolean()
      .nullable()
      .describe('True if the filing was private at first and was released later'),
    confirming_copy: z
      .boolean()
      .nullable()
      .describe('True if this is the electronic copy of a filing that was made on paper'),
    has_text: z.boolean().describe(HAS_TEXT),
    items: z.array(z.string()).describe('Codes of the items, such as 2.02 of Form 8-K'),
    item_descriptions: z.array(z.string()).describe('Descriptions of the items (ITEM INFORMATION), as filed'),
    filers: z.array(filer),
    series: z.array(series).describe('Fund series and classes that the filing names'),
    problems: z
      .array(z.string())
      .describe('Unreadable or odd parts of the submission, such as a header that occurs twice'),
    source_url: z.url().describe('The full submission at the SEC'),
  })
  .meta({ id: 'FilingHeader' })

/**
 * Adds the header's data to a filing. A look-up may read the header before an ingest does, and does not store it in the
 * spine. So the header is added to every answer.
 */
export function withHeader(filing: Filing, read: Header | null): Filing {
  if (!read) return filing
  return {
    ...filing,
    period_of_report: filing.period_of_report ?? read.periodOfReport,
    accepted_at: read.acceptedAt ? momentOf(read.acceptedAt) : filing.accepted_at,
    // Codes are ASCII, so this order is the same as in the database.
    items: [...new Set([...filing.items, ...itemCodes(read.items, filing)])].sort(),
  }
}

/**
 * Combines a filing from `withHeader` with its header. Facts of the submission are null or empty while the submission
 * is unavailable. A filer that is named by the index but not by the header is listed with its CIK and name.
 */
export function headerOf(filing: Filing, read: Header | null): z.infer<typeof header> {
  const known = new Set(read?.filers.map((one) => one.cik))
  const indexed = filing.filers.filter(({ cik }) => !known.has(cik))
  return {
    accession: filing.accession,
    cik: filing.cik,
    company_name: filing.company_name,
    form_type: filing.form_type,
    filed_date: filing.filed_date,
    period_of_report: filing.period_of_report,
    accepted_at: filing.accepted_at,
    first_seen_at: filing.first_seen_at,
    changed_date: read?.changedDate ?? null,
    effective_date: read?.effectiveDate ?? null,
    private_to_public: read?.privateToPublic ?? null,
    confirming_copy: read?.confirmingCopy ?? null,
    has_text: filing.has_text,
    items: filing.items,
    item_descriptions: read?.items ?? [],
    filers: [
      ...(read?.filers ?? []).map(filerOf),
      ...indexed.map(({ cik, name }) => filerOf({ ...unread, cik, name })),
    ],
    series: (read?.series ?? []).map(({ status, ownerCik, seriesId, name, classes }) => ({
      status,
      owner_cik: ownerCik,
      series_id: seriesId,
      name,
      classes,
    })),
    problems: read?.problems ?? [],
    // Always the SEC's address, whatever EDGAR_BASE_URL is: clients cannot reach an operator's mirror, a folder or the
    // bundled sample.
    source_url: `https://www.sec.gov/Archives/${filing.path}`,
  }
}

type Unnamed = Omit<HeaderFiler, 'role'> & { role: string | null }

/** The values of a filer that the header does not name; the index gives its CIK and name. */
const unread: Unnamed = {
  ...{ role: null, cik: null, name: null, sic: null, sicDescription: null, irsNumber: null, formType: null, act: null },
  ...{ stateOfIncorporation: null, fiscalYearEnd: null, fileNumber: null, filmNumber: null },
  ...{ businessAddress: null, mailAddress: null, formerNames: [] },
}

const filerOf = (one: Unnamed): z.infer<typeof filer> => ({
  cik: one.cik,
  name: one.name,
  role: one.role,
  sic: one.sic,
  sic_description: one.sicDescription,
  irs_number: one.irsNumber,
  state_of_incorporation: one.stateOfIncorporation,
  fiscal_year_end: one.fiscalYearEnd,
  form_type: one.formType,
  act: one.act,
  file_number: one.fileNumber,
  film_number: one.filmNumber,
  business_address: addressOf(one.businessAddress),
  mail_address: addressOf(one.mailAddress),
  former_names: one.formerNames.map(({ name, changedDate }) => ({ name, changed_date: changedDate })),
})

const addressOf = (at: Address | null) =>
  at && { street1: at.street1, street2: at.street2, city: at.city, state: at.state, zip: at.zip, phone: at.phone }
