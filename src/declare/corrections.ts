/** A file of the operator's own by which a slice corrects what it derives. */
export interface Corrections {
  /** Name of the setting that names the file. */
  setting: string
  /**
   * The lines that say something, as they stand in the file.
   *
   * @param file how errors call it
   * @throws Error that names the file, the number of the first wrong line and what is wrong with it
   */
  read: (text: string, file: string) => readonly string[]
  /** Keys of the slice's refresh whose rows are others when the lines `after` take the place of `before`. */
  touched: (before: readonly string[], after: readonly string[]) => readonly string[]
}
