/**
 * Refuses values that no row can have, and suggests similar values. If such a value gave an empty list, the list would
 * wrongly suggest that there are no such filings.
 */
import { apiError } from '../declare/api-errors.ts'
import type { Catalog } from '../declare/catalog.ts'
import { familyMeant } from '../declare/family-meant.ts'
import { notKnown } from '../misspelt.ts'
import { ITEM_CODES } from '../read/sgml/items.ts'
import type { Sql } from '../store/db.ts'

/**
 * Words that people write before a code (Form 4, Schedule 13D), each with the prefix that a code may have in its place.
 * In December 2024, SC 13D became SCHEDULE 13D, so a request for one of the two codes does not find the filings with
 * the other code.
 */
const BEFORE = { FORM: '', SCHEDULE: 'SC', SC: 'SCHEDULE' }

/**
 * Forms that a family of the catalog claims. The list is cached, since otherwise every request for /filings would
 * collect it again.
 */
const claimedIn = new WeakMap<Catalog, ReadonlySet<string>>()

function claimedBy(catalog: Catalog): ReadonlySet<string> {
  const known = claimedIn.get(catalog)
  if (known) return known
  const claimed = new Set(catalog.families.flatMap(({ forms }) => forms))
  claimedIn.set(catalog, claimed)
  return claimed
}

/** Accepts only forms that a family claims, amendments of such forms, and other forms that a listed filing has. */
export async function assertForms(sql: Sql, catalog: Catalog, given: readonly string[] | undefined): Promise<void> {
  if (given === undefined) return
  const claimed = claimedBy(catalog)
  const isClaimed = (form: string) => claimed.has(form) || claimed.has(form.replace(/\/A$/, ''))
  const others = given.filter((form) => !isClaimed(form))
  if (others.length === 0) return
  let wrong: string | undefined
  for (const form of others) {
    const [row] = await sql`select from edgar.filing where form_type = ${form} limit 1`
    if (!row) wrong ??= form
  }
  if (wrong === undefined) return
  const several = severalIn(wrong)
  if (several !== null) throw apiError('invalid_parameter', { parameter: 'form', reason: several })
  const listed = await sql<{ form_type: string }[]>`select form_type from edgar.coverage where filings > 0`
  const known = [...claimed, ...listed.map(({ form_type }) => form_type)]
  const where = '/v1/filings/families has the form types of each family'
  const reason = notKnown(wrong, 'form type', [...new Set(known)], { where, before: BEFORE })
  throw apiError('invalid_parameter', { parameter: 'form', reason })
}

/**
 * Returns the reason to refuse a text with a comma; null for any other text. Codes have no commas, so such a text has
 * several codes, but the parameter takes one.
 */
const severalIn = (text: string): string | null =>
  text.includes(',') ? 'takes one value; `filters` of /v1/filings takes several, with "op":"in"' : null

/** Accepts only items that the header of a submission can have, and items that a stored filing has. */
export async function assertItems(sql: Sql, given: readonly string[]): Promise<void> {
  for (const item of given.filter((each) => !ITEM_CODES.includes(each))) {
    const [row] = await sql`select from edgar.filing_item where item = ${item} limit 1`
    if (!row)
      throw apiError('invalid_parameter', {
        parameter: 'item',
        reason: severalIn(item) ?? notKnown(item, 'item', ITEM_CODES, { before: { ITEM: '' } }),
      })
  }
}

/**
 * Accepts only families of the catalog. If the text is a form, the error suggests the family of this form, since people
 * know forms: 8-K means `eightk`.
 */
export function assertFamilies({ families }: Catalog, given: readonly string[]): void {
  const slugs = families.map(({ slug }) => slug)
  const wrong = given.find((each) => !slugs.includes(each))
  if (wrong === undefined) return
  const several = severalIn(wrong)
  if (several !== null) throw apiError('invalid_parameter', { parameter: 'family', reason: several })
  const ofForm = familyMeant(wrong, families)
  const meant = ofForm && { meant: [ofForm.slug] }
  const reason = notKnown(wrong, 'family', slugs, { where: '/v1/filings/families has them all', ...meant })
  throw apiError('invalid_parameter', { parameter: 'family', reason })
}

/**
 * Refuses families and forms of which no filing can have both, such as family=formd and form=4. If at least one of the
 * forms belongs to one of the families, further forms and families are accepted.
 */
export function assertFormsOf(
  { familyOfForm }: Pick<Catalog, 'familyOfForm'>,
  forms: readonly string[] | undefined,
  families: readonly string[] | undefined,
): void {
  if (!forms || !families || forms.length === 0 || families.length === 0) return
  const owners = forms.map((form) => familyOfForm(form)?.slug)
  if (owners.some((slug) => slug !== undefined && families.includes(slug))) return
  const [form] = forms
  const [owner] = owners
  const own = owner === undefined ? 'is a form of no family' : `is a form of the family ${owner}`
  const reason = `${form} ${own}, not of ${families.join(' or ')}: leave out one of the two`
  throw apiError('conflicting_parameters', { parameter: 'form', reason })
}
