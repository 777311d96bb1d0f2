/** Does the work of `export`: writes the file, or shows the list. */
import path from 'node:path'
import { type App, open } from '../app.ts'
import { readOnly } from '../database.ts'
import { UserError } from '../declare/errors.ts'
import { exportTable } from '../export/export.ts'
import { FORMATS, type Format } from '../export/formats.ts'
import { daysHeld, estimates, held, isEmpty } from '../export/held.ts'
import type { Days, Offer } from '../export/offer.ts'
import { type Family, familiesOf, offerFor } from '../export/offers.ts'
import { stoppable } from '../export/stop.ts'
import { openTarget, STANDARD_OUTPUT } from '../export/target.ts'
import { originOf } from '../ingest/origin.ts'
import { nearest } from '../misspelt.ts'
import registry from '../registry.ts'
import { assertThere } from '../store/shape.ts'
import { olderError } from '../store/version.ts'
import { dayOption, type Run, refuseMore, type Values } from './command.ts'
import type { OPTIONS } from './export.ts'
import { listJson, listText } from './export-list.ts'
import { printJson, printLine } from './print.ts'
import { opened } from './progress/recorded.ts'
import { type Reporter, reporterOf } from './progress/reporter.ts'
import { number, size } from './progress.ts'

export const run: Run<typeof OPTIONS> = async ({ values, positionals }, config) => {
  const [slug, file, ...more] = positionals
  if (values.list || slug === undefined) return list(values, positionals, config)
  const wanted = wantedOf(values, slug, file)
  refuseMore('export', more)
  const reporter = reporterOf(values)
  return opened({ config, make: false, only: 'read', reporter }, ({ app, signal }) =>
    readOnly(app, `export ${slug}`, () => exported(wanted, { app, reporter, signal })),
  )
}

interface Wanted {
  family: Family
  offer: Offer
  days: Days | null
  format: Format
  file: string
  force: boolean
}

/** Checks the arguments before a database is opened. */
function wantedOf(values: Values<typeof OPTIONS>, slug: string, file: string | undefined): Wanted {
  const { family, offer } = offerFor(registry, slug, values.table)
  if (file === undefined || file === '')
    throw new UserError(
      `export needs a FILE, as in "openfilings export ${slug} ${slug}.csv"; the FILE - is standard output`,
    )
  const { format: named, to } = toOf(values.to ?? [], values.format)
  const from = dayOption('from', values.from)
  if (from && to && from > to) throw new UserError(`--from ${from} is after --to ${to}`)
  const days = from || to ? { from, to } : null
  if (days && !offer.within)
    throw new UserError(
      `${slug} ${offer.table} has no filing date, so it can only be exported as a whole: leave out --from and --to`,
    )
  if (values.json && file === STANDARD_OUTPUT)
    throw new UserError('--json and FILE - both write to standard output: give only one of them')
  return { family, offer, days, format: named ?? formatOf(file), file, force: values.force === true }
}

/** Reads the values of `--to`, which is a format or a day; each may be given at most once. */
function toOf(given: readonly string[], format: string | undefined): { format: Format | null; to: string | undefined } {
  const isDay = (text: string) => /^[\d-]+$/.test(text)
  const days = given.filter(isDay)
  const formats = [...given.filter((text) => !isDay(text)), ...(format === undefined ? [] : [format])]
  for (const name of formats) {
    if ((FORMATS as readonly string[]).includes(name)) continue
    const meant = nearest(name, FORMATS)
    throw new UserError(
      `${JSON.stringify(name)} is ${format === name ? 'not a format' : 'neither a format nor a day (YYYY-MM-DD)'}${meant ? `; did you mean ${meant}?` : `; available formats: ${FORMATS.join(', ')}`}`,
    )
  }
  if (days.length > 1) throw new UserError(`--to is given two days, ${days.join(' and ')}: give only one`)
  if (new Set(formats).size > 1)
    throw new UserError(`two formats are requested, ${formats.join(' and ')}: give only one`)
  return { format: (formats[0] as Format | undefined) ?? null, to: dayOption('to', days[0]) }
}

const ENDINGS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.parquet': 'parquet',
}

