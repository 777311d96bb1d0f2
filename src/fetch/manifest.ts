/** The lists in which the adviser-information site names its files. */
import { z } from 'zod'

/** A file of such a list. */
export interface Listed {
  name: string
  /** Path on the host. */
  path: string
  /** Size and date from the list, which change when the file changes. */
  as: string
}

/** Paths of the lists on the host. */
export const MANIFESTS: readonly string[] = [
  '/reports/CompilationReports/CompilationReports.manifest.json',
  '/reports/foia/reports_metadata.json',
]

/** Names become parts of paths, so they must not contain anything that leads to another folder. */
const fileName = z.string().regex(/^\w[\w.-]{0,200}$/)
const size = z.union([z.string(), z.number()]).nullish()

const compilation = z.object({ files: z.array(z.object({ name: fileName, size, date: z.string().nullish() })) })
const foiaFile = z.object({ fileName, size, uploadedOn: z.string().nullish() })

/**
 * Reads either kind of list. The daily feeds have `{ files: [{ name, size, date }] }`, with the files next to the list.
 * The monthly sets have `{ <category>: { <year>: { files: [{ fileName, size, uploadedOn }] } } }`, with the files below
 * the list.
 *
 * @param path of the list itself
 * @throws Error that names the part of the list that does not have the expected shape
 */
export function readManifest(path: string, text: string): Listed[] {
  const folder = path.replace(/[^/]*$/, '')
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${path} is not valid JSON`, { cause })
  }
  if (typeof content !== 'object' || content === null) throw new Error(`${path} is not a list of files`)
  if ('files' in content) {
    const { files } = checked(compilation, content, path)
    return files.map(({ name, ...as }) => ({ name, path: folder + name, as: JSON.stringify(as) }))
  }
  return Object.entries(content).flatMap(([category, years]) =>
    Object.entries(isRecord(years) ? years : {})
      // In addition to its years, a category has titles, such as `sectionDisplayName`.
      .filter(([year, list]) => /^\d{4}$/.test(year) && isRecord(list) && 'files' in list)
      .flatMap(([year, list]) => {
        const { files } = checked(z.object({ files: z.array(foiaFile) }), list, `${path} ${category} ${year}`)
        checked(fileName, category, path)
        return files.map(({ fileName: name, ...as }) => ({
          name,
          path: `${folder}${category}/${year}/${name}`,
          as: JSON.stringify(as),
        }))
      }),
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function checked<T extends z.ZodType>(shape: T, value: unknown, where: string): z.output<T> {
  const found = shape.safeParse(value)
  if (!found.success) throw new Error(`${where}: ${z.prettifyError(found.error)}`)
  return found.data
}
