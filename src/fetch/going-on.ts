/** An answer that goes on with its rest where it broke off, so that its reader sees one body. */
import { EdgarError } from './answer.ts'
import type { Body } from './body.ts'
import type { Resumable } from './validators.ts'

/** A body that broke off. */
export interface Cut {
  resumable: Resumable
  /** How many bytes of the whole have come. */
  at: number
  /** Why, and how many bytes came since the last time. */
  cut: { failure: EdgarError; cameOn: number }
}

/**
 * @param resumable null where the host has not said how the rest is asked for
 * @param restOf asks for it; null where it cannot be had, and then the body ends with the failure
 */
export function goingOn(first: Body, resumable: Resumable | null, restOf: (cut: Cut) => Promise<Body | null>): Body {
  let piece = first
  let failure: EdgarError | null = null
  async function* read() {
    for (let at = 0; ; ) {
      const from = at
      try {
        for await (const chunk of piece.bytes) {
          at += chunk.length
          yield chunk
        }
        return
      } catch (error) {
        failure = piece.failure()
        if (!failure || !resumable || at === 0) throw error
        const cut = { failure, cameOn: at - from }
        const rest = await restOf({ resumable, at, cut }).catch((cause) => {
          if (cause instanceof EdgarError) failure = cause
          throw cause
        })
        if (!rest) throw error
        failure = null
        piece = rest
      }
    }
  }
  return { bytes: read(), failure: () => failure, close: () => piece.close() }
}
