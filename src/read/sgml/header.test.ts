import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { corpus } from '../../../test/support/corpus.ts'
import { effortOf } from '../../../test/support/effort.ts'
import { type Header, readHeader } from './header.ts'

const MODERN = `<SEC-DOCUMENT>0001999999-24-000007.txt : 20240313
<SEC-HEADER>0001999999-24-000007.hdr.sgml : 20240313
<ACCEPTANCE-DATETIME>20240313150033
<PRIVATE-TO-PUBLIC>
CONFIRMING COPY:	
ACCESSION NUMBER:		0001999999-24-000007
CONFORMED SUBMISSION TYPE:	8-K
PUBLIC DOCUMENT COUNT:		3
CONFORMED PERIOD OF REPORT:	20240311
ITEM INFORMATION:		Other Events
ITEM INFORMATION:		Financial Statements and Exhibits
FILED AS OF DATE:		20240313
DATE AS OF CHANGE:		20240626
EFFECTIVENESS DATE:		20240314

FILER:

	COMPANY DATA:	
		COMPANY CONFORMED NAME:			SMITH &amp; JONES&#146; TRUST
		CENTRAL INDEX KEY:			1999999
		STANDARD INDUSTRIAL CLASSIFICATION:	MOTOR VEHICLES & PASSENGER CAR BODIES [3711]
		ORGANIZATION NAME:           	04 Manufacturing
		EIN:				380549190
		STATE OF INCORPORATION:			DE
		FISCAL YEAR END:			1231

	FILING VALUES:
		FORM TYPE:		8-K
		SEC ACT:		1934 Act
		SEC FILE NUMBER:	001-03950
		FILM NUMBER:		24745649

	BUSINESS ADDRESS:	
		STREET 1:		1 MAIN STREET
		STREET 2:		SUITE 2
		CITY:			DEARBORN
		STATE:			MI
		ZIP:			48126
		BUSINESS PHONE:		3133223000

	MAIL ADDRESS:	
		STREET 1:		PO BOX 9
		CITY:			DEARBORN
		STATE:			MI
		ZIP:			48121

	FORMER COMPANY:	
		FORMER CONFORMED NAME:	SMITH TRUST
		DATE OF NAME CHANGE:	19991213

	FORMER COMPANY:	
		FORMER CONFORMED NAME:	JONES CO
		DATE OF NAME CHANGE:	19870506
</SEC-HEADER>
`

const without = (header: Header) => ({ ...header, problems: [] })

test('reads every fact of a header, and lists no part of the header as a problem', () => {
  assert.deepEqual(readHeader(MODERN), {
    accession: '0001999999-24-000007',
    form: '8-K',
    filedDate: '2024-03-13',
    periodOfReport: '2024-03-11',
    acceptedAt: '2024-03-13T15:00:33-04:00',
    changedDate: '2024-06-26',
    effectiveDate: '2024-03-14',
    documentCount: 3,
    privateToPublic: true,
    confirmingCopy: true,
    items: ['Other Events', 'Financial Statements and Exhibits'],
    filers: [
      {
        role: 'filer',
        cik: '0001999999',
        name: 'SMITH & JONES’ TRUST',
        sic: '3711',
        sicDescription: 'MOTOR VEHICLES & PASSENGER CAR BODIES',
        irsNumber: '380549190',
        stateOfIncorporation: 'DE',
        fiscalYearEnd: '1231',
        formType: '8-K',
        act: '34',
        fileNumber: '001-03950',
        filmNumber: '24745649',
        businessAddress: {
          street1: '1 MAIN STREET',
          street2: 'SUITE 2',
          city: 'DEARBORN',
          state: 'MI',
          zip: '48126',
          phone: '3133223000',
        },
        mailAddress: { street1: 'PO BOX 9', street2: null, city: 'DEARBORN', state: 'MI', zip: '48121', phone: null },
        formerNames: [
          { name: 'SMITH TRUST', changedDate: '1999-12-13' },
          { name: 'JONES CO', changedDate: '1987-05-06' },
        ],
      },
    ],
    series: [],
    problems: [],
  })
})

