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
    name: text('Full legal name; for individuals in the order LAST, FIRST, MIDDLE').nullable(),
    entity_type: text('DE: domestic entity. FE: foreign entity. I: individual').nullable(),
    entity_in_which: text('Schedule B: entity in which the indirect owner has its interest').nullable(),
    title: text('Title or status').nullable(),
    since: text('Month in which the title or status was acquired, MM/YYYY as filed').nullable(),
    ownership_code: text(
      'Share owned, as a code: NA below 5 %, A 5 to 10, B 10 to 25, C 25 to 50, D 50 to 75, E 75 % or more; Schedule B also has F, other',
    ).nullable(),
    is_control_person: boolean('The owner or officer is a control person').nullable(),
    is_public_reporting: boolean('The owner is a public reporting company under the Exchange Act').nullable(),
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
    is_private_residence: boolean('The office is a private residence').nullable(),
    phone: text('Telephone, as filed').nullable(),
    fax: text('Facsimile, as filed').nullable(),
    branch_number: text('CRD branch number').nullable(),
    employees: count('Number of employees who perform advisory functions in the office').nullable(),
    broker_dealer: boolean('Other business of the office, box (1): broker-dealer').nullable(),
    bank: boolean('Other business of the office, box (2): bank').nullable(),
    insurance: boolean('Other business of the office, box (3): insurance broker or agent').nullable(),
    commodity: boolean('Other business of the office, box (4): commodity pool operator or trading adviser').nullable(),
    municipal: boolean('Other business of the office, box (5): municipal advisor').nullable(),
    accounting: boolean('Other business of the office, box (6): accountant or accounting firm').nullable(),
    law: boolean('Other business of the office, box (7): lawyer or law firm').nullable(),
    other: text('Other business of the office that has no box, as described').nullable(),
  },
  { record: 'filing_id', numbered: true },
)

export const disclosure = table(
  'adv.disclosure',
  'One row per disclosure reporting page, and one row per affiliate that a page concerns',
  [],
  {
    filing_id: advFiling('FilingID'),
    reference_id: text(
      'ReferenceID of the disclosure page; the row of an affiliate has the ReferenceID of the page that concerns it',
    ).nullable(),
    kind: text(
      'Kind of page: criminal (11.A, 11.B), regulatory (11.C to 11.G) or civil_judicial (11.H). affiliate: an affiliate that a page concerns',
      {
        values: ['criminal', 'regulatory', 'civil_judicial', 'affiliate'],
      },
    ),
    type: text('For an affiliate: kind of its page in words, such as Regulatory Action').nullable(),
    crd: firm('CRD number of the affiliate').nullable(),
    affiliate_type: text('For an affiliate: Firm or Individual').nullable(),
    affiliate_name: text('Name of the affiliate').nullable(),
    is_registered: boolean('The affiliate is registered with CRD').nullable(),
    filed_against: text('Person or firm that the page concerns').nullable(),
    initiated_by: text('Regulator or other party that initiated the action').nullable(),
    initiated_date: date('Day on which the action was initiated, filed or charged').nullable(),
    status: text('Status of the action: Pending, On Appeal or Final').nullable(),
    resolution: text('Resolution of the action').nullable(),
    resolution_date: date('Day of the resolution').nullable(),
    amount: usd('Monetary sanction, US dollars').nullable(),
    details: json(filed, 'All answered columns of the CSV line, as filed, by column name'),
  },
  { record: 'filing_id', numbered: true },
)

export const sma = table(
  'adv.sma',
  'One row per line on separately managed accounts (Schedule D, Section 5.K)',
  [],
  {
    filing_id: advFiling('FilingID'),
    part: text(
      '5K1: types of assets. 5K2: borrowings and derivatives. 5K3: custodians that hold 10 % or more of the assets',
      {
        values: ['5K1', '5K2', '5K3'],
      },
    ),
    custodian_name: text('5.K.(3)(a): legal name of the custodian').nullable(),
    business_name: text('5.K.(3)(b): primary business name of the custodian').nullable(),
    city: text('5.K.(3)(c): city').nullable(),
    state: text('5.K.(3)(c): state').nullable(),
    country: text('5.K.(3)(c): country').nullable(),
    is_related: boolean('5.K.(3)(d): the custodian is a related person of the adviser').nullable(),
    sec_number: fileNumber('5.K.(3)(e): SEC file number of a broker-dealer, 8-…').nullable(),
    lei: text('5.K.(3)(f): legal entity identifier, or another number given', { entity: 'lei' }).nullable(),
    raum: usd(
      '5.K.(3)(g): regulatory assets in separately managed accounts that the custodian holds, US dollars',
    ).nullable(),
    details: json(filed, 'All answered columns of the CSV line, as filed, by column name'),
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
      'Kind of row: related_person (7.A), relying_adviser (Schedule R), cik (1.D(3)), other_name (1.B), other_crd (1.E(2)) or web (1.I)',
      { values: ['related_person', 'relying_adviser', 'cik', 'other_name', 'other_crd', 'web'] },
    ),
    reference_id: text(
      'ReferenceID of the person or relying adviser in the filing; its lines in adv.schedule_line have the same ReferenceID',
    ).nullable(),
    name: text('Legal name, other business name or web address').nullable(),
    business_name: text('Primary business name of a related person or relying adviser').nullable(),
    crd: firm(
      'CRD number of the related person or relying adviser; for other_crd, another CRD number of the firm',
    ).nullable(),
    sec_number: fileNumber('SEC file number of the related person, or another number filed in its place').nullable(),
    cik: cik('CIK of the firm (kind cik), ten digits', { named: 'name' }).nullable(),
    is_social_media: boolean('For a web address: whether its host is a social-media platform').nullable(),
    details: json(filed, 'All answered columns of the CSV line, as filed, by column name'),
  },
  { record: 'filing_id', numbered: true, indexes: ['(cik) where cik is not null'] },
)

export const schedule_line = table(
  'adv.schedule_line',
  'One row per line of a monthly file that has no table of its own, as filed',
  [],
  {
    filing_id: advFiling('FilingID'),
    reference_id: text('ReferenceID of the line, if its file has one').nullable(),
    member: text('Name of the file, without its prefix and days: Schedule_D_7B1A22'),
    details: json(filed, 'All answered columns of the CSV line, as filed, by column name'),
  },
  { record: 'filing_id', numbered: true },
)
