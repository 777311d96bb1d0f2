/**
 * Form Funding Portal: a registration, its amendments and its withdrawal. Every filing repeats the whole form, even a
 * CFPORTAL-W.
 */

import { z } from 'zod'
import {
  address,
  boolean,
  cik,
  date,
  fileNumber,
  firm,
  integer,
  json,
  nameWords,
  prefixed,
  table,
  text,
  texts,
  usd,
} from '../../declare/table.ts'

const contact = (of: string) => ({
  phone: text(`${of}: telephone, as filed`).nullable(),
  fax: text(`${of}: fax, as filed`).nullable(),
  email: text(`${of}: e-mail address`).nullable(),
})

export const filing = table(
  'cfportal.filing',
  'One row per filing: the whole form except its lists',
  [],
  {
    submission_type: text('CFPORTAL for a registration, CFPORTAL/A for an amendment, CFPORTAL-W for a withdrawal', {
      values: ['CFPORTAL', 'CFPORTAL/A', 'CFPORTAL-W'],
    }),
    cik: cik('CIK of the funding portal', { named: 'name' }),
    file_number: fileNumber('SEC file number of the funding portal, when the filing states it').nullable(),
    amendment_explanation: text('Item 1: explanation of what the amendment changes').nullable(),
    name: text('Item 1: full legal name of the funding portal'),
    name_key: text('Name, normalized for comparison: without accents, in lower case'),
    search_key: text('All names and websites of the filing, normalized for comparison, one per line'),
    name_words: nameWords('Words by which a search finds the names of the portal: names.ts'),
    website: text('Item 1: the first website of the funding portal, as filed').nullable(),
    employer_id: text('Item 1: IRS employer identification number').nullable(),
    name_changes: texts(
      'Item 1: kinds of name that changed, in the words of the form: Funding portal name(1A), Business name (1B)',
    ),
    ...address({ item: 'Item 1: main office' }),
    mailing_different: boolean(
      'Item 1: whether the mailing address differs from the main office; some filings answer yes and give the same address',
    ).nullable(),
    ...prefixed('mailing_', address({ item: 'Item 1: mailing address' })),
    ...prefixed('office_', address({ item: 'Item 1: other office' })),
    ...contact('Item 1: funding portal'),
    contact_prefix: text('Item 1: contact employee, form of address').nullable(),
    contact_first_name: text('Item 1: contact employee, first name').nullable(),
    contact_middle_name: text('Item 1: contact employee, middle name').nullable(),
    contact_last_name: text('Item 1: contact employee, last name').nullable(),
    contact_suffix: text('Item 1: contact employee, suffix of the name').nullable(),
    contact_title: text('Item 1: contact employee, title').nullable(),
    ...prefixed('contact_', contact('Item 1: contact employee')),
    fiscal_year_end: text('Item 1: month in which the fiscal year ends').nullable(),
    previously_registered: boolean('Item 1: the portal has been registered with the SEC before').nullable(),
    sec_file_numbers: texts('Item 1: SEC file numbers of earlier registrations', { entity: 'file_number' }),
    foreign_registered: boolean('Item 1: the portal is registered with a foreign financial regulator').nullable(),
    legal_status: text('Item 2: form of organization').nullable(),
    legal_status_other: text('Item 2: description of a form of organization that is not in the form’s list').nullable(),
    jurisdiction: text('Item 2: state or country of organization as an EDGAR code').nullable(),
    organized: date('Item 2: date of incorporation or organization').nullable(),
    is_successor: boolean('Item 3: the portal succeeds to the business of a registered funding portal').nullable(),
    control_names: texts(
      'Item 4: names of persons who control the management or policies of the funding portal, as filed',
    ),
    yes_items: texts('Item 5: questions on disciplinary history that are answered yes, 5-A(1) to 5-L'),
    other_business: boolean('Item 6: the portal is engaged in business that is not related to securities').nullable(),
    other_business_note: text('Item 6: description of the other business').nullable(),
    compensation: text('Item 7: compensation arrangements with issuers').nullable(),
    signed: date('Execution: date of the signature').nullable(),
    signed_for: text('Execution: name of the funding portal on whose behalf the form is signed').nullable(),
    signature: text('Execution: signature, as filed').nullable(),
    signer_title: text('Execution: title of the signer').nullable(),
    agent_name: text(
      'Schedule C: name of the agent for service of process in the United States, for a foreign portal',
    ).nullable(),
    ...prefixed('agent_', address({ item: 'Schedule C: agent' })),
    agent_signature: text('Schedule C: signature, as filed').nullable(),
    agent_signer: text('Schedule C: name of the signer').nullable(),
    agent_signer_title: text('Schedule C: title of the signer').nullable(),
    agent_signed: date('Schedule C: date of the signature').nullable(),
    ceased: date('Schedule D: date on which the business ceased, or on which withdrawal is requested').nullable(),
    is_investigated: boolean(
      'Schedule D: whether the portal is, to its knowledge, the subject of an investigation',
    ).nullable(),
    has_investor_complaint: boolean('Schedule D: an investor’s complaint is pending').nullable(),
    has_private_litigation: boolean('Schedule D: private civil litigation is pending').nullable(),
  },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)

