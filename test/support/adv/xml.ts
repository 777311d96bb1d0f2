/** Writes the daily feeds: SEC firms, state firms, and people, in ISO-8859-1 as published. */
import { bytesOf } from './encoding.ts'
import { type Address, type Firm, ITEMS } from './firm.ts'
import type { Person } from './people.ts'

/** Amount of text collected before it is yielded as bytes. */
const CHUNK = 262_144

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => (/[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (unit) => ENTITIES[unit]!) : text)

type Attributes = Record<string, string | number | null | undefined>

/** Writes an element without closing tag; blank attributes are left out, as in the feeds. */
function open(name: string, attributes: Attributes): string {
  let text = `<${name}`
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== null && value !== undefined && value !== '') text += ` ${key}="${escaped(String(value))}"`
  }
  return text
}

const empty = (name: string, attributes: Attributes) => `${open(name, attributes)}/>`
const list = (name: string, items: readonly string[]) =>
  items.length > 0 ? `<${name}>${items.join('')}</${name}>` : `<${name}/>`

const address = (name: string, of: Address | null, more: Attributes = {}) =>
  empty(name, {
    Strt1: of?.street1,
    Strt2: of?.street2,
    City: of?.city,
    State: of?.state,
    Cntry: of?.country,
    PostlCd: of?.postal,
    ...more,
  })

/** Writes one firm as in the SEC's or the states' feed. */
export function firmXml(firm: Firm, feed: 'SEC' | 'STATE'): string {
  const { crd, states, registration } = firm
  const info = {
    SECRgnCD: firm.region,
    FirmCrdNb: crd,
    SECNb: firm.secNumber,
    BusNm: firm.business,
    LegalNm: firm.legal,
    UmbrRgstn: firm.umbrella === null ? null : firm.umbrella ? 'Y' : 'N',
  }
  const type = firm.kind === 'ERA' ? 'ERA' : 'Registered'
  const standing =
    feed === 'SEC'
      ? empty('Rgstn', { FirmType: type, St: registration?.status, Dt: registration?.day }) +
        list(
          'NoticeFiled',
          states.map(({ code, status, day }) => empty('States', { RgltrCd: code, St: status, Dt: day })),
        )
      : regulators(firm)
  const answers = firm.answers()
  const items = [...ITEMS].map(([item, attributes]) => {
    const shown: Attributes = {}
    for (const { name, column, shown: show } of attributes) {
      const value = answers[column]
      if (value !== undefined) shown[name] = show ? show(value) : value
    }
    if (item !== '1') return empty(`Item${item}`, shown)
    const webs = list(
      'WebAddrs',
      firm.webs.map((web) => `<WebAddr>${escaped(web)}</WebAddr>`),
    )
    return `${open('Item1', shown)}>${webs}</Item1>`
  })
  return `<Firm>${empty('Info', info)}${address('MainAddr', firm.office, { PhNb: firm.phone, FaxNb: firm.fax })}${address('MailingAddr', firm.mailing)}${standing}${empty('Filing', { Dt: firm.filed, FormVrsn: firm.formVersion })}<FormInfo><Part1A>${items.join('')}</Part1A></FormInfo></Firm>\n`
}

function regulators({ kind, states, office, registration }: Firm): string {
  const each = states.map(({ code, status, day }) => empty('Rgltr', { Cd: code, St: status, Dt: day }))
  if (kind !== 'ERA') return `<StateRgstn>${list('Rgltrs', each)}</StateRgstn>`
  const own = empty('Rgltr', { Cd: office.state ?? 'NY', St: 'ACTIVE', Dt: registration?.day })
  return `<ERA>${list('Rgltrs', [own])}</ERA>`
}

/** Writes one person of the individual feed. */
export function personXml(person: Person): string {
  const { pk, otherNames, current, previous, history, exams, designations, disclosures } = person
  const link = `https://adviserinfo.sec.gov/individual/summary/${pk}`
  const name = { lastNm: person.last, firstNm: person.first, midNm: person.middle, sufNm: person.suffix }
  const jobs = current.map(({ crd, name: org, office, registrations }) => {
    const place = { city: office.city, state: office.state, cntry: office.country, postlCd: office.postal }
    const all = registrations.map(({ regulator, category, status, day }) =>
      empty('CrntRgstn', { regAuth: regulator, regCat: category, st: status, stDt: day }),
    )
    const branch = empty('BrnchOfLoc', { str1: office.street1, ...place })
    return `${open('CrntEmp', { orgNm: org, orgPK: crd, str1: office.street1, str2: office.street2, ...place })}>${list('CrntRgstns', all)}<BrnchOfLocs>${branch}</BrnchOfLocs></CrntEmp>`
  })
  const before = previous.map(({ crd, name: org, begin, end, city, state }) => {
    const place = city ? `<BrnchOfLocs>${empty('BrnchOfLoc', { city, state })}</BrnchOfLocs>` : '<BrnchOfLocs/>'
    return `${open('PrevRgstn', { orgNm: org, orgPK: crd, regBeginDt: begin, regEndDt: end })}>${place}</PrevRgstn>`
  })
  const employers = history.map(({ from, to, name: org, city, state }) =>
    empty('EmpHs', { fromDt: from, toDt: to, orgNm: org, city, state }),
  )
  const flags: Attributes = {}
  for (const kind of [
    'RegAction',
    'Criminal',
    'Bankrupt',
    'CivilJudc',
    'Bond',
    'Judgment',
    'Invstgn',
    'CustComp',
    'Termination',
  ]) {
    flags[`has${kind}`] = disclosures.includes(kind) ? 'Y' : 'N'
  }
  return `<Indvl>${empty('Info', { ...name, indvlPK: pk, actvAGReg: person.agency ? 'Y' : 'N', link })}${list(
    'OthrNms',
    otherNames.map(({ first, last }) => empty('OthrNm', { lastNm: last, firstNm: first })),
  )}${list('CrntEmps', jobs)}${list(
    'Exms',
    exams.map(({ code, name: exam, day }) => empty('Exm', { exmCd: code, exmNm: exam, exmDt: day })),
  )}${list(
    'Dsgntns',
    designations.map((designation) => empty('Dsgntn', { dsgntnNm: designation })),
  )}${list('PrevRgstns', before)}${list('EmpHss', employers)}${list(
    'OthrBuss',
    person.business ? [empty('OthrBus', { desc: person.business })] : [],
  )}${list('DRPs', disclosures.length > 0 ? [empty('DRP', flags)] : [])}</Indvl>\n`
}

/** Yields a complete feed as bytes, in chunks of a quarter of a megabyte. */
export function* feedXml(root: string, day: string, group: string, records: Iterable<string>): Generator<Buffer> {
  let text = `<?xml version="1.0" encoding="ISO-8859-1"?>\n<${root} GenOn="${day}"><${group}>\n`
  for (const record of records) {
    text += record
    if (text.length < CHUNK) continue
    yield bytesOf(text, 'cp1252')
    text = ''
  }
  yield bytesOf(`${text}</${group}></${root}>\n`, 'cp1252')
}
