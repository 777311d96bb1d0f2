/** Escapes text for HTML. */

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Escapes characters that have a meaning in HTML as references, for content and for quoted attributes.
 */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => REFERENCES[sign]!)
