/**
 * Quarterly sets of Form 13F in the SEC's documented format, of any size, and the same filings as submissions. The same
 * number and seed make the same filing, so that a set of a hundred million lines needs no memory.
 */
import { Random } from './random.ts'

export interface Options {
  seed: number
  /** Last day of a quarter. */
  period: string
  /** Lines of a filing, on average; some have ten times as many. */
  lines: number
  /** Every filing is a report with exactly `lines` lines. */
  exactly?: boolean
}

export interface Line {
  issuer: string
  title: string
  cusip: string
  value: number
  amount: number
  kind: 'SH' | 'PRN'
  putCall: 'Put' | 'Call' | null
  discretion: 'SOLE' | 'DFND' | 'OTR'
  manager: string | null
}

export interface Made {
  accession: string
  form: '13F-HR' | '13F-HR/A' | '13F-NT'
  cik: string
  name: string
  period: string
  filedDate: string
  fileNumber: string
  crd: string | null
  amendmentType: 'RESTATEMENT' | 'NEW HOLDINGS' | null
  managers: { cik: string; fileNumber: string; name: string }[]
  lines: () => Generator<Line>
  count: number
  /** Visits the lines; only summaries need this. */
  total: () => number
}

/** Number of securities that filings hold: the first of these securities are held more often, as in reality. */
const SECURITIES = 12_000

export function filing(number: number, { seed, period, lines, exactly = false }: Options): Made {
  const random = new Random(seed * 1_000_003 + number)
  const isNotice = random.next() < 0.15 && !exactly
  const isAmendment = !isNotice && random.next() < 0.05 && !exactly
  const cik = String(9_100_000_000 + number)
  const drawn = isNotice ? 0 : 1 + Math.floor(lines * (random.next() < 0.05 ? 10 : 1) * 2 * random.next())
  const size = exactly ? lines : drawn
  const managers = Array.from({ length: isNotice ? 1 : random.below(3) }, (_, at) => ({
    cik: String(9_200_000_000 + number * 10 + at),
    fileNumber: `028-${random.digits(5)}`,
    name: `Generated Manager ${number}.${at}`,
  }))
  const lineSeed = random.below(2 ** 31)
  const made = () => linesOf(new Random(lineSeed), size, managers.length)
  const total = () => {
    let sum = 0
    for (const { value } of made()) sum += value
    return sum
  }
  return {
    accession: `${cik}-${period.slice(2, 4)}-${String((number % 999_999) + 1).padStart(6, '0')}`,
    form: isNotice ? '13F-NT' : isAmendment ? '13F-HR/A' : '13F-HR',
    cik,
    name: `Generated Capital ${number}, L.P.`,
    period,
    filedDate: later(period, 20 + random.below(25)),
    fileNumber: `028-${random.digits(5)}`,
    crd: random.next() < 0.5 ? String(900_000 + number).padStart(9, '0') : null,
    amendmentType: isAmendment ? (random.next() < 0.5 ? 'RESTATEMENT' : 'NEW HOLDINGS') : null,
    managers,
    lines: made,
    count: size,
    total,
  }
}

function* linesOf(random: Random, size: number, managers: number): Generator<Line> {
  for (let at = 0; at < size; at++) {
    const security = Math.floor(SECURITIES * random.next() ** 2)
    const price = 5 + (security % 400)
    const kind = random.next() < 0.01 ? 'PRN' : 'SH'
    const amount = 1 + random.below(2_000_000)
    const option = random.next()
    yield {
      issuer: `GENERATED ISSUER ${security}`,
      title: security % 7 === 0 ? 'CL A' : 'COM',
      cusip: cusipOf(security),
      value: kind === 'PRN' ? amount : amount * price,
      amount,
      kind,
      putCall: kind === 'PRN' || option > 0.04 ? null : option < 0.02 ? 'Put' : 'Call',
      discretion: random.pick(['SOLE', 'DFND', 'OTR'] as const, 2),
      manager: managers > 0 && random.next() < 0.5 ? String(1 + random.below(managers)) : null,
    }
  }
}

/** Returns nine characters with a valid check digit. */
function cusipOf(security: number): string {
  const text = `9${String(security).padStart(5, '0')}10`
  let sum = 0
  for (const [at, digit] of [...text].entries()) {
    const weighed = Number(digit) * (at % 2 === 1 ? 2 : 1)
    sum += Math.floor(weighed / 10) + (weighed % 10)
  }
  return `${text}${(10 - (sum % 10)) % 10}`
}

const later = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const setDay = (day: string): string => `${day.slice(8)}-${MONTHS[Number(day.slice(5, 7)) - 1]}-${day.slice(0, 4)}`
const formDay = (day: string): string => `${day.slice(5, 7)}-${day.slice(8)}-${day.slice(0, 4)}`
const REPORT = { '13F-NT': '13F NOTICE', '13F-HR': '13F HOLDINGS REPORT', '13F-HR/A': '13F HOLDINGS REPORT' } as const

