/** An EDGAR that has one sample filing under many accessions. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sample, temporaryFolder, writeIndex } from './world.ts'

interface Made {
  root: string
  accessions: string[]
  /** Writes the index of the quarter again without these filings. */
  list(without: readonly string[]): Promise<void>
}

/**
 * @param model path of the submission below /Archives/edgar/data/
 * @param change changes the text of the nth filing
 */
export async function madeForms(
  t: Parameters<typeof temporaryFolder>[0],
  {
    model,
    form,
    count,
    change = (text) => text,
  }: { model: string; form: string; count: number; change?: (text: string, n: number) => string },
): Promise<Made> {
  const root = await temporaryFolder(t)
  const [cik, file] = model.split('/') as [string, string]
  const own = path.basename(file, '.txt')
  const text = await readFile(path.join(sample, 'Archives/edgar/data', model), 'utf8')
  const folder = path.join(root, 'Archives/edgar/data', cik)
  await mkdir(folder, { recursive: true })
  const accessions = Array.from({ length: count }, (_, n) => `${own.slice(0, 10)}-24-${String(n + 1).padStart(6, '0')}`)
  for (const [n, accession] of accessions.entries()) {
    await writeFile(path.join(folder, `${accession}.txt`), change(text.replaceAll(own, accession), n))
  }
  async function list(without: readonly string[]): Promise<void> {
    const lines = accessions
      .filter((accession) => !without.includes(accession))
      .map(
        (accession) =>
          `${Number(cik)}|Model|${form}|2024-02-${String(1 + (Number(accession.slice(-6)) % 28)).padStart(2, '0')}|edgar/data/${cik}/${accession}.txt`,
      )
    await writeIndex(root, '2024/QTR1', lines, { lastReceived: 'March 31, 2024' })
  }
  await list([])
  return { root, accessions, list }
}