function formatOf(file: string): Format {
  const format = ENDINGS[path.extname(file).toLowerCase()]
  if (format) return format
  throw new UserError(
    `the format is not given: use --to ${FORMATS.join(', --to ')}, or a FILE that ends with ${Object.keys(ENDINGS).join(', ')}`,
  )
}

interface Parts {
  app: App
  reporter: Reporter
  signal: AbortSignal
}

async function exported(wanted: Wanted, { app, reporter, signal }: Parts): Promise<'done'> {
  const { family, offer, days, format, file, force } = wanted
  const { sql } = app
  assertCurrent(app, offer)
  if (await unlessStopped(signal, isEmpty(sql, family.main)))
    throw new UserError(`${family.slug} is not loaded: "${family.loadedBy}" loads it`)
  const target = await openTarget(file, force, signal)
  const began = performance.now()
  try {
    if ((await originOf(sql)) === 'sample')
      reporter.note('this is the bundled sample, which has only a selection of each family')
    const estimate = days ? null : (await estimates(sql, [offer.id])).get(offer.id) || null
    reporter.stage(`exporting ${offer.family} ${offer.table}: rows`, estimate)
    const onRows = (rows: number) => reporter.progress(rows)
    const { rows, wide } = await exportTable({ sql, target, signal, onRows }, { offer, days, format })
    // If the connection to the database is lost here, no file with the requested name exists yet, since the file gets
    // this name later.
    const nothing = rows === 0 ? await nothingText(app, wanted) : null
    await target.end()
    reporter.stage(null)
    const seconds = (performance.now() - began) / 1000
    for (const name of wide)
      reporter.note(
        `the column ${name} is written as text: one of its decimals has more digits than a decimal of Parquet can have`,
      )
    if (nothing !== null) reporter.note(nothing)
    const fields = {
      event: 'exported',
      family: offer.family,
      table: offer.table,
      format,
      rows,
      bytes: target.size,
      seconds: Math.round(seconds * 1000) / 1000,
    }
    const where = file === STANDARD_OUTPUT ? '' : `, ${file}`
    reporter.note(`${number(rows)} rows, ${size(target.size)} in ${seconds.toFixed(1)} s${where}`, fields)
    return 'done'
  } catch (error) {
    await target.discard()
    throw error
  }
}

/** Ends the wait when the signal aborts, since another session may lock the table for long. */
const unlessStopped = <T>(signal: AbortSignal, work: Promise<T>) =>
  stoppable<T>(signal, (resolve, reject) => work.then(resolve, reject))

/** @throws UserError if the tables in the database have another definition than the code */
function assertCurrent({ stale, lacking, shape }: App, { family }: Offer): void {
  if (lacking.missing.includes(family)) throw olderError(lacking, shape.version, `export ${family}`)
  const found = stale.find(({ slug, reason }) => slug === family && reason !== 'parser')
  if (!found) return
  assertThere([found])
  throw new UserError(
    `the tables of ${family} were made by another version: "openfilings rebuild ${family}" makes them again, as does the ` +
      'next "openfilings serve" or "openfilings ingest"',
  )
}

/** Explains why no row was found. */
async function nothingText({ sql }: App, { family, offer, days }: Wanted): Promise<string> {
  const name = `${offer.family} ${offer.table}`
  if (!days) return `${name} has no rows, though ${offer.family} is loaded`
  const span = [days.from && `from ${days.from}`, days.to && `to ${days.to}`].filter(Boolean).join(' ')
  const held = await daysHeld(sql, family.main)
  return `no row of ${name} was filed ${span}${held ? `: the loaded filings were filed from ${held.first} to ${held.last}` : ''}`
}

async function list(
  values: Values<typeof OPTIONS>,
  positionals: string[],
  config: Parameters<typeof open>[0],
): Promise<number> {
  const [slug, ...more] = positionals
  refuseMore('export --list', more)
  const families = slug === undefined ? familiesOf(registry) : [offerFor(registry, slug, values.table).family]
  const app = await open(config, { only: 'read' })
  try {
    const tables = families.flatMap((family) => family.tables)
    const rows = await readOnly(app, 'export --list', () => held(app.sql, tables))
    if (values.json) printJson(listJson(families, rows), 2)
    else printLine(listText(families, rows))
    return 0
  } finally {
    await app.close()
  }
}
