/** Refuses to load into tables that another version of the code made. */
import type { App } from '../../app.ts'
import { UserError } from '../../declare/errors.ts'
import registry from '../../registry.ts'
import { isOutdated } from '../../store/shape.ts'

/** Finds a slice whose tables have an outdated definition, among these slices and their followers. */
export const outdatedOf = (app: App, slugs: readonly string[]) =>
  app.stale.find(
    ({ slug, reason }) =>
      isOutdated({ reason }) &&
      [slug, ...Object.keys(registry.slice(slug)?.refresh?.follows ?? {})].some((own) => slugs.includes(own)),
  )

/** @throws UserError if a dataset of filings, or a slice that follows it, has an outdated definition */
export function assertCurrent(app: App, datasets: readonly string[]): void {
  const outdated = outdatedOf(app, datasets)
  if (!outdated) return
  const { slug } = outdated
  throw new UserError(`the tables of ${slug} are outdated: run "openfilings rebuild ${slug}"`)
}
