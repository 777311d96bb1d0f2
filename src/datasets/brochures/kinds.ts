/** What became of a PDF: text, or why there is none (read/pdf.ts). */
export const KINDS = ['text', 'encrypted', 'scanned', 'broken', 'excessive'] as const
