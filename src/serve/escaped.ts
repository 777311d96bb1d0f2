/** Escapes text for HTML. */

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * The text with characters that have a meaning in HTML written as references, for content and for attributes in quotes.
 */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => REFERENCES[sign]!)
