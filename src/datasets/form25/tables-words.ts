/** Paragraphs of Rule 12d2-2 by which a class is removed. */
export const RULES = ['(a)(1)', '(a)(2)', '(a)(3)', '(a)(4)', '(b)', '(c)'] as const
