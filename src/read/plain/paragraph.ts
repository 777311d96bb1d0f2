/** A paragraph of plain text as a block of the document. */
import type { Paragraph } from '../html/block.ts'
import { type ComputedStyle, PLAIN } from '../html/style.ts'

const computed = (of: Partial<ComputedStyle>): ComputedStyle => ({ ...PLAIN, ...of, inner: new Map() })

/** The styles that plain text can show by its layout. */
export const LOOKS = {
  text: computed({}),
  heading: computed({ bold: true }),
  centered: computed({ align: 'center' }),
  title: computed({ bold: true, align: 'center' }),
}

export const paragraph = (plain: string, computed: ComputedStyle): Paragraph => ({
  kind: 'paragraph',
  plain,
  spans: [{ start: 0, computed }],
  links: [],
  images: [],
  level: 0,
  item: null,
  laid: false,
  anchors: [],
})