test('doubled lines, CR LF and bare CR change nothing', () => {
  for (const eol of ['\n\n', '\r\n', '\r', '\r\n\r\n']) {
    assert.deepEqual(readHeader(MODERN.replaceAll('\n', eol)), readHeader(MODERN), JSON.stringify(eol))
  }
})

test('a foreign address has its code in the line of its province or country, as in headers of 2026', () => {
  const foreign = MODERN.replace(
    '\t\tSTREET 1:\t\t1 MAIN STREET',
    '\t\tADDRESS IS A NON US LOCATION: \tYES\n\t\tSTREET 1:\t\t1 MAIN STREET',
  ).replace('\t\tSTATE:\t\t\tMI', '\t\tNON US STATE TERRITORY:   \tONTARIO\n\t\tPROVINCE COUNTRY:   \tA6')
  const tags = `<FILER>
<COMPANY-DATA>
<CONFORMED-NAME>SPECIMEN AG
<CIK>0001999999
</COMPANY-DATA>
<MAIL-ADDRESS>
<ADDRESS-IS-A-NON-US-LOCATION>YES
<CITY>BERLIN
<PROVINCE-COUNTRY>2M
</MAIL-ADDRESS>
</FILER>
`
  const [read, ofTags] = [readHeader(foreign), readHeader(tags)]
  assert.deepEqual([read.filers[0]!.businessAddress!.state, read.filers[0]!.mailAddress!.state], ['A6', 'MI'])
  assert.equal(ofTags.filers[0]!.mailAddress!.state, '2M')
  assert.deepEqual([...read.problems, ...ofTags.problems], [])
})

test('stray closing tags and an industry code broken over two lines (2000) change nothing', () => {
  const strays = MODERN.replace('BODIES [3711]', 'BODIES [3711\n]')
    .replace('\n\tFILING VALUES', '</COMPANY-DATA>\n\n\t\tFILING VALUES')
    .replace('\n\tBUSINESS ADDRESS', '</FILING-VALUES>\n\n\t\t\tBUSINESS ADDRESS')
    .replace('\n\tMAIL ADDRESS', '</BUSINESS-ADDRESS>\n\n\t\t\t\tMAIL ADDRESS')
    .replace('</SEC-HEADER>', '</FORMER-COMPANY>\n</FILER>\n</SEC-HEADER>')
  assert.deepEqual(readHeader(strays), readHeader(MODERN))
  const joined = MODERN.replace('BODIES [3711]\n', 'BODIES [3711\n]').replace(
    'ORGANIZATION NAME:           	04 Manufacturing\n',
    '',
  )
  assert.deepEqual(readHeader(joined), readHeader(MODERN), 'the bracket is before the next key')
})

test('the angle tags of .nc files give the same facts, although their leaf tags are never closed', () => {
  const nc = `<SUBMISSION>
<ACCESSION-NUMBER>0001999999-24-000007
<TYPE>8-K
<PUBLIC-DOCUMENT-COUNT>3
<PERIOD>20240311
<ITEMS>8.01
<FILING-DATE>20240313
<DATE-OF-FILING-DATE-CHANGE>20240626
<EFFECTIVENESS-DATE>20240314
<FILER>
<COMPANY-DATA>
<CONFORMED-NAME>SMITH &amp; JONES&#146; TRUST
<CIK>0001999999
<ASSIGNED-SIC>3711
<ORGANIZATION-NAME>
<IRS-NUMBER>380549190
<STATE-OF-INCORPORATION>DE
<FISCAL-YEAR-END>1231
</COMPANY-DATA>
<FILING-VALUES>
<FORM-TYPE>8-K
<ACT>34
<FILE-NUMBER>001-03950
<FILM-NUMBER>24745649
</FILING-VALUES>
<BUSINESS-ADDRESS>
<STREET1>1 MAIN STREET
<STREET2>SUITE 2
<CITY>DEARBORN
<STATE>MI
<ZIP>48126
<PHONE>3133223000
</BUSINESS-ADDRESS>
<MAIL-ADDRESS>
<STREET1>PO BOX 9
<CITY>DEARBORN
<STATE>MI
<ZIP>48121
</MAIL-ADDRESS>
<FORMER-COMPANY>
<FORMER-CONFORMED-NAME>SMITH TRUST
<DATE-CHANGED>19991213
</FORMER-COMPANY>
<FORMER-COMPANY>
<FORMER-CONFORMED-NAME>JONES CO
<DATE-CHANGED>19870506
</FORMER-COMPANY>
</FILER>
`
  const modern = readHeader(MODERN)
  const expected = { ...modern, acceptedAt: null, privateToPublic: false, confirmingCopy: false, items: ['8.01'] }
  assert.deepEqual(readHeader(nc), expected)
  assert.deepEqual(readHeader(nc.replace(/^<\/.*\n/gm, '')), expected, 'no tag is closed')
})

