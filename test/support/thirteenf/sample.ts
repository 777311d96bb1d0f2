/**
 * Makes Form 13F of the bundled sample's specimens: three managers, who are its invented advisers, hold the same names
 * over five quarters, with one amendment of each kind.
 *
 *     node test/support/thirteenf/sample.ts
 * writes them below `sample/Archives` with their lines of its indexes. A test fails if the committed files differ from
 * this output.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

interface Manager {
  cik: string
  name: string
  at: readonly [street: string, city: string, state: string, zip: string]
  fileNumber: string
  /** The adviser's numbers on the cover: one manager states both numbers, and each of the others states one. */
  adviser: { crdNumber?: string; secFileNumber?: string }
  /**
   * Measure of its size. The three managers together report less value than the sample's real manager, so they rank
   * below it.
   */
  units: number
}

const ADVISERS: Manager = {
  cik: '9000000051',
  name: 'OpenFilings Specimen Advisers LLC',
  at: ['1 SPECIMEN PLAZA', 'NEW YORK', 'NY', '10022'],
  fileNumber: '028-90051',
  adviser: { crdNumber: '999000001', secFileNumber: '801-999001' },
  units: 50,
}
const WEALTH: Manager = {
  cik: '9000000053',
  name: 'OpenFilings Specimen Wealth Inc.',
  at: ['2 SPECIMEN ROAD', 'BOULDER', 'CO', '80302'],
  fileNumber: '028-90053',
  adviser: { secFileNumber: '801-999003' },
  units: 20,
}
const PARTNERS: Manager = {
  cik: '9000000054',
  name: 'OpenFilings Specimen Partners L.P.',
  at: ['3 SPECIMEN AVENUE', 'SAN FRANCISCO', 'CA', '94111'],
  fileNumber: '028-90054',
  adviser: { crdNumber: '999000004' },
  units: 100,
}

/** Quarters with their filing days; all values are in thousands. */
const QUARTERS = [
  ['2018-09-30', '2018-11-14'],
  ['2018-12-31', '2019-02-14'],
  ['2019-03-31', '2019-05-15'],
  ['2019-06-30', '2019-08-14'],
  ['2019-09-30', '2019-11-14'],
] as const

/**
 * Invented issuers, with dollars per share in the first quarter. CUSIPs from 990000 on belong to nobody: they are
 * reserved for use within a firm.
 */
const SECURITIES = [
  ...[
    'AEROSPACE',
    'BANCORP',
    'CHEMICAL',
    'DAIRY',
    'ENERGY',
    'FREIGHT',
    'GROCERS',
    'HOSPITALS',
    'INSURANCE',
    'JEWELERS',
  ],
  ...['KITCHENS', 'LUMBER', 'MINING', 'NETWORKS', 'OPTICAL', 'PHARMACY'],
].map((what, at) => ({
  issuer: `SPECIMEN ${what} ${at % 3 === 0 ? 'INC' : 'CORP'}`,
  cusip: withCheckDigit(`99${String(101 + at).padStart(4, '0')}10`),
  price: 24 + ((at * 37) % 180),
}))

/** Appends the check digit of a CUSIP, for which every second digit is doubled. */
function withCheckDigit(base: string): string {
  const sum = [...base].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + Math.floor(value / 10) + (value % 10)
  }, 0)
  return `${base}${(10 - (sum % 10)) % 10}`
}

interface Line {
  issuer: string
  title: string
  cusip: string
  /** Thousands of dollars. */
  value: number
  amount: number
  kind: 'SH' | 'PRN'
  option?: 'Put' | 'Call'
}

/** Returns shares of one security at the end of a quarter, 0 if none are held. */
function sharesOf({ units }: Manager, security: number, quarter: number): number {
  // The last securities were bought in the second quarter, and one was sold before the fourth.
  if (security > 13 && quarter === 0) return 0
  if (security === 5 && quarter > 2) return 0
  return units * 10 * (1 + ((security * 7 + units) % 9)) + units * quarter * ((security % 3) - 1)
}

const lineOf = (security: number, quarter: number, amount: number): Line => {
  const { issuer, cusip, price } = SECURITIES[security]!
  const dollars = price * (1 + (((security + quarter * 5) % 7) - 3) / 50)
  return { issuer, title: 'COM', cusip, value: Math.round((amount * dollars) / 1000), amount, kind: 'SH' }
}

function tableOf(manager: Manager, quarter: number): Line[] {
  const lines = SECURITIES.flatMap((_, security) => {
    const amount = sharesOf(manager, security, quarter)
    return amount > 0 ? [lineOf(security, quarter, amount)] : []
  })
  if (manager === ADVISERS) lines.push({ ...lineOf(1, quarter, 500), option: 'Put' })
  if (manager === PARTNERS) {
    const { issuer, cusip } = SECURITIES[4]!
    const note = withCheckDigit(`${cusip.slice(0, 6)}20`)
    lines.push({ issuer, title: 'NOTE 3.500% 6/1', cusip: note, value: 196, amount: 200_000, kind: 'PRN' })
  }
  return lines
}

