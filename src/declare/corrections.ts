/** A file in which an operator corrects values that a slice derives. */
export interface Corrections {
  /** Name of the setting that names the file. */
  setting: string
  /**
   * Returns the lines of the file that contain a correction, each line unchanged.
   *
   * @param file name of the file in errors
   * @throws Error that names the file, the number of the first wrong line and what is wrong with it
   */
  read: (text: string, file: string) => readonly string[]
  /** Keys of the slice's refresh whose rows change when the lines `after` replace the lines `before`. */
  touched: (before: readonly string[], after: readonly string[]) => readonly string[]
}