test('an industry that is given only by its code has the words of EDGAR for the code, or none', () => {
  const industry = (line: string) => {
    const [filer] = readHeader(`${MODERN.split('FILER:')[0]}FILER:\n\n\tCOMPANY DATA:\n\t\t${line}\n`).filers
    return [filer!.sic, filer!.sicDescription]
  }
  const key = 'STANDARD INDUSTRIAL CLASSIFICATION:\t'
  assert.deepEqual(industry(`${key}[3711]`), ['3711', 'MOTOR VEHICLES & PASSENGER CAR BODIES'])
  assert.deepEqual(industry(`${key}MOTOR CARS [3711]`), ['3711', 'MOTOR CARS'])
  assert.deepEqual(industry(`${key}[0001]`), ['0001', null])
})

test('each company keeps its role, in all spellings of roles', () => {
  const company = (name: string, cik: string) =>
    `\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME:\t${name}\n\t\tCENTRAL INDEX KEY:\t${cik}\n`
  const header = readHeader(
    [
      'SUBJECT COMPANY:\n\n' + company('TARGET', '1'),
      'FILED BY:\n\n' + company('BIDDER', '2'),
      'ISSUER:\n\n' + company('ISSUING CO', '3'),
      'REPORTING-OWNER:\n\n' + company('DOE JANE', '4').replace('COMPANY DATA', 'OWNER DATA'),
      '<REPORTING-OWNER>\n\n' + company('ROE RICHARD', '5') + '<RELATIONSHIP>DIRECTOR\n</REPORTING-OWNER>',
      'FILED FOR:\t\t\n\n' + company('ADDRESSEE', '6'),
      'SERIAL COMPANY:\n\n' + company('TRUST 8', '7') + '</SERIAL-COMPANY>',
      '<ISSUING_ENTITY>\n<COMPANY-DATA>\n<CONFORMED-NAME>AUTO TRUST\n<CIK>8\n</COMPANY-DATA>\n</ISSUING_ENTITY>',
      'FILER:\n\n' + company('FILER A', '9'),
      'FILER:\n\n' + company('FILER B', '10'),
    ].join('\n'),
  )
  assert.deepEqual(header.problems, [])
  assert.deepEqual(
    header.filers.map(({ role, name, cik }) => [role, name, Number(cik)]),
    [
      ['subject company', 'TARGET', 1],
      ['filed by', 'BIDDER', 2],
      ['issuer', 'ISSUING CO', 3],
      ['reporting owner', 'DOE JANE', 4],
      ['reporting owner', 'ROE RICHARD', 5],
      ['filed for', 'ADDRESSEE', 6],
      ['serial company', 'TRUST 8', 7],
      ['issuing entity', 'AUTO TRUST', 8],
      ['filer', 'FILER A', 9],
      ['filer', 'FILER B', 10],
    ],
  )
})