/** Returns `count` filings, made again in each iteration. */
export const filings = (count: number, options: Options): Iterable<Made> => ({
  *[Symbol.iterator]() {
    for (let number = 0; number < count; number++) yield filing(number, options)
  },
})

/**
 * Yields pieces of the members, one member after the other. Each member begins with its header line. Visits the filings
 * once for each member.
 */
export function* quarterlySet(all: Iterable<Made>): Generator<readonly [member: string, text: string]> {
  for (const [member, { columns, lines }] of Object.entries(SET)) {
    yield [member, `${columns.join('\t')}\n`]
    let text = ''
    for (const made of all) {
      for (const line of lines(made)) {
        text += `${line.map((value) => value ?? '').join('\t')}\n`
        if (text.length < 65_536) continue
        yield [member, text]
        text = ''
      }
    }
    if (text !== '') yield [member, text]
  }
}

type Cells = (string | number | null)[]
interface Member {
  columns: readonly string[]
  lines: (made: Made) => Iterable<Cells>
}

const OTHER = ['CIK', 'FORM13FFILENUMBER', 'CRDNUMBER', 'SECFILENUMBER', 'NAME']

const SET: Record<string, Member> = {
  SUBMISSION: {
    columns: ['ACCESSION_NUMBER', 'FILING_DATE', 'SUBMISSIONTYPE', 'CIK', 'PERIODOFREPORT'],
    lines: (made) => [[made.accession, setDay(made.filedDate), made.form, made.cik, setDay(made.period)]],
  },
  COVERPAGE: {
    columns: [
      ...['ACCESSION_NUMBER', 'REPORTCALENDARORQUARTER', 'ISAMENDMENT', 'AMENDMENTNO', 'AMENDMENTTYPE'],
      ...['CONFDENIEDEXPIRED', 'DATEDENIEDEXPIRED', 'DATEREPORTED', 'REASONFORNONCONFIDENTIALITY'],
      ...['FILINGMANAGER_NAME', 'FILINGMANAGER_STREET1', 'FILINGMANAGER_STREET2', 'FILINGMANAGER_CITY'],
      ...['FILINGMANAGER_STATEORCOUNTRY', 'FILINGMANAGER_ZIPCODE', 'REPORTTYPE', 'FORM13FFILENUMBER', 'CRDNUMBER'],
      ...['SECFILENUMBER', 'PROVIDEINFOFORINSTRUCTION5', 'ADDITIONALINFORMATION'],
    ],
    lines: (made) => [
      [
        ...[
          made.accession,
          setDay(made.period),
          made.amendmentType && 'Y',
          made.amendmentType && 1,
          made.amendmentType,
        ],
        ...[made.amendmentType && 'N', null, null, null],
        ...[
          made.name,
          '1 Generated Street',
          null,
          'Omaha',
          'NE',
          '68131',
          REPORT[made.form],
          made.fileNumber,
          made.crd,
        ],
        ...[null, 'N', null],
      ],
    ],
  },
  OTHERMANAGER: {
    columns: ['ACCESSION_NUMBER', 'OTHERMANAGER_SK', ...OTHER],
    lines: ({ accession, form, managers }) =>
      form === '13F-NT'
        ? managers.map(({ cik, fileNumber, name }, at) => [accession, at + 1, cik, fileNumber, null, null, name])
        : [],
  },
  OTHERMANAGER2: {
    columns: ['ACCESSION_NUMBER', 'SEQUENCENUMBER', ...OTHER],
    lines: ({ accession, form, managers }) =>
      form === '13F-NT'
        ? []
        : managers.map(({ cik, fileNumber, name }, at) => [accession, at + 1, cik, fileNumber, null, null, name]),
  },
  SIGNATURE: {
    columns: ['ACCESSION_NUMBER', 'NAME', 'TITLE', 'PHONE', 'SIGNATURE', 'CITY', 'STATEORCOUNTRY', 'SIGNATUREDATE'],
    lines: (made) => [
      [
        made.accession,
        'Generated Signer',
        'Officer',
        '000-000-0000',
        'G. Signer',
        'Omaha',
        'NE',
        setDay(made.filedDate),
      ],
    ],
  },
  SUMMARYPAGE: {
    columns: [
      'ACCESSION_NUMBER',
      'OTHERINCLUDEDMANAGERSCOUNT',
      'TABLEENTRYTOTAL',
      'TABLEVALUETOTAL',
      'ISCONFIDENTIALOMITTED',
    ],
    lines: (made) =>
      made.form === '13F-NT' ? [] : [[made.accession, made.managers.length, made.count, made.total(), 'N']],
  },
  INFOTABLE: {
    columns: [
      ...['ACCESSION_NUMBER', 'INFOTABLE_SK', 'NAMEOFISSUER', 'TITLEOFCLASS', 'CUSIP', 'FIGI', 'VALUE', 'SSHPRNAMT'],
      ...['SSHPRNAMTTYPE', 'PUTCALL', 'INVESTMENTDISCRETION', 'OTHERMANAGER'],
      ...['VOTING_AUTH_SOLE', 'VOTING_AUTH_SHARED', 'VOTING_AUTH_NONE'],
    ],
    *lines(made) {
      let number = 0
      for (const line of made.lines()) {
        yield [
          ...[made.accession, ++number, line.issuer, line.title, line.cusip, null, line.value, line.amount],
          ...[line.kind, line.putCall, line.discretion, line.manager, line.amount, 0, 0],
        ]
      }
    },
  },
}

