/**
 * How often a test repeats what it does with random numbers, and how large its largest input is: enough to find what is not rare,
 * and with SOAK=1 as much as once took to find what is.
 */
export const rounds = (usual: number, soak: number): number => (process.env.SOAK === '1' ? soak : usual)