const SERIES = `<SERIES-AND-CLASSES-CONTRACTS-DATA>
<EXISTING-SERIES-AND-CLASSES-CONTRACTS>
<SERIES>
<OWNER-CIK>0001000001
<SERIES-ID>S000000001
<SERIES-NAME>Old &amp; Tried Fund
<CLASS-CONTRACT>
<CLASS-CONTRACT-ID>C000000001
<CLASS-CONTRACT-NAME>Class A
<CLASS-CONTRACT-TICKER-SYMBOL>OLDAX
</CLASS-CONTRACT>
<CLASS-CONTRACT>
<CLASS-CONTRACT-ID>C000000002
<CLASS-CONTRACT-NAME>Class I
</CLASS-CONTRACT>
</SERIES>
</EXISTING-SERIES-AND-CLASSES-CONTRACTS>
<NEW-SERIES-AND-CLASSES-CONTRACTS>
<OWNER-CIK>0001000002
<NEW-SERIES>
<SERIES-ID>S000000002
<SERIES-NAME>First New Fund
<CLASS-CONTRACT>
<CLASS-CONTRACT-ID>C000000003
<CLASS-CONTRACT-NAME>First
</CLASS-CONTRACT>
</NEW-SERIES>
<NEW-SERIES>
<SERIES-ID>S000000003
<SERIES-NAME>Second New Fund
</NEW-SERIES>
<NEW-CLASSES-CONTRACTS>
<SERIES-ID>S000000004
<CLASS-CONTRACT>
<CLASS-CONTRACT-ID>C000000004
<CLASS-CONTRACT-NAME>Class Z
</CLASS-CONTRACT>
</NEW-CLASSES-CONTRACTS>
</NEW-SERIES-AND-CLASSES-CONTRACTS>
<MERGER-SERIES-AND-CLASSES-CONTRACTS>
<MERGER>
<ACQUIRING-DATA>
<CIK>0001000003
<SERIES>
<SERIES-ID>S000000005
</SERIES>
</ACQUIRING-DATA>
<TARGET-DATA>
<CIK>0001000004
<SERIES>
<SERIES-ID>S000000006
</SERIES>
</TARGET-DATA>
</MERGER>
</MERGER-SERIES-AND-CLASSES-CONTRACTS>
</SERIES-AND-CLASSES-CONTRACTS-DATA>
`

test('a fund series has its status (new, existing or merging), its owner and its classes', () => {
  const expected = [
    {
      status: 'existing',
      ownerCik: '0001000001',
      seriesId: 'S000000001',
      name: 'Old & Tried Fund',
      classes: [
        { id: 'C000000001', name: 'Class A', ticker: 'OLDAX' },
        { id: 'C000000002', name: 'Class I', ticker: null },
      ],
    },
    {
      status: 'new',
      ownerCik: '0001000002',
      seriesId: 'S000000002',
      name: 'First New Fund',
      classes: [{ id: 'C000000003', name: 'First', ticker: null }],
    },
    { status: 'new', ownerCik: '0001000002', seriesId: 'S000000003', name: 'Second New Fund', classes: [] },
    {
      status: 'new classes',
      ownerCik: '0001000002',
      seriesId: 'S000000004',
      name: null,
      classes: [{ id: 'C000000004', name: 'Class Z', ticker: null }],
    },
    { status: 'acquiring', ownerCik: '0001000003', seriesId: 'S000000005', name: null, classes: [] },
    { status: 'target', ownerCik: '0001000004', seriesId: 'S000000006', name: null, classes: [] },
  ]
  const inHeader = readHeader(MODERN.replace('</SEC-HEADER>', `${SERIES}</SEC-HEADER>`))
  assert.deepEqual(inHeader.series, expected)
  assert.deepEqual(inHeader.problems, [])
  assert.equal(inHeader.filers[0]!.cik, '0001999999', 'the CIKs of merging funds are not the filer’s')
  assert.deepEqual(readHeader(SERIES.replaceAll('\n', '\r')).series, expected)
  assert.deepEqual(readHeader(SERIES.replace(/^<\/.*\n/gm, '')).series, expected, 'no tag is closed')
})

test('accessions of other submissions are not mistaken for the accession of the submission itself', () => {
  const others = '<MULTI-ACCESSION-NUMBERS>\nACCESSION NUMBER:\t0001999999-24-000001\n</MULTI-ACCESSION-NUMBERS>\n'
  const header = readHeader(
    MODERN.replace('<ACCEPTANCE', `${others}<ACCEPTANCE`).replace(
      'FILER:',
      'WITHDRAWN ACCESSION NUMBER: \t0001999999-24-000002\n\nFILER:',
    ),
  )
  assert.equal(header.accession, '0001999999-24-000007')
  assert.deepEqual(header.problems, [])
})

