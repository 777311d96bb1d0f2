/** Returns the forms of an English verb. */

/** Forms of a verb: "take", "takes", "took", "taken", "taking". */
export type VerbForm = 'base' | 'third' | 'past' | 'participle' | 'gerund'
export const VERB_FORMS: readonly VerbForm[] = ['base', 'third', 'past', 'participle', 'gerund']

/** Past and participle of verbs that do not end in "-ed". */
const IRREGULAR: Readonly<Record<string, readonly [past: string, participle: string]>> = {
  become: ['became', 'become'],
  begin: ['began', 'begun'],
  choose: ['chose', 'chosen'],
  come: ['came', 'come'],
  fall: ['fell', 'fallen'],
  give: ['gave', 'given'],
  lay: ['laid', 'laid'],
  leave: ['left', 'left'],
  let: ['let', 'let'],
  make: ['made', 'made'],
  quit: ['quit', 'quit'],
  run: ['ran', 'run'],
  seek: ['sought', 'sought'],
  stand: ['stood', 'stood'],
  take: ['took', 'taken'],
  withdraw: ['withdrew', 'withdrawn'],
}
/** Verbs that double their last letter: "stepped", "running". */
const DOUBLES: ReadonlySet<string> = new Set(['begin', 'let', 'quit', 'run', 'step', 'submit', 'tap', 'transfer'])

/** @param base infinitive of a verb, in lower case */
export function formOf(base: string, form: VerbForm): string {
  if (form === 'base') return base
  if (form === 'third')
    return /(?:[sxz]|ch|sh)$/.test(base) ? `${base}es` : base.replace(/([^aeiou])y$/, '$1ie').concat('s')
  const stem = DOUBLES.has(base) ? base + base.at(-1) : base
  if (form === 'gerund') return `${stem.replace(/ie$/, 'y').replace(/([^e])e$/, '$1')}ing`
  const irregular = IRREGULAR[base]
  if (irregular) return irregular[form === 'past' ? 0 : 1]
  return `${stem.replace(/e$/, '').replace(/([^aeiou])y$/, '$1i')}ed`
}
