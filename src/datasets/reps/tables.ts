/**
 * Representatives of advisers, from the individual feed of IAPD. Stores names and registrations, which the service
 * shows, and no other personal data of the feed.
 */
import { boolean, crd, date, table, text } from '../../declare/table.ts'

export const person = table(
  'reps.person',
  'One row per representative of an investment adviser',
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
  'One row per registration of a person: a current registration is with one regulator, a former one with one firm',
  [],
  {
    indvl_pk: text('CRD number of the person, digits', { entity: 'person', label: 'CRD number' }),
    org_pk: crd('CRD number of the firm, digits').nullable(),
    org_nm: text('Name of the firm, as this registration states it').nullable(),
    is_current: boolean('True if the feed lists the registration as current and its status is not terminated'),
    begin_date: date(
      'First day of the registration; if it is current, the day of its status. Null if unknown',
    ).nullable(),
    end_date: date('Last day of the registration; null if it is current or the day is unknown').nullable(),
    regulator: text(
      'Registration with a current employer: regulator, for example NY; null for a former registration',
    ).nullable(),
    category: text(
      'Registration with a current employer: category, for example RA; null for a former registration',
    ).nullable(),
    status: text(
      'Registration with a current employer: status, for example APPROVED; null for a former registration',
    ).nullable(),
  },
  { record: 'indvl_pk', numbered: true },
)
