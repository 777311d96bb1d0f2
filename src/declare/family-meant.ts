/** Finds the family of forms that a word means. People know forms (8-K, form 4, 13D), not the slugs of families. */
import { didYouMean } from '../misspelt.ts'

interface Forms {
  slug: string
  forms: readonly string[]
}

/** Returns a key that all spellings of a form share: `8-K`, `8k`, `8 K` and `Form 8-K`, or `13D` and `SC 13D`. */
export const formKey = (word: string) =>
  word
    .toLowerCase()
    .replace(/[\s-]/g, '')
    .replace(/^(?:form|schedule|sc)(?=.)/, '')

/**
 * Returns the family with this slug, or the family of the form. A word that no form equals means the family of the forms
 * that begin with it and a hyphen: 13F means 13F-HR. One letter is too little for this: x does not mean X-17A-5.
 */
export function familyMeant<T extends Forms>(word: string, families: readonly T[]): T | undefined {
  const slug = word.toLowerCase().replace(/[\s-]/g, '')
  const key = formKey(word)
  if (key === '') return undefined
  const byForm = (isOf: (form: string) => boolean) => families.find(({ forms }) => forms.some(isOf))
  return (
    families.find((each) => each.slug === slug) ??
    byForm((form) => formKey(form) === key) ??
    (key.length > 1 ? byForm((form) => form.includes('-') && formKey(form.split('-', 1)[0]!) === key) : undefined)
  )
}

/**
 * Returns `; did you mean eightk?` for a word that is not one of the slugs. The suggestion is the family of the form
 * that the word means, or else the nearest slug. Returns an empty text if there is neither.
 */
export function didYouMeanFamily(word: string, slugs: readonly string[], families: readonly Forms[]): string {
  const slug = familyMeant(word, families)?.slug
  return slug !== undefined && slugs.includes(slug) ? `; did you mean ${slug}?` : didYouMean(word, slugs)
}
