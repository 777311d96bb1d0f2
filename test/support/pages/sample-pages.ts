/** Reads pages of the sample as a browser does, and takes apart what they show. */
import { serveSample } from '../served.ts'

/** The service on the sample, and its pages. */
export async function openPages(scope: Parameters<typeof serveSample>[0]) {
  const served = await serveSample(scope)
  const cookie = `openfilings_key=${served.keys.full}`
  const open = (address: string, key = cookie) =>
    fetch(served.origin + address, { headers: { cookie: key, accept: 'text/html' }, redirect: 'manual' })
  /** Follows redirects, as a browser does. */
  const read = async (address: string): Promise<{ status: number; text: string; at: string }> => {
    for (let at = address; ; ) {
      const response = await open(at)
      const to = response.headers.get('location')
      if (to === null) return { status: response.status, text: await response.text(), at }
      at = to
    }
  }
  /** Reads a page, and the charts that its script adds. */
  const readWhole = async (address: string): Promise<{ status: number; text: string }> => {
    const { status, text } = await read(address)
    const later = laterIn(text)
    return { status, text: later === undefined ? text : text + (await read(later)).text }
  }
  return { served, cookie, open, read, readWhole }
}

/** The address of the part of a page that comes later. */
export const laterIn = (html: string) => /data-from="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')

/** The words of a page. */
export const shown = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The links of a page to addresses of the service. */
export const linksIn = (html: string) =>
  Array.from(html.matchAll(/href="(\/[^"]*)"/g), ([, href]) => href!.replaceAll('&amp;', '&'))
