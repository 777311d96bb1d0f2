/** `ingest`: loads indexes into the spine, pending filings by their parsers, and bulk files. */
import { command, VOICE_OPTIONS } from './command.ts'
import { wordsOf } from './words.ts'

export const OPTIONS = {
  from: {
    type: 'string',
    value: 'DATE',
    help: 'first day, YYYY-MM-DD (default: the quarter of the newest index read)',
  },
  to: { type: 'string', value: 'DATE', help: 'last day (default: today)' },
  'base-url': {
    type: 'string',
    value: 'URL',
    help: 'where everything comes from, instead of EDGAR_BASE_URL, EDGAR_DATA_URL, ADVISERINFO_BASE_URL and ADVISERINFO_FILES_URL; loopback hosts need no contact and are not throttled',
  },
  sets: { type: 'boolean', help: 'the sets of many filings that the SEC lists, instead of submissions' },
  cik: { type: 'string', value: 'CIK,…', help: 'files of these companies alone, instead of the zip with all' },
  brochure: {
    type: 'string',
    value: 'CRD/ID,…',
    help: 'single brochures of IAPD, each by the CRD number of its firm and its BRCHR_VRSN_ID',
  },
  retry: { type: 'boolean', help: 'also take up filings and PDFs that failed before' },
  again: { type: 'boolean', help: 'read indexes and files again that were read before' },
  'accept-gone': {
    type: 'boolean',
    help: 'believe a feed that lacks a quarter of the firms or people that are known, or comes in fewer parts than before',
  },
  originals: {
    type: 'boolean',
    help: 'keep all documents of the filings that are fetched, pictures and exhibits too, and files that newer ones stand for',
  },
  singly: {
    type: 'boolean',
    help: 'a request for each filing, also where EDGAR’s archives of whole days would take less time',
  },
  follow: {
    type: 'boolean',
    help: 'continues until it is stopped: new filings as EDGAR reports them (FOLLOW_SECONDS)',
  },
  yes: { type: 'boolean', help: 'begins a long run without a question; its cost is reported all the same' },
  workers: { type: 'string', value: 'N', help: 'filings read in parallel (default: INGEST_WORKERS)' },
  ...VOICE_OPTIONS,
} as const

export default command({
  name: 'ingest',
  summary: 'loads filings of EDGAR and the files about advisers',
  usage: [
    'openfilings ingest [WHAT] [options]',
    'openfilings ingest [WHAT] --follow [options]',
    'openfilings ingest adv [ADDRESS | FILE …] [options]',
    'openfilings ingest brochures [--brochure CRD/ID,… | ADDRESS | FILE …] [options]',
    'openfilings ingest companies | facts [--cik CIK,… | FILE …] [options]',
    'openfilings ingest thirteenf | nport | nmfp | ncen --sets | ADDRESS | SET.zip … [options]',
  ],
  about: `Reads EDGAR's indexes and every filing that a dataset can read, then the files about advisers. Killed at any point,
it continues where it was. The first real data takes the place of the bundled sample, which stands until then.
Days of many wanted filings come in EDGAR's archives of whole days, a request each, where that takes less time.
After the indexes it reports what reading the filings will cost (requests, time, bytes) and what would cost less; at a
terminal it asks for a confirmation before a run of more than a quarter of an hour or 2 GB, unless --yes is given.
"ingest adv" reads the lists of ADVISERINFO_BASE_URL; instead of these it takes the address of another list, or local files
of the same names. "ingest brochures" takes the monthly zips of PDFs from these lists, some hundred megabytes each, or local
zips and PDFs of the same names; it is not part of "all" either. With --brochure it asks ADVISERINFO_FILES_URL for single
PDFs.
"ingest thirteenf --sets" reads the quarterly sets that the SEC lists, as do nport, nmfp and ncen; the
address of another list or local files may be given instead. A filing that was read from its submission stays as it is.
"ingest companies" reads the zip with the JSON files of all companies, which has more than a gigabyte and so is not part of
"all"; with --cik it asks EDGAR_DATA_URL for the files of some, and it takes local files. What a newer file said stays.
"ingest facts" does the same with their figures.`,
  words: () => wordsOf('ingest'),
  options: OPTIONS,
  examples: [
    ['openfilings ingest formd --from 2026-11-01', 'Form D alone since a day, some 20 minutes a month'],
    ['openfilings ingest --from 2026-11-20', 'everything since a day; later runs without --from continue there'],
    [
      'openfilings ingest --follow',
      'new filings as they come, until it is stopped; the files about advisers are not part of it',
    ],
    ['openfilings ingest formd --retry', 'Form D alone, with what failed before'],
    ['openfilings ingest adv --quiet', 'the files about advisers, silent unless something goes wrong'],
    ['openfilings ingest thirteenf --sets --from 2024-01-01', 'Form 13F by quarters, not filing by filing'],
    ['openfilings ingest documents tenx --from 2026-01-01', 'the text of annual and quarterly reports since a day'],
    ['openfilings ingest index --json', 'the indexes alone, reported to a program'],
  ],
  failure: 'something could not be read or was skipped, or the run ended early; the closing summary names it',
  statuses: [['130, 143', 'stopped by SIGINT or SIGTERM; what was committed stays']],
  work: () => import('./ingest-work.ts'),
})
