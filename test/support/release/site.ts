/**
 * Makes the sources of a release's database from that version's own sample: `EACH` filings of each form, sets written
 * from further filings, and everything else in the sample, except that figures are only those of `COMPANY`.
 */
import { cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { filings, quarterlySet } from '../../../bench/thirteenf-sets.ts'
import { quarterlySets as ncen } from '../../../src/datasets/ncen/sets.ts'
import { monthlySets as nmfp } from '../../../src/datasets/nmfp/sets.ts'
import { quarterlySets as nport } from '../../../src/datasets/nport/sets.ts'
import { quarterlySets as thirteenf } from '../../../src/datasets/thirteenf/sets.ts'
import type { SetsSource } from '../../../src/declare/sets.ts'
import { writeZip } from '../bulk-world.ts'
import { linesOf as ncenLines } from '../sets/ncen.ts'
import { linesOf as nmfpLines } from '../sets/nmfp.ts'
import { linesOf as nportLines } from '../sets/nport.ts'
import { documentOf, Written } from '../sets/written.ts'

/** Number of filings of a form that are loaded from their submissions. */
const EACH = 1
/** Maximum size of a submission, in bytes: larger real reports of funds add nothing but volume. */
const LARGE = 25_000
/** The company whose figures are loaded. */
const COMPANY = '320193'
const FACTS = 'api/xbrl/companyfacts'
/** Address of the N-MFP sets in older versions. */
const FORMER_LIST = '/data-research/sec-markets-data/form-n-mfp-data-sets'

/** CIK of the filer of the filing that EDGAR removes. No other filing has its form. */
export const GONE = '9000000099'
/** Form of the filing that EDGAR removes: no dataset reads this form, and no filing of the sample has it. */
const GONE_FORM = 'CERTNYS'
/** Modification time of the site's files. The dates of some files are taken from it. */
export const CHANGED = new Date('2000-01-01T00:00:00Z')

/** A filing as listed in an index. */
interface Listed {
  line: string
  form: string
  filed: string
  accession: string
  /** Its file in the site. */
  file: string
}

/**
 * Makes the site.
 *
 * @param sample the bundled sample of the version
 * @returns the path of an index, and its text with and without the filing that EDGAR removes
 */
export async function makeSite(
  sample: string,
  site: string,
): Promise<{ index: string; with: string; without: string }> {
  await cp(sample, site, { recursive: true })
  for (const file of await readdir(path.join(site, FACTS)))
    if (!file.includes(COMPANY)) await rm(path.join(site, FACTS, file))
  const indexes = await indexesOf(site)
  const all = [...indexes.values()].flatMap(({ listed }) => listed).reverse()
  const kept = new Set<string>()
  const counts = new Map<string, Set<string>>()
  const isSmall = new Map<string, boolean>()
  for (const { file } of all) isSmall.set(file, (await readFile(file)).length <= LARGE)
  for (const { form, accession, file } of all) {
    const own = counts.get(form) ?? new Set()
    counts.set(form, own.add(accession))
    if (own.size <= EACH && isSmall.get(file)) kept.add(accession)
  }
  const others = all.filter(({ accession, file }) => !kept.has(accession) && isSmall.get(file))
  await writeSets(
    site,
    all.filter(({ accession }) => kept.has(accession)),
    others,
  )
  for (const { accession, file } of all) if (!kept.has(accession)) await rm(file, { force: true })
  for (const [index, { head, listed }] of indexes) {
    const lines = listed.filter(({ accession }) => kept.has(accession)).map(({ line }) => line)
    await writeFile(index, `${[...head, ...lines].join('\n')}\n`)
  }
  const [index] = [...indexes.keys()].slice(-1)
  const without = await readFile(index!, 'utf8')
  const gone = `${GONE}|OpenFilings Specimen Gone LLC|${GONE_FORM}|2026-07-02|edgar/data/${GONE}/${GONE}-26-000001.txt`
  for (const file of await readdir(site, { recursive: true })) await utimes(path.join(site, file), CHANGED, CHANGED)
  return { index: index!, with: `${without}${gone}\n`, without }
}

/** Returns the indexes of all quarters, in order. */
async function indexesOf(site: string): Promise<Map<string, { head: string[]; listed: Listed[] }>> {
  const folder = path.join(site, 'Archives/edgar/full-index')
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('master.idx')).sort()
  const indexes = new Map<string, { head: string[]; listed: Listed[] }>()
  for (const name of files) {
    const lines = (await readFile(path.join(folder, name), 'utf8')).trimEnd().split('\n')
    const isFiling = (line: string) => line.endsWith('.txt')
    const listed = lines.filter(isFiling).map((line): Listed => {
      const [, , form, filed, at] = line.split('|')
      return {
        line,
        form: form!,
        filed: filed!,
        accession: path.basename(at!, '.txt'),
        file: path.join(site, 'Archives', at!),
      }
    })
    indexes.set(path.join(folder, name), { head: lines.filter((line) => !isFiling(line)), listed })
  }
  return indexes
}

/**
 * Writes sets: the kept filings in a set are also read from their submissions, and the other filings have no other
 * source.
 */
async function writeSets(site: string, kept: readonly Listed[], others: readonly Listed[]): Promise<void> {
  const of = (forms: RegExp) =>
    [kept, others].flatMap((some) => some.filter(({ form }) => forms.test(form)).slice(0, 2))
  const written = (forms: RegExp, lines: (one: Listed) => Written): Written => {
    const all = new Written()
    for (const one of of(forms)) {
      for (const [member, some] of lines(one).members) for (const line of some) all.add(member, line)
    }
    return all
  }
  const put = async (source: SetsSource, name: string, members: Record<string, string>) => {
    const [lists, file] = [[source.list, ...(source === nmfp ? [FORMER_LIST] : [])], `/files/sets/${name}`]
    await mkdir(path.join(site, 'files/sets'), { recursive: true })
    await writeZip(path.join(site, file), members)
    for (const list of lists) {
      await mkdir(path.join(site, path.dirname(list)), { recursive: true })
      await writeFile(path.join(site, list), `<!DOCTYPE html>\n<a href="${file}">${name}</a>\n`)
    }
  }
  const census = written(/^N-CEN/, ({ file, accession, filed }) => ncenLines(documentOf(file), accession, filed))
  await put(ncen, '2022q1_ncen.zip', census.texts(ncen))
  const money = written(/^N-MFP/, ({ file, accession, form, filed }) =>
    nmfpLines(documentOf(file), accession, form, filed),
  )
  await put(nmfp, '20160701-20160930_nmfp.zip', money.texts(nmfp))
  // The last report gets a filing date before the end of its period. The program then treats the end of the period as a
  // mistake and ignores it.
  const slip = of(/^NPORT-P/).at(-1)
  const portfolios = written(/^NPORT-P/, (one) =>
    nportLines(documentOf(one.file), one.accession, one === slip ? '2021-01-04' : one.filed),
  )
  await put(nport, '2022q1_nport.zip', portfolios.texts(nport))
  const members: Record<string, string> = {}
  for (const [name, text] of quarterlySet([...filings(4, { seed: 7, period: '2023-12-31', lines: 5 })]))
    members[`${name}.tsv`] = (members[`${name}.tsv`] ?? '') + text
  await put(thirteenf, '2024q1_form13f.zip', members)
}
