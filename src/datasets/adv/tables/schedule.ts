/** Schedules A, B, D and R, and disclosure reporting pages, by filing. */
import {
  advFiling,
  boolean,
  cik,
  count,
  date,
  fileNumber,
  firm,
  json,
  table,
  text,
  usd,
} from '../../../declare/table.ts'
import { filed } from './filing.ts'

export const owner = table(
  'adv.owner',
  'One row per owner or executive officer, direct (Schedule A) or indirect (Schedule B)',
  [],
  {
    filing_id: advFiling('FilingID'),
    schedule: text('A: direct owners and executive officers. B: indirect owners').nullable(),
    name: text('Full legal name; of individuals LAST, FIRST, MIDDLE').nullable(),
    entity_type: text('DE a domestic entity, FE a foreign entity, I an individual').nullable(),
    entity_in_which: text('Schedule B: entity in which the interest is owned').nullable(),
    title: text('Title or status').nullable(),
    since: text('Title or status acquired, MM/YYYY as filed').nullable(),
    ownership_code: text(
      'NA below 5 %, A 5 to 10, B 10 to 25, C 25 to 50, D 50 to 75, E 75 % or more; B also F, other',
    ).nullable(),
    is_control_person: boolean('Control person').nullable(),
    is_public_reporting: boolean('Public reporting company under the Exchange Act').nullable(),
    owner_id: text('CRD number of the owner, or the text that was filed instead').nullable(),
    has_indirect_owners: boolean(
      'Schedule A, item 3: there are indirect owners to be reported on Schedule B',
    ).nullable(),
  },
  { record: 'filing_id', numbered: true },
)

export const branch = table(
  'adv.branch',
  'One row per office other than the principal one (Schedule D, Section 1.F)',
  [],
  {
    filing_id: advFiling('FilingID'),
    street1: text('Street').nullable(),
    street2: text('Second line of the street').nullable(),
    city: text('City').nullable(),
    state: text('State, two letters').nullable(),
    country: text('Country').nullable(),
    postal_code: text('Postal code').nullable(),
    is_private_residence: boolean('A private residence').nullable(),
    phone: text('Telephone, as filed').nullable(),
    fax: text('Facsimile, as filed').nullable(),
    branch_number: text('CRD branch number').nullable(),
    employees: count('Number of employees who perform advisory functions in the office').nullable(),
    broker_dealer: boolean('(1): also a broker-dealer').nullable(),
    bank: boolean('(2): also a bank').nullable(),
    insurance: boolean('(3): also an insurance broker or agent').nullable(),
    commodity: boolean('(4): also a commodity pool operator or trading adviser').nullable(),
    municipal: boolean('(5): also a municipal advisor').nullable(),
    accounting: boolean('(6): also an accountant or accounting firm').nullable(),
    law: boolean('(7): also a lawyer or law firm').nullable(),
    other: text('Other business conducted there, as described').nullable(),
  },
  { record: 'filing_id', numbered: true },
)

export const disclosure = table(
  'adv.disclosure',
  'One row per disclosure reporting page, and one row per affiliate that a page concerns',
  [],
  {
    filing_id: advFiling('FilingID'),
    reference_id: text('ReferenceID of the page, by which its affiliates join').nullable(),
    kind: text('criminal (11.A, 11.B), regulatory (11.C to 11.G), civil_judicial (11.H) or affiliate of one of these', {
      values: ['criminal', 'regulatory', 'civil_judicial', 'affiliate'],
    }),
    type: text('Affiliate: kind of the page in words, such as Regulatory Action').nullable(),
    crd: firm('CRD number of the affiliate').nullable(),
    affiliate_type: text('Firm or Individual').nullable(),
    affiliate_name: text('Name of the affiliate').nullable(),
    is_registered: boolean('The affiliate is registered with CRD').nullable(),
    filed_against: text('Person or firm that the page concerns').nullable(),
    initiated_by: text('Regulator or other party that initiated the action').nullable(),
    initiated_date: date('Day on which the action was initiated, filed or charged').nullable(),
    status: text('Pending, On Appeal or Final').nullable(),
    resolution: text('Resolution of the action').nullable(),
    resolution_date: date('Day of the resolution').nullable(),
    amount: usd('Monetary sanction, US dollars').nullable(),
    details: json(filed, 'Every answered column of the line as filed'),
  },
  { record: 'filing_id', numbered: true },
)

export const sma = table(
  'adv.sma',
  'One row per line on separately managed accounts (Schedule D, Section 5.K)',
  [],
  {
    filing_id: advFiling('FilingID'),
    part: text('5K1: types of assets. 5K2: borrowings and derivatives. 5K3: custodians of 10 % or more', {
      values: ['5K1', '5K2', '5K3'],
    }),
    custodian_name: text('5.K.(3)(a): legal name of the custodian').nullable(),
    business_name: text('5.K.(3)(b): primary business name of the custodian').nullable(),
    city: text('5.K.(3)(c): city').nullable(),
    state: text('5.K.(3)(c): state').nullable(),
    country: text('5.K.(3)(c): country').nullable(),
    is_related: boolean('5.K.(3)(d): a related person of the adviser').nullable(),
    sec_number: fileNumber('5.K.(3)(e): SEC file number of a broker-dealer, 8-…').nullable(),
    lei: text('5.K.(3)(f): legal entity identifier, or another number given', { entity: 'lei' }).nullable(),
    raum: usd('5.K.(3)(g): regulatory assets in separately managed accounts held there, US dollars').nullable(),
    details: json(filed, 'Every answered column of the line as filed'),
  },
  { record: 'filing_id', numbered: true },
)

export const related = table(
  'adv.related',
  'One row per other name, number or related person of the firm that a filing states',
  [],
  {
    filing_id: advFiling('FilingID'),
    kind: text(
      'related_person (7.A), relying_adviser (Schedule R), cik (1.D(3)), other_name (1.B), other_crd (1.E(2)), web (1.I)',
      { values: ['related_person', 'relying_adviser', 'cik', 'other_name', 'other_crd', 'web'] },
    ),
    reference_id: text('ReferenceID within the filing, by which further lines of a person join').nullable(),
    name: text('Legal name, other business name or web address').nullable(),
    business_name: text('Primary business name of a related person or relying adviser').nullable(),
    crd: firm('CRD number').nullable(),
    sec_number: fileNumber('SEC file number, or the other number given for it').nullable(),
    cik: cik('CIK, ten digits', { named: 'name' }).nullable(),
    is_social_media: boolean('For a web address: whether its host is a social-media platform').nullable(),
    details: json(filed, 'Every answered column of the line as filed'),
  },
  { record: 'filing_id', numbered: true, indexes: ['(cik) where cik is not null'] },
)

export const schedule_line = table(
  'adv.schedule_line',
  'One row per line of any other file of a month, as filed, so that nothing of a filing is lost',
  [],
  {
    filing_id: advFiling('FilingID'),
    reference_id: text('ReferenceID within the filing').nullable(),
    member: text('File without prefix and days: Schedule_D_7B1A22'),
    details: json(filed, 'Every answered column of the line as filed'),
  },
  { record: 'filing_id', numbered: true },
)
