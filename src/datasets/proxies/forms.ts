/** Classifies the forms of a solicitation. */
import type { CATEGORIES } from './tables-words.ts'

export type Category = (typeof CATEGORIES)[number]

const forms = (codes: string): string[] => codes.split(/, */).flatMap((code) => [code, `${code}/A`])

/**
 * The codes of the forms in the family `proxies`. In EDGAR's codes, DEF means definitive, and PRE means preliminary.
 * The letters between these and 14A or 14C give the kind.
 */
const FORMS: Readonly<Record<Category, readonly string[]>> = {
  definitive: forms('DEF 14A'),
  preliminary: forms('PRE 14A, PREA14A'),
  additional: forms('DEFA14A'),
  revised: forms('DEFR14A, PRER14A'),
  merger: forms('DEFM14A, PREM14A, DEFM14C, PREM14C'),
  special: forms('DEFS14A, PRES14A, DEFS14C, PRES14C'),
  contested: forms('DEFC14A, PREC14A, DEFC14C, PREC14C'),
  dissident: forms('DEFN14A, PREN14A, DFAN14A, DFRN14A, PRRN14A'),
  information: forms('DEF 14C, PRE 14C, PREA14C, DEFA14C, DEFR14C, PRER14C'),
  other: ['DEF-OC', 'PREL-OC'],
}

export const CATEGORY_OF: Readonly<Record<string, Category>> = Object.fromEntries(
  Object.entries(FORMS).flatMap(([category, codes]) => codes.map((code) => [code, category as Category])),
)

/** Tests for the code of a preliminary filing: PREN14A, PRE 14A, PRRN14A, PREL-OC. */
export const isPreliminary = (form: string): boolean => form.startsWith('PR')
