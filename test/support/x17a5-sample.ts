/**
 * Makes the annual report of the sample's invented broker-dealer, a PDF next to its cover:
 *
 *     node test/support/x17a5-sample.ts
 * writes it into the submission. A test fails if the committed file differs from this output.
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { uuencoded } from './documents-made.ts'
import { documentPdf } from './pdf/made.ts'

const PDF = documentPdf({
  footer: 'OpenFilings Specimen Securities LLC',
  parts: [
    { title: 'OpenFilings Specimen Securities LLC' },
    { text: 'Financial report for the year ended December 31, 2018. A specimen: no such firm exists.' },
    { heading: 'Report of Independent Registered Public Accounting Firm' },
    {
      text: 'We have audited the statement of financial condition of OpenFilings Specimen Securities LLC. In our opinion it presents fairly, in all material respects, the financial position of the firm.',
    },
    { heading: 'Statement of Financial Condition' },
    {
      table: [
        ['Assets', 'December 31, 2018'],
        ['Cash', '$ 412,300'],
        ['Receivable from clearing broker', '88,150'],
        ['Total assets', '$ 500,450'],
      ],
      ruled: true,
    },
    { heading: 'Compliance Report' },
    {
      text: 'A material weakness is a deficiency, or several together, that makes it reasonably possible that a failure to comply with the rules is not prevented in time.',
    },
    {
      text: 'In August 2018 the firm identified a material weakness in its count of customer securities: two counts were not compared with the records. It was corrected in September by a second reviewer.',
    },
  ],
})

/** Returns the submission with the report as its second document, in place of an existing one. */
export function withReport(submission: string): string {
  const cover = submission.replace(/<DOCUMENT>\n<TYPE>FULL\n[\s\S]*?<\/DOCUMENT>\n/, '')
  const report = `<DOCUMENT>\n<TYPE>FULL\n<SEQUENCE>2\n<FILENAME>full.pdf\n<DESCRIPTION>FINANCIAL REPORT\n<TEXT>\n${uuencoded('full.pdf', PDF)}\n</TEXT>\n</DOCUMENT>\n`
  return cover
    .replace('PUBLIC DOCUMENT COUNT:\t\t1\n', 'PUBLIC DOCUMENT COUNT:\t\t2\n')
    .replace('</SEC-DOCUMENT>', `${report}</SEC-DOCUMENT>`)
}

export const SUBMISSION = path.join(
  import.meta.dirname,
  '../../sample/Archives/edgar/data/9000000017/9000000017-19-000001.txt',
)

if (import.meta.main) await writeFile(SUBMISSION, withReport(await readFile(SUBMISSION, 'utf8')), 'utf8')
