/** Firms as the daily feeds of the SEC and of the states show them. */
import { z } from 'zod'
import { crd, date, fileNumber, json, table, text, texts } from '../../../declare/table.ts'
import { address, figures, office } from './figures.ts'

export const standing = z.array(
  z
    .object({
      state: z.string().nullable().describe('Two letters of the state or other jurisdiction'),
      status: z.string().nullable().describe('Status as the feed states it: FILED, APPROVED, TERMREQUEST …'),
      date: z.iso.date().nullable().describe('Day of that status'),
    })
    .meta({ id: 'StateStanding' }),
)

export const firm = table(
  'adv.firm',
  'One row per firm and feed that shows it',
  ['feed'],
  {
    crd: crd('CRD number of the firm, digits without leading zeros'),
    feed: text('Feed that shows the firm: IA_FIRM_SEC or IA_FIRM_STATE', { values: ['IA_FIRM_SEC', 'IA_FIRM_STATE'] }),
    sec_number: fileNumber(
      'SEC file number as given: 801- of a registered adviser, 802- of an exempt reporting one',
    ).nullable(),
    sec_region: text('Regional office of the SEC, a code: NYRO').nullable(),
    business_name: text('Item 1.B: primary business name').nullable(),
    legal_name: text('Item 1.A: full legal name').nullable(),
    umbrella: text('Umbrella registration: Y or N, as filed').nullable(),
    ...office,
    mailing: json(address, 'Item 1.G: mailing address; null where it is the office').nullable(),
    registration_type: text('Registered, or ERA for an exempt reporting adviser; null in the state feed').nullable(),
    registration_status: text('Status with the SEC: APPROVED, APPROVED-120, ACTIVE').nullable(),
    registration_date: date('Date of that status').nullable(),
    state_registrations: json(standing, 'Registrations with states (state feed), by state'),
    era_states: json(
      standing,
      'States to which the firm reports as an exempt reporting adviser (state feed), by state',
    ),
    notice_filings: json(standing, 'States in which an SEC-registered adviser has notice filings, by state'),
    filing_date: date('Day of the filing that the feed shows').nullable(),
    form_version: text('Version of Form ADV that was filed: 10/2021').nullable(),
    web_addresses: texts('Item 1.I: all web addresses in the order filed, including social media'),
    social_addresses: texts('Those of these web addresses that are at social-media platforms'),
    primary_website: text('The first web address whose host is not a social-media platform').nullable(),
    ...figures,
    as_filed: json(
      z.record(z.string(), z.record(z.string(), z.string())),
      'Part 1A as filed: item, then attribute of the feed, then text: {"5F": {"Q5F2C": "133644228926"}}',
    ),
  },
  { record: 'crd', indexes: ['(feed, filing_date)'] },
)