test('acceptance is New York time with the offset of that moment', () => {
  const accepted = (digits: string) => readHeader(`<ACCEPTANCE-DATETIME>${digits}`).acceptedAt
  assert.equal(accepted('20240313150033'), '2024-03-13T15:00:33-04:00')
  assert.equal(accepted('20240105170048'), '2024-01-05T17:00:48-05:00')
  // In 2006, clocks still changed on the first Sunday of April and the last Sunday of October.
  assert.equal(accepted('20060402013000'), '2006-04-02T01:30:00-05:00')
  assert.equal(accepted('20061028120000'), '2006-10-28T12:00:00-04:00')
  assert.equal(
    accepted('20241103013000'),
    '2024-11-03T01:30:00-04:00',
    'the hour that comes twice is read as the first',
  )
  assert.equal(accepted('20241103023000'), '2024-11-03T02:30:00-05:00')
})

test('a value that cannot be read is null and is listed as a problem', () => {
  const header = readHeader(
    MODERN.replace('20240311', '20240231')
      .replace('<ACCEPTANCE-DATETIME>20240313150033', '<ACCEPTANCE-DATETIME>20240313256033')
      .replace('\t\t3\n', '\t\tmany\n'),
  )
  assert.equal(header.periodOfReport, null)
  assert.equal(header.acceptedAt, null)
  assert.equal(header.documentCount, null)
  assert.deepEqual(header.problems, [
    'ACCEPTANCE DATETIME is not a valid time: 20240313256033',
    'PUBLIC DOCUMENT COUNT is not a number: many',
    'CONFORMED PERIOD OF REPORT is not a valid day: 20240231',
  ])
})

test('unknown lines and repeated values are listed as problems and do not change the facts', () => {
  const header = readHeader(
    MODERN.replace('FILER:', 'NEW FANGLED KEY:\t7\nfree text\nCONFORMED SUBMISSION TYPE:\t10-K\n\nFILER:'),
  )
  assert.deepEqual(without(header), without(readHeader(MODERN)))
  assert.deepEqual(header.problems, [
    'unknown line: NEW FANGLED KEY: 7',
    'unreadable line: free text',
    'another CONFORMED SUBMISSION TYPE: 10-K',
  ])
})

test('a repeated header adds no facts and is reported', () => {
  const once = readHeader(MODERN)
  const block = MODERN.slice(MODERN.indexOf('<SEC-HEADER>'))
  assert.deepEqual(readHeader(`${MODERN}\n</SEC-HEADER>\n${block}`), {
    ...once,
    problems: ['the header appears twice'],
  })
  const nc = '<SUBMISSION>\n<ACCESSION-NUMBER>0001999999-24-000007\n<TYPE>D\n<FILER>\n<COMPANY-DATA>\n<CIK>0000000007\n'
  const twice = readHeader(nc + nc)
  assert.deepEqual({ ...twice, problems: [] }, readHeader(nc))
  assert.deepEqual(twice.problems, ['the header appears twice'])
  assert.equal(readHeader(nc + nc + nc).filers.length, 1)
})