interface Report {
  manager: Manager
  accession: string
  period: string
  filed: string
  lines: readonly Line[]
  amendment?: string
  confidentialOmitted?: boolean
}

/** Indexes of the securities that were confidential at the end of 2018 and were disclosed afterwards. */
const CONFIDENTIAL = [6, 7]

/** Returns all reports, in the order of their accessions. */
function reports(): Report[] {
  const made: Report[] = []
  for (const manager of [ADVISERS, WEALTH, PARTNERS]) {
    const count = new Map<string, number>()
    const add = (period: string, filed: string, lines: readonly Line[], more: Partial<Report> = {}) => {
      const year = filed.slice(2, 4)
      count.set(year, (count.get(year) ?? 0) + 1)
      const accession = `${manager.cik}-${year}-${String(count.get(year)).padStart(6, '0')}`
      made.push({ manager, accession, period, filed, lines, ...more })
    }
    for (const [quarter, [period, filed]] of QUARTERS.entries()) {
      const lines = tableOf(manager, quarter)
      if (manager === WEALTH && period === '2018-12-31') {
        const isConfidential = ({ cusip }: Line) => CONFIDENTIAL.some((at) => SECURITIES[at]!.cusip === cusip)
        const shown = lines.filter((line) => !isConfidential(line))
        add(period, filed, shown, { confidentialOmitted: true })
        add(period, '2019-05-03', lines.filter(isConfidential), { amendment: NEW_HOLDINGS })
      } else if (manager === ADVISERS && period === '2019-03-31') {
        const wrong = lines.map((line, at) => (at === 2 ? lineOf(2, quarter, line.amount / 10) : line))
        add(period, filed, wrong)
        add(period, '2019-06-03', lines, { amendment: '<amendmentType>RESTATEMENT</amendmentType>' })
      } else add(period, filed, lines)
    }
  }
  return made
}

const NEW_HOLDINGS = `<amendmentType>NEW HOLDINGS</amendmentType>
        <confDeniedExpired>true</confDeniedExpired><dateDeniedExpired>04-30-2019</dateDeniedExpired>
        <dateReported>02-14-2019</dateReported>
        <reasonForNonConfidentiality>Confidential Treatment Expired</reasonForNonConfidentiality>`

const american = (day: string) => `${day.slice(5)}-${day.slice(0, 4)}`

