/** Reads a company's file of all its facts: `api/xbrl/companyfacts/CIK##########.json`. */
import type { BulkRows } from '../../declare/series.ts'
import { type Json, JsonError } from '../../read/json.ts'
import { accession, count, cik as readCik } from '../../read/values.ts'
import { STORED } from './parse-tags.ts'

/** @param cik from the file's name, which identifies the company */
export function* rows(doc: Json, cik: string): BulkRows {
  const stated = doc.value('cik', readCik, 'is not a valid CIK')
  // Without this check, the figures of one company might be stored as those of another.
  if (stated !== null && stated !== cik) throw new JsonError(`the file of ${cik} is about ${stated}`)
  // The file of a company's profile has the same name as the file of its figures. If a profile were read here, the
  // figures would be erased.
  if (!doc.has('facts')) throw new JsonError('/facts is missing')
  yield ['company', { cik, entity_name: doc.text('entityName') }]
  const filings = new Set<unknown>()
  for (const [taxonomy, tags] of doc.maybe('facts')?.entries() ?? []) {
    for (const tag of tags.names()) {
      // Tags that feed no figure are not stored; they remain in the archive. A company has some 500 of them, with 18
      // times as many values as the stored tags.
      if (!STORED.has(`${taxonomy}:${tag}`)) tags.ignore(tag)
      else {
        for (const row of ofTag(tags.one(tag), { cik, taxonomy, tag })) {
          const { accession, form, filed_date } = row[1]
          if (!filings.has(accession)) yield ['filing', { cik, accession, form, filed_date }]
          filings.add(accession)
          yield row
        }
      }
    }
  }
}

function* ofTag(concept: Json, known: { cik: string; taxonomy: string; tag: string }): BulkRows {
  // The taxonomy's label and description of a tag are the same in every file.
  concept.ignore('label', 'description')
  const units = concept.maybe('units')
  if (units === null) return concept.problem('units', '', 'is missing: values of this tag are not known')
  for (const [unit, values] of units.entries()) {
    for (const value of values.items()) {
      const row = {
        ...known,
        unit,
        start_date: value.date('start'),
        end_date: value.date('end'),
        value: value.money('val'),
        accession: value.value('accn', accession, 'is not a valid accession number'),
        form: value.text('form'),
        filed_date: value.date('filed'),
        fy: value.value('fy', count, 'is not a valid year'),
        fp: value.text('fp'),
        frame: value.text('frame'),
      }
      const reason = leftOut(row, value)
      if (reason) value.problem(reason.of, reason.value, `the value is left out, since ${reason.says}`)
      else yield ['fact', row]
    }
  }
}

/** Returns the reason why a value is not stored; null for a complete value. */
function leftOut(
  row: Record<(typeof NEEDED)[number] | 'start_date', string | null>,
  value: Json,
): { of: string; value: string; says: string } | null {
  const { start_date, end_date } = row
  // An entry without its value, its last day or the data of its filing is useless. The problem names the position of
  // the entry.
  const absent = NEEDED.find((name) => row[name] === null)
  if (absent !== undefined) return { of: absent, value: '', says: 'this member of it is missing or not readable' }
  // Without its first day, a value of a period would look like a balance at a day.
  if (start_date === null && value.names().includes('start'))
    return { of: 'start', value: '', says: 'its first day cannot be read' }
  if (start_date !== null && start_date > end_date!)
    return { of: 'end', value: end_date!, says: `its period begins on ${start_date}` }
  return null
}

const NEEDED = ['end_date', 'value', 'accession', 'form', 'filed_date'] as const
