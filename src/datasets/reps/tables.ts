/**
 * Representatives of advisers, from the individual feed of IAPD. Stores names and registrations, which the service
 * shows, and no other personal data of the feed.
 */
import { boolean, crd, date, table, text } from '../../declare/table.ts'

export const person = table(
  'reps.person',
  'One row per person',
  [],
  {
    indvl_pk: text('CRD number of the person, digits', { entity: 'person', label: 'CRD number' }),
    first_nm: text('First name').nullable(),
    last_nm: text('Last name').nullable(),
    mid_nm: text('Middle name or initial').nullable(),
    suf_nm: text('Suffix, for example JR').nullable(),
    link: text('Address of the person’s page at the SEC').nullable(),
  },
  { record: 'indvl_pk' },
)

export const registration = table(
  'reps.registration',
  'One row per registration of a person: with one regulator if it is current, with one firm if it is former',
  [],
  {
    indvl_pk: text('CRD number of the person, digits', { entity: 'person', label: 'CRD number' }),
    org_pk: crd('CRD number of the firm, digits').nullable(),
    org_nm: text('Name of the firm as this registration has it').nullable(),
    is_current: boolean('Listed as current and not terminated'),
    begin_date: date('First day; of a current registration the day of its status').nullable(),
    end_date: date('Last day; null while current').nullable(),
    regulator: text('Current employer: regulator, for example NY').nullable(),
    category: text('Current employer: category, for example RA').nullable(),
    status: text('Current employer: status, for example APPROVED').nullable(),
  },
  { record: 'indvl_pk', numbered: true },
)
