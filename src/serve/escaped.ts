/** Escapes text for HTML. */

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Replaces characters that have a meaning in HTML by character references. The result can be used as content and in
 * quoted attributes.
 */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => REFERENCES[sign]!)