/** Returns the same filing in EDGAR's form: its cover, and its table if it has one. */
export function submissionOf(made: Made): { cover: string; table: string | null } {
  const isNotice = made.form === '13F-NT'
  const element = (name: string, value: string | number | null) => (value === null ? '' : `<${name}>${value}</${name}>`)
  const other = ({ cik, fileNumber, name }: Made['managers'][number]) =>
    `<otherManager>${element('cik', cik)}${element('form13FFileNumber', fileNumber)}${element('name', name)}</otherManager>`
  const amendment =
    made.amendmentType === null
      ? ''
      : `<isAmendment>true</isAmendment><amendmentNo>1</amendmentNo><amendmentInfo>${element('amendmentType', made.amendmentType)}<confDeniedExpired>false</confDeniedExpired></amendmentInfo>`
  const cover = `<?xml version="1.0" encoding="UTF-8"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler" xmlns:com="http://www.sec.gov/edgar/common">
<schemaVersion>X0202</schemaVersion>
<headerData><submissionType>${made.form}</submissionType><filerInfo><liveTestFlag>LIVE</liveTestFlag>
<filer><credentials><cik>${made.cik}</cik><ccc>XXXXXXXX</ccc></credentials></filer>
<periodOfReport>${formDay(made.period)}</periodOfReport></filerInfo></headerData>
<formData><coverPage><reportCalendarOrQuarter>${formDay(made.period)}</reportCalendarOrQuarter>${amendment}
<filingManager><name>${made.name}</name><address><com:street1>1 Generated Street</com:street1><com:city>Omaha</com:city>
<com:stateOrCountry>NE</com:stateOrCountry><com:zipCode>68131</com:zipCode></address></filingManager>
<reportType>${REPORT[made.form]}</reportType>${element('form13FFileNumber', made.fileNumber)}${element('crdNumber', made.crd)}
${isNotice ? `<otherManagersInfo>${made.managers.map(other).join('')}</otherManagersInfo>` : ''}
<provideInfoForInstruction5>N</provideInfoForInstruction5></coverPage>
<signatureBlock><name>Generated Signer</name><title>Officer</title><phone>000-000-0000</phone><signature>G. Signer</signature>
<city>Omaha</city><stateOrCountry>NE</stateOrCountry><signatureDate>${formDay(made.filedDate)}</signatureDate></signatureBlock>
${
  isNotice
    ? ''
    : `<summaryPage><otherIncludedManagersCount>${made.managers.length}</otherIncludedManagersCount>
<tableEntryTotal>${made.count}</tableEntryTotal><tableValueTotal>${made.total()}</tableValueTotal>
<isConfidentialOmitted>false</isConfidentialOmitted><otherManagers2Info>${made.managers
        .map((one, at) => `<otherManager2><sequenceNumber>${at + 1}</sequenceNumber>${other(one)}</otherManager2>`)
        .join('')}</otherManagers2Info></summaryPage>`
}</formData></edgarSubmission>
`
  return { cover, table: isNotice ? null : tableOf(made, element) }
}

function tableOf(made: Made, element: (name: string, value: string | number | null) => string): string {
  let text =
    '<?xml version="1.0" encoding="UTF-8"?>\n<informationTable xmlns="http://www.sec.gov/edgar/document/thirteenf/informationtable">\n'
  for (const line of made.lines()) {
    text += `<infoTable>${element('nameOfIssuer', line.issuer)}${element('titleOfClass', line.title)}${element('cusip', line.cusip)}${element('value', line.value)}<shrsOrPrnAmt>${element('sshPrnamt', line.amount)}${element('sshPrnamtType', line.kind)}</shrsOrPrnAmt>${element('putCall', line.putCall)}${element('investmentDiscretion', line.discretion)}${element('otherManager', line.manager)}<votingAuthority>${element('Sole', line.amount)}<Shared>0</Shared><None>0</None></votingAuthority></infoTable>\n`
  }
  return `${text}</informationTable>\n`
}