function cover({ manager, period, filed, lines, amendment, confidentialOmitted = false }: Report): string {
  const { cik, name, at, fileNumber, adviser } = manager
  const numbers = Object.entries(adviser).map(([of, number]) => `<${of}>${number}</${of}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- An invented filer in the form's schema: no such firm exists. -->
<edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler" xmlns:com="http://www.sec.gov/edgar/common">
  <headerData>
    <submissionType>${amendment ? '13F-HR/A' : '13F-HR'}</submissionType>
    <filerInfo>
      <liveTestFlag>LIVE</liveTestFlag>
      <filer><credentials><cik>${cik}</cik><ccc>XXXXXXXX</ccc></credentials></filer>
      <periodOfReport>${american(period)}</periodOfReport>
    </filerInfo>
  </headerData>
  <formData>
    <coverPage>
      <reportCalendarOrQuarter>${american(period)}</reportCalendarOrQuarter>
      <isAmendment>${amendment !== undefined}</isAmendment>${
        amendment === undefined
          ? ''
          : `<amendmentNo>1</amendmentNo>
      <amendmentInfo>
        ${amendment}
      </amendmentInfo>`
      }
      <filingManager>
        <name>${name}</name>
        <address>
          <com:street1>${at[0]}</com:street1>
          <com:city>${at[1]}</com:city><com:stateOrCountry>${at[2]}</com:stateOrCountry><com:zipCode>${at[3]}</com:zipCode>
        </address>
      </filingManager>
      <reportType>13F HOLDINGS REPORT</reportType>
      <form13FFileNumber>${fileNumber}</form13FFileNumber>
      ${numbers.join('')}
      <provideInfoForInstruction5>N</provideInfoForInstruction5>
    </coverPage>
    <signatureBlock>
      <name>Sam Specimen</name><title>Chief Compliance Officer</title><phone>212-555-0151</phone>
      <signature>/s/ Sam Specimen</signature>
      <city>${at[1]}</city><stateOrCountry>${at[2]}</stateOrCountry><signatureDate>${american(filed)}</signatureDate>
    </signatureBlock>
    <summaryPage>
      <otherIncludedManagersCount>0</otherIncludedManagersCount>
      <tableEntryTotal>${lines.length}</tableEntryTotal>
      <tableValueTotal>${lines.reduce((sum, { value }) => sum + value, 0)}</tableValueTotal>
      <isConfidentialOmitted>${confidentialOmitted}</isConfidentialOmitted>
    </summaryPage>
  </formData>
</edgarSubmission>`
}

function tableXml(lines: readonly Line[]): string {
  const rows = lines.map(
    ({ issuer, title, cusip, value, amount, kind, option }) =>
      `  <infoTable>
    <nameOfIssuer>${issuer}</nameOfIssuer><titleOfClass>${title}</titleOfClass><cusip>${cusip}</cusip><value>${value}</value>
    <shrsOrPrnAmt><sshPrnamt>${amount}</sshPrnamt><sshPrnamtType>${kind}</sshPrnamtType></shrsOrPrnAmt>${option ? `<putCall>${option}</putCall>` : ''}
    <investmentDiscretion>SOLE</investmentDiscretion>
    <votingAuthority><Sole>${amount}</Sole><Shared>0</Shared><None>0</None></votingAuthority>
  </infoTable>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<informationTable xmlns="http://www.sec.gov/edgar/document/thirteenf/informationtable">
${rows.join('\n')}
</informationTable>`
}

const document = (type: string, sequence: number, file: string, content: string) => `<DOCUMENT>
<TYPE>${type}
<SEQUENCE>${sequence}
<FILENAME>${file}
<TEXT>
<XML>
${content}
</XML>
</TEXT>
</DOCUMENT>
`

const formOf = ({ amendment }: Report) => (amendment ? '13F-HR/A' : '13F-HR')
const digits = (day: string) => day.replaceAll('-', '')
const pathOf = ({ manager, accession }: Report) => `edgar/data/${manager.cik}/${accession}.txt`

function submission(report: Report): string {
  const { manager, accession, period, filed, lines } = report
  return `<SEC-DOCUMENT>${accession}.txt : ${digits(filed)}
<SEC-HEADER>${accession}.hdr.sgml : ${digits(filed)}
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\t${formOf(report)}
PUBLIC DOCUMENT COUNT:\t\t2
CONFORMED PERIOD OF REPORT:\t${digits(period)}
FILED AS OF DATE:\t\t${digits(filed)}
DATE AS OF CHANGE:\t\t${digits(filed)}

FILER:

\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\t${manager.name}
\t\tCENTRAL INDEX KEY:\t\t\t${manager.cik}

\tFILING VALUES:
\t\tFORM TYPE:\t\t${formOf(report)}
\t\tSEC ACT:\t\t1934 Act
\t\tSEC FILE NUMBER:\t${manager.fileNumber}
</SEC-HEADER>
${document(formOf(report), 1, 'primary_doc.xml', cover(report))}${document('INFORMATION TABLE', 2, 'infotable.xml', tableXml(lines))}</SEC-DOCUMENT>
`
}

const LAST_DAYS = ['March 31', 'June 30', 'September 30', 'December 31']

/** Returns an index with the lines of these reports among others, in the order of CIKs and files. */
async function indexWith(file: string, year: string, quarter: number, own: readonly Report[]): Promise<string> {
  const head = `Description:           Master Index of EDGAR Dissemination Feed
Last Data Received:    ${LAST_DAYS[quarter - 1]}, ${year}
Comments:              webmaster@sec.gov
Anonymous FTP:         ftp://ftp.sec.gov/edgar/
Cloud HTTP:            https://www.sec.gov/Archives/

 
 
 
CIK|Company Name|Form Type|Date Filed|Filename
--------------------------------------------------------------------------------`
  const before = existsSync(file) ? (await readFile(file, 'utf8')).trimEnd().split('\n').slice(11) : []
  const lines = own.map((report) =>
    [report.manager.cik, report.manager.name, formOf(report), report.filed, pathOf(report)].join('|'),
  )
  const fileOf = (line: string) => line.slice(line.lastIndexOf('|') + 1)
  const known = new Set(lines.map(fileOf))
  const all = [...before.filter((line) => !known.has(fileOf(line))), ...lines]
  const keyOf = (line: string) => `${line.split('|')[0]!.padStart(10, '0')} ${fileOf(line)}`
  all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return `${[head, ...all].join('\n')}\n`
}

/** Returns files below the root by path: submissions, and indexes with the lines that are there already. */
export async function thirteenfSample(root: string): Promise<Map<string, string>> {
  const all = reports()
  const files = new Map(all.map((report) => [`Archives/${pathOf(report)}`, submission(report)]))
  const byQuarter = Map.groupBy(
    all,
    ({ filed }) => `${filed.slice(0, 4)}/QTR${Math.ceil(Number(filed.slice(5, 7)) / 3)}`,
  )
  for (const [quarter, own] of byQuarter) {
    const file = `Archives/edgar/full-index/${quarter}/master.idx`
    files.set(file, await indexWith(path.join(root, file), quarter.slice(0, 4), Number(quarter.at(-1)), own))
  }
  return files
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '../../../sample')
  for (const [file, content] of await thirteenfSample(root)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content)
  }
}
