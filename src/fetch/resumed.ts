/** If an answer broke off, requests the rest, so that the reader sees one body. */
import { EdgarError } from './answer.ts'
import type { Body } from './body.ts'
import type { Resumable } from './validators.ts'

/** A body that broke off. */
export interface Cut {
  resumable: Resumable
  /** How many bytes of the whole file have arrived. */
  at: number
  /** Why the body broke off, and how many bytes had arrived since it broke off before. */
  cut: { failure: EdgarError; cameOn: number }
}

/**
 * Returns a body that continues with the rest of the file when the answer breaks off.
 *
 * @param resumable null if the host has not stated how to request the rest
 * @param restOf requests the rest, and returns null if the host cannot give it; the body then ends with the failure
 */
export function resumedBody(
  first: Body,
  resumable: Resumable | null,
  restOf: (cut: Cut) => Promise<Body | null>,
): Body {
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
