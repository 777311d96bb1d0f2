/** Makes Schedules 13D and 13G as EDGAR would serve them, in text and in XML, for tests. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeIndex } from './world.ts'

interface Party {
  cik: number
  name: string
}

export interface MadeSchedule {
  /** The last digits of its accession number. */
  n: number
  form: string
  day: string
  issuer: Party
  filer: Party
  /** The main document. */
  content: string
}

export const accessionOf = (n: number) => `9000000400-10-${String(n).padStart(6, '0')}`

/** Writes the filings below a root with EDGAR's layout, and their index: all are from the first quarter of 2010. */
export async function writeSchedules(root: string, filings: readonly MadeSchedule[]): Promise<void> {
  for (const filing of filings) {
    const file = path.join(root, 'Archives', pathOf(filing))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, submission(filing))
  }
  await writeIndex(
    root,
    '2010/QTR1',
    filings.map((filing) => [filing.issuer.cik, filing.issuer.name, filing.form, filing.day, pathOf(filing)].join('|')),
  )
}

const pathOf = ({ n, issuer }: MadeSchedule) => `edgar/data/${issuer.cik}/${accessionOf(n)}.txt`

const party = (role: string, { cik, name }: Party, form: string) => `${role}:

\tCOMPANY DATA:
\t\tCOMPANY CONFORMED NAME:\t\t\t${name}
\t\tCENTRAL INDEX KEY:\t\t\t${String(cik).padStart(10, '0')}

\tFILING VALUES:
\t\tFORM TYPE:\t\t${form}
`

function submission({ n, form, day, issuer, filer, content }: MadeSchedule): string {
  const date = day.replaceAll('-', '')
  const isData = content.startsWith('<?xml')
  return `<SEC-DOCUMENT>${accessionOf(n)}.txt : ${date}
<SEC-HEADER>${accessionOf(n)}.hdr.sgml : ${date}
ACCESSION NUMBER:\t\t${accessionOf(n)}
CONFORMED SUBMISSION TYPE:\t${form}
PUBLIC DOCUMENT COUNT:\t\t1
FILED AS OF DATE:\t\t${date}

${party('SUBJECT COMPANY', issuer, form)}
${party('FILED BY', filer, form)}
</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<FILENAME>${isData ? 'primary_doc.xml' : 'schedule.txt'}
<TEXT>
${isData ? `<XML>\n${content}\n</XML>` : content}
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`
}

export interface MadeText {
  schedule: '13D' | '13G'
  issuer: string
  cusip: string
  amendment?: number
  persons: readonly { name: string; shares: number; percent: string }[]
}

/** Returns the cover and the pages of the reporting persons, as text. */
export function text({ schedule, issuer, cusip, amendment, persons }: MadeText): string {
  const first = schedule === '13D' ? 7 : 5
  const page = ({ name, shares, percent }: MadeText['persons'][number]) => `
(1) NAME OF REPORTING PERSON
    ${name}
(2) CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP   (a) / /  (b) /X/
(3) SEC USE ONLY
${schedule === '13D' ? '(4) SOURCE OF FUNDS  WC\n(6)' : '(4)'} CITIZENSHIP OR PLACE OF ORGANIZATION  Delaware
(${first}) SOLE VOTING POWER  ${shares.toLocaleString('en')}
(${first + 1}) SHARED VOTING POWER  -0-
(${first + 2}) SOLE DISPOSITIVE POWER  ${shares.toLocaleString('en')}
(${first + 3}) SHARED DISPOSITIVE POWER  None
(${first + 4}) AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON  ${shares.toLocaleString('en')}
(${first + 6}) PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (${first + 4})  ${percent}
(${first + 7}) TYPE OF REPORTING PERSON  IA
`
  return `SCHEDULE ${schedule}
Under the Securities Exchange Act of 1934
(Amendment No. ${amendment ?? ''})

${issuer}
(Name of Issuer)

Common Stock
(Title of Class of Securities)

${cusip}
(CUSIP Number)

January 4, 2010
(Date of Event Which Requires Filing of this Statement)
${persons.map(page).join('\n')}
Item 1. Security and Issuer
`
}

export interface MadeXml {
  form: string
  issuer: Party
  cik: number
  cusip: string
  person: string
  shares: number
  percent: string
  previous?: string
}

const digits = (cik: number) => String(cik).padStart(10, '0')

export const xml = ({ form, issuer, cik, cusip, person, shares, percent, previous }: MadeXml) => `<?xml version="1.0"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13D"><headerData><submissionType>${form}</submissionType>${previous ? `<previousAccessionNumber>${previous}</previousAccessionNumber>` : ''}
<filerInfo><filer><filerCredentials><cik>${digits(cik)}</cik></filerCredentials></filer></filerInfo></headerData>
<formData><coverPageHeader><dateOfEvent>03/01/2010</dateOfEvent><issuerInfo><issuerCIK>${digits(issuer.cik)}</issuerCIK>
<issuerCUSIP>${cusip}</issuerCUSIP><issuerName>${issuer.name}</issuerName></issuerInfo></coverPageHeader>
<reportingPersons><reportingPersonInfo><reportingPersonCIK>${digits(cik)}</reportingPersonCIK>
<reportingPersonName>${person}</reportingPersonName><aggregateAmountOwned>${shares}</aggregateAmountOwned>
<percentOfClass>${percent}</percentOfClass></reportingPersonInfo></reportingPersons></formData></edgarSubmission>`
