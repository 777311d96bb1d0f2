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
  sets: { type: 'boolean', help: 'reads quarterly data sets of the SEC instead of single submissions' },
  cik: {
    type: 'string',
    value: 'CIK,…',
    help: 'only filings of these filers: CIKs, tickers, "CRD 106482", ids of series or classes of funds; with companies and facts: only the files of these CIKs',
  },
  watch: {
    type: 'string',
    value: 'FILE',
    help: 'like --cik, but reads the filers from a file with one entry a line; # begins a comment',
  },
  brochure: {
    type: 'string',
    value: 'CRD/ID,…',
    help: 'single brochures of IAPD, each by the CRD number of its firm and its BRCHR_VRSN_ID',
  },
  retry: { type: 'boolean', help: 'also retry filings and PDFs that failed before' },
  submissions: {
    type: 'boolean',
    help: 'also read the submissions of filings that have their rows from quarterly sets',
  },
  again: { type: 'boolean', help: 'read again indexes and files that were read before' },
  'accept-gone': {
    type: 'boolean',
    help: 'accept a feed that lacks more than a quarter of the known firms or people, or has fewer parts than before',
  },
  originals: {
    type: 'boolean',
    help: 'keep all documents of fetched filings, including pictures and exhibits, and files that newer files replaced',
  },
  singly: {
    type: 'boolean',
    help: 'one request for each filing, even if EDGAR’s archives of whole days would take less time',
  },
  follow: {
    type: 'boolean',
    help: 'continues until it is stopped, and reads new filings when EDGAR reports them (FOLLOW_SECONDS)',
  },
  yes: { type: 'boolean', help: 'begins a long run without asking; its cost is still reported' },
  workers: { type: 'string', value: 'N', help: 'filings read in parallel (default: INGEST_WORKERS)' },
  ...VOICE_OPTIONS,
} as const

export default command({
  name: 'ingest',
  summary: 'loads filings of EDGAR and the files about advisers',
  usage: [
    'openfilings ingest [WHAT] [options]',
    'openfilings ingest [WHAT] --follow [options]',
    'openfilings ingest [WHAT] --cik CIK,TICKER,… | --watch FILE [--follow] [options]',
    'openfilings ingest adv [ADDRESS | FILE …] [options]',
    'openfilings ingest brochures [--brochure CRD/ID,… | ADDRESS | FILE …] [options]',
    'openfilings ingest companies | facts [--cik CIK,… | FILE …] [options]',
    'openfilings ingest thirteenf | ownership | … --sets | ADDRESS | SET.zip … [options]',
  ],
  about: `Reads EDGAR's indexes and every filing that a dataset can read, then the files about advisers. A run that was
killed continues where it stopped. The first real data replaces the bundled sample. For days with many wanted
filings the command downloads EDGAR's archive of the whole day in one request, if that is faster. After the
indexes it reports what reading the filings will cost (requests, time, bytes) and what would cost less; at a terminal
it asks for a confirmation before a run of more than a quarter of an hour or 2 GB, unless --yes is given.
With --cik or --watch it loads only the filings of the chosen filers, which it finds in their profiles at EDGAR_DATA_URL
and not in indexes; it does not load the files about advisers. Without --from it takes everything since their first
filing. An entry that means no filer is reported as a problem, and the filers of the other entries are loaded. A later
run asks only whether the profiles have changed.
"ingest adv" reads the files in the lists of ADVISERINFO_BASE_URL. The address of another list, or local files with
the same names, may be given instead. "ingest brochures" reads the monthly zips of PDFs in these lists, some hundred
megabytes each, or local zips and PDFs with the same names; it is not part of "all". With --brochure it
asks ADVISERINFO_FILES_URL for single PDFs.
"ingest thirteenf --sets" reads the quarterly sets that the SEC lists, as do nport, nmfp, ncen, ownership, formd
and crowdfunding; the address of another list or local files may be given instead. Filings that were read from
their submissions stay as they are. Filings whose rows are from sets are not fetched later, except with
--submissions.
"ingest companies" reads the zip with the JSON files of all companies. The zip has more than a gigabyte, so this load is
not part of "all". With --cik the command asks EDGAR_DATA_URL for the files of some companies; local files work too.
An older file does not replace the data of a newer one.
"ingest facts" does the same with the figures of companies.`,
  words: () => wordsOf('ingest'),
  options: OPTIONS,
  examples: [
    ['openfilings ingest formd --from 2026-11-01', 'only Form D from a day on, about 20 minutes per month of filings'],
    ['openfilings ingest --from 2026-11-20', 'everything from a day on; later runs without --from continue there'],
    [
      'openfilings ingest --follow',
      'new filings as they come, until it is stopped; the files about advisers are not part of it',
    ],
    [
      'openfilings ingest --cik AAPL,789019 --from 2026-11-01',
      'all families of two companies from a day on; --watch FILE takes the companies from a file',
    ],
    ['openfilings ingest formd --retry', 'only Form D, with filings that failed before'],
    ['openfilings ingest adv --quiet', 'the files about advisers, silent unless something goes wrong'],
    ['openfilings ingest thirteenf --sets --from 2024-01-01', 'Form 13F by quarters, not filing by filing'],
    ['openfilings ingest documents tenx --from 2026-01-01', 'the text of annual and quarterly reports since a day'],
    ['openfilings ingest index --json', 'only the indexes, with output for a program'],
  ],
  failure: 'something could not be read or was skipped, or the run ended early; the closing summary names it',
  statuses: [['130, 143', 'stopped by SIGINT or SIGTERM; what was committed stays']],
  work: () => import('./ingest-work.ts'),
})