export const name = table(
  'cfportal.name',
  'One row per name or website under which business is, or was, done (Item 1)',
  ['position'],
  {
    position: integer('Order in the form, from 0; current names come first'),
    is_previous: boolean('Item 1: the name or website was used before the change that the filing reports'),
    name: text('Item 1: name under which business is, or was, done').nullable(),
    website: text('Item 1: website that belongs to the name').nullable(),
  },
)

export const foreign_registration = table(
  'cfportal.foreign_registration',
  'One row per registration with a foreign financial regulator (Item 1)',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    regulator: text('Item 1: foreign financial regulator').nullable(),
    registration_number: text('Item 1: registration number with the foreign regulator').nullable(),
    country: text('Item 1: country as an EDGAR code').nullable(),
  },
)

export const acquisition = table(
  'cfportal.acquisition',
  'One row per funding portal whose business was acquired (Item 3)',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    name: text('Item 3: name of the funding portal whose business was acquired').nullable(),
    file_number: fileNumber('Item 3: SEC file number of the acquired funding portal').nullable(),
    description: text('Item 3: assets and liabilities that were, or were not, taken over').nullable(),
  },
)

export const owner = table(
  'cfportal.owner',
  'One row per owner or officer on Schedule A, and per change to Schedule A that Schedule B of an amendment reports',
  ['position'],
  {
    position: integer('Order in the form, from 0; Schedule A comes first'),
    schedule: text('A: direct owners and executive officers; B: changes to Schedule A'),
    change: text(
      'Kind of change to Schedule A: addition, deletion, or change of information; null on Schedule A',
    ).nullable(),
    name: text('Full legal name; of a person: last, first, middle name').nullable(),
    entity_type: text('domestic_entity, foreign_entity or natural_person, as filed').nullable(),
    title: text('Title or status').nullable(),
    since: text('Month in which the title or status was acquired, YYYY-MM').nullable(),
    ownership: text(
      'Share owned, as a code: NA below 5 percent, A 5 to 10, B 10 to 25, C 25 to 50, D 50 to 75, E 75 and more, G other (partner, trustee, member)',
    ).nullable(),
    is_control_person: boolean('The owner or officer is a control person').nullable(),
    is_public_reporting: boolean('The owner is a public reporting company'),
    crd: firm('CRD number of the owner or officer; null if the form has none or only zeros').nullable(),
  },
  { indexes: ['(crd) where crd is not null'] },
)

export const escrow = table(
  'cfportal.escrow',
  'One row per firm that holds the funds of investors (Item 7)',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    name: text('Item 7: name of the holder of the funds of investors').nullable(),
    ...address({ item: 'Item 7: holder of the funds of investors' }),
    phone: text('Item 7: telephone of the holder of the funds, as filed').nullable(),
  },
)

export const answer = table('cfportal.answer', 'One row per question of Item 5 and its answer', ['item'], {
  item: text('Item of the form, 5-A(1) to 5-L'),
  question: text('Short wording of the question; each question concerns the portal and its associated persons'),
  yes: boolean('Whether the question is answered yes; null if the filing does not answer it').nullable(),
})

const charge = z
  .object({
    charge: z.string().nullable().describe('The charge in the words of the filer'),
    charge_count: z.int().nullable().describe('Number of counts'),
    degree: z.string().nullable().describe('Felony or Misdemeanor'),
    plea: z.string().nullable().describe('Plea to the charge'),
    product: z.string().nullable().describe('Type of product, if the charge relates to investments'),
  })
  .meta({ id: 'PortalCharge' })