test('a second header gives the facts that the first lacks, and a contradiction is a problem', () => {
  const block = MODERN.slice(MODERN.indexOf('<SEC-HEADER>'))
  const other = block
    .replace('8-K\nPUBLIC', '8-K/A\nPUBLIC')
    .replace('Other Events', 'Regulation FD Disclosure')
    .replace('1999999\n', '1999998\n')
  const { problems, ...facts } = readHeader(`${MODERN}\n${other}`)
  const { problems: _, ...first } = readHeader(MODERN)
  assert.deepEqual(facts, first)
  assert.deepEqual(problems.slice(0, 2), [
    'the header appears twice',
    'second header: another items: "Regulation FD Disclosure"',
  ])
  assert.match(problems[2]!, /^second header: another filers: \{"role":"filer","cik":"0001999998"/)
  assert.equal(problems[3], 'second header: another form: "8-K/A"')
  const empty = readHeader(`<SEC-HEADER>\n</SEC-HEADER>\n${block}`)
  assert.deepEqual({ ...empty, problems: [] }, { ...first, problems: [] })
  const rubbish = readHeader(`${MODERN}\n<SEC-HEADER>\nNONSENSE LINE: x`)
  assert.deepEqual(rubbish.problems, ['the header appears twice', 'second header: unknown line: NONSENSE LINE: x'])
})

test('a header that begins forty thousand times is read as a single header', async () => {
  const ms = await effortOf(() => {
    const header = readHeader(`${MODERN}\n${'<SEC-HEADER>\n'.repeat(40_000)}`)
    assert.deepEqual(header.problems, ['the header appears twice'])
    assert.equal(header.filers.length, 1)
  })
  assert.ok(ms < 5000, `${ms} ms`)
})

test('a header of rubbish has a bounded list of problems', () => {
  assert.ok(readHeader('rubbish '.repeat(100).concat('\n').repeat(5000)).problems.length <= 101)
})

test('empty items, and a number of zeros alone, give no values', () => {
  const header = readHeader(
    MODERN.replace('\t\tOther Events', '\t\t').replace('380549190', '000000000').replace('BODIES [3711]', '[]'),
  )
  assert.deepEqual(header.items, ['Financial Statements and Exhibits'])
  assert.equal(header.filers[0]!.irsNumber, null)
  assert.equal(header.filers[0]!.sic, null)
  assert.deepEqual(header.problems, [])
})

test('the items and the period of a Form SD are read from its rules, in either spelling', () => {
  const lines = [
    '<RULE>',
    '<ITEM>1.01',
    '<PERIOD>20251231',
    '</RULE>',
    '<RULE>',
    '<ITEM>1.02',
    '<PERIOD>20251231',
    '</RULE>',
  ]
  for (const text of [lines.join('\n'), 'RULE:\nITEM:\t1.01\nPERIOD:\t20251231\nRULE:\nITEM:\t1.02\n']) {
    const { items, periodOfReport, problems } = readHeader(text)
    assert.deepEqual([items, periodOfReport, problems], [['1.01', '1.02'], '2025-12-31', []])
  }
  // Rule 13q-1 may have another fiscal year.
  const two = '<RULE>\n<ITEM>1.01\n<PERIOD>20251231\n</RULE>\n<RULE>\n<ITEM>2.01\n<PERIOD>20250930\n</RULE>'
  assert.deepEqual([readHeader(two).periodOfReport, readHeader(two).problems], ['2025-12-31', []])
  const others = readHeader('<PERIOD>20251231\n<PERIOD>20250930')
  assert.deepEqual(others.problems, ['another CONFORMED PERIOD OF REPORT: 2025-09-30'])
})

test('keys of asset-backed securities and of processing are not problems, in either spelling, but unknown keys are', () => {
  for (const key of ['NO-INITIAL-PERIOD-ACTIVITY', 'ABS-SUB-ASSET-CLASS', 'RECEIVED-DATE', 'PUBLIC-REFERENCE-ACC'])
    for (const line of [`<${key}>20260101`, `${key.replaceAll('-', ' ')}:\t\t20260101`])
      assert.deepEqual(readHeader(line).problems, [], line)
  assert.deepEqual(readHeader('<MADE-UP-KEY>1').problems, ['unknown line: MADE UP KEY: 1'])
})

test('removes a stray tag inside an item line', () => {
  assert.deepEqual(readHeader('ITEM INFORMATION:\t\t<ITEMS>06b').items, ['06b'])
})

test('the real headers of the corpus are read whole', { skip: corpus.skip }, () => {
  const folder = path.join(corpus.folder, 'sgml-header')
  const filers: Record<string, number> = {}
  for (const name of readdirSync(folder)) {
    const header = readHeader(readFileSync(path.join(folder, name), 'latin1'))
    assert.deepEqual(header.problems, [], name)
    assert.ok(header.accession && header.form && header.filedDate, name)
    for (const { cik, name: company } of header.filers) assert.ok(cik && company, name)
    filers[name] = header.filers.length
  }
  assert.deepEqual(filers, {
    '0001172661-23-003414.header.txt': 1,
    '1990sheader.txt': 2,
    'BankOfAmerica.424B5.header.txt': 2,
    'Midcap.40App.header.txt': 239,
    'MultipleFilersHeader.txt': 2,
    'MultipleFormerCompaniesHeader.txt': 1,
    'header_with_double_newlines.txt': 2,
    'secheader.4.evercommerce.txt': 2,
    'secheader.424B5.abeona.txt': 1,
    'secheader.N2A.goldman.txt': 1,
  })
})
