/** Filters of the feed of events, as parameters of requests and as settings of webhooks. */
import { z } from 'zod'
import { apiError } from '../../declare/api-errors.ts'
import type { Catalog } from '../../declare/catalog.ts'
import { familyMeant } from '../../declare/family-meant.ts'
import { cik, list } from '../../declare/route.ts'
import { notKnown } from '../../misspelt.ts'
import { assertFamilies, assertFormsOf } from '../../serve/known.ts'
import type { EventFilter } from './queries.ts'

const slug = z.string().max(40)

export const FILTERS = {
  source: list(
    slug,
    'Sources of the events: filings for the index of EDGAR, or datasets such as formd and adv',
  ).optional(),
  family: list(slug, 'Slugs of families, as /filings/families lists them').optional(),
  // EDGAR writes forms in capitals, so a filter on 8-k would never match.
  form: list(
    z
      .string()
      .max(20)
      .overwrite((code) => code.toUpperCase()),
    'Form codes in any case; 10-K does not include 10-K/A',
  ).optional(),
  cik: list(cik, 'CIKs of filers, with or without leading zeros').optional(),
}

/** Parsed filters: each is a list, or absent. */
export type Filters = z.output<z.ZodObject<typeof FILTERS>>

/**
 * Returns these filters as conditions on events of the log.
 *
 * @throws HttpError 400 for an unknown source or family
 */
export function wantedOf(catalog: Catalog, { source, family, form, cik }: Filters): EventFilter {
  if (source) assertSources(catalog, source)
  const sources = source ?? null
  const codes = formsOf(catalog, family, form)
  return { sources, forms: codes && { codes, readBy: readersOf(catalog, codes) }, ciks: cik ?? null }
}

/** The datasets that read filings of one of these forms. */
function readersOf(catalog: Catalog, forms: readonly string[]): string[] {
  const codes = new Set(forms)
  return catalog.filings.filter(({ source }) => source.forms.some((form) => codes.has(form))).map(({ slug }) => slug)
}

/**
 * Refuses filters that no event can meet, since a client or a webhook with such filters would wait for ever. Filters of
 * existing webhooks are not checked, so that their deliveries continue.
 *
 * @throws HttpError 400 if no requested form belongs to the requested families
 */
export const assertPossible = (catalog: Catalog, { family, form }: Filters): void =>
  assertFormsOf(catalog, form, family)

function assertSources(catalog: Catalog, given: readonly string[]): void {
  const all = ['filings', ...catalog.datasets.map(({ slug }) => slug)]
  const wrong = given.find((each) => !all.includes(each))
  if (wrong === undefined) return
  const read = familyMeant(wrong, catalog.families)?.dataset?.slug
  const reason = notKnown(wrong, 'source', all, read === undefined ? {} : { meant: [read] })
  throw apiError('invalid_parameter', { parameter: 'source', reason })
}

/** Returns the forms of the families, restricted to the requested forms if there are any. */
function formsOf(catalog: Catalog, families: readonly string[] | undefined, forms: readonly string[] | undefined) {
  if (!families) return forms ?? null
  assertFamilies(catalog, families)
  const own = families.flatMap((each) => catalog.family(each)!.forms)
  return forms ? own.filter((form) => forms.includes(form)) : own
}
