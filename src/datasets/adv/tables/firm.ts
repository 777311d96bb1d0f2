/** Firms as the daily feeds of the SEC and of the states show them. */
import { z } from 'zod'
import { crd, date, fileNumber, json, table, text, texts } from '../../../declare/table.ts'
import { address, figures, office } from './figures.ts'

export const standing = z.array(
  z
    .object({
      state: z.string().nullable().describe('Two letters of the state or other jurisdiction'),
      status: z.string().nullable().describe('Status, as in the feed: FILED, APPROVED, TERMREQUEST …'),
      date: z.iso.date().nullable().describe('Day of the status'),
    })
    .meta({ id: 'StateStanding' }),
)

export const firm = table(
  'adv.firm',
  'One row per firm and daily feed (of the SEC or of the states) that shows the firm',
  ['feed'],
  {
    crd: crd('CRD number of the firm, digits without leading zeros'),
    feed: text('Feed that shows the firm: IA_FIRM_SEC or IA_FIRM_STATE', { values: ['IA_FIRM_SEC', 'IA_FIRM_STATE'] }),
    sec_number: fileNumber(
      'SEC file number as given: it begins with 801- for a registered adviser, and with 802- for an exempt reporting adviser',
    ).nullable(),
    sec_region: text('Regional office of the SEC, a code: NYRO').nullable(),
    business_name: text('Item 1.B: primary business name').nullable(),
    legal_name: text('Item 1.A: full legal name').nullable(),
    umbrella: text('Umbrella registration: Y or N, as filed').nullable(),
    ...office,
    mailing: json(address, 'Item 1.G: mailing address; null if it is the principal office').nullable(),
    registration_type: text('Registered, or ERA for an exempt reporting adviser; null in the state feed').nullable(),
    registration_status: text('Status with the SEC: APPROVED, APPROVED-120, ACTIVE').nullable(),
    registration_date: date('Date of the status with the SEC').nullable(),
    state_registrations: json(standing, 'Registrations with states, sorted by state; only the state feed has them'),
    era_states: json(
      standing,
      'States to which the firm reports as an exempt reporting adviser, sorted; only the state feed has them',
    ),
    notice_filings: json(standing, 'States in which an SEC-registered adviser has notice filings, sorted'),
    filing_date: date('Day of the firm’s newest filing, as in the feed').nullable(),
    form_version: text('Version of Form ADV that was filed: 10/2021').nullable(),
    web_addresses: texts('Item 1.I: all web addresses in the order filed, including social media'),
    social_addresses: texts('Item 1.I: the web addresses that are at social-media platforms'),
    primary_website: text('The first web address whose host is not a social-media platform').nullable(),
    ...figures,
    as_filed: json(
      z.record(z.string(), z.record(z.string(), z.string())),
      'Answers of Part 1A as filed, by item and by attribute of the feed: {"5F": {"Q5F2C": "133644228926"}}',
    ),
  },
  { record: 'crd', indexes: ['(feed, filing_date)'] },
)