export const disclosure = table(
  'cfportal.disclosure',
  'One row per disclosure reporting page and party; the six kinds of page share columns for values that several of them have',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    kind: text('Kind of page: criminal, regulatory, civil_judicial, bankruptcy, bond or judgment'),
    is_amended: boolean('Whether the page amends a page that was filed before').nullable(),
    items: texts('Items of the form that are answered yes and that the page explains'),
    filed_for: text('Party for whom the page is filed, in the words of the form').nullable(),
    party: text(
      'Role of the party: applicant, associated_person or control_affiliate; null if the page is not split by party',
    ).nullable(),
    person_type: text('Associated person or affiliate: a firm or a natural person').nullable(),
    person_name: text('Associated person or affiliate: name').nullable(),
    person_crd: firm('Associated person or affiliate: CRD number').nullable(),
    person_registered: boolean('Associated person or affiliate: is registered with the SEC').nullable(),
    person_in_crd: boolean('Affiliate: is registered through the CRD').nullable(),
    is_removal: boolean('Affiliate: the page is to be removed from the record').nullable(),
    removal_reason: text('Reason why the page is to be removed, in the words of the form').nullable(),
    removal_note: text('Circumstances of the removal').nullable(),
    organization: text(
      'Organization that the matter concerns; on a page about a bond, the firm that the page names',
    ).nullable(),
    investment_related: boolean('The organization’s business was related to investments').nullable(),
    relationship: text('Position or relationship with the organization').nullable(),
    employing_firm: text('Firm that employed the associated person').nullable(),
    initiated_by: text('Kind of authority that initiated the action, or name of the plaintiff').nullable(),
    regulator: text('Name of the authority that initiated the action').nullable(),
    sought: text('Principal sanction or relief sought').nullable(),
    sought_other: text('Principal sanction or relief sought, if it is not in the form’s list').nullable(),
    sought_more: text('Other sanctions or relief sought').nullable(),
    action_types: texts('Bankruptcy: kinds of action'),
    action_other: text('Bankruptcy: description of a kind of action that is not in the form’s list').nullable(),
    opened_date: date('Date of the charge, action, filing or lien').nullable(),
    opened_note: text('Explanation of opened_date, if that date is not exact').nullable(),
    court_type: text('Kind of court').nullable(),
    court: text('Name of the court').nullable(),
    ...prefixed('court_', address({ item: 'Court' })),
    docket: text('Docket or case number').nullable(),
    chapter: text('Bankruptcy: chapter').nullable(),
    product: text('Principal product concerned').nullable(),
    product_other: text('Principal product concerned, if it is not in the form’s list').nullable(),
    product_more: text('Other products concerned').nullable(),
    allegations: text('Allegations').nullable(),
    charges: json(z.array(charge), 'Criminal: the charges'),
    any_felony: boolean('Criminal: a charge is a felony').nullable(),
    status: text('Status of the matter: Pending, On Appeal or Final').nullable(),
    status_date: date('Date of the status; for a civil action, the date on which process was served').nullable(),
    status_note: text('Explanation of status_date, if that date is not exact').nullable(),
    is_pending: boolean('Bankruptcy: the action is pending').nullable(),
    appealed_to: text('Court or authority of the appeal; for a civil action also the date of the appeal').nullable(),
    dispositions: texts('Dispositions or resolutions of the matter'),
    disposition_other: text('Description of a disposition or resolution that is not in the form’s list').nullable(),
    appeals: texts('Criminal: outcomes of the appeal'),
    appeal_other: text('Criminal: description of an outcome of the appeal that is not in the form’s list').nullable(),
    resolved: date('Date of the disposition or resolution').nullable(),
    resolved_note: text('Explanation of resolved, if that date is not exact').nullable(),
    sanctions: texts('Sanctions ordered or relief granted'),
    sanctions_other: text('Sanctions ordered that are not in the form’s list').nullable(),
    sanction_note: text('Details of the sanctions').nullable(),
    sentence: text('Criminal: sentence or penalty').nullable(),
    sentence_days: integer(
      'Criminal: duration of the sentence or penalty: number of days, in addition to the years and months',
      { unit: 'days' },
    ).nullable(),
    sentence_months: integer(
      'Criminal: duration of the sentence or penalty: number of months, in addition to the years',
      {
        unit: 'months',
      },
    ).nullable(),
    sentence_years: integer('Criminal: duration of the sentence or penalty: number of years', {
      unit: 'years',
    }).nullable(),
    sentence_start: date('Criminal: start of the penalty').nullable(),
    amount: usd('Amount of the fine, payment, payout, judgment or lien, US dollars').nullable(),
    paid: date('Date of the payment').nullable(),
    trustee: text('Bankruptcy: trustee').nullable(),
    is_open: boolean('Bankruptcy: the proceedings are open').nullable(),
    direct_payment: date('Bankruptcy: start of a direct payment procedure, or appointment of the trustee').nullable(),
    direct_payment_note: text('Explanation of direct_payment, if that date is not exact').nullable(),
    bonding_company: text('Bond: bonding company').nullable(),
    lien_holder: text('Judgment: holder of the judgment or lien').nullable(),
    lien_type: text('Judgment: Civil, Default or Tax').nullable(),
    is_outstanding: boolean('Judgment: whether the judgment or lien is outstanding').nullable(),
    outstanding_note: text('Judgment: explanation of whether the judgment or lien is outstanding').nullable(),
    explanation: text('Summary of circumstances or details').nullable(),
    disposition_note: text('Bankruptcy: details of the disposition').nullable(),
  },
)

export const books = table(
  'cfportal.books',
  'One row per keeper of the books of a portal that withdraws (Schedule D)',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    name: text('Schedule D: name of the keeper of the books and records').nullable(),
    keeper_type: text(
      'Schedule D: kind of keeper. BO: branch office or affiliate. TP: unaffiliated third party. O: other',
    ).nullable(),
    is_private_residence: boolean(
      'Schedule D: whether the address is a private residence; if so, address, telephone and fax are null',
    ).nullable(),
    ...address({ item: 'Schedule D: books and records' }),
    phone: text('Schedule D: telephone, as filed').nullable(),
    fax: text('Schedule D: fax, as filed').nullable(),
    location_note: text('Schedule D: description of the books and records kept at the address').nullable(),
  },
)
