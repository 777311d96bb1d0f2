import type { Rows } from '../../declare/table.ts'
import { crd, named } from '../../read/values.ts'
import { type Element, XmlError } from '../../read/xml.ts'
import type * as tables from './tables.ts'

/** Sections of a person's record that the service does not show. */
const IGNORED = ['OthrNms', 'Exms', 'Dsgntns', 'EmpHss', 'OthrBuss', 'DRPs']

/**
 * Returns the CRD number of a person, the key of the feed's records.
 *
 * @throws XmlError if there is no CRD number, or if the record may mix two people. The edition may then lack one of the
 *   two people. So while the edition has a record without a key, no person is taken to have left the feed.
 */
export function key(record: Element): string {
  for (const section of SECTIONS) record.maybe(section)
  const text = record.text('Info/@indvlPK')
  const found = text === null ? null : crd(text)
  if (!found) throw new XmlError(`Info of ${record.path} has ${text === null ? 'no indvlPK' : `the indvlPK ${text}`}`)
  return found
}

/**
 * Yields the rows of one person: the name, then current and former registrations in the feed's order. Keeps only the
 * personal data that the service shows. Leaves out the following, each by its name: other names, offices (which may be
 * homes), exams, designations, employment outside registrations, other businesses and disclosures. The employment
 * history gives no CRD numbers, so it does not identify firms.
 */
export function* rows(record: Element): Rows<typeof tables> {
  const indvl_pk = key(record)
  const info = record.one('Info')
  // The attribute states whether the person is also registered as an agent of a broker-dealer.
  info.ignore('@actvAGReg')
  record.ignore(...IGNORED)
  yield [
    'person',
    {
      indvl_pk,
      first_nm: info.attribute('firstNm'),
      last_nm: info.attribute('lastNm'),
      mid_nm: named(info.attribute('midNm')),
      suf_nm: named(info.attribute('sufNm')),
      link: info.attribute('link'),
    },
  ]
  // If an employer has no registrations, the person is employed there but is not, or not yet, registered.
  for (const employer of record.filled('CrntEmps/CrntEmp')) {
    employer.ignore('@str1', '@str2', '@city', '@state', '@cntry', '@postlCd', 'BrnchOfLocs')
    const firm = firmOf(employer)
    for (const current of employer.filled('CrntRgstns/CrntRgstn')) {
      const status = current.attribute('st')?.toUpperCase() ?? null
      if (status !== null && !STATUSES.includes(status)) current.problem(status, 'not a known status of a registration')
      const since = dayOf(current, '@stDt')
      const isTerminated = status === TERMINATED
      yield [
        'registration',
        {
          indvl_pk,
          ...firm,
          is_current: !isTerminated,
          begin_date: isTerminated ? null : since,
          end_date: isTerminated ? since : null,
          regulator: current.attribute('regAuth'),
          category: current.attribute('regCat'),
          status,
        },
      ]
    }
  }
  for (const former of record.filled('PrevRgstns/PrevRgstn')) {
    former.ignore('BrnchOfLocs')
    const firm = firmOf(former)
    let begin_date = dayOf(former, '@regBeginDt')
    let end_date = dayOf(former, '@regEndDt')
    if (begin_date !== null && end_date !== null && begin_date > end_date) {
      former.problem(`${begin_date} to ${end_date}`, 'ends before it begins')
      begin_date = null
      end_date = null
    }
    yield [
      'registration',
      { indvl_pk, ...firm, is_current: false, begin_date, end_date, regulator: null, category: null, status: null },
    ]
  }
}

/**
 * Sections that a person has at most once. A second section of one kind belongs to another person, whose record has
 * lost its beginning. Such a record is refused, since the registrations of the other person would be added to this
 * person.
 */
const SECTIONS = ['CrntEmps', 'PrevRgstns', ...IGNORED]

/** Status of an ended registration. Its date is the last day; the feed does not give the first day. */
const TERMINATED = 'TERMED'

/**
 * Statuses of a registration. With every status but the last, the person may act for the firm, though in some cases
 * only within limits.
 */
const STATUSES = ['APPROVED', 'APPROVED_RES', 'APP_PEND_IARCE', 'APPRNT', 'APRSLTS', TERMINATED]

function firmOf(element: Element): { org_pk: string | null; org_nm: string | null } {
  if (element.attribute('orgPK') === null) element.problem('', 'orgPK is missing')
  return { org_pk: element.crd('@orgPK'), org_nm: element.attribute('orgNm') }
}

/** Plausible years. Registration began with the Exchange Act; years like 0201 and 9999 are typing errors. */
const YEARS = { from: '1934', to: '2100' }

function dayOf(element: Element, attribute: string): string | null {
  const day = element.date(attribute)
  if (day === null || (day >= YEARS.from && day < YEARS.to)) return day
  element.problem(day, `${attribute.slice(1)} is not a day between ${YEARS.from} and ${YEARS.to}`)
  return null
}
